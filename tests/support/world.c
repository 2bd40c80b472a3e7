// SPDX-License-Identifier: Apache-2.0
#include "support/world.h"
#include <stdlib.h>

/* Kinds that events are about, and how often of a hundred. Deployments change nothing. */
static const struct {
    ks_kind kind;
    uint32_t percent;
} kinds[] = {
    {KS_POD, 70},        {KS_NODE, 14},        {KS_SERVICE, 5},   {KS_REPLICATION_CONTROLLER, 2},
    {KS_REPLICA_SET, 4}, {KS_STATEFUL_SET, 2}, {KS_NAMESPACE, 1}, {KS_DEPLOYMENT, 2},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MOOD_EVENTS = 250 };

/* Moods change who comes and goes for a while, so that clusters also run empty and full. */
enum { EVEN, EVEN_TOO, NODES_GO, PODS_GO, NOTHING_GOES, MOODS };

static uint32_t slots_of(const world_size *size, ks_kind kind)
{
    return kind == KS_POD ? size->pods : kind == KS_NODE ? size->nodes : size->workloads;
}

void world_init(world *w, uint64_t seed, const world_size *size)
{
    *w = (world){.size = *size, .random = random_seed(seed), .salt = (uint32_t)seed << 14};
    ks_alloc_init(&w->alloc, NULL);
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t count = slots_of(size, kinds[k].kind);
        w->slots[kinds[k].kind].items = calloc(count, sizeof(world_object *));
        w->slots[kinds[k].kind].count = count;
        w->views[kinds[k].kind] = calloc(count, sizeof(ks_object *));
        if (!w->slots[kinds[k].kind].items || !w->views[kinds[k].kind])
            abort();
    }
}

static void free_object(world_object *object)
{
    if (!object)
        return;
    ks_arena_free(&object->arena);
    free(object);
}

void world_free(world *w)
{
    for (size_t k = 0; k < KS_KIND_COUNT; k++) {
        for (size_t i = 0; i < w->slots[k].count; i++)
            free_object(w->slots[k].items[i]);
        free(w->slots[k].items);
        free(w->views[k]);
    }
    *w = (world){0};
}

/* ---- recipes and how they change ---- */

static uint32_t some(world *w, uint32_t variety)
{
    return w->salt + random_below(&w->random, random_chance(&w->random, 95) ? variety : variety * 50);
}

/* Bound pods stand on nodes that are there, are not, or never will be. */
static uint32_t some_node(world *w)
{
    return random_chance(&w->random, 12) ? 0 : 1 + random_below(&w->random, w->size.nodes + 1);
}

static uint8_t some_phase(world *w)
{
    return (uint8_t)random_below(&w->random, random_chance(&w->random, 25) ? 5 : 3);
}

static pod_recipe new_pod(world *w, uint32_t slot)
{
    return (pod_recipe){.slot = slot,
                        .labels = some(w, 12),
                        .owner = some(w, 8),
                        .spec = some(w, w->size.variety),
                        .node = some_node(w),
                        .terminating = random_chance(&w->random, 8),
                        .phase = some_phase(w)};
}

static void change_pod(world *w, pod_recipe *recipe)
{
    switch (random_below(&w->random, 8)) {
    case 0:
    case 1:
        recipe->labels = some(w, 12);
        break;
    case 2:
    case 3:
        recipe->node = some_node(w);
        break;
    case 4:
        recipe->terminating = !recipe->terminating && random_chance(&w->random, 50);
        break;
    case 5:
        recipe->phase = some_phase(w);
        break;
    case 6:
        recipe->spec = some(w, w->size.variety);
        recipe->owner = some(w, 8);
        break;
    default:
        *recipe = new_pod(w, recipe->slot);
    }
}

static void change_node(world *w, node_recipe *recipe)
{
    if (random_chance(&w->random, 60))
        recipe->labels = some(w, 40);
    else if (random_chance(&w->random, 80))
        recipe->taints = some(w, 20);
}

/* ---- events ---- */

static ks_kind draw_kind(world *w)
{
    uint32_t at = random_below(&w->random, 100);
    size_t k = 0;
    while (at >= kinds[k].percent)
        at -= kinds[k++].percent;
    return kinds[k].kind;
}

static bool draw_departure(world *w, ks_kind kind, bool present)
{
    if (!present)
        return random_chance(&w->random, 4) || (w->mood == NODES_GO && kind == KS_NODE) ||
               (w->mood == PODS_GO && kind == KS_POD);
    if (w->mood == NOTHING_GOES)
        return false;
    if ((w->mood == NODES_GO && kind == KS_NODE) || (w->mood == PODS_GO && kind == KS_POD))
        return random_chance(&w->random, 80);
    return random_chance(&w->random, 20);
}

static world_object *make_object(world *w, ks_kind kind, uint32_t slot)
{
    const world_object *now = w->slots[kind].items[slot];
    world_object *next = calloc(1, sizeof *next);
    if (!next)
        abort();
    ks_arena_init(&next->arena, &w->alloc);
    next->object.kind = kind;
    if (now)
        next->recipe = now->recipe;
    if (kind == KS_POD) {
        if (now)
            change_pod(w, &next->recipe.pod);
        else
            next->recipe.pod = new_pod(w, slot);
        random_pod(&next->object.pod, &next->arena, &next->recipe.pod);
    } else if (kind == KS_NODE) {
        if (now)
            change_node(w, &next->recipe.node);
        else
            next->recipe.node = (node_recipe){slot, some(w, 40), some(w, 20)};
        random_node(&next->object.node, &next->arena, &next->recipe.node);
    } else {
        next->recipe.workload = (workload_recipe){slot, some(w, 10)};
        random_workload(&next->object, &next->arena, kind, &next->recipe.workload);
    }
    return next;
}

world_event world_draw(world *w)
{
    if (w->events++ % MOOD_EVENTS == 0)
        w->mood = random_below(&w->random, MOODS);
    world_event event = {.kind = draw_kind(w)};
    event.slot = random_below(&w->random, (uint32_t)w->slots[event.kind].count);
    bool present = w->slots[event.kind].items[event.slot];
    if (!draw_departure(w, event.kind, present))
        event.next = make_object(w, event.kind, event.slot);
    return event;
}

/* The same object as a name for a deletion, though it need not be there. */
static int send_deletion(const world *w, const world_event *event, ks_cluster *cluster, ks_error *err)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    ks_object object = {.kind = event->kind};
    if (event->kind == KS_POD)
        random_pod(&object.pod, &arena, &(pod_recipe){.slot = event->slot});
    else if (event->kind == KS_NODE)
        random_node(&object.node, &arena, &(node_recipe){.slot = event->slot});
    else
        random_workload(&object, &arena, event->kind, &(workload_recipe){.slot = event->slot});
    int rc = ks_cluster_delete(cluster, event->kind, object.metadata.namespace_, object.metadata.name, err);
    ks_arena_free(&arena);
    /* What becomes of kinds that the engine ignores is its own affair. */
    if (w->slots[event->kind].items[event->slot] && event->kind != KS_DEPLOYMENT)
        return rc;
    return rc == KS_ENOTFOUND || event->kind == KS_DEPLOYMENT ? KS_OK : rc == KS_OK ? KS_EINVAL : rc;
}

int world_send(const world *w, const world_event *event, ks_cluster *cluster, ks_error *err)
{
    if (event->next)
        return ks_cluster_apply(cluster, &event->next->object, err);
    return send_deletion(w, event, cluster, err);
}

void world_commit(world *w, world_event *event)
{
    world_object **slot = &w->slots[event->kind].items[event->slot];
    free_object(*slot);
    *slot = event->next;
    event->next = NULL;
}

int world_step(world *w, ks_cluster *cluster, ks_error *err)
{
    world_event event = world_draw(w);
    int rc = world_send(w, &event, cluster, err);
    world_commit(w, &event);
    return rc;
}

int world_clear(world *w, ks_cluster *cluster, ks_error *err)
{
    for (size_t k = 0; k < KS_KIND_COUNT; k++)
        for (uint32_t i = 0; i < w->slots[k].count; i++) {
            world_event event = {.kind = (ks_kind)k, .slot = i};
            int rc = world_send(w, &event, cluster, err);
            if (rc != KS_OK)
                return rc;
            world_commit(w, &event);
        }
    return KS_OK;
}

/* ---- looking at it ---- */

void world_view(world *w, plain_cluster *plain)
{
    for (size_t k = 0; k < KS_KIND_COUNT; k++) {
        plain->of[k] = (plain_objects){.items = w->views[k]};
        for (size_t i = 0; i < w->slots[k].count; i++)
            if (w->slots[k].items[i])
                w->views[k][plain->of[k].count++] = &w->slots[k].items[i]->object;
    }
}

void world_pending(world *w, ks_pod *out, ks_arena *arena)
{
    uint32_t slot = random_below(&w->random, w->size.pods);
    pod_recipe recipe = new_pod(w, slot);
    if (w->slots[KS_POD].items[slot] && random_chance(&w->random, 25))
        recipe = w->slots[KS_POD].items[slot]->recipe.pod;
    else
        recipe.node = 0;
    random_pod(out, arena, &recipe);
}
