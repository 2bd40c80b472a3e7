// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "util/arena.h"
#include <stdalign.h>
#include <string.h>

static void pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    unsigned char *pieces[500];
    for (size_t i = 0; i < 500; i++) {
        pieces[i] = ks_arena_get(&arena, i);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], (int)(i & 0xFF), i);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t b = 0; b < i; b++)
            assert_int_equal(pieces[i][b], i & 0xFF);
    ks_arena_free(&arena);
    assert_int_equal(alloc.bytes, 0);
}

static void empty_pieces_are_unique(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    void *a = ks_arena_get(&arena, 0), *b = ks_arena_get(&arena, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    ks_arena_free(&arena);
}

static void zeroed_means_zeroed_after_a_reset(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    memset(ks_arena_get(&arena, 256), 0xAA, 256);
    ks_arena_reset(&arena);
    const unsigned char *piece = ks_arena_get_zeroed(&arena, 256);
    for (size_t i = 0; i < 256; i++)
        assert_int_equal(piece[i], 0);
    ks_arena_free(&arena);
}

static void use_some(ks_arena *arena)
{
    for (size_t i = 0; i < 40; i++)
        assert_non_null(ks_arena_get(arena, i * 50));
}

/* The second time it is one allocation, from the third time on none. */
static void after_a_reset_the_same_fits_into_one_block(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    use_some(&arena);
    size_t first = failing.calls;
    assert_true(first > 1);
    ks_arena_reset(&arena);
    use_some(&arena);
    assert_int_equal(failing.calls, first + 1);
    for (int round = 0; round < 3; round++) {
        ks_arena_reset(&arena);
        use_some(&arena);
        assert_int_equal(failing.calls, first + 1);
    }
    assert_non_null(ks_arena_get(&arena, 1000000));
    ks_arena_free(&arena);
    assert_int_equal(failing.bytes, 0);
}

static void can_be_used_after_free(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    ks_arena_reset(&arena);
    for (int round = 0; round < 3; round++) {
        assert_non_null(ks_arena_get(&arena, 5000));
        ks_arena_free(&arena);
        assert_int_equal(alloc.bytes, 0);
    }
    ks_arena zeroed = {0};
    ks_arena_free(&zeroed);
}

static void copies_strings_with_a_nul(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    char text[] = "zone-a";
    ks_str copy;
    assert_true(ks_arena_copy_str(&arena, &copy, (ks_str){text, 4}));
    text[0] = 'X';
    assert_int_equal(copy.len, 4);
    assert_string_equal(copy.data, "zone");

    assert_true(ks_arena_copy_str(&arena, &copy, KS_STR("")));
    assert_non_null(copy.data);
    assert_int_equal(copy.len, 0);

    assert_true(ks_arena_copy_str(&arena, &copy, (ks_str){0}));
    assert_null(copy.data);
    ks_arena_free(&arena);
}

static void failure_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    failing.fail_at = 1;
    assert_null(ks_arena_get(&arena, 10));
    assert_non_null(ks_arena_get(&arena, 10));
    failing.fail_at = 1;
    ks_str copy;
    char large[5000] = {0};
    assert_false(ks_arena_copy_str(&arena, &copy, (ks_str){large, sizeof large}));
    assert_null(ks_arena_get(&arena, SIZE_MAX));
    assert_null(ks_arena_get(&arena, SIZE_MAX / 2 + 1));
    assert_non_null(ks_arena_get(&arena, 10));
    ks_arena_free(&arena);
    assert_int_equal(failing.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_apart),
        cmocka_unit_test(empty_pieces_are_unique),
        cmocka_unit_test(zeroed_means_zeroed_after_a_reset),
        cmocka_unit_test(after_a_reset_the_same_fits_into_one_block),
        cmocka_unit_test(can_be_used_after_free),
        cmocka_unit_test(copies_strings_with_a_nul),
        cmocka_unit_test(failure_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
