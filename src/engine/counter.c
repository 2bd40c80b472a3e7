// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

bool ks_counter_resize_domains(ks_cluster *cluster, ks_counter *counter, uint32_t domains)
{
    if (domains <= counter->matching_cap && domains <= counter->nodes_cap)
        return true;
    uint32_t want = domains < 8 ? 8 : domains + domains / 2;
    return ks_column_resize(&counter->matching, &cluster->counting, &counter->matching_cap, want) &&
           ks_column_resize(&counter->nodes, &cluster->counting, &counter->nodes_cap, want);
}

bool ks_counter_reserve_levels(ks_cluster *cluster, ks_counter *counter, uint32_t pods)
{
    if (pods < counter->level_cap)
        return true;
    return ks_column_resize(&counter->levels, &cluster->counting, &counter->level_cap, pods + pods / 2 + 8);
}

/* ---- counting ---- */

static void raise_minimum(ks_counter *counter)
{
    while (counter->levels[counter->minimum] == 0)
        counter->minimum++;
}

static void update_pass(ks_counter *counter, uint32_t domain, uint32_t before, uint32_t now)
{
    bool passed = before <= counter->pass_limit, passes = now <= counter->pass_limit;
    if (passes && !passed)
        ks_domain_add_to(&counter->topology->domains.items[domain], &counter->pass);
    if (passed && !passes)
        ks_domain_take_from(&counter->topology->domains.items[domain], &counter->pass);
}

void ks_counter_shift(ks_counter *counter, uint32_t domain, int64_t pods)
{
    uint32_t before = counter->matching[domain];
    uint32_t now = (uint32_t)(before + pods);
    counter->matching[domain] = now;
    counter->levels[before]--;
    counter->levels[now]++;
    if (now < counter->minimum)
        counter->minimum = now;
    else
        raise_minimum(counter);
    if (counter->pass_valid)
        update_pass(counter, domain, before, now);
}

void ks_counter_attach(ks_counter *counter, uint32_t node)
{
    uint32_t domain = counter->topology->domain_of[node];
    if (counter->nodes[domain]++ == 0) {
        counter->existing++;
        counter->levels[0]++;
        counter->minimum = 0;
    }
    ks_counter_shift(counter, domain, counter->matcher->on_node[node]);
}

void ks_counter_detach(ks_counter *counter, uint32_t node)
{
    uint32_t domain = counter->topology->domain_of[node];
    ks_counter_shift(counter, domain, -(int64_t)counter->matcher->on_node[node]);
    if (--counter->nodes[domain] > 0)
        return;
    counter->existing--;
    counter->levels[0]--;
    counter->minimum = 0;
    if (counter->existing > 0)
        raise_minimum(counter);
}

int64_t ks_counter_minimum_without(const ks_counter *counter, uint32_t domain)
{
    uint32_t own = counter->nodes[domain] ? counter->matching[domain] : UINT32_MAX;
    for (uint32_t level = counter->minimum; level < counter->level_cap; level++)
        if (counter->levels[level] > (level == own))
            return level;
    return INT64_MAX;
}

const ks_nodeset *ks_counter_passing(ks_counter *counter, int64_t limit)
{
    if (counter->pass_valid && counter->pass_limit == limit)
        return &counter->pass;
    ks_nodeset_clear(&counter->pass);
    for (size_t i = 0; i < counter->topology->domains.count; i++)
        if (counter->matching[i] <= limit)
            ks_domain_add_to(&counter->topology->domains.items[i], &counter->pass);
    counter->pass_limit = limit;
    counter->pass_valid = true;
    return &counter->pass;
}

/* ---- counters come and go ---- */

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_counter *a = (const ks_counter *)row, *b = wanted;
    return a->matcher == b->matcher && a->topology == b->topology && a->inclusion == b->inclusion;
}

static uint64_t hash_counter(const ks_counter *of)
{
    const void *parts[] = {of->matcher, of->topology, of->inclusion};
    return ks_hash_bytes(parts, sizeof parts, 0);
}

static void free_counter(ks_cluster *cluster, ks_counter *counter)
{
    ks_alloc *alloc = &cluster->counting;
    ks_alloc_free(alloc, counter->matching, counter->matching_cap * sizeof *counter->matching);
    ks_alloc_free(alloc, counter->nodes, counter->nodes_cap * sizeof *counter->nodes);
    ks_alloc_free(alloc, counter->levels, counter->level_cap * sizeof *counter->levels);
    ks_nodeset_free(&counter->pass, alloc);
    ks_alloc_free(alloc, counter, sizeof *counter);
}

static bool fill_counter(ks_cluster *cluster, ks_counter *counter)
{
    ks_alloc *alloc = &cluster->counting;
    ks_matcher *matcher = counter->matcher;
    ks_topology *topology = counter->topology;
    if (!ks_vec_reserve(&matcher->counters, alloc, matcher->counters.count + 1) ||
        !ks_vec_reserve(&topology->counters, alloc, topology->counters.count + 1) ||
        !ks_nodeset_resize(&counter->pass, alloc, cluster->node_cap) ||
        !ks_counter_resize_domains(cluster, counter, (uint32_t)topology->domains.count) ||
        !ks_counter_reserve_levels(cluster, counter, matcher->total + 1))
        return false;
    for (uint32_t i = ks_nodeset_next(&counter->inclusion->nodes, 0); i != KS_NODESET_END;
         i = ks_nodeset_next(&counter->inclusion->nodes, i + 1))
        ks_counter_attach(counter, i);
    return true;
}

static ks_counter *make_counter(ks_cluster *cluster, const ks_counter *like)
{
    if (!ks_table_reserve(&cluster->counters, &cluster->counting))
        return NULL;
    ks_counter *counter = ks_alloc_get(&cluster->counting, sizeof *counter);
    if (!counter)
        return NULL;
    *counter = *like;
    if (!fill_counter(cluster, counter)) {
        free_counter(cluster, counter);
        return NULL;
    }
    ks_matcher *matcher = counter->matcher;
    ks_topology *topology = counter->topology;
    matcher->counters.items[matcher->counters.count++] = counter;
    topology->counters.items[topology->counters.count++] = counter;
    matcher->row.refs++;
    topology->row.refs++;
    counter->inclusion->row.refs++;
    ks_table_add(&cluster->counters, &counter->row, hash_counter(counter));
    return counter;
}

ks_counter *ks_counter_get(ks_cluster *cluster, ks_matcher *matcher, ks_topology *topology,
                           ks_inclusion *inclusion)
{
    ks_counter like = {.matcher = matcher, .topology = topology, .inclusion = inclusion};
    ks_counter *counter =
        (ks_counter *)ks_table_find(&cluster->counters, hash_counter(&like), is_like, &like);
    if (!counter)
        counter = make_counter(cluster, &like);
    if (counter)
        counter->row.refs++;
    return counter;
}

void ks_counter_unref(ks_cluster *cluster, ks_counter *counter)
{
    if (!counter || --counter->row.refs > 0)
        return;
    ks_table_remove(&cluster->counters, &counter->row);
    ks_vec_remove_value(&counter->matcher->counters, counter);
    ks_vec_remove_value(&counter->topology->counters, counter);
    ks_matcher_unref(cluster, counter->matcher);
    ks_topology_unref(cluster, counter->topology);
    ks_inclusion_unref(cluster, counter->inclusion);
    free_counter(cluster, counter);
}
