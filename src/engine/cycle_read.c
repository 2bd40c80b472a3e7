// SPDX-License-Identifier: Apache-2.0
/* What a cycle found, for those who ask. */
#include "engine/plugin.h"
#include "engine/plugins/pod_topology_spread/plan.h"
#include "util/sort.h"
#include <assert.h>

const char *ks_code_name(ks_code code)
{
    static const char *const names[] = {
        [KS_SUCCESS] = "Success",
        [KS_ERROR] = "Error",
        [KS_UNSCHEDULABLE] = "Unschedulable",
        [KS_UNSCHEDULABLE_AND_UNRESOLVABLE] = "UnschedulableAndUnresolvable",
        [KS_SKIP] = "Skip",
    };
    return names[code];
}

const char *ks_exclusion_name(ks_exclusion exclusion)
{
    static const char *const names[] = {
        [KS_COUNTED] = "counted",
        [KS_EXCLUDED_KEY] = "missing label",
        [KS_EXCLUDED_AFFINITY] = "node affinity",
        [KS_EXCLUDED_TAINT] = "untolerated taint",
    };
    return names[exclusion];
}

static const ks_plan *plan_of(const ks_cycle *cycle)
{
    for (size_t i = 0; i < cycle->runs.count; i++)
        if (cycle->runs.items[i].plugin == &ks_pod_topology_spread && cycle->runs.items[i].state)
            return ((const ks_spread_state *)cycle->runs.items[i].state)->plan;
    return NULL;
}

ks_cycle_summary ks_cycle_get_summary(const ks_cycle *cycle)
{
    const ks_plan *plan = plan_of(cycle);
    if (!cycle->ran)
        return (ks_cycle_summary){.pre_filter = KS_SKIP, .pre_score = KS_SKIP};
    return (ks_cycle_summary){
        .pre_filter = cycle->pre_filter.code,
        .pre_score = cycle->pre_score.code,
        .message =
            cycle->pre_filter.code != KS_SUCCESS ? cycle->pre_filter.message : cycle->pre_score.message,
        .nodes = cycle->cluster->nodes_by_name.count,
        .feasible = ks_nodeset_count(&cycle->feasible),
        .constraints = plan ? plan->hard.count + plan->soft.count : 0,
        .defaulted = plan && plan->defaulted && plan->hard.count + plan->soft.count > 0,
    };
}

/* ---- nodes ---- */

static const ks_node_row *node_at(const ks_cycle *cycle, size_t node)
{
    assert(cycle->ran && node < cycle->cluster->nodes_by_name.count);
    return (const ks_node_row *)cycle->cluster->nodes.rows.items[cycle->cluster->nodes_by_name.items[node]];
}

static const ks_verdict *find_overruling(const ks_cycle *cycle, uint32_t id)
{
    size_t low = 0, high = cycle->overrulings.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cycle->overrulings.items[middle].node < id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < cycle->overrulings.count && cycle->overrulings.items[low].node == id;
    return found ? &cycle->overrulings.items[low] : NULL;
}

/* The first plugin that refuses a node, and its nth reason. */
static ks_status refusal(const ks_cycle *cycle, uint32_t id, size_t nth, ks_str *plugin)
{
    if (cycle->pre_filter.code != KS_SUCCESS) {
        *plugin = cycle->failed_plugin;
        return cycle->pre_filter;
    }
    if (cycle->narrowed.words && !ks_nodeset_has(&cycle->narrowed, id)) {
        *plugin = cycle->narrowed_by;
        return (ks_status){.code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE, .message = cycle->narrowed_reason};
    }
    const ks_verdict *overruling = find_overruling(cycle, id);
    if (overruling) {
        *plugin = ks_str_of(cycle->runs.items[overruling->run].plugin->name);
        return ks_verdict_reason(cycle, overruling, nth);
    }
    for (size_t i = 0; i < cycle->runs.count; i++) {
        const ks_plugin_run *run = &cycle->runs.items[i];
        if (!run->filters || run->plugin->judge(run->state, id, 0).code == KS_SUCCESS)
            continue;
        *plugin = ks_str_of(run->plugin->name);
        return run->plugin->judge(run->state, id, nth);
    }
    return (ks_status){.code = KS_SKIP}; /* the scheduler had enough nodes without it */
}

ks_node_result ks_cycle_get_node(const ks_cycle *cycle, size_t node)
{
    const ks_node_row *row = node_at(cycle, node);
    uint32_t id = row->row.id;
    ks_node_result result = {.name = row->name, .code = KS_SUCCESS};
    if (!ks_nodeset_has(&cycle->feasible, id)) {
        ks_status status = refusal(cycle, id, 0, &result.plugin);
        result.code = status.code;
        result.reason = status.message;
        result.more_reasons = status.more;
    } else if (cycle->total) {
        result.score = (int64_t)cycle->total[id];
    }
    return result;
}

ks_str ks_cycle_get_reason(const ks_cycle *cycle, size_t node, size_t nth)
{
    uint32_t id = node_at(cycle, node)->row.id;
    ks_str plugin;
    for (size_t i = 0; i < nth; i++)
        if (!refusal(cycle, id, i, &plugin).more)
            return (ks_str){0};
    return refusal(cycle, id, nth, &plugin).message;
}

bool ks_cycle_get_plugin_score(const ks_cycle *cycle, const char *plugin, size_t node, int64_t *score)
{
    uint32_t id = node_at(cycle, node)->row.id;
    for (size_t i = 0; i < cycle->runs.count; i++) {
        const ks_plugin_run *run = &cycle->runs.items[i];
        if (strcmp(run->plugin->name, plugin) != 0)
            continue;
        if ((!run->column && !run->uniform) || !ks_nodeset_has(&cycle->feasible, id))
            return false;
        *score = (int64_t)((run->uniform ? run->same : run->column[id]) * run->use.weight);
        return true;
    }
    return false;
}

/* ---- constraints ---- */

static const ks_term *term_at(const ks_cycle *cycle, size_t constraint, bool *hard)
{
    const ks_plan *plan = plan_of(cycle);
    assert(plan && constraint < plan->hard.count + plan->soft.count);
    *hard = constraint < plan->hard.count;
    return *hard ? &plan->hard.items[constraint] : &plan->soft.items[constraint - plan->hard.count];
}

/* A soft hostname constraint counts each node on its own: those that have all keys of its sort. */
static bool is_counted_alone(const ks_term *term, uint32_t node)
{
    for (size_t i = 0; i < term->inclusion->keys_count; i++)
        if (!ks_nodeset_has(&term->inclusion->keys[i]->has, node))
            return false;
    return ks_nodeset_has(&term->topology->has, node);
}

static size_t count_domains(const ks_cycle *cycle, const ks_term *term)
{
    if (term->counter)
        return term->counter->existing;
    size_t count = 0;
    for (size_t i = 0; i < cycle->cluster->nodes_by_name.count; i++)
        count += is_counted_alone(term, cycle->cluster->nodes_by_name.items[i]);
    return count;
}

ks_spread_constraint ks_cycle_get_constraint(const ks_cycle *cycle, size_t constraint)
{
    bool hard;
    const ks_term *term = term_at(cycle, constraint, &hard);
    return (ks_spread_constraint){
        .topology_key = ks_topology_key(term->topology),
        .selector = term->selector,
        .hard = hard,
        .honors_affinity = term->honors_affinity,
        .honors_taints = term->honors_taints,
        .max_skew = term->max_skew,
        .min_domains = term->min_domains,
        .matches_self = term->self,
        .minimum = hard ? ks_term_minimum(term) : 0,
        .domains = count_domains(cycle, term),
    };
}

/* ---- domains ---- */

static int compare_domains(const void *a, const void *b)
{
    return ks_str_cmp(((const ks_spread_domain *)a)->value, ((const ks_spread_domain *)b)->value);
}

static size_t list_counted(ks_spread_domain *out, const ks_term *term)
{
    size_t count = 0;
    for (size_t i = 0; i < term->topology->domains.count; i++)
        if (term->counter->nodes[i] > 0)
            out[count++] = (ks_spread_domain){
                .value = term->topology->domains.items[i].value,
                .matching = term->counter->matching[i],
                .nodes = term->counter->nodes[i],
            };
    return count;
}

static size_t list_nodes(ks_spread_domain *out, const ks_cycle *cycle, const ks_term *term)
{
    const ks_topology *topology = term->topology;
    size_t count = 0;
    for (size_t i = 0; i < cycle->cluster->nodes_by_name.count; i++) {
        uint32_t node = cycle->cluster->nodes_by_name.items[i];
        if (is_counted_alone(term, node))
            out[count++] = (ks_spread_domain){
                .value = topology->domains.items[topology->domain_of[node]].value,
                .matching = term->matcher->on_node[node],
                .nodes = 1,
            };
    }
    return count;
}

ks_spread_domain ks_cycle_get_domain(const ks_cycle *cycle, size_t constraint, size_t domain)
{
    bool hard;
    const ks_term *term = term_at(cycle, constraint, &hard);
    if (cycle->listed != constraint) {
        ks_cycle *cache = (ks_cycle *)cycle; /* what is cached can be seen through this function alone */
        cache->listing_count =
            term->counter ? list_counted(cycle->listing, term) : list_nodes(cycle->listing, cycle, term);
        ks_sort(cycle->listing, cycle->listing_count, sizeof *cycle->listing, compare_domains);
        cache->listed = constraint;
    }
    assert(domain < cycle->listing_count);
    return cycle->listing[domain];
}

/* ---- numbers ---- */

/* The first key of a sort, in the constraints' order, that the node lacks. */
static ks_str missing_key(const ks_terms *terms, uint32_t node)
{
    size_t i = 0;
    while (ks_nodeset_has(&terms->items[i].topology->has, node))
        i++;
    return ks_topology_key(terms->items[i].topology);
}

static void judge_inclusion(ks_spread_numbers *out, const ks_terms *terms, const ks_term *term,
                            const ks_node_row *row)
{
    out->exclusion = ks_inclusion_judge(term->inclusion, row, &out->detail);
    if (out->exclusion == KS_EXCLUDED_KEY) {
        out->detail = missing_key(terms, row->row.id);
    } else if (!term->counter) { /* a soft hostname constraint asks no inclusion policy */
        out->exclusion = KS_COUNTED;
        out->detail = (ks_str){0};
    }
}

ks_spread_numbers ks_cycle_get_numbers(const ks_cycle *cycle, size_t node, size_t constraint)
{
    bool hard;
    const ks_term *term = term_at(cycle, constraint, &hard);
    const ks_node_row *row = node_at(cycle, node);
    uint32_t id = row->row.id, domain = term->topology->domain_of[id];
    ks_spread_numbers numbers = {
        .has_key = ks_nodeset_has(&term->topology->has, id),
        .self = term->self,
        .minimum = hard ? ks_term_minimum(term) : 0,
        .max_skew = term->max_skew,
    };
    if (numbers.has_key) {
        numbers.domain = term->topology->domains.items[domain].value;
        numbers.matching = term->counter ? term->counter->matching[domain] : term->matcher->on_node[id];
    }
    judge_inclusion(&numbers, hard ? &plan_of(cycle)->hard : &plan_of(cycle)->soft, term, row);
    return numbers;
}
