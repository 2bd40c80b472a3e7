// SPDX-License-Identifier: Apache-2.0
#include "cli/schedule.h"
#include "cli/scores.h"
#include "cli/table.h"
#include "cli/text.h"
#include "engine/fit_error.h"
#include <inttypes.h>

enum { BEST_MAX = 3, INDENT = 4 };

typedef struct ranked {
    size_t node;
    int64_t score;
} ranked;

/* The best nodes, `first` before others of the same score, the rest by name. Returns how many. */
static size_t find_best(ranked best[BEST_MAX], const ks_cycle *cycle, ks_str first)
{
    size_t nodes = ks_cycle_get_summary(cycle).nodes, count = 0;
    for (size_t i = 0; i < nodes; i++) {
        ks_node_result node = ks_cycle_get_node(cycle, i);
        if (node.code != KS_SUCCESS)
            continue;
        bool chosen = ks_str_eq(node.name, first);
        size_t at = count;
        while (at > 0 && (best[at - 1].score < node.score || (chosen && best[at - 1].score == node.score)))
            at--;
        if (at == BEST_MAX)
            continue;
        count = count < BEST_MAX ? count + 1 : BEST_MAX;
        memmove(best + at + 1, best + at, (count - at - 1) * sizeof *best);
        best[at] = (ranked){.node = i, .score = node.score};
    }
    return count;
}

static void put_sum(ks_text_table *table, const ks_explainer *x, const ks_cycle *cycle, const ranked *node)
{
    ks_scorers scorers = ks_scorers_of(cycle);
    ks_buf text;
    ks_buf_init(&text, x->alloc);
    for (size_t i = 0; i < scorers.count; i++) {
        int64_t score = 0;
        ks_cycle_get_plugin_score(cycle, scorers.names[i], node->node, &score);
        ks_buf_printf(&text, "%s%s %" PRId64, i ? " + " : "= ", scorers.names[i], score);
    }
    table->failed = table->failed || text.failed;
    ks_text_table_put(table, KS_TONE_FAINT, ks_buf_str(&text));
    ks_buf_free(&text);
}

static void put_best(const ks_explainer *x, const ks_cycle *cycle, ks_str chosen)
{
    ranked best[BEST_MAX];
    size_t count = find_best(best, cycle, chosen);
    ks_text_table table;
    ks_text_table_init(&table, x->alloc, 3);
    table.indent = INDENT;
    for (size_t i = 0; i < count; i++) {
        ks_text_table_put(&table, KS_TONE_PLAIN, ks_cycle_get_node(cycle, best[i].node).name);
        ks_text_table_printf(&table, KS_TONE_PLAIN, "%" PRId64, best[i].score);
        put_sum(&table, x, cycle, &best[i]);
    }
    ks_text_table_print(&table, x->style, x->out);
    ks_text_table_free(&table);
}

static void put_refusals(const ks_explainer *x, const ks_cycle *cycle)
{
    ks_fit_error fit = {0};
    ks_error err;
    if (ks_fit_error_fill(&fit, cycle, &err) != KS_OK)
        x->out->failed = true;
    for (size_t i = 0; i < fit.reasons.count; i++) {
        ks_buf_printf(x->out, "%s%zu ", i ? ", " : "    refused: ", fit.reasons.items[i].count);
        ks_text_put(x->out, fit.reasons.items[i].reason);
    }
    if (fit.reasons.count > 0)
        ks_buf_put_char(x->out, '\n');
    ks_fit_error_free(&fit, &cycle->cluster->alloc);
}

static void put_outcome(const ks_explainer *x, const ks_cycle *cycle, const ks_sim_placement *placement)
{
    ks_tone tone = placement ? KS_TONE_GOOD : KS_TONE_WORSE;
    ks_buf_put_str(x->out, KS_STR(" -> "));
    ks_style_begin(x->style, x->out, tone);
    ks_text_put(x->out, placement ? placement->node : KS_STR("no node"));
    ks_style_end(x->style, x->out, tone);
    if (!cycle)
        return;
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    ks_buf_printf(x->out, "   %zu of %zu node%s feasible", summary.feasible, summary.nodes,
                  summary.nodes == 1 ? "" : "s");
}

void ks_explainer_decided(const ks_explainer *x, const ks_pod *pod, const ks_cycle *cycle,
                          const ks_sim_placement *placement, ks_str message)
{
    ks_style_begin(x->style, x->out, KS_TONE_HEADING);
    ks_buf_put_str(x->out, KS_STR("pod/"));
    ks_text_put(x->out, pod->metadata.name);
    ks_style_end(x->style, x->out, KS_TONE_HEADING);
    put_outcome(x, cycle, placement);
    ks_buf_put_char(x->out, '\n');
    if (placement) {
        put_best(x, cycle, placement->node);
        put_refusals(x, cycle);
    } else {
        ks_style_put_paragraph(x->style, x->out, KS_TONE_PLAIN, INDENT, message);
    }
}
