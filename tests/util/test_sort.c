// SPDX-License-Identifier: Apache-2.0
#include "support/unit.h"
#include "util/sort.h"
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint32_t key, given; /* where it stood */
    char padding[KS_SORT_ITEM_MAX - 8];
} entry;
_Static_assert(sizeof(entry) == KS_SORT_ITEM_MAX, "the largest item");

static size_t comparisons;

static int by_key(const void *a, const void *b)
{
    uint32_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    comparisons++;
    return (left > right) - (left < right);
}

/* What a key is for the i-th of `count` items. */
typedef uint32_t (*pattern)(uint32_t i, uint32_t count);

static uint32_t rising(uint32_t i, uint32_t count)
{
    (void)count;
    return i;
}

static uint32_t falling(uint32_t i, uint32_t count)
{
    return count - i;
}

static uint32_t equal(uint32_t i, uint32_t count)
{
    (void)i, (void)count;
    return 7;
}

static uint32_t few(uint32_t i, uint32_t count)
{
    (void)count;
    return i * 2654435761U >> 30;
}

static uint32_t scattered(uint32_t i, uint32_t count)
{
    (void)count;
    return i * 2654435761U;
}

static uint32_t halves(uint32_t i, uint32_t count)
{
    return i < count / 2 ? i + count : i;
}

static const struct {
    const char *name;
    pattern key;
} patterns[] = {
    {"rising", rising}, {"falling", falling},     {"equal", equal},
    {"few", few},       {"scattered", scattered}, {"halves", halves},
};

static const uint32_t counts[] = {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 1000, 1025};

static void sort_pattern(const char *name, pattern key, uint32_t count, size_t size)
{
    char *items = calloc(count + 1, size);
    assert_non_null(items);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair[] = {key(i, count), i};
        memcpy(items + i * size, pair, sizeof pair);
    }
    ks_sort(items, count, size, by_key);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t before[2], here[2];
        memcpy(before, items + (i - 1) * size, sizeof before);
        memcpy(here, items + i * size, sizeof here);
        if (before[0] > here[0] || (before[0] == here[0] && before[1] >= here[1]))
            fail_msg("%s: %u items of %zu bytes: item %u", name, count, size, i);
    }
    free(items);
}

static void sorts_and_keeps_the_order_of_equals(void **state)
{
    (void)state;
    static const size_t sizes[] = {8, 12, 32, sizeof(entry)};
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                sort_pattern(patterns[p].name, patterns[p].key, counts[c], sizes[s]);
    ks_sort(NULL, 0, sizeof(entry), by_key);
}

/* n log n comparisons, whatever the order; few where nothing is to be done. */
static void compares_seldom(void **state)
{
    (void)state;
    enum { COUNT = 1 << 16, LOG = 16 };
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        comparisons = 0;
        sort_pattern(patterns[p].name, patterns[p].key, COUNT, 8);
        size_t most = patterns[p].key == rising || patterns[p].key == equal ? 2 * COUNT : 3 * LOG * COUNT;
        if (comparisons > most)
            fail_msg("%s: %zu comparisons", patterns[p].name, comparisons);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_and_keeps_the_order_of_equals),
        cmocka_unit_test(compares_seldom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
