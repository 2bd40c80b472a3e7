// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation.h"
#include "cli/picture.h"
#include "cli/table.h"
#include "cli/text.h"
#include "engine/plugin.h"
#include <inttypes.h>

enum { COLUMNS = 4, COLUMNS_PER_CONSTRAINT = 3 };

/* ---- the pod as it stands ---- */

static bool has_node(const ks_evaluation *e, ks_str name)
{
    for (size_t i = 0; i < e->summary.nodes; i++)
        if (ks_str_eq(ks_cycle_get_node(e->cycle, i).name, name))
            return true;
    return false;
}

static void put_where(const ks_evaluation *e, const char *verb, ks_buf *out)
{
    ks_buf_printf(out, "It %s on ", verb);
    ks_text_put(out, e->pod->spec.node_name);
    if (!has_node(e, e->pod->spec.node_name))
        ks_buf_put_str(out, KS_STR(" (not in the input)"));
}

/* Only a pod that holds a place has one to be taken off. */
static void put_node_note(const ks_evaluation *e, ks_buf *out)
{
    bool bound = e->pod->spec.node_name.len > 0, over = ks_phase_is_over(e->pod->status.phase);
    bool terminating = e->pod->metadata.deletion_timestamp.len > 0;
    if (!bound && !over && !terminating)
        return;
    if (bound)
        put_where(e, over ? "ran" : "runs", out);
    if (over || terminating)
        ks_buf_put_str(out, bound ? KS_STR(" and is ") : KS_STR("It is "));
    if (over)
        ks_buf_printf(out, "over (%.*s)", KS_STR_ARG(e->pod->status.phase));
    else if (terminating)
        ks_buf_put_str(out, KS_STR("terminating"));
    if (over || !bound)
        ks_buf_put_str(out, KS_STR("; kube-scheduler would not place it, here it is placed as if new.\n"));
    else
        ks_buf_put_str(out, KS_STR("; here it is taken off and placed anew, so it does not count itself.\n"));
}

/* ---- its constraints ---- */

static ks_plugin_use spread_use(const ks_profile *profile)
{
    for (size_t i = 0; i < profile->plugins.count; i++)
        if (ks_str_eq(profile->plugins.items[i].name, KS_STR("PodTopologySpread")))
            return profile->plugins.items[i];
    return (ks_plugin_use){0};
}

static bool has_defaults(const ks_spread_args *args)
{
    return !ks_str_eq(args->defaulting_type, KS_STR("List")) || args->default_constraints.count > 0;
}

static const char *why_none(const ks_evaluation *e)
{
    const ks_cluster *cluster = e->cycle->cluster;
    ks_plugin_use use = spread_use(&cluster->profile);
    if (!use.filters && !use.scores)
        return ": the plugin PodTopologySpread is off in this profile";
    if (!(cluster->gates & KS_GATE_POD_TOPOLOGY_SPREAD))
        return ": the feature gate PodTopologySpread is off";
    if (e->summary.pre_filter != KS_SUCCESS)
        return ": the pod is refused before they are looked at";
    if (!use.filters || !use.scores)
        return use.filters ? ": in this profile PodTopologySpread only filters"
                           : ": in this profile PodTopologySpread only scores";
    if (!has_defaults(&cluster->profile.spread))
        return ": the pod has none, and this profile has no defaults";
    return ": the pod has none, and no defaults apply, since no Service in the input\n"
           "selects it and no ReplicationController, ReplicaSet or StatefulSet there owns it";
}

static void put_constraints_note(const ks_evaluation *e, ks_buf *out)
{
    size_t count = e->summary.constraints;
    if (count == 0)
        ks_buf_printf(out, "No spread constraints in force%s.\n", why_none(e));
    else
        ks_buf_printf(out, "%zu spread constraint%s in force, %s.\n", count, count == 1 ? "" : "s",
                      e->summary.defaulted ? "the scheduler's defaults" : "the pod's own");
}

static void put_summary(const ks_evaluation *e, const ks_style *style, ks_buf *out)
{
    ks_tone tone = e->summary.feasible > 0 ? KS_TONE_BEST : KS_TONE_WORSE;
    ks_style_begin(style, out, KS_TONE_HEADING);
    ks_buf_put_str(out, KS_STR("pod/"));
    ks_text_put(out, e->pod->metadata.name);
    ks_style_end(style, out, KS_TONE_HEADING);
    ks_buf_put_str(out, KS_STR(" in namespace "));
    ks_text_put(out, e->pod->metadata.namespace_);
    ks_buf_put_str(out, KS_STR(": "));
    ks_style_begin(style, out, tone);
    ks_buf_printf(out, "%zu of %zu node%s fit", e->summary.feasible, e->summary.nodes,
                  e->summary.nodes == 1 ? "" : "s");
    ks_style_end(style, out, tone);
    ks_buf_put_char(out, '\n');
    if (e->summary.nodes == 0)
        ks_buf_put_str(out, KS_STR("The input has no nodes.\n"));
    put_node_note(e, out);
    put_constraints_note(e, out);
}

static void put_pictures(const ks_evaluation *e, const ks_style *style, ks_buf *out)
{
    ks_picture picture = {.alloc = e->alloc, .style = style, .cycle = e->cycle, .kind = KS_PICTURE_NEXT};
    for (size_t i = 0; i < e->summary.constraints; i++) {
        ks_buf_put_char(out, '\n');
        ks_picture_print(&picture, i, out);
        /* Hard constraints come first; what their numbers mean is said once. */
        if (i == 0 && ks_cycle_get_constraint(e->cycle, i).hard)
            ks_picture_print_legend(&picture, out);
    }
}

static void put_header(ks_text_table *table, const ks_evaluation *e, bool wide)
{
    size_t constraints = wide ? e->summary.constraints : 0, scorers = wide ? e->scorers.count : 0;
    ks_text_table_put(table, KS_TONE_HEADING, KS_STR("NODE"));
    ks_text_table_put(table, KS_TONE_HEADING, KS_STR("VERDICT"));
    ks_text_table_put(table, KS_TONE_HEADING, KS_STR("SCORE"));
    for (size_t i = 0; i < scorers; i++)
        ks_text_table_put(table, KS_TONE_HEADING, ks_str_of(e->scorers.names[i]));
    for (size_t i = 1; i <= constraints; i++) {
        ks_text_table_printf(table, KS_TONE_HEADING, "DOMAIN[%zu]", i);
        ks_text_table_printf(table, KS_TONE_HEADING, "SKEW[%zu]", i);
        ks_text_table_printf(table, KS_TONE_HEADING, "COUNTED[%zu]", i);
    }
    ks_text_table_put(table, KS_TONE_HEADING, KS_STR("REASON"));
}

static const char *verdict_of(ks_code code)
{
    switch (code) {
    case KS_SUCCESS:
        return "Fits";
    case KS_UNSCHEDULABLE_AND_UNRESOLVABLE:
        return "Unresolvable";
    default:
        return ks_code_name(code);
    }
}

static ks_tone tone_of(ks_code code)
{
    if (code == KS_SUCCESS)
        return KS_TONE_GOOD;
    return code == KS_UNSCHEDULABLE ? KS_TONE_BAD : KS_TONE_WORSE;
}

/* That a node is best is worth a word only where others fit as well. */
static bool is_best(const ks_evaluation *e, size_t rank)
{
    return rank < e->best && e->best < e->summary.feasible;
}

static void put_verdict(ks_text_table *table, const ks_node_result *node, bool best)
{
    ks_tone tone = best ? KS_TONE_BEST : KS_TONE_PLAIN;
    ks_text_table_put(table, tone, node->name);
    ks_text_table_put(table, best ? tone : tone_of(node->code), ks_str_of(verdict_of(node->code)));
    if (node->code == KS_SUCCESS)
        ks_text_table_printf(table, tone, "%" PRId64, node->score);
    else
        ks_text_table_put(table, tone, KS_STR("<none>"));
}

/* Every reason, with commas between, where a plugin has several. */
static void put_reasons(ks_text_table *table, const ks_evaluation *e, size_t node)
{
    ks_buf text;
    ks_buf_init(&text, e->alloc);
    ks_str reason;
    for (size_t nth = 0; (reason = ks_cycle_get_reason(e->cycle, node, nth)).data; nth++) {
        ks_buf_put_str(&text, nth ? KS_STR(", ") : (ks_str){0});
        ks_buf_put_str(&text, reason);
    }
    table->failed = table->failed || text.failed;
    ks_text_table_put(table, KS_TONE_PLAIN, ks_buf_str(&text));
    ks_buf_free(&text);
}

static void put_reason(ks_text_table *table, const ks_evaluation *e, const ks_node_result *node, size_t rank)
{
    if (is_best(e, rank))
        ks_text_table_put(table, KS_TONE_BEST, KS_STR("best"));
    else if (node->reason.data)
        put_reasons(table, e, e->order[rank]);
    else
        ks_text_table_put(table, KS_TONE_PLAIN, KS_STR("<none>"));
}

static void put_scores(ks_text_table *table, const ks_evaluation *e, size_t node)
{
    for (size_t i = 0; i < e->scorers.count; i++) {
        int64_t score;
        if (ks_cycle_get_plugin_score(e->cycle, e->scorers.names[i], node, &score))
            ks_text_table_printf(table, KS_TONE_PLAIN, "%" PRId64, score);
        else
            ks_text_table_put(table, KS_TONE_PLAIN, KS_STR("<none>"));
    }
}

static void put_skew(ks_text_table *table, const ks_spread_numbers *n, bool hard)
{
    int64_t skew = ks_spread_skew(n->matching, n->self, n->minimum);
    if (!n->has_key)
        ks_text_table_put(table, KS_TONE_PLAIN, KS_STR("<none>"));
    else if (!hard)
        ks_text_table_printf(table, KS_TONE_PLAIN, "%" PRId64 "+%" PRId64, n->matching, n->self);
    else
        ks_text_table_printf(table, skew > n->max_skew ? KS_TONE_BAD : KS_TONE_GOOD,
                             "%" PRId64 "+%" PRId64 "-%" PRId64 "=%" PRId64 "%s%" PRId32, n->matching,
                             n->self, n->minimum, skew, skew > n->max_skew ? ">" : "<=", n->max_skew);
}

static void put_counted(ks_text_table *table, const ks_evaluation *e, const ks_spread_numbers *n)
{
    static const char *const prefixes[] = {[KS_COUNTED] = "yes",
                                           [KS_EXCLUDED_KEY] = "no: lacks ",
                                           [KS_EXCLUDED_AFFINITY] = "no: node affinity",
                                           [KS_EXCLUDED_TAINT] = "no: taint "};
    ks_buf text;
    ks_buf_init(&text, e->alloc);
    ks_buf_put_str(&text, ks_str_of(prefixes[n->exclusion]));
    ks_buf_put_str(&text, n->detail);
    table->failed = table->failed || text.failed;
    ks_text_table_put(table, n->exclusion == KS_COUNTED ? KS_TONE_PLAIN : KS_TONE_FAINT, ks_buf_str(&text));
    ks_buf_free(&text);
}

static void put_numbers(ks_text_table *table, const ks_evaluation *e, size_t node)
{
    for (size_t i = 0; i < e->summary.constraints; i++) {
        ks_spread_numbers numbers = ks_cycle_get_numbers(e->cycle, node, i);
        ks_text_table_put(table, KS_TONE_PLAIN, numbers.has_key ? numbers.domain : KS_STR("<none>"));
        put_skew(table, &numbers, ks_cycle_get_constraint(e->cycle, i).hard);
        put_counted(table, e, &numbers);
    }
}

static void put_nodes(const ks_evaluation *e, const ks_evaluation_view *view, ks_buf *out)
{
    size_t more = e->summary.constraints * COLUMNS_PER_CONSTRAINT + e->scorers.count;
    ks_text_table table;
    ks_text_table_init(&table, e->alloc, COLUMNS + (view->wide ? more : 0));
    if (!view->no_headers)
        put_header(&table, e, view->wide);
    for (size_t rank = 0; rank < e->summary.nodes; rank++) {
        ks_node_result node = ks_cycle_get_node(e->cycle, e->order[rank]);
        put_verdict(&table, &node, is_best(e, rank));
        if (view->wide) {
            put_scores(&table, e, e->order[rank]);
            put_numbers(&table, e, e->order[rank]);
        }
        put_reason(&table, e, &node, rank);
    }
    ks_text_table_print(&table, &view->style, out);
    ks_text_table_free(&table);
}

void ks_evaluation_print(const ks_evaluation *e, const ks_evaluation_view *view, ks_buf *out)
{
    if (view->no_headers) {
        put_nodes(e, view, out);
        return;
    }
    put_summary(e, &view->style, out);
    put_pictures(e, &view->style, out);
    ks_buf_put_char(out, '\n');
    if (e->summary.nodes > 0)
        put_nodes(e, view, out);
    if (e->message.len == 0)
        return;
    if (e->summary.nodes > 0)
        ks_buf_put_char(out, '\n');
    ks_style_put_paragraph(&view->style, out, KS_TONE_WORSE, 0, ks_buf_str(&e->message));
}
