// SPDX-License-Identifier: Apache-2.0
/* What `capacity` found, ready to be shown in any form. */
#ifndef KS_CLI_CAPACITY_H
#define KS_CLI_CAPACITY_H

#include "cli/resource.h"
#include "cli/style.h"
#include "sim/capacity.h"
#include "util/json.h"
#include "util/vec.h"

/* Copies in the nodes of one value of a topology key. */
typedef struct ks_capacity_domain {
    ks_str key, value;
    size_t copies, nodes;
} ks_capacity_domain;

typedef struct ks_capacity_report {
    ks_alloc *alloc;
    ks_resource_ref template_;
    ks_str namespace_;
    const ks_capacity *capacity;
    const ks_cycle *cycle; /* of one more copy */
    ks_capacity_summary summary;
    size_t used; /* nodes that took copies */
    /* By key, then value: the constraints' keys and the zone; hosts are listed as nodes. */
    KS_VEC(ks_capacity_domain) domains;
    ks_buf message; /* what stops the next one, in kube-scheduler's words; empty if nothing does */
} ks_capacity_report;

/* Fills in all but the first three members, from `capacity` and the sim's cluster. */
int ks_capacity_report_fill(ks_capacity_report *report, const ks_capacity *capacity, ks_cluster *cluster,
                            ks_error *err);
void ks_capacity_report_free(ks_capacity_report *report);

typedef struct ks_capacity_view {
    ks_style style;
    bool no_headers; /* only the rows of the table */
} ks_capacity_view;

void ks_capacity_report_print(const ks_capacity_report *report, const ks_capacity_view *view, ks_buf *out);
/* A ks_describe_fn; the schema is in docs/capacity.md. */
void ks_capacity_report_describe(ks_json_writer *w, const void *report);

#endif
