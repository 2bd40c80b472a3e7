// SPDX-License-Identifier: Apache-2.0
/* What the scheduler adds to a plain cycle: nominated pods count as if they stood on their nodes, the pod's
 * own nominated node is tried before all others, and filtering may end early. */
#ifndef KS_ENGINE_ATTEMPT_H
#define KS_ENGINE_ATTEMPT_H

#include "engine/nominator.h"
#include "engine/plugin.h"

typedef struct ks_attempt {
    const ks_nominator *nominator;
    ks_pod_row *pod; /* the one under trial */
    int32_t priority;
    size_t start, wanted; /* filtering begins at the start-th name and ends with so many nodes found */
    size_t looked_at;     /* out: how many nodes it took */
} ks_attempt;

/* Runs a cycle for a stored pod. */
int ks_cycle_run_attempt(ks_cycle *cycle, ks_attempt *attempt, ks_error *err);
/* Between filtering and scoring: takes out the nodes that the attempt rules out. */
int ks_attempt_narrow(ks_attempt *attempt, ks_cycle *cycle, ks_error *err);

/* Stored pods as plugins want to see them. */
typedef struct ks_pod_list {
    const ks_pod **pods;
    const ks_pod_row **rows;
    size_t count;
} ks_pod_list;

/* Room for so many in an arena; false on failure. */
bool ks_pod_list_init(ks_pod_list *list, ks_arena *arena, size_t most);

/* The pods nominated to a node that the pod under trial must leave room for. In the cycle's arena. */
int ks_attempt_guests(ks_pod_list *out, const ks_attempt *attempt, ks_cycle *cycle, uint32_t node,
                      ks_error *err);

/* What filtering says of a node without the pods that are removed. The pod must fit both with and without
 * the guests, as they may yet go elsewhere. KS_ERROR is want of memory. */
ks_verdict ks_attempt_try(const ks_cycle *cycle, uint32_t node, const ks_pod_list *guests,
                          const ks_pod_list *removed);

#endif
