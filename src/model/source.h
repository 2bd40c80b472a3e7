// SPDX-License-Identifier: Apache-2.0
/* Faults with a place in a text. */
#ifndef KS_MODEL_SOURCE_H
#define KS_MODEL_SOURCE_H

#include "util/str.h"
#include <kubespread/decode.h>

/* Fills in "name:line:column: message" and the error's line and column for a byte of the source. An absent
 * name is left out. Returns code. */
int ks_source_fail(ks_error *err, int code, ks_source source, size_t offset, const char *format, ...)
    KS_PRINTF(5, 6);

#endif
