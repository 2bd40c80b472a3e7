// SPDX-License-Identifier: Apache-2.0
/* Pods that wait to be scheduled. They come in as events and go out one by one, the highest priority first,
 * among equals the one that has waited longest:
 *
 *   come ──► active ──► tried ──► placed (assumed until the binding is seen)
 *              ▲          └─────► pool: refused; waits for an event that its refusers find helpful
 *              └── backoff ◄────────┘   (or for five minutes)
 *
 * A pod is known by its row's id, which it keeps while its object changes. In the pool, pods that nothing
 * tells apart (class, spec, refusers) are a group: an event is asked about once a group. */
#ifndef KS_ENGINE_QUEUE_H
#define KS_ENGINE_QUEUE_H

#include "engine/plugin.h"
#include "util/heap.h"

typedef enum ks_queue_state {
    KS_NOT_QUEUED,
    KS_ACTIVE,
    KS_BACKING_OFF,
    KS_POOLED,
    KS_GATED,
    KS_ASSUMED, /* placed, and not yet seen bound */
} ks_queue_state;

typedef struct ks_pool_group {
    ks_row row;
    ks_class *class_; /* with references */
    ks_spec *spec;
    uint64_t refusers; /* by the profile's plugins; none: any event is worth a try */
    bool called;       /* an event may help */
    KS_VEC(uint32_t) pods;
} ks_pool_group;

/* By pod id. */
typedef struct ks_queued {
    uint64_t serial; /* rises with the time at which pods come (back) to the queue */
    int64_t since_ms;
    int64_t ready_ms;      /* when its backoff ends */
    ks_pool_group *group;  /* if pooled */
    uint32_t place;        /* in its group */
    uint32_t older, newer; /* in the pool, by since_ms */
    uint32_t attempts, refusals, errors;
    ks_queue_state state;
} ks_queued;

typedef struct ks_queue {
    ks_cluster *cluster;
    int64_t initial_backoff_ms, max_backoff_ms;
    const ks_plugin **plugins; /* by the bits of refusers */
    size_t plugins_count;
    ks_queued *pods;
    uint32_t cap;
    ks_heap active, backoff;
    ks_table groups;
    uint32_t oldest, newest; /* in the pool */
    size_t pooled, gated;
    uint64_t serial;
} ks_queue;

enum { KS_POOL_MAX_MS = 5 * 60 * 1000 };

int ks_queue_init(ks_queue *queue, const ks_cycle *cycle, ks_error *err);
void ks_queue_free(ks_queue *queue);
/* Room for a pod. Whatever moves it later cannot fail, but for going to the pool. */
bool ks_queue_reserve(ks_queue *queue, uint32_t pod);

static inline ks_queue_state ks_queue_state_of(const ks_queue *queue, uint32_t pod)
{
    return pod < queue->cap ? queue->pods[pod].state : KS_NOT_QUEUED;
}

/* A pod comes, gated or not. */
void ks_queue_add(ks_queue *queue, uint32_t pod, bool gated, int64_t now_ms);
/* Gates came or, more likely, went. */
void ks_queue_set_gated(ks_queue *queue, uint32_t pod, bool gated);
/* An active pod changed, perhaps in its priority. */
void ks_queue_replace(ks_queue *queue, uint32_t pod);
/* Whatever its state is. */
void ks_queue_remove(ks_queue *queue, uint32_t pod);
/* The pod to be tried next, or KS_NONE. It stays until it is assumed or refused. */
uint32_t ks_queue_next(ks_queue *queue, int64_t now_ms);
void ks_queue_assume(ks_queue *queue, uint32_t pod);

/* The group for pods like this one, with room for one more; NULL on failure. */
ks_pool_group *ks_queue_group(ks_queue *queue, const ks_pod_row *pod, uint64_t refusers);
/* The group is not needed after all. */
void ks_queue_release_group(ks_queue *queue, ks_pool_group *group);
/* The next pod was refused: it goes to the pool. Empty groups go by themselves. */
void ks_queue_refuse(ks_queue *queue, uint32_t pod, ks_pool_group *group, int64_t now_ms);
/* A pooled pod changed its looks, not what refused it. */
void ks_queue_regroup(ks_queue *queue, uint32_t pod, ks_pool_group *group);
/* An assumed pod could not be bound: it backs off. */
void ks_queue_fail(ks_queue *queue, uint32_t pod, int64_t now_ms);
/* A pooled pod is tried again once its backoff is over. */
void ks_queue_requeue(ks_queue *queue, uint32_t pod, int64_t now_ms);
/* Priorities may have changed. */
void ks_queue_reorder(ks_queue *queue);

/* ---- events ---- */

typedef struct ks_event {
    const ks_object *before, *after; /* as for ks_cluster_hint */
    int32_t priority_max;            /* pods of higher priority are not concerned */
} ks_event;

/* Finds out which groups an event may help; asked before the cluster changes, while both objects are
 * there. */
void ks_queue_hear(ks_queue *queue, const ks_event *event);
/* Moves what ks_queue_hear found, or forgets it. */
void ks_queue_move_called(ks_queue *queue, int64_t now_ms);
void ks_queue_forget_called(ks_queue *queue);
/* Whether a change of a pooled pod itself may help it. */
bool ks_queue_is_helped(ks_queue *queue, uint32_t pod, const ks_object *before, const ks_object *after);

#endif
