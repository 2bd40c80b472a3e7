// SPDX-License-Identifier: Apache-2.0
/* InterPodAffinity: which pods want to be, or must not be, near which others. A plan is what this comes down
 * to for the pods of one class and spec: the crowds that their own terms mean, and those terms of other
 * pods that mean them. Filtering then is a few set operations over tallies that are kept alive
 * (engine/affinity.h), scoring a weighted sum of their columns. */
#ifndef KS_ENGINE_PLUGINS_INTER_POD_AFFINITY_PLAN_H
#define KS_ENGINE_PLUGINS_INTER_POD_AFFINITY_PLAN_H

#include "engine/affinity.h"
#include "engine/plan_cache.h"
#include "engine/plugin.h"

typedef struct ks_crowd_list {
    ks_crowd **items;
    size_t count;
} ks_crowd_list;

typedef struct ks_weighed_tally {
    const ks_tally *tally;
    double weight;
} ks_weighed_tally;

typedef struct ks_affinity_plan {
    ks_plan_head head;
    ks_str fault; /* terms of the pod that cannot be; then there is nothing else */
    uint64_t namespaces_version, carried_version;
    ks_crowd_list required; /* the pods that match all required terms, once for each topology key */
    bool matches_itself;    /* all required terms do match the pod itself */
    ks_crowd_list anti;     /* the pods that each required anti-affinity term means */
    ks_crowd_list preferred;
    double *weights; /* by preferred term */
    /* As of carried_version: other pods' required anti-affinity that means this pod, and everything that
     * scores, the pod's own preferred terms included, by topology. */
    KS_VEC(const ks_tally *) keep_away;
    KS_VEC(ks_weighed_tally) scored;
} ks_affinity_plan;

/* The plan for a pod, with a new reference. */
int ks_affinity_plan_get(ks_affinity_plan **out, ks_cluster *cluster, ks_class *class_, ks_spec *spec,
                         ks_error *err);

/* The plugin's state in a cycle. */
typedef struct ks_affinity_state {
    ks_cluster *cluster;
    ks_affinity_plan *plan;
    double *by_domain; /* from pre_score on: room for the domains of any topology that scores */
} ks_affinity_state;

/* filter.c */
int ks_affinity_pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err);
void ks_affinity_filter(void *state, ks_nodeset *nodes);
void ks_affinity_release(ks_cluster *cluster, void *state);

/* judge.c */
ks_status ks_affinity_judge(const void *state, uint32_t node, size_t nth);
ks_status ks_affinity_what_if(const void *state, uint32_t node, const ks_change *change, size_t nth);

/* score.c */
int ks_affinity_pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes,
                          ks_error *err);
void ks_affinity_score(void *state, const ks_nodeset *nodes, double *scores);
void ks_affinity_normalize(void *state, const ks_nodeset *nodes, double *scores);

/* hints.c */
int ks_affinity_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                     const ks_object *after, ks_error *err);

#endif
