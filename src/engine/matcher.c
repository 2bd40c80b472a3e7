// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct matcher_key {
    ks_str namespace_;
    const ks_selector *selector;
} matcher_key;

static bool has_key(const ks_row *row, const void *wanted)
{
    const ks_matcher *matcher = (const ks_matcher *)row;
    const matcher_key *key = wanted;
    return ks_str_eq(ks_space_name(matcher->space), key->namespace_) &&
           ks_selector_equal(&matcher->selector, key->selector);
}

bool ks_matcher_matches_class(const ks_matcher *matcher, const ks_class *class_)
{
    return matcher->counts && ks_selector_matches(&matcher->selector, &class_->labels);
}

/* ---- pods come and go ---- */

bool ks_matcher_reserve(ks_cluster *cluster, ks_matcher *matcher)
{
    if (matcher->total == UINT32_MAX - 1)
        return false;
    for (size_t i = 0; i < matcher->counters.count; i++)
        if (!ks_counter_reserve_levels(cluster, matcher->counters.items[i], matcher->total + 1))
            return false;
    return true;
}

static void shift_counters(ks_matcher *matcher, uint32_t node, int pods)
{
    for (size_t i = 0; i < matcher->counters.count; i++) {
        ks_counter *counter = matcher->counters.items[i];
        if (ks_nodeset_has(&counter->inclusion->nodes, node))
            ks_counter_shift(counter, counter->topology->domain_of[node], pods);
    }
}

void ks_matcher_add(ks_matcher *matcher, uint32_t node)
{
    matcher->total++;
    matcher->on_node[node]++;
    shift_counters(matcher, node, 1);
}

void ks_matcher_sub(ks_matcher *matcher, uint32_t node)
{
    matcher->total--;
    matcher->on_node[node]--;
    shift_counters(matcher, node, -1);
}

/* ---- matchers come and go ---- */

static void forget_in_classes(ks_matcher *matcher)
{
    for (size_t i = 0; i < matcher->space->classes.count; i++) {
        ks_class *class_ = matcher->space->classes.items[i];
        for (size_t j = 0; j < class_->matchers.count; j++)
            if (class_->matchers.items[j] == matcher) {
                ks_vec_swap_remove(&class_->matchers, j);
                break;
            }
    }
}

static void free_matcher(ks_cluster *cluster, ks_matcher *matcher)
{
    ks_alloc *alloc = &cluster->counting;
    if (matcher->space)
        forget_in_classes(matcher);
    ks_space_unref(cluster, matcher->space);
    ks_vec_free(&matcher->counters, alloc);
    ks_alloc_free(alloc, matcher->on_node, matcher->on_node_cap * sizeof *matcher->on_node);
    ks_arena_free(&matcher->arena);
    ks_alloc_free(alloc, matcher, sizeof *matcher);
}

static bool join_classes(ks_cluster *cluster, ks_matcher *matcher)
{
    for (size_t i = 0; i < matcher->space->classes.count; i++) {
        ks_class *class_ = matcher->space->classes.items[i];
        if (!ks_matcher_matches_class(matcher, class_))
            continue;
        if (!ks_vec_push(&class_->matchers, &cluster->alloc, matcher))
            return false;
        for (const ks_pod_row *pod = class_->pods; pod; pod = pod->next) {
            if (!pod->counts)
                continue;
            matcher->on_node[pod->node->row.id]++;
            matcher->total++;
        }
    }
    return true;
}

static bool fill_matcher(ks_cluster *cluster, ks_matcher *matcher, const matcher_key *key)
{
    ks_alloc *alloc = &cluster->counting;
    matcher->space = ks_space_get(cluster, key->namespace_);
    matcher->counts = !key->selector->nothing && !ks_selector_empty(key->selector);
    return matcher->space &&
           ks_vec_reserve(&matcher->space->matchers, alloc, matcher->space->matchers.count + 1) &&
           ks_selector_copy(&matcher->selector, key->selector, &matcher->arena) &&
           ks_column_resize(&matcher->on_node, alloc, &matcher->on_node_cap, cluster->node_cap) &&
           join_classes(cluster, matcher);
}

static ks_matcher *make_matcher(ks_cluster *cluster, const matcher_key *key, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->matchers, &cluster->counting))
        return NULL;
    ks_matcher *matcher = ks_alloc_get_zeroed(&cluster->counting, sizeof *matcher);
    if (!matcher)
        return NULL;
    ks_arena_init(&matcher->arena, &cluster->counting);
    if (!fill_matcher(cluster, matcher, key)) {
        free_matcher(cluster, matcher);
        return NULL;
    }
    matcher->space->matchers.items[matcher->space->matchers.count++] = matcher;
    ks_table_add(&cluster->matchers, &matcher->row, hash);
    return matcher;
}

ks_matcher *ks_matcher_get(ks_cluster *cluster, ks_str namespace_, const ks_selector *selector)
{
    matcher_key key = {namespace_, selector};
    uint64_t hash = ks_selector_hash(selector, ks_str_hash(namespace_));
    ks_matcher *matcher = (ks_matcher *)ks_table_find(&cluster->matchers, hash, has_key, &key);
    if (!matcher)
        matcher = make_matcher(cluster, &key, hash);
    if (matcher)
        matcher->row.refs++;
    return matcher;
}

void ks_matcher_unref(ks_cluster *cluster, ks_matcher *matcher)
{
    if (!matcher || --matcher->row.refs > 0)
        return;
    ks_table_remove(&cluster->matchers, &matcher->row);
    ks_vec_remove_value(&matcher->space->matchers, matcher);
    free_matcher(cluster, matcher);
}
