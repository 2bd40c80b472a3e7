// SPDX-License-Identifier: Apache-2.0
/* The loop as a whole, on random clusters that change while it runs: each decision is held against a
 * cluster made from scratch of the same objects, and each placement against the plain model. */
#include "engine/loop.h"
#include "support/failing_allocator.h"
#include "support/rig.h"
#include "support/transcript.h"
#include "support/unit.h"
#include "support/world.h"
#include <inttypes.h>
#include <stdio.h>

static void must(int code, const ks_error *err)
{
    if (code != KS_OK)
        fail_msg("%d: %s", code, err->message);
}

/* ---- the same cluster from scratch ---- */

/* Everything stored, as objects. */
typedef struct inventory {
    ks_arena arena;
    KS_VEC(ks_object *) objects;
} inventory;

static ks_object *take_object(inventory *in, ks_kind kind)
{
    ks_object *object = random_take(&in->arena, sizeof *object);
    *object = (ks_object){.kind = kind};
    assert_true(ks_vec_push(&in->objects, in->arena.alloc, object));
    return object;
}

static void take_inventory(inventory *in, const ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->nodes_by_name.count; i++)
        take_object(in, KS_NODE)->node = ks_node_at(cluster, cluster->nodes_by_name.items[i])->node;
    for (size_t i = 0; i < cluster->stored.rows.count; i++)
        if (cluster->stored.rows.items[i])
            *take_object(in, KS_KIND_NONE) = ((ks_stored *)cluster->stored.rows.items[i])->object;
    for (size_t i = 0; i < cluster->pods.rows.count; i++)
        if (cluster->pods.rows.items[i])
            ks_pod_view(&take_object(in, KS_POD)->pod, ks_pod_at(cluster, (uint32_t)i));
}

static void put_cycle(ks_buf *out, const ks_cycle *cycle)
{
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    ks_buf_printf(out, "%d %d %zu %zu\n", summary.pre_filter, summary.pre_score, summary.feasible,
                  summary.constraints);
    for (size_t i = 0; i < summary.nodes; i++) {
        ks_node_result node = ks_cycle_get_node(cycle, i);
        ks_buf_printf(out, "%.*s %d %.*s %.*s %" PRId64 "\n", KS_STR_ARG(node.name), node.code,
                      KS_STR_ARG(node.plugin), KS_STR_ARG(node.reason), node.score);
    }
}

static void compare_with_rebuilt(const ks_decision *decision, const inventory *in, ks_alloc *alloc)
{
    ks_cluster *cluster;
    ks_cycle *cycle;
    ks_error err;
    must(ks_cluster_new(&cluster, NULL, &err), &err);
    must(ks_cycle_new(&cycle, cluster, &err), &err);
    for (size_t i = 0; i < in->objects.count; i++)
        must(ks_cluster_apply(cluster, in->objects.items[i], &err), &err);
    must(ks_cycle_run(cycle, decision->pod, &err), &err);
    ks_buf living, rebuilt;
    ks_buf_init(&living, alloc);
    ks_buf_init(&rebuilt, alloc);
    put_cycle(&living, decision->cycle);
    put_cycle(&rebuilt, cycle);
    assert_string_equal(living.data, rebuilt.data);
    ks_buf_free(&living);
    ks_buf_free(&rebuilt);
    ks_cycle_free(cycle);
    ks_cluster_free(cluster);
}

/* ---- hard constraints by the plain model ---- */

static void check_spread(const ks_decision *decision, inventory *in)
{
    static const ks_spread_args defaults = {.defaulting_type = {"System", 6}};
    plain_cluster plain = {.gates = KS_GATES_DEFAULT, .defaults = &defaults, .weight = 2};
    for (size_t k = 0; k < KS_KIND_COUNT; k++) {
        plain.of[k].items = random_take(&in->arena, (in->objects.count + 1) * sizeof(ks_object *));
        for (size_t i = 0; i < in->objects.count; i++)
            if (in->objects.items[i]->kind == (ks_kind)k)
                plain.of[k].items[plain.of[k].count++] = in->objects.items[i];
    }
    plain_result result;
    plain_run(&result, &plain, decision->pod, &in->arena);
    for (size_t i = 0; i < result.summary.nodes; i++)
        if (ks_str_eq(result.nodes[i].result.name, decision->node))
            assert_int_equal(result.nodes[i].result.code, KS_SUCCESS);
}

/* ---- a loop that is watched ---- */

typedef struct watch {
    ks_alloc alloc;
    ks_scheduler *scheduler;
    ks_cluster *cluster;
    ks_buf decisions;
    bool checks;
    size_t placed, refused;
} watch;

static void check(const watch *w, const ks_decision *decision)
{
    if (!w->checks)
        return;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    inventory in = {0};
    ks_arena_init(&in.arena, &alloc);
    take_inventory(&in, w->cluster);
    compare_with_rebuilt(decision, &in, &alloc);
    if (decision->node.len)
        check_spread(decision, &in);
    ks_vec_free(&in.objects, &alloc);
    ks_arena_free(&in.arena);
    assert_int_equal(alloc.bytes, 0);
}

static int on_placed(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    watch *w = ctx;
    w->placed++;
    check(w, decision);
    ks_buf_printf(&w->decisions, "%.*s %.*s %" PRId64 " %zu\n", KS_STR_ARG(decision->pod->metadata.name),
                  KS_STR_ARG(decision->node), decision->score, decision->feasible);
    return KS_OK;
}

static int on_refused(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    watch *w = ctx;
    w->refused++;
    check(w, decision);
    ks_buf_printf(&w->decisions, "%.*s: %.*s\n", KS_STR_ARG(decision->pod->metadata.name),
                  KS_STR_ARG(decision->message));
    return KS_OK;
}

static const ks_sink sink = {.placed = on_placed, .unschedulable = on_refused};

static void watch_begin(watch *w, uint64_t seed, bool checks)
{
    *w = (watch){.checks = checks};
    ks_alloc_init(&w->alloc, NULL);
    ks_buf_init(&w->decisions, &w->alloc);
    ks_error err;
    ks_scheduler_options options = {.seed = seed, .sink = &sink, .sink_ctx = w};
    must(ks_cluster_new(&w->cluster, NULL, &err), &err);
    must(ks_scheduler_new(&w->scheduler, w->cluster, &options, 0, &err), &err);
}

static void watch_end(watch *w)
{
    ks_scheduler_free(w->scheduler);
    ks_cluster_free(w->cluster);
    ks_buf_free(&w->decisions);
}

/* The random world is made for single cycles: its objects are too picky, and most pods are bound. Here
 * nodes get room for a few pods, pods ask for some of it, many pend and some take any node. */
typedef struct sized {
    ks_object object;
    ks_resource resources[2];
    ks_container container;
    ks_toleration toleration;
} sized;

static void let_pend(sized *s, uint32_t slot)
{
    ks_pod_spec *spec = &s->object.pod.spec;
    spec->node_name = (ks_str){0};
    if (slot % 3 == 0)
        return;
    s->toleration = (ks_toleration){.op = KS_STR("Exists")};
    spec->tolerations = (ks_tolerations){&s->toleration, 1};
    spec->node_selector = (ks_labels){0};
    spec->affinity = NULL;
}

static void give_size(sized *s, const world_event *event)
{
    s->object = event->next->object;
    s->resources[0] = (ks_resource){KS_STR("cpu"), {event->kind == KS_NODE ? 8 : event->slot % 3, 0}};
    s->resources[1] = (ks_resource){KS_STR("pods"), {6, 0}};
    if (event->kind == KS_NODE) {
        s->object.node.status.allocatable = (ks_resources){s->resources, 2};
    } else if (event->kind == KS_POD) {
        s->container = (ks_container){.name = KS_STR("main")};
        s->container.resources.requests = (ks_resources){s->resources, 1};
        s->object.pod.spec.containers.items = &s->container;
        s->object.pod.spec.containers.count = 1;
        if (event->slot % 4 != 0)
            let_pend(s, event->slot);
    }
}

static void send(watch *w, const world *from, const world_event *event, int64_t now_ms)
{
    ks_error err;
    if (event->next) {
        sized s;
        give_size(&s, event);
        must(ks_scheduler_apply(w->scheduler, &s.object, now_ms, &err), &err);
        return;
    }
    const world_object *gone = from->slots[event->kind].items[event->slot];
    if (!gone)
        return;
    const ks_object_meta *meta = &gone->object.metadata;
    int code = ks_scheduler_delete(w->scheduler, event->kind, meta->namespace_, meta->name, now_ms, &err);
    if (code != KS_ENOTFOUND) /* kinds that the engine ignores */
        must(code, &err);
}

static void run_steps(watch *w, int64_t now_ms)
{
    ks_step step;
    ks_error err;
    do
        must(ks_scheduler_step(&step, w->scheduler, now_ms, &err), &err);
    while (step != KS_STEP_IDLE);
}

/* A world of so many events, each a second long. */
static void live(watch *w, uint64_t seed, int events)
{
    static const world_size size = {.nodes = 12, .pods = 60, .workloads = 3, .variety = 12};
    world from;
    world_init(&from, seed, &size);
    for (int i = 0; i < events; i++) {
        world_event event = world_draw(&from);
        send(w, &from, &event, i * INT64_C(1000));
        world_commit(&from, &event);
        run_steps(w, i * INT64_C(1000));
    }
    world_free(&from);
}

static void test_decisions_equal_those_from_scratch(void **state)
{
    (void)state;
    size_t placed = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        watch w;
        watch_begin(&w, seed, true);
        live(&w, seed, 250);
        placed += w.placed;
        refused += w.refused;
        watch_end(&w);
    }
    assert_true(placed > 100 && refused > 20); /* else the worlds would not test much */
}

static void test_same_seed_same_decisions(void **state)
{
    (void)state;
    bool differ = false;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        watch a, b, other;
        watch_begin(&a, seed, false);
        watch_begin(&b, seed, false);
        watch_begin(&other, seed + 100, false);
        live(&a, seed, 400);
        live(&b, seed, 400);
        live(&other, seed, 400);
        assert_true(a.placed > 10);
        assert_string_equal(a.decisions.data, b.decisions.data);
        differ |= !ks_str_eq(ks_buf_str(&a.decisions), ks_buf_str(&other.decisions));
        watch_end(&a);
        watch_end(&b);
        watch_end(&other);
    }
    assert_true(differ); /* the seed matters */
}

/* Pods that were in the cluster before there was a scheduler. */
static void test_takes_in_what_pends(void **state)
{
    (void)state;
    ks_cluster *cluster;
    ks_scheduler *scheduler;
    ks_error err;
    must(ks_cluster_new(&cluster, NULL, &err), &err);
    const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < COUNT(names); i++) {
        ks_object pod = {.kind = KS_POD};
        pod.metadata.name = ks_str_of(names[i]);
        pod.pod.spec.node_name = i == 1 ? KS_STR("n") : (ks_str){0};
        must(ks_cluster_apply(cluster, &pod, &err), &err);
    }
    must(ks_scheduler_new(&scheduler, cluster, NULL, 0, &err), &err);
    assert_int_equal(ks_scheduler_get_stats(scheduler).active, 2);
    ks_scheduler_free(scheduler);
    ks_cluster_free(cluster);
}

/* ---- percentageOfNodesToScore ---- */

typedef struct sample {
    size_t feasible;
    ks_str first; /* the first node by name that was scored */
    char name[16];
} sample;

static int on_sampled(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    sample *s = ctx;
    s->feasible = decision->feasible;
    size_t node = 0;
    while (ks_cycle_get_node(decision->cycle, node).code != KS_SUCCESS)
        node++;
    snprintf(s->name, sizeof s->name, "%.*s", KS_STR_ARG(ks_cycle_get_node(decision->cycle, node).name));
    return KS_OK;
}

static void test_percentage_of_nodes(void **state)
{
    (void)state;
    static const ks_sink sampling = {.placed = on_sampled};
    static const struct {
        int32_t percentage;
        size_t feasible;
        const char *second; /* where the second pod's nodes begin */
    } rows[] = {{0, 400, "n000"}, {100, 400, "n000"}, {50, 200, "n200"}, {1, 100, "n100"}, {75, 300, "n000"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig r;
        sample s;
        ks_scheduler *scheduler;
        ks_error err;
        rig_begin(&r, &(ks_scheduler_options){0});
        for (int n = 0; n < 400; n++) {
            char line[32];
            snprintf(line, sizeof line, "node n%03d", n);
            rig_play(&r, line);
        }
        rig_play(&r, "pod a\npod b");
        must(ks_scheduler_new(&scheduler, r.cluster,
                              &(ks_scheduler_options){.percentage_of_nodes_to_score = rows[i].percentage,
                                                      .sink = &sampling,
                                                      .sink_ctx = &s},
                              0, &err),
             &err);
        ks_step step;
        must(ks_scheduler_step(&step, scheduler, 0, &err), &err);
        assert_int_equal(s.feasible, rows[i].feasible);
        assert_string_equal(s.name, "n000");
        must(ks_scheduler_step(&step, scheduler, 0, &err), &err);
        assert_int_equal(s.feasible, rows[i].feasible);
        assert_string_equal(s.name, rows[i].second);
        ks_scheduler_free(scheduler);
        rig_end(&r);
    }
}

/* ---- a sink that says no ---- */

static int refuse_once(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)decision;
    int *left = ctx;
    if ((*left)-- > 0)
        return ks_fail(err, KS_ESTOPPED, "not now");
    return KS_OK;
}

static void test_a_sink_that_stops(void **state)
{
    (void)state;
    static const ks_sink stopping = {refuse_once, refuse_once, refuse_once, NULL};
    rig r;
    rig_begin(&r, &(ks_scheduler_options){0});
    rig_play(&r, "node n cpu=1\npod x on=n cpu=1 prio=1\npod hi cpu=1 prio=9\npod zero\npod big cpu=9");
    int left = 0;
    ks_scheduler *scheduler;
    ks_error err;
    ks_scheduler_options options = {.sink = &stopping, .sink_ctx = &left};
    must(ks_scheduler_new(&scheduler, r.cluster, &options, 0, &err), &err);
    static const ks_step wanted[] = {KS_STEP_PREEMPTING, KS_STEP_PLACED, KS_STEP_UNSCHEDULABLE, KS_STEP_IDLE};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        ks_step step;
        left = 1;
        if (wanted[i] != KS_STEP_IDLE) {
            assert_int_equal(ks_scheduler_step(&step, scheduler, 0, &err), KS_ESTOPPED);
            assert_int_equal(step, KS_STEP_IDLE);
        }
        must(ks_scheduler_step(&step, scheduler, 0, &err), &err);
        assert_int_equal(step, wanted[i]);
    }
    ks_scheduler_stats stats = ks_scheduler_get_stats(scheduler);
    assert_int_equal(stats.attempts, 3);
    assert_int_equal(stats.nominated, 1);
    ks_scheduler_free(scheduler);
    rig_end(&r);
}

/* ---- every allocation fails once ---- */

typedef struct sweep {
    failing_allocator failing;
    ks_allocator allocator;
    ks_alloc plain; /* for what the test itself needs */
    ks_buf decisions;
    ks_cluster *cluster;
    ks_scheduler *scheduler;
    bool fails;
    size_t failures;
} sweep;

static int note(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    sweep *s = ctx;
    ks_buf_printf(&s->decisions, "%.*s %.*s %.*s %zu\n", KS_STR_ARG(decision->pod->metadata.name),
                  KS_STR_ARG(decision->node), KS_STR_ARG(decision->message), decision->victims_count);
    return KS_OK;
}

static const ks_sink noting = {note, note, note, note};

typedef struct act {
    const ks_object *object; /* NULL: a step */
    int64_t now_ms;
} act;

static int perform(sweep *s, const act *act, ks_error *err)
{
    ks_step step;
    if (act->object)
        return ks_scheduler_apply(s->scheduler, act->object, act->now_ms, err);
    return ks_scheduler_step(&step, s->scheduler, act->now_ms, err);
}

static void perform_at_last(sweep *s, const act *act)
{
    for (size_t n = 1;; n++) {
        ks_error err = {0};
        failing_allocator_refill(&s->failing);
        s->failing.fail_at = s->fails ? n : 0;
        int code = perform(s, act, &err);
        s->failing.fail_at = 0;
        if (code == KS_OK)
            return;
        s->failures++;
        assert_int_equal(code, KS_ENOMEM);
    }
}

static void sweep_begin(sweep *s, bool fails)
{
    *s = (sweep){.failing = failing_allocator_make(), .fails = fails};
    s->allocator = failing_allocator_get(&s->failing);
    ks_alloc_init(&s->plain, NULL);
    ks_buf_init(&s->decisions, &s->plain);
    ks_error err;
    ks_cluster_options options = {.allocator = &s->allocator, .gates = KS_GATES_DEFAULT};
    must(ks_cluster_new(&s->cluster, &options, &err), &err);
    ks_scheduler_options loop = {.sink = &noting, .sink_ctx = s, .deletes_victims = true};
    for (size_t n = 1;; n++) {
        failing_allocator_refill(&s->failing);
        s->failing.fail_at = fails ? n : 0;
        if (ks_scheduler_new(&s->scheduler, s->cluster, &loop, 0, &err) == KS_OK)
            break;
    }
    s->failing.fail_at = 0;
}

static void sweep_end(sweep *s)
{
    ks_scheduler_free(s->scheduler);
    ks_cluster_free(s->cluster);
    ks_buf_free(&s->decisions);
    assert_int_equal(s->failing.bytes, 0);
}

static void sweep_live(sweep *s, uint64_t seed)
{
    static const world_size size = {.nodes = 6, .pods = 16, .workloads = 2, .variety = 6};
    world from;
    world_init(&from, seed, &size);
    for (int i = 0; i < 120; i++) {
        world_event event = world_draw(&from);
        if (event.next) {
            if (event.kind == KS_POD && i % 3 == 0) /* so that some preempt others */
                event.next->object.pod.spec.priority = (ks_opt_i32){true, i};
            sized object;
            give_size(&object, &event);
            perform_at_last(s, &(act){&object.object, i * INT64_C(500)});
            world_commit(&from, &event);
        }
        for (int step = 0; step < 3; step++)
            perform_at_last(s, &(act){NULL, i * INT64_C(500)});
    }
    world_free(&from);
}

/* A hint that cannot be asked for want of memory counts as helpful, so pods may be tried more often than
 * otherwise; each call that fails must do so cleanly and succeed in the end. */
static void test_memory_failures(void **state)
{
    (void)state;
    size_t failures = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        sweep failing;
        sweep_begin(&failing, true);
        sweep_live(&failing, seed);
        failures += failing.failures;
        sweep_end(&failing);
    }
    assert_true(failures > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions_equal_those_from_scratch),
        cmocka_unit_test(test_same_seed_same_decisions),
        cmocka_unit_test(test_takes_in_what_pends),
        cmocka_unit_test(test_percentage_of_nodes),
        cmocka_unit_test(test_a_sink_that_stops),
        cmocka_unit_test(test_memory_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
