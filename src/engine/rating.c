// SPDX-License-Identifier: Apache-2.0
#include "engine/rating.h"
#include "model/schema.h"

static bool is_tolerated(const ks_taint *taint, const ks_tolerations *tolerations)
{
    for (size_t i = 0; i < tolerations->count; i++)
        if (ks_toleration_tolerates(&tolerations->items[i], taint))
            return true;
    return false;
}

static double count_untolerated(const ks_taints *taints, const ks_tolerations *tolerations)
{
    double count = 0;
    for (size_t i = 0; i < taints->count; i++)
        count += ks_str_eq(taints->items[i].effect, KS_STR("PreferNoSchedule")) &&
                 !is_tolerated(&taints->items[i], tolerations);
    return count;
}

static double sum_weights(const ks_node_affinity *affinity, const ks_node_row *node)
{
    double sum = 0;
    for (size_t i = 0; i < affinity->preferred.count; i++) {
        const ks_preferred_scheduling_term *term = &affinity->preferred.items[i];
        if (ks_node_selector_term_matches(&term->preference, node->name, &node->node.metadata.labels))
            sum += term->weight;
    }
    return sum;
}

static double value_of(const ks_rating *rating, const ks_node_row *node)
{
    if (!node->present)
        return 0;
    return rating->by_taints ? count_untolerated(&node->node.spec.taints, &rating->tolerations)
                             : sum_weights(&rating->affinity, node);
}

static void update_rating(ks_rating *rating, const ks_node_row *node)
{
    double *value = &rating->values[node->row.id];
    rating->rated -= *value != 0;
    *value = value_of(rating, node);
    rating->rated += *value != 0;
}

void ks_ratings_update(ks_cluster *cluster, const ks_node_row *node)
{
    for (size_t i = 0; i < cluster->ratings.rows.count; i++)
        if (cluster->ratings.rows.items[i])
            update_rating((ks_rating *)cluster->ratings.rows.items[i], node);
}

static bool resize_values(ks_cluster *cluster, ks_rating *rating, uint32_t cap)
{
    if (cap <= rating->cap)
        return true;
    double *grown =
        ks_alloc_resize(&cluster->counting, rating->values, rating->cap * sizeof *grown, cap * sizeof *grown);
    if (!grown)
        return false;
    for (uint32_t i = rating->cap; i < cap; i++)
        grown[i] = 0;
    rating->values = grown;
    rating->cap = cap;
    return true;
}

bool ks_ratings_resize(ks_cluster *cluster, uint32_t node_cap)
{
    for (size_t i = 0; i < cluster->ratings.rows.count; i++) {
        ks_rating *rating = (ks_rating *)cluster->ratings.rows.items[i];
        if (rating && !resize_values(cluster, rating, node_cap))
            return false;
    }
    return true;
}

/* ---- ratings come and go ---- */

static uint64_t hash_rating(const ks_rating *of)
{
    return of->by_taints ? ks_schema_hash_list(&ks_toleration_schema, &of->tolerations, 1)
                         : ks_schema_hash(&ks_node_affinity_schema, &of->affinity, 0);
}

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_rating *a = (const ks_rating *)row, *b = wanted;
    if (a->by_taints != b->by_taints)
        return false;
    return a->by_taints ? ks_schema_equal_list(&ks_toleration_schema, &a->tolerations, &b->tolerations)
                        : ks_schema_equal(&ks_node_affinity_schema, &a->affinity, &b->affinity);
}

static void free_rating(ks_cluster *cluster, ks_rating *rating)
{
    ks_alloc_free(&cluster->counting, rating->values, rating->cap * sizeof *rating->values);
    ks_arena_free(&rating->arena);
    ks_alloc_free(&cluster->counting, rating, sizeof *rating);
}

static bool fill_rating(ks_cluster *cluster, ks_rating *rating, const ks_rating *like)
{
    rating->by_taints = like->by_taints;
    if (!ks_schema_copy_list(&ks_toleration_schema, &rating->tolerations, &like->tolerations,
                             &rating->arena) ||
        !ks_schema_copy(&ks_node_affinity_schema, &rating->affinity, &like->affinity, &rating->arena) ||
        !resize_values(cluster, rating, cluster->node_cap))
        return false;
    for (uint32_t i = ks_nodeset_next(&cluster->present, 0); i != KS_NODESET_END;
         i = ks_nodeset_next(&cluster->present, i + 1))
        update_rating(rating, (const ks_node_row *)cluster->nodes.rows.items[i]);
    return true;
}

static ks_rating *make_rating(ks_cluster *cluster, const ks_rating *like, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->ratings, &cluster->counting))
        return NULL;
    ks_rating *rating = ks_alloc_get_zeroed(&cluster->counting, sizeof *rating);
    if (!rating)
        return NULL;
    ks_arena_init(&rating->arena, &cluster->counting);
    if (!fill_rating(cluster, rating, like)) {
        free_rating(cluster, rating);
        return NULL;
    }
    ks_table_add(&cluster->ratings, &rating->row, hash);
    return rating;
}

static ks_rating *get_rating(ks_cluster *cluster, const ks_rating *like)
{
    uint64_t hash = hash_rating(like);
    ks_rating *rating = (ks_rating *)ks_table_find(&cluster->ratings, hash, is_like, like);
    if (!rating)
        rating = make_rating(cluster, like, hash);
    if (rating)
        rating->row.refs++;
    return rating;
}

ks_rating *ks_rating_of_taints(ks_cluster *cluster, const ks_tolerations *tolerations)
{
    return get_rating(cluster, &(ks_rating){.by_taints = true, .tolerations = *tolerations});
}

ks_rating *ks_rating_of_affinity(ks_cluster *cluster, const ks_node_affinity *affinity)
{
    ks_rating like = {.affinity = *affinity};
    like.affinity.required = NULL;
    return get_rating(cluster, &like);
}

void ks_rating_unref(ks_cluster *cluster, ks_rating *rating)
{
    if (!rating || --rating->row.refs > 0)
        return;
    ks_table_remove(&cluster->ratings, &rating->row);
    free_rating(cluster, rating);
}
