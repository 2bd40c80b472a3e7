// SPDX-License-Identifier: Apache-2.0
/* What must hold of every simulation, on random clusters; and what a run does when pods wait, are evicted or
 * find no place. */
#include "engine/engine.h"
#include "sim/state.h"
#include "support/diff.h"
#include "support/failing_allocator.h"
#include "support/plain_model.h"
#include "support/random_shop.h"
#include "support/simulation.h"
#include "support/unit.h"
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SHOPS = 300 };

static void must(int code, const ks_error *err)
{
    if (code != KS_OK)
        fail_msg("unexpected error %d: %s", code, err->message);
}

/* ---- every decision is the one that a cluster built from scratch makes ---- */

typedef struct audit {
    ks_sim *sim;
    uint64_t seed;
    size_t decisions, compared, placements;
} audit;

static ks_cluster *rebuild(const ks_cluster *from)
{
    ks_cluster *cluster;
    ks_error err = {0};
    must(ks_cluster_new(&cluster, NULL, &err), &err);
    for (size_t i = 0; i < from->stored.rows.count; i++)
        if (from->stored.rows.items[i])
            must(ks_cluster_apply(cluster, &((ks_stored *)from->stored.rows.items[i])->object, &err), &err);
    for (size_t i = 0; i < from->nodes_by_name.count; i++) {
        const ks_node_row *row = (const ks_node_row *)from->nodes.rows.items[from->nodes_by_name.items[i]];
        ks_object object = {.kind = KS_NODE, .node = row->node};
        object.metadata.name = row->name;
        must(ks_cluster_apply(cluster, &object, &err), &err);
    }
    for (size_t i = 0; i < from->pods.rows.count; i++) {
        if (!from->pods.rows.items[i])
            continue;
        ks_object object = {.kind = KS_POD};
        ks_pod_view(&object.pod, (const ks_pod_row *)from->pods.rows.items[i]);
        must(ks_cluster_apply(cluster, &object, &err), &err);
    }
    return cluster;
}

static void compare_nodes(const audit *a, const ks_cycle *one, const ks_cycle *other)
{
    ks_cycle_summary s = ks_cycle_get_summary(one), t = ks_cycle_get_summary(other);
    assert_int_equal(s.nodes, t.nodes);
    assert_int_equal(s.feasible, t.feasible);
    for (size_t i = 0; i < s.nodes; i++) {
        ks_node_result x = ks_cycle_get_node(one, i), y = ks_cycle_get_node(other, i);
        if (!ks_str_eq(x.name, y.name) || x.code != y.code || x.score != y.score ||
            !ks_str_eq(x.plugin, y.plugin) || !ks_str_eq(x.reason, y.reason))
            fail_msg("seed %u: %.*s: %s %lld \"%.*s\", from scratch %s %lld \"%.*s\"", (unsigned)a->seed,
                     KS_STR_ARG(x.name), ks_code_name(x.code), (long long)x.score, KS_STR_ARG(x.reason),
                     ks_code_name(y.code), (long long)y.score, KS_STR_ARG(y.reason));
    }
}

static void compare_constraints(const ks_cycle *one, const ks_cycle *other)
{
    size_t count = ks_cycle_get_summary(one).constraints;
    assert_int_equal(count, ks_cycle_get_summary(other).constraints);
    for (size_t i = 0; i < count; i++) {
        ks_spread_constraint x = ks_cycle_get_constraint(one, i), y = ks_cycle_get_constraint(other, i);
        assert_int_equal(x.minimum, y.minimum);
        assert_int_equal(x.domains, y.domains);
        for (size_t j = 0; j < x.domains; j++) {
            ks_spread_domain d = ks_cycle_get_domain(one, i, j), e = ks_cycle_get_domain(other, i, j);
            assert_true(ks_str_eq(d.value, e.value));
            assert_int_equal(d.matching, e.matching);
            assert_int_equal(d.nodes, e.nodes);
        }
    }
}

static void compare_with_scratch(audit *a, const ks_pod *pod, const ks_cycle *cycle)
{
    ks_cluster *cluster = rebuild(a->sim->cluster);
    ks_cycle *fresh;
    ks_error err = {0};
    must(ks_cycle_new(&fresh, cluster, &err), &err);
    must(ks_cycle_run(fresh, pod, &err), &err);
    compare_nodes(a, cycle, fresh);
    compare_constraints(cycle, fresh);
    ks_cycle_free(fresh);
    ks_cluster_free(cluster);
    a->compared++;
}

/* ---- no placement breaks a hard constraint ---- */

/* The cluster's objects of the kinds that the plain model knows; in the arena. */
static plain_cluster view_cluster(const ks_cluster *from, ks_arena *arena)
{
    static const ks_spread_args defaults = {.defaulting_type = {"System", 6}};
    plain_cluster plain = {.gates = KS_GATES_DEFAULT, .defaults = &defaults, .weight = 2};
    size_t room = from->pods.rows.count + from->nodes.rows.count + from->stored.rows.count;
    ks_object *objects = random_take(arena, room * sizeof *objects);
    size_t used = 0;
    for (int kind = 0; kind < KS_KIND_COUNT; kind++)
        plain.of[kind].items = random_take(arena, room * sizeof *plain.of[kind].items);
    for (size_t i = 0; i < from->nodes_by_name.count; i++) {
        const ks_node_row *row = (const ks_node_row *)from->nodes.rows.items[from->nodes_by_name.items[i]];
        objects[used] = (ks_object){.kind = KS_NODE, .node = row->node};
        objects[used].metadata.name = row->name;
        plain.of[KS_NODE].items[plain.of[KS_NODE].count++] = &objects[used++];
    }
    for (size_t i = 0; i < from->pods.rows.count; i++) {
        if (!from->pods.rows.items[i])
            continue;
        objects[used] = (ks_object){.kind = KS_POD};
        ks_pod_view(&objects[used].pod, (const ks_pod_row *)from->pods.rows.items[i]);
        plain.of[KS_POD].items[plain.of[KS_POD].count++] = &objects[used++];
    }
    for (size_t i = 0; i < from->stored.rows.count; i++) {
        const ks_stored *stored = (const ks_stored *)from->stored.rows.items[i];
        if (stored)
            plain.of[stored->object.kind].items[plain.of[stored->object.kind].count++] = &stored->object;
    }
    return plain;
}

static void check_constraints(audit *a, const ks_pod *pod, ks_str node)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    plain_cluster plain = view_cluster(a->sim->cluster, &arena);
    plain_result result;
    plain_run(&result, &plain, pod, &arena);
    for (size_t i = 0; i < result.summary.nodes; i++)
        if (ks_str_eq(result.nodes[i].result.name, node) && result.nodes[i].result.code != KS_SUCCESS)
            fail_msg("seed %u: %.*s on %.*s: %.*s", (unsigned)a->seed, KS_STR_ARG(pod->metadata.name),
                     KS_STR_ARG(node), KS_STR_ARG(result.nodes[i].result.reason));
    ks_arena_free(&arena);
    a->placements++;
}

/* Where a node is kept free for a pod that has preempted others, the cycle counts that pod as well. */
static void decided(void *ctx, const ks_pod *pod, const ks_cycle *cycle, const ks_sim_placement *placement,
                    ks_str message)
{
    audit *a = ctx;
    a->decisions++;
    assert_true(placement != NULL || message.len > 0);
    if (cycle && ks_scheduler_get_stats(a->sim->scheduler).nominated == 0)
        compare_with_scratch(a, pod, cycle);
    if (placement)
        check_constraints(a, pod, placement->node);
}

static void run_shop(simulation *s, const ks_sim_options *options, ks_buf *text)
{
    simulation_begin(s, options);
    if (options->watcher.ctx)
        ((audit *)options->watcher.ctx)->sim = s->sim;
    simulation_take(s, text->data);
    simulation_run(s);
}

static void check_sums(const ks_sim *sim, uint64_t seed)
{
    ks_sim_summary summary = ks_sim_get_summary(sim);
    size_t evicted = 0, placed = 0, unplaced = 0;
    for (size_t i = 0; i < summary.placements; i++)
        evicted += ks_sim_get_placement(sim, i).evicted;
    for (size_t i = 0; i < summary.workloads; i++) {
        ks_sim_workload workload = ks_sim_get_workload(sim, i);
        placed += workload.placed;
        unplaced += workload.unplaced;
    }
    if (summary.placements - evicted != summary.placed || placed != summary.placed ||
        unplaced != summary.unplaced || summary.placed + evicted + summary.unplaced != summary.pods)
        fail_msg("seed %u: %zu pods, %zu placements, %zu evicted, %zu placed (workloads: %zu), %zu unplaced "
                 "(workloads: %zu)",
                 (unsigned)seed, summary.pods, summary.placements, evicted, summary.placed, placed,
                 summary.unplaced, unplaced);
}

static void test_properties(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf text;
    ks_buf_init(&text, &alloc);
    audit a = {0};
    size_t evictions = 0, unplaced = 0;
    for (a.seed = 0; a.seed < SHOPS; a.seed++) {
        ks_sim_options options = {
            .gates = KS_GATES_DEFAULT, .seed = a.seed, .watcher = {.decided = decided, .ctx = &a}};
        simulation s;
        random_shop(&text, a.seed);
        run_shop(&s, &options, &text);
        check_sums(s.sim, a.seed);
        evictions += ks_sim_get_summary(s.sim).evictions;
        unplaced += ks_sim_get_summary(s.sim).unplaced;
        simulation_end(&s);
    }
    /* The shops have what is to be tested. */
    assert_true(a.placements > 2000 && a.compared > 2000 && evictions > 50 && unplaced > 500);
    ks_buf_free(&text);
}

static void test_same_seed_same_output(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf text, first;
    ks_buf_init(&text, &alloc);
    ks_buf_init(&first, &alloc);
    size_t differing = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        ks_sim_options options = {.gates = KS_GATES_DEFAULT, .seed = seed};
        simulation s;
        random_shop(&text, seed);
        run_shop(&s, &options, &text);
        ks_buf_clear(&first);
        ks_buf_put_str(&first, ks_str_of(simulation_results(&s)));
        simulation_end(&s);
        run_shop(&s, &options, &text);
        assert_string_equal(simulation_results(&s), first.data);
        simulation_end(&s);
        options.seed = seed + 1000;
        run_shop(&s, &options, &text);
        differing += strcmp(simulation_results(&s), first.data) != 0;
        simulation_end(&s);
    }
    assert_true(differing > 30);
    ks_buf_free(&text);
    ks_buf_free(&first);
}

/* ---- whole results ---- */

#define NODE(name, zone, pods)                                                                               \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: {zone: " zone "}}, "               \
    "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '" pods "'}}}\n"
#define PRIORITY(name, value)                                                                                \
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: " name "}, value: " value \
    "}\n"
#define POD(name, spec) "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name "}, spec: {" spec "}}\n"
#define SET(name, replicas, spec)                                                                            \
    "---\n{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: " name "}, spec: {replicas: " replicas   \
    ", selector: {matchLabels: {app: " name "}}, template: {metadata: {labels: {app: " name "}}, "           \
    "spec: {" spec "}}}}\n"
#define SPREAD(app)                                                                                          \
    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "         \
    "labelSelector: {matchLabels: {app: " app "}}}]"

static const struct {
    const char *name, *text, *where;
    size_t evictions;
} runs[] = {
    {"a pod of higher priority takes a place, and the loser's workload asks for another",
     NODE("n1", "a", "2") PRIORITY("high", "10") SET("db", "2", "containers: []")
         POD("vip", "priorityClassName: high"),
     "db-0 n1, db-1 -, vip n1", 0},
    {"it is evicted if it was there first",
     NODE("n1", "a", "1") PRIORITY("high", "10") POD("old", "nodeName: n1")
         POD("vip", "priorityClassName: high"),
     "vip n1", 1},
    {"the workload of an evicted pod makes a new one, which waits",
     NODE("n1", "a", "1") PRIORITY("high", "10") SET(
         "db", "1",
         "containers: []") "---\n{apiVersion: v1, kind: Pod, metadata: {name: db-0, labels: {app: db}, "
                           "ownerReferences: "
                           "[{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u, controller: true}]}, "
                           "spec: {nodeName: n1}}\n" POD("vip", "priorityClassName: high"),
     "db-0 -, vip n1", 1},
    {"a pod that waits for another's label is tried again when that one is placed",
     NODE("n1", "a", "9")
         POD("first", "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                      "[{topologyKey: zone, labelSelector: {matchLabels: {app: db}}}]}}") SET("db", "1", ""),
     "db-0 n1, first n1", 0},
    {"a gated pod and one that fits nowhere",
     NODE("n1", "a", "9") POD("gated", "schedulingGates: [{name: wait}]")
         POD("nowhere", "nodeSelector: {disk: ssd}"),
     "gated -, nowhere -", 0},
    {"hard constraints hold pods back",
     NODE("n1", "a", "9") NODE("n2", "b", "1") SET("db", "4", "podManagementPolicy: x, " SPREAD("db")),
     "db-0 n1, db-1 n2, db-2 n1, db-3 -", 0},
    {"no nodes at all", SET("db", "2", ""), "db-0 -", 0},
    {"nothing at all", NODE("n1", "a", "1"), "", 0},
};

static void test_runs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        simulation s;
        simulation_begin(&s, NULL);
        simulation_take(&s, runs[i].text);
        simulation_run(&s);
        const char *where = simulation_where(&s);
        if (strcmp(where, runs[i].where) != 0)
            fail_msg("%s:\nwanted %s\ngot    %s\n%s", runs[i].name, runs[i].where, where,
                     simulation_results(&s));
        assert_int_equal(ks_sim_get_summary(s.sim).evictions, runs[i].evictions);
        simulation_end(&s);
    }
}

/* ---- stopping ---- */

static int stop_at_three(void *ctx, size_t placed, size_t total)
{
    *(size_t *)ctx = total;
    return placed == 3;
}

static void test_a_watcher_can_stop_it(void **state)
{
    (void)state;
    size_t total = 0;
    ks_sim_options options = {.gates = KS_GATES_DEFAULT,
                              .watcher = {.progress = stop_at_three, .ctx = &total}};
    simulation s;
    simulation_begin(&s, &options);
    simulation_take(&s, NODE("n1", "a", "9") POD("a", "") POD("b", "") POD("c", "") POD("d", ""));
    ks_error err = {0};
    assert_int_equal(ks_sim_run(s.sim, &err), KS_ESTOPPED);
    assert_int_equal(total, 4);
    assert_int_equal(ks_sim_get_summary(s.sim).placed, 2);
    assert_int_equal(ks_sim_run(s.sim, &err), KS_EINVAL);
    simulation_end(&s);
}

/* ---- want of memory ---- */

static int simulate(const ks_allocator *allocator, const char *text, ks_error *err)
{
    ks_sim_options options = {.allocator = allocator, .gates = KS_GATES_DEFAULT};
    ks_sim *sim;
    int code = ks_sim_new(&sim, &options, err);
    if (code != KS_OK)
        return code;
    code = ks_decode((ks_source){KS_STR("test"), ks_str_of(text)}, NULL, ks_sim_take, sim, err);
    if (code == KS_OK)
        code = ks_sim_run(sim, err);
    ks_sim_free(sim);
    return code;
}

/* How often it failed before it got through. */
static size_t sweep(const char *text)
{
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        ks_error err = {0};
        failing_allocator_refill(&failing);
        failing.fail_at = n;
        int code = simulate(&allocator, text, &err);
        assert_int_equal(failing.bytes, 0);
        if (code == KS_OK && !failing.failed)
            return failures;
        /* Some things can do without what they asked for. */
        if (code != KS_OK)
            assert_int_equal(code, KS_ENOMEM);
        failures += code != KS_OK;
    }
}

static void test_want_of_memory(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf text;
    ks_buf_init(&text, &alloc);
    for (uint64_t seed = 0; seed < 6; seed++) {
        random_shop(&text, seed);
        assert_true(sweep(text.data) > 50);
    }
    ks_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_properties),     cmocka_unit_test(test_same_seed_same_output),
        cmocka_unit_test(test_runs),           cmocka_unit_test(test_a_watcher_can_stop_it),
        cmocka_unit_test(test_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
