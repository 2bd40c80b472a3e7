// SPDX-License-Identifier: Apache-2.0
#include "engine/queue.h"
#include <assert.h>

enum { INITIAL_CAP = 64, REFUSERS_MAX = 64 };

int ks_queue_init(ks_queue *queue, const ks_cycle *cycle, ks_error *err)
{
    *queue = (ks_queue){.cluster = cycle->cluster, .oldest = KS_NONE, .newest = KS_NONE};
    size_t count = cycle->runs.count;
    assert(count <= REFUSERS_MAX);
    queue->plugins = ks_alloc_get(&cycle->cluster->alloc, count * sizeof *queue->plugins);
    if (count > 0 && !queue->plugins)
        return ks_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        queue->plugins[i] = cycle->runs.items[i].plugin;
    queue->plugins_count = count;
    return KS_OK;
}

static void free_group(ks_queue *queue, ks_pool_group *group)
{
    ks_alloc *alloc = &queue->cluster->alloc;
    ks_table_remove(&queue->groups, &group->row);
    ks_class_unref(queue->cluster, group->class_);
    ks_spec_unref(queue->cluster, group->spec);
    ks_vec_free(&group->pods, alloc);
    ks_alloc_free(alloc, group, sizeof *group);
}

void ks_queue_free(ks_queue *queue)
{
    ks_alloc *alloc = &queue->cluster->alloc;
    for (size_t i = 0; i < queue->groups.rows.count; i++)
        if (queue->groups.rows.items[i])
            free_group(queue, (ks_pool_group *)queue->groups.rows.items[i]);
    ks_table_free(&queue->groups, alloc);
    ks_heap_free(&queue->active, alloc);
    ks_heap_free(&queue->backoff, alloc);
    ks_alloc_free(alloc, queue->pods, queue->cap * sizeof *queue->pods);
    ks_alloc_free(alloc, queue->plugins, queue->plugins_count * sizeof *queue->plugins);
}

bool ks_queue_reserve(ks_queue *queue, uint32_t pod)
{
    if (pod < queue->cap)
        return true;
    ks_alloc *alloc = &queue->cluster->alloc;
    uint32_t cap = queue->cap ? queue->cap * 2 : INITIAL_CAP;
    if (cap <= pod)
        cap = pod + 1;
    if (!ks_heap_reserve(&queue->active, alloc, cap) || !ks_heap_reserve(&queue->backoff, alloc, cap))
        return false;
    ks_queued *pods = ks_alloc_resize(alloc, queue->pods, queue->cap * sizeof *pods, cap * sizeof *pods);
    if (!pods)
        return false;
    memset(pods + queue->cap, 0, (cap - queue->cap) * sizeof *pods);
    queue->pods = pods;
    queue->cap = cap;
    return true;
}

/* ---- active and backing off ---- */

static void activate(ks_queue *queue, uint32_t pod)
{
    ks_spec *spec = ks_pod_at(queue->cluster, pod)->spec;
    queue->pods[pod].state = KS_ACTIVE;
    ks_heap_add(&queue->active, (ks_heap_item){
                                    .major = -(int64_t)ks_spec_priority(queue->cluster, spec).value,
                                    .minor = queue->pods[pod].serial,
                                    .id = pod,
                                });
}

static void back_off(ks_queue *queue, uint32_t pod)
{
    ks_queued *queued = &queue->pods[pod];
    queued->state = KS_BACKING_OFF;
    ks_heap_add(&queue->backoff,
                (ks_heap_item){.major = queued->ready_ms, .minor = queued->serial, .id = pod});
}

static void activate_when_ready(ks_queue *queue, uint32_t pod, int64_t now_ms)
{
    if (queue->pods[pod].ready_ms > now_ms)
        back_off(queue, pod);
    else
        activate(queue, pod);
}

static void shut(ks_queue *queue, uint32_t pod)
{
    queue->pods[pod].state = KS_GATED;
    queue->gated++;
}

void ks_queue_add(ks_queue *queue, uint32_t pod, bool gated, int64_t now_ms)
{
    assert(queue->pods[pod].state == KS_NOT_QUEUED);
    queue->pods[pod] = (ks_queued){.serial = queue->serial++, .since_ms = now_ms};
    if (gated)
        shut(queue, pod);
    else
        activate(queue, pod);
}

/* It keeps its place among those that came when it did. */
void ks_queue_set_gated(ks_queue *queue, uint32_t pod, bool gated)
{
    ks_queue_remove(queue, pod);
    if (gated)
        shut(queue, pod);
    else
        activate(queue, pod);
}

void ks_queue_replace(ks_queue *queue, uint32_t pod)
{
    ks_heap_remove(&queue->active, pod);
    activate(queue, pod);
}

void ks_queue_assume(ks_queue *queue, uint32_t pod)
{
    ks_heap_remove(&queue->active, pod);
    queue->pods[pod].state = KS_ASSUMED;
}

void ks_queue_reorder(ks_queue *queue)
{
    for (uint32_t pod = 0; pod < queue->cap; pod++)
        if (queue->pods[pod].state == KS_ACTIVE)
            ks_queue_replace(queue, pod);
}

/* ---- the pool ---- */

static uint64_t hash_group(const ks_pool_group *like)
{
    const uint64_t parts[] = {(uintptr_t)like->class_, (uintptr_t)like->spec, like->refusers};
    return ks_hash_bytes(parts, sizeof parts, 0);
}

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_pool_group *a = (const ks_pool_group *)row, *b = wanted;
    return a->class_ == b->class_ && a->spec == b->spec && a->refusers == b->refusers;
}

static ks_pool_group *make_group(ks_queue *queue, const ks_pool_group *like)
{
    ks_alloc *alloc = &queue->cluster->alloc;
    if (!ks_table_reserve(&queue->groups, alloc))
        return NULL;
    ks_pool_group *group = ks_alloc_get(alloc, sizeof *group);
    if (!group)
        return NULL;
    *group = *like;
    group->class_->row.refs++;
    group->spec->row.refs++;
    ks_table_add(&queue->groups, &group->row, hash_group(like));
    return group;
}

void ks_queue_release_group(ks_queue *queue, ks_pool_group *group)
{
    if (group->pods.count == 0)
        free_group(queue, group);
}

ks_pool_group *ks_queue_group(ks_queue *queue, const ks_pod_row *pod, uint64_t refusers)
{
    ks_pool_group like = {.class_ = pod->class_, .spec = pod->spec, .refusers = refusers};
    ks_pool_group *group = (ks_pool_group *)ks_table_find(&queue->groups, hash_group(&like), is_like, &like);
    if (!group && !(group = make_group(queue, &like)))
        return NULL;
    if (ks_vec_reserve(&group->pods, &queue->cluster->alloc, group->pods.count + 1))
        return group;
    ks_queue_release_group(queue, group);
    return NULL;
}

static void enter_group(ks_queue *queue, uint32_t pod, ks_pool_group *group)
{
    queue->pods[pod].group = group;
    queue->pods[pod].place = (uint32_t)group->pods.count;
    group->pods.items[group->pods.count++] = pod;
}

static void leave_group(ks_queue *queue, uint32_t pod)
{
    uint32_t place = queue->pods[pod].place;
    ks_pool_group *group = queue->pods[pod].group;
    ks_vec_swap_remove(&group->pods, place);
    if (place < group->pods.count)
        queue->pods[group->pods.items[place]].place = place;
    queue->pods[pod].group = NULL;
    ks_queue_release_group(queue, group);
}

static void enter_pool(ks_queue *queue, uint32_t pod, ks_pool_group *group)
{
    ks_queued *queued = &queue->pods[pod];
    enter_group(queue, pod, group);
    queued->state = KS_POOLED;
    queued->older = queue->newest;
    queued->newer = KS_NONE;
    *(queue->newest == KS_NONE ? &queue->oldest : &queue->pods[queue->newest].newer) = pod;
    queue->newest = pod;
    queue->pooled++;
}

static void leave_pool(ks_queue *queue, uint32_t pod)
{
    ks_queued *queued = &queue->pods[pod];
    leave_group(queue, pod);
    *(queued->older == KS_NONE ? &queue->oldest : &queue->pods[queued->older].newer) = queued->newer;
    *(queued->newer == KS_NONE ? &queue->newest : &queue->pods[queued->newer].older) = queued->older;
    queue->pooled--;
    queued->state = KS_NOT_QUEUED;
}

/* When a pod that comes back now may be tried again. */
static int64_t backoff_end(const ks_queue *queue, const ks_queued *queued, int64_t now_ms)
{
    uint32_t count = queued->errors ? queued->errors : queued->refusals;
    int64_t backoff_ms = queue->initial_backoff_ms;
    for (uint32_t i = 1; i < count && backoff_ms < queue->max_backoff_ms; i++)
        backoff_ms *= 2;
    return now_ms + (backoff_ms < queue->max_backoff_ms ? backoff_ms : queue->max_backoff_ms);
}

static void come_back(ks_queue *queue, uint32_t pod, int64_t now_ms)
{
    ks_queued *queued = &queue->pods[pod];
    queued->serial = queue->serial++;
    queued->since_ms = now_ms;
    queued->ready_ms = backoff_end(queue, queued, now_ms);
}

void ks_queue_refuse(ks_queue *queue, uint32_t pod, ks_pool_group *group, int64_t now_ms)
{
    ks_heap_remove(&queue->active, pod);
    queue->pods[pod].refusals++;
    queue->pods[pod].errors = 0;
    come_back(queue, pod, now_ms);
    enter_pool(queue, pod, group);
}

/* Its place among the pool's pods by time stays: only the group changes. */
void ks_queue_regroup(ks_queue *queue, uint32_t pod, ks_pool_group *group)
{
    leave_group(queue, pod);
    enter_group(queue, pod, group);
}

void ks_queue_fail(ks_queue *queue, uint32_t pod, int64_t now_ms)
{
    assert(queue->pods[pod].state == KS_ASSUMED);
    queue->pods[pod].errors++;
    come_back(queue, pod, now_ms);
    activate_when_ready(queue, pod, now_ms);
}

void ks_queue_requeue(ks_queue *queue, uint32_t pod, int64_t now_ms)
{
    leave_pool(queue, pod);
    activate_when_ready(queue, pod, now_ms);
}

/* ---- out ---- */

void ks_queue_remove(ks_queue *queue, uint32_t pod)
{
    switch (ks_queue_state_of(queue, pod)) {
    case KS_NOT_QUEUED:
        return;
    case KS_ACTIVE:
        ks_heap_remove(&queue->active, pod);
        break;
    case KS_BACKING_OFF:
        ks_heap_remove(&queue->backoff, pod);
        break;
    case KS_POOLED:
        leave_pool(queue, pod);
        break;
    case KS_GATED:
        queue->gated--;
        break;
    case KS_ASSUMED:
        break;
    }
    queue->pods[pod].state = KS_NOT_QUEUED;
}

uint32_t ks_queue_next(ks_queue *queue, int64_t now_ms)
{
    while (queue->oldest != KS_NONE && now_ms - queue->pods[queue->oldest].since_ms > KS_POOL_MAX_MS)
        ks_queue_requeue(queue, queue->oldest, now_ms);
    while (queue->backoff.count > 0 && ks_heap_first(&queue->backoff)->major <= now_ms) {
        uint32_t pod = ks_heap_first(&queue->backoff)->id;
        ks_heap_remove(&queue->backoff, pod);
        activate(queue, pod);
    }
    return queue->active.count > 0 ? ks_heap_first(&queue->active)->id : KS_NONE;
}
