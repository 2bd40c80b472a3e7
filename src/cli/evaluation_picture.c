// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation.h"
#include "cli/table.h"
#include "cli/text.h"
#include <inttypes.h>
#include <stdlib.h>

/* Beyond so many domains they are shown by how many pods they have, not one by one. */
enum { DOMAINS_MAX = 10, GROUPS_MAX = 16 };
enum { BAR_MIN = 8, BAR_MAX = 36, BESIDE_BAR = 56, CELLS_PER_POD_MAX = 2 };

typedef struct picture {
    const ks_evaluation *evaluation;
    const ks_style *style;
    size_t index;
    ks_spread_constraint constraint;
    size_t bar_max;
    ks_text_table table;
    ks_buf bar;
} picture;

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void put_glyphs(picture *p, size_t count, const char *utf8, const char *ascii)
{
    for (size_t i = 0; i < count; i++)
        ks_buf_put_str(&p->bar, ks_str_of(p->style->utf8 ? utf8 : ascii));
}

/* How many cells stand for `count` of at most `peak`: whole cells each if there is room, else in proportion
 * with at least one for what is there. */
static size_t cells(const picture *p, int64_t count, int64_t peak)
{
    if (count <= 0 || peak <= 0)
        return 0;
    int64_t max = (int64_t)p->bar_max;
    if (peak <= max)
        return (size_t)(count * (max / peak < CELLS_PER_POD_MAX ? max / peak : CELLS_PER_POD_MAX));
    double share = (double)count / (double)peak * (double)max;
    return share < 1 ? 1 : (size_t)share;
}

/* Pods that are there, then the places that maxSkew leaves. */
static void put_bar(picture *p, int64_t count, int64_t limit, int64_t peak, ks_tone tone)
{
    ks_buf_clear(&p->bar);
    size_t full = cells(p, count, peak);
    put_glyphs(p, full, "█", "#");
    if (limit > count && cells(p, limit, peak) > full)
        put_glyphs(p, cells(p, limit, peak) - full, "░", ".");
    ks_text_table_put(&p->table, tone, ks_buf_str(&p->bar));
    if (p->bar.failed)
        p->table.failed = true;
}

static bool refuses(const ks_spread_constraint *c, int64_t matching)
{
    return c->hard && ks_spread_skew(matching, c->matches_self, c->minimum) > c->max_skew;
}

static ks_tone tone_of(const ks_spread_constraint *c, int64_t matching)
{
    if (!c->hard)
        return KS_TONE_PLAIN;
    return refuses(c, matching) ? KS_TONE_BAD : KS_TONE_GOOD;
}

static void put_equation(picture *p, int64_t matching)
{
    const ks_spread_constraint *c = &p->constraint;
    if (!c->hard) {
        ks_text_table_put(&p->table, KS_TONE_PLAIN, (ks_str){0});
        return;
    }
    ks_text_table_printf(&p->table, tone_of(c, matching),
                         "%" PRId64 " + %d - %" PRId64 " = %" PRId64 " %s %" PRId32, matching,
                         c->matches_self, c->minimum, ks_spread_skew(matching, c->matches_self, c->minimum),
                         refuses(c, matching) ? ">" : "<=", c->max_skew);
}

/* The most pods that a domain may have once the pod is there; 0 if the picture has no room for it. */
static int64_t limit_of(const picture *p)
{
    int64_t limit = p->constraint.minimum + p->constraint.max_skew;
    return p->constraint.hard && p->constraint.matches_self && limit <= (int64_t)p->bar_max ? limit : 0;
}

/* Under the scheduler's own defaults nodes without the key make up a domain of their own. */
static void put_domain_name(picture *p, ks_str value)
{
    ks_text_table_put(&p->table, KS_TONE_PLAIN, value.len > 0 ? value : KS_STR("<none>"));
}

static void put_domains(picture *p)
{
    int64_t limit = limit_of(p), peak = limit;
    for (size_t i = 0; i < p->constraint.domains; i++) {
        ks_spread_domain domain = ks_cycle_get_domain(p->evaluation->cycle, p->index, i);
        peak = domain.matching > peak ? domain.matching : peak;
    }
    for (size_t i = 0; i < p->constraint.domains; i++) {
        ks_spread_domain domain = ks_cycle_get_domain(p->evaluation->cycle, p->index, i);
        put_domain_name(p, domain.value);
        put_bar(p, domain.matching, limit, peak, tone_of(&p->constraint, domain.matching));
        ks_text_table_printf(&p->table, KS_TONE_PLAIN, "%" PRId64 " pod%s", domain.matching,
                             plural((size_t)domain.matching));
        ks_text_table_printf(&p->table, KS_TONE_FAINT, "%zu node%s", domain.nodes, plural(domain.nodes));
        put_equation(p, domain.matching);
    }
}

static int by_number(const void *a_, const void *b_)
{
    int64_t a = *(const int64_t *)a_, b = *(const int64_t *)b_;
    return (a > b) - (a < b);
}

/* The end of the run of equal numbers that begins at `from`. */
static size_t run_end(const int64_t *counts, size_t total, size_t from)
{
    size_t end = from;
    while (end < total && counts[end] == counts[from])
        end++;
    return end;
}

static void put_group(picture *p, int64_t matching, size_t domains, size_t peak)
{
    ks_text_table_printf(&p->table, KS_TONE_PLAIN, "%" PRId64 " pod%s", matching, plural((size_t)matching));
    put_bar(p, (int64_t)domains, 0, (int64_t)peak, tone_of(&p->constraint, matching));
    ks_text_table_printf(&p->table, KS_TONE_PLAIN, "%zu domain%s", domains, plural(domains));
    put_equation(p, matching);
}

static void put_groups(picture *p, const int64_t *counts)
{
    size_t total = p->constraint.domains, peak = 0, groups = 0;
    for (size_t at = 0; at < total; at = run_end(counts, total, at)) {
        size_t domains = run_end(counts, total, at) - at;
        peak = domains > peak ? domains : peak;
    }
    size_t at = 0;
    for (; at < total && groups < GROUPS_MAX; groups++) {
        size_t end = run_end(counts, total, at);
        put_group(p, counts[at], end - at, peak);
        at = end;
    }
    if (at == total)
        return;
    ks_text_table_put(&p->table, KS_TONE_FAINT, KS_STR("more"));
    ks_text_table_put(&p->table, KS_TONE_FAINT, (ks_str){0});
    ks_text_table_printf(&p->table, KS_TONE_FAINT, "%zu domain%s", total - at, plural(total - at));
    ks_text_table_put(&p->table, KS_TONE_FAINT, (ks_str){0});
}

static void put_histogram(picture *p)
{
    size_t total = p->constraint.domains;
    ks_alloc *alloc = p->evaluation->alloc;
    int64_t *counts = ks_alloc_get(alloc, total * sizeof *counts);
    if (!counts) {
        p->table.failed = true;
        return;
    }
    for (size_t i = 0; i < total; i++)
        counts[i] = ks_cycle_get_domain(p->evaluation->cycle, p->index, i).matching;
    qsort(counts, total, sizeof *counts, by_number);
    put_groups(p, counts);
    ks_alloc_free(alloc, counts, total * sizeof *counts);
}

static void put_heading(const picture *p, ks_buf *out)
{
    const ks_spread_constraint *c = &p->constraint;
    ks_buf_put_char(out, '\n');
    ks_style_begin(p->style, out, KS_TONE_HEADING);
    ks_buf_printf(out, "[%zu] ", p->index + 1);
    ks_text_put(out, c->topology_key);
    ks_style_end(p->style, out, KS_TONE_HEADING);
    ks_buf_printf(out, "   %s   maxSkew %" PRId32, c->hard ? "DoNotSchedule" : "ScheduleAnyway", c->max_skew);
    if (c->hard)
        ks_buf_printf(out, ", minimum %" PRId64, c->minimum);
    if (c->min_domains > 1)
        ks_buf_printf(out, ", minDomains %" PRId32, c->min_domains);
    ks_buf_put_str(out, KS_STR("   pods with "));
    ks_text_put(out, c->selector);
    ks_buf_put_char(out, '\n');
}

static void put_excluded(ks_buf *out, size_t count, const char *why, bool *first)
{
    if (count == 0)
        return;
    ks_buf_printf(out, "%s%zu node%s %s", *first ? "    not counted: " : ", ", count, plural(count), why);
    *first = false;
}

static void put_exclusions(const picture *p, ks_buf *out)
{
    size_t counts[] = {
        [KS_COUNTED] = 0, [KS_EXCLUDED_KEY] = 0, [KS_EXCLUDED_AFFINITY] = 0, [KS_EXCLUDED_TAINT] = 0};
    for (size_t i = 0; i < p->evaluation->summary.nodes; i++)
        counts[ks_cycle_get_numbers(p->evaluation->cycle, i, p->index).exclusion]++;
    bool first = true;
    ks_style_begin(p->style, out, KS_TONE_FAINT);
    put_excluded(out, counts[KS_EXCLUDED_KEY], "without a topology key", &first);
    put_excluded(out, counts[KS_EXCLUDED_AFFINITY], "outside the pod's node affinity", &first);
    put_excluded(out, counts[KS_EXCLUDED_TAINT], "with a taint not tolerated", &first);
    ks_style_end(p->style, out, KS_TONE_FAINT);
    if (!first)
        ks_buf_put_char(out, '\n');
}

static void print_constraint(const ks_evaluation *e, const ks_style *style, ks_buf *out, size_t index)
{
    picture p = {.evaluation = e, .style = style, .index = index};
    p.constraint = ks_cycle_get_constraint(e->cycle, index);
    size_t room = style->columns > BESIDE_BAR ? style->columns - BESIDE_BAR : 0;
    p.bar_max = room < BAR_MIN ? BAR_MIN : room > BAR_MAX ? BAR_MAX : room;
    ks_buf_init(&p.bar, e->alloc);
    bool many = p.constraint.domains > DOMAINS_MAX;
    ks_text_table_init(&p.table, e->alloc, many ? 4 : 5);
    p.table.indent = 4;
    put_heading(&p, out);
    if (p.constraint.domains == 0)
        ks_buf_put_str(out, KS_STR("    no domains: no node takes part\n"));
    if (many)
        put_histogram(&p);
    else
        put_domains(&p);
    ks_text_table_print(&p.table, style, out);
    put_exclusions(&p, out);
    ks_text_table_free(&p.table);
    ks_buf_free(&p.bar);
}

static void put_legend(const ks_style *style, ks_buf *out)
{
    ks_style_begin(style, out, KS_TONE_FAINT);
    ks_buf_put_str(out, KS_STR("    (pods there + this one - minimum = skew, at most maxSkew)"));
    ks_style_end(style, out, KS_TONE_FAINT);
    ks_buf_put_char(out, '\n');
}

void ks_evaluation_print_picture(const ks_evaluation *e, const ks_style *style, ks_buf *out)
{
    for (size_t i = 0; i < e->summary.constraints; i++) {
        print_constraint(e, style, out, i);
        /* Hard constraints come first; what their numbers mean is said once. */
        if (i == 0 && ks_cycle_get_constraint(e->cycle, i).hard)
            put_legend(style, out);
    }
}
