// SPDX-License-Identifier: Apache-2.0
#include "cli/picture.h"
#include "cli/table.h"
#include "cli/text.h"
#include <inttypes.h>
#include <stdlib.h>

/* Beyond so many domains they are shown by how many pods they have, not one by one. */
enum { DOMAINS_MAX = 10, GROUPS_MAX = 16 };
enum { BAR_MIN = 8, BAR_MAX = 36, BESIDE_BAR = 52, CELLS_PER_POD_MAX = 2, INDENT = 4 };

/* One constraint while it is drawn. */
typedef struct drawing {
    const ks_picture *picture;
    size_t index;
    ks_spread_constraint constraint;
    int64_t fewest, most; /* matching pods of a domain */
    size_t bar_max;
    ks_text_table table;
    ks_buf bar;
} drawing;

static ks_spread_domain domain_at(const drawing *d, size_t i)
{
    return ks_cycle_get_domain(d->picture->cycle, d->index, i);
}

/* ---- bars ---- */

static void put_glyphs(drawing *d, size_t count, const char *utf8, const char *ascii)
{
    for (size_t i = 0; i < count; i++)
        ks_buf_put_str(&d->bar, ks_str_of(d->picture->style->utf8 ? utf8 : ascii));
}

/* How many cells stand for `count` of at most `peak`: whole cells each if there is room, else in proportion
 * with at least one for what is there. */
static size_t cells(const drawing *d, int64_t count, int64_t peak)
{
    if (count <= 0 || peak <= 0)
        return 0;
    int64_t max = (int64_t)d->bar_max;
    if (peak <= max)
        return (size_t)(count * (max / peak < CELLS_PER_POD_MAX ? max / peak : CELLS_PER_POD_MAX));
    double share = (double)count / (double)peak * (double)max;
    return share < 1 ? 1 : (size_t)share;
}

/* Pods that are there, then the places that maxSkew leaves. */
static void put_bar(drawing *d, int64_t count, int64_t limit, int64_t peak, ks_tone tone)
{
    ks_buf_clear(&d->bar);
    size_t full = cells(d, count, peak);
    put_glyphs(d, full, "█", "#");
    if (limit > count && cells(d, limit, peak) > full)
        put_glyphs(d, cells(d, limit, peak) - full, "░", ".");
    ks_text_table_put(&d->table, tone, ks_buf_str(&d->bar));
    if (d->bar.failed)
        d->table.failed = true;
}

/* ---- what a constraint says of so many pods ---- */

static bool refuses(const ks_spread_constraint *c, int64_t matching)
{
    return c->hard && ks_spread_skew(matching, c->matches_self, c->minimum) > c->max_skew;
}

static ks_tone tone_next(const ks_spread_constraint *c, int64_t matching)
{
    if (!c->hard)
        return KS_TONE_PLAIN;
    return refuses(c, matching) ? KS_TONE_BAD : KS_TONE_GOOD;
}

static ks_tone tone_of(const drawing *d, int64_t matching)
{
    const ks_spread_constraint *c = &d->constraint;
    if (d->picture->kind == KS_PICTURE_NEXT)
        return tone_next(c, matching);
    return matching - d->fewest > c->max_skew ? KS_TONE_BAD : KS_TONE_GOOD;
}

static bool has_equation(const drawing *d)
{
    return d->constraint.hard && d->picture->kind == KS_PICTURE_NEXT;
}

static void put_equation(drawing *d, int64_t matching)
{
    const ks_spread_constraint *c = &d->constraint;
    if (!has_equation(d)) {
        ks_text_table_put(&d->table, KS_TONE_PLAIN, (ks_str){0});
        return;
    }
    ks_text_table_printf(&d->table, tone_of(d, matching),
                         "%" PRId64 " + %d - %" PRId64 " = %" PRId64 " %s %" PRId32, matching,
                         c->matches_self, c->minimum, ks_spread_skew(matching, c->matches_self, c->minimum),
                         refuses(c, matching) ? ">" : "<=", c->max_skew);
}

/* The most pods that a domain may have once the pod is there; 0 if the picture has no room for it. */
static int64_t limit_of(const drawing *d)
{
    int64_t limit = d->constraint.minimum + d->constraint.max_skew;
    return has_equation(d) && d->constraint.matches_self && limit <= (int64_t)d->bar_max ? limit : 0;
}

/* ---- domain by domain ---- */

/* Under the scheduler's own defaults nodes without the key make up a domain of their own. */
static void put_domain_name(drawing *d, ks_str value)
{
    ks_text_table_put(&d->table, KS_TONE_PLAIN, value.len > 0 ? value : KS_STR("<none>"));
}

static void put_domains(drawing *d)
{
    int64_t limit = limit_of(d), peak = d->most > limit ? d->most : limit;
    for (size_t i = 0; i < d->constraint.domains; i++) {
        ks_spread_domain domain = domain_at(d, i);
        put_domain_name(d, domain.value);
        put_bar(d, domain.matching, limit, peak, tone_of(d, domain.matching));
        ks_text_table_printf(&d->table, KS_TONE_PLAIN, "%" PRId64 " pod%s", domain.matching,
                             ks_plural((size_t)domain.matching));
        ks_text_table_printf(&d->table, KS_TONE_FAINT, "%zu node%s", domain.nodes, ks_plural(domain.nodes));
        put_equation(d, domain.matching);
    }
}

/* ---- by number of pods ---- */

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

static void put_group(drawing *d, int64_t matching, size_t domains, size_t peak)
{
    ks_text_table_printf(&d->table, KS_TONE_PLAIN, "%" PRId64 " pod%s", matching,
                         ks_plural((size_t)matching));
    put_bar(d, (int64_t)domains, 0, (int64_t)peak, tone_of(d, matching));
    ks_text_table_printf(&d->table, KS_TONE_PLAIN, "%zu domain%s", domains, ks_plural(domains));
    put_equation(d, matching);
}

static void put_groups(drawing *d, const int64_t *counts)
{
    size_t total = d->constraint.domains, peak = 0, groups = 0;
    for (size_t at = 0; at < total; at = run_end(counts, total, at)) {
        size_t domains = run_end(counts, total, at) - at;
        peak = domains > peak ? domains : peak;
    }
    size_t at = 0;
    for (; at < total && groups < GROUPS_MAX; groups++) {
        size_t end = run_end(counts, total, at);
        put_group(d, counts[at], end - at, peak);
        at = end;
    }
    if (at == total)
        return;
    ks_text_table_put(&d->table, KS_TONE_FAINT, KS_STR("more"));
    ks_text_table_put(&d->table, KS_TONE_FAINT, (ks_str){0});
    ks_text_table_printf(&d->table, KS_TONE_FAINT, "%zu domain%s", total - at, ks_plural(total - at));
    ks_text_table_put(&d->table, KS_TONE_FAINT, (ks_str){0});
}

static void put_histogram(drawing *d)
{
    size_t total = d->constraint.domains;
    ks_alloc *alloc = d->picture->alloc;
    int64_t *counts = ks_alloc_get(alloc, total * sizeof *counts);
    if (!counts) {
        d->table.failed = true;
        return;
    }
    for (size_t i = 0; i < total; i++)
        counts[i] = domain_at(d, i).matching;
    qsort(counts, total, sizeof *counts, by_number);
    put_groups(d, counts);
    ks_alloc_free(alloc, counts, total * sizeof *counts);
}

/* ---- around it ---- */

static void put_spaces(const drawing *d, ks_buf *out, size_t more)
{
    for (size_t i = 0; i < d->picture->indent + more; i++)
        ks_buf_put_char(out, ' ');
}

static void put_rule_next(const drawing *d, ks_buf *out)
{
    const ks_spread_constraint *c = &d->constraint;
    ks_buf_printf(out, "maxSkew %" PRId32, c->max_skew);
    if (c->hard)
        ks_buf_printf(out, ", minimum %" PRId64, c->minimum);
    if (c->min_domains > 1)
        ks_buf_printf(out, ", minDomains %" PRId32, c->min_domains);
}

static void put_rule_now(const drawing *d, ks_buf *out)
{
    int64_t skew = d->most - d->fewest;
    bool even = skew <= d->constraint.max_skew;
    ks_tone tone = even ? KS_TONE_GOOD : KS_TONE_BAD;
    ks_style_begin(d->picture->style, out, tone);
    ks_buf_printf(out, "skew %" PRId64 " %s maxSkew %" PRId32, skew, even ? "<=" : ">",
                  d->constraint.max_skew);
    ks_style_end(d->picture->style, out, tone);
}

static void put_selector(ks_str selector, ks_buf *out)
{
    if (!selector.data)
        ks_buf_put_str(out, KS_STR("   no pods: there is no labelSelector"));
    else if (selector.len == 0)
        ks_buf_put_str(out,
                       KS_STR("   no pods: the labelSelector is empty, which kube-scheduler counts as none"));
    else {
        ks_buf_put_str(out, KS_STR("   pods with "));
        ks_text_put(out, selector);
    }
}

/* Why the pod is not in the sum, which is seldom meant so. */
static void put_self_note(const drawing *d, ks_buf *out)
{
    const ks_spread_constraint *c = &d->constraint;
    if (c->matches_self || c->selector.len == 0 || d->picture->kind != KS_PICTURE_NEXT)
        return;
    put_spaces(d, out, INDENT);
    ks_buf_put_str(out, KS_STR("this pod does not match its own selector, so it adds nothing\n"));
}

static void put_heading(const drawing *d, ks_buf *out)
{
    const ks_spread_constraint *c = &d->constraint;
    const ks_style *style = d->picture->style;
    put_spaces(d, out, 0);
    ks_style_begin(style, out, KS_TONE_HEADING);
    ks_buf_printf(out, "[%zu] ", d->index + 1);
    ks_text_put(out, c->topology_key);
    ks_style_end(style, out, KS_TONE_HEADING);
    ks_buf_printf(out, "   %s   ", c->hard ? "DoNotSchedule" : "ScheduleAnyway");
    if (d->picture->kind == KS_PICTURE_NEXT)
        put_rule_next(d, out);
    else
        put_rule_now(d, out);
    if (!d->picture->no_selector)
        put_selector(c->selector, out);
    ks_buf_put_char(out, '\n');
}

static void put_excluded(ks_buf *out, size_t count, const char *why, bool *first)
{
    if (count == 0)
        return;
    ks_buf_printf(out, "%s%zu node%s %s", *first ? "not counted: " : ", ", count, ks_plural(count), why);
    *first = false;
}

static void put_exclusions(const drawing *d, ks_buf *out)
{
    size_t counts[] = {
        [KS_COUNTED] = 0, [KS_EXCLUDED_KEY] = 0, [KS_EXCLUDED_AFFINITY] = 0, [KS_EXCLUDED_TAINT] = 0};
    size_t nodes = ks_cycle_get_summary(d->picture->cycle).nodes;
    for (size_t i = 0; i < nodes; i++)
        counts[ks_cycle_get_numbers(d->picture->cycle, i, d->index).exclusion]++;
    if (counts[KS_COUNTED] == nodes)
        return;
    bool first = true;
    put_spaces(d, out, INDENT);
    ks_style_begin(d->picture->style, out, KS_TONE_FAINT);
    put_excluded(out, counts[KS_EXCLUDED_KEY], "without a topology key", &first);
    put_excluded(out, counts[KS_EXCLUDED_AFFINITY], "outside the pod's node affinity", &first);
    put_excluded(out, counts[KS_EXCLUDED_TAINT], "with a taint not tolerated", &first);
    ks_style_end(d->picture->style, out, KS_TONE_FAINT);
    ks_buf_put_char(out, '\n');
}

/* ---- all of it ---- */

static void measure(drawing *d)
{
    size_t columns = d->picture->style->columns, beside = BESIDE_BAR + d->picture->indent + INDENT;
    size_t room = columns > beside ? columns - beside : 0;
    d->bar_max = room < BAR_MIN ? BAR_MIN : room > BAR_MAX ? BAR_MAX : room;
    for (size_t i = 0; i < d->constraint.domains; i++) {
        int64_t matching = domain_at(d, i).matching;
        d->fewest = i == 0 || matching < d->fewest ? matching : d->fewest;
        d->most = matching > d->most ? matching : d->most;
    }
}

void ks_picture_print(const ks_picture *picture, size_t constraint, ks_buf *out)
{
    drawing d = {.picture = picture, .index = constraint};
    d.constraint = ks_cycle_get_constraint(picture->cycle, constraint);
    measure(&d);
    ks_buf_init(&d.bar, picture->alloc);
    bool many = d.constraint.domains > DOMAINS_MAX;
    ks_text_table_init(&d.table, picture->alloc, many ? 4 : 5);
    d.table.indent = picture->indent + INDENT;
    put_heading(&d, out);
    if (d.constraint.domains == 0) {
        put_spaces(&d, out, INDENT);
        ks_buf_put_str(out, KS_STR("no domains: no node takes part\n"));
    }
    if (many)
        put_histogram(&d);
    else
        put_domains(&d);
    ks_text_table_print(&d.table, picture->style, out);
    put_self_note(&d, out);
    put_exclusions(&d, out);
    ks_text_table_free(&d.table);
    ks_buf_free(&d.bar);
}

void ks_picture_print_legend(const ks_picture *picture, ks_buf *out)
{
    drawing d = {.picture = picture};
    put_spaces(&d, out, INDENT);
    ks_style_begin(picture->style, out, KS_TONE_FAINT);
    ks_buf_put_str(out, KS_STR("(pods there + this one - minimum = skew, at most maxSkew)"));
    ks_style_end(picture->style, out, KS_TONE_FAINT);
    ks_buf_put_char(out, '\n');
}

static bool is_refused_by_spread(const ks_cycle *cycle)
{
    size_t nodes = ks_cycle_get_summary(cycle).nodes;
    for (size_t i = 0; i < nodes; i++)
        if (ks_str_eq(ks_cycle_get_node(cycle, i).plugin, KS_STR("PodTopologySpread")))
            return true;
    return false;
}

void ks_picture_print_refusing(const ks_picture *picture, ks_buf *out)
{
    if (!is_refused_by_spread(picture->cycle))
        return;
    size_t constraints = ks_cycle_get_summary(picture->cycle).constraints;
    for (size_t i = 0; i < constraints && ks_cycle_get_constraint(picture->cycle, i).hard; i++)
        ks_picture_print(picture, i, out);
    ks_picture_print_legend(picture, out);
}
