// SPDX-License-Identifier: Apache-2.0
/* A profile of the configuration as a whole: how it comes from a file's, and how it is copied. */
#include "model/profile.h"
#include "model/config_file.h"

static int32_t percentage_of(const ks_config_file *file, const ks_file_profile *from)
{
    return from->percentage_of_nodes_to_score.set ? from->percentage_of_nodes_to_score.value
                                                  : file->percentage_of_nodes_to_score.value;
}

ks_profile ks_profile_draft(const ks_config_file *file, const ks_file_profile *from)
{
    ks_profile draft = {
        .scheduler_name = from->scheduler_name,
        .spread.defaulting_type = KS_STR("System"),
        .inter_pod_affinity.hard_pod_affinity_weight = 1,
        .preemption = {.min_candidate_nodes_percentage = 10, .min_candidate_nodes_absolute = 100},
        .percentage_of_nodes_to_score = percentage_of(file, from),
    };
    for (size_t i = 0; i < from->plugin_config.count; i++) {
        const ks_file_plugin_config *config = &from->plugin_config.items[i];
        if (config->decoded && config->kind->put)
            config->kind->put(&draft, config->decoded);
    }
    return draft;
}

/* ---- copying ---- */

static const ks_field plugin_use_fields[] = {
    KS_FIELD("name", STRING, ks_plugin_use, name, NULL),
};
static const ks_schema plugin_use_schema = KS_SCHEMA(ks_plugin_use, plugin_use_fields);

/* Only what points somewhere: the rest is copied with the struct. */
static const ks_field profile_fields[] = {
    KS_FIELD("addedAffinity", POINTER, ks_profile, node_affinity.added_affinity, &ks_node_affinity_schema),
    KS_FIELD("balancedResources", LIST, ks_profile, balanced.resources, &ks_resource_weight_schema),
    KS_FIELD("defaultConstraints", LIST, ks_profile, spread.default_constraints,
             &ks_topology_spread_constraint_schema),
    KS_FIELD("defaultingType", STRING, ks_profile, spread.defaulting_type, NULL),
    KS_FIELD("ignoredResourceGroups", STRINGS, ks_profile, fit.ignored_resource_groups, NULL),
    KS_FIELD("ignoredResources", STRINGS, ks_profile, fit.ignored_resources, NULL),
    KS_FIELD("plugins", LIST, ks_profile, plugins, &plugin_use_schema),
    KS_FIELD("resources", LIST, ks_profile, fit.resources, &ks_resource_weight_schema),
    KS_FIELD("schedulerName", STRING, ks_profile, scheduler_name, NULL),
    KS_FIELD("shape", LIST, ks_profile, fit.shape, &ks_shape_point_schema),
    KS_FIELD("type", STRING, ks_profile, fit.strategy_type, NULL),
};
static const ks_schema profile_schema = KS_SCHEMA(ks_profile, profile_fields);

bool ks_profile_copy(ks_profile *to, const ks_profile *from, ks_arena *arena)
{
    return ks_schema_copy(&profile_schema, to, from, arena);
}
