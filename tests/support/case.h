// SPDX-License-Identifier: Apache-2.0
/* Case files: a cluster, a pod and the whole result in one text that a person reads from top to bottom.
 * tests/cases/README.md says how they are written. */
#ifndef KS_TESTS_SUPPORT_CASE_H
#define KS_TESTS_SUPPORT_CASE_H

#include "util/str.h"
#include <kubespread/kubespread.h>

/* A case file's sections; absent where the file has none. They point into its text. */
typedef struct ks_case {
    const char *path;
    ks_str nodes, pods; /* tables */
    ks_str objects;     /* YAML: Services, ReplicaSets, … */
    ks_str config;      /* YAML: a KubeSchedulerConfiguration */
    ks_str gates;       /* as in --feature-gates */
    ks_str pod;         /* YAML: the incoming Pod */
    ks_str expect;
} ks_case;

ks_case ks_case_parse(const char *path, ks_str text);

/* Appends what becomes of the pod, in the form of the section "expect". */
void ks_case_run(ks_buf *out, const ks_case *c);

/* ---- its parts ---- */

/* Nodes and pods from the tables, the rest from YAML. */
void ks_case_fill(ks_cluster *cluster, const ks_case *c);
/* The result of a cycle as text. */
void ks_case_report(ks_buf *out, const ks_cycle *cycle);

#endif
