// SPDX-License-Identifier: Apache-2.0
/* Why a pod fits nowhere, in the sentence that kube-scheduler writes into its FailedScheduling event:
 *   0/6 nodes are available: 2 Insufficient cpu, 4 node(s) didn't match Pod's node affinity/selector. */
#ifndef KS_ENGINE_FIT_ERROR_H
#define KS_ENGINE_FIT_ERROR_H

#include "engine/plugin.h"

/* How many nodes have which reason. */
typedef struct ks_tally {
    ks_str reason;
    size_t count;
} ks_tally;
typedef KS_VEC(ks_tally) ks_tallies;

/* False on failure. The reason is not copied. */
bool ks_tallies_add(ks_tallies *tallies, ks_alloc *alloc, ks_str reason, size_t count);
/* All reasons of a refusal, once. */
bool ks_tallies_add_verdict(ks_tallies *tallies, const ks_cycle *cycle, const ks_verdict *verdict);
/* "0/6 nodes are available: …." */
void ks_tallies_print(ks_buf *out, ks_tallies *tallies, size_t nodes);

/* What a cycle that found no node for its pod says of all of them. Zeroed at first; filled as often as one
 * likes; freed by ks_fit_error_free. */
typedef struct ks_fit_error {
    ks_tallies reasons;
    uint64_t refusers;     /* bit i: the cycle's i-th plugin refuses a node */
    ks_nodeset resolvable; /* nodes where evicting pods may help */
    ks_nodeset left, before;
} ks_fit_error;

/* Reasons live as long as the cycle's run. */
int ks_fit_error_fill(ks_fit_error *fit, const ks_cycle *cycle, ks_error *err);
/* The sentence; what the PostFilter plugins said comes behind it and may be absent. */
void ks_fit_error_print(ks_buf *out, ks_fit_error *fit, const ks_cycle *cycle, ks_str post_filter);
void ks_fit_error_free(ks_fit_error *fit, ks_alloc *alloc);

#endif
