// SPDX-License-Identifier: Apache-2.0
/* Structs of the model as a line of JSON, so that a test can compare the whole of them at once. */
#ifndef TESTS_SUPPORT_DUMP_H
#define TESTS_SUPPORT_DUMP_H

#include "model/schema.h"

/* Fields in the schema's order. What is absent, zero or false is left out; what is there and empty is not.
 * Quantities are strings of value and scale ("5e-1"), percentages end in %, strings have single quotes. */
void dump_struct(ks_buf *buf, const ks_schema *schema, const void *value);

#endif
