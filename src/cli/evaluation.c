// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation.h"
#include "cli/text.h"
#include "engine/fit_error.h"
#include <stdlib.h>

typedef struct ranked {
    size_t node;
    int64_t score;
    ks_code code;
} ranked;

/* Nodes are numbered by name, so the number decides among equals. */
static int by_rank(const void *a_, const void *b_)
{
    const ranked *a = a_, *b = b_;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static int rank_nodes(ks_evaluation *e, ks_error *err)
{
    size_t count = e->summary.nodes;
    ranked *nodes = ks_alloc_get(e->alloc, count * sizeof *nodes);
    e->order = ks_alloc_get(e->alloc, count * sizeof *e->order);
    if (count > 0 && (!nodes || !e->order)) {
        ks_alloc_free(e->alloc, nodes, count * sizeof *nodes);
        return ks_fail_nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        ks_node_result result = ks_cycle_get_node(e->cycle, i);
        nodes[i] = (ranked){.node = i, .score = result.score, .code = result.code};
    }
    if (count > 0)
        qsort(nodes, count, sizeof *nodes, by_rank);
    for (size_t i = 0; i < count; i++) {
        e->order[i] = nodes[i].node;
        e->best += nodes[i].code == KS_SUCCESS && nodes[i].score == nodes[0].score;
    }
    ks_alloc_free(e->alloc, nodes, count * sizeof *nodes);
    return KS_OK;
}

/* The sentence of the FailedScheduling event; what preemption adds is not known here. */
static int compose_message(ks_evaluation *e, ks_error *err)
{
    if (e->summary.feasible > 0)
        return KS_OK;
    ks_fit_error fit = {0};
    int code = ks_fit_error_fill(&fit, e->cycle, err);
    if (code == KS_OK)
        ks_fit_error_print(&e->message, &fit, e->cycle, (ks_str){0});
    ks_fit_error_free(&fit, &e->cycle->cluster->alloc);
    return code == KS_OK && e->message.failed ? ks_fail_nomem(err) : code;
}

int ks_evaluation_init(ks_evaluation *e, ks_alloc *alloc, const ks_pod *pod, const ks_cycle *cycle,
                       ks_error *err)
{
    *e = (ks_evaluation){.alloc = alloc, .pod = pod, .cycle = cycle};
    e->summary = ks_cycle_get_summary(cycle);
    e->scorers = ks_scorers_of(cycle);
    ks_buf_init(&e->message, alloc);
    int code = rank_nodes(e, err);
    return code == KS_OK ? compose_message(e, err) : code;
}

void ks_evaluation_free(ks_evaluation *e)
{
    ks_alloc_free(e->alloc, e->order, e->summary.nodes * sizeof *e->order);
    ks_buf_free(&e->message);
    e->order = NULL;
}

void ks_evaluation_print_names(const ks_evaluation *e, ks_buf *out)
{
    for (size_t i = 0; i < e->summary.feasible; i++) {
        ks_buf_put_str(out, KS_STR("node/"));
        ks_text_put(out, ks_cycle_get_node(e->cycle, e->order[i]).name);
        ks_buf_put_char(out, '\n');
    }
}
