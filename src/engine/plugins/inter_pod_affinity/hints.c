// SPDX-License-Identifier: Apache-2.0
/* Which events are worth another try for a pod that this plugin refused. */
#include "engine/plugins/helpers.h"
#include "engine/plugins/inter_pod_affinity/plan.h"
#include "model/schema.h"

/* Upstream does not resolve namespace selectors here. */
static bool matches_all(const ks_affinity_term_list *terms, const ks_pod *pod)
{
    ks_str name = ks_namespace_or_default(pod->metadata.namespace_);
    for (size_t i = 0; i < terms->count; i++)
        if (!ks_affinity_term_matches_bare(&terms->items[i], name, &pod->metadata.labels))
            return false;
    return terms->count > 0;
}

static int compile(ks_pod_terms *out, const ks_pod *pod, ks_arena *arena, ks_error *err)
{
    return ks_pod_terms_compile(out, &pod->spec, ks_namespace_or_default(pod->metadata.namespace_),
                                &pod->metadata.labels, arena, err);
}

/* ---- pods ---- */

static bool same_labels(const ks_pod *a, const ks_pod *b)
{
    const ks_labels *x = &a->metadata.labels, *y = &b->metadata.labels;
    return (x->count == 0 && y->count == 0) || ks_labels_equal(x, y);
}

static bool has_place(const ks_pod *pod)
{
    return pod->spec.node_name.len > 0 || pod->status.nominated_node_name.len > 0;
}

/* kube-scheduler's informers know no pods that are over, and tell of a binding as of a pod that comes. */
static const ks_pod *unless_over(const ks_pod *pod)
{
    return pod && ks_phase_is_over(pod->status.phase) ? NULL : pod;
}

static bool is_bound_now(const ks_pod *before, const ks_pod *after)
{
    return before && after && before->spec.node_name.len == 0 && after->spec.node_name.len > 0;
}

static bool update_helps(const ks_pod_terms *terms, const ks_pod *before, const ks_pod *after)
{
    const ks_affinity_term_list *affinity = &terms->lists[KS_TERMS_AFFINITY];
    const ks_affinity_term_list *anti = &terms->lists[KS_TERMS_ANTI_AFFINITY];
    return (!matches_all(affinity, before) && matches_all(affinity, after)) ||
           (matches_all(anti, before) && !matches_all(anti, after));
}

static int deletion_helps(bool *helps, const ks_pod_terms *terms, const ks_pod *pending, const ks_pod *gone,
                          ks_arena *arena, ks_error *err)
{
    *helps = matches_all(&terms->lists[KS_TERMS_ANTI_AFFINITY], gone);
    if (*helps)
        return KS_OK;
    ks_pod_terms theirs;
    int code = compile(&theirs, gone, arena, err);
    *helps = code == KS_OK && (theirs.faults[KS_TERMS_ANTI_AFFINITY].data ||
                               matches_all(&theirs.lists[KS_TERMS_ANTI_AFFINITY], pending));
    return code;
}

static int pod_event_helps(bool *helps, const ks_pod_terms *terms, const ks_pod *pending,
                           const ks_pod *before, const ks_pod *after, ks_arena *arena, ks_error *err)
{
    before = is_bound_now(before, after) ? NULL : unless_over(before);
    after = unless_over(after);
    if (!before && !after)
        return KS_OK;
    if (before && after && same_labels(before, after))
        return KS_OK; /* of updates, only those of labels are told */
    if (before && after && ks_pods_are_same(after, pending)) {
        *helps = true;
        return KS_OK;
    }
    if ((after && !has_place(after)) || (before && !has_place(before)))
        return KS_OK;
    if (terms->faults[KS_TERMS_AFFINITY].data || terms->faults[KS_TERMS_ANTI_AFFINITY].data)
        *helps = true;
    else if (before && after)
        *helps = update_helps(terms, before, after);
    else if (after)
        *helps = matches_all(&terms->lists[KS_TERMS_AFFINITY], after);
    else
        return deletion_helps(helps, terms, pending, before, arena, err);
    return KS_OK;
}

/* ---- nodes ---- */

typedef struct key_change {
    bool had, has, moved;
} key_change;

static key_change change_of(ks_str key, const ks_node *before, const ks_node *after)
{
    ks_str was = ks_labels_get(&before->metadata.labels, key);
    ks_str is = ks_labels_get(&after->metadata.labels, key);
    return (key_change){was.data, is.data, was.data && is.data && !ks_str_eq(was, is)};
}

static bool affinity_node_helps(const ks_affinity_term *term, const ks_node *before, const ks_node *after)
{
    if (!before)
        return ks_labels_get(&after->metadata.labels, term->topology_key).data;
    key_change change = change_of(term->topology_key, before, after);
    return (!change.had && change.has) || change.moved;
}

/* Any new node may do for anti-affinity: one without the key always does. */
static bool anti_affinity_node_helps(const ks_affinity_term *term, const ks_node *before,
                                     const ks_node *after)
{
    if (!before)
        return true;
    key_change change = change_of(term->topology_key, before, after);
    return (change.had && !change.has) || change.moved;
}

static bool node_event_helps(const ks_pod_terms *terms, const ks_node *before, const ks_node *after)
{
    if (!after)
        return false;
    if (before && ks_labels_equal(&before->metadata.labels, &after->metadata.labels))
        return false;
    if (terms->faults[KS_TERMS_AFFINITY].data || terms->faults[KS_TERMS_ANTI_AFFINITY].data)
        return true;
    const ks_affinity_term_list *affinity = &terms->lists[KS_TERMS_AFFINITY];
    for (size_t i = 0; i < affinity->count; i++)
        if (affinity_node_helps(&affinity->items[i], before, after))
            return true;
    const ks_affinity_term_list *anti = &terms->lists[KS_TERMS_ANTI_AFFINITY];
    for (size_t i = 0; i < anti->count; i++)
        if (anti_affinity_node_helps(&anti->items[i], before, after))
            return true;
    return false;
}

/* ---- any event ---- */

int ks_affinity_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                     const ks_object *after, ks_error *err)
{
    ks_kind kind = (before ? before : after)->kind;
    if (kind != KS_POD && kind != KS_NODE)
        return KS_OK;
    ks_arena arena;
    ks_arena_init(&arena, &cluster->alloc);
    ks_pod_terms terms;
    bool helps = false;
    int code = compile(&terms, pending, &arena, err);
    if (code == KS_OK && kind == KS_POD)
        code = pod_event_helps(&helps, &terms, pending, before ? &before->pod : NULL,
                               after ? &after->pod : NULL, &arena, err);
    else if (code == KS_OK)
        helps = node_event_helps(&terms, before ? &before->node : NULL, after ? &after->node : NULL);
    ks_arena_free(&arena);
    if (code == KS_OK && helps)
        *out = KS_HINT_QUEUE;
    return code;
}
