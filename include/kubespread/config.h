// SPDX-License-Identifier: Apache-2.0
/* How a scheduler is set up: KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) and feature
 * gates. A decoded configuration is checked as kube-scheduler checks it. */
#ifndef KUBESPREAD_CONFIG_H
#define KUBESPREAD_CONFIG_H

#include <kubespread/decode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Feature gates as bits; KS_GATES_DEFAULT has all of them on. Off means the behaviour from before the
 * feature: what was set earlier stays in the objects and is ignored. */
typedef enum ks_gate {
    KS_GATE_POD_TOPOLOGY_SPREAD = 1 << 0, /* also called EvenPodsSpread */
    KS_GATE_NODE_INCLUSION_POLICY = 1 << 1,
    KS_GATE_MATCH_LABEL_KEYS = 1 << 2,
} ks_gate;
typedef uint32_t ks_gates;
#define KS_GATES_DEFAULT                                                                                     \
    ((ks_gates)(KS_GATE_POD_TOPOLOGY_SPREAD | KS_GATE_NODE_INCLUSION_POLICY | KS_GATE_MATCH_LABEL_KEYS))

/* Reads "Name=true,Other=false" (the form of --feature-gates) on top of *gates. */
KS_API int ks_gates_parse(ks_gates *gates, ks_str text, ks_error *err);

/* PodTopologySpreadArgs. Under "System" (also meant by an absent type) the list is empty and
 * kube-scheduler's own two soft constraints stand in: hostname maxSkew 3, zone maxSkew 5. */
typedef struct ks_spread_args {
    ks_str defaulting_type; /* System or List */
    ks_topology_spread_constraints default_constraints;
} ks_spread_args;

/* NodeAffinityArgs: what every pod's own node affinity is joined by. NULL: nothing. */
typedef struct ks_node_affinity_args {
    const ks_node_affinity *added_affinity;
} ks_node_affinity_args;

/* DefaultPreemptionArgs: preemption looks for at least the larger of the two among the nodes. */
typedef struct ks_preemption_args {
    int32_t min_candidate_nodes_percentage; /* 10 by default */
    int32_t min_candidate_nodes_absolute;   /* 100 by default */
} ks_preemption_args;

typedef struct ks_resource_weight {
    ks_str name;
    int64_t weight;
} ks_resource_weight;
typedef KS_LIST(ks_resource_weight) ks_resource_weights;

typedef struct ks_shape_point {
    int32_t utilization, score; /* percent; 0 to 10 */
} ks_shape_point;

/* NodeResourcesFitArgs. All zero means the defaults. */
typedef struct ks_fit_args {
    ks_strs ignored_resources, ignored_resource_groups; /* extended resources that filtering overlooks */
    /* scoringStrategy */
    ks_str strategy_type;          /* LeastAllocated (also if absent), MostAllocated,
                                      RequestedToCapacityRatio */
    ks_resource_weights resources; /* empty: cpu and memory, weight 1 each */
    KS_LIST(ks_shape_point) shape; /* of RequestedToCapacityRatio, by rising utilization */
} ks_fit_args;

/* NodeResourcesBalancedAllocationArgs. */
typedef struct ks_balanced_args {
    ks_resource_weights resources; /* empty: cpu and memory; the weights are all 1 */
} ks_balanced_args;

/* InterPodAffinityArgs. */
typedef struct ks_inter_pod_affinity_args {
    int32_t hard_pod_affinity_weight; /* of other pods' required affinity, 0 to 100; 1 by default */
    bool ignore_preferred_terms_of_existing_pods; /* unless the pod has preferred terms of its own */
} ks_inter_pod_affinity_args;

/* One plugin of a profile, after the profile's enabled and disabled lists are merged with the defaults. */
typedef struct ks_plugin_use {
    ks_str name;
    int32_t weight; /* as scored; 0 for plugins that do not score */
    bool filters, scores;
} ks_plugin_use;

typedef struct ks_profile {
    ks_str scheduler_name;
    /* The enabled ones: filters in the order in which they run, then those that only score, then the rest. */
    KS_LIST(ks_plugin_use) plugins;
    ks_spread_args spread;
    ks_fit_args fit;
    ks_balanced_args balanced;
    ks_node_affinity_args node_affinity;
    ks_inter_pod_affinity_args inter_pod_affinity;
    ks_preemption_args preemption;
    /* The profile's own, or else the file's; 0: none given. kube-scheduler then chooses by the number of
     * nodes; here all of them are scored. */
    int32_t percentage_of_nodes_to_score;
} ks_profile;

/* Owned by whoever called ks_config_decode or ks_config_default; freed with ks_config_free. */
typedef struct ks_config {
    KS_LIST(ks_profile) profiles; /* at least one */
    /* How long a pod waits before its second try, and at most before any. 1 and 10 by default. */
    int64_t pod_initial_backoff_seconds, pod_max_backoff_seconds;
} ks_config;

/* The configuration that kube-scheduler runs with when it is given none. */
KS_API int ks_config_default(ks_config **out, const ks_allocator *allocator, ks_error *err);

/* Decodes and checks a KubeSchedulerConfiguration in JSON or YAML, the only document of its source. Unknown
 * fields and wrong types are refused with their place; of the faults that concern values as many are in the
 * one message as fit, in kube-scheduler's words. Fields of parts that this version does not have are held to
 * their types and read over. */
KS_API int ks_config_decode(ks_config **out, ks_source source, const ks_allocator *allocator, ks_error *err);
KS_API void ks_config_free(ks_config *config);

/* The profile of a scheduler name, or NULL. An absent or empty name means "default-scheduler". */
KS_API const ks_profile *ks_config_profile(const ks_config *config, ks_str scheduler_name);

#ifdef __cplusplus
}
#endif
#endif
