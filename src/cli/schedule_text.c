// SPDX-License-Identifier: Apache-2.0
#include "cli/picture.h"
#include "cli/resource.h"
#include "cli/schedule.h"
#include "cli/table.h"
#include "cli/text.h"
#include "engine/engine.h"
#include <inttypes.h>

/* More workloads than this are shown only where there is something to see. */
enum { WORKLOADS_MAX = 12, INDENT = 4 };

typedef struct printer {
    const ks_schedule *schedule;
    const ks_schedule_view *view;
    ks_buf *out;
    ks_error *err;
} printer;

static void put_toned(const printer *p, ks_tone tone, const char *text)
{
    ks_style_begin(&p->view->style, p->out, tone);
    ks_buf_put_str(p->out, ks_str_of(text));
    ks_style_end(&p->view->style, p->out, tone);
}

/* ---- placements ---- */

static ks_str zone_of(const ks_schedule *schedule, ks_str node)
{
    const ks_node_row *row = ks_node_find(ks_sim_cluster(schedule->sim), node);
    ks_str zone =
        row ? ks_labels_get(&row->node.metadata.labels, KS_STR("topology.kubernetes.io/zone")) : (ks_str){0};
    return zone.len > 0 ? zone : KS_STR("<none>");
}

static void put_headings(ks_text_table *table, bool all_namespaces, bool wide)
{
    static const char *const headings[] = {"NAMESPACE", "POD",      "NODE",    "ZONE",
                                           "SCORE",     "FEASIBLE", "WORKLOAD"};
    for (size_t i = all_namespaces ? 0 : 1; i < (wide ? 7 : 5); i++)
        ks_text_table_put(table, KS_TONE_HEADING, ks_str_of(headings[i]));
}

static void put_workload_cell(ks_text_table *table, const ks_schedule *schedule, size_t workload)
{
    ks_sim_workload w = ks_sim_get_workload(schedule->sim, workload);
    ks_buf text;
    ks_buf_init(&text, schedule->alloc);
    ks_buf_printf(&text, "%s/%.*s", ks_resource_type(w.kind), KS_STR_ARG(w.name));
    table->failed = table->failed || text.failed;
    ks_text_table_put(table, KS_TONE_PLAIN, w.kind == KS_POD ? KS_STR("<none>") : ks_buf_str(&text));
    ks_buf_free(&text);
}

static void put_placement(ks_text_table *table, const printer *p, const ks_sim_placement *placement)
{
    if (!p->schedule->namespace_.data)
        ks_text_table_put(table, KS_TONE_PLAIN, placement->namespace_);
    ks_text_table_put(table, KS_TONE_PLAIN, placement->name);
    ks_text_table_put(table, KS_TONE_GOOD, placement->node);
    ks_text_table_put(table, KS_TONE_PLAIN, zone_of(p->schedule, placement->node));
    ks_text_table_printf(table, KS_TONE_PLAIN, "%" PRId64, placement->score);
    if (!p->view->wide)
        return;
    ks_text_table_printf(table, KS_TONE_PLAIN, "%zu/%zu", placement->feasible, p->schedule->summary.nodes);
    put_workload_cell(table, p->schedule, placement->workload);
}

static void put_placements(const printer *p)
{
    bool all_namespaces = !p->schedule->namespace_.data;
    ks_text_table table;
    ks_text_table_init(&table, p->schedule->alloc, (p->view->wide ? 6 : 4) + all_namespaces);
    if (!p->view->no_headers)
        put_headings(&table, all_namespaces, p->view->wide);
    for (size_t i = 0; i < p->schedule->summary.placements; i++) {
        ks_sim_placement placement = ks_sim_get_placement(p->schedule->sim, i);
        if (!placement.evicted)
            put_placement(&table, p, &placement);
    }
    ks_text_table_print(&table, &p->view->style, p->out);
    ks_text_table_free(&table);
}

/* ---- evictions ---- */

static void put_evictions(const printer *p)
{
    size_t count = p->schedule->summary.evictions;
    if (count == 0)
        return;
    ks_text_table table;
    ks_text_table_init(&table, p->schedule->alloc, 3);
    ks_text_table_put(&table, KS_TONE_HEADING, KS_STR("EVICTED"));
    ks_text_table_put(&table, KS_TONE_HEADING, KS_STR("NODE"));
    ks_text_table_put(&table, KS_TONE_HEADING, KS_STR("FOR"));
    for (size_t i = 0; i < count; i++) {
        ks_sim_eviction eviction = ks_sim_get_eviction(p->schedule->sim, i);
        ks_text_table_put(&table, KS_TONE_BAD, eviction.name);
        ks_text_table_put(&table, KS_TONE_PLAIN, eviction.node);
        ks_text_table_put(&table, KS_TONE_PLAIN, eviction.for_name);
    }
    ks_buf_put_char(p->out, '\n');
    ks_text_table_print(&table, &p->view->style, p->out);
    ks_text_table_free(&table);
}

/* ---- workloads ---- */

static void put_workload_heading(const printer *p, const ks_sim_workload *workload)
{
    size_t have = workload->alive - workload->unplaced;
    bool whole = have >= workload->wanted;
    ks_buf_put_char(p->out, '\n');
    ks_style_begin(&p->view->style, p->out, KS_TONE_HEADING);
    ks_buf_printf(p->out, "%s/", ks_resource_type(workload->kind));
    ks_text_put(p->out, workload->name);
    ks_schedule_put_namespace(p->schedule, workload->namespace_, p->out);
    ks_style_end(&p->view->style, p->out, KS_TONE_HEADING);
    ks_buf_put_str(p->out, KS_STR("   "));
    ks_style_begin(&p->view->style, p->out, whole ? KS_TONE_GOOD : KS_TONE_WORSE);
    ks_buf_printf(p->out, "%zu of %zu pod%s placed", have, workload->wanted, ks_plural(workload->wanted));
    ks_style_end(&p->view->style, p->out, whole ? KS_TONE_GOOD : KS_TONE_WORSE);
}

static void put_pictures(const printer *p, const ks_cycle *cycle)
{
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    if (summary.constraints == 0)
        put_toned(p, KS_TONE_FAINT, "   no spread constraints");
    else if (summary.defaulted)
        put_toned(p, KS_TONE_FAINT, "   by the scheduler's default constraints");
    ks_buf_put_char(p->out, '\n');
    ks_picture picture = {.alloc = p->schedule->alloc,
                          .style = &p->view->style,
                          .cycle = cycle,
                          .kind = KS_PICTURE_NOW,
                          .indent = INDENT,
                          .no_selector = !p->view->wide};
    for (size_t i = 0; i < summary.constraints; i++)
        ks_picture_print(&picture, i, p->out);
}

static bool is_touched(const ks_sim_workload *workload)
{
    return workload->made > 0 || workload->placed > 0 || workload->unplaced > 0;
}

static bool is_uneven(const ks_cycle *cycle)
{
    size_t constraints = ks_cycle_get_summary(cycle).constraints;
    for (size_t i = 0; i < constraints; i++)
        if (ks_cycle_get_skew(cycle, i) > ks_cycle_get_constraint(cycle, i).max_skew)
            return true;
    return false;
}

static size_t count_touched(const ks_schedule *schedule)
{
    size_t count = 0;
    for (size_t i = 0; i < schedule->summary.workloads; i++) {
        ks_sim_workload workload = ks_sim_get_workload(schedule->sim, i);
        count += is_touched(&workload);
    }
    return count;
}

/* Counts it as hidden instead if there are many and it is as it should be. Of pods that stand alone and have
 * no constraints there is no picture. */
static int put_workload(const printer *p, size_t i, bool many, size_t *hidden)
{
    ks_sim_workload workload = ks_sim_get_workload(p->schedule->sim, i);
    if (!p->view->wide && !is_touched(&workload))
        return KS_OK;
    const ks_cycle *cycle;
    int code = ks_sim_look(&cycle, p->schedule->sim, i, p->err);
    if (code != KS_OK)
        return code;
    bool alone = workload.kind == KS_POD && ks_cycle_get_summary(cycle).constraints == 0;
    if (alone && !p->view->wide)
        return KS_OK;
    if (many && workload.unplaced == 0 && !is_uneven(cycle)) {
        ++*hidden;
        return KS_OK;
    }
    put_workload_heading(p, &workload);
    put_pictures(p, cycle);
    return KS_OK;
}

static int put_workloads(const printer *p)
{
    bool many = !p->view->wide && count_touched(p->schedule) > WORKLOADS_MAX;
    size_t hidden = 0;
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < p->schedule->summary.workloads; i++)
        code = put_workload(p, i, many, &hidden);
    if (hidden > 0)
        ks_buf_printf(p->out,
                      "\n%zu workloads%s are placed as a whole and within maxSkew (-o wide shows them)\n",
                      hidden, hidden < p->schedule->summary.workloads ? " more" : "");
    return code;
}

/* ---- in the end ---- */

static void put_timing(const printer *p)
{
    double taken_s = p->schedule->taken_s;
    if (!p->view->timing)
        return;
    ks_style_begin(&p->view->style, p->out, KS_TONE_FAINT);
    ks_buf_printf(p->out, " in %.1f ms", taken_s * 1e3);
    if (taken_s > 0)
        ks_buf_printf(p->out, " (%.0f pods/s)", (double)p->schedule->summary.placements / taken_s);
    ks_style_end(&p->view->style, p->out, KS_TONE_FAINT);
}

static void put_nothing(const printer *p)
{
    const ks_schedule *s = p->schedule;
    ks_buf_put_str(p->out, KS_STR("Nothing to schedule"));
    if (s->namespace_.data) {
        ks_buf_put_str(p->out, KS_STR(" in namespace "));
        ks_text_put(p->out, s->namespace_);
    }
    ks_buf_put_str(p->out, KS_STR(": no pod is pending and no replica missing.\n"));
    if (s->elsewhere)
        ks_buf_put_str(p->out, KS_STR("There are pods or workloads in other namespaces: -A takes all.\n"));
}

static void put_summary(const printer *p)
{
    const ks_sim_summary *s = &p->schedule->summary;
    ks_tone tone = s->unplaced > 0 ? KS_TONE_WORSE : KS_TONE_BEST;
    ks_buf_put_char(p->out, '\n');
    ks_style_begin(&p->view->style, p->out, tone);
    ks_buf_printf(p->out, "%zu of %zu pod%s placed", s->placed, s->placed + s->unplaced,
                  ks_plural(s->placed + s->unplaced));
    ks_style_end(&p->view->style, p->out, tone);
    ks_buf_printf(p->out, " on %zu node%s", s->nodes, ks_plural(s->nodes));
    if (s->unplaced > 0)
        ks_buf_printf(p->out, ", %zu without a place", s->unplaced);
    if (s->evictions > 0)
        ks_buf_printf(p->out, ", %zu evicted", s->evictions);
    put_timing(p);
    ks_buf_put_char(p->out, '\n');
}

int ks_schedule_print(const ks_schedule *schedule, const ks_schedule_view *view, ks_buf *out, ks_error *err)
{
    const printer p = {.schedule = schedule, .view = view, .out = out, .err = err};
    bool nothing = schedule->summary.placements + schedule->summary.unplaced == 0;
    if (view->no_headers || !nothing)
        put_placements(&p);
    if (view->no_headers)
        return KS_OK;
    if (nothing) {
        put_nothing(&p);
        return KS_OK;
    }
    int code = put_workloads(&p);
    put_evictions(&p);
    if (code == KS_OK)
        code = ks_schedule_print_stranded(schedule, &view->style, out, err);
    put_summary(&p);
    return code;
}

void ks_schedule_print_names(const ks_schedule *schedule, ks_buf *out)
{
    for (size_t i = 0; i < schedule->summary.placements; i++) {
        ks_sim_placement placement = ks_sim_get_placement(schedule->sim, i);
        if (placement.evicted)
            continue;
        ks_buf_put_str(out, KS_STR("pod/"));
        ks_text_put(out, placement.name);
        ks_buf_put_char(out, '\n');
    }
}
