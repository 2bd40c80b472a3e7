// SPDX-License-Identifier: Apache-2.0
/* What `schedule` did, ready to be shown in any form. */
#ifndef KS_CLI_SCHEDULE_H
#define KS_CLI_SCHEDULE_H

#include "cli/manifest.h"
#include "cli/style.h"
#include "sim/sim.h"

typedef struct ks_schedule {
    ks_alloc *alloc;
    ks_sim *sim; /* has run */
    ks_sim_summary summary;
    ks_manifests manifests; /* filled only for the forms that print pods */
    ks_str namespace_;      /* the one whose pods were scheduled; absent: all */
    bool elsewhere;         /* there is something to schedule in other namespaces */
    double taken_s;         /* by the run, without reading the input */
} ks_schedule;

typedef struct ks_schedule_view {
    ks_style style;
    bool wide;       /* more columns, and all workloads */
    bool no_headers; /* only the rows of the table */
    bool timing;     /* with the time that it took */
} ks_schedule_view;

/* Tables and pictures. Fails only if a workload cannot be looked at. */
int ks_schedule_print(const ks_schedule *schedule, const ks_schedule_view *view, ks_buf *out, ks_error *err);
/* "pod/NAME" for each pod that was placed. */
void ks_schedule_print_names(const ks_schedule *schedule, ks_buf *out);
/* A ks_describe_fn: a v1 List of the pods that were placed. */
void ks_schedule_describe(ks_json_writer *w, const void *schedule);

/* ---- pods that found no place ---- */

/* Pods of one workload that were refused for the same reason. */
typedef struct ks_stranded {
    ks_sim_unplaced first;
    size_t count;
} ks_stranded;
typedef KS_VEC(ks_stranded) ks_stranded_list;

/* In the order of their first pods. False on want of memory. */
bool ks_schedule_strand(ks_stranded_list *out, const ks_schedule *schedule);
/* "pod/NAME and 2 more of deployment/web" */
void ks_stranded_put(const ks_stranded *stranded, const ks_schedule *schedule, ks_buf *out);
/* The pods that found no place, their reasons, and the numbers of spread constraints that refuse them. */
int ks_schedule_print_stranded(const ks_schedule *schedule, const ks_style *style, ks_buf *out,
                               ks_error *err);

/* " in NAMESPACE" where there may be several. */
void ks_schedule_put_namespace(const ks_schedule *schedule, ks_str namespace_, ks_buf *out);

/* ---- decisions as they are made ---- */

typedef struct ks_explainer {
    ks_alloc *alloc;
    const ks_style *style;
    ks_buf *out;
} ks_explainer;

/* A ks_sim_watcher's `decided`, the explainer its ctx: what the cycle found, which nodes were best and by
 * which plugins, why the others were refused. */
void ks_explainer_decided(const ks_explainer *explainer, const ks_pod *pod, const ks_cycle *cycle,
                          const ks_sim_placement *placement, ks_str message);

#endif
