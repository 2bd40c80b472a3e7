// SPDX-License-Identifier: Apache-2.0
/* Which plugins a cycle's scores come from. */
#ifndef KS_CLI_SCORES_H
#define KS_CLI_SCORES_H

#include <kubespread/cluster.h>

enum { KS_SCORERS_MAX = 32 };

/* The plugins that scored, in the order of the registry. */
typedef struct ks_scorers {
    const char *names[KS_SCORERS_MAX];
    size_t count;
} ks_scorers;

/* None if no node passed. */
ks_scorers ks_scorers_of(const ks_cycle *cycle);

#endif
