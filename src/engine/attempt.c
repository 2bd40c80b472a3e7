// SPDX-License-Identifier: Apache-2.0
#include "engine/attempt.h"

/* ---- nominated pods ---- */

static bool is_guest(const ks_attempt *attempt, const ks_pod_row *pod)
{
    return pod != attempt->pod &&
           ks_spec_priority(attempt->nominator->cluster, pod->spec).value >= attempt->priority;
}

bool ks_pod_list_init(ks_pod_list *list, ks_arena *arena, size_t most)
{
    *list = (ks_pod_list){.pods = ks_arena_get(arena, most * sizeof *list->pods),
                          .rows = ks_arena_get(arena, most * sizeof *list->rows)};
    return list->pods && list->rows;
}

static size_t count_guests(const ks_attempt *attempt, uint32_t node)
{
    const ks_nominator *nominator = attempt->nominator;
    size_t count = 0;
    for (uint32_t i = ks_nominator_first(nominator, node); i != KS_NONE; i = ks_nominator_next(nominator, i))
        count += is_guest(attempt, ks_pod_at(nominator->cluster, i));
    return count;
}

int ks_attempt_guests(ks_pod_list *out, const ks_attempt *attempt, ks_cycle *cycle, uint32_t node,
                      ks_error *err)
{
    const ks_nominator *nominator = attempt->nominator;
    *out = (ks_pod_list){0};
    size_t most = count_guests(attempt, node);
    if (most == 0)
        return KS_OK;
    ks_pod *views = ks_arena_get(&cycle->arena, most * sizeof *views);
    if (!views || !ks_pod_list_init(out, &cycle->arena, most))
        return ks_fail_nomem(err);
    for (uint32_t i = ks_nominator_first(nominator, node); i != KS_NONE;
         i = ks_nominator_next(nominator, i)) {
        const ks_pod_row *pod = ks_pod_at(cycle->cluster, i);
        if (!is_guest(attempt, pod))
            continue;
        ks_pod_view(&views[out->count], pod);
        out->pods[out->count] = &views[out->count];
        out->rows[out->count++] = pod;
    }
    return KS_OK;
}

static ks_verdict try_change(const ks_cycle *cycle, uint32_t node, const ks_change *change)
{
    ks_verdict verdict = {.node = node, .change = *change, .status = {.code = KS_SUCCESS}};
    for (size_t i = 0; i < cycle->runs.count && verdict.status.code == KS_SUCCESS; i++) {
        const ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->filters)
            continue;
        verdict.status = run->plugin->what_if(run->state, node, change, 0);
        verdict.run = i;
    }
    return verdict;
}

ks_status ks_verdict_reason(const ks_cycle *cycle, const ks_verdict *verdict, size_t nth)
{
    const ks_plugin_run *run = &cycle->runs.items[verdict->run];
    return nth == 0 ? verdict->status
                    : run->plugin->what_if(run->state, verdict->node, &verdict->change, nth);
}

static ks_change change_of(const ks_pod_list *added, const ks_pod_list *removed)
{
    return (ks_change){added->pods, removed->pods, added->count, removed->count, added->rows, removed->rows};
}

ks_verdict ks_attempt_try(const ks_cycle *cycle, uint32_t node, const ks_pod_list *guests,
                          const ks_pod_list *removed)
{
    static const ks_pod_list nobody = {0};
    ks_change with = change_of(guests, removed), without = change_of(&nobody, removed);
    if (guests->count > 0) {
        ks_verdict verdict = try_change(cycle, node, &with);
        if (verdict.status.code != KS_SUCCESS)
            return verdict;
    }
    return try_change(cycle, node, &without);
}

/* A node whose guests leave no room gets their verdict, whatever it would get without them. */
static int overrule(const ks_attempt *attempt, ks_cycle *cycle, uint32_t node, ks_error *err)
{
    static const ks_pod_list nobody = {0};
    ks_pod_list guests;
    int code = ks_attempt_guests(&guests, attempt, cycle, node, err);
    if (code != KS_OK || guests.count == 0)
        return code;
    ks_change change = change_of(&guests, &nobody);
    ks_verdict verdict = try_change(cycle, node, &change);
    if (verdict.status.code == KS_SUCCESS)
        return KS_OK;
    ks_nodeset_del(&cycle->feasible, node);
    bool ok =
        verdict.status.code != KS_ERROR && ks_vec_push(&cycle->overrulings, &cycle->cluster->alloc, verdict);
    return ok ? KS_OK : ks_fail_nomem(err);
}

static int yield_to_guests(const ks_attempt *attempt, ks_cycle *cycle, ks_error *err)
{
    if (attempt->nominator->count == 0)
        return KS_OK;
    const ks_nodeset *nodes = &attempt->nominator->nodes;
    for (uint32_t i = ks_nodeset_next(nodes, 0); i != KS_NODESET_END; i = ks_nodeset_next(nodes, i + 1)) {
        bool looked_at = ks_nodeset_has(&cycle->cluster->present, i) &&
                         (!cycle->narrowed.words || ks_nodeset_has(&cycle->narrowed, i));
        int code = looked_at ? overrule(attempt, cycle, i, err) : KS_OK;
        if (code != KS_OK)
            return code;
    }
    return KS_OK;
}

/* ---- which nodes are scored ---- */

static void keep_wanted(ks_attempt *attempt, ks_cycle *cycle)
{
    size_t count = cycle->cluster->nodes_by_name.count, found = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = cycle->cluster->nodes_by_name.items[(attempt->start + i) % count];
        if (!ks_nodeset_has(&cycle->feasible, node))
            continue;
        if (found < attempt->wanted)
            found++;
        else
            ks_nodeset_del(&cycle->feasible, node);
        if (found == attempt->wanted && attempt->looked_at == 0)
            attempt->looked_at = i + 1;
    }
    if (attempt->looked_at == 0)
        attempt->looked_at = count;
}

int ks_attempt_narrow(ks_attempt *attempt, ks_cycle *cycle, ks_error *err)
{
    int code = yield_to_guests(attempt, cycle, err);
    if (code != KS_OK)
        return code;
    const ks_node_row *nominated = ks_nominator_node(attempt->nominator, attempt->pod->row.id);
    attempt->looked_at = 0;
    if (nominated && ks_nodeset_has(&cycle->feasible, nominated->row.id)) {
        ks_nodeset_clear(&cycle->feasible);
        ks_nodeset_add(&cycle->feasible, nominated->row.id);
    } else if (attempt->wanted < cycle->cluster->nodes_by_name.count) {
        keep_wanted(attempt, cycle);
    }
    return KS_OK;
}
