// SPDX-License-Identifier: Apache-2.0
/* Which events are worth another try for a pod that hard constraints refused. */
#include "engine/plugins/pod_topology_spread/plan.h"

static bool same_pod(const ks_pod *a, const ks_pod *b)
{
    if (a->metadata.uid.len && b->metadata.uid.len)
        return ks_str_eq(a->metadata.uid, b->metadata.uid);
    return ks_str_eq(a->metadata.name, b->metadata.name) &&
           ks_str_eq(ks_namespace_or_default(a->metadata.namespace_),
                     ks_namespace_or_default(b->metadata.namespace_));
}

/* Only pods that have, or are about to have, a place in the pending pod's namespace can matter. */
static bool is_involved(const ks_pod *pod, const ks_pod *pending)
{
    if (same_pod(pod, pending))
        return true;
    if (pod->spec.node_name.len == 0 && pod->status.nominated_node_name.len == 0)
        return false;
    return ks_str_eq(ks_namespace_or_default(pod->metadata.namespace_),
                     ks_namespace_or_default(pending->metadata.namespace_));
}

static bool matches_any(const ks_terms *hard, const ks_pod *pod)
{
    for (size_t i = 0; i < hard->count; i++)
        if (ks_selector_matches(&hard->items[i].matcher->selector, &pod->metadata.labels))
            return true;
    return false;
}

static bool matches_differently(const ks_terms *hard, const ks_pod *before, const ks_pod *after)
{
    for (size_t i = 0; i < hard->count; i++) {
        const ks_selector *selector = &hard->items[i].matcher->selector;
        if (ks_selector_matches(selector, &before->metadata.labels) !=
            ks_selector_matches(selector, &after->metadata.labels))
            return true;
    }
    return false;
}

/* Tolerations and taints are strings alone; absent and empty ones mean the same. */
static bool same_texts(const void *a, const void *b, size_t size)
{
    const ks_str *left = a, *right = b;
    for (size_t i = 0; i < size / sizeof(ks_str); i++)
        if (!ks_str_eq(left[i], right[i]))
            return false;
    return true;
}

static bool same_tolerations(const ks_tolerations *a, const ks_tolerations *b)
{
    _Static_assert(sizeof(ks_toleration) == 4 * sizeof(ks_str), "a toleration is four strings");
    return a->count == b->count && same_texts(a->items, b->items, a->count * sizeof *a->items);
}

static bool same_taints(const ks_taints *a, const ks_taints *b)
{
    _Static_assert(sizeof(ks_taint) == 3 * sizeof(ks_str), "a taint is three strings");
    return a->count == b->count && same_texts(a->items, b->items, a->count * sizeof *a->items);
}

static bool honors_taints(const ks_terms *hard)
{
    for (size_t i = 0; i < hard->count; i++)
        if (hard->items[i].honors_taints)
            return true;
    return false;
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

static bool pod_event_helps(const ks_terms *hard, const ks_pod *pending, const ks_pod *before,
                            const ks_pod *after)
{
    before = is_bound_now(before, after) ? NULL : unless_over(before);
    after = unless_over(after);
    if (!before && !after)
        return false;
    if ((after && !is_involved(after, pending)) || (before && !is_involved(before, pending)))
        return false;
    if (!before || !after)
        return matches_any(hard, after ? after : before);
    if (same_pod(after, pending) && honors_taints(hard) &&
        !same_tolerations(&before->spec.tolerations, &after->spec.tolerations))
        return true;
    return matches_differently(hard, before, after);
}

static bool has_all_keys(const ks_terms *hard, const ks_node *node)
{
    for (size_t i = 0; node && i < hard->count; i++)
        if (!ks_labels_get(&node->metadata.labels, ks_topology_key(hard->items[i].topology)).data)
            return false;
    return node != NULL;
}

static bool moves_domain(const ks_terms *hard, const ks_node *before, const ks_node *after)
{
    for (size_t i = 0; i < hard->count; i++) {
        ks_str key = ks_topology_key(hard->items[i].topology);
        if (!ks_str_eq(ks_labels_get(&before->metadata.labels, key),
                       ks_labels_get(&after->metadata.labels, key)))
            return true;
    }
    return false;
}

static bool node_event_helps(const ks_terms *hard, const ks_node *before, const ks_node *after)
{
    bool had = has_all_keys(hard, before), has = has_all_keys(hard, after);
    if (!before || !after || had != has)
        return had || has;
    return has &&
           (moves_domain(hard, before, after) || !same_taints(&before->spec.taints, &after->spec.taints));
}

static bool event_helps(const ks_terms *hard, const ks_pod *pending, const ks_object *before,
                        const ks_object *after)
{
    if (hard->status.code == KS_ERROR)
        return true;
    switch ((before ? before : after)->kind) {
    case KS_POD:
        return pod_event_helps(hard, pending, before ? &before->pod : NULL, after ? &after->pod : NULL);
    case KS_NODE:
        return node_event_helps(hard, before ? &before->node : NULL, after ? &after->node : NULL);
    default:
        return false;
    }
}

int ks_spread_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                   const ks_object *after, ks_error *err)
{
    if (!(cluster->gates & KS_GATE_POD_TOPOLOGY_SPREAD))
        return KS_OK;
    ks_class *class_ = ks_class_get(cluster, &pending->metadata);
    ks_spec *spec = ks_spec_get(cluster, &pending->spec);
    ks_plan *plan = NULL;
    int code = class_ && spec ? ks_plan_get(&plan, cluster, class_, spec, err) : ks_fail_nomem(err);
    if (code == KS_OK && event_helps(&plan->hard, pending, before, after))
        *out = KS_HINT_QUEUE;
    ks_plan_unref(plan);
    ks_class_unref(cluster, class_);
    ks_spec_unref(cluster, spec);
    return code;
}
