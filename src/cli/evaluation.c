// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation.h"
#include "cli/text.h"
#include "util/vec.h"
#include <stdio.h>
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

typedef struct tally {
    ks_str reason;
    size_t count;
    char digits[24];
} tally;
typedef KS_VEC(tally) tallies;

static int count_reason(tallies *reasons, ks_alloc *alloc, ks_str reason, ks_error *err)
{
    for (size_t i = 0; i < reasons->count; i++) {
        if (ks_str_eq(reasons->items[i].reason, reason)) {
            reasons->items[i].count++;
            return KS_OK;
        }
    }
    return ks_vec_push(reasons, alloc, (tally){.reason = reason, .count = 1}) ? KS_OK : ks_fail_nomem(err);
}

/* kube-scheduler sorts the finished texts, so "10 node(s) …" comes before "2 node(s) …". */
static int by_text(const void *a_, const void *b_)
{
    const tally *a = a_, *b = b_;
    int order = strcmp(a->digits, b->digits);
    return order != 0 ? order : ks_str_cmp(a->reason, b->reason);
}

static void put_reasons(ks_buf *out, tallies *reasons)
{
    for (size_t i = 0; i < reasons->count; i++)
        snprintf(reasons->items[i].digits, sizeof reasons->items[i].digits, "%zu ", reasons->items[i].count);
    if (reasons->count > 0)
        qsort(reasons->items, reasons->count, sizeof *reasons->items, by_text);
    for (size_t i = 0; i < reasons->count; i++) {
        ks_buf_put_str(out, i ? KS_STR(", ") : KS_STR(" "));
        ks_buf_put_str(out, ks_str_of(reasons->items[i].digits));
        ks_buf_put_str(out, reasons->items[i].reason);
    }
}

/* The sentence of the FailedScheduling event, as the scheduler's FitError composes it; what preemption adds
 * is not known here. */
static int compose_message(ks_evaluation *e, ks_error *err)
{
    if (e->summary.feasible > 0)
        return KS_OK;
    if (e->summary.nodes == 0) {
        ks_buf_put_str(&e->message, KS_STR("no nodes available to schedule pods"));
        return e->message.failed ? ks_fail_nomem(err) : KS_OK;
    }
    tallies reasons = {0};
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < e->summary.nodes; i++)
        code = count_reason(&reasons, e->alloc, ks_cycle_get_node(e->cycle, i).reason, err);
    ks_buf_printf(&e->message, "0/%zu nodes are available:", e->summary.nodes);
    put_reasons(&e->message, &reasons);
    ks_buf_put_char(&e->message, '.');
    ks_vec_free(&reasons, e->alloc);
    return code == KS_OK && e->message.failed ? ks_fail_nomem(err) : code;
}

int ks_evaluation_init(ks_evaluation *e, ks_alloc *alloc, const ks_pod *pod, const ks_cycle *cycle,
                       ks_error *err)
{
    *e = (ks_evaluation){.alloc = alloc, .pod = pod, .cycle = cycle};
    e->summary = ks_cycle_get_summary(cycle);
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
