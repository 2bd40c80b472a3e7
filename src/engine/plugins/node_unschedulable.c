// SPDX-License-Identifier: Apache-2.0
/* NodeUnschedulable: nodes that are cordoned. Its state is the cluster. */
#include "engine/plugins/helpers.h"

/* The cordon stands for this taint: who tolerates it may come all the same. */
static bool tolerates_cordon(const ks_tolerations *tolerations)
{
    static const ks_taint cordon = {
        .key = {"node.kubernetes.io/unschedulable", sizeof "node.kubernetes.io/unschedulable" - 1},
        .effect = {"NoSchedule", sizeof "NoSchedule" - 1},
    };
    for (size_t i = 0; i < tolerations->count; i++)
        if (ks_toleration_tolerates(&tolerations->items[i], &cordon))
            return true;
    return false;
}

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    (void)err;
    ks_cluster *cluster = cycle->cluster;
    bool skips = ks_nodeset_next(&cluster->cordoned, 0) == KS_NODESET_END ||
                 tolerates_cordon(&cycle->spec->spec.tolerations);
    *out = (ks_status){.code = skips ? KS_SKIP : KS_SUCCESS};
    *state = cluster;
    return KS_OK;
}

static void filter(void *state, ks_nodeset *nodes)
{
    ks_nodeset_and_not(nodes, &((const ks_cluster *)state)->cordoned);
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth;
    if (!ks_nodeset_has(&((const ks_cluster *)state)->cordoned, node))
        return (ks_status){.code = KS_SUCCESS};
    return (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, KS_STR("node(s) were unschedulable"), false};
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)change;
    return judge(state, node, nth);
}

static bool is_opened(const ks_object *before, const ks_object *after)
{
    return after && after->kind == KS_NODE && !after->node.spec.unschedulable &&
           (!before || before->node.spec.unschedulable);
}

static int hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err)
{
    (void)cluster;
    (void)err;
    if (is_opened(before, after) ||
        (ks_event_adds_toleration(pending, before, after) && tolerates_cordon(&after->pod.spec.tolerations)))
        *out = KS_HINT_QUEUE;
    return KS_OK;
}

const ks_plugin ks_node_unschedulable = {
    .name = "NodeUnschedulable",
    .pre_filter = pre_filter,
    .filter = filter,
    .judge = judge,
    .pre_score = ks_no_pre_score,
    .score = ks_no_score,
    .normalize = ks_no_score,
    .what_if = what_if,
    .hint = hint,
    .release = ks_no_release,
};
