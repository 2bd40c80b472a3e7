// SPDX-License-Identifier: Apache-2.0
#include "sim/capacity.h"
#include "model/schema.h"
#include "sim/expand.h"
#include <assert.h>
#include <stdio.h>

enum { COPIES_MAX = 1000000 };

struct ks_capacity {
    ks_sim *sim;
    uint32_t owner; /* of the copies */
    size_t copies, limit;
    bool refused;
    ks_str message;
    size_t *on_node; /* by place in the order of names */
    size_t nodes;
    const ks_cycle *cycle;
};

/* ---- what to copy ---- */

static int find_stored(const ks_pod **out, ks_sim *sim, ks_str namespace_, ks_str name, ks_error *err)
{
    ks_pod view, *copy = ks_arena_get(&sim->arena, sizeof *copy);
    int code = ks_cluster_get_pod(&view, sim->cluster, namespace_, name, err);
    if (code != KS_OK)
        return code;
    if (!copy || !ks_schema_copy(&ks_pod_schema, copy, &view, &sim->arena))
        return ks_fail_nomem(err);
    *out = copy;
    return KS_OK;
}

int ks_sim_find_pod(const ks_pod **out, ks_sim *sim, ks_kind kind, ks_str namespace_, ks_str name,
                    ks_error *err)
{
    namespace_ = ks_namespace_or_default(namespace_);
    if (kind == KS_POD)
        return find_stored(out, sim, namespace_, name, err);
    for (size_t i = 0; i < sim->owners.count; i++) {
        const ks_owner *owner = sim->owners.items[i];
        if (owner->kind != kind || !ks_str_eq(owner->name, name) || !ks_str_eq(owner->namespace_, namespace_))
            continue;
        *out = &owner->pod;
        return KS_OK;
    }
    return ks_fail(err, KS_ENOTFOUND, "%s \"%.*s/%.*s\" not found", ks_kind_name(kind),
                   KS_STR_ARG(namespace_), KS_STR_ARG(name));
}

/* ---- copies ---- */

static int add_copies_owner(ks_capacity *capacity, const ks_pod *pod, ks_error *err)
{
    ks_sim *sim = capacity->sim;
    ks_str namespace_ = ks_namespace_or_default(pod->metadata.namespace_);
    ks_owner *owner = ks_owner_add(sim, KS_POD, namespace_, KS_STR("copy"));
    if (!owner || !ks_schema_copy(&ks_pod_schema, &owner->pod, pod, &owner->arena) ||
        !ks_sim_admit(sim, &owner->pod.spec, &owner->arena))
        return ks_fail_nomem(err);
    capacity->owner = (uint32_t)(sim->owners.count - 1);
    ks_object_meta *meta = &owner->pod.metadata;
    meta->namespace_ = owner->namespace_;
    meta->name = meta->uid = meta->deletion_timestamp = (ks_str){0};
    owner->pod.spec.node_name = (ks_str){0};
    owner->pod.spec.preemption_policy = KS_STR("Never");
    owner->pod.status.phase = owner->pod.status.nominated_node_name = (ks_str){0};
    return KS_OK;
}

/* The node's place in the order of names. */
static size_t place_of(const ks_sim *sim, const ks_node_row *node)
{
    size_t low = 0, high = sim->cluster->nodes_by_name.count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t id = sim->cluster->nodes_by_name.items[middle];
        const ks_node_row *row = (const ks_node_row *)sim->cluster->nodes.rows.items[id];
        if (ks_str_cmp(row->name, node->name) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int take_back(ks_capacity *capacity, const ks_pod *pod, ks_error *err)
{
    ks_sim *sim = capacity->sim;
    capacity->refused = true;
    capacity->message = ks_record_message(sim, pod->metadata.namespace_, pod->metadata.name);
    return ks_scheduler_delete(sim->scheduler, KS_POD, pod->metadata.namespace_, pod->metadata.name,
                               sim->now_ms, err);
}

static int place_copy(ks_capacity *capacity, ks_error *err)
{
    ks_sim *sim = capacity->sim;
    ks_pod pod = sim->owners.items[capacity->owner]->pod;
    char name[32];
    size_t number = capacity->copies;
    do
        pod.metadata.name = (ks_str){name, (size_t)snprintf(name, sizeof name, "copy-%zu", ++number)};
    while (ks_pod_find(sim->cluster, pod.metadata.namespace_, pod.metadata.name));
    int code = ks_owner_make(sim, capacity->owner, &pod, err);
    if (code == KS_OK)
        code = ks_sim_loop(sim, err);
    if (code != KS_OK)
        return code;
    const ks_pod_row *row = ks_pod_find(sim->cluster, pod.metadata.namespace_, pod.metadata.name);
    if (!row || !row->node)
        return take_back(capacity, &pod, err);
    capacity->on_node[place_of(sim, row->node)]++;
    capacity->copies++;
    return KS_OK;
}

static int place_copies(ks_capacity *capacity, const ks_pod *pod, ks_error *err)
{
    ks_sim *sim = capacity->sim;
    capacity->nodes = sim->cluster->nodes_by_name.count;
    capacity->on_node = ks_alloc_get_zeroed(&sim->alloc, capacity->nodes * sizeof *capacity->on_node);
    if (capacity->nodes && !capacity->on_node)
        return ks_fail_nomem(err);
    int code = add_copies_owner(capacity, pod, err);
    while (code == KS_OK && !capacity->refused && capacity->copies < capacity->limit)
        code = place_copy(capacity, err);
    return code == KS_OK ? ks_sim_look(&capacity->cycle, sim, capacity->owner, err) : code;
}

int ks_capacity_run(ks_capacity **out, ks_sim *sim, const ks_pod *pod, size_t limit, ks_error *err)
{
    if (!sim->scheduler)
        return ks_fail(err, KS_EINVAL, "the simulation has not run");
    ks_capacity *capacity = ks_alloc_get_zeroed(&sim->alloc, sizeof *capacity);
    if (!capacity)
        return ks_fail_nomem(err);
    capacity->sim = sim;
    capacity->limit = limit ? limit : COPIES_MAX;
    int code = place_copies(capacity, pod, err);
    if (code != KS_OK) {
        ks_capacity_free(capacity);
        return code;
    }
    *out = capacity;
    return KS_OK;
}

void ks_capacity_free(ks_capacity *capacity)
{
    if (!capacity)
        return;
    ks_alloc *alloc = &capacity->sim->alloc;
    ks_alloc_free(alloc, capacity->on_node, capacity->nodes * sizeof *capacity->on_node);
    ks_alloc_free(alloc, capacity, sizeof *capacity);
}

/* ---- what came of it ---- */

ks_capacity_summary ks_capacity_get_summary(const ks_capacity *capacity)
{
    return (ks_capacity_summary){
        .copies = capacity->copies,
        .limited = !capacity->refused,
        .nodes = capacity->nodes,
        .message = capacity->message,
    };
}

ks_capacity_node ks_capacity_get_node(const ks_capacity *capacity, size_t node)
{
    assert(node < capacity->nodes);
    const ks_cluster *cluster = capacity->sim->cluster;
    uint32_t id = cluster->nodes_by_name.items[node];
    return (ks_capacity_node){
        .name = ((const ks_node_row *)cluster->nodes.rows.items[id])->name,
        .copies = capacity->on_node[node],
    };
}

const ks_cycle *ks_capacity_get_cycle(const ks_capacity *capacity)
{
    return capacity->cycle;
}
