// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/helpers.h"

int ks_no_pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    (void)state;
    (void)cycle;
    (void)nodes;
    (void)err;
    *out = (ks_status){.code = KS_SKIP};
    return KS_OK;
}

void ks_no_score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)state;
    (void)nodes;
    (void)scores;
}

void ks_no_release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    (void)state;
}

void ks_no_filter(void *state, ks_nodeset *nodes)
{
    (void)state;
    (void)nodes;
}

ks_status ks_no_judge(const void *state, uint32_t node, size_t nth)
{
    (void)state;
    (void)node;
    (void)nth;
    return (ks_status){.code = KS_SUCCESS};
}

ks_status ks_no_what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)state;
    (void)node;
    (void)change;
    (void)nth;
    return (ks_status){.code = KS_SUCCESS};
}

int ks_no_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
               const ks_object *after, ks_error *err)
{
    (void)out;
    (void)cluster;
    (void)pending;
    (void)before;
    (void)after;
    (void)err;
    return KS_OK;
}

static double highest_of(const ks_nodeset *nodes, const double *scores)
{
    double highest = 0;
    for (uint32_t word = 0; word < nodes->nwords; word++)
        for (uint64_t left = nodes->words[word]; left; left &= left - 1) {
            double score = scores[word * 64 + (uint32_t)__builtin_ctzll(left)];
            highest = score > highest ? score : highest;
        }
    return highest;
}

/* Doubles divide whole numbers exactly enough that dropping the fraction gives what integers would. */
void ks_scores_normalize(double *scores, uint32_t count, const ks_nodeset *nodes, bool reverse)
{
    double highest = highest_of(nodes, scores);
    double from = reverse ? KS_SCORE_MAX : 0, sign = reverse ? -1 : 1;
    if (highest == 0) {
        for (uint32_t i = 0; i < count; i++)
            scores[i] = from;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        double share = KS_SCORE_MAX * scores[i] / highest;
        scores[i] = from + sign * (double)(int32_t)(share < INT32_MAX ? share : 0);
    }
}

bool ks_pods_are_same(const ks_pod *a, const ks_pod *b)
{
    if (a->metadata.uid.len && b->metadata.uid.len)
        return ks_str_eq(a->metadata.uid, b->metadata.uid);
    return ks_str_eq(a->metadata.name, b->metadata.name) &&
           ks_str_eq(ks_namespace_or_default(a->metadata.namespace_),
                     ks_namespace_or_default(b->metadata.namespace_));
}

bool ks_event_adds_toleration(const ks_pod *pending, const ks_object *before, const ks_object *after)
{
    return before && after && after->kind == KS_POD && ks_pods_are_same(pending, &after->pod) &&
           before->pod.spec.tolerations.count != after->pod.spec.tolerations.count;
}
