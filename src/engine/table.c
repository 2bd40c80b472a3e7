// SPDX-License-Identifier: Apache-2.0
#include "engine/table.h"

typedef struct lookup {
    const ks_table *table;
    ks_row_eq eq;
} lookup;

static bool row_has_key(const void *ctx, uint32_t id, const void *key)
{
    const lookup *l = ctx;
    return l->eq(l->table->rows.items[id], key);
}

ks_row *ks_table_find(const ks_table *table, uint64_t hash, ks_row_eq eq, const void *key)
{
    lookup l = {table, eq};
    uint32_t id = ks_index_find(&table->index, hash, row_has_key, &l, key);
    return id == KS_NONE ? NULL : table->rows.items[id];
}

bool ks_table_reserve(ks_table *table, ks_alloc *alloc)
{
    size_t want = table->rows.count + 1;
    return want < KS_NONE && ks_vec_reserve(&table->rows, alloc, want) &&
           ks_vec_reserve(&table->free_ids, alloc, want) && ks_index_reserve(&table->index, alloc);
}

uint32_t ks_table_next_id(const ks_table *table)
{
    size_t spare = table->free_ids.count;
    return spare ? table->free_ids.items[spare - 1] : (uint32_t)table->rows.count;
}

void ks_table_add(ks_table *table, ks_row *row, uint64_t hash)
{
    row->id = ks_table_next_id(table);
    row->hash = hash;
    if (table->free_ids.count)
        table->free_ids.count--;
    else
        table->rows.count++;
    table->rows.items[row->id] = row;
    ks_index_add(&table->index, hash, row->id);
}

void ks_table_remove(ks_table *table, ks_row *row)
{
    ks_index_remove(&table->index, row->hash, row->id);
    table->rows.items[row->id] = NULL;
    table->free_ids.items[table->free_ids.count++] = row->id;
}

void ks_table_free(ks_table *table, ks_alloc *alloc)
{
    ks_vec_free(&table->rows, alloc);
    ks_vec_free(&table->free_ids, alloc);
    ks_index_free(&table->index, alloc);
}
