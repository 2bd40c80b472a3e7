// SPDX-License-Identifier: Apache-2.0
/* The scheduling loop: a queue of pending pods over a cluster. Objects come in as events, each step takes
 * one pod through a cycle, and a sink hears what was decided. A simulation and a live scheduler are this
 * loop with another source, sink and clock.
 *
 *   ks_scheduler_apply(scheduler, &object, now_ms, err)     for each object that comes or changes
 *   do ks_scheduler_step(&step, scheduler, now_ms, err) while (step != KS_STEP_IDLE)
 *   ks_scheduler_next_time(scheduler)                       when a pod that backs off is due
 *
 * Times are milliseconds of any clock that never runs backwards. The same events, times and seed give the
 * same decisions. A scheduler and its cluster belong to one thread at a time. */
#ifndef KUBESPREAD_SCHEDULER_H
#define KUBESPREAD_SCHEDULER_H

#include <kubespread/cluster.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ks_scheduler ks_scheduler; /* freed with ks_scheduler_free, before its cluster */

/* What became of a pod. Everything is valid until the sink returns. */
typedef struct ks_decision {
    const ks_pod *pod;
    uint32_t attempts;     /* this one included; 0 for a gated pod */
    const ks_cycle *cycle; /* what the cycle found, for who wants to explain it; NULL for a gated pod */
    ks_str node;           /* placed: where to; preempting: the nominated node */
    int64_t score;         /* of that node, if placed */
    size_t feasible;       /* nodes that passed, if placed */
    /* If not placed: kube-scheduler's sentence, "0/6 nodes are available: …", and who refused nodes. No
     * plugin is named where there is no node at all or a plugin failed (`failed`). */
    ks_str message;
    const ks_str *plugins;
    size_t plugins_count;
    bool failed;
    const ks_pod *const *victims; /* preempting: pods to evict from `node`, the most important first */
    size_t victims_count;
} ks_decision;

/* Who hears of decisions. Members may be NULL. A return other than KS_OK ends the step with that code, as
 * if the pod had not been tried; fill `err` in then. The sink must not change the scheduler or its
 * cluster: do so once the step has returned. */
typedef struct ks_sink {
    int (*placed)(void *ctx, const ks_decision *decision, ks_error *err);
    int (*unschedulable)(void *ctx, const ks_decision *decision, ks_error *err);
    int (*preempting)(void *ctx, const ks_decision *decision, ks_error *err);
    int (*gated)(void *ctx, const ks_decision *decision, ks_error *err);
} ks_sink;

typedef struct ks_scheduler_options {
    uint64_t seed; /* for ties between nodes and where preemption begins to look */
    /* 0: all nodes are scored. 1..100: filtering ends when so many percent of the nodes (at least 100)
     * have passed, and the next pod's begins where it ended. */
    int32_t percentage_of_nodes_to_score;
    int64_t initial_backoff_ms, max_backoff_ms; /* 0: 1 s and 10 s */
    bool takes_all;       /* pods of any schedulerName; otherwise only those of the cluster's profile */
    bool deletes_victims; /* a preemption's victims are gone at once, as a simulation wants; otherwise the
                             sink sees to their eviction and tells by apply and delete */
    const ks_sink *sink;  /* must outlive the scheduler; NULL: nobody listens */
    void *sink_ctx;
} ks_scheduler_options;

/* Borrows the cluster, which from now on changes through the scheduler alone; pods that pend in it are
 * queued in the order in which they came. options NULL: the defaults. */
KS_API int ks_scheduler_new(ks_scheduler **out, ks_cluster *cluster, const ks_scheduler_options *options,
                            int64_t now_ms, ks_error *err);
KS_API void ks_scheduler_free(ks_scheduler *scheduler);

/* An object came or changed, or went: as ks_cluster_apply and ks_cluster_delete, and pods that the event
 * may help are tried again. Pods of other scheduler names, terminating ones and those that are over are
 * not queued. On failure nothing has changed. */
KS_API int ks_scheduler_apply(ks_scheduler *scheduler, const ks_object *object, int64_t now_ms,
                              ks_error *err);
KS_API int ks_scheduler_delete(ks_scheduler *scheduler, ks_kind kind, ks_str namespace_, ks_str name,
                               int64_t now_ms, ks_error *err);

typedef enum ks_step {
    KS_STEP_IDLE, /* no pod is to be tried now */
    KS_STEP_PLACED,
    KS_STEP_UNSCHEDULABLE,
    KS_STEP_PREEMPTING,
} ks_step;

/* Tries the pod that is next in the queue. A pod that is placed counts on its node from now on, before it
 * is bound. On failure the pod stays next. */
KS_API int ks_scheduler_step(ks_step *out, ks_scheduler *scheduler, int64_t now_ms, ks_error *err);

/* The binding of a placed pod failed: it leaves its node and is tried again after a backoff. KS_ENOTFOUND
 * if there is no such pod, or it was not placed by this scheduler. */
KS_API int ks_scheduler_forget(ks_scheduler *scheduler, ks_str namespace_, ks_str name, int64_t now_ms,
                               ks_error *err);

#define KS_TIME_NEVER INT64_MAX
#define KS_TIME_NOW INT64_MIN

/* When a step finds a pod to try: KS_TIME_NOW if one is ready, else when the first backoff ends. */
KS_API int64_t ks_scheduler_next_time(const ks_scheduler *scheduler);
/* When the pod that has waited longest for an event is tried without one, five minutes after its last
 * try. Nothing in a simulation changes by waiting for that. */
KS_API int64_t ks_scheduler_next_flush(const ks_scheduler *scheduler);

typedef struct ks_scheduler_stats {
    size_t active, backing_off, unschedulable, gated; /* pods now */
    size_t nominated;                                 /* of them, with a node kept free for them */
    uint64_t attempts, placed, preemptions;           /* so far */
} ks_scheduler_stats;
KS_API ks_scheduler_stats ks_scheduler_get_stats(const ks_scheduler *scheduler);

#ifdef __cplusplus
}
#endif
#endif
