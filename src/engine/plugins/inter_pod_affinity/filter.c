// SPDX-License-Identifier: Apache-2.0
/* Required terms, the pod's own and other pods': which nodes may take the pod. */
#include "engine/plugins/inter_pod_affinity/plan.h"

static bool any_pods(const ks_affinity_plan *plan)
{
    for (size_t i = 0; i < plan->keep_away.count; i++)
        if (plan->keep_away.items[i]->total > 0)
            return true;
    return false;
}

static int refuse_fault(ks_status *out, const ks_affinity_plan *plan, ks_cycle *cycle, ks_error *err)
{
    ks_error text = {0};
    ks_error_set(&text, KS_EINVAL, "parsing pod: %.*s", KS_STR_ARG(plan->fault));
    out->code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
    return ks_arena_copy_str(&cycle->arena, &out->message, ks_str_of(text.message)) ? KS_OK
                                                                                    : ks_fail_nomem(err);
}

int ks_affinity_pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    ks_cluster *cluster = cycle->cluster;
    if (ks_table_count(&cluster->carried) == 0 && !ks_spec_has_pod_affinity(&cycle->spec->spec))
        return KS_OK;
    ks_affinity_state *affinity = ks_arena_get_zeroed(&cycle->arena, sizeof *affinity);
    if (!affinity)
        return ks_fail_nomem(err);
    affinity->cluster = cluster;
    int code = ks_affinity_plan_get(&affinity->plan, cluster, cycle->class_, cycle->spec, err);
    if (code != KS_OK)
        return code;
    *state = affinity;
    const ks_affinity_plan *plan = affinity->plan;
    if (plan->fault.data)
        return refuse_fault(out, plan, cycle, err);
    if (plan->required.count > 0 || plan->anti.count > 0 || any_pods(plan))
        out->code = KS_SUCCESS;
    return KS_OK;
}

void ks_affinity_release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    if (state)
        ks_plan_cache_unref(&((ks_affinity_state *)state)->plan->head);
}

/* The first pod of a group that wants to be together finds no other: any node with the keys will do. */
static bool is_first(const ks_affinity_plan *plan)
{
    for (size_t i = 0; i < plan->required.count; i++)
        if (plan->required.items[i]->tally.total > 0)
            return false;
    return plan->matches_itself;
}

void ks_affinity_filter(void *state, ks_nodeset *nodes)
{
    const ks_affinity_plan *plan = ((const ks_affinity_state *)state)->plan;
    bool first = is_first(plan);
    for (size_t i = 0; i < plan->required.count; i++) {
        const ks_tally *tally = &plan->required.items[i]->tally;
        ks_nodeset_and(nodes, first ? &tally->topology->has : &tally->occupied);
    }
    for (size_t i = 0; i < plan->anti.count; i++)
        ks_nodeset_and_not(nodes, &plan->anti.items[i]->tally.occupied);
    for (size_t i = 0; i < plan->keep_away.count; i++)
        if (plan->keep_away.items[i]->total > 0)
            ks_nodeset_and_not(nodes, &plan->keep_away.items[i]->occupied);
}
