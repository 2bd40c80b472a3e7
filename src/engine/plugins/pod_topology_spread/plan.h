// SPDX-License-Identifier: Apache-2.0
/* PodTopologySpread, the heart. A plan is what a pod's constraints come down to in this cluster: the hard
 * and the soft ones that are in force, each with its living counter. It is made once for all pods of the
 * same class and spec (plan.c, from the constraints in constraints.c), kept by the plan cache, and read by
 * filter.c, score.c and hints.c. */
#ifndef KS_ENGINE_PLUGINS_POD_TOPOLOGY_SPREAD_PLAN_H
#define KS_ENGINE_PLUGINS_POD_TOPOLOGY_SPREAD_PLAN_H

#include "engine/plan_cache.h"
#include "engine/plugin.h"

/* A constraint in force. */
typedef struct ks_term {
    ks_topology *topology;
    ks_matcher *matcher;
    ks_inclusion *inclusion;
    ks_counter *counter; /* NULL for a soft hostname constraint, which counts each node's own pods */
    int32_t max_skew, min_domains;
    bool honors_affinity, honors_taints;
    bool self; /* the selector matches the pod itself */
    ks_str selector;
} ks_term;

/* The constraints of one sort. */
typedef struct ks_terms {
    ks_term *items;
    size_t count;
    ks_status status; /* KS_ERROR where a selector makes no sense */
} ks_terms;

typedef struct ks_plan {
    ks_plan_head head;
    bool defaulted; /* the constraints are the cluster's defaults … */
    bool lenient;   /* … of the system, which do not ask for all keys when scoring */
    uint64_t workloads_version;
    ks_terms hard, soft;
} ks_plan;

/* The plan for a pod, with a new reference. */
int ks_plan_get(ks_plan **out, ks_cluster *cluster, ks_class *class_, ks_spec *spec, ks_error *err);
void ks_plan_unref(ks_plan *plan);

/* constraints.c: a constraint with its selector compiled. */
typedef struct ks_compiled {
    const ks_topology_spread_constraint *from;
    ks_selector selector;
} ks_compiled;
typedef KS_LIST(ks_compiled) ks_compiled_list;

/* The constraints of one sort that are in force for pods of the plan's class and spec; `status` is an
 * error where a selector makes no sense. Everything in the arena. */
int ks_constraints_compile(ks_compiled_list *out, ks_status *status, const ks_cluster *cluster,
                           const ks_plan *plan, bool hard, ks_arena *arena, ks_error *err);
/* The pod has no constraints of its own, so that the defaults stand in. */
bool ks_constraints_are_defaults(const ks_plan *plan);
/* Those defaults are the system's own. */
bool ks_constraints_system_defaulted(const ks_cluster *cluster);

/* The plugin's state in a cycle. */
typedef struct ks_spread_state {
    ks_plan *plan;
    struct ks_soft_state *soft; /* from pre_score on */
} ks_spread_state;

/* filter.c */
int64_t ks_term_minimum(const ks_term *term);
int ks_spread_pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err);
void ks_spread_filter(void *state, ks_nodeset *nodes);
ks_status ks_spread_judge(const void *state, uint32_t node, size_t nth);
ks_status ks_spread_what_if(const void *state, uint32_t node, const ks_change *change, size_t nth);
void ks_spread_release(ks_cluster *cluster, void *state);

/* score.c */
bool ks_term_is_hostname(const ks_term *term);
int ks_spread_pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err);
void ks_spread_score(void *state, const ks_nodeset *nodes, double *scores);
void ks_spread_normalize(void *state, const ks_nodeset *nodes, double *scores);

/* hints.c */
int ks_spread_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                   const ks_object *after, ks_error *err);

#endif
