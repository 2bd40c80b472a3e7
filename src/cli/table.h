// SPDX-License-Identifier: Apache-2.0
/* Tables as kubectl prints them: left-aligned columns, three spaces apart, as wide as their widest cell. */
#ifndef KS_CLI_TABLE_H
#define KS_CLI_TABLE_H

#include "cli/style.h"
#include "util/vec.h"

typedef struct ks_text_cell {
    size_t begin, len; /* in the table's text */
    size_t width;
    ks_tone tone;
} ks_text_cell;

/* Cells are given row by row. Want of memory shows when the table is printed. */
typedef struct ks_text_table {
    ks_alloc *alloc;
    size_t columns;
    size_t indent; /* spaces before each row */
    KS_VEC(ks_text_cell) cells;
    ks_buf text;
    bool failed;
} ks_text_table;

void ks_text_table_init(ks_text_table *table, ks_alloc *alloc, size_t columns);
void ks_text_table_free(ks_text_table *table);
void ks_text_table_put(ks_text_table *table, ks_tone tone, ks_str text);
/* For numbers and other short text: cut at 255 bytes. */
void ks_text_table_printf(ks_text_table *table, ks_tone tone, const char *format, ...) KS_PRINTF(3, 4);
/* Appends the table to `out`; on want of memory `out` is marked as failed. */
void ks_text_table_print(const ks_text_table *table, const ks_style *style, ks_buf *out);

#endif
