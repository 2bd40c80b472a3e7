// SPDX-License-Identifier: Apache-2.0
/* Which events are worth another try for a pod that found no room. */
#include "engine/plugins/node_resources/outlook.h"

static int64_t asked_by(const ks_pod *pod, ks_str name)
{
    return ks_request_amount(ks_request_of(&pod->spec, name, (ks_request_rule){0}), name);
}

/* The scheduler has no eyes for resources of other names. */
static bool is_counted(ks_str name)
{
    int base = ks_base_resource_find(name);
    return base == KS_BASE_RESOURCES ? ks_resource_is_scalar(name) : base != KS_PODS;
}

/* The next resource behind `after` that the pod asks some of; an absent name behind the last. */
static ks_str next_asked(const ks_pod *pod, ks_str after)
{
    ks_str name = ks_request_next_name(&pod->spec, after);
    while (name.data && (!is_counted(name) || asked_by(pod, name) == 0))
        name = ks_request_next_name(&pod->spec, name);
    return name;
}

/* ---- pods ---- */

/* Any request that is lower or gone makes an update one that scales down; that of 0 may be gone, too. */
static bool is_scaled_down(const ks_pod *before, const ks_pod *after)
{
    const ks_request_rule rule = {0};
    for (ks_str name = ks_request_next_name(&before->spec, (ks_str){0}); name.data;
         name = ks_request_next_name(&before->spec, name)) {
        ks_request had = ks_request_of(&before->spec, name, rule);
        ks_request has = ks_request_of(&after->spec, name, rule);
        if (had.set && (!has.set || had.billionths > has.billionths))
            return true;
    }
    return false;
}

static bool frees_some(const ks_pod *pending, const ks_pod *before, const ks_pod *after)
{
    for (ks_str name = next_asked(pending, (ks_str){0}); name.data; name = next_asked(pending, name))
        if (asked_by(before, name) > asked_by(after, name))
            return true;
    return false;
}

static bool same_pod(const ks_pod *a, const ks_pod *b)
{
    if (a->metadata.uid.len && b->metadata.uid.len)
        return ks_str_eq(a->metadata.uid, b->metadata.uid);
    return ks_str_eq(a->metadata.name, b->metadata.name) &&
           ks_str_eq(ks_namespace_or_default(a->metadata.namespace_),
                     ks_namespace_or_default(b->metadata.namespace_));
}

static bool has_place(const ks_pod *pod)
{
    return pod->spec.node_name.len > 0 || pod->status.nominated_node_name.len > 0;
}

/* kube-scheduler's informers know no pods that are over, and tell of a binding as of a pod that comes. */
static bool pod_event_helps(const ks_pod *pending, const ks_pod *before, const ks_pod *after)
{
    if (!before || ks_phase_is_over(before->status.phase))
        return false;
    if (!after || ks_phase_is_over(after->status.phase))
        return has_place(before);
    if (before->spec.node_name.len == 0 && after->spec.node_name.len > 0)
        return false;
    if (same_pod(after, pending))
        return is_scaled_down(before, after);
    return after->spec.node_name.len > 0 && frees_some(pending, before, after);
}

/* ---- nodes ---- */

/* Whether the pod would fit the node if it were empty. What the configuration ignores is asked for here
 * as well, as upstream does. */
static bool is_large_enough(const ks_node *node, const ks_pod *pending)
{
    const ks_resources *allocatable = &node->status.allocatable;
    if (ks_resources_amount(allocatable, KS_STR("pods")) < 1)
        return false;
    for (ks_str name = next_asked(pending, (ks_str){0}); name.data; name = next_asked(pending, name))
        if (asked_by(pending, name) > ks_resources_amount(allocatable, name))
            return false;
    return true;
}

static bool has_grown(const ks_node *before, const ks_node *after, const ks_pod *pending)
{
    const ks_resources *had = &before->status.allocatable, *has = &after->status.allocatable;
    if (ks_resources_amount(has, KS_STR("pods")) > ks_resources_amount(had, KS_STR("pods")))
        return true;
    for (ks_str name = next_asked(pending, (ks_str){0}); name.data; name = next_asked(pending, name))
        if (ks_resources_amount(has, name) > ks_resources_amount(had, name))
            return true;
    return false;
}

static bool node_event_helps(const ks_pod *pending, const ks_node *before, const ks_node *after)
{
    return after && is_large_enough(after, pending) && (!before || has_grown(before, after, pending));
}

int ks_fit_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err)
{
    (void)cluster;
    (void)err;
    bool helps = false;
    switch ((before ? before : after)->kind) {
    case KS_POD:
        helps = pod_event_helps(pending, before ? &before->pod : NULL, after ? &after->pod : NULL);
        break;
    case KS_NODE:
        helps = node_event_helps(pending, before ? &before->node : NULL, after ? &after->node : NULL);
        break;
    default:
        break;
    }
    if (helps)
        *out = KS_HINT_QUEUE;
    return KS_OK;
}
