// SPDX-License-Identifier: Apache-2.0
/* A priority queue of small integers, each at most once, that also gives up any of its members. The least
 * member comes first: by `major`, then by `minor`. */
#ifndef KS_UTIL_HEAP_H
#define KS_UTIL_HEAP_H

#include "util/index.h"

typedef struct ks_heap_item {
    int64_t major;
    uint64_t minor;
    uint32_t id;
} ks_heap_item;

typedef struct ks_heap {
    ks_heap_item *items;
    uint32_t *place_of; /* by id: where it stands, or KS_NONE */
    uint32_t count, cap;
} ks_heap;

/* Room for the members 0..capacity-1, so that adding them cannot fail. False on failure. */
bool ks_heap_reserve(ks_heap *heap, ks_alloc *alloc, uint32_t capacity);
void ks_heap_free(ks_heap *heap, ks_alloc *alloc);

static inline bool ks_heap_has(const ks_heap *heap, uint32_t id)
{
    return id < heap->cap && heap->place_of[id] != KS_NONE;
}
/* The least member; the heap must not be empty. */
static inline const ks_heap_item *ks_heap_first(const ks_heap *heap)
{
    return &heap->items[0];
}
/* Adds a member that is not there yet. */
void ks_heap_add(ks_heap *heap, ks_heap_item item);
/* Removes a member that is there. */
void ks_heap_remove(ks_heap *heap, uint32_t id);

#endif
