// SPDX-License-Identifier: Apache-2.0
#include "model/config_args.h"

#define META(struct_type)                                                                                    \
    KS_FIELD("apiVersion", STRING, struct_type, meta.api_version, NULL),                                     \
        KS_FIELD("kind", STRING, struct_type, meta.kind, NULL)

/* ---- PodTopologySpread ---- */

static const ks_field spread_fields[] = {
    META(ks_file_spread_args),
    KS_FIELD("defaultConstraints", LIST, ks_file_spread_args, spread.default_constraints,
             &ks_topology_spread_constraint_schema),
    KS_FIELD("defaultingType", STRING, ks_file_spread_args, spread.defaulting_type, NULL),
};
static const ks_schema spread_schema = KS_SCHEMA_STRICT(ks_file_spread_args, spread_fields);

static void set_spread_defaults(void *args)
{
    ks_file_spread_args *spread = args;
    if (spread->spread.defaulting_type.len == 0)
        spread->spread.defaulting_type = KS_STR("System");
}

static void put_spread(ks_profile *out, const void *args)
{
    out->spread = ((const ks_file_spread_args *)args)->spread;
}

/* ---- DefaultPreemption ---- */

static const ks_field preemption_fields[] = {
    META(ks_file_preemption_args),
    KS_FIELD("minCandidateNodesAbsolute", OPT_I32, ks_file_preemption_args, min_candidate_nodes_absolute,
             NULL),
    KS_FIELD("minCandidateNodesPercentage", OPT_I32, ks_file_preemption_args, min_candidate_nodes_percentage,
             NULL),
};
static const ks_schema preemption_schema = KS_SCHEMA_STRICT(ks_file_preemption_args, preemption_fields);

static void set_default(ks_opt_i32 *number, int32_t value)
{
    if (!number->set)
        *number = (ks_opt_i32){true, value};
}

static void set_preemption_defaults(void *args)
{
    ks_file_preemption_args *preemption = args;
    set_default(&preemption->min_candidate_nodes_percentage, 10);
    set_default(&preemption->min_candidate_nodes_absolute, 100);
}

static void put_preemption(ks_profile *out, const void *args)
{
    const ks_file_preemption_args *preemption = args;
    out->preemption.min_candidate_nodes_percentage = preemption->min_candidate_nodes_percentage.value;
    out->preemption.min_candidate_nodes_absolute = preemption->min_candidate_nodes_absolute.value;
}

/* ---- InterPodAffinity ---- */

static const ks_field pod_affinity_fields[] = {
    META(ks_file_pod_affinity_args),
    KS_FIELD("hardPodAffinityWeight", OPT_I32, ks_file_pod_affinity_args, hard_pod_affinity_weight, NULL),
    KS_FIELD("ignorePreferredTermsOfExistingPods", BOOL, ks_file_pod_affinity_args,
             ignore_preferred_terms_of_existing_pods, NULL),
};
static const ks_schema pod_affinity_schema = KS_SCHEMA_STRICT(ks_file_pod_affinity_args, pod_affinity_fields);

static void set_pod_affinity_defaults(void *args)
{
    set_default(&((ks_file_pod_affinity_args *)args)->hard_pod_affinity_weight, 1);
}

static void put_pod_affinity(ks_profile *out, const void *args)
{
    const ks_file_pod_affinity_args *affinity = args;
    out->inter_pod_affinity.hard_pod_affinity_weight = affinity->hard_pod_affinity_weight.value;
    out->inter_pod_affinity.ignore_preferred_terms_of_existing_pods =
        affinity->ignore_preferred_terms_of_existing_pods;
}

/* ---- NodeAffinity ---- */

static const ks_field node_affinity_fields[] = {
    KS_FIELD("addedAffinity", POINTER, ks_file_node_affinity_args, args.added_affinity,
             &ks_node_affinity_schema),
    META(ks_file_node_affinity_args),
};
static const ks_schema node_affinity_schema =
    KS_SCHEMA_STRICT(ks_file_node_affinity_args, node_affinity_fields);

static void put_node_affinity(ks_profile *out, const void *args)
{
    out->node_affinity = ((const ks_file_node_affinity_args *)args)->args;
}

/* ---- NodeResourcesFit and NodeResourcesBalancedAllocation ---- */

static const ks_field shape_point_fields[] = {
    KS_FIELD("score", I32, ks_shape_point, score, NULL),
    KS_FIELD("utilization", I32, ks_shape_point, utilization, NULL),
};
const ks_schema ks_shape_point_schema = KS_SCHEMA(ks_shape_point, shape_point_fields);

static const ks_field resource_weight_fields[] = {
    KS_FIELD("name", STRING, ks_resource_weight, name, NULL),
    KS_FIELD("weight", I64, ks_resource_weight, weight, NULL),
};
const ks_schema ks_resource_weight_schema = KS_SCHEMA(ks_resource_weight, resource_weight_fields);

static const ks_field capacity_ratio_fields[] = {
    KS_FIELD("shape", LIST, ks_file_capacity_ratio, shape, &ks_shape_point_schema),
};
static const ks_schema capacity_ratio_schema = KS_SCHEMA(ks_file_capacity_ratio, capacity_ratio_fields);

static const ks_field scoring_strategy_fields[] = {
    KS_FIELD("requestedToCapacityRatio", POINTER, ks_file_scoring_strategy, requested_to_capacity_ratio,
             &capacity_ratio_schema),
    KS_FIELD("resources", LIST, ks_file_scoring_strategy, resources, &ks_resource_weight_schema),
    KS_FIELD("type", STRING, ks_file_scoring_strategy, type, NULL),
};
static const ks_schema scoring_strategy_schema = KS_SCHEMA(ks_file_scoring_strategy, scoring_strategy_fields);

static const ks_field fit_fields[] = {
    META(ks_file_fit_args),
    KS_FIELD("ignoredResourceGroups", STRINGS, ks_file_fit_args, ignored_resource_groups, NULL),
    KS_FIELD("ignoredResources", STRINGS, ks_file_fit_args, ignored_resources, NULL),
    KS_FIELD("scoringStrategy", POINTER, ks_file_fit_args, scoring_strategy, &scoring_strategy_schema),
};
static const ks_schema fit_schema = KS_SCHEMA_STRICT(ks_file_fit_args, fit_fields);

static const ks_field balanced_fields[] = {
    META(ks_file_balanced_args),
    KS_FIELD("resources", LIST, ks_file_balanced_args, resources, &ks_resource_weight_schema),
};
static const ks_schema balanced_schema = KS_SCHEMA_STRICT(ks_file_balanced_args, balanced_fields);

static void set_default_weights(const ks_resource_weights *resources)
{
    for (size_t i = 0; i < resources->count; i++)
        if (resources->items[i].weight == 0)
            resources->items[i].weight = 1;
}

static void set_fit_defaults(void *args)
{
    const ks_file_fit_args *fit = args;
    if (fit->scoring_strategy)
        set_default_weights(&fit->scoring_strategy->resources);
}

static void put_fit(ks_profile *out, const void *args)
{
    const ks_file_fit_args *fit = args;
    const ks_file_scoring_strategy *strategy = fit->scoring_strategy;
    out->fit.ignored_resources = fit->ignored_resources;
    out->fit.ignored_resource_groups = fit->ignored_resource_groups;
    if (!strategy)
        return;
    out->fit.strategy_type = strategy->type;
    out->fit.resources = strategy->resources;
    if (strategy->requested_to_capacity_ratio) {
        out->fit.shape.items = strategy->requested_to_capacity_ratio->shape.items;
        out->fit.shape.count = strategy->requested_to_capacity_ratio->shape.count;
    }
}

static void set_balanced_defaults(void *args)
{
    set_default_weights(&((const ks_file_balanced_args *)args)->resources);
}

static void put_balanced(ks_profile *out, const void *args)
{
    out->balanced.resources = ((const ks_file_balanced_args *)args)->resources;
}

/* ---- plugins whose args change nothing here ---- */

static const ks_field dynamic_resources_fields[] = {
    META(ks_file_dynamic_resources_args),
    KS_FIELD("bindingTimeout", STRING, ks_file_dynamic_resources_args, binding_timeout, NULL),
    KS_FIELD("filterTimeout", STRING, ks_file_dynamic_resources_args, filter_timeout, NULL),
};
static const ks_schema dynamic_resources_schema =
    KS_SCHEMA_STRICT(ks_file_dynamic_resources_args, dynamic_resources_fields);

static const ks_field volume_binding_fields[] = {
    META(ks_file_volume_binding_args),
    KS_FIELD("bindTimeoutSeconds", I64, ks_file_volume_binding_args, bind_timeout_seconds, NULL),
    KS_FIELD("shape", LIST, ks_file_volume_binding_args, shape, &ks_shape_point_schema),
};
static const ks_schema volume_binding_schema =
    KS_SCHEMA_STRICT(ks_file_volume_binding_args, volume_binding_fields);

/* ---- all ---- */

static const ks_args_kind kinds[] = {
    {"DefaultPreemption", &preemption_schema, set_preemption_defaults, ks_preemption_args_check,
     put_preemption},
    {"DynamicResources", &dynamic_resources_schema, NULL, NULL, NULL},
    {"InterPodAffinity", &pod_affinity_schema, set_pod_affinity_defaults, ks_pod_affinity_args_check,
     put_pod_affinity},
    {"NodeAffinity", &node_affinity_schema, NULL, ks_node_affinity_args_check, put_node_affinity},
    {"NodeResourcesBalancedAllocation", &balanced_schema, set_balanced_defaults, ks_balanced_args_check,
     put_balanced},
    {"NodeResourcesFit", &fit_schema, set_fit_defaults, NULL, put_fit},
    {"PodTopologySpread", &spread_schema, set_spread_defaults, ks_spread_args_check, put_spread},
    {"VolumeBinding", &volume_binding_schema, NULL, ks_volume_binding_args_check, NULL},
};

const ks_args_kind *ks_args_kind_find(ks_str plugin)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ks_str_eq(plugin, ks_str_of(kinds[i].plugin)))
            return &kinds[i];
    return NULL;
}
