// SPDX-License-Identifier: Apache-2.0
/* Seeded randomness, and Kubernetes objects made from it.
 *
 * Objects come from recipes: a few small numbers that say everything about an object. A changed object is
 * a recipe with one number changed, and equal numbers give equal labels or specs, as pods of one template
 * have. Vocabularies are small, so that selectors match, domains fill and vanish, and names collide. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include "util/arena.h"
#include <kubespread/model.h>

typedef struct random_source {
    uint64_t state;
} random_source;

random_source random_seed(uint64_t seed);
uint64_t random_next(random_source *random);
/* 0..n-1; n must not be 0. */
uint32_t random_below(random_source *random, uint32_t n);
bool random_chance(random_source *random, uint32_t percent);

/* Arena memory and names for hand-made objects; a test that gets none ends. */
void *random_take(ks_arena *arena, size_t size);
ks_str random_name(ks_arena *arena, const char *format, uint32_t number);

typedef struct pod_recipe {
    uint32_t slot; /* name and namespace; neighbours share the name in two namespaces */
    uint32_t labels, owner, spec;
    uint32_t node;    /* 0: not bound; n: to node n - 1, which need not exist */
    bool terminating; /* has a deletionTimestamp */
    uint8_t phase;    /* 0: absent, then Pending, Running, Succeeded, Failed */
} pod_recipe;

typedef struct node_recipe {
    uint32_t slot, labels, taints;
} node_recipe;

typedef struct workload_recipe {
    uint32_t slot, selector;
} workload_recipe;

/* Everything that an object points to is in the arena. */
void random_pod(ks_pod *out, ks_arena *arena, const pod_recipe *recipe);
void random_node(ks_node *out, ks_arena *arena, const node_recipe *recipe);
/* Namespaces, Services, controllers. */
void random_workload(ks_object *out, ks_arena *arena, ks_kind kind, const workload_recipe *recipe);

/* A selector of pods: NULL, empty, by labels, by expressions and, rarely, one that cannot be. */
const ks_label_selector *random_selector(random_source *random, ks_arena *arena);
/* Constraints without selectors, as a scheduler's configuration has them. */
void random_default_constraints(ks_topology_spread_constraints *out, random_source *random, ks_arena *arena);
/* A pod's constraints, at most {key, whenUnsatisfiable} each once. */
void random_constraints(ks_topology_spread_constraints *out, random_source *random, ks_arena *arena);
/* Adds pod affinity, anti-affinity or both. */
void random_pod_affinity(ks_pod_spec *spec, random_source *random, ks_arena *arena);
void random_pod_labels(ks_labels *out, random_source *random, ks_arena *arena);

#endif
