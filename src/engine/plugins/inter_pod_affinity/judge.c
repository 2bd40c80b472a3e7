// SPDX-License-Identifier: Apache-2.0
/* Why a node was refused, and whether it would be if pods came or went. Upstream's order: the pod's
 * affinity, its anti-affinity, then other pods' anti-affinity. */
#include "engine/plugins/inter_pod_affinity/plan.h"

static const ks_status fits = {.code = KS_SUCCESS};
static const ks_change no_change = {0};

/* ---- the pod's own terms ---- */

static int64_t count_matching(const ks_crowd *crowd, const ks_pod *const *pods, size_t count)
{
    int64_t matching = 0;
    for (size_t i = 0; i < count; i++) {
        const ks_object_meta *meta = &pods[i]->metadata;
        matching += ks_crowd_matches(crowd, ks_namespace_or_default(meta->namespace_), &meta->labels);
    }
    return matching;
}

/* How many pods of the crowd the change brings to the node, if the node has the crowd's key. */
static int64_t shift_of(const ks_crowd *crowd, uint32_t node, const ks_change *change)
{
    if (!ks_nodeset_has(&crowd->tally.topology->has, node))
        return 0;
    return count_matching(crowd, change->added, change->added_count) -
           count_matching(crowd, change->removed, change->removed_count);
}

static bool satisfies_affinity(const ks_affinity_plan *plan, uint32_t node, const ks_change *change)
{
    bool near = true, none_anywhere = true;
    for (size_t i = 0; i < plan->required.count; i++) {
        const ks_crowd *crowd = plan->required.items[i];
        if (!ks_nodeset_has(&crowd->tally.topology->has, node))
            return false;
        int64_t shift = shift_of(crowd, node, change);
        near = near && ks_tally_at(&crowd->tally, node) + shift > 0;
        none_anywhere = none_anywhere && (int64_t)crowd->tally.total + shift == 0;
    }
    return near || (none_anywhere && plan->matches_itself);
}

/* Upstream sums up the terms of one topology key; none of them can be below zero. */
static bool satisfies_anti_affinity(const ks_affinity_plan *plan, uint32_t node, const ks_change *change)
{
    for (size_t i = 0; i < plan->anti.count; i++) {
        const ks_crowd *crowd = plan->anti.items[i];
        if (ks_tally_at(&crowd->tally, node) + shift_of(crowd, node, change) > 0)
            return false;
    }
    return true;
}

/* ---- other pods' anti-affinity ---- */

/* A required anti-affinity term of a pod that comes or goes, and that means the pod under trial. */
typedef struct change_term {
    ks_str topology_key;
    int64_t pods;
} change_term;

typedef struct change_terms {
    change_term *items;
    size_t count;
} change_terms;

static size_t count_anti_terms(const ks_pod *pod)
{
    const ks_affinity *affinity = pod->spec.affinity;
    return affinity && affinity->pod_anti_affinity ? affinity->pod_anti_affinity->required.count : 0;
}

static bool add_change(change_terms *out, const ks_affinity_state *state, const ks_pod *pod, int64_t pods,
                       ks_arena *arena)
{
    if (count_anti_terms(pod) == 0)
        return true;
    ks_pod_terms terms;
    if (ks_pod_terms_compile(&terms, &pod->spec, ks_namespace_or_default(pod->metadata.namespace_),
                             &pod->metadata.labels, arena, NULL) != KS_OK)
        return false;
    const ks_class *class_ = state->plan->head.class_;
    ks_str name = ks_space_name(class_->space);
    ks_labels namespace_labels = ks_namespace_labels(state->cluster, name);
    const ks_affinity_term_list *anti = &terms.lists[KS_TERMS_ANTI_AFFINITY];
    for (size_t i = 0; i < anti->count; i++)
        if (ks_affinity_term_matches(&anti->items[i], name, &namespace_labels, &class_->labels))
            out->items[out->count++] = (change_term){anti->items[i].topology_key, pods};
    return true;
}

static bool list_changes(change_terms *out, const ks_affinity_state *state, const ks_change *change,
                         ks_arena *arena)
{
    size_t most = 0;
    for (size_t i = 0; i < change->added_count; i++)
        most += count_anti_terms(change->added[i]);
    for (size_t i = 0; i < change->removed_count; i++)
        most += count_anti_terms(change->removed[i]);
    *out = (change_terms){0};
    if (most == 0)
        return true;
    out->items = ks_arena_get(arena, most * sizeof *out->items);
    bool ok = out->items;
    for (size_t i = 0; ok && i < change->added_count; i++)
        ok = add_change(out, state, change->added[i], 1, arena);
    for (size_t i = 0; ok && i < change->removed_count; i++)
        ok = add_change(out, state, change->removed[i], -1, arena);
    return ok;
}

/* Over all terms of one topology key, as upstream counts. */
static int64_t net_pods(const ks_affinity_plan *plan, uint32_t node, ks_str key, const change_terms *changes)
{
    int64_t pods = 0;
    for (size_t i = 0; i < plan->keep_away.count; i++)
        if (ks_str_eq(ks_topology_key(plan->keep_away.items[i]->topology), key))
            pods += ks_tally_at(plan->keep_away.items[i], node);
    for (size_t i = 0; i < changes->count; i++)
        if (ks_str_eq(changes->items[i].topology_key, key))
            pods += changes->items[i].pods;
    return pods;
}

static bool satisfies_others(const ks_affinity_state *state, uint32_t node, const change_terms *changes)
{
    const ks_affinity_plan *plan = state->plan;
    for (size_t i = 0; i < plan->keep_away.count; i++) {
        const ks_tally *tally = plan->keep_away.items[i];
        if (ks_tally_at(tally, node) > 0 &&
            net_pods(plan, node, ks_topology_key(tally->topology), changes) > 0)
            return false;
    }
    const ks_node_row *row = (const ks_node_row *)state->cluster->nodes.rows.items[node];
    for (size_t i = 0; i < changes->count; i++) {
        ks_str key = changes->items[i].topology_key;
        if (changes->items[i].pods > 0 && ks_labels_get(&row->node.metadata.labels, key).data &&
            net_pods(plan, node, key, changes) > 0)
            return false;
    }
    return true;
}

/* ---- verdicts ---- */

static ks_status judge_change(const ks_affinity_state *state, uint32_t node, const ks_change *change,
                              const change_terms *terms)
{
    if (!satisfies_affinity(state->plan, node, change))
        return (ks_status){.code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE,
                           .message = KS_STR("node(s) didn't match pod affinity rules")};
    if (!satisfies_anti_affinity(state->plan, node, change))
        return (ks_status){.code = KS_UNSCHEDULABLE,
                           .message = KS_STR("node(s) didn't match pod anti-affinity rules")};
    if (!satisfies_others(state, node, terms))
        return (ks_status){.code = KS_UNSCHEDULABLE,
                           .message = KS_STR("node(s) didn't satisfy existing pods anti-affinity rules")};
    return fits;
}

ks_status ks_affinity_judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth; /* one reason is all it ever gives */
    return judge_change(state, node, &no_change, &(change_terms){0});
}

ks_status ks_affinity_what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)nth;
    const ks_affinity_state *affinity = state;
    ks_arena arena;
    ks_arena_init(&arena, &affinity->cluster->alloc);
    change_terms terms;
    ks_status status = {.code = KS_ERROR, .message = KS_STR("out of memory")};
    if (list_changes(&terms, affinity, change, &arena))
        status = judge_change(affinity, node, change, &terms);
    ks_arena_free(&arena);
    return status;
}
