// SPDX-License-Identifier: Apache-2.0
#include "support/case.h"
#include <inttypes.h>

static const char *whose(const ks_cycle_summary *summary)
{
    if (summary->constraints == 0)
        return "no constraints in force";
    return summary->defaulted ? "by the cluster's defaults" : "by the pod's own constraints";
}

/* The policies only where they are not the default. */
static void put_constraint(ks_buf *out, const ks_spread_constraint *c, size_t number)
{
    ks_buf_printf(out, "constraint %zu: %s %.*s, maxSkew %d, ", number,
                  c->hard ? "DoNotSchedule" : "ScheduleAnyway", KS_STR_ARG(c->topology_key), c->max_skew);
    if (c->hard)
        ks_buf_printf(out, "minDomains %d, ", c->min_domains);
    if (!c->honors_affinity)
        ks_buf_printf(out, "affinity Ignore, ");
    if (c->honors_taints)
        ks_buf_printf(out, "taints Honor, ");
    ks_buf_printf(out, "selector \"%.*s\"\n", KS_STR_ARG(c->selector));
}

static void put_domains(ks_buf *out, const ks_cycle *cycle, size_t index)
{
    ks_spread_constraint c = ks_cycle_get_constraint(cycle, index);
    ks_buf_printf(out, "  %s", c.domains ? "" : "no domains");
    for (size_t d = 0; d < c.domains; d++) {
        ks_spread_domain domain = ks_cycle_get_domain(cycle, index, d);
        ks_str value = domain.value.len ? domain.value : KS_STR("\"\"");
        ks_buf_printf(out, "%s%.*s %" PRId64, d ? ", " : "", KS_STR_ARG(value), domain.matching);
    }
    if (c.hard)
        ks_buf_printf(out, "; minimum %" PRId64, c.minimum);
    ks_buf_printf(out, "\n");
}

/* A hard constraint shows the sum that decides, a soft one what it counts. */
static void put_numbers(ks_buf *out, const ks_cycle *cycle, size_t node, size_t index)
{
    ks_spread_constraint c = ks_cycle_get_constraint(cycle, index);
    ks_spread_numbers n = ks_cycle_get_numbers(cycle, node, index);
    if (!n.has_key)
        ks_buf_printf(out, "  %zu: no %.*s", index + 1, KS_STR_ARG(c.topology_key));
    else
        ks_buf_printf(out, "  %zu: %.*s=%.*s", index + 1, KS_STR_ARG(c.topology_key), KS_STR_ARG(n.domain));
    if (n.has_key && c.hard)
        ks_buf_printf(out, ": %" PRId64 " + %" PRId64 " - %" PRId64 " %s %d", n.matching, n.self, n.minimum,
                      n.matching + n.self - n.minimum > n.max_skew ? ">" : "<=", n.max_skew);
    else if (n.has_key)
        ks_buf_printf(out, ": %" PRId64, n.matching);
    if (n.exclusion != KS_COUNTED)
        ks_buf_printf(out, ", left out: %s%s%.*s", ks_exclusion_name(n.exclusion), n.detail.len ? " " : "",
                      KS_STR_ARG(n.detail));
    ks_buf_printf(out, "\n");
}

static void put_node(ks_buf *out, const ks_cycle *cycle, size_t node, size_t constraints)
{
    ks_node_result result = ks_cycle_get_node(cycle, node);
    int64_t score;
    ks_buf_printf(out, "%.*s  %s", KS_STR_ARG(result.name), ks_code_name(result.code));
    if (result.code != KS_SUCCESS)
        ks_buf_printf(out, ": %.*s", KS_STR_ARG(result.reason));
    else if (ks_cycle_get_plugin_score(cycle, "PodTopologySpread", node, &score))
        ks_buf_printf(out, ", score %" PRId64, score);
    ks_buf_printf(out, "\n");
    for (size_t i = 0; i < constraints; i++)
        put_numbers(out, cycle, node, i);
}

void ks_case_report(ks_buf *out, const ks_cycle *cycle)
{
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    if (summary.pre_filter == KS_ERROR || summary.pre_score == KS_ERROR) {
        ks_buf_printf(out, "error: %.*s\n", KS_STR_ARG(summary.message));
        return;
    }
    ks_buf_printf(out, "%zu of %zu nodes fit, %s\n", summary.feasible, summary.nodes, whose(&summary));
    for (size_t i = 0; i < summary.constraints; i++) {
        ks_spread_constraint c = ks_cycle_get_constraint(cycle, i);
        put_constraint(out, &c, i + 1);
        put_domains(out, cycle, i);
    }
    ks_buf_printf(out, "\n");
    for (size_t i = 0; i < summary.nodes; i++)
        put_node(out, cycle, i, summary.constraints);
}
