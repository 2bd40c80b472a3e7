// SPDX-License-Identifier: Apache-2.0
/* The simulator: objects come in from any source, workloads become the pods that their controllers would
 * make, and the scheduling loop runs on a virtual clock until nothing can change any more. Out come the
 * placements, the pods that found no place and why, and how every workload is spread.
 *
 * Nothing here does I/O or reads a clock. The same objects in the same order with the same seed give the
 * same results, byte for byte. */
#ifndef KS_SIM_SIM_H
#define KS_SIM_SIM_H

#include <kubespread/scheduler.h>

typedef struct ks_sim ks_sim; /* freed with ks_sim_free */

typedef struct ks_sim_placement ks_sim_placement;

/* Who watches a run; every function may be NULL. */
typedef struct ks_sim_watcher {
    /* After each decision: how many pods have a place, how many are known to need one so far. A return
     * other than 0 ends the run with KS_ESTOPPED. */
    int (*progress)(void *ctx, size_t placed, size_t total);
    /* A decision, with the cycle that made it, while its numbers can still be asked for. `placement` is
     * NULL if the pod was refused; `message` then is kube-scheduler's sentence. */
    void (*decided)(void *ctx, const ks_pod *pod, const ks_cycle *cycle, const ks_sim_placement *placement,
                    ks_str message);
    void *ctx;
} ks_sim_watcher;

typedef struct ks_sim_options {
    const ks_allocator *allocator; /* NULL: malloc and free */
    const ks_profile *profile;     /* copied; NULL: kube-scheduler's default profile, for pods of any
                                      schedulerName. Otherwise pods of another schedulerName are left alone. */
    ks_gates gates;                /* usually KS_GATES_DEFAULT */
    uint64_t seed;
    ks_str namespace_;                 /* only its pods are scheduled; absent: those of all namespaces */
    const ks_label_selector *selector; /* only pods whose labels match are scheduled; NULL: all */
    bool run_cron_jobs;                /* each CronJob starts one Job; otherwise it makes no pods */
    ks_sim_watcher watcher;
} ks_sim_options;

/* What the options point to must live until the run is over, but for the profile. */
int ks_sim_new(ks_sim **out, const ks_sim_options *options, ks_error *err);
void ks_sim_free(ks_sim *sim);

/* A ks_object_fn whose ctx is the sim: takes in one object, in any order. Of an object given several times
 * the last one counts. Not after the run. */
int ks_sim_take(void *sim, const ks_object *object, ks_error *err);

/* Makes what pods are missing and places what can be placed. Victims of preemption are deleted at once and
 * replaced by their workload. Once only. */
int ks_sim_run(ks_sim *sim, ks_error *err);

/* The cluster as it stands, for reading. */
ks_cluster *ks_sim_cluster(ks_sim *sim);

/* ---- what came of it ---- */

typedef struct ks_sim_summary {
    size_t nodes;
    size_t pods;       /* that needed a place: pending ones and those that were made */
    size_t made;       /* of them made by workloads */
    size_t placements; /* in all, evicted ones too */
    size_t placed;     /* that stand where they were placed */
    size_t unplaced, evictions, workloads;
    int64_t clock_ms; /* what the virtual clock shows at the end */
} ks_sim_summary;
ks_sim_summary ks_sim_get_summary(const ks_sim *sim);

/* Strings live as long as the sim. */
struct ks_sim_placement {
    ks_str namespace_, name, node;
    int64_t score;
    size_t feasible; /* nodes that passed all filters */
    size_t workload; /* its number; see ks_sim_get_workload */
    int64_t clock_ms;
    bool evicted; /* a later pod took its place */
};
/* In the order in which they were made. */
ks_sim_placement ks_sim_get_placement(const ks_sim *sim, size_t placement);

typedef struct ks_sim_unplaced {
    ks_str namespace_, name;
    ks_str reason;  /* of the condition PodScheduled: Unschedulable, SchedulingGated, SchedulerError; or
                       OtherScheduler, if it was left alone */
    ks_str message; /* kube-scheduler's sentence: "0/6 nodes are available: …" */
    size_t workload;
    size_t attempts;
} ks_sim_unplaced;
/* In the order of namespace and name. */
ks_sim_unplaced ks_sim_get_unplaced(const ks_sim *sim, size_t unplaced);

typedef struct ks_sim_eviction {
    ks_str namespace_, name, node;
    ks_str for_namespace, for_name; /* the pod that preempted it */
    int64_t clock_ms;
} ks_sim_eviction;
ks_sim_eviction ks_sim_get_eviction(const ks_sim *sim, size_t eviction);

/* A workload of the input that pods were sought a place for or that has pods already. Pending pods whose
 * controller was not given, or that have none, are workloads of their own: those that look alike are one,
 * under their controller's name or, with kind KS_POD, that of the first of them. */
typedef struct ks_sim_workload {
    ks_kind kind;
    ks_str namespace_, name;
    size_t wanted;   /* pods that it should have */
    size_t existing; /* pods that it had at the start, bound or pending */
    size_t made, placed, unplaced;
    size_t alive; /* pods that it has in the end, with a place or without */
} ks_sim_workload;
/* In the order of the input. */
ks_sim_workload ks_sim_get_workload(const ks_sim *sim, size_t workload);

/* A cycle for one more pod of the workload on the cluster as it is now: its constraints, domains and
 * numbers are the workload's. Valid until the next call for this sim. */
int ks_sim_look(const ks_cycle **out, ks_sim *sim, size_t workload, ks_error *err);
/* Most matching pods in a domain minus fewest; 0 without domains. */
int64_t ks_cycle_get_skew(const ks_cycle *cycle, size_t constraint);

#endif
