// SPDX-License-Identifier: Apache-2.0
/* NodeName: a pod that names its node goes there or nowhere. */
#include "engine/plugins/helpers.h"

typedef struct name_state {
    const ks_node_row *wanted; /* NULL: there is no such node */
} name_state;

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    ks_str name = cycle->pod->spec.node_name;
    if (name.len == 0)
        return KS_OK;
    name_state *made = ks_arena_get(&cycle->arena, sizeof *made);
    if (!made)
        return ks_fail_nomem(err);
    made->wanted = ks_node_find(cycle->cluster, name);
    *state = made;
    out->code = KS_SUCCESS;
    return KS_OK;
}

static bool is_wanted(const name_state *state, uint32_t node)
{
    return state->wanted && state->wanted->row.id == node;
}

static void filter(void *state, ks_nodeset *nodes)
{
    const ks_node_row *wanted = ((const name_state *)state)->wanted;
    bool passes = wanted && ks_nodeset_has(nodes, wanted->row.id);
    ks_nodeset_clear(nodes);
    if (passes)
        ks_nodeset_add(nodes, wanted->row.id);
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth;
    if (is_wanted(state, node))
        return (ks_status){.code = KS_SUCCESS};
    return (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE,
                       KS_STR("node(s) didn't match the requested node name"), false};
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)change;
    return judge(state, node, nth);
}

static int hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err)
{
    (void)cluster;
    (void)pending;
    (void)err;
    if (!before && after->kind == KS_NODE)
        *out = KS_HINT_QUEUE;
    return KS_OK;
}

const ks_plugin ks_node_name = {
    .name = "NodeName",
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
