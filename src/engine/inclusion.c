// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "model/schema.h"

ks_exclusion ks_inclusion_judge(const ks_inclusion *inclusion, const ks_node_row *node, ks_str *detail)
{
    const ks_labels *labels = &node->node.metadata.labels;
    for (size_t i = 0; i < inclusion->keys_count; i++) {
        *detail = ks_topology_key(inclusion->keys[i]);
        if (!ks_labels_get(labels, *detail).data)
            return KS_EXCLUDED_KEY;
    }
    *detail = (ks_str){0};
    if (inclusion->honors_affinity && !ks_required_affinity_matches(&inclusion->affinity, node->name, labels))
        return KS_EXCLUDED_AFFINITY;
    if (!inclusion->honors_taints)
        return KS_COUNTED;
    const ks_taint *taint = ks_untolerated_taint(&node->node.spec.taints, &inclusion->tolerations);
    if (!taint)
        return KS_COUNTED;
    *detail = taint->key;
    return KS_EXCLUDED_TAINT;
}

void ks_inclusion_update(ks_inclusion *inclusion, const ks_node_row *node)
{
    ks_str detail;
    if (node->present && ks_inclusion_judge(inclusion, node, &detail) == KS_COUNTED)
        ks_nodeset_add(&inclusion->nodes, node->row.id);
    else
        ks_nodeset_del(&inclusion->nodes, node->row.id);
}

static uint64_t hash_inclusion(const ks_inclusion *of)
{
    uint64_t hash = (uint64_t)of->honors_affinity << 1 | of->honors_taints;
    for (size_t i = 0; i < of->keys_count; i++)
        hash = ks_hash_bytes(&of->keys[i], sizeof of->keys[i], hash);
    if (of->honors_affinity) {
        hash = ks_labels_hash(&of->affinity.node_selector, hash);
        if (of->affinity.node_affinity)
            hash = ks_schema_hash(&ks_node_selector_schema, of->affinity.node_affinity, hash);
    }
    if (of->honors_taints)
        hash = ks_schema_hash_list(&ks_toleration_schema, &of->tolerations, hash);
    return hash;
}

static bool same_affinity(const ks_required_affinity *a, const ks_required_affinity *b)
{
    if (!a->node_affinity != !b->node_affinity)
        return false;
    if (a->node_affinity && !ks_schema_equal(&ks_node_selector_schema, a->node_affinity, b->node_affinity))
        return false;
    return ks_labels_equal(&a->node_selector, &b->node_selector);
}

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_inclusion *a = (const ks_inclusion *)row, *b = wanted;
    if (a->keys_count != b->keys_count || a->honors_affinity != b->honors_affinity ||
        a->honors_taints != b->honors_taints)
        return false;
    for (size_t i = 0; i < a->keys_count; i++)
        if (a->keys[i] != b->keys[i])
            return false;
    if (a->honors_affinity && !same_affinity(&a->affinity, &b->affinity))
        return false;
    return !a->honors_taints || ks_schema_equal_list(&ks_toleration_schema, &a->tolerations, &b->tolerations);
}

static void free_inclusion(ks_cluster *cluster, ks_inclusion *inclusion)
{
    for (size_t i = 0; i < inclusion->keys_count; i++)
        ks_topology_unref(cluster, inclusion->keys[i]);
    ks_nodeset_free(&inclusion->nodes, &cluster->counting);
    ks_arena_free(&inclusion->arena);
    ks_alloc_free(&cluster->counting, inclusion, sizeof *inclusion);
}

static bool copy_affinity(ks_required_affinity *to, const ks_required_affinity *from, ks_arena *arena)
{
    if (from->node_affinity) {
        ks_node_selector *copy = ks_arena_get(arena, sizeof *copy);
        if (!copy || !ks_schema_copy(&ks_node_selector_schema, copy, from->node_affinity, arena))
            return false;
        to->node_affinity = copy;
    }
    return ks_labels_copy(&to->node_selector, &from->node_selector, arena);
}

static bool fill_inclusion(ks_cluster *cluster, ks_inclusion *inclusion, const ks_inclusion *like)
{
    ks_arena *arena = &inclusion->arena;
    inclusion->honors_affinity = like->honors_affinity;
    inclusion->honors_taints = like->honors_taints;
    inclusion->keys = ks_arena_get(arena, like->keys_count * sizeof(ks_topology *));
    if (!inclusion->keys)
        return false;
    for (size_t i = 0; i < like->keys_count; i++) {
        inclusion->keys[inclusion->keys_count++] = like->keys[i];
        like->keys[i]->row.refs++;
    }
    if (like->honors_affinity && !copy_affinity(&inclusion->affinity, &like->affinity, arena))
        return false;
    if (like->honors_taints &&
        !ks_schema_copy_list(&ks_toleration_schema, &inclusion->tolerations, &like->tolerations, arena))
        return false;
    if (!ks_nodeset_resize(&inclusion->nodes, &cluster->counting, cluster->node_cap))
        return false;
    for (uint32_t i = ks_nodeset_next(&cluster->present, 0); i != KS_NODESET_END;
         i = ks_nodeset_next(&cluster->present, i + 1))
        ks_inclusion_update(inclusion, (const ks_node_row *)cluster->nodes.rows.items[i]);
    return true;
}

static ks_inclusion *make_inclusion(ks_cluster *cluster, const ks_inclusion *like, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->inclusions, &cluster->counting))
        return NULL;
    ks_inclusion *inclusion = ks_alloc_get_zeroed(&cluster->counting, sizeof *inclusion);
    if (!inclusion)
        return NULL;
    ks_arena_init(&inclusion->arena, &cluster->counting);
    if (!fill_inclusion(cluster, inclusion, like)) {
        free_inclusion(cluster, inclusion);
        return NULL;
    }
    ks_table_add(&cluster->inclusions, &inclusion->row, hash);
    return inclusion;
}

ks_inclusion *ks_inclusion_get(ks_cluster *cluster, const ks_inclusion *like)
{
    uint64_t hash = hash_inclusion(like);
    ks_inclusion *inclusion = (ks_inclusion *)ks_table_find(&cluster->inclusions, hash, is_like, like);
    if (!inclusion)
        inclusion = make_inclusion(cluster, like, hash);
    if (inclusion)
        inclusion->row.refs++;
    return inclusion;
}

void ks_inclusion_unref(ks_cluster *cluster, ks_inclusion *inclusion)
{
    if (!inclusion || --inclusion->row.refs > 0)
        return;
    ks_table_remove(&cluster->inclusions, &inclusion->row);
    free_inclusion(cluster, inclusion);
}
