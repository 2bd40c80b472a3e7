// SPDX-License-Identifier: Apache-2.0
/* PodTopologySpread from scratch: everything is counted anew for each pod, in loops over plain arrays.
 * Slow and obvious on purpose; what the engine keeps alive is held against it. The rules are those of
 * kube-scheduler's podtopologyspread, with the same oddities. */
#ifndef TESTS_SUPPORT_PLAIN_MODEL_H
#define TESTS_SUPPORT_PLAIN_MODEL_H

#include "support/plain_rules.h"
#include "util/arena.h"
#include <kubespread/cluster.h>

typedef KS_LIST(const ks_object *) plain_objects;

/* A cluster whose only plugin is PodTopologySpread. */
typedef struct plain_cluster {
    plain_objects of[KS_KIND_COUNT]; /* nodes in the order of their names */
    ks_gates gates;
    const ks_spread_args *defaults;
    int32_t weight;
} plain_cluster;

typedef struct plain_constraint {
    plain_selector selector;
    ks_spread_constraint shown; /* but for the selector's text */
    ks_spread_domain *domains;  /* shown.domains of them, by value */
} plain_constraint;

typedef struct plain_node {
    ks_node_result result;
    bool scored; /* result.score came from the plugin */
    ks_spread_numbers *numbers;
} plain_node;

typedef struct plain_result {
    ks_cycle_summary summary;
    plain_constraint *constraints; /* hard ones first */
    plain_node *nodes;
} plain_result;

/* Everything is in the arena and points into the cluster and the pod. */
void plain_run(plain_result *out, const plain_cluster *cluster, const ks_pod *pod, ks_arena *arena);
ks_node_result plain_what_if(const plain_cluster *cluster, const ks_pod *pod, size_t node,
                             const ks_what_if *change, ks_arena *arena);

#endif
