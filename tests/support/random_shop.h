// SPDX-License-Identifier: Apache-2.0
/* Random clusters as text: nodes in zones, some tainted, priorities, workloads of every kind with spread
 * constraints, and pods that are there already. Small enough that many do not fit. */
#ifndef TESTS_SUPPORT_RANDOM_SHOP_H
#define TESTS_SUPPORT_RANDOM_SHOP_H

#include "support/random.h"
#include "util/str.h"

void random_shop(ks_buf *out, uint64_t seed);

#endif
