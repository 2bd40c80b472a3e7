// SPDX-License-Identifier: Apache-2.0
#include "util/heap.h"
#include <assert.h>

/* Four children a parent: half the levels of a binary heap, and siblings share a cache line or two. */
enum { ARITY = 4 };

bool ks_heap_reserve(ks_heap *heap, ks_alloc *alloc, uint32_t capacity)
{
    if (capacity <= heap->cap)
        return true;
    ks_heap_item *items =
        ks_alloc_resize(alloc, heap->items, heap->cap * sizeof *items, capacity * sizeof *items);
    if (!items)
        return false;
    heap->items = items;
    uint32_t *place_of =
        ks_alloc_resize(alloc, heap->place_of, heap->cap * sizeof *place_of, capacity * sizeof *place_of);
    if (!place_of) { /* give the growth back: the capacity is one for both */
        void *shrunk =
            ks_alloc_resize(alloc, heap->items, capacity * sizeof *items, heap->cap * sizeof *items);
        if (shrunk || heap->cap == 0)
            heap->items = shrunk;
        return false;
    }
    for (uint32_t i = heap->cap; i < capacity; i++)
        place_of[i] = KS_NONE;
    heap->place_of = place_of;
    heap->cap = capacity;
    return true;
}

void ks_heap_free(ks_heap *heap, ks_alloc *alloc)
{
    ks_alloc_free(alloc, heap->items, heap->cap * sizeof *heap->items);
    ks_alloc_free(alloc, heap->place_of, heap->cap * sizeof *heap->place_of);
    *heap = (ks_heap){0};
}

static bool is_before(const ks_heap_item *a, const ks_heap_item *b)
{
    return a->major != b->major ? a->major < b->major : a->minor < b->minor;
}

static void put(ks_heap *heap, uint32_t place, ks_heap_item item)
{
    heap->items[place] = item;
    heap->place_of[item.id] = place;
}

static void sift_up(ks_heap *heap, uint32_t place, ks_heap_item item)
{
    while (place > 0) {
        uint32_t parent = (place - 1) / ARITY;
        if (!is_before(&item, &heap->items[parent]))
            break;
        put(heap, place, heap->items[parent]);
        place = parent;
    }
    put(heap, place, item);
}

static uint32_t least_child(const ks_heap *heap, uint32_t first)
{
    uint32_t end = heap->count - first < ARITY ? heap->count : first + ARITY, least = first;
    for (uint32_t child = first + 1; child < end; child++)
        if (is_before(&heap->items[child], &heap->items[least]))
            least = child;
    return least;
}

static void sift_down(ks_heap *heap, uint32_t place, ks_heap_item item)
{
    for (uint32_t first; (first = ARITY * place + 1) < heap->count;) {
        uint32_t child = least_child(heap, first);
        if (!is_before(&heap->items[child], &item))
            break;
        put(heap, place, heap->items[child]);
        place = child;
    }
    put(heap, place, item);
}

void ks_heap_add(ks_heap *heap, ks_heap_item item)
{
    assert(item.id < heap->cap && heap->place_of[item.id] == KS_NONE);
    sift_up(heap, heap->count++, item);
}

void ks_heap_remove(ks_heap *heap, uint32_t id)
{
    assert(ks_heap_has(heap, id));
    uint32_t place = heap->place_of[id];
    heap->place_of[id] = KS_NONE;
    ks_heap_item last = heap->items[--heap->count];
    if (place == heap->count)
        return;
    if (place > 0 && is_before(&last, &heap->items[(place - 1) / ARITY]))
        sift_up(heap, place, last);
    else
        sift_down(heap, place, last);
}
