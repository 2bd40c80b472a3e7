// SPDX-License-Identifier: Apache-2.0
/* Conformance scenarios: a cluster and an incoming pod in one JSON object, and the answer to it. Shared by
 * kubespread-conform and the conformance test. */
#ifndef KS_TESTS_SUPPORT_SCENARIO_H
#define KS_TESTS_SUPPORT_SCENARIO_H

#include "util/arena.h"
#include "util/str.h"
#include <kubespread/kubespread.h>

typedef struct ks_scenario {
    ks_str name;
    ks_spread_args config;
    KS_LIST(ks_node) nodes;
    KS_LIST(ks_pod) pods;
    KS_LIST(ks_namespace) namespaces;
    KS_LIST(ks_service) services;
    KS_LIST(ks_replication_controller) replication_controllers;
    KS_LIST(ks_workload) replica_sets, stateful_sets;
    ks_pod pod;
} ks_scenario;

/* Strings may point into `text`, the rest lives in the arena. */
int ks_scenario_decode(ks_scenario *out, ks_str text, ks_arena *arena, ks_error *err);

/* A profile in which PodTopologySpread stands alone. It borrows the lists of `args`, and `use`, which it
 * fills in. */
ks_profile ks_spread_profile(ks_plugin_use *use, const ks_spread_args *args);

/* Appends the answer as one line of JSON, without its line break. */
int ks_scenario_answer(ks_buf *out, const ks_scenario *scenario, ks_error *err);

#endif
