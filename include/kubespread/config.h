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
} ks_profile;

/* Owned by whoever called ks_config_decode or ks_config_default; freed with ks_config_free. */
typedef struct ks_config {
    KS_LIST(ks_profile) profiles; /* at least one */
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
