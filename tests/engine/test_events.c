// SPDX-License-Identifier: Apache-2.0
/* Random events, and after every few of them a random pod: what the living counters say must be what
 * counting anew says. KUBESPREAD_TEST_SEED in the environment moves all seeds, for longer hunts. */
#include "support/sanitizer.h"
#include "support/trial.h"
#include "support/unit.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ALL KS_GATES_DEFAULT

typedef struct sequence {
    trial_options trial;            /* of the first of several worlds; each has its own seed */
    uint32_t worlds, events, every; /* a question after every so many events */
} sequence;

#define WITHOUT(gate) (KS_GATES_DEFAULT & ~(ks_gates)(gate))

static const sequence sequences[] = {
    {{"tiny", 1000, {4, 36, 4, 20}, ALL, false, 0, NULL}, 20, 3000, 3},
    {{"tiny, listed defaults", 2000, {4, 36, 4, 20}, ALL, true, 0, NULL}, 10, 2000, 3},
    {{"small", 3000, {9, 100, 6, 40}, ALL, false, 0, NULL}, 10, 5000, 5},
    {{"small, listed defaults", 4000, {9, 100, 6, 40}, ALL, true, 0, NULL}, 5, 4000, 5},
    {{"few counters kept", 5000, {9, 100, 6, 60}, ALL, false, 1, NULL}, 3, 3000, 5},
    {{"some counters kept", 6000, {9, 100, 6, 60}, ALL, true, 20000, NULL}, 3, 3000, 5},
    {{"no inclusion policies", 7000, {7, 60, 4, 30}, WITHOUT(KS_GATE_NODE_INCLUSION_POLICY), true, 0, NULL},
     3,
     3000,
     5},
    {{"no matchLabelKeys", 8000, {7, 60, 4, 30}, WITHOUT(KS_GATE_MATCH_LABEL_KEYS), false, 0, NULL},
     3,
     3000,
     5},
    {{"no topology spread", 9000, {5, 40, 4, 20}, WITHOUT(KS_GATE_POD_TOPOLOGY_SPREAD), false, 0, NULL},
     1,
     4000,
     10},
    {{"no gates", 10000, {5, 40, 4, 20}, 0, true, 0, NULL}, 1, 4000, 10},
    {{"more than a word of nodes", 11000, {300, 1500, 8, 60}, ALL, false, 0, NULL}, 2, 10000, 200},
    {{"many nodes", 12000, {700, 4000, 8, 40}, ALL, true, 0, NULL}, 1, 20000, 1000},
};

/* What was seen: a sequence in which nothing is refused, ignored or defaulted would prove nothing. */
typedef struct sightings {
    size_t questions, errors, defaulted, refused, unresolvable, scored, low_scores, without_key, untolerated,
        unwanted, minimums, outside;
} sightings;

static void note_nodes(sightings *seen, const plain_result *plain)
{
    for (size_t n = 0; n < plain->summary.nodes; n++) {
        const plain_node *node = &plain->nodes[n];
        seen->refused += node->result.code == KS_UNSCHEDULABLE;
        seen->unresolvable += node->result.code == KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
        seen->scored += node->scored;
        seen->low_scores += node->scored && node->result.score < 200;
        for (size_t c = 0; c < plain->summary.constraints; c++) {
            seen->without_key += node->numbers[c].exclusion == KS_EXCLUDED_KEY;
            seen->unwanted += node->numbers[c].exclusion == KS_EXCLUDED_AFFINITY;
            seen->untolerated += node->numbers[c].exclusion == KS_EXCLUDED_TAINT;
            seen->outside += node->numbers[c].has_key && node->numbers[c].minimum > node->numbers[c].matching;
        }
    }
}

static void note(sightings *seen, const plain_result *plain)
{
    seen->questions++;
    seen->errors += plain->summary.pre_filter == KS_ERROR || plain->summary.pre_score == KS_ERROR;
    seen->defaulted += plain->summary.defaulted;
    for (size_t c = 0; c < plain->summary.constraints; c++)
        seen->minimums += plain->constraints[c].shown.minimum > 0;
    note_nodes(seen, plain);
}

static uint64_t seed_offset(void)
{
    const char *text = getenv("KUBESPREAD_TEST_SEED");
    return text ? strtoull(text, NULL, 10) * 100000 : 0;
}

static void explain_and_fail(const sequence *s, const trial_options *options, uint32_t event,
                             const char *text)
{
    fail_msg("%s: seed %" PRIu64 ", event %" PRIu32 ":\n%s", s->trial.name, options->seed, event, text);
}

static void check_stats(const sequence *s, trial *t, uint32_t event)
{
    ks_cluster_stats stats = ks_cluster_get_stats(t->cluster);
    world_view(&t->world, &t->plain);
    size_t pending = 0;
    for (size_t i = 0; i < t->plain.of[KS_POD].count; i++)
        pending += t->plain.of[KS_POD].items[i]->pod.spec.node_name.len == 0;
    if (stats.nodes != t->plain.of[KS_NODE].count || stats.pods != t->plain.of[KS_POD].count ||
        stats.pods_pending != pending)
        fail_msg("%s: event %" PRIu32 ": %zu nodes, %zu pods, %zu pending; wanted %zu, %zu, %zu",
                 s->trial.name, event, stats.nodes, stats.pods, stats.pods_pending,
                 t->plain.of[KS_NODE].count, t->plain.of[KS_POD].count, pending);
}

/* A cycle made long ago and one made just now must say the same. */
static void renew_cycle(trial *t)
{
    ks_error err = {0};
    ks_cycle_free(t->cycle);
    assert_int_equal(ks_cycle_new(&t->cycle, t->cluster, &err), KS_OK);
}

static void clear_at_the_end(const sequence *s, const trial_options *options, trial *t)
{
    ks_error err = {0};
    assert_int_equal(world_clear(&t->world, t->cluster, &err), KS_OK);
    plain_result plain;
    const char *differences = trial_compare_pending(t, &plain);
    if (*differences)
        explain_and_fail(s, options, s->events, differences);
    ks_cluster_stats stats = ks_cluster_get_stats(t->cluster);
    assert_int_equal(stats.nodes + stats.pods + stats.pods_pending, 0);
}

static void play(const sequence *s, uint32_t world, sightings *seen)
{
    trial t;
    trial_options options = s->trial;
    options.seed += world + seed_offset();
    uint32_t every = TESTS_SANITIZED ? s->every * 2 : s->every;
    trial_begin(&t, &options);
    for (uint32_t event = 1; event <= s->events; event++) {
        ks_error err = {0};
        if (world_step(&t.world, t.cluster, &err) != KS_OK)
            explain_and_fail(s, &options, event, err.message);
        if (event % every != 0)
            continue;
        plain_result plain;
        const char *differences = trial_compare_pending(&t, &plain);
        if (*differences)
            explain_and_fail(s, &options, event, differences);
        note(seen, &plain);
        check_stats(s, &t, event);
        if (seen->questions % 37 == 0)
            renew_cycle(&t);
    }
    clear_at_the_end(s, &options, &t);
    trial_end(&t);
}

static void events_are_many(void **state)
{
    (void)state;
    uint32_t events = 0;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        events += sequences[i].worlds * sequences[i].events;
    assert_true(events >= 200000);
}

static void counters_agree_with_counting_anew(void **state)
{
    (void)state;
    sightings seen = {0};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        sightings before = seen;
        for (uint32_t world = 0; world < sequences[i].worlds; world++)
            play(&sequences[i], world, &seen);
        print_message("%s: %zu questions, %zu nodes refused, %zu scored\n", sequences[i].trial.name,
                      seen.questions - before.questions, seen.refused - before.refused,
                      seen.scored - before.scored);
    }
    assert_true(seen.questions > 4000);
    assert_true(seen.errors > 30);
    assert_true(seen.defaulted > 200);
    assert_true(seen.refused > 1000 && seen.unresolvable > 1000);
    assert_true(seen.scored > 5000 && seen.low_scores > 1000);
    assert_true(seen.without_key > 1000 && seen.unwanted > 1000 && seen.untolerated > 1000);
    assert_true(seen.minimums > 200);
    assert_true(seen.outside > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_many),
        cmocka_unit_test(counters_agree_with_counting_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
