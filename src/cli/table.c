// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"
#include "cli/text.h"
#include <assert.h>
#include <stdio.h>

enum { GAP = 3 };

void ks_text_table_init(ks_text_table *table, ks_alloc *alloc, size_t columns)
{
    *table = (ks_text_table){.alloc = alloc, .columns = columns};
    ks_buf_init(&table->text, alloc);
}

void ks_text_table_free(ks_text_table *table)
{
    ks_vec_free(&table->cells, table->alloc);
    ks_buf_free(&table->text);
}

void ks_text_table_put(ks_text_table *table, ks_tone tone, ks_str text)
{
    ks_text_cell cell = {.begin = table->text.len, .tone = tone};
    cell.width = ks_text_put(&table->text, text);
    cell.len = table->text.len - cell.begin;
    if (!ks_vec_push(&table->cells, table->alloc, cell))
        table->failed = true;
}

void ks_text_table_printf(ks_text_table *table, ks_tone tone, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ks_text_table_put(table, tone, ks_str_of(text));
}

static void measure(const ks_text_table *table, size_t *widths)
{
    for (size_t i = 0; i < table->cells.count; i++) {
        size_t *width = &widths[i % table->columns];
        if (table->cells.items[i].width > *width)
            *width = table->cells.items[i].width;
    }
}

static void put_spaces(ks_buf *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ks_buf_put_char(out, ' ');
}

/* Trailing blanks are left away: they wrap on narrow terminals. */
static void put_row(const ks_text_table *table, const ks_style *style, ks_buf *out, size_t row,
                    const size_t *widths)
{
    const ks_text_cell *cells = &table->cells.items[row * table->columns];
    size_t pending = table->indent;
    for (size_t c = 0; c < table->columns; c++) {
        if (cells[c].len > 0) {
            put_spaces(out, pending);
            pending = 0;
            ks_style_begin(style, out, cells[c].tone);
            ks_buf_put(out, table->text.data + cells[c].begin, cells[c].len);
            ks_style_end(style, out, cells[c].tone);
        }
        pending += widths[c] - cells[c].width + GAP;
    }
    ks_buf_put_char(out, '\n');
}

void ks_text_table_print(const ks_text_table *table, const ks_style *style, ks_buf *out)
{
    size_t *widths = ks_alloc_get_zeroed(table->alloc, table->columns * sizeof *widths);
    if (!widths || table->failed || table->text.failed) {
        out->failed = true;
    } else {
        assert(table->cells.count % table->columns == 0);
        measure(table, widths);
        for (size_t row = 0; row < table->cells.count / table->columns; row++)
            put_row(table, style, out, row, widths);
    }
    ks_alloc_free(table->alloc, widths, table->columns * sizeof *widths);
}
