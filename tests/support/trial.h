// SPDX-License-Identifier: Apache-2.0
/* An engine and a random world side by side: a cluster with PodTopologySpread as its only plugin, fed by
 * the world's events, and everything that a question to both needs. */
#ifndef TESTS_SUPPORT_TRIAL_H
#define TESTS_SUPPORT_TRIAL_H

#include "support/world.h"
#include "util/str.h"

typedef struct trial_options {
    const char *name;
    uint64_t seed;
    world_size size;
    ks_gates gates;
    bool list_defaults; /* random default constraints instead of the system's */
    size_t counter_bytes_max;
    const ks_allocator *allocator; /* the cluster's */
} trial_options;

typedef struct trial {
    world world;
    ks_alloc alloc;
    ks_arena arena, setup; /* of one question; of the whole trial */
    ks_buf differences;
    ks_spread_args defaults;
    plain_cluster plain;
    ks_cluster_options options;
    ks_profile profile;
    ks_plugin_use plugin;
    ks_cluster *cluster;
    ks_cycle *cycle;
} trial;

/* Everything but cluster and cycle, which are trial_begin's. */
void trial_prepare(trial *t, const trial_options *options);
void trial_begin(trial *t, const trial_options *options);
void trial_end(trial *t);

/* Runs a cycle for the pod and holds it against the plain model. An empty string means that they agree,
 * else it has all differences, and is valid until the next question. */
const char *trial_compare(trial *t, const ks_pod *pod, plain_result *plain);
/* The same for a random pod. */
const char *trial_compare_pending(trial *t, plain_result *plain);

#endif
