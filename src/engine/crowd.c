// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"

typedef struct crowd_key {
    const ks_affinity_term_list *terms;
    ks_str topology_key;
} crowd_key;

static bool has_key(const ks_row *row, const void *wanted)
{
    const ks_crowd *crowd = (const ks_crowd *)row;
    const crowd_key *key = wanted;
    if (crowd->terms.count != key->terms->count ||
        !ks_str_eq(ks_topology_key(crowd->tally.topology), key->topology_key))
        return false;
    for (size_t i = 0; i < crowd->terms.count; i++)
        if (!ks_affinity_term_equal(&crowd->terms.items[i], &key->terms->items[i]))
            return false;
    return true;
}

static uint64_t hash_key(const crowd_key *key)
{
    uint64_t hash = ks_str_hash(key->topology_key);
    for (size_t i = 0; i < key->terms->count; i++)
        hash = ks_affinity_term_hash(&key->terms->items[i], hash);
    return hash;
}

bool ks_crowd_matches(const ks_crowd *crowd, ks_str namespace_, const ks_labels *labels)
{
    for (size_t i = 0; i < crowd->terms.count; i++)
        if (!ks_affinity_term_matches_bare(&crowd->terms.items[i], namespace_, labels))
            return false;
    return true;
}

static bool matches_class(const ks_crowd *crowd, const ks_class *class_)
{
    return ks_crowd_matches(crowd, ks_space_name(class_->space), &class_->labels);
}

/* ---- classes ---- */

typedef struct search {
    ks_cluster *cluster;
    ks_class *class_;
} search;

static bool join_if_matching(void *ctx, void *item)
{
    const search *s = ctx;
    return !matches_class(item, s->class_) ||
           ks_vec_push(&s->class_->crowds, &s->cluster->alloc, (ks_crowd *)item);
}

bool ks_class_find_crowds(ks_cluster *cluster, ks_class *class_)
{
    search s = {cluster, class_};
    return ks_label_index_visit(&cluster->crowd_index, ks_space_name(class_->space), &class_->labels,
                                join_if_matching, &s);
}

typedef bool (*class_visitor)(ks_cluster *cluster, ks_crowd *crowd, ks_class *class_);

static bool visit_space(ks_cluster *cluster, ks_crowd *crowd, const ks_space *space, class_visitor visit)
{
    for (size_t i = 0; space && i < space->classes.count; i++)
        if (!visit(cluster, crowd, space->classes.items[i]))
            return false;
    return true;
}

/* The classes of all namespaces that the first term means. */
static bool visit_classes(ks_cluster *cluster, ks_crowd *crowd, class_visitor visit)
{
    const ks_affinity_term *term = &crowd->terms.items[0];
    if (term->namespace_selector.nothing) {
        for (size_t i = 0; i < term->namespaces.count; i++)
            if (!visit_space(cluster, crowd, ks_space_find(cluster, term->namespaces.items[i]), visit))
                return false;
        return true;
    }
    for (size_t i = 0; i < cluster->spaces.rows.count; i++)
        if (!visit_space(cluster, crowd, (const ks_space *)cluster->spaces.rows.items[i], visit))
            return false;
    return true;
}

static bool join_class(ks_cluster *cluster, ks_crowd *crowd, ks_class *class_)
{
    if (!matches_class(crowd, class_))
        return true;
    if (!ks_vec_push(&class_->crowds, &cluster->alloc, crowd))
        return false;
    for (const ks_pod_row *pod = class_->pods; pod; pod = pod->next)
        if (pod->occupies)
            ks_tally_add(&crowd->tally, pod->node->row.id);
    return true;
}

static bool leave_class(ks_cluster *cluster, ks_crowd *crowd, ks_class *class_)
{
    (void)cluster;
    for (size_t i = 0; i < class_->crowds.count; i++)
        if (class_->crowds.items[i] == crowd) {
            ks_vec_swap_remove(&class_->crowds, i);
            break;
        }
    return true;
}

/* ---- crowds come and go ---- */

static void free_crowd(ks_cluster *cluster, ks_crowd *crowd)
{
    if (crowd->terms.count > 0)
        visit_classes(cluster, crowd, leave_class);
    ks_tally_free(&crowd->tally, cluster);
    ks_arena_free(&crowd->arena);
    ks_alloc_free(&cluster->counting, crowd, sizeof *crowd);
}

static bool fill_crowd(ks_cluster *cluster, ks_crowd *crowd, const crowd_key *key)
{
    ks_affinity_term *terms = ks_arena_get_zeroed(&crowd->arena, key->terms->count * sizeof *terms);
    if (!ks_tally_init(&crowd->tally, cluster, &cluster->counting, key->topology_key) || !terms)
        return false;
    for (size_t i = 0; i < key->terms->count; i++)
        if (!ks_affinity_term_copy(&terms[i], &key->terms->items[i], &crowd->arena))
            return false;
    crowd->terms = (ks_affinity_term_list){terms, key->terms->count};
    crowd->bucket = ks_affinity_term_bucket(&terms[0]);
    return visit_classes(cluster, crowd, join_class);
}

static ks_crowd *make_crowd(ks_cluster *cluster, const crowd_key *key, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->crowds, &cluster->counting))
        return NULL;
    ks_crowd *crowd = ks_alloc_get_zeroed(&cluster->counting, sizeof *crowd);
    if (!crowd)
        return NULL;
    ks_arena_init(&crowd->arena, &cluster->counting);
    if (!fill_crowd(cluster, crowd, key) ||
        !ks_label_index_add(&cluster->crowd_index, &cluster->counting, crowd->bucket, crowd)) {
        free_crowd(cluster, crowd);
        return NULL;
    }
    ks_table_add(&cluster->crowds, &crowd->row, hash);
    return crowd;
}

ks_crowd *ks_crowd_get(ks_cluster *cluster, const ks_affinity_term_list *terms, ks_str topology_key)
{
    crowd_key key = {terms, topology_key};
    uint64_t hash = hash_key(&key);
    ks_crowd *crowd = (ks_crowd *)ks_table_find(&cluster->crowds, hash, has_key, &key);
    if (!crowd)
        crowd = make_crowd(cluster, &key, hash);
    if (crowd)
        crowd->row.refs++;
    return crowd;
}

void ks_crowd_unref(ks_cluster *cluster, ks_crowd *crowd)
{
    if (!crowd || --crowd->row.refs > 0)
        return;
    ks_table_remove(&cluster->crowds, &crowd->row);
    ks_label_index_remove(&cluster->crowd_index, &cluster->counting, crowd->bucket, crowd);
    free_crowd(cluster, crowd);
}
