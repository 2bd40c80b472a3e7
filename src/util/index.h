// SPDX-License-Identifier: Apache-2.0
/* A hash index from keys to row numbers: open addressing, the keys themselves stay in the rows. */
#ifndef KS_UTIL_INDEX_H
#define KS_UTIL_INDEX_H

#include "util/alloc.h"

#define KS_NONE UINT32_MAX

typedef struct ks_index_slot {
    uint32_t hash, row; /* row KS_NONE: free */
} ks_index_slot;

typedef struct ks_index {
    ks_index_slot *slots;
    uint32_t cap, count; /* cap: 0 or a power of two */
} ks_index;

/* Whether row `row` has the key that is looked for. */
typedef bool (*ks_index_eq)(const void *ctx, uint32_t row, const void *key);

/* The row with that key, or KS_NONE. */
uint32_t ks_index_find(const ks_index *index, uint64_t hash, ks_index_eq eq, const void *ctx,
                       const void *key);
/* Room for one more, so that the next add cannot fail. */
bool ks_index_reserve(ks_index *index, ks_alloc *alloc);
/* Adds a row that is not there yet, after ks_index_reserve. */
void ks_index_add(ks_index *index, uint64_t hash, uint32_t row);
/* Removes a row that is there. */
void ks_index_remove(ks_index *index, uint64_t hash, uint32_t row);
void ks_index_free(ks_index *index, ks_alloc *alloc);

#endif
