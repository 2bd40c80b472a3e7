// SPDX-License-Identifier: Apache-2.0
/* Quantities for the decoder, which has its own way of saying where a fault stands. */
#ifndef KS_MODEL_QUANTITY_H
#define KS_MODEL_QUANTITY_H

#include <kubespread/decode.h>

/* NULL if the text is a quantity, which then is in *out; else the rule that it breaks (static). Of equal
 * amounts, however written, *out is the same: the scale is the highest that holds the amount exactly. */
const char *ks_quantity_fault(ks_quantity *out, ks_str text);

#endif
