// SPDX-License-Identifier: Apache-2.0
/* The loop: one pod out of the queue, through a cycle, onto a node or into the pool. */
#include "engine/host.h"
#include "engine/loop.h"
#include <assert.h>

enum { INITIAL_BACKOFF_MS = 1000, MAX_BACKOFF_MS = 10000, FEASIBLE_MIN = 100 };

/* ---- coming and going ---- */

static int take_in_pending(ks_scheduler *scheduler, int64_t now_ms, ks_error *err)
{
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < scheduler->cluster->pods.rows.count; i++) {
        const ks_pod_row *pod = ks_pod_at(scheduler->cluster, (uint32_t)i);
        if (pod && !pod->node)
            code = ks_scheduler_queue_pod(scheduler, pod, now_ms, err);
    }
    return code;
}

static int set_up(ks_scheduler *scheduler, int64_t now_ms, ks_error *err)
{
    ks_cluster *cluster = scheduler->cluster;
    ks_nominator_init(&scheduler->nominator, cluster);
    ks_preemption_init(&scheduler->preemption, cluster, &scheduler->random);
    ks_buf_init(&scheduler->message, &cluster->alloc);
    ks_buf_init(&scheduler->post_filter, &cluster->alloc);
    scheduler->queue = (ks_queue){.cluster = cluster};
    int code = ks_cycle_new(&scheduler->cycle, cluster, err);
    if (code == KS_OK)
        code = ks_queue_init(&scheduler->queue, scheduler->cycle, err);
    if (code != KS_OK)
        return code;
    scheduler->queue.initial_backoff_ms = scheduler->options.initial_backoff_ms;
    scheduler->queue.max_backoff_ms = scheduler->options.max_backoff_ms;
    size_t plugins = scheduler->cycle->runs.count;
    scheduler->plugins = ks_alloc_get(&cluster->alloc, plugins * sizeof *scheduler->plugins);
    if (plugins > 0 && !scheduler->plugins)
        return ks_fail_nomem(err);
    return take_in_pending(scheduler, now_ms, err);
}

int ks_scheduler_new(ks_scheduler **out, ks_cluster *cluster, const ks_scheduler_options *options,
                     int64_t now_ms, ks_error *err)
{
    ks_scheduler *scheduler = ks_alloc_get_zeroed(&cluster->alloc, sizeof *scheduler);
    if (!scheduler)
        return ks_fail_nomem(err);
    scheduler->cluster = cluster;
    if (options)
        scheduler->options = *options;
    if (scheduler->options.initial_backoff_ms == 0)
        scheduler->options.initial_backoff_ms = INITIAL_BACKOFF_MS;
    if (scheduler->options.max_backoff_ms == 0)
        scheduler->options.max_backoff_ms = MAX_BACKOFF_MS;
    scheduler->random = ks_random_seed(scheduler->options.seed);
    int code = set_up(scheduler, now_ms, err);
    if (code != KS_OK) {
        ks_scheduler_free(scheduler);
        return code;
    }
    *out = scheduler;
    return KS_OK;
}

void ks_scheduler_free(ks_scheduler *scheduler)
{
    if (!scheduler)
        return;
    ks_alloc *alloc = &scheduler->cluster->alloc;
    if (scheduler->cycle)
        ks_alloc_free(alloc, scheduler->plugins, scheduler->cycle->runs.count * sizeof *scheduler->plugins);
    ks_queue_free(&scheduler->queue);
    ks_nominator_free(&scheduler->nominator);
    ks_preemption_free(&scheduler->preemption, scheduler->cluster);
    ks_fit_error_free(&scheduler->fit, alloc);
    ks_buf_free(&scheduler->message);
    ks_buf_free(&scheduler->post_filter);
    ks_alloc_free(alloc, scheduler->views, scheduler->views_cap * sizeof *scheduler->views);
    ks_alloc_free(alloc, scheduler->victims, scheduler->victims_cap * sizeof *scheduler->victims);
    ks_cycle_free(scheduler->cycle);
    ks_alloc_free(alloc, scheduler, sizeof *scheduler);
}

/* ---- a pod finds its place ---- */

static int tell(const ks_scheduler *scheduler, int (*hear)(void *, const ks_decision *, ks_error *),
                const ks_decision *decision, ks_error *err)
{
    return hear ? hear(scheduler->options.sink_ctx, decision, err) : KS_OK;
}

static int tell_placed(const ks_scheduler *scheduler, const ks_pod_row *row, const ks_node_row *node,
                       ks_error *err)
{
    const ks_sink *sink = scheduler->options.sink;
    if (!sink || !sink->placed)
        return KS_OK;
    const ks_cycle *cycle = scheduler->cycle;
    ks_pod pod;
    ks_pod_view(&pod, row);
    ks_decision decision = {
        .pod = &pod,
        .attempts = scheduler->queue.pods[row->row.id].attempts + 1,
        .cycle = cycle,
        .node = node->name,
        .score = cycle->total ? (int64_t)cycle->total[node->row.id] : 0,
        .feasible = ks_nodeset_count(&cycle->feasible),
    };
    return tell(scheduler, sink->placed, &decision, err);
}

/* A placement is for the pool what a binding is: a pod that comes to a node. */
static void hear_placed(ks_scheduler *scheduler, const ks_pod_row *row, const ks_node_row *node)
{
    if (scheduler->queue.pooled == 0)
        return;
    ks_object after = {.kind = KS_POD};
    ks_pod_view(&after.pod, row);
    after.pod.spec.node_name = node->name;
    ks_scheduler_hear(scheduler, NULL, &after);
}

static int place(ks_scheduler *scheduler, const ks_attempt *attempt, int64_t now_ms, ks_error *err)
{
    ks_cluster *cluster = scheduler->cluster;
    ks_pod_row *row = attempt->pod;
    uint32_t host = ks_host_select(&scheduler->cycle->feasible, scheduler->cycle->total, &scheduler->random);
    ks_node_row *node = ks_node_at(cluster, host);
    if (!ks_pod_reserve(cluster, row, node))
        return ks_fail_nomem(err);
    int code = tell_placed(scheduler, row, node, err);
    if (code != KS_OK)
        return code;
    hear_placed(scheduler, row, node);
    code = ks_pod_bind(cluster, row, node, err);
    assert(code == KS_OK);
    scheduler->queue.pods[row->row.id].attempts++;
    scheduler->placed++;
    ks_queue_assume(&scheduler->queue, row->row.id);
    ks_nominator_clear(&scheduler->nominator, row->row.id);
    ks_scheduler_moved(scheduler, now_ms);
    return code;
}

/* ---- or does not ---- */

static bool uses(const ks_cluster *cluster, ks_str plugin)
{
    for (size_t i = 0; i < cluster->profile.plugins.count; i++)
        if (ks_str_eq(cluster->profile.plugins.items[i].name, plugin))
            return true;
    return false;
}

/* No node at all, or a plugin that cannot work: neither is a refusal that an eviction could lift. */
static bool is_failure(const ks_cycle *cycle)
{
    return cycle->pre_filter.code == KS_ERROR || cycle->pre_score.code == KS_ERROR;
}

static void name_plugins(ks_scheduler *scheduler)
{
    scheduler->plugins_count = 0;
    for (size_t i = 0; i < scheduler->cycle->runs.count; i++)
        if (scheduler->fit.refusers >> i & 1)
            scheduler->plugins[scheduler->plugins_count++] =
                ks_str_of(scheduler->cycle->runs.items[i].plugin->name);
}

/* The PostFilter plugins in upstream's order. DynamicResources comes before DefaultPreemption and has
 * nothing to free here; where PreFilter ended before it saw the pod, it fails for want of its own state, and
 * that is the end of it. */
static int post_filter(ks_scheduler *scheduler, const ks_attempt *attempt, ks_error *err)
{
    ks_cycle *cycle = scheduler->cycle;
    ks_str claims = KS_STR("DynamicResources");
    bool claimed = ks_str_eq(cycle->failed_plugin, claims);
    if (uses(cycle->cluster, claims) && !claimed) {
        bool ended = cycle->pre_filter.code == KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
        ks_buf_put_str(&scheduler->post_filter,
                       ended ? KS_STR("not found") : KS_STR("no new claims to deallocate"));
        if (ended)
            return KS_OK;
    }
    if (!uses(cycle->cluster, KS_STR("DefaultPreemption")))
        return KS_OK;
    int code = ks_preemption_run(&scheduler->preemption, attempt, cycle, &scheduler->fit, err);
    if (code != KS_OK)
        return code;
    ks_str said = ks_buf_str(&scheduler->preemption.message);
    if (scheduler->preemption.found)
        ks_buf_clear(&scheduler->post_filter);
    else
        ks_buf_printf(&scheduler->post_filter, "%s%.*s", scheduler->post_filter.len ? ", " : "",
                      KS_STR_ARG(said));
    return KS_OK;
}

/* Works out who refuses the pod and whether others should go for it, and says so in one sentence. */
static int diagnose(ks_scheduler *scheduler, const ks_attempt *attempt, ks_error *err)
{
    ks_cycle *cycle = scheduler->cycle;
    ks_preemption *preemption = &scheduler->preemption;
    ks_buf_clear(&scheduler->message);
    ks_buf_clear(&scheduler->post_filter);
    preemption->found = preemption->clears = false;
    int code = ks_fit_error_fill(&scheduler->fit, cycle, err);
    if (code == KS_OK && !is_failure(cycle) && cycle->cluster->nodes_by_name.count > 0)
        code = post_filter(scheduler, attempt, err);
    if (code != KS_OK)
        return code;
    name_plugins(scheduler);
    if (cycle->pre_score.code == KS_ERROR)
        ks_buf_put_str(&scheduler->message, cycle->pre_score.message);
    else
        ks_fit_error_print(&scheduler->message, &scheduler->fit, cycle, ks_buf_str(&scheduler->post_filter));
    return scheduler->message.failed || scheduler->post_filter.failed ? ks_fail_nomem(err) : KS_OK;
}

static int view_victims(ks_scheduler *scheduler, ks_error *err)
{
    size_t count = scheduler->preemption.best.victims_count;
    ks_alloc *alloc = &scheduler->cluster->alloc;
    if (!ks_vec_grow(alloc, (void **)&scheduler->views, &scheduler->views_cap, count,
                     sizeof *scheduler->views) ||
        !ks_vec_grow(alloc, (void **)&scheduler->victims, &scheduler->victims_cap, count,
                     sizeof *scheduler->victims))
        return ks_fail_nomem(err);
    for (size_t i = 0; i < count; i++) {
        ks_pod_view(&scheduler->views[i], scheduler->preemption.best.victims[i]);
        scheduler->victims[i] = &scheduler->views[i];
    }
    return KS_OK;
}

static int tell_refused(ks_scheduler *scheduler, const ks_pod_row *row, ks_error *err)
{
    const ks_sink *sink = scheduler->options.sink;
    const ks_preemption *preemption = &scheduler->preemption;
    if (!sink)
        return KS_OK;
    ks_pod pod;
    ks_pod_view(&pod, row);
    ks_decision decision = {
        .pod = &pod,
        .attempts = scheduler->queue.pods[row->row.id].attempts + 1,
        .cycle = scheduler->cycle,
        .message = ks_buf_str(&scheduler->message),
        .plugins = scheduler->plugins,
        .plugins_count = scheduler->plugins_count,
        .failed = is_failure(scheduler->cycle),
    };
    if (!preemption->found)
        return tell(scheduler, sink->unschedulable, &decision, err);
    int code = view_victims(scheduler, err);
    if (code != KS_OK)
        return code;
    decision.node = ks_node_at(scheduler->cluster, preemption->best.node)->name;
    decision.victims = scheduler->victims;
    decision.victims_count = preemption->best.victims_count;
    return tell(scheduler, sink->preempting, &decision, err);
}

/* Pods of lower priority that the node was kept for have to look elsewhere. */
static void unseat(ks_scheduler *scheduler, const ks_attempt *attempt, uint32_t node, int64_t now_ms)
{
    ks_nominator *nominator = &scheduler->nominator;
    for (uint32_t pod = ks_nominator_first(nominator, node), next; pod != KS_NONE; pod = next) {
        next = ks_nominator_next(nominator, pod);
        ks_spec *spec = ks_pod_at(scheduler->cluster, pod)->spec;
        if (ks_spec_priority(scheduler->cluster, spec).value >= attempt->priority)
            continue;
        ks_nominator_clear(nominator, pod);
        if (ks_queue_state_of(&scheduler->queue, pod) == KS_POOLED)
            ks_queue_requeue(&scheduler->queue, pod, now_ms);
    }
}

static void preempt(ks_scheduler *scheduler, const ks_attempt *attempt, int64_t now_ms)
{
    const ks_candidate *best = &scheduler->preemption.best;
    unseat(scheduler, attempt, best->node, now_ms);
    ks_nominator_set(&scheduler->nominator, attempt->pod->row.id, ks_node_at(scheduler->cluster, best->node));
    scheduler->preemptions++;
    for (size_t i = 0; scheduler->options.deletes_victims && i < best->victims_count; i++)
        ks_scheduler_delete_pod(scheduler, best->victims[i], now_ms);
}

/* Where nobody is named as a refuser, upstream tries again and again; here any event will do, since
 * nothing else could change the outcome. */
static int refuse(ks_scheduler *scheduler, const ks_attempt *attempt, int64_t now_ms, ks_error *err)
{
    uint32_t id = attempt->pod->row.id;
    const ks_preemption *preemption = &scheduler->preemption;
    ks_pool_group *group = ks_queue_group(&scheduler->queue, attempt->pod, scheduler->fit.refusers);
    if (!group)
        return ks_fail_nomem(err);
    int code = preemption->found && !ks_nominator_reserve(&scheduler->nominator, id)
                   ? ks_fail_nomem(err)
                   : tell_refused(scheduler, attempt->pod, err);
    if (code != KS_OK) {
        ks_queue_release_group(&scheduler->queue, group);
        return code;
    }
    scheduler->queue.pods[id].attempts++;
    scheduler->stands = !preemption->found && scheduler->nominator.count == 0;
    ks_queue_refuse(&scheduler->queue, id, group, now_ms);
    if (preemption->clears)
        ks_nominator_clear(&scheduler->nominator, id);
    if (preemption->found)
        preempt(scheduler, attempt, now_ms);
    return KS_OK;
}

/* ---- a step ---- */

/* How many nodes are enough, as percentageOfNodesToScore says. */
static size_t nodes_wanted(const ks_scheduler *scheduler)
{
    size_t nodes = scheduler->cluster->nodes_by_name.count;
    int32_t percentage = scheduler->options.percentage_of_nodes_to_score;
    if (nodes < FEASIBLE_MIN || percentage <= 0 || percentage >= 100)
        return nodes;
    size_t wanted = nodes * (size_t)percentage / 100;
    return wanted < FEASIBLE_MIN ? FEASIBLE_MIN : wanted;
}

static int run_cycle(ks_scheduler *scheduler, ks_attempt *attempt, ks_error *err)
{
    int code = ks_cycle_run_attempt(scheduler->cycle, attempt, err);
    size_t nodes = scheduler->cluster->nodes_by_name.count;
    if (code == KS_OK && attempt->looked_at > 0)
        scheduler->start_node = (scheduler->start_node + attempt->looked_at) % nodes;
    return code;
}

static bool is_known(const ks_scheduler *scheduler, const ks_pod_row *pod)
{
    return scheduler->stands && scheduler->cycle->class_ == pod->class_ &&
           scheduler->cycle->spec == pod->spec;
}

static int try_pod(ks_step *out, ks_scheduler *scheduler, ks_attempt *attempt, int64_t now_ms, ks_error *err)
{
    int code = KS_OK;
    const ks_cycle *cycle = scheduler->cycle;
    if (!is_known(scheduler, attempt->pod)) {
        scheduler->stands = false;
        code = run_cycle(scheduler, attempt, err);
        if (code != KS_OK)
            return code;
        bool fits = ks_nodeset_next(&cycle->feasible, 0) != KS_NODESET_END && !is_failure(cycle);
        if (fits) {
            *out = KS_STEP_PLACED;
            return place(scheduler, attempt, now_ms, err);
        }
        code = diagnose(scheduler, attempt, err);
    }
    if (code != KS_OK)
        return code;
    *out = scheduler->preemption.found ? KS_STEP_PREEMPTING : KS_STEP_UNSCHEDULABLE;
    return refuse(scheduler, attempt, now_ms, err);
}

int ks_scheduler_step(ks_step *out, ks_scheduler *scheduler, int64_t now_ms, ks_error *err)
{
    *out = KS_STEP_IDLE;
    uint32_t id = ks_queue_next(&scheduler->queue, now_ms);
    if (id == KS_NONE)
        return KS_OK;
    ks_pod_row *pod = ks_pod_at(scheduler->cluster, id);
    ks_attempt attempt = {
        .nominator = &scheduler->nominator,
        .pod = pod,
        .priority = ks_spec_priority(scheduler->cluster, pod->spec).value,
        .start = scheduler->start_node,
        .wanted = nodes_wanted(scheduler),
    };
    ks_random random = scheduler->random;
    int code = try_pod(out, scheduler, &attempt, now_ms, err);
    if (code != KS_OK) { /* as if it had not been tried */
        *out = KS_STEP_IDLE;
        scheduler->random = random;
        scheduler->start_node = attempt.start;
        return code;
    }
    scheduler->attempts++;
    return KS_OK;
}

/* ---- what there is to know ---- */

int64_t ks_scheduler_next_time(const ks_scheduler *scheduler)
{
    const ks_queue *queue = &scheduler->queue;
    if (queue->active.count > 0)
        return KS_TIME_NOW;
    return queue->backoff.count > 0 ? ks_heap_first(&queue->backoff)->major : KS_TIME_NEVER;
}

int64_t ks_scheduler_next_flush(const ks_scheduler *scheduler)
{
    const ks_queue *queue = &scheduler->queue;
    if (queue->oldest == KS_NONE)
        return KS_TIME_NEVER;
    return queue->pods[queue->oldest].since_ms + KS_POOL_MAX_MS + 1;
}

ks_scheduler_stats ks_scheduler_get_stats(const ks_scheduler *scheduler)
{
    return (ks_scheduler_stats){
        .active = scheduler->queue.active.count,
        .backing_off = scheduler->queue.backoff.count,
        .unschedulable = scheduler->queue.pooled,
        .gated = scheduler->queue.gated,
        .nominated = scheduler->nominator.count,
        .attempts = scheduler->attempts,
        .placed = scheduler->placed,
        .preemptions = scheduler->preemptions,
    };
}
