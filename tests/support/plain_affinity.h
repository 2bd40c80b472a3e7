// SPDX-License-Identifier: Apache-2.0
/* InterPodAffinity from scratch: for each pod, every pod on every node is looked at, as kube-scheduler
 * does, and counted in plain lists. What the engine keeps alive is held against it. */
#ifndef TESTS_SUPPORT_PLAIN_AFFINITY_H
#define TESTS_SUPPORT_PLAIN_AFFINITY_H

#include "support/plain_model.h"

typedef struct plain_affinity_setup {
    const plain_cluster *cluster; /* its objects alone matter */
    ks_inter_pod_affinity_args args;
    int32_t weight;
} plain_affinity_setup;

typedef struct plain_affinity_result {
    ks_code pre_filter; /* success also where the plugin skips filtering */
    bool scores;
    ks_node_result *nodes; /* in the order of the cluster's; but for the names */
} plain_affinity_result;

/* Everything is in the arena. */
void plain_affinity_run(plain_affinity_result *out, const plain_affinity_setup *setup, const ks_pod *pod,
                        ks_arena *arena);
/* The verdict on one node; the plugin must not refuse the pod as a whole. */
ks_node_result plain_affinity_what_if(const plain_affinity_setup *setup, const ks_pod *pod, size_t node,
                                      const ks_what_if *change, ks_arena *arena);

#endif
