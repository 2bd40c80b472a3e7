// SPDX-License-Identifier: Apache-2.0
/* The node of highest total, and fairness among equals. */
#include "engine/host.h"
#include "support/random.h"
#include "support/transcript.h"
#include "support/unit.h"

enum { NODES = 192, DRAWS = 30000 };

typedef struct fixture {
    ks_alloc alloc;
    ks_nodeset nodes;
    double totals[NODES];
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){0};
    ks_alloc_init(&f->alloc, NULL);
    assert_true(ks_nodeset_resize(&f->nodes, &f->alloc, NODES));
}

static void end(fixture *f)
{
    ks_nodeset_free(&f->nodes, &f->alloc);
}

/* How often each node is chosen. */
static void count_choices(const fixture *f, const double *totals, int *counts)
{
    ks_random random = ks_random_seed(3);
    for (int i = 0; i < NODES; i++)
        counts[i] = 0;
    for (int i = 0; i < DRAWS; i++)
        counts[ks_host_select(&f->nodes, totals, &random)]++;
}

/* Words that are full, empty and mixed, with the best ones spread over them. */
static void test_equals_are_as_likely(void **state)
{
    (void)state;
    static const uint32_t best[] = {0, 63, 64, 127, 130};
    fixture f;
    int counts[NODES];
    begin(&f);
    for (uint32_t i = 0; i < NODES; i++) {
        f.totals[i] = i % 7;
        if (i < 64 || i % 3 == 1)
            ks_nodeset_add(&f.nodes, i);
        else
            f.totals[i] = 1000; /* not in the set: never looked at */
    }
    for (size_t i = 0; i < COUNT(best); i++) {
        ks_nodeset_add(&f.nodes, best[i]);
        f.totals[best[i]] = 50;
    }
    count_choices(&f, f.totals, counts);
    for (size_t i = 0; i < COUNT(best); i++) {
        assert_in_range(counts[best[i]], DRAWS / 5 * 9 / 10, DRAWS / 5 * 11 / 10);
        counts[best[i]] = 0;
    }
    for (int i = 0; i < NODES; i++)
        assert_int_equal(counts[i], 0);
    end(&f);
}

static void test_without_totals_all_are_equal(void **state)
{
    (void)state;
    fixture f;
    int counts[NODES];
    begin(&f);
    ks_nodeset_add(&f.nodes, 5);
    ks_nodeset_add(&f.nodes, 150);
    count_choices(&f, NULL, counts);
    assert_in_range(counts[5], DRAWS / 2 * 9 / 10, DRAWS / 2 * 11 / 10);
    assert_int_equal(counts[5] + counts[150], DRAWS);
    end(&f);
}

static void test_against_plain_search(void **state)
{
    (void)state;
    random_source source = random_seed(9);
    ks_random random = ks_random_seed(9);
    fixture f;
    begin(&f);
    for (int round = 0; round < 2000; round++) {
        double best = -1e9;
        uint32_t percent = random_below(&source, 101);
        ks_nodeset_clear(&f.nodes);
        ks_nodeset_add(&f.nodes, random_below(&source, NODES));
        for (uint32_t i = 0; i < NODES; i++) {
            f.totals[i] = (double)random_below(&source, 2000) - 1000;
            if (random_chance(&source, percent))
                ks_nodeset_add(&f.nodes, i);
            if (ks_nodeset_has(&f.nodes, i) && f.totals[i] > best)
                best = f.totals[i];
        }
        uint32_t chosen = ks_host_select(&f.nodes, f.totals, &random);
        assert_true(ks_nodeset_has(&f.nodes, chosen));
        assert_true(f.totals[chosen] == best);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_are_as_likely),
        cmocka_unit_test(test_without_totals_all_are_equal),
        cmocka_unit_test(test_against_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
