// SPDX-License-Identifier: Apache-2.0
/* Text that came from elsewhere, made safe for a terminal. */
#ifndef KS_CLI_TEXT_H
#define KS_CLI_TEXT_H

#include "util/str.h"

/* Puts text with everything escaped that could move the cursor, recolour or reorder the line: control
 * characters, bidirectional overrides, invalid UTF-8 ("\u001b", "\xff"). Returns its width in characters. */
size_t ks_text_put(ks_buf *buf, ks_str text);

#endif
