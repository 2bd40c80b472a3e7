// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/pod_topology_spread/plan.h"

/* Plans also keep their class and spec, which the limit on counters' bytes does not see. */
enum { PLANS_MAX = 1 << 16 };

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
        .self = ks_selector_matches(&compiled->selector, &plan->class_->labels),
        .topology = ks_topology_get(cluster, from->topology_key),
        .matcher = ks_matcher_get(cluster, ks_space_name(plan->class_->space), &compiled->selector),
    };
    return term->topology && term->matcher &&
           print_selector(&term->selector, &compiled->selector, cluster, &plan->arena);
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
    ks_topology **keys = ks_arena_get(&plan->arena, terms->count * sizeof(ks_topology *));
    if (!keys)
        return false;
    ks_inclusion like = {
        .keys = keys,
        .keys_count = lenient ? 0 : collect_keys(keys, terms),
        .affinity = ks_required_affinity_of(&plan->spec->spec),
        .tolerations = plan->spec->spec.tolerations,
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
                                      &plan->arena, err);
    if (code != KS_OK)
        return code;
    terms->items = ks_arena_get_zeroed(&plan->arena, compiled.count * sizeof *terms->items);
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

static void release_plan_terms(ks_cluster *cluster, ks_plan *plan)
{
    release_terms(cluster, &plan->hard);
    release_terms(cluster, &plan->soft);
    ks_arena_free(&plan->arena);
}

static int compile_plan(ks_cluster *cluster, ks_plan *plan, ks_error *err)
{
    plan->defaulted = ks_constraints_are_defaults(plan);
    plan->lenient = plan->defaulted && ks_constraints_system_defaulted(cluster);
    int code = compile_terms(cluster, plan, &plan->hard, false, err);
    if (code == KS_OK)
        code = compile_terms(cluster, plan, &plan->soft, plan->lenient, err);
    if (code != KS_OK) {
        release_plan_terms(cluster, plan);
        return code;
    }
    plan->workloads_version = plan->class_->space->workloads_version;
    return KS_OK;
}

static void unlink_plan(ks_cluster *cluster, ks_plan *plan)
{
    *(plan->newer ? &plan->newer->older : &cluster->plan_newest) = plan->older;
    *(plan->older ? &plan->older->newer : &cluster->plan_oldest) = plan->newer;
}

static void link_newest(ks_cluster *cluster, ks_plan *plan)
{
    plan->newer = NULL;
    plan->older = cluster->plan_newest;
    *(plan->older ? &plan->older->newer : &cluster->plan_oldest) = plan;
    cluster->plan_newest = plan;
}

static void free_plan(ks_cluster *cluster, ks_plan *plan)
{
    release_plan_terms(cluster, plan);
    ks_class_unref(cluster, plan->class_);
    ks_spec_unref(cluster, plan->spec);
    ks_alloc_free(&cluster->counting, plan, sizeof *plan);
}

static void drop_plan(ks_cluster *cluster, ks_plan *plan)
{
    unlink_plan(cluster, plan);
    ks_table_remove(&cluster->plans, &plan->row);
    free_plan(cluster, plan);
}

/* Keeps the counters within their limit; plans that a cycle still reads stay. */
static void drop_idle(ks_cluster *cluster)
{
    ks_plan *plan = cluster->plan_oldest;
    while (plan && (cluster->counting.bytes > cluster->counter_bytes_max ||
                    ks_table_count(&cluster->plans) > PLANS_MAX)) {
        ks_plan *newer = plan->newer;
        if (plan->row.refs == 0)
            drop_plan(cluster, plan);
        plan = newer;
    }
}

static uint64_t hash_plan(const ks_class *class_, const ks_spec *spec)
{
    const void *parts[] = {class_, spec};
    return ks_hash_bytes(parts, sizeof parts, 0);
}

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_plan *a = (const ks_plan *)row, *b = wanted;
    return a->class_ == b->class_ && a->spec == b->spec;
}

static int make_plan(ks_plan **out, ks_cluster *cluster, ks_class *class_, ks_spec *spec, ks_error *err)
{
    ks_plan *plan = ks_alloc_get_zeroed(&cluster->counting, sizeof *plan);
    if (!plan)
        return ks_fail_nomem(err);
    ks_arena_init(&plan->arena, &cluster->counting);
    plan->class_ = class_;
    plan->spec = spec;
    class_->row.refs++;
    spec->row.refs++;
    int code = compile_plan(cluster, plan, err);
    if (code == KS_OK && !ks_table_reserve(&cluster->plans, &cluster->counting))
        code = ks_fail_nomem(err);
    if (code != KS_OK) {
        free_plan(cluster, plan);
        return code;
    }
    ks_table_add(&cluster->plans, &plan->row, hash_plan(class_, spec));
    link_newest(cluster, plan);
    *out = plan;
    return KS_OK;
}

/* Services or controllers changed since: what was deduced from them is deduced again. */
static int refresh_plan(ks_cluster *cluster, ks_plan *plan, ks_error *err)
{
    if (!plan->defaulted || plan->workloads_version == plan->class_->space->workloads_version)
        return KS_OK;
    release_plan_terms(cluster, plan);
    return compile_plan(cluster, plan, err);
}

int ks_plan_get(ks_plan **out, ks_cluster *cluster, ks_class *class_, ks_spec *spec, ks_error *err)
{
    ks_plan like = {.class_ = class_, .spec = spec};
    ks_plan *plan = (ks_plan *)ks_table_find(&cluster->plans, hash_plan(class_, spec), is_like, &like);
    int code = plan ? refresh_plan(cluster, plan, err) : make_plan(&plan, cluster, class_, spec, err);
    if (code != KS_OK)
        return code;
    unlink_plan(cluster, plan);
    link_newest(cluster, plan);
    plan->row.refs++;
    drop_idle(cluster);
    *out = plan;
    return KS_OK;
}

void ks_plan_unref(ks_plan *plan)
{
    if (plan)
        plan->row.refs--;
}

void ks_plans_free(ks_cluster *cluster)
{
    while (cluster->plan_newest)
        drop_plan(cluster, cluster->plan_newest);
    ks_table_free(&cluster->plans, &cluster->counting);
}
