// SPDX-License-Identifier: Apache-2.0
/* DefaultPreemption: where a pod that fits nowhere would fit if pods of lower priority went, and which of
 * them must go. Nothing is changed here. */
#ifndef KS_ENGINE_PREEMPTION_H
#define KS_ENGINE_PREEMPTION_H

#include "engine/attempt.h"
#include "engine/fit_error.h"
#include "util/random.h"

#define KS_NO_VICTIMS "No preemption victims found for incoming pod"

/* What would have to go from one node. */
typedef struct ks_candidate {
    uint32_t node;
    ks_pod_row **victims; /* the most important first */
    size_t victims_count;
    size_t violations; /* PodDisruptionBudgets that would be violated, by victims */
} ks_candidate;

typedef struct ks_preemption {
    ks_arena arena; /* of one node's trial */
    ks_random *random;
    bool found;        /* preemption helps … */
    ks_candidate best; /* … most so here */
    ks_buf message;    /* "preemption: …", why it does not; else empty */
    bool clears;       /* the pod's old nomination has become meaningless */
    KS_VEC(ks_pod_row *) victims;
    ks_tallies reasons;
    KS_VEC(uint32_t) nodes; /* where it may help */
} ks_preemption;

void ks_preemption_init(ks_preemption *preemption, ks_cluster *cluster, ks_random *random);
void ks_preemption_free(ks_preemption *preemption, ks_cluster *cluster);

/* For a pod whose cycle found no node. The result is valid until the next run or the cluster's next change.
 */
int ks_preemption_run(ks_preemption *preemption, const ks_attempt *attempt, ks_cycle *cycle,
                      const ks_fit_error *fit, ks_error *err);

/* victims.c: the fewest pods that have to leave a node, in the preemption's arena. No victims where it is no
 * candidate; the reasons are added to the preemption's. */
int ks_victims_select(ks_candidate *out, ks_preemption *preemption, const ks_attempt *attempt,
                      ks_cycle *cycle, ks_error *err);
/* When a pod began to run, in seconds; INT64_MAX if it has not. */
int64_t ks_victim_start(const ks_pod_row *pod);

#endif
