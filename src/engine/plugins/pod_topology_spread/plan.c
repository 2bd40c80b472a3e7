// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/pod_topology_spread/plan.h"

/* ---- terms ---- */

static void release_terms(ks_cluster *cluster, ks_terms *terms)
{
    for (size_t i = 0; i < terms->count; i++) {
        ks_counter_unref(cluster, terms->items[i].counter);
        ks_inclusion_unref(cluster, terms->items[i].inclusion);
        ks_matcher_unref(cluster, terms->items[i].matcher);
        ks_topology_unref(cluster, terms->items[i].topology);
    }
    *terms = (ks_terms){0};
}

static bool honors(const ks_cluster *cluster, ks_str policy, bool by_default)
{
    if (!policy.data || !(cluster->gates & KS_GATE_NODE_INCLUSION_POLICY))
        return by_default;
    return ks_str_eq(policy, KS_STR("Honor"));
}

static bool print_selector(ks_str *out, const ks_selector *selector, ks_cluster *cluster, ks_arena *arena)
{
    if (selector->nothing || ks_selector_empty(selector)) {
        *out = selector->nothing ? (ks_str){0} : KS_STR("");
        return true;
    }
    ks_buf buf;
    ks_buf_init(&buf, &cluster->counting);
    ks_selector_print(&buf, selector);
    bool ok = !buf.failed && ks_arena_copy_str(arena, out, ks_buf_str(&buf));
    ks_buf_free(&buf);
    return ok;
}

static bool fill_term(ks_term *term, ks_cluster *cluster, ks_plan *plan, const ks_compiled *compiled)
{
    const ks_topology_spread_constraint *from = compiled->from;
    *term = (ks_term){
        .max_skew = from->max_skew,
        .min_domains = from->min_domains.set ? from->min_domains.value : 1,
        .honors_affinity = honors(cluster, from->node_affinity_policy, true),
        .honors_taints = honors(cluster, from->node_taints_policy, false),
        .self = ks_selector_matches(&compiled->selector, &plan->head.class_->labels),
        .topology = ks_topology_get(cluster, from->topology_key),
        .matcher = ks_matcher_get(cluster, ks_space_name(plan->head.class_->space), &compiled->selector),
    };
    return term->topology && term->matcher &&
           print_selector(&term->selector, &compiled->selector, cluster, &plan->head.arena);
}

/* The keys of all terms of one sort, each once, sorted by id so that equal sets compare equal. */
static size_t collect_keys(ks_topology **keys, const ks_terms *terms)
{
    size_t count = 0;
    for (size_t i = 0; i < terms->count; i++) {
        ks_topology *key = terms->items[i].topology;
        size_t at = count;
        while (at > 0 && keys[at - 1]->row.id > key->row.id)
            at--;
        if (at > 0 && keys[at - 1] == key)
            continue;
        memmove(keys + at + 1, keys + at, (count - at) * sizeof *keys);
        keys[at] = key;
        count++;
    }
    return count;
}

/* A pod without affinity honours it on every node: such terms share the set that asks for none. */
static bool has_affinity(const ks_required_affinity *affinity)
{
    return affinity->node_selector.count > 0 || affinity->node_affinity;
}

static bool add_counters(ks_cluster *cluster, ks_plan *plan, ks_terms *terms, bool lenient)
{
    ks_topology **keys = ks_arena_get(&plan->head.arena, terms->count * sizeof(ks_topology *));
    if (!keys)
        return false;
    ks_inclusion like = {
        .keys = keys,
        .keys_count = lenient ? 0 : collect_keys(keys, terms),
        .affinity = ks_required_affinity_of(&plan->head.spec->spec),
        .tolerations = plan->head.spec->spec.tolerations,
    };
    for (size_t i = 0; i < terms->count; i++) {
        ks_term *term = &terms->items[i];
        like.honors_affinity = term->honors_affinity && has_affinity(&like.affinity);
        like.honors_taints = term->honors_taints;
        term->inclusion = ks_inclusion_get(cluster, &like);
        if (!term->inclusion)
            return false;
        if (terms == &plan->soft && ks_term_is_hostname(term))
            continue;
        term->counter = ks_counter_get(cluster, term->matcher, term->topology, term->inclusion);
        if (!term->counter)
            return false;
    }
    return true;
}

static int compile_terms(ks_cluster *cluster, ks_plan *plan, ks_terms *terms, bool lenient, ks_error *err)
{
    ks_compiled_list compiled;
    int code = ks_constraints_compile(&compiled, &terms->status, cluster, plan, terms == &plan->hard,
                                      &plan->head.arena, err);
    if (code != KS_OK)
        return code;
    terms->items = ks_arena_get_zeroed(&plan->head.arena, compiled.count * sizeof *terms->items);
    if (!terms->items)
        return ks_fail_nomem(err);
    for (size_t i = 0; i < compiled.count; i++) {
        terms->count++;
        if (!fill_term(&terms->items[i], cluster, plan, &compiled.items[i]))
            return ks_fail_nomem(err);
    }
    return terms->count == 0 || add_counters(cluster, plan, terms, lenient) ? KS_OK : ks_fail_nomem(err);
}

/* ---- plans ---- */

static int compile_plan(ks_cluster *cluster, ks_plan_head *head, ks_error *err)
{
    ks_plan *plan = (ks_plan *)head;
    plan->defaulted = ks_constraints_are_defaults(plan);
    plan->lenient = plan->defaulted && ks_constraints_system_defaulted(cluster);
    plan->workloads_version = head->class_->space->workloads_version;
    int code = compile_terms(cluster, plan, &plan->hard, false, err);
    return code == KS_OK ? compile_terms(cluster, plan, &plan->soft, plan->lenient, err) : code;
}

static void release_plan(ks_cluster *cluster, ks_plan_head *head)
{
    release_terms(cluster, &((ks_plan *)head)->hard);
    release_terms(cluster, &((ks_plan *)head)->soft);
}

/* Services or controllers changed since: what was deduced from them is deduced again. */
static bool is_stale(const ks_cluster *cluster, const ks_plan_head *head)
{
    (void)cluster;
    const ks_plan *plan = (const ks_plan *)head;
    return plan->defaulted && plan->workloads_version != head->class_->space->workloads_version;
}

static const ks_plan_kind kind = {
    .size = sizeof(ks_plan),
    .by_class = true,
    .compile = compile_plan,
    .release = release_plan,
    .is_stale = is_stale,
};

int ks_plan_get(ks_plan **out, ks_cluster *cluster, ks_class *class_, ks_spec *spec, ks_error *err)
{
    ks_plan_head *head;
    int code = ks_plan_cache_get(&head, cluster, &kind, class_, spec, err);
    if (code == KS_OK)
        *out = (ks_plan *)head;
    return code;
}

void ks_plan_unref(ks_plan *plan)
{
    if (plan)
        ks_plan_cache_unref(&plan->head);
}
