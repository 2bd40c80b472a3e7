// SPDX-License-Identifier: Apache-2.0
/* Preemption's question: what would filtering say of a node if pods came to it or left it? Held against
 * the plain model in two ways: its own what-if, and a cluster in which the pods really came and left. */
#include "support/compare.h"
#include "support/make.h"
#include "support/sanitizer.h"
#include "support/trial.h"
#include "support/unit.h"
#include <inttypes.h>

enum { PODS_MAX = 8 };

/* A change of one node, and whether it could happen in a cluster: kube-scheduler's what-if also counts
 * terminating pods and lets an empty selector match, which counting anew does not. */
typedef struct change {
    ks_pod made[PODS_MAX];
    const ks_pod *added[PODS_MAX], *removed[PODS_MAX];
    ks_what_if what_if;
    bool real;
} change;

typedef struct sightings {
    size_t questions, real, refused, freed;
} sightings;

static bool counts(const ks_pod *pod)
{
    return pod->metadata.deletion_timestamp.len == 0 && !ks_str_eq(pod->status.phase, KS_STR("Succeeded")) &&
           !ks_str_eq(pod->status.phase, KS_STR("Failed"));
}

static void draw_removed(change *c, trial *t, ks_str node)
{
    bool thorough = random_chance(&t->world.random, 50);
    for (size_t i = 0; i < t->plain.of[KS_POD].count && c->what_if.removed_count < PODS_MAX; i++) {
        const ks_pod *pod = &t->plain.of[KS_POD].items[i]->pod;
        bool there = ks_str_eq(pod->spec.node_name, node);
        if (!random_chance(&t->world.random, !there ? 1 : thorough ? 100 : 40))
            continue;
        c->real &= there && counts(pod);
        c->removed[c->what_if.removed_count++] = pod;
    }
}

static void draw_added(change *c, trial *t, ks_str node)
{
    uint32_t count = random_chance(&t->world.random, 50) ? random_below(&t->world.random, PODS_MAX) : 0;
    for (uint32_t i = 0; i < count; i++) {
        pod_recipe recipe = {.slot = 100000 + i * 2 + random_chance(&t->world.random, 40),
                             .labels = t->world.salt + random_below(&t->world.random, 12),
                             .node = 1,
                             .terminating = random_chance(&t->world.random, 5)};
        random_pod(&c->made[i], &t->arena, &recipe);
        c->made[i].spec.node_name = node;
        c->real &= !recipe.terminating;
        c->added[c->what_if.added_count++] = &c->made[i];
    }
}

static bool has_empty_selector(const plain_result *plain)
{
    for (size_t i = 0; i < plain->summary.constraints; i++)
        if (plain_selector_is_empty(&plain->constraints[i].selector))
            return true;
    return false;
}

static bool is_removed(const change *c, const ks_object *object)
{
    for (size_t i = 0; i < c->what_if.removed_count; i++)
        if (c->removed[i] == &object->pod)
            return true;
    return false;
}

/* The verdict in a cluster of which the change is a part. */
static ks_node_result ask_clone(trial *t, const ks_pod *pod, size_t node, const change *c)
{
    plain_cluster clone = t->plain;
    const ks_object **pods =
        random_take(&t->arena, (clone.of[KS_POD].count + PODS_MAX) * sizeof(ks_object *));
    size_t count = 0;
    for (size_t i = 0; i < clone.of[KS_POD].count; i++)
        if (!is_removed(c, clone.of[KS_POD].items[i]))
            pods[count++] = clone.of[KS_POD].items[i];
    for (size_t i = 0; i < c->what_if.added_count; i++) {
        ks_object *object = random_take(&t->arena, sizeof *object);
        *object = (ks_object){.kind = KS_POD, .pod = *c->added[i]};
        pods[count++] = object;
    }
    clone.of[KS_POD].items = pods;
    clone.of[KS_POD].count = count;
    plain_result result;
    plain_run(&result, &clone, pod, &t->arena);
    return result.nodes[node].result;
}

static void complain(trial *t, const trial_options *options, uint32_t event)
{
    if (t->differences.len > 0)
        fail_msg("seed %" PRIu64 ", event %" PRIu32 ":\n%s", options->seed, event, t->differences.data);
}

static void ask(trial *t, const trial_options *options, uint32_t event, sightings *seen)
{
    ks_pod pod;
    plain_result before;
    ks_arena_reset(&t->arena);
    ks_buf_clear(&t->differences);
    world_pending(&t->world, &pod, &t->arena);
    world_view(&t->world, &t->plain);
    plain_run(&before, &t->plain, &pod, &t->arena);
    if (before.summary.nodes == 0 || before.summary.pre_filter != KS_SUCCESS)
        return;
    size_t node = random_below(&t->world.random, (uint32_t)before.summary.nodes);
    change c = {.what_if = {.added = c.added, .removed = c.removed}, .real = !has_empty_selector(&before)};
    draw_removed(&c, t, before.nodes[node].result.name);
    draw_added(&c, t, before.nodes[node].result.name);

    ks_error err = {0};
    ks_node_result engine;
    assert_int_equal(ks_cycle_run(t->cycle, &pod, &err), KS_OK);
    assert_int_equal(ks_cycle_what_if(&engine, t->cycle, node, &c.what_if, &err), KS_OK);
    ks_node_result plain = plain_what_if(&t->plain, &pod, node, &c.what_if, &t->arena);
    compare_verdict(&t->differences, &engine, &plain);
    if (c.real) {
        ks_node_result cloned = ask_clone(t, &pod, node, &c);
        compare_verdict(&t->differences, &engine, &cloned);
    }
    /* The question must have left the cycle as it was. */
    ks_node_result again = ks_cycle_get_node(t->cycle, node);
    compare_verdict(&t->differences, &again, &before.nodes[node].result);
    complain(t, options, event);
    seen->questions++;
    seen->real += c.real;
    seen->refused += engine.code == KS_UNSCHEDULABLE && again.code == KS_SUCCESS;
    seen->freed += engine.code == KS_SUCCESS && again.code == KS_UNSCHEDULABLE;
}

static void agrees_with_the_plain_model(void **state)
{
    (void)state;
    sightings seen = {0};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        trial_options options = {
            .name = "what if",
            .seed = seed,
            .size = {3 + (uint32_t)seed % 7, 40 + (uint32_t)seed, 4, 20},
            .gates =
                seed % 5 ? KS_GATES_DEFAULT : KS_GATES_DEFAULT & ~(ks_gates)KS_GATE_NODE_INCLUSION_POLICY,
            .list_defaults = seed % 2,
        };
        trial t;
        trial_begin(&t, &options);
        for (uint32_t event = 1; event <= 1500; event++) {
            ks_error err = {0};
            assert_int_equal(world_step(&t.world, t.cluster, &err), KS_OK);
            if (event % (TESTS_SANITIZED ? 9 : 3) == 0)
                ask(&t, &options, event, &seen);
        }
        trial_end(&t);
    }
    print_message("%zu questions, %zu real; %zu refused by the change, %zu freed\n", seen.questions,
                  seen.real, seen.refused, seen.freed);
    assert_true(seen.real > 1000);
    assert_true(seen.refused > 50 && seen.freed > 50);
}

/* ---- by hand ---- */

/* Two zones, one matching pod in a; maxSkew 1: node-a refuses. */
typedef struct fixture {
    ks_alloc alloc;
    ks_arena arena;
    ks_cluster *cluster;
    ks_cycle *cycle;
    ks_object pending, standing;
} fixture;

static void apply(fixture *f, ks_object object)
{
    ks_error err = {0};
    if (ks_cluster_apply(f->cluster, &object, &err) != KS_OK)
        fail_msg("%s", err.message);
}

static int setup(void **state)
{
    static fixture f;
    static const made_constraint constraints[] = {{"zone", "hard", "app=web", 1, "Honor"}, {0}};
    ks_error err = {0};
    ks_plugin_use plugin;
    ks_profile profile = make_spread_profile(&plugin);
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    ks_alloc_init(&f.alloc, NULL);
    ks_arena_init(&f.arena, &f.alloc);
    assert_int_equal(ks_cluster_new(&f.cluster, &options, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&f.cycle, f.cluster, &err), KS_OK);
    apply(&f, make_node(&f.arena, "node-a", "zone=a", NULL));
    apply(&f, make_node(&f.arena, "node-b", "zone=b", NULL));
    apply(&f, make_node(&f.arena, "node-t", "zone=a", "spot=:NoSchedule"));
    apply(&f, make_node(&f.arena, "node-x", NULL, NULL));
    f.standing = make_pod(&f.arena, "standing", "app=web", "node-a");
    apply(&f, f.standing);
    f.pending = make_pod(&f.arena, "pending", "app=web", NULL);
    make_constraints(&f.pending.pod, &f.arena, constraints);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    ks_cycle_free(f->cycle);
    ks_cluster_free(f->cluster);
    ks_arena_free(&f->arena);
    return 0;
}

enum { NODE_A, NODE_B, NODE_T, NODE_X };

typedef struct row {
    const char *name;
    const char *selector; /* of the constraint */
    size_t node;
    int added, removed; /* so many times the same pod … */
    const char *labels, *namespace_;
    bool terminating; /* … which is like this */
    ks_code code;
} row;

static const row rows[] = {
    {"nothing happens on a", "app=web", NODE_A, 0, 0, "app=web", "default", false, KS_UNSCHEDULABLE},
    {"nothing happens on b", "app=web", NODE_B, 0, 0, "app=web", "default", false, KS_SUCCESS},
    {"the pod leaves a", "app=web", NODE_A, 0, 1, "app=web", "default", false, KS_SUCCESS},
    {"a terminating pod leaves a", "app=web", NODE_A, 0, 1, "app=web", "default", true, KS_SUCCESS},
    {"more pods leave a than are there", "app=web", NODE_A, 0, 3, "app=web", "default", false, KS_SUCCESS},
    {"another pod leaves a", "app=web", NODE_A, 0, 1, "app=db", "default", false, KS_UNSCHEDULABLE},
    {"a pod of another namespace leaves a", "app=web", NODE_A, 0, 1, "app=web", "other", false,
     KS_UNSCHEDULABLE},
    {"a pod of the absent namespace leaves a", "app=web", NODE_A, 0, 1, "app=web", NULL, false, KS_SUCCESS},
    {"one leaves a, one comes", "app=web", NODE_A, 1, 1, "app=web", "default", false, KS_UNSCHEDULABLE},
    {"one comes to b", "app=web", NODE_B, 1, 0, "app=web", "default", false, KS_SUCCESS},
    {"two come to b", "app=web", NODE_B, 2, 0, "app=web", "default", false, KS_UNSCHEDULABLE},
    {"two terminating ones come to b", "app=web", NODE_B, 2, 0, "app=web", "default", true, KS_UNSCHEDULABLE},
    {"others come to b", "app=web", NODE_B, 5, 0, "app=db", "default", false, KS_SUCCESS},
    {"the pod leaves a node that takes no part", "app=web", NODE_T, 0, 1, "app=web", "default", false,
     KS_UNSCHEDULABLE},
    {"the pod leaves a node without the key", "app=web", NODE_X, 0, 1, "app=web", "default", false,
     KS_UNSCHEDULABLE_AND_UNRESOLVABLE},
    {"an empty selector counts nothing", "", NODE_A, 0, 0, "app=web", "default", false, KS_SUCCESS},
    {"an empty selector counts what comes", "", NODE_A, 1, 0, "app=db", "default", false, KS_UNSCHEDULABLE},
    {"no selector counts nothing that comes", NULL, NODE_A, 5, 0, "app=web", "default", false, KS_SUCCESS},
};

static void by_hand(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        ks_error err = {0};
        ks_object moved = make_pod(&f->arena, "moved", r->labels, NULL);
        moved.metadata.namespace_ = ks_str_of(r->namespace_);
        moved.metadata.deletion_timestamp = ks_str_of(r->terminating ? "2026-01-01T00:00:00Z" : NULL);
        const ks_pod *pods[] = {&moved.pod, &moved.pod, &moved.pod, &moved.pod, &moved.pod};
        ks_what_if change = {pods, pods, (size_t)r->added, (size_t)r->removed};
        f->pending.pod.spec.topology_spread_constraints.items[0].label_selector =
            make_selector(&f->arena, r->selector);
        assert_int_equal(ks_cycle_run(f->cycle, &f->pending.pod, &err), KS_OK);
        ks_node_result result;
        assert_int_equal(ks_cycle_what_if(&result, f->cycle, r->node, &change, &err), KS_OK);
        if (result.code != r->code)
            fail_msg("%s: %s", r->name, ks_code_name(result.code));
    }
}

static void refuses_questions_without_an_answer(void **state)
{
    fixture *f = *state;
    ks_error err = {0};
    ks_node_result result;
    ks_what_if nothing = {0};
    assert_int_equal(ks_cycle_what_if(&result, f->cycle, 0, &nothing, &err), KS_EINVAL);
    assert_int_equal(ks_cycle_run(f->cycle, &f->pending.pod, &err), KS_OK);
    assert_int_equal(ks_cycle_what_if(&result, f->cycle, 3, &nothing, &err), KS_OK);
    assert_int_equal(ks_cycle_what_if(&result, f->cycle, 4, &nothing, &err), KS_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_plain_model),
        cmocka_unit_test_setup_teardown(by_hand, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_questions_without_an_answer, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
