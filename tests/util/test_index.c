// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"
#include "util/index.h"

enum { ROWS = 400 };

/* Row r holds the key keys[r]. */
static bool row_has_key(const void *ctx, uint32_t row, const void *key)
{
    const uint64_t *keys = ctx;
    return keys[row] == *(const uint64_t *)key;
}

/* Hashes from "all different" to "all the same": what matters is that chains of equal and wrapping slots
 * survive removal. */
typedef struct hash_row {
    const char *name;
    uint64_t (*hash)(uint64_t key);
} hash_row;

static uint64_t hash_spread(uint64_t key)
{
    return key * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t hash_low_bits(uint64_t key)
{
    return key % 4;
}

static uint64_t hash_end_of_table(uint64_t key)
{
    return UINT32_MAX - key % 3;
}

static uint64_t hash_high_half(uint64_t key)
{
    return key << 32;
}

static uint64_t hash_constant(uint64_t key)
{
    (void)key;
    return 5;
}

static const hash_row hash_rows[] = {
    {"spread", hash_spread},       {"low bits", hash_low_bits}, {"end of table", hash_end_of_table},
    {"high half", hash_high_half}, {"constant", hash_constant},
};

static void check_all(const ks_index *index, const hash_row *row, const uint64_t *keys, const bool *present)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
        uint32_t found = ks_index_find(index, row->hash(keys[r]), row_has_key, keys, &keys[r]);
        if (found != (present[r] ? r : KS_NONE))
            fail_msg("%s: row %u found at %u", row->name, r, found);
        count += present[r];
    }
    assert_int_equal(index->count, count);
}

static void agrees_with_a_plain_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hash_rows / sizeof *hash_rows; i++) {
        const hash_row *row = &hash_rows[i];
        ks_alloc alloc;
        ks_alloc_init(&alloc, NULL);
        random_source random = random_seed(i + 1);
        uint64_t keys[ROWS];
        bool present[ROWS] = {false};
        for (uint32_t r = 0; r < ROWS; r++)
            keys[r] = r * UINT64_C(7);
        ks_index index = {0};
        check_all(&index, row, keys, present);
        for (int step = 0; step < 4000; step++) {
            uint32_t r = random_below(&random, ROWS);
            if (present[r]) {
                ks_index_remove(&index, row->hash(keys[r]), r);
            } else {
                assert_true(ks_index_reserve(&index, &alloc));
                ks_index_add(&index, row->hash(keys[r]), r);
            }
            present[r] = !present[r];
            if (step % 50 == 0)
                check_all(&index, row, keys, present);
        }
        check_all(&index, row, keys, present);
        ks_index_free(&index, &alloc);
        assert_int_equal(alloc.bytes, 0);
    }
}

static void never_fills_up(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_index index = {0};
    for (uint32_t r = 0; r < 5000; r++) {
        assert_true(ks_index_reserve(&index, &alloc));
        ks_index_add(&index, hash_spread(r), r);
        assert_true(index.count < index.cap);
        assert_int_equal(index.cap & (index.cap - 1), 0);
    }
    ks_index_free(&index, &alloc);
    assert_int_equal(alloc.bytes, 0);
}

static void failure_leaves_it_as_it_was(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    uint64_t keys[ROWS];
    for (uint32_t r = 0; r < ROWS; r++)
        keys[r] = r;
    ks_index index = {0};
    uint32_t added = 0;
    for (int failures = 0; failures < 3;) {
        failing.fail_at = 1;
        bool roomy = ks_index_reserve(&index, &alloc);
        failures += !roomy;
        failing_allocator_refill(&failing);
        for (uint32_t r = 0; r < added; r++)
            assert_int_equal(ks_index_find(&index, hash_spread(r), row_has_key, keys, &keys[r]), r);
        assert_true(ks_index_reserve(&index, &alloc));
        ks_index_add(&index, hash_spread(added), added);
        added++;
    }
    ks_index_free(&index, &alloc);
    assert_int_equal(failing.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_plain_set),
        cmocka_unit_test(never_fills_up),
        cmocka_unit_test(failure_leaves_it_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
