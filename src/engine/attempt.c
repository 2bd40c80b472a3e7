// SPDX-License-Identifier: Apache-2.0
#include "engine/attempt.h"

/* ---- nominated pods ---- */

static bool is_guest(const ks_attempt *attempt, const ks_pod_row *pod)
{
    return pod != attempt->pod &&
           ks_spec_priority(attempt->nominator->cluster, pod->spec).value >= attempt->priority;
}

int ks_attempt_guests(ks_guests *out, const ks_attempt *attempt, ks_cycle *cycle, uint32_t node,
                      ks_error *err)
{
    const ks_nominator *nominator = attempt->nominator;
    *out = (ks_guests){0};
    size_t most = 0;
    for (uint32_t i = ks_nominator_first(nominator, node); i != KS_NONE; i = ks_nominator_next(nominator, i))
        most += is_guest(attempt, ks_pod_at(cycle->cluster, i));
    if (most == 0)
        return KS_OK;
    ks_pod *views = ks_arena_get(&cycle->arena, most * sizeof *views);
    out->pods = ks_arena_get(&cycle->arena, most * sizeof *out->pods);
    if (!views || !out->pods)
        return ks_fail_nomem(err);
    for (uint32_t i = ks_nominator_first(nominator, node); i != KS_NONE;
         i = ks_nominator_next(nominator, i)) {
        if (!is_guest(attempt, ks_pod_at(cycle->cluster, i)))
            continue;
        ks_pod_view(&views[out->count], ks_pod_at(cycle->cluster, i));
        out->pods[out->count] = &views[out->count];
        out->count++;
    }
    return KS_OK;
}

static ks_status try_change(size_t *run, const ks_cycle *cycle, uint32_t node, const ks_what_if *change)
{
    for (size_t i = 0; i < cycle->runs.count; i++) {
        const ks_plugin_run *at = &cycle->runs.items[i];
        if (!at->filters)
            continue;
        ks_status status = at->plugin->what_if(at->state, node, change);
        if (status.code == KS_SUCCESS)
            continue;
        *run = i;
        return status;
    }
    return (ks_status){.code = KS_SUCCESS};
}

ks_status ks_attempt_try(size_t *run, const ks_cycle *cycle, uint32_t node, const ks_guests *guests,
                         const ks_pod *const *removed, size_t removed_count)
{
    ks_what_if change = {.removed = removed, .removed_count = removed_count};
    if (guests->count > 0) {
        change.added = guests->pods;
        change.added_count = guests->count;
        ks_status status = try_change(run, cycle, node, &change);
        if (status.code != KS_SUCCESS)
            return status;
        change.added = NULL;
        change.added_count = 0;
    }
    return try_change(run, cycle, node, &change);
}

/* A node whose guests leave no room gets their verdict, whatever it would get without them. */
static int overrule(const ks_attempt *attempt, ks_cycle *cycle, uint32_t node, ks_error *err)
{
    ks_guests guests;
    int code = ks_attempt_guests(&guests, attempt, cycle, node, err);
    if (code != KS_OK || guests.count == 0)
        return code;
    ks_overruling overruling = {.node = node};
    ks_what_if change = {.added = guests.pods, .added_count = guests.count};
    overruling.status = try_change(&overruling.run, cycle, node, &change);
    if (overruling.status.code == KS_SUCCESS)
        return KS_OK;
    ks_nodeset_del(&cycle->feasible, node);
    return ks_vec_push(&cycle->overrulings, &cycle->cluster->alloc, overruling) ? KS_OK : ks_fail_nomem(err);
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
