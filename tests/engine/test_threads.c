// SPDX-License-Identifier: Apache-2.0
/* Clusters share nothing: several threads, each with a cluster of its own, do what one thread does alone
 * and find the same. Under ThreadSanitizer, that nothing is shared is what is tested. */
#include "support/sanitizer.h"
#include "support/trial.h"
#include "support/unit.h"
#include <pthread.h>

enum { THREADS = 4, EVENTS = TESTS_SANITIZED ? 600 : 3000 };

typedef struct job {
    trial_options options;
    pthread_t thread;
    uint64_t digest; /* of all that the cycles said */
    size_t failures;
} job;

static uint64_t digest_text(uint64_t digest, ks_str text)
{
    return ks_hash_bytes(text.data, text.len, digest);
}

static uint64_t digest_number(uint64_t digest, int64_t number)
{
    return ks_hash_bytes(&number, sizeof number, digest);
}

static uint64_t digest_node(uint64_t digest, const ks_cycle *cycle, size_t node, size_t constraints)
{
    ks_node_result result = ks_cycle_get_node(cycle, node);
    digest = digest_text(digest, result.name);
    digest = digest_text(digest, result.reason);
    digest = digest_number(digest, result.code);
    digest = digest_number(digest, result.score);
    for (size_t i = 0; i < constraints; i++) {
        ks_spread_numbers numbers = ks_cycle_get_numbers(cycle, node, i);
        digest = digest_number(digest, numbers.matching);
        digest = digest_number(digest, numbers.minimum);
        digest = digest_text(digest, numbers.detail);
    }
    return digest;
}

static uint64_t digest_cycle(uint64_t digest, const ks_cycle *cycle)
{
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    digest = digest_number(digest, summary.pre_filter);
    digest = digest_number(digest, summary.pre_score);
    digest = digest_text(digest, summary.message);
    for (size_t i = 0; i < summary.nodes; i++)
        digest = digest_node(digest, cycle, i, summary.pre_filter == KS_SUCCESS ? summary.constraints : 0);
    return digest;
}

/* cmocka's assertions belong to the main thread: here faults are counted. */
static void *work(void *arg)
{
    job *j = arg;
    trial t;
    trial_begin(&t, &j->options);
    for (int event = 1; event <= EVENTS; event++) {
        ks_error err = {0};
        j->failures += world_step(&t.world, t.cluster, &err) != KS_OK;
        if (event % 5 != 0)
            continue;
        ks_pod pod;
        ks_arena_reset(&t.arena);
        world_pending(&t.world, &pod, &t.arena);
        j->failures += ks_cycle_run(t.cycle, &pod, &err) != KS_OK;
        j->digest = digest_cycle(j->digest, t.cycle);
    }
    trial_end(&t);
    return NULL;
}

static job make_job(uint64_t seed)
{
    return (job){.options = {.name = "threads",
                             .seed = seed,
                             .size = {12, 90, 5, 30},
                             .gates = KS_GATES_DEFAULT,
                             .list_defaults = seed % 2}};
}

static void start(job *jobs)
{
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&jobs[i].thread, NULL, work, &jobs[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
        assert_int_equal(jobs[i].failures, 0);
    }
}

static void the_same_work_finds_the_same(void **state)
{
    (void)state;
    job jobs[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        jobs[i] = make_job(1);
    start(jobs);
    for (size_t i = 1; i < THREADS; i++)
        assert_true(jobs[i].digest == jobs[0].digest);
}

static void different_work_finds_what_it_would_alone(void **state)
{
    (void)state;
    job jobs[THREADS], alone[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] = alone[i] = make_job(i + 1);
        work(&alone[i]);
    }
    start(jobs);
    for (size_t i = 0; i < THREADS; i++) {
        assert_true(jobs[i].digest == alone[i].digest);
        assert_true(i == 0 || jobs[i].digest != jobs[0].digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_work_finds_the_same),
        cmocka_unit_test(different_work_finds_what_it_would_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
