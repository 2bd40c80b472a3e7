// SPDX-License-Identifier: Apache-2.0
/* Any text as pods to be validated.
 *
 * - As many faults are reported as are counted, each with its path.
 * - A gate that is off never brings faults; without the spread gate there are none.
 * - Where there is no fault, the selectors compile and no kind of constraint stands twice. */
#include "model/selector.h"
#include <kubespread/decode.h>
#include <kubespread/validate.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct tally {
    const char *path;
    size_t count;
} tally;

static void count_fault(void *ctx, ks_str fault)
{
    tally *tally = ctx;
    size_t len = strlen(tally->path);
    CHECK(fault.len > len && memcmp(fault.data, tally->path, len) == 0);
    CHECK(fault.data[fault.len] == '\0');
    tally->count++;
}

static size_t count_faults(const ks_pod *pod, ks_gates gates)
{
    tally tally = {.path = "spec.topologySpreadConstraints["};
    size_t count;
    CHECK(ks_pod_validate(&count, pod, gates, NULL, count_fault, &tally, NULL) == KS_OK);
    CHECK(count == tally.count);
    return count;
}

static void check_constraint(const ks_topology_spread_constraints *constraints, size_t at, ks_arena *arena)
{
    const ks_topology_spread_constraint *constraint = &constraints->items[at];
    ks_selector selector;
    CHECK(ks_selector_compile(&selector, constraint->label_selector, arena, NULL) == KS_OK);
    CHECK(constraint->max_skew > 0 && constraint->topology_key.len > 0);
    for (size_t i = 0; i < at; i++)
        CHECK(!ks_str_eq(constraints->items[i].topology_key, constraint->topology_key) ||
              !ks_str_eq(constraints->items[i].when_unsatisfiable, constraint->when_unsatisfiable));
}

static void check_faultless(const ks_topology_spread_constraints *constraints)
{
    ks_alloc alloc;
    ks_arena arena;
    ks_alloc_init(&alloc, NULL);
    ks_arena_init(&arena, &alloc);
    for (size_t i = 0; i < constraints->count; i++)
        check_constraint(constraints, i, &arena);
    ks_arena_free(&arena);
}

static void check_args(const ks_topology_spread_constraints *constraints)
{
    tally tally = {.path = "args.default"};
    ks_spread_args args = {.defaulting_type = KS_STR("List"), .default_constraints = *constraints};
    size_t count;
    CHECK(ks_spread_args_validate(&count, &args, KS_STR("args"), NULL, count_fault, &tally, NULL) == KS_OK);
    CHECK(count == tally.count);
}

static int check_object(void *ctx, const ks_object *object, ks_error *err)
{
    (void)ctx;
    (void)err;
    if (object->kind != KS_POD)
        return KS_OK;
    const ks_pod *pod = &object->pod;
    size_t all = count_faults(pod, KS_GATES_DEFAULT);
    CHECK(count_faults(pod, KS_GATES_DEFAULT & ~(ks_gates)KS_GATE_NODE_INCLUSION_POLICY) <= all);
    CHECK(count_faults(pod, KS_GATES_DEFAULT & ~(ks_gates)KS_GATE_MATCH_LABEL_KEYS) <= all);
    CHECK(count_faults(pod, KS_GATES_DEFAULT & ~(ks_gates)KS_GATE_POD_TOPOLOGY_SPREAD) == 0);
    check_args(&pod->spec.topology_spread_constraints);
    if (all == 0)
        check_faultless(&pod->spec.topology_spread_constraints);
    return KS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ks_source source = {KS_STR("pods"), {(const char *)data, size}};
    ks_decode(source, NULL, check_object, NULL, NULL);
    return 0;
}
