// SPDX-License-Identifier: Apache-2.0
/* Which constraints are in force for a pod, and which pods their selectors mean. */
#include "engine/plugins/pod_topology_spread/plan.h"

/* What kube-scheduler applies where neither the pod nor the operator says anything. */
static const ks_topology_spread_constraint system_defaults[] = {
    {.max_skew = 3,
     .topology_key = {"kubernetes.io/hostname", 22},
     .when_unsatisfiable = {"ScheduleAnyway", 14}},
    {.max_skew = 5,
     .topology_key = {"topology.kubernetes.io/zone", 27},
     .when_unsatisfiable = {"ScheduleAnyway", 14}},
};

typedef struct constraint_span {
    const ks_topology_spread_constraint *items;
    size_t count;
} constraint_span;

bool ks_constraints_are_defaults(const ks_plan *plan)
{
    return plan->spec->spec.topology_spread_constraints.count == 0;
}

bool ks_constraints_system_defaulted(const ks_cluster *cluster)
{
    ks_str type = cluster->profile.spread.defaulting_type;
    return type.len == 0 || ks_str_eq(type, KS_STR("System"));
}

static constraint_span constraints_of(const ks_cluster *cluster, const ks_plan *plan)
{
    const ks_topology_spread_constraints *own = &plan->spec->spec.topology_spread_constraints;
    if (own->count > 0)
        return (constraint_span){own->items, own->count};
    if (ks_constraints_system_defaulted(cluster))
        return (constraint_span){system_defaults, sizeof system_defaults / sizeof *system_defaults};
    const ks_topology_spread_constraints *given = &cluster->profile.spread.default_constraints;
    return (constraint_span){given->items, given->count};
}

/* ---- the pod's own selectors ---- */

/* matchLabelKeys: the pod's own values of these keys join the selector. A selector that matches nothing
 * stays so. */
static int add_match_label_keys(ks_selector *selector, const ks_topology_spread_constraint *constraint,
                                const ks_labels *pod_labels, ks_arena *arena, ks_error *err)
{
    if (selector->nothing || constraint->match_label_keys.count == 0)
        return KS_OK;
    ks_labels wanted = {ks_arena_get(arena, constraint->match_label_keys.count * sizeof(ks_label)), 0};
    if (!wanted.items)
        return ks_fail_nomem(err);
    for (size_t i = 0; i < constraint->match_label_keys.count; i++) {
        ks_str key = constraint->match_label_keys.items[i];
        ks_str value = ks_labels_get(pod_labels, key);
        if (value.data)
            wanted.items[wanted.count++] = (ks_label){key, value};
    }
    ks_labels_sort(&wanted);
    ks_selector more;
    int code = ks_selector_from_labels(&more, &wanted, arena, err);
    return code == KS_OK ? ks_selector_merge(selector, &more, arena, err) : code;
}

static int compile_own(ks_selector *out, const ks_cluster *cluster,
                       const ks_topology_spread_constraint *constraint, const ks_labels *pod_labels,
                       ks_arena *arena, ks_error *err)
{
    int code = ks_selector_compile(out, constraint->label_selector, arena, err);
    if (code != KS_OK || !(cluster->gates & KS_GATE_MATCH_LABEL_KEYS))
        return code;
    return add_match_label_keys(out, constraint, pod_labels, arena, err);
}

/* ---- deduced selectors ---- */

/* Adds `more` to the map; a key that is there already takes the new value. */
static bool merge_labels(ks_labels *map, const ks_labels *more, ks_arena *arena)
{
    ks_label *items = ks_arena_get(arena, (map->count + more->count) * sizeof *items);
    if (!items)
        return false;
    if (map->count)
        memcpy(items, map->items, map->count * sizeof *items);
    if (more->count)
        memcpy(items + map->count, more->items, more->count * sizeof *items);
    map->items = items;
    map->count += more->count;
    ks_labels_sort(map);
    return true;
}

/* An absent selector of a Service selects nothing, not everything. */
static bool service_selects(const ks_service *service, const ks_labels *pod_labels)
{
    const ks_labels *selector = &service->spec.selector;
    for (size_t i = 0; i < selector->count; i++) {
        ks_str value = ks_labels_get(pod_labels, selector->items[i].key);
        if (!value.data || !ks_str_eq(value, selector->items[i].value))
            return false;
    }
    return selector->items != NULL;
}

static bool merge_services(ks_labels *map, const ks_class *class_, ks_arena *arena)
{
    for (size_t i = 0; i < class_->space->services.count; i++) {
        const ks_service *service = &class_->space->services.items[i]->object.service;
        if (service_selects(service, &class_->labels) && !merge_labels(map, &service->spec.selector, arena))
            return false;
    }
    return true;
}

static const ks_stored *controller_of(const ks_cluster *cluster, const ks_class *class_)
{
    static const ks_kind kinds[] = {KS_REPLICATION_CONTROLLER, KS_REPLICA_SET, KS_STATEFUL_SET};
    const ks_owner_reference *owner = &class_->controller;
    ks_kind kind = ks_kind_of(owner->api_version, owner->kind);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kind == kinds[i])
            return ks_stored_find(cluster, kind, ks_space_name(class_->space), owner->name);
    return NULL;
}

/* The selector of the Services that select the pod and of the controller that owns it. A controller's
 * selector that does not compile is left out, as upstream does. */
static int deduce_selector(ks_selector *out, const ks_cluster *cluster, const ks_class *class_,
                           ks_arena *arena, ks_error *err)
{
    ks_labels map = {0};
    const ks_stored *controller = controller_of(cluster, class_);
    bool by_labels = controller && controller->object.kind == KS_REPLICATION_CONTROLLER;
    if (!merge_services(&map, class_, arena) ||
        (by_labels && !merge_labels(&map, &controller->object.replication_controller.spec.selector, arena)))
        return ks_fail_nomem(err);
    int code = ks_selector_from_labels(out, &map, arena, err);
    if (code != KS_OK || !controller || by_labels)
        return code;
    ks_selector more;
    code = ks_selector_compile(&more, controller->object.workload.spec.selector, arena, err);
    if (code == KS_EINVAL || (code == KS_OK && more.nothing))
        return KS_OK;
    return code == KS_OK ? ks_selector_merge(out, &more, arena, err) : code;
}

/* ---- all of one sort ---- */

static int fail_status(ks_status *status, bool hard, const ks_error *cause, ks_arena *arena, ks_error *err)
{
    ks_error text = *cause;
    ks_error_wrap(&text, KS_EINVAL,
                  hard ? "get constraints from pod: obtaining pod's hard topology spread constraints"
                       : "calculating preScoreState: obtaining pod's soft topology spread constraints");
    status->code = KS_ERROR;
    if (!ks_arena_copy_str(arena, &status->message, ks_str_of(text.message)))
        return ks_fail_nomem(err);
    return KS_OK;
}

int ks_constraints_compile(ks_compiled_list *out, ks_status *status, const ks_cluster *cluster,
                           const ks_plan *plan, bool hard, ks_arena *arena, ks_error *err)
{
    constraint_span all = constraints_of(cluster, plan);
    ks_str action = hard ? KS_STR("DoNotSchedule") : KS_STR("ScheduleAnyway");
    const ks_labels *labels = &plan->class_->labels;
    bool defaults = ks_constraints_are_defaults(plan);
    ks_selector deduced = {0};
    int code = defaults ? deduce_selector(&deduced, cluster, plan->class_, arena, err) : KS_OK;
    if (code != KS_OK)
        return code;
    out->count = 0;
    out->items = ks_arena_get(arena, all.count * sizeof *out->items);
    if (!out->items)
        return ks_fail_nomem(err);
    if (defaults && ks_selector_empty(&deduced))
        return KS_OK;
    for (size_t i = 0; i < all.count; i++) {
        if (!ks_str_eq(all.items[i].when_unsatisfiable, action))
            continue;
        ks_compiled *compiled = &out->items[out->count];
        *compiled = (ks_compiled){&all.items[i], deduced};
        ks_error cause = {0};
        if (!defaults)
            code = compile_own(&compiled->selector, cluster, &all.items[i], labels, arena, &cause);
        if (code == KS_EINVAL) {
            out->count = 0;
            return fail_status(status, hard, &cause, arena, err);
        }
        if (code != KS_OK)
            return ks_fail_nomem(err);
        out->count++;
    }
    return KS_OK;
}
