// SPDX-License-Identifier: Apache-2.0
/* How many more copies of a pod fit: they are placed one by one, as the scheduler would, until the first is
 * refused. Nothing is evicted for them. */
#ifndef KS_SIM_CAPACITY_H
#define KS_SIM_CAPACITY_H

#include "sim/sim.h"

typedef struct ks_capacity ks_capacity; /* freed with ks_capacity_free, before its sim */

/* The pod that a workload of the sim makes, or a pod of the cluster, to be copied; an absent namespace is
 * "default". Valid as long as the sim, which has run. KS_ENOTFOUND if there is no such workload or pod. */
int ks_sim_find_pod(const ks_pod **out, ks_sim *sim, ks_kind kind, ks_str namespace_, ks_str name,
                    ks_error *err);

/* Fills the cluster of a sim that has run with copies of `pod`, whose name and node are not looked at:
 * `limit` of them at most, 0 meaning 1,000,000. The copies stay there. */
int ks_capacity_run(ks_capacity **out, ks_sim *sim, const ks_pod *pod, size_t limit, ks_error *err);
void ks_capacity_free(ks_capacity *capacity);

typedef struct ks_capacity_summary {
    size_t copies;  /* that fit */
    bool limited;   /* stopped at the limit, not by a refusal */
    size_t nodes;   /* of the cluster, as listed below */
    ks_str message; /* why the next one is refused, in kube-scheduler's words; absent if limited */
} ks_capacity_summary;
ks_capacity_summary ks_capacity_get_summary(const ks_capacity *capacity);

typedef struct ks_capacity_node {
    ks_str name;
    size_t copies;
} ks_capacity_node;
/* In the order of the nodes' names, which is that of the cycle. */
ks_capacity_node ks_capacity_get_node(const ks_capacity *capacity, size_t node);

/* The cycle of one more copy: what stops it, node by node, and the domains' numbers. Valid until the next
 * ks_sim_look. */
const ks_cycle *ks_capacity_get_cycle(const ks_capacity *capacity);

#endif
