// SPDX-License-Identifier: Apache-2.0
/* The args that plugins of kube-scheduler take, by name. Only PodTopologySpread's are used; the others are
 * held to their fields' names and types. */
#include "model/config_file.h"

#define META(struct_type)                                                                                    \
    KS_FIELD("apiVersion", STRING, struct_type, meta.api_version, NULL),                                     \
        KS_FIELD("kind", STRING, struct_type, meta.kind, NULL)

static const ks_field spread_fields[] = {
    META(ks_file_spread_args),
    KS_FIELD("defaultConstraints", LIST, ks_file_spread_args, spread.default_constraints,
             &ks_topology_spread_constraint_schema),
    KS_FIELD("defaultingType", STRING, ks_file_spread_args, spread.defaulting_type, NULL),
};
static const ks_schema spread_schema = KS_SCHEMA_STRICT(ks_file_spread_args, spread_fields);

typedef struct preemption_args {
    ks_args_meta meta;
    ks_opt_i32 min_candidate_nodes_percentage, min_candidate_nodes_absolute;
} preemption_args;
static const ks_field preemption_fields[] = {
    META(preemption_args),
    KS_FIELD("minCandidateNodesAbsolute", OPT_I32, preemption_args, min_candidate_nodes_absolute, NULL),
    KS_FIELD("minCandidateNodesPercentage", OPT_I32, preemption_args, min_candidate_nodes_percentage, NULL),
};
static const ks_schema preemption_schema = KS_SCHEMA_STRICT(preemption_args, preemption_fields);

typedef struct dynamic_resources_args {
    ks_args_meta meta;
    ks_str filter_timeout, binding_timeout;
} dynamic_resources_args;
static const ks_field dynamic_resources_fields[] = {
    META(dynamic_resources_args),
    KS_FIELD("bindingTimeout", STRING, dynamic_resources_args, binding_timeout, NULL),
    KS_FIELD("filterTimeout", STRING, dynamic_resources_args, filter_timeout, NULL),
};
static const ks_schema dynamic_resources_schema =
    KS_SCHEMA_STRICT(dynamic_resources_args, dynamic_resources_fields);

typedef struct pod_affinity_args {
    ks_args_meta meta;
    ks_opt_i32 hard_pod_affinity_weight;
    bool ignore_preferred_terms_of_existing_pods;
} pod_affinity_args;
static const ks_field pod_affinity_fields[] = {
    META(pod_affinity_args),
    KS_FIELD("hardPodAffinityWeight", OPT_I32, pod_affinity_args, hard_pod_affinity_weight, NULL),
    KS_FIELD("ignorePreferredTermsOfExistingPods", BOOL, pod_affinity_args,
             ignore_preferred_terms_of_existing_pods, NULL),
};
static const ks_schema pod_affinity_schema = KS_SCHEMA_STRICT(pod_affinity_args, pod_affinity_fields);

typedef struct shape_point {
    int32_t utilization, score;
} shape_point;
static const ks_field shape_point_fields[] = {
    KS_FIELD("score", I32, shape_point, score, NULL),
    KS_FIELD("utilization", I32, shape_point, utilization, NULL),
};
static const ks_schema shape_point_schema = KS_SCHEMA(shape_point, shape_point_fields);

typedef struct resource_spec {
    ks_str name;
    int64_t weight;
} resource_spec;
static const ks_field resource_spec_fields[] = {
    KS_FIELD("name", STRING, resource_spec, name, NULL),
    KS_FIELD("weight", I64, resource_spec, weight, NULL),
};
static const ks_schema resource_spec_schema = KS_SCHEMA(resource_spec, resource_spec_fields);

typedef struct capacity_ratio {
    KS_LIST(shape_point) shape;
} capacity_ratio;
static const ks_field capacity_ratio_fields[] = {
    KS_FIELD("shape", LIST, capacity_ratio, shape, &shape_point_schema),
};
static const ks_schema capacity_ratio_schema = KS_SCHEMA(capacity_ratio, capacity_ratio_fields);

typedef struct scoring_strategy {
    ks_str type;
    KS_LIST(resource_spec) resources;
    const capacity_ratio *requested_to_capacity_ratio;
} scoring_strategy;
static const ks_field scoring_strategy_fields[] = {
    KS_FIELD("requestedToCapacityRatio", POINTER, scoring_strategy, requested_to_capacity_ratio,
             &capacity_ratio_schema),
    KS_FIELD("resources", LIST, scoring_strategy, resources, &resource_spec_schema),
    KS_FIELD("type", STRING, scoring_strategy, type, NULL),
};
static const ks_schema scoring_strategy_schema = KS_SCHEMA(scoring_strategy, scoring_strategy_fields);

typedef struct resources_fit_args {
    ks_args_meta meta;
    ks_strs ignored_resources, ignored_resource_groups;
    const scoring_strategy *scoring_strategy;
} resources_fit_args;
static const ks_field resources_fit_fields[] = {
    META(resources_fit_args),
    KS_FIELD("ignoredResourceGroups", STRINGS, resources_fit_args, ignored_resource_groups, NULL),
    KS_FIELD("ignoredResources", STRINGS, resources_fit_args, ignored_resources, NULL),
    KS_FIELD("scoringStrategy", POINTER, resources_fit_args, scoring_strategy, &scoring_strategy_schema),
};
static const ks_schema resources_fit_schema = KS_SCHEMA_STRICT(resources_fit_args, resources_fit_fields);

typedef struct balanced_allocation_args {
    ks_args_meta meta;
    KS_LIST(resource_spec) resources;
} balanced_allocation_args;
static const ks_field balanced_allocation_fields[] = {
    META(balanced_allocation_args),
    KS_FIELD("resources", LIST, balanced_allocation_args, resources, &resource_spec_schema),
};
static const ks_schema balanced_allocation_schema =
    KS_SCHEMA_STRICT(balanced_allocation_args, balanced_allocation_fields);

typedef struct volume_binding_args {
    ks_args_meta meta;
    int64_t bind_timeout_seconds;
    KS_LIST(shape_point) shape;
} volume_binding_args;
static const ks_field volume_binding_fields[] = {
    META(volume_binding_args),
    KS_FIELD("bindTimeoutSeconds", I64, volume_binding_args, bind_timeout_seconds, NULL),
    KS_FIELD("shape", LIST, volume_binding_args, shape, &shape_point_schema),
};
static const ks_schema volume_binding_schema = KS_SCHEMA_STRICT(volume_binding_args, volume_binding_fields);

typedef struct node_affinity_args {
    ks_args_meta meta;
    const ks_node_affinity *added_affinity;
} node_affinity_args;
static const ks_field node_affinity_fields[] = {
    KS_FIELD("addedAffinity", POINTER, node_affinity_args, added_affinity, &ks_node_affinity_schema),
    META(node_affinity_args),
};
static const ks_schema node_affinity_schema = KS_SCHEMA_STRICT(node_affinity_args, node_affinity_fields);

static const struct {
    const char *plugin;
    const ks_schema *schema;
} args_schemas[] = {
    {"DefaultPreemption", &preemption_schema},
    {"DynamicResources", &dynamic_resources_schema},
    {"InterPodAffinity", &pod_affinity_schema},
    {"NodeAffinity", &node_affinity_schema},
    {"NodeResourcesBalancedAllocation", &balanced_allocation_schema},
    {"NodeResourcesFit", &resources_fit_schema},
    {"PodTopologySpread", &spread_schema},
    {"VolumeBinding", &volume_binding_schema},
};

const ks_schema *ks_plugin_args_schema(ks_str plugin)
{
    for (size_t i = 0; i < sizeof args_schemas / sizeof *args_schemas; i++)
        if (ks_str_eq(plugin, ks_str_of(args_schemas[i].plugin)))
            return args_schemas[i].schema;
    return NULL;
}
