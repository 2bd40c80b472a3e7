// SPDX-License-Identifier: Apache-2.0
#include "util/index.h"
#include <string.h>

/* The table's own 32 bits of a key's hash: both halves take part in finding the slot. */
static uint32_t fold(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

uint32_t ks_index_find(const ks_index *index, uint64_t hash, ks_index_eq eq, const void *ctx, const void *key)
{
    if (index->cap == 0)
        return KS_NONE;
    uint32_t want = fold(hash), mask = index->cap - 1;
    for (uint32_t i = want & mask;; i = (i + 1) & mask) {
        const ks_index_slot *slot = &index->slots[i];
        if (slot->row == KS_NONE)
            return KS_NONE;
        if (slot->hash == want && eq(ctx, slot->row, key))
            return slot->row;
    }
}

static void place(ks_index *index, uint32_t hash, uint32_t row)
{
    uint32_t mask = index->cap - 1, i = hash & mask;
    while (index->slots[i].row != KS_NONE)
        i = (i + 1) & mask;
    index->slots[i] = (ks_index_slot){hash, row};
}

bool ks_index_reserve(ks_index *index, ks_alloc *alloc)
{
    if (index->cap && index->count + 1 <= index->cap / 4 * 3)
        return true;
    if (index->cap > UINT32_MAX / 2)
        return false;
    ks_index grown = {.cap = index->cap ? index->cap * 2 : 16, .count = index->count};
    size_t size = grown.cap * sizeof *grown.slots;
    grown.slots = ks_alloc_get(alloc, size);
    if (!grown.slots)
        return false;
    memset(grown.slots, 0xFF, size);
    for (uint32_t i = 0; i < index->cap; i++)
        if (index->slots[i].row != KS_NONE)
            place(&grown, index->slots[i].hash, index->slots[i].row);
    ks_index_free(index, alloc);
    *index = grown;
    return true;
}

void ks_index_add(ks_index *index, uint64_t hash, uint32_t row)
{
    place(index, fold(hash), row);
    index->count++;
}

/* Slots behind the gap move up, so that no marker of deletion is needed and look-ups stay short. */
static void close_gap(ks_index *index, uint32_t gap)
{
    uint32_t mask = index->cap - 1;
    for (uint32_t i = (gap + 1) & mask; index->slots[i].row != KS_NONE; i = (i + 1) & mask) {
        uint32_t home = index->slots[i].hash & mask;
        if (((i - home) & mask) < ((i - gap) & mask))
            continue;
        index->slots[gap] = index->slots[i];
        gap = i;
    }
    index->slots[gap].row = KS_NONE;
}

void ks_index_remove(ks_index *index, uint64_t hash, uint32_t row)
{
    uint32_t mask = index->cap - 1, i = fold(hash) & mask;
    while (index->slots[i].row != row)
        i = (i + 1) & mask;
    close_gap(index, i);
    index->count--;
}

void ks_index_free(ks_index *index, ks_alloc *alloc)
{
    ks_alloc_free(alloc, index->slots, index->cap * sizeof *index->slots);
    *index = (ks_index){0};
}
