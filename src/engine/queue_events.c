// SPDX-License-Identifier: Apache-2.0
/* Which pods of the pool an event may help. */
#include "engine/queue.h"

/* Whether one of the plugins that refused pods like `pending` finds the event worth a try. One that cannot
 * tell for want of memory counts as if it did, so that no pod is stuck. */
static bool helps(ks_queue *queue, uint64_t refusers, const ks_pod *pending, const ks_object *before,
                  const ks_object *after)
{
    if (refusers == 0)
        return true;
    for (size_t i = 0; i < queue->plugins_count; i++) {
        if (!(refusers >> i & 1))
            continue;
        ks_hint hint = KS_HINT_SKIP;
        int code = queue->plugins[i]->hint(&hint, queue->cluster, pending, before, after, NULL);
        if (code != KS_OK || hint == KS_HINT_QUEUE)
            return true;
    }
    return false;
}

void ks_queue_hear(ks_queue *queue, const ks_event *event)
{
    for (size_t i = 0; i < queue->groups.rows.count; i++) {
        ks_pool_group *group = (ks_pool_group *)queue->groups.rows.items[i];
        if (!group || group->called || group->pods.count == 0 ||
            ks_spec_priority(queue->cluster, group->spec).value > event->priority_max)
            continue;
        ks_pod pending;
        ks_pod_view(&pending, ks_pod_at(queue->cluster, group->pods.items[0]));
        group->called = helps(queue, group->refusers, &pending, event->before, event->after);
    }
}

void ks_queue_move_called(ks_queue *queue, int64_t now_ms)
{
    for (size_t i = 0; i < queue->groups.rows.count; i++) {
        ks_pool_group *group = (ks_pool_group *)queue->groups.rows.items[i];
        if (!group || !group->called)
            continue;
        group->called = false;
        for (size_t left = group->pods.count; left > 0; left--) /* the group goes with its last pod */
            ks_queue_requeue(queue, group->pods.items[left - 1], now_ms);
    }
}

void ks_queue_forget_called(ks_queue *queue)
{
    for (size_t i = 0; i < queue->groups.rows.count; i++)
        if (queue->groups.rows.items[i])
            ((ks_pool_group *)queue->groups.rows.items[i])->called = false;
}

bool ks_queue_is_helped(ks_queue *queue, uint32_t pod, const ks_object *before, const ks_object *after)
{
    return helps(queue, queue->pods[pod].group->refusers, &after->pod, before, after);
}
