// SPDX-License-Identifier: Apache-2.0
/* Tables of rows that are found by content, counted by use and numbered densely: the engine's pods,
 * nodes, classes, matchers and counters all are such rows. A row begins with a ks_row and belongs to its
 * table's room, which frees it when nobody refers to it. */
#ifndef KS_ENGINE_TABLE_H
#define KS_ENGINE_TABLE_H

#include "util/index.h"
#include "util/vec.h"

typedef struct ks_row {
    uint32_t id;   /* its place in the table, given anew after removal */
    uint32_t refs; /* who uses it; what that means is its room's affair */
    uint64_t hash;
} ks_row;

typedef struct ks_table {
    KS_VEC(ks_row *) rows; /* by id; NULL where the id is free */
    KS_VEC(uint32_t) free_ids;
    ks_index index;
} ks_table;

/* Whether the row is the one that `key` asks for. */
typedef bool (*ks_row_eq)(const ks_row *row, const void *key);

/* NULL if there is none. */
ks_row *ks_table_find(const ks_table *table, uint64_t hash, ks_row_eq eq, const void *key);
/* Makes sure that the next add cannot fail. */
bool ks_table_reserve(ks_table *table, ks_alloc *alloc);
/* The id that the next add will give. */
uint32_t ks_table_next_id(const ks_table *table);
void ks_table_add(ks_table *table, ks_row *row, uint64_t hash);
void ks_table_remove(ks_table *table, ks_row *row);
static inline size_t ks_table_count(const ks_table *table)
{
    return table->index.count;
}
/* Frees the table, not the rows. */
void ks_table_free(ks_table *table, ks_alloc *alloc);

/* for (size_t i = 0; i < table->rows.count; i++) { row = table->rows.items[i]; if (!row) continue; … } */

#endif
