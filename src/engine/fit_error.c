// SPDX-License-Identifier: Apache-2.0
#include "engine/fit_error.h"
#include "util/sort.h"
#include <stdio.h>

/* ---- tallies ---- */

bool ks_tallies_add(ks_tallies *tallies, ks_alloc *alloc, ks_str reason, size_t count)
{
    for (size_t i = 0; i < tallies->count; i++) {
        ks_tally *tally = &tallies->items[i];
        if (tally->reason.data != reason.data && !ks_str_eq(tally->reason, reason))
            continue;
        tally->count += count;
        return true;
    }
    return ks_vec_push(tallies, alloc, (ks_tally){reason, count});
}

bool ks_tallies_add_verdict(ks_tallies *tallies, const ks_cycle *cycle, const ks_verdict *verdict)
{
    ks_status status = {.more = true};
    for (size_t nth = 0; status.more; nth++) {
        status = ks_verdict_reason(cycle, verdict, nth);
        if (!ks_tallies_add(tallies, &cycle->cluster->alloc, status.message, 1))
            return false;
    }
    return true;
}

/* kube-scheduler sorts the finished texts, so "10 node(s) …" comes before "2 node(s) …". */
static int by_text(const void *a_, const void *b_)
{
    const ks_tally *a = a_, *b = b_;
    char left[24], right[24];
    snprintf(left, sizeof left, "%zu ", a->count);
    snprintf(right, sizeof right, "%zu ", b->count);
    int order = strcmp(left, right);
    return order != 0 ? order : ks_str_cmp(a->reason, b->reason);
}

void ks_tallies_print(ks_buf *out, ks_tallies *tallies, size_t nodes)
{
    ks_sort(tallies->items, tallies->count, sizeof *tallies->items, by_text);
    ks_buf_printf(out, "0/%zu nodes are available:", nodes);
    for (size_t i = 0; i < tallies->count; i++)
        ks_buf_printf(out, "%s %zu %.*s", i ? "," : "", tallies->items[i].count,
                      KS_STR_ARG(tallies->items[i].reason));
    if (tallies->count > 0)
        ks_buf_put_char(out, '.');
}

/* ---- a cycle's refusals ---- */

static void note(ks_fit_error *fit, size_t run, uint32_t node, ks_code code)
{
    fit->refusers |= UINT64_C(1) << run;
    if (code == KS_UNSCHEDULABLE)
        ks_nodeset_add(&fit->resolvable, node);
}

static bool count_node(ks_fit_error *fit, const ks_cycle *cycle, size_t run, uint32_t node)
{
    const ks_plugin_run *at = &cycle->runs.items[run];
    ks_status status = {.more = true};
    for (size_t nth = 0; status.more; nth++) {
        status = at->plugin->judge(at->state, node, nth);
        if (!ks_tallies_add(&fit->reasons, &cycle->cluster->alloc, status.message, 1))
            return false;
    }
    note(fit, run, node, status.code);
    return true;
}

/* Filters once more, step by step: who takes a node out is who refuses it. */
static bool count_filtered(ks_fit_error *fit, const ks_cycle *cycle)
{
    for (size_t i = 0; i < cycle->runs.count; i++) {
        const ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->filters)
            continue;
        ks_nodeset_copy(&fit->before, &fit->left);
        run->plugin->filter(run->state, &fit->left);
        ks_nodeset_and_not(&fit->before, &fit->left);
        for (uint32_t node = ks_nodeset_next(&fit->before, 0); node != KS_NODESET_END;
             node = ks_nodeset_next(&fit->before, node + 1))
            if (!count_node(fit, cycle, i, node))
                return false;
    }
    return true;
}

static bool count_overrulings(ks_fit_error *fit, const ks_cycle *cycle)
{
    for (size_t i = 0; i < cycle->overrulings.count; i++) {
        const ks_verdict *overruling = &cycle->overrulings.items[i];
        ks_nodeset_del(&fit->left, overruling->node);
        note(fit, overruling->run, overruling->node, overruling->status.code);
        if (!ks_tallies_add_verdict(&fit->reasons, cycle, overruling))
            return false;
    }
    return true;
}

static size_t run_of(const ks_cycle *cycle, ks_str plugin)
{
    size_t run = 0;
    while (!ks_str_eq(ks_str_of(cycle->runs.items[run].plugin->name), plugin))
        run++;
    return run;
}

static bool count_narrowed(ks_fit_error *fit, const ks_cycle *cycle)
{
    if (!cycle->narrowed.words)
        return true;
    fit->refusers |= UINT64_C(1) << run_of(cycle, cycle->narrowed_by);
    size_t before = ks_nodeset_count(&fit->left);
    ks_nodeset_and(&fit->left, &cycle->narrowed);
    size_t gone = before - ks_nodeset_count(&fit->left);
    return gone == 0 || ks_tallies_add(&fit->reasons, &cycle->cluster->alloc, cycle->narrowed_reason, gone);
}

/* The pod was refused as a whole, or a plugin failed, which names nobody. */
static void note_pre_filter(ks_fit_error *fit, const ks_cycle *cycle)
{
    if (cycle->pre_filter.code == KS_ERROR)
        return;
    fit->refusers = UINT64_C(1) << run_of(cycle, cycle->failed_plugin);
    if (cycle->pre_filter.code == KS_UNSCHEDULABLE)
        ks_nodeset_copy(&fit->resolvable, &fit->left);
}

int ks_fit_error_fill(ks_fit_error *fit, const ks_cycle *cycle, ks_error *err)
{
    ks_cluster *cluster = cycle->cluster;
    fit->reasons.count = 0;
    fit->refusers = 0;
    if (!ks_nodeset_resize(&fit->resolvable, &cluster->alloc, cluster->node_cap) ||
        !ks_nodeset_resize(&fit->left, &cluster->alloc, cluster->node_cap) ||
        !ks_nodeset_resize(&fit->before, &cluster->alloc, cluster->node_cap))
        return ks_fail_nomem(err);
    ks_nodeset_clear(&fit->resolvable);
    ks_nodeset_copy(&fit->left, &cluster->present);
    if (cycle->pre_filter.code != KS_SUCCESS) {
        note_pre_filter(fit, cycle);
        return KS_OK;
    }
    bool ok = count_narrowed(fit, cycle) && count_overrulings(fit, cycle) && count_filtered(fit, cycle);
    return ok ? KS_OK : ks_fail_nomem(err);
}

void ks_fit_error_print(ks_buf *out, ks_fit_error *fit, const ks_cycle *cycle, ks_str post_filter)
{
    size_t nodes = cycle->cluster->nodes_by_name.count;
    if (nodes == 0) {
        ks_buf_put_str(out, KS_STR("no nodes available to schedule pods"));
        return;
    }
    if (cycle->pre_filter.code == KS_ERROR) {
        ks_buf_put_str(out, cycle->pre_filter.message);
        return;
    }
    if (cycle->pre_filter.code == KS_SUCCESS)
        ks_tallies_print(out, &fit->reasons, nodes);
    else
        ks_buf_printf(out, "0/%zu nodes are available: %.*s.", nodes, KS_STR_ARG(cycle->pre_filter.message));
    if (post_filter.len)
        ks_buf_printf(out, " %.*s", KS_STR_ARG(post_filter));
}

void ks_fit_error_free(ks_fit_error *fit, ks_alloc *alloc)
{
    ks_vec_free(&fit->reasons, alloc);
    ks_nodeset_free(&fit->resolvable, alloc);
    ks_nodeset_free(&fit->left, alloc);
    ks_nodeset_free(&fit->before, alloc);
}
