// SPDX-License-Identifier: Apache-2.0
/* Node events. */
#include "engine/affinity.h"
#include "engine/engine.h"
#include "engine/host_port.h"
#include "engine/image.h"
#include "engine/rating.h"
#include "model/schema.h"

static bool has_name(const ks_row *row, const void *name)
{
    return ks_str_eq(((const ks_node_row *)row)->name, *(const ks_str *)name);
}

static ks_node_row *find_node(const ks_cluster *cluster, ks_str name)
{
    return (ks_node_row *)ks_table_find(&cluster->nodes, ks_str_hash(name), has_name, &name);
}

const ks_node_row *ks_node_find(const ks_cluster *cluster, ks_str name)
{
    const ks_node_row *row = find_node(cluster, name);
    return row && row->present ? row : NULL;
}

/* ---- room ---- */

static bool grow_columns(ks_cluster *cluster, uint32_t cap)
{
    ks_alloc *alloc = &cluster->counting;
    for (size_t i = 0; i < cluster->topologies.rows.count; i++) {
        ks_topology *topology = (ks_topology *)cluster->topologies.rows.items[i];
        if (topology && !ks_topology_resize(cluster, topology, cap))
            return false;
    }
    for (size_t i = 0; i < cluster->inclusions.rows.count; i++) {
        ks_inclusion *inclusion = (ks_inclusion *)cluster->inclusions.rows.items[i];
        if (inclusion && !ks_nodeset_resize(&inclusion->nodes, alloc, cap))
            return false;
    }
    for (size_t i = 0; i < cluster->matchers.rows.count; i++) {
        ks_matcher *matcher = (ks_matcher *)cluster->matchers.rows.items[i];
        if (matcher && !ks_column_resize(&matcher->on_node, alloc, &matcher->on_node_cap, cap))
            return false;
    }
    for (size_t i = 0; i < cluster->counters.rows.count; i++) {
        ks_counter *counter = (ks_counter *)cluster->counters.rows.items[i];
        if (counter && !ks_nodeset_resize(&counter->pass, alloc, cap))
            return false;
    }
    return ks_affinity_resize(cluster, cap) && ks_ratings_resize(cluster, cap) &&
           ks_host_ports_resize(cluster, cap) &&
           ks_nodeset_resize(&cluster->cordoned, &cluster->alloc, cap) && ks_ledger_resize(cluster, cap) &&
           ks_nodeset_resize(&cluster->present, &cluster->alloc, cap) &&
           ks_vec_reserve(&cluster->nodes_by_name, &cluster->alloc, cap);
}

/* Room for one more node everywhere. Capacity grows by doubling and in whole words of a node set. */
static bool reserve_node(ks_cluster *cluster)
{
    if (!ks_table_reserve(&cluster->nodes, &cluster->alloc))
        return false;
    if (ks_table_next_id(&cluster->nodes) < cluster->node_cap)
        return true;
    uint32_t cap = cluster->node_cap ? cluster->node_cap * 2 : 64;
    if (cap > UINT32_MAX / 4 || !grow_columns(cluster, cap))
        return false;
    cluster->node_cap = cap;
    return true;
}

/* ---- rows ---- */

static ks_node_row *make_row(ks_cluster *cluster, ks_str name)
{
    if (!reserve_node(cluster))
        return NULL;
    ks_node_row *row = ks_alloc_get_zeroed(&cluster->alloc, sizeof *row + name.len);
    if (!row)
        return NULL;
    ks_arena_init(&row->arena, &cluster->alloc);
    memcpy(row->name_text, name.data, name.len);
    row->name = (ks_str){row->name_text, name.len};
    ks_table_add(&cluster->nodes, &row->row, ks_str_hash(name));
    return row;
}

static void free_row(ks_cluster *cluster, ks_node_row *row)
{
    ks_arena_free(&row->arena);
    ks_alloc_free(&cluster->alloc, row, sizeof *row + row->name.len);
}

static void drop_row_if_unused(ks_cluster *cluster, ks_node_row *row)
{
    if (row->present || row->row.refs > 0)
        return;
    ks_table_remove(&cluster->nodes, &row->row);
    free_row(cluster, row);
}

ks_node_row *ks_node_get(ks_cluster *cluster, ks_str name)
{
    ks_node_row *row = find_node(cluster, name);
    if (!row)
        row = make_row(cluster, name);
    if (row)
        row->row.refs++;
    return row;
}

void ks_node_unref(ks_cluster *cluster, ks_node_row *row)
{
    if (!row)
        return;
    row->row.refs--;
    drop_row_if_unused(cluster, row);
}

void ks_nodes_free(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->nodes.rows.count; i++)
        if (cluster->nodes.rows.items[i])
            free_row(cluster, (ks_node_row *)cluster->nodes.rows.items[i]);
    ks_table_free(&cluster->nodes, &cluster->alloc);
    ks_nodeset_free(&cluster->present, &cluster->alloc);
    ks_nodeset_free(&cluster->cordoned, &cluster->alloc);
    ks_images_free(cluster);
    ks_vec_free(&cluster->nodes_by_name, &cluster->alloc);
}

/* ---- in and out of the counters ---- */

static void invalidate_passing(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->counters.rows.count; i++) {
        ks_counter *counter = (ks_counter *)cluster->counters.rows.items[i];
        if (counter)
            counter->pass_valid = false;
    }
}

static void each_counter_of(ks_cluster *cluster, uint32_t node, void (*visit)(ks_counter *, uint32_t))
{
    for (size_t i = 0; i < cluster->counters.rows.count; i++) {
        ks_counter *counter = (ks_counter *)cluster->counters.rows.items[i];
        if (counter && ks_nodeset_has(&counter->inclusion->nodes, node))
            visit(counter, node);
    }
}

static void update_inclusions(ks_cluster *cluster, const ks_node_row *row)
{
    for (size_t i = 0; i < cluster->inclusions.rows.count; i++) {
        ks_inclusion *inclusion = (ks_inclusion *)cluster->inclusions.rows.items[i];
        if (inclusion)
            ks_inclusion_update(inclusion, row);
    }
}

/* Takes the node out of the counters, makes it what it is now and puts it back where it belongs. */
static void move_node(ks_cluster *cluster, ks_node_row *row, const ks_node *now, bool present)
{
    uint32_t id = row->row.id;
    cluster->nodes_version++;
    invalidate_passing(cluster);
    each_counter_of(cluster, id, ks_counter_detach);
    ks_affinity_lift_node(cluster, row);
    row->node = *now;
    row->present = present;
    if (present)
        ks_nodeset_add(&cluster->present, id);
    else
        ks_nodeset_del(&cluster->present, id);
    for (size_t i = 0; i < cluster->topologies.rows.count; i++) {
        ks_topology *topology = (ks_topology *)cluster->topologies.rows.items[i];
        if (topology)
            ks_topology_place(cluster, topology, id, &now->metadata.labels);
    }
    update_inclusions(cluster, row);
    ks_ratings_update(cluster, row);
    each_counter_of(cluster, id, ks_counter_attach);
    ks_affinity_put_node(cluster, row);
}

static void forget_labels(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->topologies.rows.count; i++) {
        ks_topology *topology = (ks_topology *)cluster->topologies.rows.items[i];
        if (topology)
            ks_topology_reap(cluster, topology);
    }
}

static bool reserve_labels(ks_cluster *cluster, const ks_labels *labels)
{
    for (size_t i = 0; i < cluster->topologies.rows.count; i++) {
        ks_topology *topology = (ks_topology *)cluster->topologies.rows.items[i];
        if (topology && !ks_topology_reserve(cluster, topology, labels)) {
            forget_labels(cluster);
            return false;
        }
    }
    return true;
}

/* ---- the order of names ---- */

/* Where the name stands, or would. */
static size_t place_of(const ks_cluster *cluster, ks_str name)
{
    size_t low = 0, high = cluster->nodes_by_name.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const ks_node_row *row =
            (const ks_node_row *)cluster->nodes.rows.items[cluster->nodes_by_name.items[middle]];
        if (ks_str_cmp(row->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void enlist(ks_cluster *cluster, const ks_node_row *row)
{
    size_t place = place_of(cluster, row->name);
    uint32_t *at = cluster->nodes_by_name.items + place;
    memmove(at + 1, at, (cluster->nodes_by_name.count - place) * sizeof *at);
    *at = row->row.id;
    cluster->nodes_by_name.count++;
    cluster->images_version++;
}

static void strike_off(ks_cluster *cluster, const ks_node_row *row)
{
    size_t place = place_of(cluster, row->name);
    uint32_t *at = cluster->nodes_by_name.items + place;
    cluster->nodes_by_name.count--;
    cluster->images_version++;
    memmove(at, at + 1, (cluster->nodes_by_name.count - place) * sizeof *at);
}

/* ---- events ---- */

/* What changes without a node's changing its place in the counters: cordons, images. */
static void note_state(ks_cluster *cluster, const ks_node_row *row, const ks_node *now)
{
    if (now->spec.unschedulable)
        ks_nodeset_add(&cluster->cordoned, row->row.id);
    else
        ks_nodeset_del(&cluster->cordoned, row->row.id);
    ks_images_move(cluster, row->row.id, &row->node, now);
}

static bool counts_the_same(const ks_node_row *row, const ks_node *node)
{
    return row->present && ks_labels_equal(&row->node.metadata.labels, &node->metadata.labels) &&
           ks_schema_equal_list(&ks_taint_schema, &row->node.spec.taints, &node->spec.taints);
}

int ks_node_apply(ks_cluster *cluster, const ks_node *node, ks_error *err)
{
    if (node->metadata.name.len == 0)
        return ks_fail(err, KS_EINVAL, "metadata.name: \"\": a node must have a name");
    ks_node_row *row = find_node(cluster, node->metadata.name);
    if (!row && !(row = make_row(cluster, node->metadata.name)))
        return ks_fail_nomem(err);
    ks_arena arena;
    ks_arena_init(&arena, &cluster->alloc);
    ks_node copy;
    if (!ks_schema_copy(&ks_node_schema, &copy, node, &arena) ||
        !reserve_labels(cluster, &node->metadata.labels) || !ks_images_reserve(cluster, node)) {
        ks_images_settle(cluster, node);
        ks_arena_free(&arena);
        drop_row_if_unused(cluster, row);
        return ks_fail_nomem(err);
    }
    bool known = row->present;
    note_state(cluster, row, &copy);
    if (counts_the_same(row, node))
        row->node = copy;
    else
        move_node(cluster, row, &copy, true);
    ks_ledger_set_node(cluster, row->row.id, &copy);
    ks_arena_free(&row->arena);
    row->arena = arena;
    if (!known)
        enlist(cluster, row);
    return KS_OK;
}

int ks_node_delete(ks_cluster *cluster, ks_str name, ks_error *err)
{
    ks_node_row *row = find_node(cluster, name);
    if (!row || !row->present)
        return ks_fail(err, KS_ENOTFOUND, "node \"%.*s\" not found", KS_STR_ARG(name));
    strike_off(cluster, row);
    note_state(cluster, row, &(ks_node){0});
    move_node(cluster, row, &(ks_node){0}, false);
    ks_ledger_set_node(cluster, row->row.id, &(ks_node){0});
    ks_arena_free(&row->arena);
    drop_row_if_unused(cluster, row);
    return KS_OK;
}
