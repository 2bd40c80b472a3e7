// SPDX-License-Identifier: Apache-2.0
/* Which constraints are in force for a pod, and which pods their selectors mean. */
#include "engine/deduce.h"
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
    return plan->head.spec->spec.topology_spread_constraints.count == 0;
}

bool ks_constraints_system_defaulted(const ks_cluster *cluster)
{
    ks_str type = cluster->profile.spread.defaulting_type;
    return type.len == 0 || ks_str_eq(type, KS_STR("System"));
}

static constraint_span constraints_of(const ks_cluster *cluster, const ks_plan *plan)
{
    const ks_topology_spread_constraints *own = &plan->head.spec->spec.topology_spread_constraints;
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
    const ks_labels *labels = &plan->head.class_->labels;
    bool defaults = ks_constraints_are_defaults(plan);
    ks_selector deduced = {0};
    int code = defaults ? ks_deduce_selector(&deduced, cluster, plan->head.class_, arena, err) : KS_OK;
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
