// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "util/vec.h"

typedef KS_VEC(uint32_t) numbers;

static void pushes_beyond_every_growth(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    numbers v = {0};
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(ks_vec_push(&v, &alloc, i * 3));
    assert_int_equal(v.count, 1000);
    assert_true(v.cap >= v.count);
    assert_int_equal(alloc.bytes, v.cap * sizeof *v.items);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(v.items[i], i * 3);
    ks_vec_free(&v, &alloc);
    assert_null(v.items);
    assert_int_equal(v.count + v.cap, 0);
    assert_int_equal(alloc.bytes, 0);
}

static void pushes_struct_literals(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    struct pair {
        int a, b;
    };
    KS_VEC(struct pair) pairs = {0};
    assert_true(ks_vec_push(&pairs, &alloc, (struct pair){1, 2}));
    assert_int_equal(pairs.items[0].a + pairs.items[0].b, 3);
    ks_vec_free(&pairs, &alloc);
    assert_int_equal(alloc.bytes, 0);
}

static void reserves_once_for_many(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    numbers v = {0};
    assert_true(ks_vec_reserve(&v, &alloc, 100));
    assert_true(v.cap >= 100);
    const uint32_t *items = v.items;
    for (uint32_t i = 0; i < 100; i++)
        assert_true(ks_vec_push(&v, &alloc, i));
    assert_ptr_equal(v.items, items);
    assert_true(ks_vec_reserve(&v, &alloc, 5));
    assert_ptr_equal(v.items, items);
    ks_vec_free(&v, &alloc);
}

static void swap_remove_moves_the_last(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    numbers v = {0};
    for (uint32_t i = 0; i < 4; i++)
        assert_true(ks_vec_push(&v, &alloc, i));
    ks_vec_swap_remove(&v, 1);
    ks_vec_swap_remove(&v, 2);
    assert_int_equal(v.count, 2);
    assert_int_equal(v.items[0], 0);
    assert_int_equal(v.items[1], 3);
    ks_vec_free(&v, &alloc);
}

static void failure_leaves_it_as_it_was(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    numbers v = {0};
    while (v.count == 0 || v.count < v.cap)
        assert_true(ks_vec_push(&v, &alloc, 7));
    size_t count = v.count;
    failing.fail_at = 1;
    assert_false(ks_vec_push(&v, &alloc, 8));
    assert_int_equal(v.count, count);
    assert_int_equal(v.items[count - 1], 7);
    assert_true(ks_vec_push(&v, &alloc, 8));
    assert_int_equal(v.items[count], 8);
    ks_vec_free(&v, &alloc);
    assert_int_equal(failing.bytes, 0);
}

static void refuses_sizes_that_overflow(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    numbers v = {0};
    assert_false(ks_vec_reserve(&v, &alloc, SIZE_MAX / 2));
    assert_null(v.items);
    assert_int_equal(v.cap, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_beyond_every_growth),  cmocka_unit_test(pushes_struct_literals),
        cmocka_unit_test(reserves_once_for_many),      cmocka_unit_test(swap_remove_moves_the_last),
        cmocka_unit_test(failure_leaves_it_as_it_was), cmocka_unit_test(refuses_sizes_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
