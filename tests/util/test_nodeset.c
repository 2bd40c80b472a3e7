// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"
#include "util/nodeset.h"
#include <string.h>

enum { CAPACITY = 200 };

/* A set as bits and the same as an array of bools. */
typedef struct twin {
    ks_nodeset bits;
    bool plain[CAPACITY];
} twin;

static twin make_twin(random_source *random, ks_alloc *alloc, uint32_t percent)
{
    twin t = {0};
    assert_true(ks_nodeset_resize(&t.bits, alloc, CAPACITY));
    for (uint32_t i = 0; i < CAPACITY; i++) {
        t.plain[i] = random_chance(random, percent);
        if (t.plain[i])
            ks_nodeset_add(&t.bits, i);
    }
    return t;
}

static void check_twin(const twin *t)
{
    uint32_t count = 0, next = ks_nodeset_next(&t->bits, 0);
    for (uint32_t i = 0; i < CAPACITY; i++) {
        assert_int_equal(ks_nodeset_has(&t->bits, i), t->plain[i]);
        if (!t->plain[i])
            continue;
        assert_int_equal(next, i);
        next = ks_nodeset_next(&t->bits, i + 1);
        count++;
    }
    assert_int_equal(next, KS_NODESET_END);
    assert_int_equal(ks_nodeset_count(&t->bits), count);
}

static void agrees_with_a_plain_set(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    random_source random = random_seed(1);
    for (int round = 0; round < 300; round++) {
        twin a = make_twin(&random, &alloc, random_below(&random, 101));
        twin b = make_twin(&random, &alloc, random_below(&random, 101));
        bool overlap = false;
        for (uint32_t i = 0; i < CAPACITY; i++)
            overlap |= a.plain[i] && b.plain[i];
        assert_int_equal(ks_nodeset_intersects(&a.bits, &b.bits), overlap);
        int operation = round % 5;
        for (uint32_t i = 0; i < CAPACITY; i++) {
            bool x = a.plain[i], y = b.plain[i];
            const bool wanted[] = {x && y, x || y, x && !y, y, false};
            a.plain[i] = wanted[operation];
        }
        switch (operation) {
        case 0:
            ks_nodeset_and(&a.bits, &b.bits);
            break;
        case 1:
            ks_nodeset_or(&a.bits, &b.bits);
            break;
        case 2:
            ks_nodeset_and_not(&a.bits, &b.bits);
            break;
        case 3:
            ks_nodeset_copy(&a.bits, &b.bits);
            break;
        default:
            ks_nodeset_clear(&a.bits);
        }
        check_twin(&a);
        check_twin(&b);
        ks_nodeset_free(&a.bits, &alloc);
        ks_nodeset_free(&b.bits, &alloc);
    }
    assert_int_equal(alloc.bytes, 0);
}

static void members_at_word_borders(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_nodeset set = {0};
    assert_true(ks_nodeset_resize(&set, &alloc, 129));
    const uint32_t members[] = {0, 63, 64, 127, 128};
    for (size_t i = 0; i < 5; i++)
        ks_nodeset_add(&set, members[i]);
    uint32_t at = 0;
    for (size_t i = 0; i < 5; i++, at++) {
        at = ks_nodeset_next(&set, at);
        assert_int_equal(at, members[i]);
    }
    assert_int_equal(ks_nodeset_next(&set, at), KS_NODESET_END);
    ks_nodeset_del(&set, 63);
    ks_nodeset_del(&set, 63);
    assert_int_equal(ks_nodeset_count(&set), 4);
    assert_false(ks_nodeset_has(&set, 63));
    assert_false(ks_nodeset_has(&set, 100000));
    assert_int_equal(ks_nodeset_next(&set, 100000), KS_NODESET_END);
    ks_nodeset_free(&set, &alloc);
}

static void growing_keeps_members_and_adds_none(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_nodeset set = {0};
    for (uint32_t capacity = 1; capacity <= 1000; capacity++) {
        assert_true(ks_nodeset_resize(&set, &alloc, capacity));
        assert_int_equal(ks_nodeset_count(&set), capacity - 1);
        ks_nodeset_add(&set, capacity - 1);
    }
    assert_true(ks_nodeset_resize(&set, &alloc, 3));
    assert_int_equal(ks_nodeset_count(&set), 1000);
    ks_nodeset_free(&set, &alloc);
    assert_int_equal(alloc.bytes, 0);
}

static void an_empty_set_has_no_words(void **state)
{
    (void)state;
    ks_nodeset empty = {0}, other = {0};
    ks_nodeset_clear(&empty);
    ks_nodeset_copy(&empty, &other);
    assert_int_equal(ks_nodeset_count(&empty), 0);
    assert_false(ks_nodeset_intersects(&empty, &other));
    assert_int_equal(ks_nodeset_next(&empty, 0), KS_NODESET_END);
}

static void failure_leaves_it_as_it_was(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    ks_nodeset set = {0};
    assert_true(ks_nodeset_resize(&set, &alloc, 64));
    ks_nodeset_add(&set, 63);
    failing.fail_at = 1;
    assert_false(ks_nodeset_resize(&set, &alloc, 65));
    assert_int_equal(set.nwords, 1);
    assert_true(ks_nodeset_has(&set, 63));
    ks_nodeset_free(&set, &alloc);
    assert_int_equal(failing.bytes, 0);
}

/* As after growing some of a cluster's sets failed. */
static void sets_may_differ_in_capacity(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_nodeset small = {0}, large = {0};
    assert_true(ks_nodeset_resize(&small, &alloc, 64));
    assert_true(ks_nodeset_resize(&large, &alloc, 256));
    ks_nodeset_add(&small, 5);
    ks_nodeset_add(&large, 6);
    ks_nodeset_add(&large, 200);
    assert_false(ks_nodeset_intersects(&large, &small));
    assert_false(ks_nodeset_intersects(&small, &large));
    ks_nodeset_or(&large, &small);
    assert_int_equal(ks_nodeset_count(&large), 3);
    ks_nodeset_and_not(&large, &small);
    assert_int_equal(ks_nodeset_count(&large), 2);
    ks_nodeset_and(&large, &small);
    assert_int_equal(ks_nodeset_count(&large), 0);
    ks_nodeset_add(&large, 7);
    ks_nodeset_copy(&small, &large);
    assert_true(ks_nodeset_has(&small, 7) && !ks_nodeset_has(&small, 5));
    ks_nodeset_add(&large, 200);
    ks_nodeset_copy(&large, &small);
    assert_int_equal(ks_nodeset_count(&large), 1);
    ks_nodeset_free(&small, &alloc);
    ks_nodeset_free(&large, &alloc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_plain_set),
        cmocka_unit_test(members_at_word_borders),
        cmocka_unit_test(growing_keeps_members_and_adds_none),
        cmocka_unit_test(an_empty_set_has_no_words),
        cmocka_unit_test(failure_leaves_it_as_it_was),
        cmocka_unit_test(sets_may_differ_in_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
