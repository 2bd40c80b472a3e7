// SPDX-License-Identifier: Apache-2.0
#include "support/plain_model.h"
#include "support/plain_defaults.h"
#include "support/random.h"
#include "util/str.h"
#include <math.h>

#define HOSTNAME KS_STR("kubernetes.io/hostname")

/* One pod's run. */
typedef struct run {
    const plain_cluster *cluster;
    const ks_pod *pod;
    ks_arena *arena;
    plain_result *result;
    size_t hard;      /* constraints before this are hard, the others soft */
    bool system_soft; /* soft constraints are the system's defaults: keys may be missing */
} run;

static const ks_node *node_at(const run *r, size_t i)
{
    return &r->cluster->of[KS_NODE].items[i]->node;
}

/* ---- constraints ---- */

static bool honors(ks_str policy, bool by_default)
{
    return policy.len ? ks_str_eq(policy, KS_STR("Honor")) : by_default;
}

static ks_spread_constraint show(const run *r, const ks_topology_spread_constraint *from)
{
    bool policies = r->cluster->gates & KS_GATE_NODE_INCLUSION_POLICY;
    return (ks_spread_constraint){
        .topology_key = from->topology_key,
        .hard = ks_str_eq(from->when_unsatisfiable, KS_STR("DoNotSchedule")),
        .honors_affinity = !policies || honors(from->node_affinity_policy, true),
        .honors_taints = policies && honors(from->node_taints_policy, false),
        .max_skew = from->max_skew,
        .min_domains = from->min_domains.set ? from->min_domains.value : 1,
    };
}

/* For each key that the pod has, key=value joins the selector; one that matches nothing stays so. */
static void join_match_label_keys(const run *r, plain_selector *selector, const ks_strs *keys)
{
    if (!(r->cluster->gates & KS_GATE_MATCH_LABEL_KEYS))
        return;
    for (size_t i = 0; i < keys->count; i++) {
        ks_label label = {.key = keys->items[i]};
        if (plain_label(&r->pod->metadata.labels, label.key, &label.value))
            plain_selector_require(selector, label, r->arena);
    }
}

/* The pod's own constraints of one sort; false if a selector cannot be. */
static bool take_own(run *r, bool hard)
{
    const ks_topology_spread_constraints *own = &r->pod->spec.topology_spread_constraints;
    for (size_t i = 0; i < own->count; i++) {
        plain_constraint *constraint = &r->result->constraints[r->result->summary.constraints];
        constraint->shown = show(r, &own->items[i]);
        if (constraint->shown.hard != hard)
            continue;
        if (!plain_selector_make(&constraint->selector, own->items[i].label_selector, r->arena))
            return false;
        join_match_label_keys(r, &constraint->selector, &own->items[i].match_label_keys);
        r->result->summary.constraints++;
    }
    return true;
}

static void take_defaults(run *r, bool hard)
{
    ks_topology_spread_constraints defaults = plain_default_constraints(r->cluster->defaults, r->arena);
    plain_selector selector = plain_default_selector(r->cluster, r->pod, r->arena);
    for (size_t i = 0; i < defaults.count && !plain_selector_is_empty(&selector); i++) {
        plain_constraint *constraint = &r->result->constraints[r->result->summary.constraints];
        *constraint = (plain_constraint){.selector = selector, .shown = show(r, &defaults.items[i])};
        if (constraint->shown.hard == hard)
            r->result->summary.constraints++;
    }
}

/* No constraint of a sort is in force if one of them cannot be. */
static void fail(run *r, size_t constraints, ks_code *code)
{
    r->result->summary.constraints = constraints;
    *code = KS_ERROR;
}

static void take_constraints(run *r)
{
    enum { MANY = 16 };
    r->result->constraints = random_take(r->arena, MANY * sizeof(plain_constraint));
    if (!(r->cluster->gates & KS_GATE_POD_TOPOLOGY_SPREAD))
        return;
    bool own = r->pod->spec.topology_spread_constraints.count > 0;
    if (!own)
        take_defaults(r, true);
    else if (!take_own(r, true))
        fail(r, 0, &r->result->summary.pre_filter);
    r->hard = r->result->summary.constraints;
    if (!own)
        take_defaults(r, false);
    else if (!take_own(r, false))
        fail(r, r->hard, &r->result->summary.pre_score);
    r->result->summary.defaulted = !own && r->result->summary.constraints > 0;
    r->system_soft = !own && plain_is_system(r->cluster->defaults);
    for (size_t c = 0; c < r->result->summary.constraints; c++) {
        plain_constraint *constraint = &r->result->constraints[c];
        constraint->shown.matches_self =
            plain_selector_matches(&constraint->selector, &r->pod->metadata.labels);
    }
}

/* ---- counting ---- */

static bool stands_on(const ks_pod *pod, ks_str node_name)
{
    return pod->spec.node_name.len > 0 && ks_str_eq(pod->spec.node_name, node_name) &&
           !ks_str_eq(pod->status.phase, KS_STR("Succeeded")) &&
           !ks_str_eq(pod->status.phase, KS_STR("Failed"));
}

static int64_t count_on(const run *r, const plain_constraint *constraint, const ks_node *node)
{
    int64_t count = 0;
    if (plain_selector_is_empty(&constraint->selector))
        return 0;
    for (size_t i = 0; i < r->cluster->of[KS_POD].count; i++) {
        const ks_pod *pod = &r->cluster->of[KS_POD].items[i]->pod;
        count += stands_on(pod, node->metadata.name) && pod->metadata.deletion_timestamp.len == 0 &&
                 plain_same_namespace(&pod->metadata, &r->pod->metadata) &&
                 plain_selector_matches(&constraint->selector, &pod->metadata.labels);
    }
    return count;
}

/* The first key of the constraint's sort that the node lacks, or an absent string. */
static ks_str missing_key(const run *r, size_t c, const ks_node *node)
{
    bool hard = r->result->constraints[c].shown.hard;
    size_t from = hard ? 0 : r->hard, to = hard ? r->hard : r->result->summary.constraints;
    for (size_t i = from; i < to; i++) {
        ks_str value, key = r->result->constraints[i].shown.topology_key;
        if (!plain_label(&node->metadata.labels, key, &value))
            return key;
    }
    return (ks_str){0};
}

/* Each node's own pods are what it counts. */
static bool is_by_node(const ks_spread_constraint *shown)
{
    return !shown->hard && ks_str_eq(shown->topology_key, HOSTNAME);
}

static ks_exclusion judge(const run *r, size_t c, const ks_node *node, ks_str *detail)
{
    const ks_spread_constraint *shown = &r->result->constraints[c].shown;
    *detail = (ks_str){0};
    if (shown->hard || !r->system_soft)
        *detail = missing_key(r, c, node);
    if (detail->data)
        return KS_EXCLUDED_KEY;
    if (is_by_node(shown))
        return KS_COUNTED;
    if (shown->honors_affinity && !plain_affinity_matches(&r->pod->spec, node))
        return KS_EXCLUDED_AFFINITY;
    const ks_taint *taint = shown->honors_taints ? plain_untolerated(&r->pod->spec, node) : NULL;
    if (!taint)
        return KS_COUNTED;
    *detail = taint->key;
    return KS_EXCLUDED_TAINT;
}

/* A node without the label, where that is allowed, is in the domain of the empty value. */
static ks_str value_of(const ks_node *node, ks_str key)
{
    ks_str value = KS_STR("");
    plain_label(&node->metadata.labels, key, &value);
    return value;
}

static ks_spread_domain *find_domain(const plain_constraint *constraint, ks_str value)
{
    for (size_t d = 0; d < constraint->shown.domains; d++)
        if (ks_str_eq(constraint->domains[d].value, value))
            return &constraint->domains[d];
    return NULL;
}

static ks_spread_domain *insert_domain(plain_constraint *constraint, ks_str value)
{
    size_t d = constraint->shown.domains++;
    for (; d > 0 && ks_str_cmp(constraint->domains[d - 1].value, value) > 0; d--)
        constraint->domains[d] = constraint->domains[d - 1];
    constraint->domains[d] = (ks_spread_domain){.value = value};
    return &constraint->domains[d];
}

/* With fewer domains than minDomains, which is at least 1, the minimum is 0. */
static int64_t minimum_of(const plain_constraint *constraint)
{
    if (!constraint->shown.hard || (int64_t)constraint->shown.domains < constraint->shown.min_domains)
        return 0;
    int64_t minimum = INT64_MAX;
    for (size_t d = 0; d < constraint->shown.domains; d++)
        if (constraint->domains[d].matching < minimum)
            minimum = constraint->domains[d].matching;
    return minimum;
}

static void count(run *r, size_t c)
{
    plain_constraint *constraint = &r->result->constraints[c];
    size_t nodes = r->cluster->of[KS_NODE].count;
    bool by_node = is_by_node(&constraint->shown);
    constraint->domains = random_take(r->arena, nodes * sizeof *constraint->domains);
    for (size_t n = 0; n < nodes; n++) {
        const ks_node *node = node_at(r, n);
        ks_str key = constraint->shown.topology_key, value, detail;
        if (judge(r, c, node, &detail) != KS_COUNTED ||
            (by_node && !plain_label(&node->metadata.labels, key, &value)))
            continue;
        value = value_of(node, key);
        ks_spread_domain *domain = by_node ? NULL : find_domain(constraint, value);
        if (!domain)
            domain = insert_domain(constraint, value);
        domain->matching += count_on(r, constraint, node);
        domain->nodes++;
    }
    constraint->shown.minimum = minimum_of(constraint);
}

/* ---- filtering ---- */

static ks_spread_numbers number(const run *r, size_t c, const ks_node *node)
{
    const plain_constraint *constraint = &r->result->constraints[c];
    const ks_spread_constraint *shown = &constraint->shown;
    ks_spread_numbers numbers = {
        .self = shown->matches_self, .minimum = shown->minimum, .max_skew = shown->max_skew};
    numbers.exclusion = judge(r, c, node, &numbers.detail);
    numbers.has_key = plain_label(&node->metadata.labels, shown->topology_key, &numbers.domain);
    if (!numbers.has_key)
        return numbers;
    const ks_spread_domain *domain = find_domain(constraint, numbers.domain);
    if (is_by_node(shown))
        numbers.matching = count_on(r, constraint, node);
    else if (domain)
        numbers.matching = domain->matching;
    return numbers;
}

static ks_node_result refuse(ks_node_result result, ks_code code, const char *reason)
{
    result.code = code;
    result.plugin = KS_STR("PodTopologySpread");
    result.reason = ks_str_of(reason);
    return result;
}

static ks_node_result filter(const run *r, const ks_node *node)
{
    ks_node_result result = {.name = node->metadata.name, .code = KS_SUCCESS};
    for (size_t c = 0; c < r->hard; c++) {
        ks_spread_numbers numbers = number(r, c, node);
        if (!numbers.has_key)
            return refuse(result, KS_UNSCHEDULABLE_AND_UNRESOLVABLE,
                          "node(s) didn't match pod topology spread constraints (missing required label)");
        if (numbers.matching + numbers.self - numbers.minimum > numbers.max_skew)
            return refuse(result, KS_UNSCHEDULABLE, "node(s) didn't match pod topology spread constraints");
    }
    return result;
}

/* ---- scoring ---- */

static bool passed(const run *r, size_t n)
{
    return r->result->nodes[n].result.code == KS_SUCCESS;
}

static bool ignored(const run *r, size_t n)
{
    return !r->system_soft && missing_key(r, r->hard, node_at(r, n)).data;
}

/* Whether an earlier node that passed has the same value of a key. */
static bool seen_before(const run *r, size_t n, ks_str key)
{
    for (size_t i = 0; i < n; i++)
        if (passed(r, i) && !ignored(r, i) &&
            ks_str_eq(value_of(node_at(r, i), key), value_of(node_at(r, n), key)))
            return true;
    return false;
}

/* ln(domains + 2), over the nodes that passed and are not ignored; each node is one of hostname's. */
static double weight_of(const run *r, ks_str key)
{
    size_t domains = 0;
    for (size_t n = 0; n < r->cluster->of[KS_NODE].count; n++)
        if (passed(r, n) && !ignored(r, n))
            domains += ks_str_eq(key, HOSTNAME) || !seen_before(r, n, key);
    return log((double)(domains + 2));
}

static int64_t raw_score(const run *r, size_t n, const double *weights)
{
    double score = 0;
    for (size_t c = r->hard; c < r->result->summary.constraints; c++) {
        const ks_spread_numbers *numbers = &r->result->nodes[n].numbers[c];
        if (numbers->has_key)
            score += (double)numbers->matching * weights[c] + (double)(numbers->max_skew - 1);
    }
    return (int64_t)round(score);
}

static void normalize(const run *r, int64_t *scores)
{
    int64_t min = INT64_MAX, max = 0;
    size_t nodes = r->cluster->of[KS_NODE].count;
    for (size_t n = 0; n < nodes; n++) {
        if (!passed(r, n) || ignored(r, n))
            continue;
        min = scores[n] < min ? scores[n] : min;
        max = scores[n] > max ? scores[n] : max;
    }
    for (size_t n = 0; n < nodes; n++) {
        if (!passed(r, n) || ignored(r, n))
            scores[n] = 0;
        else
            scores[n] = max == 0 ? 100 : 100 * (max + min - scores[n]) / max;
    }
}

static void score(run *r)
{
    size_t nodes = r->cluster->of[KS_NODE].count, constraints = r->result->summary.constraints;
    if (r->hard == constraints || r->result->summary.pre_score != KS_SUCCESS)
        return;
    double *weights = random_take(r->arena, constraints * sizeof *weights);
    for (size_t c = r->hard; c < constraints; c++)
        weights[c] = weight_of(r, r->result->constraints[c].shown.topology_key);
    int64_t *scores = random_take(r->arena, nodes * sizeof *scores);
    for (size_t n = 0; n < nodes; n++)
        scores[n] = raw_score(r, n, weights);
    normalize(r, scores);
    for (size_t n = 0; n < nodes; n++) {
        r->result->nodes[n].scored = passed(r, n);
        r->result->nodes[n].result.score = scores[n] * r->cluster->weight;
    }
}

/* ---- all together ---- */

static void begin(run *r, plain_result *out, const plain_cluster *cluster, const ks_pod *pod, ks_arena *arena)
{
    *out = (plain_result){.summary.nodes = cluster->of[KS_NODE].count};
    *r = (run){.cluster = cluster, .pod = pod, .arena = arena, .result = out};
    take_constraints(r);
    for (size_t c = 0; c < out->summary.constraints; c++)
        count(r, c);
}

void plain_run(plain_result *out, const plain_cluster *cluster, const ks_pod *pod, ks_arena *arena)
{
    run r;
    begin(&r, out, cluster, pod, arena);
    out->nodes = random_take(arena, out->summary.nodes * sizeof *out->nodes);
    for (size_t n = 0; n < out->summary.nodes; n++) {
        const ks_node *node = node_at(&r, n);
        out->nodes[n].result = filter(&r, node);
        out->summary.feasible += passed(&r, n);
        out->nodes[n].numbers = random_take(arena, out->summary.constraints * sizeof(ks_spread_numbers));
        for (size_t c = 0; c < out->summary.constraints; c++)
            out->nodes[n].numbers[c] = number(&r, c, node);
    }
    if (out->summary.feasible == 0)
        out->summary.pre_score = KS_SKIP;
    score(&r);
}

/* Terminating pods count here, and an empty selector matches. */
static void shift(run *r, const ks_node *node, const ks_pod *pod, int64_t by)
{
    if (!plain_same_namespace(&pod->metadata, &r->pod->metadata))
        return;
    for (size_t c = 0; c < r->hard; c++) {
        plain_constraint *constraint = &r->result->constraints[c];
        ks_str detail;
        if (judge(r, c, node, &detail) == KS_COUNTED &&
            plain_selector_matches(&constraint->selector, &pod->metadata.labels))
            find_domain(constraint, value_of(node, constraint->shown.topology_key))->matching += by;
    }
}

ks_node_result plain_what_if(const plain_cluster *cluster, const ks_pod *pod, size_t node,
                             const ks_what_if *change, ks_arena *arena)
{
    run r;
    plain_result result;
    begin(&r, &result, cluster, pod, arena);
    for (size_t i = 0; i < change->added_count; i++)
        shift(&r, node_at(&r, node), change->added[i], 1);
    for (size_t i = 0; i < change->removed_count; i++)
        shift(&r, node_at(&r, node), change->removed[i], -1);
    for (size_t c = 0; c < r.hard; c++)
        result.constraints[c].shown.minimum = minimum_of(&result.constraints[c]);
    return filter(&r, node_at(&r, node));
}
