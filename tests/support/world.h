// SPDX-License-Identifier: Apache-2.0
/* A random cluster that changes event by event. It holds the objects as they are now, tells a ks_cluster
 * of each change, and lends the objects to the plain model. */
#ifndef TESTS_SUPPORT_WORLD_H
#define TESTS_SUPPORT_WORLD_H

#include "support/plain_model.h"
#include "support/random.h"

typedef struct world_size {
    uint32_t nodes, pods, workloads; /* at most so many, of each kind of workload */
    uint32_t variety;                /* different pod specs; the fewer, the more counters are used again */
} world_size;

typedef struct world_object {
    ks_object object;
    ks_arena arena;
    union {
        pod_recipe pod;
        node_recipe node;
        workload_recipe workload;
    } recipe;
} world_object;

/* An object that comes, changes or goes. */
typedef struct world_event {
    ks_kind kind;
    uint32_t slot;
    world_object *next; /* NULL: it goes */
} world_event;

typedef struct world {
    ks_alloc alloc;
    random_source random;
    world_size size;
    uint32_t salt; /* so that each world has labels and specs of its own */
    uint32_t mood, events;
    KS_LIST(world_object *) slots[KS_KIND_COUNT];
    const ks_object **views[KS_KIND_COUNT];
} world;

void world_init(world *w, uint64_t seed, const world_size *size);
void world_free(world *w);

/* The next event. It has happened only after world_commit, which takes what it holds. */
world_event world_draw(world *w);
/* Tells the cluster. The deletion of an object that is not there must be answered with KS_ENOTFOUND,
 * and is then no error. */
int world_send(const world *w, const world_event *event, ks_cluster *cluster, ks_error *err);
void world_commit(world *w, world_event *event);
/* All three at once. */
int world_step(world *w, ks_cluster *cluster, ks_error *err);
/* Deletes everything, from the cluster, too. */
int world_clear(world *w, ks_cluster *cluster, ks_error *err);

/* Fills in `plain`'s objects, which stay valid until the next commit. */
void world_view(world *w, plain_cluster *plain);
/* A pod to schedule: a new one, or one that is there (bound or not). */
void world_pending(world *w, ks_pod *out, ks_arena *arena);

#endif
