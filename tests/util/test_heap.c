// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"
#include "util/heap.h"
#include <stdlib.h>

enum { MEMBERS = 300, EVENTS = 20000 };

/* What the heap should say, from scratch. */
static uint32_t least(const ks_heap_item *items, const bool *in)
{
    uint32_t best = KS_NONE;
    for (uint32_t i = 0; i < MEMBERS; i++)
        if (in[i] && (best == KS_NONE || items[i].major < items[best].major ||
                      (items[i].major == items[best].major && items[i].minor < items[best].minor)))
            best = i;
    return best;
}

static void test_against_plain_search(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_heap heap = {0};
    assert_true(ks_heap_reserve(&heap, &alloc, MEMBERS));
    ks_heap_item items[MEMBERS] = {0};
    bool in[MEMBERS] = {0};
    random_source random = random_seed(1);
    for (uint64_t event = 0; event < EVENTS; event++) {
        uint32_t id = random_below(&random, MEMBERS);
        if (in[id]) {
            ks_heap_remove(&heap, id);
        } else {
            items[id] = (ks_heap_item){(int64_t)random_below(&random, 7) - 3, event, id};
            ks_heap_add(&heap, items[id]);
        }
        in[id] = !in[id];
        uint32_t want = least(items, in);
        assert_int_equal(heap.count > 0 ? ks_heap_first(&heap)->id : KS_NONE, want);
        assert_int_equal(ks_heap_has(&heap, id), in[id]);
    }
    ks_heap_free(&heap, &alloc);
    assert_int_equal(alloc.bytes, 0);
}

static void test_growth_that_fails_changes_nothing(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 2; n++) {
        failing_allocator failing = failing_allocator_make();
        ks_allocator allocator = failing_allocator_get(&failing);
        ks_alloc alloc;
        ks_alloc_init(&alloc, &allocator);
        ks_heap heap = {0};
        assert_true(ks_heap_reserve(&heap, &alloc, 2));
        ks_heap_add(&heap, (ks_heap_item){5, 0, 1});
        failing.fail_at = n;
        assert_false(ks_heap_reserve(&heap, &alloc, 1000));
        assert_int_equal(heap.cap, 2);
        assert_int_equal(ks_heap_first(&heap)->id, 1);
        ks_heap_free(&heap, &alloc);
        assert_int_equal(failing.bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_plain_search),
        cmocka_unit_test(test_growth_that_fails_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
