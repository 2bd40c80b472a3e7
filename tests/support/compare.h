// SPDX-License-Identifier: Apache-2.0
/* Holds what a cycle says against the plain model, to the last number. */
#ifndef TESTS_SUPPORT_COMPARE_H
#define TESTS_SUPPORT_COMPARE_H

#include "support/plain_model.h"
#include "util/str.h"

/* Writes a line with both sides for each difference; nothing if there is none. */
void compare_cycle(ks_buf *out, const ks_cycle *cycle, const plain_result *plain);
void compare_verdict(ks_buf *out, const ks_node_result *engine, const ks_node_result *plain);

#endif
