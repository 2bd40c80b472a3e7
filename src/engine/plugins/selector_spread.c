// SPDX-License-Identifier: Apache-2.0
/* SelectorSpread, which kube-scheduler had before default spread constraints: pods of one Service or
 * controller are spread over nodes and, twice as weighty, over zones. Pods with spread constraints of their
 * own are left to those. The rules are those of kube-scheduler v1.19, but for what the selector is deduced
 * from, which is the same here as for default constraints. */
#include "engine/deduce.h"
#include "engine/plan_cache.h"
#include "engine/plugins/helpers.h"
#include "engine/zone.h"

static const double zone_weight = 2.0 / 3.0;

typedef struct selector_plan {
    ks_plan_head head;
    ks_matcher *matcher;
    uint64_t workloads_version;
} selector_plan;

typedef struct selector_state {
    selector_plan *plan;
    const ks_zones *zones;
    double *by_zone; /* matching pods on the nodes to be scored, then what a zone adds to a score */
    double *factor;  /* by zone: what is left of a node's own part */
    uint32_t nodes;  /* length of columns */
} selector_state;

/* ---- plans ---- */

static int compile_plan(ks_cluster *cluster, ks_plan_head *head, ks_error *err)
{
    selector_plan *plan = (selector_plan *)head;
    ks_selector selector;
    int code = ks_deduce_selector(&selector, cluster, head->class_, &head->arena, err);
    if (code != KS_OK)
        return code;
    plan->workloads_version = head->class_->space->workloads_version;
    plan->matcher = ks_matcher_get(cluster, ks_space_name(head->class_->space), &selector);
    return plan->matcher ? KS_OK : ks_fail_nomem(err);
}

static void release_plan(ks_cluster *cluster, ks_plan_head *head)
{
    ks_matcher_unref(cluster, ((selector_plan *)head)->matcher);
}

static bool is_stale(const ks_cluster *cluster, const ks_plan_head *head)
{
    (void)cluster;
    return ((const selector_plan *)head)->workloads_version != head->class_->space->workloads_version;
}

static const ks_plan_kind kind = {
    .size = sizeof(selector_plan),
    .by_class = true,
    .compile = compile_plan,
    .release = release_plan,
    .is_stale = is_stale,
};

/* ---- extension points ---- */

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    if (cycle->spec->spec.topology_spread_constraints.count > 0)
        return KS_OK;
    selector_state *made = ks_arena_get_zeroed(&cycle->arena, sizeof *made);
    if (!made)
        return ks_fail_nomem(err);
    ks_plan_head *head;
    int code = ks_plan_cache_get(&head, cycle->cluster, &kind, cycle->class_, cycle->spec, err);
    if (code != KS_OK)
        return code;
    made->plan = (selector_plan *)head;
    *state = made;
    return KS_OK;
}

static void release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    if (state)
        ks_plan_cache_unref(&((selector_state *)state)->plan->head);
}

static int pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    (void)nodes;
    selector_state *selector = state;
    *out = (ks_status){.code = KS_SKIP};
    if (!selector)
        return KS_OK;
    selector->zones = ks_zones_get(cycle->cluster);
    if (!selector->zones)
        return ks_fail_nomem(err);
    size_t zones = selector->zones->count;
    selector->by_zone = ks_arena_get_zeroed(&cycle->arena, 2 * zones * sizeof(double));
    if (!selector->by_zone)
        return ks_fail_nomem(err);
    selector->factor = selector->by_zone + zones;
    selector->nodes = (uint32_t)cycle->cluster->nodes.rows.count;
    out->code = KS_SUCCESS;
    return KS_OK;
}

static void score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const selector_state *selector = state;
    const uint32_t *on_node = selector->plan->matcher->on_node;
    for (uint32_t i = 0; i < selector->nodes; i++)
        scores[i] = on_node[i];
}

/* Adds the nodes' counts up by zone and returns the highest count of a node. */
static double add_up(const selector_state *selector, const ks_nodeset *nodes, const double *counts)
{
    double highest = 0;
    for (uint32_t word = 0; word < nodes->nwords; word++)
        for (uint64_t left = nodes->words[word]; left; left &= left - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(left);
            highest = counts[node] > highest ? counts[node] : highest;
            selector->by_zone[selector->zones->zone_of[node]] += counts[node];
        }
    return highest;
}

/* 100 x (highest - count) / highest, with the fraction, in the order in which upstream reckons. */
static double share(double count, double highest)
{
    return KS_SCORE_MAX * ((highest - count) / highest);
}

/* Nodes without a zone keep their own part whole. */
static void weigh_zones(const selector_state *selector)
{
    double *by_zone = selector->by_zone, highest = 0;
    for (uint32_t zone = KS_ZONE_NONE + 1; zone < selector->zones->count; zone++)
        highest = by_zone[zone] > highest ? by_zone[zone] : highest;
    for (uint32_t zone = KS_ZONE_NONE + 1; zone < selector->zones->count; zone++) {
        by_zone[zone] = zone_weight * (highest > 0 ? share(by_zone[zone], highest) : KS_SCORE_MAX);
        selector->factor[zone] = 1.0 - zone_weight;
    }
    by_zone[KS_ZONE_NONE] = 0;
    selector->factor[KS_ZONE_NONE] = 1;
}

/* Loops of one kind of work each, over all nodes: so the compiler does several at once. Nodes that are not
 * scored may have more pods than the highest; they are kept in bounds. */
static void normalize(void *state, const ks_nodeset *nodes, double *scores)
{
    const selector_state *selector = state;
    const uint32_t *zone_of = selector->zones->zone_of;
    double highest = add_up(selector, nodes, scores);
    weigh_zones(selector);
    for (uint32_t node = 0; node < selector->nodes; node++)
        scores[node] = highest > 0 ? share(scores[node], highest) : KS_SCORE_MAX;
    for (uint32_t node = 0; node < selector->nodes; node++)
        scores[node] = scores[node] * selector->factor[zone_of[node]] + selector->by_zone[zone_of[node]];
    for (uint32_t node = 0; node < selector->nodes; node++)
        scores[node] = (int32_t)(scores[node] > 0 ? scores[node] : 0);
}

const ks_plugin ks_selector_spread = {
    .name = "SelectorSpread",
    .pre_filter = pre_filter,
    .filter = ks_no_filter,
    .judge = ks_no_judge,
    .pre_score = pre_score,
    .score = score,
    .normalize = normalize,
    .what_if = ks_no_what_if,
    .hint = ks_no_hint,
    .release = release,
};
