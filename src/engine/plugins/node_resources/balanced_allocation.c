// SPDX-License-Identifier: Apache-2.0
/* NodeResourcesBalancedAllocation: nodes whose resources the pod would fill more evenly come first. */
#include "engine/plugins/node_resources/outlook.h"

/* It has no say in filtering, and so is not asked for more of it. */
static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    return ks_outlook_begin(state, cycle, err);
}

static int hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
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

/* Pods that ask for nothing would all go to the same node (kubernetes/kubernetes#129138). */
static bool asks_for_nothing(const ks_outlook *outlook)
{
    for (size_t i = 0; i < outlook->balanced_lanes.count; i++)
        if (outlook->balanced_lanes.items[i].asked != 0)
            return false;
    return true;
}

static int pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    (void)cycle;
    (void)nodes;
    (void)err;
    const ks_outlook_state *outlook = state;
    *out = (ks_status){.code = asks_for_nothing(outlook->outlook) ? KS_SKIP : KS_SUCCESS};
    return KS_OK;
}

static void score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const ks_outlook_state *outlook = state;
    ks_outlook_read(outlook, outlook->outlook->balanced_scores, scores);
}

const ks_plugin ks_node_resources_balanced_allocation = {
    .name = "NodeResourcesBalancedAllocation",
    .pre_filter = pre_filter,
    .pre_score = pre_score,
    .score = score,
    .normalize = ks_outlook_normalize,
    .hint = hint,
    .release = ks_outlook_release,
};
