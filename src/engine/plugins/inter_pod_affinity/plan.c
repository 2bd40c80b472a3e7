// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/inter_pod_affinity/plan.h"
#include <stdlib.h>

/* ---- the pod's own terms ---- */

static bool reserve_crowds(ks_crowd_list *list, size_t count, ks_arena *arena)
{
    list->items = ks_arena_get(arena, count * sizeof(ks_crowd *));
    return list->items;
}

static bool add_crowd(ks_crowd_list *to, ks_cluster *cluster, const ks_affinity_term_list *terms, ks_str key)
{
    ks_crowd *crowd = ks_crowd_get(cluster, terms, key);
    if (crowd)
        to->items[to->count++] = crowd;
    return crowd;
}

static bool add_crowd_of(ks_crowd_list *to, ks_cluster *cluster, const ks_affinity_term *term)
{
    ks_affinity_term alone = *term;
    alone.weight = 0; /* whom the term means does not depend on it */
    ks_affinity_term_list list = {&alone, 1};
    return add_crowd(to, cluster, &list, term->topology_key);
}

static bool has_key(const ks_crowd_list *crowds, ks_str key)
{
    for (size_t i = 0; i < crowds->count; i++)
        if (ks_str_eq(ks_topology_key(crowds->items[i]->tally.topology), key))
            return true;
    return false;
}

/* One and the same pod must match all required terms, so they make one crowd. */
static bool add_required(ks_affinity_plan *plan, ks_cluster *cluster, const ks_affinity_term_list *terms)
{
    if (!reserve_crowds(&plan->required, terms->count, &plan->head.arena))
        return false;
    for (size_t i = 0; i < terms->count; i++) {
        ks_str key = terms->items[i].topology_key;
        if (!has_key(&plan->required, key) && !add_crowd(&plan->required, cluster, terms, key))
            return false;
    }
    const ks_class *class_ = plan->head.class_;
    plan->matches_itself =
        terms->count > 0 &&
        ks_crowd_matches(plan->required.items[0], ks_space_name(class_->space), &class_->labels);
    return true;
}

static bool add_anti(ks_affinity_plan *plan, ks_cluster *cluster, const ks_affinity_term_list *terms)
{
    if (!reserve_crowds(&plan->anti, terms->count, &plan->head.arena))
        return false;
    for (size_t i = 0; i < terms->count; i++)
        if (!add_crowd_of(&plan->anti, cluster, &terms->items[i]))
            return false;
    return true;
}

static bool add_preferred(ks_affinity_plan *plan, ks_cluster *cluster, const ks_pod_terms *terms)
{
    const ks_affinity_term_list *lists = &terms->lists[KS_TERMS_PREFERRED];
    size_t count = lists[0].count + lists[1].count;
    plan->weights = ks_arena_get(&plan->head.arena, count * sizeof *plan->weights);
    if (!plan->weights || !reserve_crowds(&plan->preferred, count, &plan->head.arena))
        return false;
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; i < lists[which].count; i++) {
            plan->weights[plan->preferred.count] = (double)lists[which].items[i].weight;
            if (!add_crowd_of(&plan->preferred, cluster, &lists[which].items[i]))
                return false;
        }
    return true;
}

static int resolve_terms(ks_pod_terms *terms, const ks_cluster *cluster, ks_arena *arena, ks_error *err)
{
    int code = KS_OK;
    for (int which = 0; which < KS_TERM_LISTS; which++)
        for (size_t i = 0; code == KS_OK && i < terms->lists[which].count; i++)
            code = ks_affinity_term_resolve(&terms->lists[which].items[i], cluster, arena, err);
    return code;
}

/* All faults in one, as the API machinery writes several errors. */
static int note_faults(ks_affinity_plan *plan, const ks_pod_terms *terms, ks_cluster *cluster, ks_error *err)
{
    size_t count = 0;
    ks_buf buf;
    ks_buf_init(&buf, &cluster->counting);
    for (int i = 0; i < KS_TERM_LISTS; i++)
        if (terms->faults[i].data)
            ks_buf_printf(&buf, "%s%.*s", count++ ? ", " : "", KS_STR_ARG(terms->faults[i]));
    if (count > 1) {
        ks_buf listed;
        ks_buf_init(&listed, &cluster->counting);
        ks_buf_printf(&listed, "[%.*s]", KS_STR_ARG(ks_buf_str(&buf)));
        listed.failed = listed.failed || buf.failed;
        ks_buf_free(&buf);
        buf = listed;
    }
    bool ok =
        !buf.failed && (count == 0 || ks_arena_copy_str(&plan->head.arena, &plan->fault, ks_buf_str(&buf)));
    ks_buf_free(&buf);
    return ok ? KS_OK : ks_fail_nomem(err);
}

static int compile_own(ks_affinity_plan *plan, ks_cluster *cluster, ks_error *err)
{
    const ks_class *class_ = plan->head.class_;
    ks_pod_terms terms;
    int code = ks_pod_terms_compile(&terms, &plan->head.spec->spec, ks_space_name(class_->space),
                                    &class_->labels, &plan->head.arena, err);
    if (code == KS_OK)
        code = note_faults(plan, &terms, cluster, err);
    if (code != KS_OK || plan->fault.data)
        return code;
    code = resolve_terms(&terms, cluster, &plan->head.arena, err);
    if (code != KS_OK)
        return code;
    return add_required(plan, cluster, &terms.lists[KS_TERMS_AFFINITY]) &&
                   add_anti(plan, cluster, &terms.lists[KS_TERMS_ANTI_AFFINITY]) &&
                   add_preferred(plan, cluster, &terms)
               ? KS_OK
               : ks_fail_nomem(err);
}

/* ---- other pods' terms ---- */

typedef struct search {
    ks_cluster *cluster;
    ks_affinity_plan *plan;
    ks_labels namespace_labels;
} search;

static bool add_if_matching(void *ctx, void *item)
{
    const search *s = ctx;
    const ks_carried *carried = item;
    const ks_class *class_ = s->plan->head.class_;
    if (!ks_affinity_term_matches(&carried->term, ks_space_name(class_->space), &s->namespace_labels,
                                  &class_->labels))
        return true;
    if (carried->refuses)
        return ks_vec_push(&s->plan->keep_away, &s->cluster->counting, &carried->tally);
    ks_weighed_tally weighed = {&carried->tally, (double)carried->term.weight};
    return ks_vec_push(&s->plan->scored, &s->cluster->counting, weighed);
}

static int compare_topologies(const void *left, const void *right)
{
    const ks_weighed_tally *a = left, *b = right;
    uint32_t x = a->tally->topology->row.id, y = b->tally->topology->row.id;
    return (x > y) - (x < y);
}

static bool find_carried(ks_affinity_plan *plan, ks_cluster *cluster)
{
    const ks_class *class_ = plan->head.class_;
    search s = {cluster, plan, ks_namespace_labels(cluster, ks_space_name(class_->space))};
    plan->keep_away.count = 0;
    plan->scored.count = 0;
    for (size_t i = 0; i < plan->preferred.count; i++) {
        ks_weighed_tally own = {&plan->preferred.items[i]->tally, plan->weights[i]};
        if (!ks_vec_push(&plan->scored, &cluster->counting, own))
            return false;
    }
    if (!ks_label_index_visit(&cluster->carried_index, ks_space_name(class_->space), &class_->labels,
                              add_if_matching, &s))
        return false;
    if (plan->scored.count > 1)
        qsort(plan->scored.items, plan->scored.count, sizeof *plan->scored.items, compare_topologies);
    plan->carried_version = cluster->carried_version;
    return true;
}

/* ---- plans ---- */

static int compile_plan(ks_cluster *cluster, ks_plan_head *head, ks_error *err)
{
    ks_affinity_plan *plan = (ks_affinity_plan *)head;
    plan->namespaces_version = cluster->namespaces_version;
    int code = compile_own(plan, cluster, err);
    if (code == KS_OK && !find_carried(plan, cluster))
        code = ks_fail_nomem(err);
    return code;
}

static void release_crowds(ks_cluster *cluster, const ks_crowd_list *crowds)
{
    for (size_t i = 0; i < crowds->count; i++)
        ks_crowd_unref(cluster, crowds->items[i]);
}

static void release_plan(ks_cluster *cluster, ks_plan_head *head)
{
    ks_affinity_plan *plan = (ks_affinity_plan *)head;
    release_crowds(cluster, &plan->required);
    release_crowds(cluster, &plan->anti);
    release_crowds(cluster, &plan->preferred);
    ks_vec_free(&plan->keep_away, &cluster->counting);
    ks_vec_free(&plan->scored, &cluster->counting);
}

/* Namespaces' labels decide both whom the pod's terms mean and whose terms mean the pod. */
static bool is_stale(const ks_cluster *cluster, const ks_plan_head *head)
{
    return ((const ks_affinity_plan *)head)->namespaces_version != cluster->namespaces_version;
}

static const ks_plan_kind kind = {
    .size = sizeof(ks_affinity_plan),
    .by_class = true,
    .compile = compile_plan,
    .release = release_plan,
    .is_stale = is_stale,
};

int ks_affinity_plan_get(ks_affinity_plan **out, ks_cluster *cluster, ks_class *class_, ks_spec *spec,
                         ks_error *err)
{
    ks_plan_head *head;
    int code = ks_plan_cache_get(&head, cluster, &kind, class_, spec, err);
    if (code != KS_OK)
        return code;
    ks_affinity_plan *plan = (ks_affinity_plan *)head;
    if (plan->carried_version != cluster->carried_version && !find_carried(plan, cluster)) {
        ks_plan_cache_unref(head);
        return ks_fail_nomem(err);
    }
    *out = plan;
    return KS_OK;
}
