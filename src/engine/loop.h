// SPDX-License-Identifier: Apache-2.0
/* The scheduler's parts, for scheduler.c (steps) and scheduler_events.c (what comes in). */
#ifndef KS_ENGINE_LOOP_H
#define KS_ENGINE_LOOP_H

#include "engine/preemption.h"
#include "engine/queue.h"
#include <kubespread/scheduler.h>

struct ks_scheduler {
    ks_cluster *cluster;
    ks_scheduler_options options;
    ks_random random;
    ks_cycle *cycle;
    ks_queue queue;
    ks_nominator nominator;
    ks_fit_error fit;
    ks_preemption preemption;
    ks_buf message;     /* of a refusal */
    ks_buf post_filter; /* its end: what the PostFilter plugins say */
    ks_str *plugins;    /* names of those that refused, with room for all */
    size_t plugins_count;
    ks_pod *views; /* of victims */
    const ks_pod **victims;
    size_t views_cap, victims_cap;
    size_t start_node; /* where filtering begins if it may end early */
    /* The cycle refused a pod, preemption could not help, and nothing has changed since: the next pod of
     * the same class and spec need not be tried again to know as much. */
    bool stands;
    uint64_t attempts, placed, preemptions;
};

/* The events of pods, for the pool. The cluster changes between hearing and moving. */
void ks_scheduler_hear(ks_scheduler *scheduler, const ks_object *before, const ks_object *after);
/* A nominated pod that goes elsewhere or away makes room for those of equal or lower priority. */
void ks_scheduler_hear_unnominated(ks_scheduler *scheduler, const ks_pod_row *pod);
void ks_scheduler_moved(ks_scheduler *scheduler, int64_t now_ms);

/* A pod leaves the cluster and the queue. */
void ks_scheduler_delete_pod(ks_scheduler *scheduler, ks_pod_row *pod, int64_t now_ms);
/* Takes in a pod that is stored and pends. */
int ks_scheduler_queue_pod(ks_scheduler *scheduler, const ks_pod_row *pod, int64_t now_ms, ks_error *err);

#endif
