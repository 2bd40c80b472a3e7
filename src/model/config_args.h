// SPDX-License-Identifier: Apache-2.0
/* The args that plugins of kube-scheduler take, as they stand in a file: by which schema they are decoded,
 * what they mean where they leave something out, how they are checked, and what becomes of them in a
 * profile. */
#ifndef KS_MODEL_CONFIG_ARGS_H
#define KS_MODEL_CONFIG_ARGS_H

#include "model/fault.h"
#include "model/schema.h"
#include <kubespread/config.h>

/* What all args begin with. */
typedef struct ks_args_meta {
    ks_str api_version, kind;
} ks_args_meta;

typedef struct ks_file_spread_args {
    ks_args_meta meta;
    ks_spread_args spread;
} ks_file_spread_args;

typedef struct ks_file_preemption_args {
    ks_args_meta meta;
    ks_opt_i32 min_candidate_nodes_percentage, min_candidate_nodes_absolute;
} ks_file_preemption_args;

typedef struct ks_file_dynamic_resources_args {
    ks_args_meta meta;
    ks_str filter_timeout, binding_timeout;
} ks_file_dynamic_resources_args;

typedef struct ks_file_pod_affinity_args {
    ks_args_meta meta;
    ks_opt_i32 hard_pod_affinity_weight;
    bool ignore_preferred_terms_of_existing_pods;
} ks_file_pod_affinity_args;

typedef struct ks_file_capacity_ratio {
    KS_LIST(ks_shape_point) shape;
} ks_file_capacity_ratio;

typedef struct ks_file_scoring_strategy {
    ks_str type;
    ks_resource_weights resources;
    const ks_file_capacity_ratio *requested_to_capacity_ratio;
} ks_file_scoring_strategy;

typedef struct ks_file_fit_args {
    ks_args_meta meta;
    ks_strs ignored_resources, ignored_resource_groups;
    const ks_file_scoring_strategy *scoring_strategy;
} ks_file_fit_args;

typedef struct ks_file_balanced_args {
    ks_args_meta meta;
    ks_resource_weights resources;
} ks_file_balanced_args;

typedef struct ks_file_volume_binding_args {
    ks_args_meta meta;
    int64_t bind_timeout_seconds;
    KS_LIST(ks_shape_point) shape;
} ks_file_volume_binding_args;

typedef struct ks_file_node_affinity_args {
    ks_args_meta meta;
    ks_node_affinity_args args;
} ks_file_node_affinity_args;

/* A plugin's args; functions that it has no use for are NULL. */
typedef struct ks_args_kind {
    const char *plugin;
    const ks_schema *schema;
    void (*set_defaults)(void *args);
    /* As kube-scheduler checks them when it reads a file, below the path of the args. */
    void (*check)(ks_faults *faults, const void *args);
    /* Into a profile that borrows from them. */
    void (*put)(ks_profile *out, const void *args);
} ks_args_kind;

/* NULL for plugins that take none and those that are not known, whose args are nobody's to check. */
const ks_args_kind *ks_args_kind_find(ks_str plugin);

extern const ks_schema ks_shape_point_schema, ks_resource_weight_schema;

/* config_args_check.c */
void ks_preemption_args_check(ks_faults *faults, const void *args);
void ks_pod_affinity_args_check(ks_faults *faults, const void *args);
void ks_node_affinity_args_check(ks_faults *faults, const void *args);
void ks_balanced_args_check(ks_faults *faults, const void *args);
void ks_spread_args_check(ks_faults *faults, const void *args);
void ks_volume_binding_args_check(ks_faults *faults, const void *args);
/* NodeResourcesFit's: not looked at when the file is read, but when the plugin is made. */
void ks_fit_args_check(ks_faults *faults, const void *args);

#endif
