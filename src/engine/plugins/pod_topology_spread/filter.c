// SPDX-License-Identifier: Apache-2.0
/* Hard constraints: which nodes may take the pod. */
#include "engine/plugins/pod_topology_spread/plan.h"

#define REASON_SKEW "node(s) didn't match pod topology spread constraints"
#define REASON_LABEL REASON_SKEW " (missing required label)"

static const ks_status fits = {.code = KS_SUCCESS};

int ks_spread_pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    if (!(cycle->cluster->gates & KS_GATE_POD_TOPOLOGY_SPREAD))
        return KS_OK;
    ks_spread_state *spread = ks_arena_get_zeroed(&cycle->arena, sizeof *spread);
    if (!spread)
        return ks_fail_nomem(err);
    int code = ks_plan_get(&spread->plan, cycle->cluster, cycle->class_, cycle->spec, err);
    if (code != KS_OK)
        return code;
    *state = spread;
    if (spread->plan->hard.status.code == KS_ERROR)
        *out = spread->plan->hard.status;
    else if (spread->plan->hard.count > 0)
        *out = fits;
    return KS_OK;
}

void ks_spread_release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    if (state)
        ks_plan_unref(((ks_spread_state *)state)->plan);
}

/* With fewer domains than minDomains the global minimum is taken to be 0. */
static int64_t minimum_or_zero(const ks_term *term, int64_t minimum)
{
    return (int64_t)term->counter->existing < term->min_domains ? 0 : minimum;
}

int64_t ks_term_minimum(const ks_term *term)
{
    return minimum_or_zero(term, term->counter->minimum);
}

void ks_spread_filter(void *state, ks_nodeset *nodes)
{
    const ks_terms *hard = &((ks_spread_state *)state)->plan->hard;
    for (size_t i = 0; i < hard->count; i++) {
        const ks_term *term = &hard->items[i];
        /* matching + self - minimum <= maxSkew, solved for matching */
        int64_t limit = (int64_t)term->max_skew - term->self + ks_term_minimum(term);
        ks_nodeset_and(nodes, ks_counter_passing(term->counter, limit));
    }
}

static ks_status judge_term(const ks_term *term, uint32_t node, int64_t matching, int64_t minimum)
{
    if (!ks_nodeset_has(&term->topology->has, node))
        return (ks_status){.code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE, .message = KS_STR(REASON_LABEL)};
    if (matching + term->self - minimum > term->max_skew)
        return (ks_status){.code = KS_UNSCHEDULABLE, .message = KS_STR(REASON_SKEW)};
    return fits;
}

ks_status ks_spread_judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth; /* one reason is all it ever gives */
    const ks_terms *hard = &((const ks_spread_state *)state)->plan->hard;
    for (size_t i = 0; i < hard->count; i++) {
        const ks_term *term = &hard->items[i];
        int64_t matching = term->counter->matching[term->topology->domain_of[node]];
        ks_status status = judge_term(term, node, matching, ks_term_minimum(term));
        if (status.code != KS_SUCCESS)
            return status;
    }
    return fits;
}

/* ---- preemption's view ---- */

/* A stored pod's class knows which matchers mean it. */
static bool matches_row(const ks_matcher *matcher, const ks_pod_row *pod)
{
    if (!matcher->counts)
        return pod->class_->space == matcher->space;
    for (size_t i = 0; i < pod->class_->matchers.count; i++)
        if (pod->class_->matchers.items[i] == matcher)
            return true;
    return false;
}

static bool matches_pod(const ks_matcher *matcher, const ks_object_meta *meta)
{
    return ks_str_eq(ks_namespace_or_default(meta->namespace_), ks_space_name(matcher->space)) &&
           ks_selector_matches(&matcher->selector, &meta->labels);
}

/* How many of these pods the term would count. The selector alone decides: here upstream asks neither
 * whether a pod is terminating nor whether the selector is empty. */
static int64_t count_matching(const ks_term *term, const ks_pod *const *pods, const ks_pod_row *const *rows,
                              size_t count)
{
    int64_t matching = 0;
    for (size_t i = 0; i < count; i++)
        matching +=
            rows ? matches_row(term->matcher, rows[i]) : matches_pod(term->matcher, &pods[i]->metadata);
    return matching;
}

ks_status ks_spread_what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)nth;
    const ks_terms *hard = &((const ks_spread_state *)state)->plan->hard;
    for (size_t i = 0; i < hard->count; i++) {
        const ks_term *term = &hard->items[i];
        uint32_t domain = term->topology->domain_of[node];
        int64_t matching = term->counter->matching[domain], minimum = term->counter->minimum;
        if (ks_nodeset_has(&term->inclusion->nodes, node)) {
            matching += count_matching(term, change->added, change->added_rows, change->added_count) -
                        count_matching(term, change->removed, change->removed_rows, change->removed_count);
            minimum = ks_counter_minimum_without(term->counter, domain);
            if (matching < minimum)
                minimum = matching;
        }
        ks_status status = judge_term(term, node, matching, minimum_or_zero(term, minimum));
        if (status.code != KS_SUCCESS)
            return status;
    }
    return fits;
}
