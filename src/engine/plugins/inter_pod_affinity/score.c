// SPDX-License-Identifier: Apache-2.0
/* Preferred terms, the pod's own and other pods', and other pods' required affinity: which of the nodes
 * that passed suit the pod best. Each pod that a term means, or that carries one that means this pod, adds
 * the term's weight to all nodes of its domain. */
#include "engine/plugins/helpers.h"
#include "engine/plugins/inter_pod_affinity/plan.h"
#include <float.h>

/* ---- PreScore ---- */

static bool prefers(const ks_affinity_state *affinity)
{
    return affinity->plan->preferred.count > 0;
}

static bool any_pods(const ks_affinity_plan *plan)
{
    for (size_t i = 0; i < plan->scored.count; i++)
        if (plan->scored.items[i].tally->total > 0)
            return true;
    return false;
}

static size_t most_domains(const ks_affinity_plan *plan)
{
    size_t most = 0;
    for (size_t i = 0; i < plan->scored.count; i++)
        if (plan->scored.items[i].tally->topology->domains.count > most)
            most = plan->scored.items[i].tally->topology->domains.count;
    return most;
}

static int fail_fault(ks_status *out, const ks_affinity_plan *plan, ks_cycle *cycle, ks_error *err)
{
    ks_error text = {0};
    ks_error_set(&text, KS_EINVAL, "failed to parse pod: %.*s", KS_STR_ARG(plan->fault));
    out->code = KS_ERROR;
    return ks_arena_copy_str(&cycle->arena, &out->message, ks_str_of(text.message)) ? KS_OK
                                                                                    : ks_fail_nomem(err);
}

int ks_affinity_pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes,
                          ks_error *err)
{
    (void)nodes;
    ks_affinity_state *affinity = state;
    *out = (ks_status){.code = KS_SKIP};
    if (!affinity)
        return KS_OK;
    const ks_inter_pod_affinity_args *args = &cycle->cluster->profile.inter_pod_affinity;
    if (affinity->plan->fault.data)
        return fail_fault(out, affinity->plan, cycle, err);
    if ((args->ignore_preferred_terms_of_existing_pods && !prefers(affinity)) || !any_pods(affinity->plan))
        return KS_OK;
    affinity->by_domain =
        ks_arena_get(&cycle->arena, most_domains(affinity->plan) * sizeof *affinity->by_domain);
    if (!affinity->by_domain)
        return ks_fail_nomem(err);
    out->code = KS_SUCCESS;
    return KS_OK;
}

/* ---- Score ----
 *
 * As in PodTopologySpread, columns are worked through without asking which nodes are scored. */

static void add_tally(double *by_domain, const ks_weighed_tally *weighed, size_t domains)
{
    const uint32_t *pods = weighed->tally->pods;
    double weight = weighed->weight;
    for (size_t i = 0; i < domains; i++)
        by_domain[i] += weight * (double)(int32_t)pods[i]; /* signed ones convert several at a time */
}

/* Nodes without the key stand in the domain of the empty value but have no share in it. */
static void take_from_unlabelled(double *scores, const ks_topology *topology, uint32_t nodes, double score)
{
    for (uint32_t node = 0; node < nodes; node++)
        if (!ks_nodeset_has(&topology->has, node))
            scores[node] -= score;
}

static void add_domains(double *scores, const double *by_domain, const ks_topology *topology, uint32_t nodes)
{
    const uint32_t *domain_of = topology->domain_of;
    for (uint32_t node = 0; node < nodes; node++)
        scores[node] += by_domain[domain_of[node]];
    if (by_domain[KS_DOMAIN_EMPTY_VALUE] != 0)
        take_from_unlabelled(scores, topology, nodes, by_domain[KS_DOMAIN_EMPTY_VALUE]);
}

void ks_affinity_score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const ks_affinity_state *affinity = state;
    const ks_affinity_plan *plan = affinity->plan;
    uint32_t count = (uint32_t)affinity->cluster->nodes.rows.count;
    memset(scores, 0, count * sizeof *scores);
    for (size_t i = 0; i < plan->scored.count;) {
        const ks_topology *topology = plan->scored.items[i].tally->topology;
        size_t domains = topology->domains.count;
        memset(affinity->by_domain, 0, domains * sizeof *affinity->by_domain);
        bool any = false;
        for (; i < plan->scored.count && plan->scored.items[i].tally->topology == topology; i++)
            if (plan->scored.items[i].tally->total > 0) {
                add_tally(affinity->by_domain, &plan->scored.items[i], domains);
                any = true;
            }
        if (any)
            add_domains(scores, affinity->by_domain, topology, count);
    }
}

/* ---- NormalizeScore ---- */

enum { WORD = 64 };

/* The lowest and the highest score, for each place in a word of nodes apart: so the compiler compares several
 * at once. */
typedef struct range {
    double lowest[WORD], highest[WORD];
} range;

static void widen_at(range *r, uint32_t place, double score)
{
    r->lowest[place] = score < r->lowest[place] ? score : r->lowest[place];
    r->highest[place] = score > r->highest[place] ? score : r->highest[place];
}

static void widen_by_word(range *r, uint64_t nodes, const double *scores)
{
    if (nodes == UINT64_MAX) /* as most are */
        for (uint32_t place = 0; place < WORD; place++)
            widen_at(r, place, scores[place]);
    else
        for (; nodes; nodes &= nodes - 1)
            widen_at(r, (uint32_t)__builtin_ctzll(nodes), scores[__builtin_ctzll(nodes)]);
}

static void range_of(double *lowest, double *highest, const ks_nodeset *nodes, const double *scores)
{
    range r;
    for (uint32_t place = 0; place < WORD; place++) {
        r.lowest[place] = DBL_MAX;
        r.highest[place] = -DBL_MAX;
    }
    for (uint32_t word = 0; word < nodes->nwords; word++)
        widen_by_word(&r, nodes->words[word], scores + (size_t)word * WORD);
    *lowest = DBL_MAX;
    *highest = -DBL_MAX;
    for (uint32_t place = 0; place < WORD; place++) {
        *lowest = r.lowest[place] < *lowest ? r.lowest[place] : *lowest;
        *highest = r.highest[place] > *highest ? r.highest[place] : *highest;
    }
}

/* 100 x ((score - lowest) / (highest - lowest)) in floating point, as upstream, without the fraction. */
void ks_affinity_normalize(void *state, const ks_nodeset *nodes, double *scores)
{
    uint32_t count = (uint32_t)((const ks_affinity_state *)state)->cluster->nodes.rows.count;
    double lowest, highest;
    range_of(&lowest, &highest, nodes, scores);
    if (!(highest > lowest)) {
        memset(scores, 0, count * sizeof *scores);
        return;
    }
    const double shift = 0x1p52, width = highest - lowest;
    for (uint32_t i = 0; i < count; i++) {
        double score = KS_SCORE_MAX * ((scores[i] - lowest) / width);
        double even = score + shift - shift;
        scores[i] = even - (even > score ? 1.0 : 0.0);
    }
}
