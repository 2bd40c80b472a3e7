// SPDX-License-Identifier: Apache-2.0
/* An arena: many small allocations that go together. */
#ifndef KS_UTIL_ARENA_H
#define KS_UTIL_ARENA_H

#include "util/alloc.h"

typedef struct ks_arena_block ks_arena_block;

typedef struct ks_arena {
    ks_alloc *alloc;
    ks_arena_block *block; /* newest first */
    size_t used;           /* of the newest block */
    size_t first;          /* how large the first block should be, learnt from before the last reset */
} ks_arena;

void ks_arena_init(ks_arena *arena, ks_alloc *alloc);
/* Frees everything; the arena can be used again. Safe on a zeroed arena. */
void ks_arena_free(ks_arena *arena);
/* Forgets everything, and sees to it that the same again fits into one block, which is kept: use after
 * use of the same size soon allocates nothing. */
void ks_arena_reset(ks_arena *arena);
/* Aligned for any type; NULL on failure. size 0 gives a unique non-NULL pointer. */
void *ks_arena_get(ks_arena *arena, size_t size);
void *ks_arena_get_zeroed(ks_arena *arena, size_t size);
/* Room for one more in a full list of `*cap` items, by moving it. `items` is the address of a pointer to
 * items of any type. False on failure, which leaves the list as it was. */
bool ks_arena_grow(ks_arena *arena, void *items, size_t *cap, size_t item_size);
/* A NUL-terminated copy; an absent string stays absent. Returns false on failure. */
bool ks_arena_copy_str(ks_arena *arena, ks_str *out, ks_str text);

#endif
