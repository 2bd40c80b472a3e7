// SPDX-License-Identifier: Apache-2.0
#include "engine/host_port.h"
#include "model/schema.h"

static bool has_spec(const ks_row *row, const void *wanted)
{
    return ks_schema_equal(&ks_pod_spec_schema, &((const ks_spec *)row)->spec, wanted);
}

static ks_spec *make_spec(ks_cluster *cluster, const ks_pod_spec *from, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->specs, &cluster->alloc))
        return NULL;
    ks_spec *spec = ks_alloc_get_zeroed(&cluster->alloc, sizeof *spec);
    if (!spec)
        return NULL;
    ks_arena_init(&spec->arena, &cluster->alloc);
    spec->demand = ks_demand_get(cluster, from);
    if (!spec->demand || !ks_schema_copy(&ks_pod_spec_schema, &spec->spec, from, &spec->arena) ||
        !ks_spec_take_ports(cluster, spec)) {
        ks_spec_drop_ports(cluster, spec);
        ks_demand_unref(cluster, spec->demand);
        ks_arena_free(&spec->arena);
        ks_alloc_free(&cluster->alloc, spec, sizeof *spec);
        return NULL;
    }
    ks_table_add(&cluster->specs, &spec->row, hash);
    ks_spec_priority(cluster, spec);
    return spec;
}

ks_spec *ks_spec_get(ks_cluster *cluster, const ks_pod_spec *from)
{
    ks_pod_spec shared = *from;
    shared.node_name = (ks_str){0};
    uint64_t hash = ks_schema_hash(&ks_pod_spec_schema, &shared, 0);
    ks_spec *spec = (ks_spec *)ks_table_find(&cluster->specs, hash, has_spec, &shared);
    if (!spec)
        spec = make_spec(cluster, &shared, hash);
    if (spec)
        spec->row.refs++;
    return spec;
}

void ks_spec_unref(ks_cluster *cluster, ks_spec *spec)
{
    if (!spec || --spec->row.refs > 0)
        return;
    ks_table_remove(&cluster->specs, &spec->row);
    ks_spec_drop_ports(cluster, spec);
    ks_demand_unref(cluster, spec->demand);
    ks_arena_free(&spec->arena);
    ks_alloc_free(&cluster->alloc, spec, sizeof *spec);
}
