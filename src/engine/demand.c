// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#define REFUSAL "Insufficient "

/* ---- scalars ---- */

ks_str ks_scalar_refusal(const ks_scalar *scalar)
{
    return (ks_str){scalar->refusal, sizeof REFUSAL - 1 + scalar->name_len};
}

ks_str ks_scalar_name(const ks_scalar *scalar)
{
    return (ks_str){scalar->refusal + sizeof REFUSAL - 1, scalar->name_len};
}

static bool has_name(const ks_row *row, const void *name)
{
    return ks_str_eq(ks_scalar_name((const ks_scalar *)row), *(const ks_str *)name);
}

static size_t scalar_size(const ks_scalar *scalar)
{
    return sizeof *scalar + sizeof REFUSAL - 1 + scalar->name_len;
}

static void free_scalar(ks_cluster *cluster, ks_scalar *scalar)
{
    ks_alloc_free(&cluster->alloc, scalar->usage, scalar->usage_cap * sizeof *scalar->usage);
    ks_alloc_free(&cluster->alloc, scalar, scalar_size(scalar));
}

static bool make_column(ks_cluster *cluster, ks_scalar *scalar)
{
    if (cluster->node_cap == 0)
        return true;
    scalar->usage = ks_alloc_get_zeroed(&cluster->alloc, cluster->node_cap * sizeof *scalar->usage);
    if (!scalar->usage)
        return false;
    scalar->usage_cap = cluster->node_cap;
    for (size_t i = 0; i < cluster->nodes_by_name.count; i++) {
        uint32_t id = cluster->nodes_by_name.items[i];
        const ks_node_row *row = (const ks_node_row *)cluster->nodes.rows.items[id];
        scalar->usage[id].allocatable =
            ks_resources_amount(&row->node.status.allocatable, ks_scalar_name(scalar));
    }
    return true;
}

static ks_scalar *make_scalar(ks_cluster *cluster, ks_str name)
{
    if (!ks_table_reserve(&cluster->ledger.scalars, &cluster->alloc))
        return NULL;
    size_t refusal_len = sizeof REFUSAL - 1;
    ks_scalar *scalar = ks_alloc_get_zeroed(&cluster->alloc, sizeof *scalar + refusal_len + name.len);
    if (!scalar)
        return NULL;
    scalar->name_len = name.len;
    scalar->extended = ks_resource_is_extended(name);
    memcpy(scalar->refusal, REFUSAL, refusal_len);
    memcpy(scalar->refusal + refusal_len, name.data, name.len);
    if (!make_column(cluster, scalar)) {
        free_scalar(cluster, scalar);
        return NULL;
    }
    ks_table_add(&cluster->ledger.scalars, &scalar->row, ks_str_hash(name));
    return scalar;
}

static ks_scalar *get_scalar(ks_cluster *cluster, ks_str name)
{
    ks_scalar *scalar =
        (ks_scalar *)ks_table_find(&cluster->ledger.scalars, ks_str_hash(name), has_name, &name);
    if (!scalar)
        scalar = make_scalar(cluster, name);
    if (scalar)
        scalar->row.refs++;
    return scalar;
}

static void unref_scalar(ks_cluster *cluster, ks_scalar *scalar)
{
    if (--scalar->row.refs > 0)
        return;
    ks_table_remove(&cluster->ledger.scalars, &scalar->row);
    free_scalar(cluster, scalar);
}

/* ---- demands ---- */

static const ks_request_rule as_asked = {0};
static const ks_request_rule as_scored = {.skips_pod_level = true, .fills_missing = true};

static size_t demand_size(const ks_demand *demand)
{
    return sizeof *demand + demand->scalars_count * sizeof *demand->scalars;
}

static void free_demand(ks_cluster *cluster, ks_demand *demand)
{
    for (size_t i = 0; i < demand->scalars_count; i++)
        if (demand->scalars[i].scalar)
            unref_scalar(cluster, demand->scalars[i].scalar);
    ks_alloc_free(&cluster->alloc, demand, demand_size(demand));
}

/* With pod-level requests only what neither the pod nor any container asks for is filled in. */
static int64_t nonzero_amount(const ks_pod_spec *spec, ks_str name)
{
    bool missing = !ks_request_is_pod_level(spec) || !ks_request_of(spec, name, as_asked).set;
    ks_request_rule rule = {.fills_missing = missing};
    return ks_request_amount(ks_request_of(spec, name, rule), name);
}

static void fill_base(ks_demand *demand, const ks_pod_spec *spec)
{
    for (int base = KS_CPU; base < KS_BASE_RESOURCES; base++) {
        ks_str name = ks_base_resource_name(base);
        demand->asked.of[base] = ks_request_amount(ks_request_of(spec, name, as_asked), name);
        demand->scored.of[base] = ks_request_amount(ks_request_of(spec, name, as_scored), name);
        demand->nonzero.of[base] = nonzero_amount(spec, name);
    }
    demand->asked.of[KS_PODS] = demand->nonzero.of[KS_PODS] = 1;
}

/* The next resource that the spec asks some of and that is counted apart; an absent name behind the last. */
static ks_str next_scalar(ks_scalar_demand *out, const ks_pod_spec *spec, ks_str after)
{
    for (ks_str name = ks_request_next_name(spec, after); name.data;
         name = ks_request_next_name(spec, name)) {
        *out = (ks_scalar_demand){
            .asked = ks_request_amount(ks_request_of(spec, name, as_asked), name),
            .scored = ks_request_amount(ks_request_of(spec, name, as_scored), name),
        };
        if ((out->asked != 0 || out->scored != 0) && ks_resource_is_scalar(name))
            return name;
    }
    return (ks_str){0};
}

static size_t count_scalars(const ks_pod_spec *spec)
{
    size_t count = 0;
    ks_scalar_demand unused;
    for (ks_str name = next_scalar(&unused, spec, (ks_str){0}); name.data;
         name = next_scalar(&unused, spec, name))
        count++;
    return count;
}

static bool fill_scalars(ks_cluster *cluster, ks_demand *demand, const ks_pod_spec *spec)
{
    ks_str name = {0};
    for (size_t i = 0; i < demand->scalars_count; i++) {
        name = next_scalar(&demand->scalars[i], spec, name);
        demand->scalars[i].scalar = get_scalar(cluster, name);
        if (!demand->scalars[i].scalar)
            return false;
    }
    return true;
}

/* Not in the table yet: it may turn out that another spec asks for the same. */
static ks_demand *work_out(ks_cluster *cluster, const ks_pod_spec *spec)
{
    size_t scalars = count_scalars(spec);
    ks_demand *demand =
        ks_alloc_get_zeroed(&cluster->alloc, sizeof *demand + scalars * sizeof *demand->scalars);
    if (!demand)
        return NULL;
    demand->scalars_count = scalars;
    fill_base(demand, spec);
    if (!fill_scalars(cluster, demand, spec)) {
        free_demand(cluster, demand);
        return NULL;
    }
    return demand;
}

static size_t scalars_size(const ks_demand *demand)
{
    return demand->scalars_count * sizeof *demand->scalars;
}

static bool asks_the_same(const ks_row *row, const void *wanted)
{
    const ks_demand *a = (const ks_demand *)row, *b = wanted;
    return memcmp(&a->asked, &b->asked, sizeof a->asked) == 0 &&
           memcmp(&a->nonzero, &b->nonzero, sizeof a->nonzero) == 0 &&
           memcmp(&a->scored, &b->scored, sizeof a->scored) == 0 && a->scalars_count == b->scalars_count &&
           memcmp(a->scalars, b->scalars, scalars_size(a)) == 0;
}

static uint64_t hash_demand(const ks_demand *demand)
{
    uint64_t hash = ks_hash_bytes(&demand->asked, sizeof demand->asked, 0);
    hash = ks_hash_bytes(&demand->nonzero, sizeof demand->nonzero, hash);
    hash = ks_hash_bytes(&demand->scored, sizeof demand->scored, hash);
    return ks_hash_bytes(demand->scalars, scalars_size(demand), hash);
}

ks_demand *ks_demand_get(ks_cluster *cluster, const ks_pod_spec *spec)
{
    ks_table *demands = &cluster->ledger.demands;
    ks_demand *made = work_out(cluster, spec);
    if (!made)
        return NULL;
    uint64_t hash = hash_demand(made);
    ks_demand *demand = (ks_demand *)ks_table_find(demands, hash, asks_the_same, made);
    if (demand || !ks_table_reserve(demands, &cluster->alloc)) {
        free_demand(cluster, made);
    } else {
        ks_table_add(demands, &made->row, hash);
        demand = made;
    }
    if (demand)
        demand->row.refs++;
    return demand;
}

void ks_demand_unref(ks_cluster *cluster, ks_demand *demand)
{
    if (!demand || --demand->row.refs > 0)
        return;
    ks_table_remove(&cluster->ledger.demands, &demand->row);
    free_demand(cluster, demand);
}
