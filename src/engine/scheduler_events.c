// SPDX-License-Identifier: Apache-2.0
/* What comes in: objects for the cluster, pods for the queue, and events for the pods that wait. */
#include "engine/loop.h"
#include "engine/plugins/scheduling_gates.h"

/* ---- the pool hears ---- */

void ks_scheduler_hear(ks_scheduler *scheduler, const ks_object *before, const ks_object *after)
{
    if (scheduler->queue.pooled > 0)
        ks_queue_hear(&scheduler->queue, &(ks_event){before, after, INT32_MAX});
}

void ks_scheduler_hear_unnominated(ks_scheduler *scheduler, const ks_pod_row *pod)
{
    const ks_node_row *node = ks_nominator_node(&scheduler->nominator, pod->row.id);
    if (scheduler->queue.pooled == 0 || !node)
        return;
    ks_object before = {.kind = KS_POD};
    ks_pod_view(&before.pod, pod);
    before.pod.status.nominated_node_name = node->name;
    int32_t priority = ks_spec_priority(scheduler->cluster, pod->spec).value;
    ks_queue_hear(&scheduler->queue, &(ks_event){&before, NULL, priority});
}

void ks_scheduler_moved(ks_scheduler *scheduler, int64_t now_ms)
{
    scheduler->stands = false;
    if (scheduler->queue.pooled > 0)
        ks_queue_move_called(&scheduler->queue, now_ms);
}

/* ---- pods ---- */

/* A pod event: what is stored, and what comes. */
typedef struct arrival {
    ks_pod_row *row;  /* NULL: not known before */
    ks_object before; /* only where somebody in the pool may want to know */
    ks_object after;  /* as it will be stored */
    uint32_t id;      /* its row's, before and after */
    bool assumed;     /* it is placed, which the object does not show yet */
    bool waits;       /* it needs a node from us */
    bool gated;
    bool helped;            /* it is pooled, and its own change may help it */
    ks_node_row *nominated; /* by its status, with a reference */
} arrival;

static bool is_ours(const ks_scheduler *scheduler, const ks_pod *pod)
{
    static const ks_str usual = {"default-scheduler", 17};
    ks_str name = pod->spec.scheduler_name, own = scheduler->cluster->profile.scheduler_name;
    return scheduler->options.takes_all || ks_str_eq(name.len ? name : usual, own.len ? own : usual);
}

static bool needs_node(const ks_scheduler *scheduler, const ks_pod *pod)
{
    return pod->spec.node_name.len == 0 && pod->metadata.deletion_timestamp.len == 0 &&
           !ks_phase_is_over(pod->status.phase) && is_ours(scheduler, pod);
}

static bool is_on_node(const ks_pod *pod)
{
    return pod->spec.node_name.len > 0 && !ks_phase_is_over(pod->status.phase);
}

static void hear_pod(ks_scheduler *scheduler, arrival *a)
{
    ks_queue *queue = &scheduler->queue;
    if (queue->pooled == 0)
        return;
    if (a->row)
        ks_pod_view(&a->before.pod, a->row);
    bool was = a->row && a->row->occupies, is = is_on_node(&a->after.pod);
    if (was || is)
        ks_scheduler_hear(scheduler, was ? &a->before : NULL, is ? &a->after : NULL);
    else if (a->row &&
             !ks_str_eq(a->before.pod.status.nominated_node_name, a->after.pod.status.nominated_node_name))
        ks_scheduler_hear_unnominated(scheduler, a->row);
    a->helped = a->row && ks_queue_state_of(queue, a->id) == KS_POOLED && a->waits &&
                ks_queue_is_helped(queue, a->id, &a->before, &a->after);
}

static int tell_gated(ks_scheduler *scheduler, const arrival *a, ks_error *err)
{
    const ks_sink *sink = scheduler->options.sink;
    if (!a->waits || !a->gated || ks_queue_state_of(&scheduler->queue, a->id) == KS_GATED || !sink ||
        !sink->gated)
        return KS_OK;
    ks_buf message;
    ks_buf_init(&message, &scheduler->cluster->alloc);
    ks_pod_gates_print(&message, &a->after.pod.spec);
    ks_decision decision = {.pod = &a->after.pod, .message = ks_buf_str(&message)};
    int code = message.failed ? ks_fail_nomem(err) : sink->gated(scheduler->options.sink_ctx, &decision, err);
    ks_buf_free(&message);
    return code;
}

static int reserve_arrival(ks_scheduler *scheduler, arrival *a, ks_error *err)
{
    if (!a->waits)
        return KS_OK;
    ks_str nominated = a->after.pod.status.nominated_node_name;
    if (!ks_queue_reserve(&scheduler->queue, a->id))
        return ks_fail_nomem(err);
    if (nominated.len == 0)
        return KS_OK;
    a->nominated = ks_node_get(scheduler->cluster, nominated);
    return a->nominated && ks_nominator_reserve(&scheduler->nominator, a->id) ? KS_OK : ks_fail_nomem(err);
}

/* In the pool, pods are grouped by what they look like. */
static void change_pooled(ks_scheduler *scheduler, const arrival *a, int64_t now_ms)
{
    ks_queue *queue = &scheduler->queue;
    const ks_pod_row *row = ks_pod_at(scheduler->cluster, a->id);
    ks_pool_group *group = queue->pods[a->id].group;
    if (a->helped) {
        ks_queue_requeue(queue, a->id, now_ms);
    } else if (group->class_ != row->class_ || group->spec != row->spec) {
        ks_pool_group *now = ks_queue_group(queue, row, group->refusers);
        if (now)
            ks_queue_regroup(queue, a->id, now);
        else
            ks_queue_requeue(queue, a->id, now_ms);
    }
}

static void change_waiting(ks_scheduler *scheduler, const arrival *a, int64_t now_ms)
{
    ks_queue *queue = &scheduler->queue;
    ks_queue_state state = ks_queue_state_of(queue, a->id);
    if (state == KS_NOT_QUEUED)
        ks_queue_add(queue, a->id, a->gated, now_ms);
    else if ((state == KS_GATED) != a->gated)
        ks_queue_set_gated(queue, a->id, a->gated);
    else if (state == KS_POOLED)
        change_pooled(scheduler, a, now_ms);
    else if (state == KS_ACTIVE)
        ks_queue_replace(queue, a->id);
}

/* An update that says nothing of a nomination leaves alone what was decided here and is not written yet. */
static void change_nomination(ks_scheduler *scheduler, const arrival *a, bool had_nominated)
{
    if (a->nominated)
        ks_nominator_set(&scheduler->nominator, a->id, a->nominated);
    else if (had_nominated || !a->waits)
        ks_nominator_clear(&scheduler->nominator, a->id);
}

static int apply_arrival(ks_scheduler *scheduler, arrival *a, int64_t now_ms, ks_error *err)
{
    bool had_nominated = a->row && a->row->text_len[KS_POD_NOMINATED] > 0;
    int code = ks_pod_apply(scheduler->cluster, &a->after.pod, err);
    if (code != KS_OK)
        return code;
    if (a->waits)
        change_waiting(scheduler, a, now_ms);
    else if (!a->assumed)
        ks_queue_remove(&scheduler->queue, a->id);
    change_nomination(scheduler, a, had_nominated);
    return KS_OK;
}

/* What the object shows of an assumed pod may be from before its binding: it keeps its place then. */
static void keep_assumed(const ks_scheduler *scheduler, arrival *a)
{
    if (!a->row || ks_queue_state_of(&scheduler->queue, a->id) != KS_ASSUMED || !a->waits)
        return;
    a->after.pod.spec.node_name = a->row->node->name;
    a->assumed = true;
    a->waits = false;
}

static int apply_pod(ks_scheduler *scheduler, const ks_object *object, int64_t now_ms, ks_error *err)
{
    arrival a = {.before.kind = KS_POD, .after = *object};
    a.row = ks_pod_find(scheduler->cluster, object->metadata.namespace_, object->metadata.name);
    a.id = a.row ? a.row->row.id : ks_table_next_id(&scheduler->cluster->pods);
    a.waits = needs_node(scheduler, &a.after.pod);
    a.gated = ks_pod_is_gated(&a.after.pod.spec);
    keep_assumed(scheduler, &a);
    int code = reserve_arrival(scheduler, &a, err);
    if (code == KS_OK)
        code = tell_gated(scheduler, &a, err);
    if (code == KS_OK) {
        hear_pod(scheduler, &a);
        code = apply_arrival(scheduler, &a, now_ms, err);
    }
    if (code == KS_OK)
        ks_scheduler_moved(scheduler, now_ms);
    else
        ks_queue_forget_called(&scheduler->queue);
    ks_node_unref(scheduler->cluster, a.nominated);
    return code;
}

int ks_scheduler_queue_pod(ks_scheduler *scheduler, const ks_pod_row *row, int64_t now_ms, ks_error *err)
{
    arrival a = {.id = row->row.id, .after.kind = KS_POD};
    ks_pod_view(&a.after.pod, row);
    a.waits = needs_node(scheduler, &a.after.pod);
    a.gated = ks_pod_is_gated(&a.after.pod.spec);
    int code = reserve_arrival(scheduler, &a, err);
    if (code == KS_OK)
        code = tell_gated(scheduler, &a, err);
    if (code == KS_OK && a.waits) {
        change_waiting(scheduler, &a, now_ms);
        change_nomination(scheduler, &a, false);
    }
    ks_node_unref(scheduler->cluster, a.nominated);
    return code;
}

void ks_scheduler_delete_pod(ks_scheduler *scheduler, ks_pod_row *pod, int64_t now_ms)
{
    uint32_t id = pod->row.id;
    ks_object before = {.kind = KS_POD};
    ks_pod_view(&before.pod, pod);
    ks_queue_remove(&scheduler->queue, id);
    if (pod->occupies)
        ks_scheduler_hear(scheduler, &before, NULL);
    else
        ks_scheduler_hear_unnominated(scheduler, pod);
    ks_nominator_clear(&scheduler->nominator, id);
    (void)ks_pod_delete(scheduler->cluster, before.metadata.namespace_, before.metadata.name, NULL);
    ks_scheduler_moved(scheduler, now_ms);
}

int ks_scheduler_forget(ks_scheduler *scheduler, ks_str namespace_, ks_str name, int64_t now_ms,
                        ks_error *err)
{
    ks_pod_row *pod = ks_pod_find(scheduler->cluster, namespace_, name);
    if (!pod || ks_queue_state_of(&scheduler->queue, pod->row.id) != KS_ASSUMED)
        return ks_fail(err, KS_ENOTFOUND, "pod \"%.*s/%.*s\" is not waiting to be bound",
                       KS_STR_ARG(ks_namespace_or_default(namespace_)), KS_STR_ARG(name));
    ks_object before = {.kind = KS_POD};
    ks_pod_view(&before.pod, pod);
    ks_scheduler_hear(scheduler, &before, NULL);
    ks_pod_unbind(scheduler->cluster, pod);
    ks_queue_fail(&scheduler->queue, pod->row.id, now_ms);
    ks_scheduler_moved(scheduler, now_ms);
    return KS_OK;
}

/* ---- other objects ---- */

/* The object as it is stored; false if there is none. */
static bool find_before(ks_object *out, const ks_cluster *cluster, ks_kind kind, ks_str namespace_,
                        ks_str name)
{
    *out = (ks_object){.kind = kind};
    if (kind == KS_NODE) {
        const ks_node_row *node = ks_node_find(cluster, name);
        if (node)
            out->node = node->node;
        return node;
    }
    const ks_stored *stored = ks_stored_find(cluster, kind, namespace_, name);
    if (stored)
        *out = stored->object;
    return stored;
}

static int finish(ks_scheduler *scheduler, ks_kind kind, int code, int64_t now_ms)
{
    if (code != KS_OK) {
        ks_queue_forget_called(&scheduler->queue);
        return code;
    }
    if (kind == KS_PRIORITY_CLASS)
        ks_queue_reorder(&scheduler->queue);
    ks_scheduler_moved(scheduler, now_ms);
    return KS_OK;
}

int ks_scheduler_apply(ks_scheduler *scheduler, const ks_object *object, int64_t now_ms, ks_error *err)
{
    if (object->kind == KS_POD)
        return apply_pod(scheduler, object, now_ms, err);
    ks_object before;
    bool known = find_before(&before, scheduler->cluster, object->kind, object->metadata.namespace_,
                             object->metadata.name);
    ks_scheduler_hear(scheduler, known ? &before : NULL, object);
    return finish(scheduler, object->kind, ks_cluster_apply(scheduler->cluster, object, err), now_ms);
}

int ks_scheduler_delete(ks_scheduler *scheduler, ks_kind kind, ks_str namespace_, ks_str name, int64_t now_ms,
                        ks_error *err)
{
    if (kind == KS_POD) {
        ks_pod_row *pod = ks_pod_find(scheduler->cluster, namespace_, name);
        if (!pod)
            return ks_cluster_delete(scheduler->cluster, kind, namespace_, name, err);
        ks_scheduler_delete_pod(scheduler, pod, now_ms);
        return KS_OK;
    }
    ks_object before;
    if (find_before(&before, scheduler->cluster, kind, namespace_, name))
        ks_scheduler_hear(scheduler, &before, NULL);
    int code = ks_cluster_delete(scheduler->cluster, kind, namespace_, name, err);
    return finish(scheduler, kind, code, now_ms);
}
