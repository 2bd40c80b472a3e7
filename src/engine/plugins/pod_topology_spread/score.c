// SPDX-License-Identifier: Apache-2.0
/* Soft constraints: which of the nodes that passed suit the pod best. */
#include "engine/plugins/pod_topology_spread/plan.h"
#include <float.h>
#include <math.h>

enum { SCORE_MAX = 100 };

typedef struct ks_soft_state {
    ks_nodeset scored; /* the nodes that passed and are not ignored for want of a key */
    double *weight;    /* by term */
    double *by_domain; /* of the term at hand */
    uint32_t nodes;    /* length of columns: all nodes there are */
} soft_state;

bool ks_term_is_hostname(const ks_term *term)
{
    return ks_str_eq(ks_topology_key(term->topology), KS_STR("kubernetes.io/hostname"));
}

/* ---- PreScore ---- */

/* Domains with a node to be scored. Under the system's defaults nodes without the key are scored, too,
 * and upstream takes them for a domain with the empty value. */
static uint32_t count_domains(const ks_topology *topology, const ks_nodeset *scored)
{
    uint32_t domains = 0;
    for (size_t i = 1; i < topology->domains.count; i++)
        domains += ks_domain_intersects(&topology->domains.items[i], scored);
    bool unlabelled = false;
    for (uint32_t i = 0; i < scored->nwords && !unlabelled; i++)
        unlabelled = scored->words[i] & ~topology->has.words[i];
    return domains + (unlabelled || ks_domain_intersects(&topology->domains.items[0], scored));
}

/* A topology's weight, so that the counts of keys with few domains are not drowned by those with many. */
static double term_weight(const ks_term *term, const ks_nodeset *scored)
{
    uint32_t domains = term->counter ? count_domains(term->topology, scored) : ks_nodeset_count(scored);
    return log((double)domains + 2);
}

static soft_state *make_soft_state(const ks_terms *soft, ks_cycle *cycle)
{
    uint32_t cap = cycle->cluster->node_cap;
    size_t domains = 0;
    for (size_t i = 0; i < soft->count; i++)
        if (soft->items[i].topology->domains.count > domains)
            domains = soft->items[i].topology->domains.count;
    soft_state *state = ks_arena_get_zeroed(&cycle->arena, sizeof *state);
    uint64_t *words = ks_arena_get(&cycle->arena, cap / 64 * sizeof *words);
    double *numbers = ks_arena_get(&cycle->arena, (soft->count + domains) * sizeof *numbers);
    if (!state || !words || !numbers)
        return NULL;
    *state = (soft_state){
        .scored = {words, cap / 64},
        .weight = numbers,
        .by_domain = numbers + soft->count,
        .nodes = (uint32_t)cycle->cluster->nodes.rows.count,
    };
    return state;
}

int ks_spread_pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    ks_spread_state *spread = state;
    *out = (ks_status){.code = KS_SKIP};
    if (!spread)
        return KS_OK;
    const ks_terms *soft = &spread->plan->soft;
    if (soft->status.code == KS_ERROR)
        *out = soft->status;
    if (soft->count == 0)
        return KS_OK;
    soft_state *made = make_soft_state(soft, cycle);
    if (!made)
        return ks_fail_nomem(err);
    ks_nodeset_copy(&made->scored, nodes);
    for (size_t i = 0; i < soft->count && !spread->plan->lenient; i++)
        ks_nodeset_and(&made->scored, &soft->items[i].topology->has);
    for (size_t i = 0; i < soft->count; i++)
        made->weight[i] = term_weight(&soft->items[i], &made->scored);
    spread->soft = made;
    out->code = KS_SUCCESS;
    return KS_OK;
}

/* ---- Score ----
 *
 * Columns are worked through from the first node to the last without asking which of them are scored:
 * that is far quicker than picking them out, and what lands in the others' places is never read. */

/* maxSkew - 1 waters differences down: the larger the tolerated skew, the less they weigh. */
static double score_for_count(uint32_t count, const ks_term *term, double weight)
{
    return (double)count * weight + ((double)term->max_skew - 1);
}

static void add_domain_term(double *scores, const ks_term *term, double weight, const ks_spread_state *spread)
{
    const ks_topology *topology = term->topology;
    const uint32_t *domain_of = topology->domain_of;
    double *by_domain = spread->soft->by_domain;
    for (size_t i = 0; i < topology->domains.count; i++)
        by_domain[i] = score_for_count(term->counter->matching[i], term, weight);
    for (uint32_t node = 0; node < spread->soft->nodes; node++)
        if (!spread->plan->lenient || ks_nodeset_has(&topology->has, node))
            scores[node] += by_domain[domain_of[node]];
}

static void add_hostname_term(double *scores, const ks_term *term, double weight,
                              const ks_spread_state *spread)
{
    const uint32_t *on_node = term->matcher->on_node;
    for (uint32_t node = 0; node < spread->soft->nodes; node++)
        if (!spread->plan->lenient || ks_nodeset_has(&term->topology->has, node))
            scores[node] += score_for_count(on_node[node], term, weight);
}

/* To whole numbers, halves away from zero, as Go's math.Round. Adding and taking away 2^52 rounds a double
 * to even; written so, the compiler does it for several at once. No score of a valid pod is negative. */
static void round_scores(double *scores, uint32_t count)
{
    const double shift = 0x1p52;
    for (uint32_t i = 0; i < count; i++) {
        double even = scores[i] + shift - shift;
        scores[i] = even + (scores[i] - even >= 0.5 ? 1.0 : 0.0);
    }
}

void ks_spread_score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const ks_spread_state *spread = state;
    const ks_terms *soft = &spread->plan->soft;
    memset(scores, 0, spread->soft->nodes * sizeof *scores);
    for (size_t i = 0; i < soft->count; i++) {
        if (soft->items[i].counter)
            add_domain_term(scores, &soft->items[i], spread->soft->weight[i], spread);
        else
            add_hostname_term(scores, &soft->items[i], spread->soft->weight[i], spread);
    }
    round_scores(scores, spread->soft->nodes);
}

/* ---- NormalizeScore ---- */

typedef struct range {
    double lowest, highest;
} range;

static range range_of(const ks_nodeset *nodes, const double *scores)
{
    double lowest = DBL_MAX, highest = 0;
    for (uint32_t word = 0; word < nodes->nwords; word++)
        for (uint64_t left = nodes->words[word]; left; left &= left - 1) {
            double score = scores[word * 64 + (uint32_t)__builtin_ctzll(left)];
            lowest = score < lowest ? score : lowest;
            highest = score > highest ? score : highest;
        }
    return (range){lowest, highest};
}

/* 100 x (highest + lowest - score) / highest, without the fraction. Doubles do it exactly as long as the
 * dividend is below 2^53: scores are the size of the number of pods. */
static void normalize_scores(double *scores, uint32_t count, range r)
{
    const double shift = 0x1p52, both = r.highest + r.lowest;
    for (uint32_t i = 0; i < count; i++) {
        double quotient = SCORE_MAX * (both - scores[i]) / r.highest;
        double even = quotient + shift - shift;
        scores[i] = even - (even > quotient ? 1.0 : 0.0);
    }
}

void ks_spread_normalize(void *state, const ks_nodeset *nodes, double *scores)
{
    const soft_state *soft = ((const ks_spread_state *)state)->soft;
    range r = range_of(&soft->scored, scores);
    if (r.highest > 0)
        normalize_scores(scores, soft->nodes, r);
    for (uint32_t node = 0; r.highest == 0 && node < soft->nodes; node++)
        scores[node] = SCORE_MAX;
    for (uint32_t word = 0; word < nodes->nwords; word++)
        for (uint64_t left = nodes->words[word] & ~soft->scored.words[word]; left; left &= left - 1)
            scores[word * 64 + (uint32_t)__builtin_ctzll(left)] = 0;
}
