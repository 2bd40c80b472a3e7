// SPDX-License-Identifier: Apache-2.0
#include "util/arena.h"
#include <stdalign.h>
#include <string.h>

enum { BLOCK_MIN = 256, BLOCK_MAX = 1 << 20 };

struct ks_arena_block {
    ks_arena_block *older;
    size_t size;
    alignas(max_align_t) char data[];
};

void ks_arena_init(ks_arena *arena, ks_alloc *alloc)
{
    *arena = (ks_arena){.alloc = alloc};
}

static void free_block(ks_arena *arena, ks_arena_block *block)
{
    ks_alloc_free(arena->alloc, block, sizeof *block + block->size);
}

void ks_arena_free(ks_arena *arena)
{
    while (arena->block) {
        ks_arena_block *older = arena->block->older;
        free_block(arena, arena->block);
        arena->block = older;
    }
    arena->used = 0;
}

void ks_arena_reset(ks_arena *arena)
{
    arena->used = 0;
    if (!arena->block || !arena->block->older)
        return;
    size_t size = 0;
    for (const ks_arena_block *b = arena->block; b; b = b->older)
        size += b->size;
    ks_arena_free(arena);
    arena->first = size;
}

/* Blocks double, so that their number stays small whatever the arena holds. */
static bool add_block(ks_arena *arena, size_t size)
{
    size_t want = arena->block ? arena->block->size * 2 : BLOCK_MIN;
    if (want > BLOCK_MAX)
        want = BLOCK_MAX;
    if (!arena->block && want < arena->first)
        want = arena->first;
    if (want < size)
        want = size;
    ks_arena_block *block = ks_alloc_get(arena->alloc, sizeof *block + want);
    if (!block)
        return false;
    block->older = arena->block;
    block->size = want;
    arena->block = block;
    arena->used = 0;
    return true;
}

void *ks_arena_get(ks_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        return NULL;
    size = size ? (size + align - 1) / align * align : align;
    if (!arena->block || arena->block->size - arena->used < size)
        if (!add_block(arena, size))
            return NULL;
    void *ptr = arena->block->data + arena->used;
    arena->used += size;
    return ptr;
}

void *ks_arena_get_zeroed(ks_arena *arena, size_t size)
{
    void *ptr = ks_arena_get(arena, size);
    if (ptr)
        memset(ptr, 0, size);
    return ptr;
}

bool ks_arena_grow(ks_arena *arena, void *items, size_t *cap, size_t item_size)
{
    size_t next = *cap ? *cap * 2 : 4;
    void *old, *moved = next <= SIZE_MAX / item_size ? ks_arena_get(arena, next * item_size) : NULL;
    if (!moved)
        return false;
    memcpy(&old, items, sizeof old); /* the pointer's real type is the caller's */
    if (*cap)
        memcpy(moved, old, *cap * item_size);
    memcpy(items, &moved, sizeof moved);
    *cap = next;
    return true;
}

bool ks_arena_copy_str(ks_arena *arena, ks_str *out, ks_str text)
{
    *out = (ks_str){0};
    if (!text.data)
        return true;
    char *copy = ks_arena_get(arena, text.len + 1);
    if (!copy)
        return false;
    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    *out = (ks_str){copy, text.len};
    return true;
}
