// SPDX-License-Identifier: Apache-2.0
/* TaintToleration: NoSchedule and NoExecute taints keep off pods that do not tolerate them, PreferNoSchedule
 * ones make a node less welcome. */
#include "engine/plan_cache.h"
#include "engine/plugins/helpers.h"
#include "engine/rating.h"

typedef struct taint_plan {
    ks_plan_head head;
    ks_inclusion *tolerated;
    ks_rating *untolerated; /* PreferNoSchedule taints */
} taint_plan;

typedef struct taint_state {
    taint_plan *plan;
    uint32_t nodes; /* length of columns */
} taint_state;

static int compile_plan(ks_cluster *cluster, ks_plan_head *head, ks_error *err)
{
    taint_plan *plan = (taint_plan *)head;
    const ks_tolerations *tolerations = &head->spec->spec.tolerations;
    ks_inclusion like = {.honors_taints = true, .tolerations = *tolerations};
    plan->tolerated = ks_inclusion_get(cluster, &like);
    plan->untolerated = ks_rating_of_taints(cluster, tolerations);
    return plan->tolerated && plan->untolerated ? KS_OK : ks_fail_nomem(err);
}

static void release_plan(ks_cluster *cluster, ks_plan_head *head)
{
    ks_inclusion_unref(cluster, ((taint_plan *)head)->tolerated);
    ks_rating_unref(cluster, ((taint_plan *)head)->untolerated);
}

static const ks_plan_kind kind = {
    .size = sizeof(taint_plan),
    .compile = compile_plan,
    .release = release_plan,
};

/* ---- filtering ---- */

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SUCCESS};
    taint_state *made = ks_arena_get_zeroed(&cycle->arena, sizeof *made);
    if (!made)
        return ks_fail_nomem(err);
    ks_plan_head *head;
    int code = ks_plan_cache_get(&head, cycle->cluster, &kind, cycle->class_, cycle->spec, err);
    if (code != KS_OK)
        return code;
    *made = (taint_state){(taint_plan *)head, (uint32_t)cycle->cluster->nodes.rows.count};
    *state = made;
    return KS_OK;
}

static void release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    if (state)
        ks_plan_cache_unref(&((taint_state *)state)->plan->head);
}

static void filter(void *state, ks_nodeset *nodes)
{
    ks_nodeset_and(nodes, &((const taint_state *)state)->plan->tolerated->nodes);
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth;
    if (ks_nodeset_has(&((const taint_state *)state)->plan->tolerated->nodes, node))
        return (ks_status){.code = KS_SUCCESS};
    return (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, KS_STR("node(s) had untolerated taint(s)"), false};
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)change;
    return judge(state, node, nth);
}

/* ---- scoring ---- */

static int pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    (void)state;
    (void)cycle;
    (void)nodes;
    (void)err;
    *out = (ks_status){.code = KS_SUCCESS};
    return KS_OK;
}

static bool uniform(const void *state, double *score)
{
    *score = KS_SCORE_MAX;
    return ((const taint_state *)state)->plan->untolerated->rated == 0;
}

static void score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const taint_state *taints = state;
    memcpy(scores, taints->plan->untolerated->values, taints->nodes * sizeof *scores);
}

static void normalize(void *state, const ks_nodeset *nodes, double *scores)
{
    ks_scores_normalize(scores, ((const taint_state *)state)->nodes, nodes, true);
}

/* ---- events ---- */

static bool is_let_in(const ks_tolerations *tolerations, const ks_object *node)
{
    return node && !ks_untolerated_taint(&node->node.spec.taints, tolerations);
}

static int hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err)
{
    (void)cluster;
    (void)err;
    const ks_tolerations *tolerations = &pending->spec.tolerations;
    bool opens =
        after && after->kind == KS_NODE && is_let_in(tolerations, after) && !is_let_in(tolerations, before);
    if (opens || ks_event_adds_toleration(pending, before, after))
        *out = KS_HINT_QUEUE;
    return KS_OK;
}

const ks_plugin ks_taint_toleration = {
    .name = "TaintToleration",
    .pre_filter = pre_filter,
    .filter = filter,
    .judge = judge,
    .pre_score = pre_score,
    .uniform = uniform,
    .score = score,
    .normalize = normalize,
    .what_if = what_if,
    .hint = hint,
    .release = release,
};
