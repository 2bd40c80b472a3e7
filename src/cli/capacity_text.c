// SPDX-License-Identifier: Apache-2.0
#include "cli/capacity.h"
#include "cli/picture.h"
#include "cli/table.h"
#include "cli/text.h"

enum { BAR_MAX = 40, DOMAINS_MAX = 10, INDENT = 4 };

static void put_count(const ks_capacity_report *r, ks_buf *out)
{
    size_t copies = r->summary.copies;
    if (copies == 0)
        ks_buf_printf(out, "no copy fits on any of %zu node%s", r->summary.nodes,
                      ks_plural(r->summary.nodes));
    else
        ks_buf_printf(out, "%zu more %s, on %zu of %zu node%s", copies,
                      copies == 1 ? "copy fits" : "copies fit", r->used, r->summary.nodes,
                      ks_plural(r->summary.nodes));
}

static void put_headline(const ks_capacity_report *r, const ks_style *style, ks_buf *out)
{
    ks_tone tone = r->summary.copies > 0 ? KS_TONE_BEST : KS_TONE_WORSE;
    ks_style_begin(style, out, KS_TONE_HEADING);
    ks_buf_printf(out, "%s/", ks_resource_type(r->template_.kind));
    ks_text_put(out, r->template_.name);
    ks_style_end(style, out, KS_TONE_HEADING);
    ks_buf_put_str(out, KS_STR(" in namespace "));
    ks_text_put(out, r->namespace_);
    ks_buf_put_str(out, KS_STR(": "));
    ks_style_begin(style, out, tone);
    put_count(r, out);
    ks_style_end(style, out, tone);
    if (r->summary.limited)
        ks_buf_put_str(out, KS_STR("; stopped at --limit"));
    ks_buf_put_char(out, '\n');
}

/* Cells for `copies` of at most `peak`: at least one for what is there. */
static void put_bar(ks_text_table *table, const ks_style *style, ks_alloc *alloc, size_t copies, size_t peak)
{
    size_t max = peak < BAR_MAX ? peak : BAR_MAX, cells = peak > 0 ? copies * max / peak : 0;
    ks_buf bar;
    ks_buf_init(&bar, alloc);
    cells = copies > 0 && cells == 0 ? 1 : cells;
    for (size_t i = 0; i < cells; i++)
        ks_buf_put_str(&bar, style->utf8 ? KS_STR("█") : KS_STR("#"));
    table->failed = table->failed || bar.failed;
    ks_text_table_put(table, KS_TONE_GOOD, ks_buf_str(&bar));
    ks_buf_free(&bar);
}

static void put_nodes(const ks_capacity_report *r, const ks_capacity_view *view, ks_buf *out)
{
    size_t peak = 0;
    for (size_t i = 0; i < r->summary.nodes; i++) {
        size_t copies = ks_capacity_get_node(r->capacity, i).copies;
        peak = copies > peak ? copies : peak;
    }
    ks_text_table table;
    ks_text_table_init(&table, r->alloc, view->no_headers ? 2 : 3);
    if (!view->no_headers) {
        ks_text_table_put(&table, KS_TONE_HEADING, KS_STR("NODE"));
        ks_text_table_put(&table, KS_TONE_HEADING, KS_STR("COPIES"));
        ks_text_table_put(&table, KS_TONE_HEADING, (ks_str){0});
    }
    for (size_t i = 0; i < r->summary.nodes; i++) {
        ks_capacity_node node = ks_capacity_get_node(r->capacity, i);
        if (node.copies == 0)
            continue;
        ks_text_table_put(&table, KS_TONE_PLAIN, node.name);
        ks_text_table_printf(&table, KS_TONE_PLAIN, "%zu", node.copies);
        if (!view->no_headers)
            put_bar(&table, &view->style, r->alloc, node.copies, peak);
    }
    ks_text_table_print(&table, &view->style, out);
    ks_text_table_free(&table);
}

/* The end of the run of domains with the key of the one at `from`. */
static size_t key_end(const ks_capacity_report *r, size_t from)
{
    size_t end = from;
    while (end < r->domains.count && ks_str_eq(r->domains.items[end].key, r->domains.items[from].key))
        end++;
    return end;
}

static void put_domains(const ks_capacity_report *r, const ks_style *style, ks_buf *out, size_t from,
                        size_t end)
{
    size_t peak = 0;
    ks_text_table table;
    ks_text_table_init(&table, r->alloc, 4);
    table.indent = INDENT;
    for (size_t i = from; i < end; i++)
        peak = r->domains.items[i].copies > peak ? r->domains.items[i].copies : peak;
    for (size_t i = from; i < end; i++) {
        const ks_capacity_domain *domain = &r->domains.items[i];
        ks_text_table_put(&table, KS_TONE_PLAIN, domain->value);
        put_bar(&table, style, r->alloc, domain->copies, peak);
        ks_text_table_printf(&table, KS_TONE_PLAIN, "%zu cop%s", domain->copies,
                             domain->copies == 1 ? "y" : "ies");
        ks_text_table_printf(&table, KS_TONE_FAINT, "%zu node%s", domain->nodes, ks_plural(domain->nodes));
    }
    ks_buf_put_char(out, '\n');
    ks_style_begin(style, out, KS_TONE_HEADING);
    ks_text_put(out, r->domains.items[from].key);
    ks_style_end(style, out, KS_TONE_HEADING);
    ks_buf_put_char(out, '\n');
    ks_text_table_print(&table, style, out);
    ks_text_table_free(&table);
}

/* The sentence, and the hard constraints where they refuse nodes. */
static void put_stop(const ks_capacity_report *r, const ks_style *style, ks_buf *out)
{
    if (r->message.len == 0)
        return;
    ks_buf_put_char(out, '\n');
    ks_style_begin(style, out, KS_TONE_HEADING);
    ks_buf_put_str(out, KS_STR("What stops the next one:"));
    ks_style_end(style, out, KS_TONE_HEADING);
    ks_buf_put_char(out, '\n');
    ks_style_put_paragraph(style, out, KS_TONE_BAD, INDENT, ks_buf_str(&r->message));
    const ks_picture picture = {
        .alloc = r->alloc, .style = style, .cycle = r->cycle, .kind = KS_PICTURE_NEXT, .indent = INDENT};
    ks_picture_print_refusing(&picture, out);
}

void ks_capacity_report_print(const ks_capacity_report *r, const ks_capacity_view *view, ks_buf *out)
{
    if (view->no_headers) {
        put_nodes(r, view, out);
        return;
    }
    put_headline(r, &view->style, out);
    if (r->summary.copies > 0) {
        ks_buf_put_char(out, '\n');
        put_nodes(r, view, out);
        for (size_t i = 0, end; i < r->domains.count; i = end) {
            end = key_end(r, i);
            if (end - i <= DOMAINS_MAX)
                put_domains(r, &view->style, out, i, end);
        }
    }
    put_stop(r, &view->style, out);
}
