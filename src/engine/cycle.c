// SPDX-License-Identifier: Apache-2.0
/* One pod's way through the plugins. */
#include "engine/plugin.h"

int ks_cycle_new(ks_cycle **out, ks_cluster *cluster, ks_error *err)
{
    ks_cycle *cycle = ks_alloc_get_zeroed(&cluster->alloc, sizeof *cycle);
    if (!cycle)
        return ks_fail_nomem(err);
    cycle->cluster = cluster;
    ks_arena_init(&cycle->arena, &cluster->alloc);
    for (size_t i = 0; i < cluster->profile.plugins.count; i++) {
        ks_plugin_use use = cluster->profile.plugins.items[i];
        const ks_plugin *plugin = ks_plugin_find(use.name);
        if (!plugin)
            continue;
        if (!ks_vec_push(&cycle->runs, &cluster->alloc, (ks_plugin_run){.plugin = plugin, .use = use})) {
            ks_cycle_free(cycle);
            return ks_fail_nomem(err);
        }
    }
    *out = cycle;
    return KS_OK;
}

/* Gives back what the last run held. */
static void end_run(ks_cycle *cycle)
{
    for (size_t i = 0; i < cycle->runs.count; i++) {
        ks_plugin_run *run = &cycle->runs.items[i];
        run->plugin->release(cycle->cluster, run->state);
        *run = (ks_plugin_run){.plugin = run->plugin, .use = run->use};
    }
    ks_class_unref(cycle->cluster, cycle->class_);
    ks_spec_unref(cycle->cluster, cycle->spec);
    cycle->class_ = NULL;
    cycle->spec = NULL;
    cycle->ran = false;
    cycle->total = NULL;
    cycle->failed_plugin = (ks_str){0};
    cycle->listed = SIZE_MAX;
    ks_arena_reset(&cycle->arena);
}

void ks_cycle_free(ks_cycle *cycle)
{
    if (!cycle)
        return;
    end_run(cycle);
    ks_alloc *alloc = &cycle->cluster->alloc;
    ks_arena_free(&cycle->arena);
    ks_vec_free(&cycle->runs, alloc);
    ks_nodeset_free(&cycle->feasible, alloc);
    ks_alloc_free(alloc, cycle->listing, cycle->listing_cap * sizeof *cycle->listing);
    ks_alloc_free(alloc, cycle, sizeof *cycle);
}

/* An error of a plugin's, with the framework's words in front as kube-scheduler has them. */
static int fail_with(ks_status *out, ks_cycle *cycle, const char *point, const ks_plugin *plugin,
                     ks_str message, ks_error *err)
{
    ks_buf buf;
    ks_buf_init(&buf, &cycle->cluster->alloc);
    ks_buf_printf(&buf, "running %s plugin \"%s\": %.*s", point, plugin->name, KS_STR_ARG(message));
    out->code = KS_ERROR;
    bool ok = !buf.failed && ks_arena_copy_str(&cycle->arena, &out->message, ks_buf_str(&buf));
    ks_buf_free(&buf);
    cycle->failed_plugin = ks_str_of(plugin->name);
    return ok ? KS_OK : ks_fail_nomem(err);
}

static int filter(ks_cycle *cycle, ks_error *err)
{
    cycle->pre_filter = (ks_status){.code = KS_SUCCESS};
    for (size_t i = 0; i < cycle->runs.count; i++) {
        ks_plugin_run *run = &cycle->runs.items[i];
        ks_status status;
        int code = run->plugin->pre_filter(&status, &run->state, cycle, err);
        if (code != KS_OK)
            return code;
        if (run->use.filters && status.code == KS_ERROR) {
            ks_nodeset_clear(&cycle->feasible);
            return fail_with(&cycle->pre_filter, cycle, "PreFilter", run->plugin, status.message, err);
        }
        run->filters = run->use.filters && status.code == KS_SUCCESS;
    }
    for (size_t i = 0; i < cycle->runs.count; i++)
        if (cycle->runs.items[i].filters)
            cycle->runs.items[i].plugin->filter(cycle->runs.items[i].state, &cycle->feasible);
    return KS_OK;
}

static int pre_score(ks_cycle *cycle, ks_error *err)
{
    cycle->pre_score = (ks_status){.code = KS_SUCCESS};
    for (size_t i = 0; i < cycle->runs.count; i++) {
        ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->use.scores)
            continue;
        ks_status status;
        int code = run->plugin->pre_score(&status, run->state, cycle, &cycle->feasible, err);
        if (code != KS_OK)
            return code;
        if (status.code == KS_ERROR)
            return fail_with(&cycle->pre_score, cycle, "PreScore", run->plugin, status.message, err);
        run->scores = status.code == KS_SUCCESS;
    }
    return KS_OK;
}

/* For all nodes: what is written for those that did not pass is never read. */
static void add_weighted(ks_cycle *cycle, ks_plugin_run *run)
{
    double *total = cycle->total, *column = run->column;
    for (size_t i = 0; i < cycle->cluster->nodes.rows.count; i++) {
        column[i] *= run->use.weight;
        total[i] += column[i];
    }
}

static int score(ks_cycle *cycle, ks_error *err)
{
    size_t size = cycle->cluster->node_cap * sizeof *cycle->total;
    for (size_t i = 0; i < cycle->runs.count; i++) {
        ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->scores)
            continue;
        if (!cycle->total && !(cycle->total = ks_arena_get_zeroed(&cycle->arena, size)))
            return ks_fail_nomem(err);
        run->column = ks_arena_get(&cycle->arena, size);
        if (!run->column)
            return ks_fail_nomem(err);
        run->plugin->score(run->state, &cycle->feasible, run->column);
        run->plugin->normalize(run->state, &cycle->feasible, run->column);
        add_weighted(cycle, run);
    }
    return KS_OK;
}

/* Room for the longest list of domains that somebody may ask for: as many as there are nodes, and the
 * domain of those without a label. */
static bool reserve_listing(ks_cycle *cycle)
{
    size_t want = cycle->cluster->nodes_by_name.count + 1;
    return ks_vec_grow(&cycle->cluster->alloc, &cycle->listing, &cycle->listing_cap, want,
                       sizeof *cycle->listing);
}

static int run_plugins(ks_cycle *cycle, const ks_pod *pod, ks_error *err)
{
    ks_cluster *cluster = cycle->cluster;
    cycle->class_ = ks_class_get(cluster, &pod->metadata);
    cycle->spec = ks_spec_get(cluster, &pod->spec);
    if (!cycle->class_ || !cycle->spec || !reserve_listing(cycle) ||
        !ks_nodeset_resize(&cycle->feasible, &cluster->alloc, cluster->node_cap))
        return ks_fail_nomem(err);
    ks_nodeset_copy(&cycle->feasible, &cluster->present);
    cycle->pre_score = (ks_status){.code = KS_SKIP};
    int code = filter(cycle, err);
    if (code == KS_OK && ks_nodeset_next(&cycle->feasible, 0) != KS_NODESET_END)
        code = pre_score(cycle, err);
    if (code == KS_OK && cycle->pre_score.code != KS_ERROR)
        code = score(cycle, err);
    return code;
}

int ks_cycle_run(ks_cycle *cycle, const ks_pod *pod, ks_error *err)
{
    end_run(cycle);
    int code = run_plugins(cycle, pod, err);
    if (code != KS_OK)
        end_run(cycle);
    cycle->ran = code == KS_OK;
    return code;
}

int ks_cycle_what_if(ks_node_result *out, ks_cycle *cycle, size_t node, const ks_what_if *change,
                     ks_error *err)
{
    if (!cycle->ran)
        return ks_fail(err, KS_EINVAL, "the cycle has not run");
    if (node >= cycle->cluster->nodes_by_name.count)
        return ks_fail(err, KS_EINVAL, "node %zu: there are only %zu", node,
                       cycle->cluster->nodes_by_name.count);
    uint32_t id = cycle->cluster->nodes_by_name.items[node];
    *out = (ks_node_result){.name = ((ks_node_row *)cycle->cluster->nodes.rows.items[id])->name};
    for (size_t i = 0; i < cycle->runs.count && out->code == KS_SUCCESS; i++) {
        const ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->filters)
            continue;
        ks_status status = run->plugin->what_if(run->state, id, change);
        if (status.code == KS_SUCCESS)
            continue;
        out->code = status.code;
        out->plugin = ks_str_of(run->plugin->name);
        out->reason = status.message;
    }
    return KS_OK;
}
