// SPDX-License-Identifier: Apache-2.0
/* Random events, and after every few of them a random pod: what InterPodAffinity's living tallies say must
 * be what looking at every pod anew says, node by node, also for preemption, and also if the allocator says
 * no at every single place. KUBESPREAD_TEST_SEED in the environment moves all seeds. */
#include "support/failing_allocator.h"
#include "support/plain_affinity.h"
#include "support/sanitizer.h"
#include "support/unit.h"
#include "support/world.h"
#include "util/str.h"
#include <inttypes.h>
#include <stdlib.h>

typedef struct sequence {
    const char *name;
    uint64_t seed;
    world_size size;
    ks_inter_pod_affinity_args args;
    size_t counter_bytes_max;
    uint32_t worlds, events, every; /* a question after every so many events */
    bool hungry;                    /* every allocation fails once before it succeeds */
} sequence;

static const sequence sequences[] = {
    {"tiny", 1000, {4, 24, 4, 12}, {1, false}, 0, 20, 2500, 3, false},
    {"tiny, required affinity does not score", 2000, {4, 24, 4, 12}, {0, false}, 0, 5, 2500, 3, false},
    {"tiny, others' preferences ignored", 3000, {4, 24, 4, 12}, {50, true}, 0, 5, 2500, 3, false},
    {"small", 4000, {9, 80, 6, 30}, {1, false}, 0, 8, 4000, 5, false},
    {"few plans kept", 5000, {9, 80, 6, 60}, {1, false}, 1, 3, 3000, 5, false},
    {"some plans kept", 6000, {9, 80, 6, 60}, {1, false}, 40000, 3, 3000, 5, false},
    {"more than a word of nodes", 7000, {300, 1200, 8, 60}, {7, false}, 0, 1, 8000, 200, false},
    {"hungry", 8000, {4, 24, 4, 12}, {1, false}, 0, 2, 400, 4, true},
};

/* What was seen: a sequence in which nothing is refused or scored would prove nothing. */
typedef struct sightings {
    size_t questions, broken, affinity, anti, existing, scored, between, what_ifs, changed;
} sightings;

typedef struct trial {
    const sequence *sequence;
    uint64_t seed;
    uint32_t event;
    world world;
    failing_allocator failing;
    ks_alloc alloc;
    ks_arena arena;
    ks_cluster *cluster;
    ks_cycle *cycle;
    plain_cluster plain;
    plain_affinity_setup setup;
} trial;

static uint64_t seed_offset(void)
{
    const char *text = getenv("KUBESPREAD_TEST_SEED");
    return text ? strtoull(text, NULL, 10) * 100000 : 0;
}

static void begin(trial *t, const sequence *s, uint32_t world)
{
    ks_error err = {0};
    *t = (trial){.sequence = s, .seed = s->seed + world + seed_offset()};
    ks_plugin_use plugin = {KS_STR("InterPodAffinity"), 2, true, true};
    ks_profile profile = {.plugins = {&plugin, 1}, .inter_pod_affinity = s->args};
    ks_allocator allocator = failing_allocator_get(&t->failing);
    ks_cluster_options options = {&allocator, &profile, KS_GATES_DEFAULT, s->counter_bytes_max};
    ks_alloc_init(&t->alloc, NULL);
    ks_arena_init(&t->arena, &t->alloc);
    world_init(&t->world, t->seed, &s->size);
    t->setup = (plain_affinity_setup){&t->plain, s->args, plugin.weight};
    assert_int_equal(ks_cluster_new(&t->cluster, &options, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&t->cycle, t->cluster, &err), KS_OK);
}

static void end(trial *t)
{
    ks_cycle_free(t->cycle);
    ks_cluster_free(t->cluster);
    world_free(&t->world);
    ks_arena_free(&t->arena);
    assert_int_equal(t->failing.bytes, 0);
}

static void tell(const trial *t, const char *what, ks_str node, const ks_node_result *got,
                 const ks_node_result *want)
{
    fail_msg("%s: seed %" PRIu64 ", event %" PRIu32 ": %s of \"%.*s\": %s \"%.*s\" %" PRId64
             ", wanted %s \"%.*s\" %" PRId64,
             t->sequence->name, t->seed, t->event, what, KS_STR_ARG(node), ks_code_name(got->code),
             KS_STR_ARG(got->reason), got->score, ks_code_name(want->code), KS_STR_ARG(want->reason),
             want->score);
}

/* Until it has all the memory that it asks for; each place that asks is denied once. */
#define HUNGRILY(t, rc, call)                                                                                \
    for (size_t nth = 1;; nth++) {                                                                           \
        (t)->failing.fail_at = (t)->sequence->hungry ? nth : 0;                                              \
        (rc) = (call);                                                                                       \
        bool failed = (t)->failing.failed;                                                                   \
        failing_allocator_refill(&(t)->failing);                                                             \
        assert_int_equal((rc) == KS_ENOMEM, failed);                                                         \
        if (!failed)                                                                                         \
            break;                                                                                           \
    }

static void step(trial *t)
{
    ks_error err = {0};
    world_event event = world_draw(&t->world);
    int rc;
    HUNGRILY(t, rc, world_send(&t->world, &event, t->cluster, &err));
    if (rc != KS_OK)
        fail_msg("%s: event %" PRIu32 ": %s", t->sequence->name, t->event, err.message);
    world_commit(&t->world, &event);
}

static void note(sightings *seen, const ks_node_result *node, bool scores)
{
    ks_str reason = node->reason;
    seen->affinity += node->code == KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
    seen->anti += ks_str_eq(reason, KS_STR("node(s) didn't match pod anti-affinity rules"));
    seen->existing += ks_str_eq(reason, KS_STR("node(s) didn't satisfy existing pods anti-affinity rules"));
    seen->scored += scores && node->code == KS_SUCCESS;
    seen->between += node->score > 0 && node->score < 200;
}

static void compare_nodes(const trial *t, const plain_affinity_result *plain, sightings *seen)
{
    for (size_t n = 0; n < t->plain.of[KS_NODE].count; n++) {
        ks_node_result got = ks_cycle_get_node(t->cycle, n), want = plain->nodes[n];
        int64_t own = 0;
        bool scored = ks_cycle_get_plugin_score(t->cycle, "InterPodAffinity", n, &own);
        if (got.code != want.code || !ks_str_eq(got.reason, want.reason) || got.score != want.score)
            tell(t, "verdict", got.name, &got, &want);
        if (scored != (plain->scores && want.code == KS_SUCCESS))
            tell(t, "scoring", got.name, &got, &want);
        note(seen, &want, plain->scores);
    }
}

/* Some of the pods on the node go; others come. */
static void ask_what_if(trial *t, const ks_pod *pod, sightings *seen)
{
    size_t nodes = t->plain.of[KS_NODE].count, node = random_below(&t->world.random, (uint32_t)nodes);
    ks_str name = t->plain.of[KS_NODE].items[node]->metadata.name;
    const ks_pod *added[2], *removed[16];
    ks_what_if change = {added, removed, random_below(&t->world.random, 3), 0};
    for (size_t i = 0; i < change.added_count; i++) {
        ks_pod *guest = random_take(&t->arena, sizeof *guest);
        world_pending(&t->world, guest, &t->arena);
        added[i] = guest;
    }
    for (size_t i = 0; i < t->plain.of[KS_POD].count && change.removed_count < 16; i++) {
        const ks_pod *there = &t->plain.of[KS_POD].items[i]->pod;
        bool over = ks_str_eq(there->status.phase, KS_STR("Succeeded")) ||
                    ks_str_eq(there->status.phase, KS_STR("Failed"));
        if (ks_str_eq(there->spec.node_name, name) && !over && random_chance(&t->world.random, 60))
            removed[change.removed_count++] = there;
    }
    ks_node_result got, want = plain_affinity_what_if(&t->setup, pod, node, &change, &t->arena);
    ks_error err = {0};
    assert_int_equal(ks_cycle_what_if(&got, t->cycle, node, &change, &err), KS_OK);
    if (got.code != want.code || !ks_str_eq(got.reason, want.reason))
        tell(t, "what-if verdict", name, &got, &want);
    seen->what_ifs++;
    seen->changed += want.code != ks_cycle_get_node(t->cycle, node).code;
}

static void ask(trial *t, sightings *seen)
{
    ks_arena_reset(&t->arena);
    ks_pod pod;
    world_pending(&t->world, &pod, &t->arena);
    world_view(&t->world, &t->plain);
    plain_affinity_result plain;
    plain_affinity_run(&plain, &t->setup, &pod, &t->arena);
    ks_error err = {0};
    int rc;
    HUNGRILY(t, rc, ks_cycle_run(t->cycle, &pod, &err));
    assert_int_equal(rc, KS_OK);
    ks_cycle_summary summary = ks_cycle_get_summary(t->cycle);
    assert_int_equal(summary.pre_filter, plain.pre_filter);
    assert_int_equal(summary.nodes, t->plain.of[KS_NODE].count);
    seen->questions++;
    seen->broken += plain.pre_filter != KS_SUCCESS;
    if (plain.pre_filter != KS_SUCCESS)
        return;
    compare_nodes(t, &plain, seen);
    if (summary.nodes > 0)
        ask_what_if(t, &pod, seen);
}

static void play(const sequence *s, uint32_t world, sightings *seen)
{
    trial t;
    begin(&t, s, world);
    uint32_t every = TESTS_SANITIZED ? s->every * 2 : s->every;
    for (t.event = 1; t.event <= s->events; t.event++) {
        step(&t);
        if (t.event % every == 0)
            ask(&t, seen);
    }
    ks_error err = {0};
    assert_int_equal(world_clear(&t.world, t.cluster, &err), KS_OK);
    ask(&t, seen);
    end(&t);
}

static void tallies_agree_with_counting_anew(void **state)
{
    (void)state;
    sightings seen = {0};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        sightings before = seen;
        for (uint32_t world = 0; world < sequences[i].worlds; world++)
            play(&sequences[i], world, &seen);
        print_message("%s: %zu questions, %zu nodes scored\n", sequences[i].name,
                      seen.questions - before.questions, seen.scored - before.scored);
    }
    print_message("%zu affinity, %zu anti-affinity, %zu existing pods', %zu scored, %zu between, %zu of %zu "
                  "what-ifs changed, %zu broken\n",
                  seen.affinity, seen.anti, seen.existing, seen.scored, seen.between, seen.changed,
                  seen.what_ifs, seen.broken);
    assert_true(seen.questions > 10000 / (TESTS_SANITIZED ? 2 : 1));
    assert_true(seen.affinity > 500 && seen.anti > 500 && seen.existing > 1000);
    assert_true(seen.scored > 3000 && seen.between > 500);
    assert_true(seen.what_ifs > 3000 && seen.changed > 100);
    assert_true(seen.broken > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tallies_agree_with_counting_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
