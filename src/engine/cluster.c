// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"
#include "engine/plan_cache.h"
#include "engine/plugin.h"
#include "engine/zone.h"
#include "model/profile.h"

enum { COUNTER_BYTES_DEFAULT = 256 << 20 };

static int set_profile(ks_cluster *cluster, const ks_profile *profile, ks_error *err)
{
    if (profile)
        return ks_profile_copy(&cluster->profile, profile, &cluster->arena) ? KS_OK : ks_fail_nomem(err);
    ks_config *config;
    int code = ks_config_default(&config, &cluster->alloc.allocator, err);
    if (code != KS_OK)
        return code;
    if (!ks_profile_copy(&cluster->profile, &config->profiles.items[0], &cluster->arena))
        code = ks_fail_nomem(err);
    ks_config_free(config);
    return code;
}

int ks_cluster_new(ks_cluster **out, const ks_cluster_options *options, ks_error *err)
{
    static const ks_cluster_options defaults = {.gates = KS_GATES_DEFAULT};
    if (!options)
        options = &defaults;
    ks_alloc alloc;
    ks_alloc_init(&alloc, options->allocator);
    ks_cluster *cluster = ks_alloc_get_zeroed(&alloc, sizeof *cluster);
    if (!cluster)
        return ks_fail_nomem(err);
    cluster->alloc = alloc;
    ks_alloc_init(&cluster->counting, options->allocator);
    ks_arena_init(&cluster->arena, &cluster->alloc);
    cluster->gates = options->gates;
    cluster->priority_version = 1;
    cluster->priority_floor = INT32_MAX;
    cluster->counter_bytes_max =
        options->counter_bytes_max ? options->counter_bytes_max : COUNTER_BYTES_DEFAULT;
    int code = set_profile(cluster, options->profile, err);
    if (code != KS_OK) {
        ks_cluster_free(cluster);
        return code;
    }
    *out = cluster;
    return KS_OK;
}

void ks_cluster_free(ks_cluster *cluster)
{
    if (!cluster)
        return;
    ks_plan_cache_free(cluster);
    ks_pods_free(cluster);
    ks_stored_free(cluster);
    ks_zones_free(cluster);
    ks_nodes_free(cluster);
    ks_ledger_free(cluster);
    ks_affinity_free(cluster);
    ks_table *own[] = {&cluster->spaces, &cluster->classes, &cluster->specs, &cluster->host_ports};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        ks_table_free(own[i], &cluster->alloc);
    ks_table *counting[] = {&cluster->topologies, &cluster->inclusions, &cluster->matchers,
                            &cluster->counters, &cluster->ratings};
    for (size_t i = 0; i < sizeof counting / sizeof *counting; i++)
        ks_table_free(counting[i], &cluster->counting);
    ks_arena_free(&cluster->arena);
    ks_alloc alloc = cluster->alloc;
    ks_alloc_free(&alloc, cluster, sizeof *cluster);
}

int ks_cluster_apply(ks_cluster *cluster, const ks_object *object, ks_error *err)
{
    switch (object->kind) {
    case KS_POD:
        return ks_pod_apply(cluster, &object->pod, err);
    case KS_NODE:
        return ks_node_apply(cluster, &object->node, err);
    case KS_NAMESPACE:
    case KS_SERVICE:
    case KS_REPLICATION_CONTROLLER:
    case KS_REPLICA_SET:
    case KS_STATEFUL_SET:
    case KS_PRIORITY_CLASS:
    case KS_POD_DISRUPTION_BUDGET:
    case KS_PERSISTENT_VOLUME:
    case KS_PERSISTENT_VOLUME_CLAIM:
    case KS_STORAGE_CLASS:
        return ks_stored_apply(cluster, object, err);
    default:
        return KS_OK;
    }
}

int ks_cluster_delete(ks_cluster *cluster, ks_kind kind, ks_str namespace_, ks_str name, ks_error *err)
{
    switch (kind) {
    case KS_POD:
        return ks_pod_delete(cluster, namespace_, name, err);
    case KS_NODE:
        return ks_node_delete(cluster, name, err);
    default:
        return ks_stored_delete(cluster, kind, namespace_, name, err);
    }
}

ks_cluster_stats ks_cluster_get_stats(const ks_cluster *cluster)
{
    return (ks_cluster_stats){
        .nodes = cluster->nodes_by_name.count,
        .pods = ks_table_count(&cluster->pods),
        .pods_pending = cluster->pods_pending,
        .pod_classes = ks_table_count(&cluster->classes),
        .pod_specs = ks_table_count(&cluster->specs),
        .counters = ks_table_count(&cluster->counters),
        .counter_bytes = cluster->counting.bytes,
        .bytes = cluster->alloc.bytes + cluster->counting.bytes,
    };
}

int ks_cluster_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                    const ks_object *after, ks_error *err)
{
    if (!before && !after)
        return ks_fail(err, KS_EINVAL, "an event needs an object before it, after it, or both");
    if (before && after && before->kind != after->kind)
        return ks_fail(err, KS_EINVAL, "%s became %s: an event is about one kind", ks_kind_name(before->kind),
                       ks_kind_name(after->kind));
    *out = KS_HINT_SKIP;
    for (size_t i = 0; i < cluster->profile.plugins.count; i++) {
        const ks_plugin *plugin = ks_plugin_find(cluster->profile.plugins.items[i].name);
        if (!plugin || !cluster->profile.plugins.items[i].filters)
            continue;
        int code = plugin->hint(out, cluster, pending, before, after, err);
        if (code != KS_OK || *out == KS_HINT_QUEUE)
            return code;
    }
    return KS_OK;
}
