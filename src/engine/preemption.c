// SPDX-License-Identifier: Apache-2.0
#include "engine/preemption.h"

#define NOT_HELPFUL "Preemption is not helpful for scheduling"

enum { CANDIDATES_PERCENT = 10, CANDIDATES_MIN = 100 }; /* DefaultPreemptionArgs' defaults */

void ks_preemption_init(ks_preemption *preemption, ks_cluster *cluster, ks_random *random)
{
    *preemption = (ks_preemption){.random = random};
    ks_arena_init(&preemption->arena, &cluster->alloc);
    ks_buf_init(&preemption->message, &cluster->alloc);
}

void ks_preemption_free(ks_preemption *preemption, ks_cluster *cluster)
{
    ks_arena_free(&preemption->arena);
    ks_buf_free(&preemption->message);
    ks_vec_free(&preemption->victims, &cluster->alloc);
    ks_vec_free(&preemption->reasons, &cluster->alloc);
    ks_vec_free(&preemption->nodes, &cluster->alloc);
}

/* ---- who may preempt ---- */

static bool waits_for_victims(const ks_attempt *attempt, const ks_cycle *cycle, const ks_fit_error *fit)
{
    const ks_node_row *node = ks_nominator_node(attempt->nominator, attempt->pod->row.id);
    if (!node || !ks_nodeset_has(&fit->resolvable, node->row.id))
        return false;
    for (const ks_pod_row *pod = node->pods; pod; pod = pod->next_on_node)
        if (pod->text_len[KS_POD_DELETED] > 0 &&
            ks_spec_priority(cycle->cluster, pod->spec).value < attempt->priority)
            return true;
    return false;
}

/* Why the pod may not preempt others; absent if it may. */
static ks_str ineligible(const ks_attempt *attempt, const ks_cycle *cycle, const ks_fit_error *fit)
{
    if (ks_spec_priority(cycle->cluster, attempt->pod->spec).never_preempts)
        return KS_STR("not eligible due to preemptionPolicy=Never.");
    if (waits_for_victims(attempt, cycle, fit))
        return KS_STR("not eligible due to a terminating pod on the nominated node.");
    return (ks_str){0};
}

/* ---- which node is preferred ---- */

static int64_t priority_of(const ks_cycle *cycle, const ks_pod_row *pod)
{
    return ks_spec_priority(cycle->cluster, pod->spec).value;
}

/* Priorities are counted from the lowest there is, so that more victims never make for a lower sum. */
static int64_t sum_priorities(const ks_cycle *cycle, const ks_candidate *candidate)
{
    int64_t sum = 0;
    for (size_t i = 0; i < candidate->victims_count; i++)
        sum += priority_of(cycle, candidate->victims[i]) - INT32_MIN;
    return sum;
}

/* When the first of the victims of highest priority began to run. */
static int64_t earliest_start(const ks_cycle *cycle, const ks_candidate *candidate)
{
    int64_t highest = priority_of(cycle, candidate->victims[0]), earliest = INT64_MAX;
    for (size_t i = 0; i < candidate->victims_count; i++) {
        int64_t start = ks_victim_start(candidate->victims[i]);
        if (priority_of(cycle, candidate->victims[i]) == highest && start < earliest)
            earliest = start;
    }
    return earliest;
}

/* The published order: fewest budgets violated, lowest highest priority, lowest sum of priorities, fewest
 * victims, latest start of the most important ones; then whichever was found first. */
static bool is_better(const ks_cycle *cycle, const ks_candidate *a, const ks_candidate *b)
{
    if (a->violations != b->violations)
        return a->violations < b->violations;
    int64_t left = priority_of(cycle, a->victims[0]), right = priority_of(cycle, b->victims[0]);
    if (left != right)
        return left < right;
    left = sum_priorities(cycle, a);
    right = sum_priorities(cycle, b);
    if (left != right)
        return left < right;
    if (a->victims_count != b->victims_count)
        return a->victims_count < b->victims_count;
    return earliest_start(cycle, a) > earliest_start(cycle, b);
}

/* ---- candidates ---- */

static size_t candidates_wanted(const ks_cluster *cluster, size_t nodes)
{
    ks_preemption_args args = cluster->profile.preemption;
    if (args.min_candidate_nodes_percentage == 0 && args.min_candidate_nodes_absolute == 0)
        args = (ks_preemption_args){CANDIDATES_PERCENT, CANDIDATES_MIN};
    size_t wanted = nodes * (size_t)args.min_candidate_nodes_percentage / 100;
    if (wanted < (size_t)args.min_candidate_nodes_absolute)
        wanted = (size_t)args.min_candidate_nodes_absolute;
    return wanted < nodes ? wanted : nodes;
}

static bool list_nodes(ks_preemption *preemption, const ks_cycle *cycle, const ks_fit_error *fit)
{
    const ks_cluster *cluster = cycle->cluster;
    preemption->nodes.count = 0;
    if (!ks_vec_reserve(&preemption->nodes, &cycle->cluster->alloc, cluster->nodes_by_name.count))
        return false;
    for (size_t i = 0; i < cluster->nodes_by_name.count; i++) {
        uint32_t node = cluster->nodes_by_name.items[i];
        if (ks_nodeset_has(&fit->resolvable, node))
            preemption->nodes.items[preemption->nodes.count++] = node;
    }
    return true;
}

/* Keeps the better one: upstream collects all candidates before it compares them, to the same end. */
static bool keep(ks_preemption *preemption, ks_cycle *cycle, const ks_candidate *candidate)
{
    if (preemption->found && !is_better(cycle, candidate, &preemption->best))
        return true;
    size_t count = candidate->victims_count;
    if (!ks_vec_reserve(&preemption->victims, &cycle->cluster->alloc, count))
        return false;
    memcpy(preemption->victims.items, candidate->victims, count * sizeof *candidate->victims);
    preemption->found = true;
    preemption->best = *candidate;
    preemption->best.victims = preemption->victims.items;
    return true;
}

static int look_at(ks_candidate *out, ks_preemption *preemption, const ks_attempt *attempt, ks_cycle *cycle,
                   ks_error *err)
{
    ks_arena_reset(&preemption->arena);
    int code = ks_victims_select(out, preemption, attempt, cycle, err);
    if (code == KS_OK && out->victims_count > 0 && !keep(preemption, cycle, out))
        code = ks_fail_nomem(err);
    return code;
}

/* Goes through the nodes from one by chance on, until enough candidates are found, one of them without a
 * violated budget. */
static int find_best(ks_preemption *preemption, const ks_attempt *attempt, ks_cycle *cycle, ks_error *err)
{
    size_t count = preemption->nodes.count, found = 0, clean = 0;
    if (count == 0)
        return KS_OK;
    if (attempt->priority <= cycle->cluster->priority_floor) /* nobody's is lower: no need to look */
        return ks_tallies_add(&preemption->reasons, &cycle->cluster->alloc, KS_STR(KS_NO_VICTIMS), count)
                   ? KS_OK
                   : ks_fail_nomem(err);
    size_t wanted = candidates_wanted(cycle->cluster, count);
    size_t offset = ks_random_below(preemption->random, (uint32_t)count);
    for (size_t i = 0; i < count && (clean == 0 || found < wanted); i++) {
        ks_candidate candidate = {.node = preemption->nodes.items[(offset + i) % count]};
        int code = look_at(&candidate, preemption, attempt, cycle, err);
        if (code != KS_OK)
            return code;
        found += candidate.victims_count > 0;
        clean += candidate.victims_count > 0 && candidate.violations == 0;
    }
    return KS_OK;
}

static int say_why_not(ks_preemption *preemption, const ks_cycle *cycle, ks_error *err)
{
    size_t nodes = cycle->cluster->nodes_by_name.count, others = nodes - preemption->nodes.count;
    if (others > 0 &&
        !ks_tallies_add(&preemption->reasons, &cycle->cluster->alloc, KS_STR(NOT_HELPFUL), others))
        return ks_fail_nomem(err);
    ks_buf_put_str(&preemption->message, KS_STR("preemption: "));
    ks_tallies_print(&preemption->message, &preemption->reasons, nodes);
    preemption->clears = true;
    return preemption->message.failed ? ks_fail_nomem(err) : KS_OK;
}

int ks_preemption_run(ks_preemption *preemption, const ks_attempt *attempt, ks_cycle *cycle,
                      const ks_fit_error *fit, ks_error *err)
{
    preemption->found = false;
    preemption->clears = false;
    preemption->reasons.count = 0;
    ks_buf_clear(&preemption->message);
    ks_str reason = ineligible(attempt, cycle, fit);
    if (reason.data) {
        ks_buf_printf(&preemption->message, "preemption: %.*s", KS_STR_ARG(reason));
        return preemption->message.failed ? ks_fail_nomem(err) : KS_OK;
    }
    if (!list_nodes(preemption, cycle, fit))
        return ks_fail_nomem(err);
    int code = find_best(preemption, attempt, cycle, err);
    return code == KS_OK && !preemption->found ? say_why_not(preemption, cycle, err) : code;
}
