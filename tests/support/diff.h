// SPDX-License-Identifier: Apache-2.0
/* How two texts differ, line by line, for the message of a failed test. */
#ifndef KS_TESTS_SUPPORT_DIFF_H
#define KS_TESTS_SUPPORT_DIFF_H

#include "util/str.h"

/* Appends every line, "-" before those only in `want`, "+" before those only in `got`. */
void ks_diff_put(ks_buf *out, ks_str want, ks_str got);

#endif
