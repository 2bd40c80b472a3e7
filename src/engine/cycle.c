// SPDX-License-Identifier: Apache-2.0
/* One pod's way through the plugins. */
#include "engine/attempt.h"

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
    cycle->overrulings.count = 0;
    cycle->narrowed = (ks_nodeset){0};
    cycle->narrowed_by = cycle->narrowed_reason = (ks_str){0};
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
    ks_vec_free(&cycle->overrulings, alloc);
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

/* A plugin that refuses the pod as a whole; the others need not be asked. */
static int refuse_all(ks_cycle *cycle, const ks_plugin *plugin, const ks_status *status, ks_error *err)
{
    ks_nodeset_clear(&cycle->feasible);
    if (status->code == KS_ERROR)
        return fail_with(&cycle->pre_filter, cycle, "PreFilter", plugin, status->message, err);
    cycle->pre_filter = *status;
    cycle->failed_plugin = ks_str_of(plugin->name);
    return KS_OK;
}

static int pre_filter(ks_cycle *cycle, ks_error *err)
{
    cycle->pre_filter = (ks_status){.code = KS_SUCCESS};
    for (size_t i = 0; i < cycle->runs.count; i++) {
        ks_plugin_run *run = &cycle->runs.items[i];
        ks_status status;
        int code = run->plugin->pre_filter(&status, &run->state, cycle, err);
        if (code != KS_OK)
            return code;
        if (run->use.filters && status.code != KS_SUCCESS && status.code != KS_SKIP)
            return refuse_all(cycle, run->plugin, &status, err);
        run->filters = run->use.filters && status.code == KS_SUCCESS;
    }
    return KS_OK;
}

/* Remembers which nodes are left, and in the framework's words why the others are not. */
static int keep_narrowed(ks_cycle *cycle, ks_str plugins, ks_error *err)
{
    cycle->narrowed.nwords = cycle->feasible.nwords;
    cycle->narrowed.words = ks_arena_get(&cycle->arena, cycle->feasible.nwords * sizeof(uint64_t));
    if (!cycle->narrowed.words)
        return ks_fail_nomem(err);
    ks_nodeset_copy(&cycle->narrowed, &cycle->feasible);
    return ks_arena_copy_str(&cycle->arena, &cycle->narrowed_reason, plugins) ? KS_OK : ks_fail_nomem(err);
}

static int narrow(ks_cycle *cycle, ks_error *err)
{
    ks_buf buf;
    ks_buf_init(&buf, &cycle->cluster->alloc);
    for (size_t i = 0; i < cycle->runs.count; i++) {
        const ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->filters || !run->plugin->narrow || !run->plugin->narrow(run->state, &cycle->feasible))
            continue;
        if (!cycle->narrowed_by.data)
            cycle->narrowed_by = ks_str_of(run->plugin->name);
        ks_buf_printf(&buf, "%s%s", buf.len ? " " : "node(s) didn't satisfy plugin(s) [", run->plugin->name);
    }
    int code = KS_OK;
    if (cycle->narrowed_by.data) {
        ks_buf_put_char(&buf, ']');
        code = buf.failed ? ks_fail_nomem(err) : keep_narrowed(cycle, ks_buf_str(&buf), err);
    }
    ks_buf_free(&buf);
    return code;
}

static int filter(ks_cycle *cycle, ks_error *err)
{
    int code = pre_filter(cycle, err);
    if (code != KS_OK || cycle->pre_filter.code != KS_SUCCESS)
        return code;
    code = narrow(cycle, err);
    if (code != KS_OK)
        return code;
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
static void add_weighted(ks_cycle *cycle, const ks_plugin_run *run)
{
    double *restrict total = cycle->total;
    const double *restrict column = run->column;
    const double weight = run->use.weight;
    const size_t count = cycle->cluster->nodes.rows.count;
    for (size_t i = 0; i < count; i++)
        total[i] += column[i] * weight;
}

/* The totals' first part: what the plugins that tell no node from another give to each. */
static bool start_total(ks_cycle *cycle)
{
    double same = 0;
    bool any = false;
    for (size_t i = 0; i < cycle->runs.count; i++) {
        ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->scores)
            continue;
        any = true;
        run->uniform = run->plugin->uniform && run->plugin->uniform(run->state, &run->same);
        same += run->uniform ? run->same * run->use.weight : 0;
    }
    if (!any)
        return true;
    cycle->total = ks_arena_get(&cycle->arena, cycle->cluster->node_cap * sizeof *cycle->total);
    for (size_t i = 0; cycle->total && i < cycle->cluster->node_cap; i++) /* whole words are compared */
        cycle->total[i] = same;
    return cycle->total;
}

static int score(ks_cycle *cycle, ks_error *err)
{
    if (!start_total(cycle))
        return ks_fail_nomem(err);
    for (size_t i = 0; i < cycle->runs.count; i++) {
        ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->scores || run->uniform)
            continue;
        run->column = ks_arena_get(&cycle->arena, cycle->cluster->node_cap * sizeof *run->column);
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
    return ks_vec_grow(&cycle->cluster->alloc, (void **)&cycle->listing, &cycle->listing_cap, want,
                       sizeof *cycle->listing);
}

/* For a pod whose class and spec the cycle has; `attempt` may be NULL. */
static int run_plugins(ks_cycle *cycle, const ks_pod *pod, ks_attempt *attempt, ks_error *err)
{
    ks_cluster *cluster = cycle->cluster;
    if (!cycle->class_ || !cycle->spec || !reserve_listing(cycle) ||
        !ks_nodeset_resize(&cycle->feasible, &cluster->alloc, cluster->node_cap))
        return ks_fail_nomem(err);
    ks_nodeset_copy(&cycle->feasible, &cluster->present);
    cycle->pre_score = (ks_status){.code = KS_SKIP};
    cycle->pod = pod;
    int code = filter(cycle, err);
    if (code == KS_OK && attempt && cycle->pre_filter.code == KS_SUCCESS)
        code = ks_attempt_narrow(attempt, cycle, err);
    if (code == KS_OK && ks_nodeset_next(&cycle->feasible, 0) != KS_NODESET_END)
        code = pre_score(cycle, err);
    if (code == KS_OK && cycle->pre_score.code != KS_ERROR)
        code = score(cycle, err);
    cycle->pod = NULL;
    return code;
}

static int finish_run(ks_cycle *cycle, int code)
{
    if (code != KS_OK)
        end_run(cycle);
    cycle->ran = code == KS_OK;
    return code;
}

int ks_cycle_run(ks_cycle *cycle, const ks_pod *pod, ks_error *err)
{
    end_run(cycle);
    cycle->class_ = ks_class_get(cycle->cluster, &pod->metadata);
    cycle->spec = ks_spec_get(cycle->cluster, &pod->spec);
    return finish_run(cycle, run_plugins(cycle, pod, NULL, err));
}

int ks_cycle_run_attempt(ks_cycle *cycle, ks_attempt *attempt, ks_error *err)
{
    ks_pod pod;
    ks_pod_view(&pod, attempt->pod);
    end_run(cycle);
    cycle->class_ = attempt->pod->class_;
    cycle->spec = attempt->pod->spec;
    cycle->class_->row.refs++;
    cycle->spec->row.refs++;
    return finish_run(cycle, run_plugins(cycle, &pod, attempt, err));
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
    const ks_change pods = {change->added, change->removed, change->added_count, change->removed_count, NULL,
                            NULL};
    *out = (ks_node_result){
        .name = ((ks_node_row *)cycle->cluster->nodes.rows.items[id])->name,
        .code = cycle->pre_filter.code,
        .plugin = cycle->pre_filter.code == KS_SUCCESS ? (ks_str){0} : cycle->failed_plugin,
        .reason = cycle->pre_filter.message,
    };
    for (size_t i = 0; i < cycle->runs.count && out->code == KS_SUCCESS; i++) {
        const ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->filters)
            continue;
        ks_status status = run->plugin->what_if(run->state, id, &pods, 0);
        if (status.code == KS_SUCCESS)
            continue;
        out->code = status.code;
        out->plugin = ks_str_of(run->plugin->name);
        out->reason = status.message;
    }
    return KS_OK;
}
