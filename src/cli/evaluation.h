// SPDX-License-Identifier: Apache-2.0
/* What `evaluate` found, ready to be shown in any form. */
#ifndef KS_CLI_EVALUATION_H
#define KS_CLI_EVALUATION_H

#include "cli/scores.h"
#include "cli/style.h"
#include "util/json.h"
#include <kubespread/cluster.h>

typedef struct ks_evaluation {
    ks_alloc *alloc;
    const ks_pod *pod;
    const ks_cycle *cycle; /* has run for the pod */
    ks_cycle_summary summary;
    ks_scorers scorers;
    size_t *order;  /* all nodes: those that fit by score, then the refused, then the unresolvable */
    size_t best;    /* how many of the first share the highest score */
    ks_buf message; /* kube-scheduler's sentence if no node fits; else empty */
} ks_evaluation;

int ks_evaluation_init(ks_evaluation *evaluation, ks_alloc *alloc, const ks_pod *pod, const ks_cycle *cycle,
                       ks_error *err);
void ks_evaluation_free(ks_evaluation *evaluation);

typedef struct ks_evaluation_view {
    ks_style style;
    bool wide;       /* with every plugin's score and the numbers of every constraint */
    bool no_headers; /* only the rows of the table */
} ks_evaluation_view;

void ks_evaluation_print(const ks_evaluation *evaluation, const ks_evaluation_view *view, ks_buf *out);
/* "node/NAME" for each node that fits, best first. */
void ks_evaluation_print_names(const ks_evaluation *evaluation, ks_buf *out);
/* A ks_describe_fn; the schema is in docs/evaluate.md. */
void ks_evaluation_describe(ks_json_writer *w, const void *evaluation);

#endif
