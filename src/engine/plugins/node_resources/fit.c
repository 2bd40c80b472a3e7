// SPDX-License-Identifier: Apache-2.0
/* NodeResourcesFit: whether a node has room, and how much would be left. */
#include "engine/plugins/node_resources/outlook.h"

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SUCCESS};
    return ks_outlook_begin(state, cycle, err);
}

static void filter(void *state, ks_nodeset *nodes)
{
    ks_nodeset_and(nodes, &((ks_outlook_state *)state)->outlook->fits);
}

/* ---- why not ---- */

/* What is wanted, taken and there of one resource. */
typedef struct balance {
    ks_str refusal;
    int64_t asked, requested, allocatable;
    bool is_pods; /* their number alone never makes a node hopeless */
} balance;

/* Reasons as they are found; the nth is kept. */
typedef struct findings {
    size_t nth, count;
    ks_str reason;
    bool unresolvable;
} findings;

static void weigh(findings *found, const balance *resource)
{
    if (resource->asked <= 0 ||
        resource->asked <= ks_wrapping_sub(resource->allocatable, resource->requested))
        return;
    if (found->count++ == found->nth)
        found->reason = resource->refusal;
    found->unresolvable |= !resource->is_pods && resource->asked > resource->allocatable;
}

/* What pods that come and go make of a node's usage; preemption's view. */
static int64_t shift_by(const ks_change *change, ks_str name)
{
    const ks_request_rule rule = {0};
    int64_t shift = 0;
    for (size_t i = 0; i < change->added_count; i++)
        shift = ks_wrapping_add(shift,
                                ks_request_amount(ks_request_of(&change->added[i]->spec, name, rule), name));
    for (size_t i = 0; i < change->removed_count; i++)
        shift = ks_wrapping_sub(
            shift, ks_request_amount(ks_request_of(&change->removed[i]->spec, name, rule), name));
    return shift;
}

/* The same for a resource that every node has: stored pods' demands are known. */
static int64_t sum_base(const ks_pod *const *pods, const ks_pod_row *const *rows, size_t count, int base)
{
    const ks_request_rule rule = {0};
    ks_str name = ks_base_resource_name(base);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = ks_wrapping_add(sum, rows ? rows[i]->spec->demand->asked.of[base]
                                        : ks_request_amount(ks_request_of(&pods[i]->spec, name, rule), name));
    return sum;
}

static int64_t shift_base(const ks_change *change, int base)
{
    if (base == KS_PODS)
        return (int64_t)change->added_count - (int64_t)change->removed_count;
    return ks_wrapping_sub(sum_base(change->added, change->added_rows, change->added_count, base),
                           sum_base(change->removed, change->removed_rows, change->removed_count, base));
}

static void weigh_base(findings *found, const ks_outlook_state *state, uint32_t node, const ks_change *change)
{
    static const ks_str refusals[KS_BASE_RESOURCES] = {
        [KS_PODS] = {"Too many pods", 13},
        [KS_CPU] = {"Insufficient cpu", 16},
        [KS_MEMORY] = {"Insufficient memory", 19},
        [KS_STORAGE] = {"Insufficient ephemeral-storage", 30},
    };
    const ks_usage *usage = &state->cluster->ledger.usage[node];
    for (int base = 0; base < KS_BASE_RESOURCES; base++) {
        balance resource = {
            .refusal = refusals[base],
            .asked = state->outlook->demand->asked.of[base],
            .requested = usage->requested.of[base],
            .allocatable = usage->allocatable.of[base],
            .is_pods = base == KS_PODS,
        };
        if (resource.asked <= 0) /* nothing that could be short */
            continue;
        resource.requested = ks_wrapping_add(resource.requested, shift_base(change, base));
        weigh(found, &resource);
    }
}

static void weigh_scalars(findings *found, const ks_outlook_state *state, uint32_t node,
                          const ks_change *change)
{
    for (size_t i = 0; i < state->outlook->checked.count; i++) {
        const ks_scalar_demand *demand = &state->outlook->checked.items[i];
        const ks_scalar_usage *usage = &demand->scalar->usage[node];
        balance resource = {
            .refusal = ks_scalar_refusal(demand->scalar),
            .asked = demand->asked,
            .requested = ks_wrapping_add(usage->requested, shift_by(change, ks_scalar_name(demand->scalar))),
            .allocatable = usage->allocatable,
        };
        weigh(found, &resource);
    }
}

/* Upstream names the extended resources in no order; here it is that of their names. */
static ks_status judge_change(const ks_outlook_state *state, uint32_t node, const ks_change *change,
                              size_t nth)
{
    findings found = {.nth = nth};
    weigh_base(&found, state, node, change);
    weigh_scalars(&found, state, node, change);
    if (found.count == 0)
        return (ks_status){.code = KS_SUCCESS};
    return (ks_status){
        .code = found.unresolvable ? KS_UNSCHEDULABLE_AND_UNRESOLVABLE : KS_UNSCHEDULABLE,
        .message = found.reason,
        .more = found.count > nth + 1,
    };
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    return judge_change(state, node, &(ks_change){0}, nth);
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    return judge_change(state, node, change, nth);
}

/* ---- scores ---- */

static int pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    (void)state;
    (void)cycle;
    (void)nodes;
    (void)err;
    *out = (ks_status){.code = KS_SUCCESS};
    return KS_OK;
}

static void score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const ks_outlook_state *outlook = state;
    ks_outlook_read(outlook, outlook->outlook->fit_scores, scores);
}

const ks_plugin ks_node_resources_fit = {
    .name = "NodeResourcesFit",
    .pre_filter = pre_filter,
    .filter = filter,
    .judge = judge,
    .pre_score = pre_score,
    .score = score,
    .normalize = ks_outlook_normalize,
    .what_if = what_if,
    .hint = ks_fit_hint,
    .release = ks_outlook_release,
};
