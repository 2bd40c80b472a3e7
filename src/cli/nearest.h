// SPDX-License-Identifier: Apache-2.0
/* Which known word somebody may have meant. */
#ifndef KS_CLI_NEAREST_H
#define KS_CLI_NEAREST_H

#include <kubespread/base.h>

/* Remembers the best of the words that were offered to it. */
typedef struct ks_nearest {
    const char *typed;
    const char *best; /* NULL: none is near enough */
    size_t distance;
} ks_nearest;

void ks_nearest_init(ks_nearest *nearest, const char *typed);
void ks_nearest_offer(ks_nearest *nearest, const char *word);

#endif
