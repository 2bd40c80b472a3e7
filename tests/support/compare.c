// SPDX-License-Identifier: Apache-2.0
#include "support/compare.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct comparison {
    ks_buf *out;
    char where[160];
} comparison;

static void same_number(comparison *c, const char *what, int64_t engine, int64_t plain)
{
    if (engine != plain)
        ks_buf_printf(c->out, "%s%s: engine %" PRId64 ", plain %" PRId64 "\n", c->where, what, engine, plain);
}

static void same_text(comparison *c, const char *what, ks_str engine, ks_str plain)
{
    if (!ks_str_eq(engine, plain))
        ks_buf_printf(c->out, "%s%s: engine \"%.*s\", plain \"%.*s\"\n", c->where, what, KS_STR_ARG(engine),
                      KS_STR_ARG(plain));
}

static void same_code(comparison *c, const char *what, ks_code engine, ks_code plain)
{
    same_text(c, what, ks_str_of(ks_code_name(engine)), ks_str_of(ks_code_name(plain)));
}

static void same_verdict(comparison *c, const ks_node_result *engine, const ks_node_result *plain)
{
    same_text(c, "name", engine->name, plain->name);
    same_code(c, "code", engine->code, plain->code);
    same_text(c, "plugin", engine->plugin, plain->plugin);
    same_text(c, "reason", engine->reason, plain->reason);
}

void compare_verdict(ks_buf *out, const ks_node_result *engine, const ks_node_result *plain)
{
    comparison c = {.out = out, .where = "what if: "};
    same_verdict(&c, engine, plain);
}

/* Soft hostname constraints list each node, and nodes may share a name: among those of one value the
 * order is open, so both sides are brought into the order of their counts. */
static void bring_smallest(ks_spread_domain *domains, size_t at, size_t to)
{
    for (size_t i = at + 1; i < to; i++)
        if (domains[i].matching < domains[at].matching) {
            ks_spread_domain smaller = domains[i];
            domains[i] = domains[at];
            domains[at] = smaller;
        }
}

static void sort_runs(ks_spread_domain *domains, size_t count)
{
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && ks_str_eq(domains[to].value, domains[from].value);)
            to++;
        for (size_t i = from; i < to; i++)
            bring_smallest(domains, i, to);
    }
}

static void same_domains(comparison *c, const ks_cycle *cycle, size_t index, const plain_constraint *plain)
{
    size_t count = ks_cycle_get_constraint(cycle, index).domains;
    same_number(c, "domains", (int64_t)count, (int64_t)plain->shown.domains);
    if (count != plain->shown.domains || count == 0)
        return;
    ks_spread_domain *engine = malloc(count * sizeof *engine);
    if (!engine)
        abort();
    for (size_t d = 0; d < count; d++)
        engine[d] = ks_cycle_get_domain(cycle, index, d);
    sort_runs(engine, count);
    sort_runs(plain->domains, count);
    for (size_t d = 0; d < count; d++) {
        same_text(c, "domain's value", engine[d].value, plain->domains[d].value);
        same_number(c, "domain's matching", engine[d].matching, plain->domains[d].matching);
        same_number(c, "domain's nodes", (int64_t)engine[d].nodes, (int64_t)plain->domains[d].nodes);
    }
    free(engine);
}

static void same_constraint(comparison *c, const ks_cycle *cycle, size_t index, const plain_constraint *plain)
{
    ks_spread_constraint engine = ks_cycle_get_constraint(cycle, index);
    snprintf(c->where, sizeof c->where, "constraint %zu %.*s: ", index,
             KS_STR_ARG(plain->shown.topology_key));
    same_text(c, "topologyKey", engine.topology_key, plain->shown.topology_key);
    same_number(c, "hard", engine.hard, plain->shown.hard);
    same_number(c, "honors affinity", engine.honors_affinity, plain->shown.honors_affinity);
    same_number(c, "honors taints", engine.honors_taints, plain->shown.honors_taints);
    same_number(c, "maxSkew", engine.max_skew, plain->shown.max_skew);
    same_number(c, "minDomains", engine.min_domains, plain->shown.min_domains);
    same_number(c, "matches self", engine.matches_self, plain->shown.matches_self);
    same_number(c, "minimum", engine.minimum, plain->shown.minimum);
    same_domains(c, cycle, index, plain);
}

static void same_numbers(comparison *c, const ks_spread_numbers *engine, const ks_spread_numbers *plain)
{
    same_number(c, "has key", engine->has_key, plain->has_key);
    same_text(c, "domain", engine->domain, plain->domain);
    same_number(c, "matching", engine->matching, plain->matching);
    same_number(c, "self", engine->self, plain->self);
    same_number(c, "minimum", engine->minimum, plain->minimum);
    same_number(c, "maxSkew", engine->max_skew, plain->max_skew);
    same_text(c, "exclusion", ks_str_of(ks_exclusion_name(engine->exclusion)),
              ks_str_of(ks_exclusion_name(plain->exclusion)));
    same_text(c, "detail", engine->detail, plain->detail);
}

static void same_node(comparison *c, const ks_cycle *cycle, size_t node, const plain_result *plain)
{
    ks_node_result engine = ks_cycle_get_node(cycle, node);
    const plain_node *wanted = &plain->nodes[node];
    snprintf(c->where, sizeof c->where, "node %.*s: ", KS_STR_ARG(wanted->result.name));
    same_verdict(c, &engine, &wanted->result);
    same_number(c, "score", engine.score, wanted->result.score);
    int64_t score = 0;
    bool scored = ks_cycle_get_plugin_score(cycle, "PodTopologySpread", node, &score);
    same_number(c, "scored", scored, wanted->scored);
    if (scored)
        same_number(c, "plugin's score", score, wanted->result.score);
    for (size_t i = 0; i < plain->summary.constraints; i++) {
        ks_spread_numbers numbers = ks_cycle_get_numbers(cycle, node, i);
        snprintf(c->where, sizeof c->where,
                 "node %.*s, constraint %zu %.*s: ", KS_STR_ARG(wanted->result.name), i,
                 KS_STR_ARG(plain->constraints[i].shown.topology_key));
        same_numbers(c, &numbers, &wanted->numbers[i]);
    }
}

void compare_cycle(ks_buf *out, const ks_cycle *cycle, const plain_result *plain)
{
    comparison c = {.out = out};
    ks_cycle_summary engine = ks_cycle_get_summary(cycle);
    same_code(&c, "preFilter", engine.pre_filter, plain->summary.pre_filter);
    same_number(&c, "nodes", (int64_t)engine.nodes, (int64_t)plain->summary.nodes);
    if (plain->summary.pre_filter != KS_SUCCESS || engine.pre_filter != KS_SUCCESS)
        return;
    same_code(&c, "preScore", engine.pre_score, plain->summary.pre_score);
    same_number(&c, "feasible", (int64_t)engine.feasible, (int64_t)plain->summary.feasible);
    same_number(&c, "constraints", (int64_t)engine.constraints, (int64_t)plain->summary.constraints);
    same_number(&c, "defaulted", engine.defaulted, plain->summary.defaulted);
    if (engine.constraints != plain->summary.constraints || engine.nodes != plain->summary.nodes)
        return;
    for (size_t i = 0; i < plain->summary.constraints; i++)
        same_constraint(&c, cycle, i, &plain->constraints[i]);
    for (size_t n = 0; n < plain->summary.nodes; n++)
        same_node(&c, cycle, n, plain);
}
