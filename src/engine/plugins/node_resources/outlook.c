// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/node_resources/outlook.h"

/* ---- one node ---- */

static inline bool fits_node(const ks_outlook *outlook, const ks_usage *usage, uint32_t node)
{
    const ks_amounts *asked = &outlook->demand->asked;
    bool fits = true;
    for (int base = 0; base < KS_BASE_RESOURCES; base++) {
        int64_t left = ks_wrapping_sub(usage->allocatable.of[base], usage->requested.of[base]);
        fits &= asked->of[base] <= 0 || asked->of[base] <= left;
    }
    for (size_t i = 0; i < outlook->checked.count; i++) {
        const ks_scalar_usage *scalar = &outlook->checked.items[i].scalar->usage[node];
        fits &= outlook->checked.items[i].asked <= ks_wrapping_sub(scalar->allocatable, scalar->requested);
    }
    return fits;
}

/* Only amounts beyond 64 bits lead out of the range; kube-scheduler then refuses to score the pod. */
static inline uint8_t within_range(int64_t score)
{
    return (uint8_t)(score < 0 ? 0 : score > 100 ? 100 : score);
}

static inline void rate_node(ks_outlook *outlook, const ks_usage *usage, uint32_t node)
{
    outlook->fit_scores[node] = within_range(outlook->strategy(outlook, usage, node));
    outlook->balanced_scores[node] = within_range(ks_balanced_score(outlook, usage, node));
}

static void update_node(ks_outlook *outlook, const ks_ledger *ledger, uint32_t node)
{
    const ks_usage *usage = &ledger->usage[node];
    if (fits_node(outlook, usage, node))
        ks_nodeset_add(&outlook->fits, node);
    else
        ks_nodeset_del(&outlook->fits, node);
    rate_node(outlook, usage, node);
}

/* ---- all of them ---- */

static void free_columns(ks_cluster *cluster, ks_outlook *outlook)
{
    ks_nodeset_free(&outlook->fits, &cluster->counting);
    ks_alloc_free(&cluster->counting, outlook->fit_scores, (size_t)outlook->cap * 2);
    outlook->fit_scores = NULL;
    outlook->cap = 0;
    outlook->filled = false;
}

/* Room for all nodes there can be; everything is worked out anew. */
static bool make_columns(ks_cluster *cluster, ks_outlook *outlook)
{
    uint32_t cap = cluster->node_cap;
    free_columns(cluster, outlook);
    if (!ks_nodeset_resize(&outlook->fits, &cluster->counting, cap))
        return false;
    outlook->fit_scores = ks_alloc_get(&cluster->counting, (size_t)cap * 2);
    if (!outlook->fit_scores)
        return false;
    outlook->balanced_scores = outlook->fit_scores + cap;
    outlook->cap = cap;
    return true;
}

static void fill(ks_outlook *outlook, const ks_ledger *ledger)
{
    for (uint32_t node = 0; node < outlook->cap; node++)
        update_node(outlook, ledger, node);
}

static void replay(ks_outlook *outlook, const ks_ledger *ledger)
{
    for (uint64_t change = outlook->seen; change < ledger->changes_end; change++)
        update_node(outlook, ledger, ks_ledger_changed(ledger, change));
}

static bool refresh(ks_cluster *cluster, ks_outlook *outlook)
{
    const ks_ledger *ledger = &cluster->ledger;
    if (outlook->cap < cluster->node_cap && !make_columns(cluster, outlook))
        return false;
    bool follows = outlook->filled && outlook->seen >= ledger->changes_begin &&
                   ledger->changes_end - outlook->seen <= outlook->cap / 2;
    if (follows)
        replay(outlook, ledger);
    else
        fill(outlook, ledger);
    outlook->seen = ledger->changes_end;
    outlook->filled = true;
    return true;
}

/* ---- outlooks ---- */

static bool has_str(const ks_strs *list, ks_str wanted)
{
    for (size_t i = 0; i < list->count; i++)
        if (ks_str_eq(list->items[i], wanted))
            return true;
    return false;
}

static bool is_ignored(const ks_fit_args *args, const ks_scalar *scalar)
{
    ks_str name = ks_scalar_name(scalar), group = name;
    const char *slash = memchr(name.data, '/', name.len);
    if (slash)
        group.len = (size_t)(slash - name.data);
    return scalar->extended &&
           (has_str(&args->ignored_resources, name) || has_str(&args->ignored_resource_groups, group));
}

static bool list_checked(ks_outlook *outlook)
{
    const ks_demand *demand = outlook->demand;
    outlook->checked.items =
        ks_arena_get(&outlook->arena, demand->scalars_count * sizeof *outlook->checked.items);
    for (size_t i = 0; outlook->checked.items && i < demand->scalars_count; i++)
        if (demand->scalars[i].asked != 0 && !is_ignored(outlook->args, demand->scalars[i].scalar))
            outlook->checked.items[outlook->checked.count++] = demand->scalars[i];
    return outlook->checked.items != NULL;
}

static void free_outlook(ks_cluster *cluster, ks_outlook *outlook)
{
    free_columns(cluster, outlook);
    ks_arena_free(&outlook->arena);
    ks_alloc_free(&cluster->counting, outlook, sizeof *outlook);
}

static ks_outlook *make_outlook(ks_cluster *cluster, ks_demand *demand)
{
    ks_outlook *outlook = ks_alloc_get_zeroed(&cluster->counting, sizeof *outlook);
    if (!outlook)
        return NULL;
    ks_arena_init(&outlook->arena, &cluster->counting);
    outlook->demand = demand;
    outlook->args = &cluster->profile.fit;
    outlook->strategy = ks_strategy_find(outlook->args->strategy_type);
    if (!list_checked(outlook) ||
        !ks_lanes_for_fit(&outlook->fit_lanes, outlook, &outlook->args->resources, &outlook->arena) ||
        !ks_lanes_for_balanced(&outlook->balanced_lanes, outlook, &cluster->profile.balanced.resources,
                               &outlook->arena)) {
        free_outlook(cluster, outlook);
        return NULL;
    }
    return outlook;
}

/* ---- plans ---- */

typedef struct outlook_plan {
    ks_plan_head head;
    ks_outlook *outlook;
} outlook_plan;

static int compile_plan(ks_cluster *cluster, ks_plan_head *head, ks_error *err)
{
    ks_demand *demand = head->spec->demand;
    if (!demand->outlook && !(demand->outlook = make_outlook(cluster, demand)))
        return ks_fail_nomem(err);
    ((outlook_plan *)head)->outlook = demand->outlook;
    demand->outlook->refs++;
    return KS_OK;
}

static void release_plan(ks_cluster *cluster, ks_plan_head *head)
{
    ks_outlook *outlook = ((outlook_plan *)head)->outlook;
    if (!outlook || --outlook->refs > 0)
        return;
    outlook->demand->outlook = NULL;
    free_outlook(cluster, outlook);
}

static const ks_plan_kind kind = {
    .size = sizeof(outlook_plan),
    .compile = compile_plan,
    .release = release_plan,
};

/* ---- cycles ---- */

int ks_outlook_begin(void **state, ks_cycle *cycle, ks_error *err)
{
    ks_outlook_state *begun = ks_arena_get_zeroed(&cycle->arena, sizeof *begun);
    if (!begun)
        return ks_fail_nomem(err);
    int code = ks_plan_cache_get(&begun->plan, cycle->cluster, &kind, NULL, cycle->spec, err);
    if (code != KS_OK)
        return code;
    *state = begun;
    begun->outlook = ((outlook_plan *)begun->plan)->outlook;
    begun->cluster = cycle->cluster;
    return refresh(cycle->cluster, begun->outlook) ? KS_OK : ks_fail_nomem(err);
}

void ks_outlook_release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    if (state)
        ks_plan_cache_unref(((ks_outlook_state *)state)->plan);
}

void ks_outlook_read(const ks_outlook_state *state, const uint8_t *column, double *scores)
{
    size_t count = state->cluster->nodes.rows.count;
    for (size_t i = 0; i < count; i++)
        scores[i] = column[i];
}

void ks_outlook_normalize(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)state;
    (void)nodes;
    (void)scores;
}
