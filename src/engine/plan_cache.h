// SPDX-License-Identifier: Apache-2.0
/* Plans: what a plugin works out once for all pods of the same spec (and class) and reads in every cycle.
 * A plan holds references to living state (sets, counters, columns) or has its own; dropping the plans that
 * were not used for longest is what bounds the memory of all that (ks_cluster_options.counter_bytes_max).
 *
 * A plugin's plan is a struct that begins with a ks_plan_head, described by one const ks_plan_kind. */
#ifndef KS_ENGINE_PLAN_CACHE_H
#define KS_ENGINE_PLAN_CACHE_H

#include "engine/engine.h"

typedef struct ks_plan_head ks_plan_head;

typedef struct ks_plan_kind {
    size_t size;   /* of the plugin's struct */
    bool by_class; /* a plan is for one class and spec; otherwise for a spec, whatever the class */
    /* Fills in the plan, whose bytes behind the head are zero. What it gets from the arena goes with the
     * plan; memory that is to count as droppable comes from cluster->counting. After a failure `release`
     * is called, so it copes with a plan that is half made. */
    int (*compile)(ks_cluster *cluster, ks_plan_head *plan, ks_error *err);
    void (*release)(ks_cluster *cluster, ks_plan_head *plan);
    /* Whether the plan has to be compiled anew since what it was made from has changed; NULL: never. */
    bool (*is_stale)(const ks_cluster *cluster, const ks_plan_head *plan);
} ks_plan_kind;

struct ks_plan_head {
    ks_row row; /* refs: cycles that read it now */
    const ks_plan_kind *kind;
    bool compiled;
    ks_arena arena;
    ks_class *class_; /* NULL if the kind does not go by class; with a reference, as the spec */
    ks_spec *spec;
    ks_plan_head *newer, *older; /* by last use */
};

/* The plan of that kind for a pod, with a new reference, made or brought up to date if need be. */
int ks_plan_cache_get(ks_plan_head **out, ks_cluster *cluster, const ks_plan_kind *kind, ks_class *class_,
                      ks_spec *spec, ks_error *err);
void ks_plan_cache_unref(ks_plan_head *plan);
void ks_plan_cache_free(ks_cluster *cluster);

#endif
