// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"
#include "support/random_words.h"
#include <stdio.h>
#include <stdlib.h>

/* splitmix64: small, and every seed is a good one. */
uint64_t random_next(random_source *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

random_source random_seed(uint64_t seed)
{
    random_source random = {seed};
    random.state = random_next(&random);
    return random;
}

uint32_t random_below(random_source *random, uint32_t n)
{
    return (uint32_t)((random_next(random) >> 32) * n >> 32);
}

bool random_chance(random_source *random, uint32_t percent)
{
    return random_below(random, 100) < percent;
}

void *random_take(ks_arena *arena, size_t size)
{
    void *ptr = ks_arena_get_zeroed(arena, size);
    if (!ptr)
        abort();
    return ptr;
}

ks_str random_name(ks_arena *arena, const char *format, uint32_t number)
{
    char text[64];
    int len = snprintf(text, sizeof text, format, number);
    ks_str name;
    if (!ks_arena_copy_str(arena, &name, (ks_str){text, (size_t)len}))
        abort();
    return name;
}

ks_str random_word(random_source *random, const ks_str *words, uint32_t count)
{
    return words[random_below(random, count)];
}

ks_strs random_some_words(random_source *random, ks_arena *arena, const ks_str *words, uint32_t count)
{
    ks_strs some = {.count = 1 + random_below(random, 2)};
    some.items = random_take(arena, some.count * sizeof *some.items);
    for (size_t i = 0; i < some.count; i++)
        some.items[i] = random_word(random, words, count);
    return some;
}

ks_str random_namespace(uint32_t slot)
{
    static const ks_str names[] = {{NULL, 0}, {"prod", 4}, {"default", 7}, {"prod", 4}};
    return names[slot % 4];
}

/* ---- pods' labels, and what selects them ---- */

static const ks_str pod_keys[] = {{"app", 3}, {"tier", 4}, {"track", 5}};
static const ks_str pod_values[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"", 0}};

/* Mostly the same, so that domains fill up. */
static ks_str random_app(random_source *random)
{
    return pod_values[random_chance(random, 25)];
}

void random_pod_labels(ks_labels *out, random_source *random, ks_arena *arena)
{
    *out = (ks_labels){0};
    if (random_chance(random, 5))
        return;
    out->items = random_take(arena, 3 * sizeof *out->items);
    for (uint32_t k = 0; k < 3; k++)
        if (random_chance(random, k == 0 ? 90 : 50))
            out->items[out->count++] =
                (ks_label){pod_keys[k], k ? random_word(random, pod_values, 4) : random_app(random)};
}

static void random_label_map(ks_labels *out, random_source *random, ks_arena *arena)
{
    *out = (ks_labels){.items = random_take(arena, 2 * sizeof *out->items)};
    if (random_chance(random, 95))
        out->items[out->count++] = (ks_label){pod_keys[0], random_app(random)};
    if (random_chance(random, 15))
        out->items[out->count++] =
            (ks_label){pod_keys[1 + random_below(random, 2)], random_word(random, pod_values, 4)};
}

static ks_selector_requirement random_pod_requirement(random_source *random, ks_arena *arena)
{
    static const ks_str ops[] = {{"In", 2}, {"NotIn", 5}, {"Exists", 6}, {"DoesNotExist", 12}};
    uint32_t op = random_below(random, 4);
    ks_selector_requirement requirement = {.key = random_word(random, pod_keys, 3), .op = ops[op]};
    if (op < 2)
        requirement.values = random_some_words(random, arena, pod_values, 4);
    return requirement;
}

/* What the API server would have refused: the scheduler answers with an error. */
static ks_selector_requirement broken_requirement(random_source *random, ks_arena *arena)
{
    ks_selector_requirement requirement = random_pod_requirement(random, arena);
    switch (random_below(random, 4)) {
    case 0:
        requirement.op = KS_STR("Matches");
        break;
    case 1:
        requirement = (ks_selector_requirement){.key = pod_keys[0], .op = KS_STR("In")};
        break;
    case 2:
        requirement.op = KS_STR("Exists");
        requirement.values = random_some_words(random, arena, pod_values, 4);
        break;
    default:
        requirement.key = KS_STR("not a key");
    }
    return requirement;
}

const ks_label_selector *random_selector(random_source *random, ks_arena *arena)
{
    if (random_chance(random, 5))
        return NULL;
    ks_label_selector *selector = random_take(arena, sizeof *selector);
    if (random_chance(random, 5))
        return selector;
    if (random_chance(random, 92))
        random_label_map(&selector->match_labels, random, arena);
    if (random_chance(random, 30)) {
        selector->match_expressions.count = 1 + random_below(random, 2);
        selector->match_expressions.items =
            random_take(arena, selector->match_expressions.count * sizeof(ks_selector_requirement));
        for (size_t i = 0; i < selector->match_expressions.count; i++)
            selector->match_expressions.items[i] = random_pod_requirement(random, arena);
        if (random_chance(random, 5))
            selector->match_expressions.items[0] = broken_requirement(random, arena);
    }
    return selector;
}

/* ---- nodes ---- */

static const ks_str zones[] = {{"z1", 2}, {"z2", 2}, {"z3", 2}, {"z4", 2}, {"", 0}};
static const ks_str disks[] = {{"ssd", 3}, {"hdd", 3}};
static const ks_str racks[] = {{"1", 1}, {"2", 1}, {"3", 1}, {"10", 2}, {"x", 1}, {"", 0}};
static const ks_str taint_keys[] = {{"dedicated", 9}, {"spot", 4}};
static const ks_str taint_values[] = {{"x", 1}, {"", 0}, {"5", 1}};
static const ks_str taint_effects[] = {
    {"NoSchedule", 10}, {"NoExecute", 9}, {"PreferNoSchedule", 16}, {"NoSchedule", 10}};

static void put_label(ks_labels *labels, ks_str key, ks_str value)
{
    labels->items[labels->count++] = (ks_label){key, value};
}

/* In the order of keys, as a map's entries must be. */
static void random_node_labels(ks_labels *out, random_source *random, ks_arena *arena, ks_str name)
{
    *out = (ks_labels){0};
    if (random_chance(random, 3))
        return;
    out->items = random_take(arena, 5 * sizeof *out->items);
    if (random_chance(random, 70))
        put_label(out, RANDOM_DISK, random_word(random, disks, 2));
    if (random_chance(random, 94))
        put_label(out, RANDOM_HOSTNAME, random_chance(random, 90) ? name : random_word(random, zones, 5));
    if (random_chance(random, 85))
        put_label(out, RANDOM_RACK, random_word(random, racks, 6));
    if (random_chance(random, 88))
        put_label(out, RANDOM_REGION, random_word(random, zones, 2));
    if (random_chance(random, 92))
        put_label(out, RANDOM_ZONE, random_word(random, zones, random_chance(random, 20) ? 5 : 3));
}

void random_node(ks_node *out, ks_arena *arena, const node_recipe *recipe)
{
    *out = (ks_node){.metadata.name = random_name(arena, "node-%04u", recipe->slot)};
    random_source random = random_seed(UINT64_C(1) << 32 | recipe->labels);
    random_node_labels(&out->metadata.labels, &random, arena, out->metadata.name);

    random = random_seed(UINT64_C(2) << 32 | recipe->taints);
    out->spec.unschedulable = random_chance(&random, 10);
    out->spec.taints.count = random_below(&random, 5) / 2;
    if (out->spec.taints.count == 0)
        return;
    out->spec.taints.items = random_take(arena, out->spec.taints.count * sizeof(ks_taint));
    for (size_t i = 0; i < out->spec.taints.count; i++)
        out->spec.taints.items[i] = (ks_taint){.key = random_word(&random, taint_keys, 2),
                                               .value = random_word(&random, taint_values, 3),
                                               .effect = random_word(&random, taint_effects, 4)};
}

ks_toleration random_toleration(random_source *random)
{
    static const ks_str ops[] = {{NULL, 0},     {"Equal", 5}, {"Exists", 6}, {"", 0},
                                 {"Exists", 6}, {"Lt", 2},    {"Gt", 2}};
    ks_toleration toleration = {.op = random_word(random, ops, random_chance(random, 10) ? 7 : 5)};
    if (random_chance(random, 85))
        toleration.key = random_word(random, taint_keys, 2);
    if (random_chance(random, 50))
        toleration.value = random_word(random, taint_values, 3);
    if (random_chance(random, 60))
        toleration.effect = random_word(random, taint_effects, 4);
    return toleration;
}

ks_label random_node_label(random_source *random)
{
    switch (random_below(random, 4)) {
    case 0:
        return (ks_label){RANDOM_ZONE, random_word(random, zones, 5)};
    case 1:
        return (ks_label){RANDOM_RACK, random_word(random, racks, 6)};
    default:
        return (ks_label){RANDOM_DISK, random_word(random, disks, 2)};
    }
}

/* ---- Namespaces, Services and controllers ---- */

/* Those that pods are in come first. */
static const ks_str namespace_names[] = {{"default", 7}, {"prod", 4}};

void random_workload(ks_object *out, ks_arena *arena, ks_kind kind, const workload_recipe *recipe)
{
    *out = (ks_object){.kind = kind};
    if (kind == KS_NAMESPACE) {
        random_source labels = random_seed(UINT64_C(7) << 32 | recipe->selector);
        out->metadata.name =
            recipe->slot < 2 ? namespace_names[recipe->slot] : random_name(arena, "space-%u", recipe->slot);
        random_pod_labels(&out->metadata.labels, &labels, arena);
        return;
    }
    out->metadata.name = random_name(arena, "work-%u", recipe->slot / 2);
    out->metadata.namespace_ = random_namespace(recipe->slot);
    random_source random = random_seed(UINT64_C(3) << 32 | recipe->selector);
    if (kind == KS_SERVICE) {
        if (random_chance(&random, 90))
            random_label_map(&out->service.spec.selector, &random, arena);
    } else if (kind == KS_REPLICATION_CONTROLLER) {
        if (random_chance(&random, 90))
            random_label_map(&out->replication_controller.spec.selector, &random, arena);
    } else {
        out->workload.spec.selector = random_selector(&random, arena);
    }
}
