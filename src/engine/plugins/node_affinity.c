// SPDX-License-Identifier: Apache-2.0
/* NodeAffinity: a pod's nodeSelector and required node affinity filter, its preferred terms score. What the
 * profile adds to every pod's affinity comes on top of both. */
#include "engine/plan_cache.h"
#include "engine/plugins/helpers.h"
#include "engine/rating.h"
#include "model/fault.h"
#include <assert.h>

#define REASON_POD "node(s) didn't match Pod's node affinity/selector"
#define REASON_ENFORCED "node(s) didn't match scheduler-enforced node affinity"
#define REASON_CONFLICT "pod affinity terms conflict"

typedef struct affinity_plan {
    ks_plan_head head;
    ks_inclusion *enforced, *required; /* NULL: nothing is asked for */
    ks_rating *added, *preferred;      /* NULL: nothing is preferred */
    ks_status pre_score;               /* an error where a preferred term makes no sense */
} affinity_plan;

typedef struct affinity_state {
    const ks_cluster *cluster;
    const ks_spec *spec;
    affinity_plan *plan;
    uint32_t nodes;    /* length of columns */
    ks_nodeset *named; /* the nodes that the terms name, where each of them names some; NULL otherwise */
} affinity_state;

static const ks_node_affinity *affinity_of(const ks_pod_spec *spec)
{
    static const ks_node_affinity none = {0};
    return spec->affinity && spec->affinity->node_affinity ? spec->affinity->node_affinity : &none;
}

static const ks_node_affinity *added_affinity(const ks_cluster *cluster)
{
    static const ks_node_affinity none = {0};
    const ks_node_affinity *added = cluster->profile.node_affinity.added_affinity;
    return added ? added : &none;
}

/* ---- names ----
 *
 * Terms that ask for a node by name, as those of a DaemonSet's pods do, leave so few nodes that these are
 * looked at one by one; a living set for each such pod would cost far more. */

static bool is_name_field(const ks_selector_requirement *field)
{
    return ks_str_eq(field->key, KS_STR("metadata.name")) && ks_str_eq(field->op, KS_STR("In"));
}

static const ks_strs *first_names(const ks_node_selector_term *term)
{
    for (size_t i = 0; i < term->match_fields.count; i++)
        if (is_name_field(&term->match_fields.items[i]))
            return &term->match_fields.items[i].values;
    return NULL;
}

static bool names_every_term(const ks_node_selector *required)
{
    for (size_t i = 0; required && i < required->node_selector_terms.count; i++)
        if (!first_names(&required->node_selector_terms.items[i]))
            return false;
    return required && required->node_selector_terms.count > 0;
}

static bool has_name(const ks_strs *names, ks_str name)
{
    for (size_t i = 0; i < names->count; i++)
        if (ks_str_eq(names->items[i], name))
            return true;
    return false;
}

/* All name fields of the term have it. */
static bool term_names(const ks_node_selector_term *term, ks_str name)
{
    for (size_t i = 0; i < term->match_fields.count; i++)
        if (is_name_field(&term->match_fields.items[i]) &&
            !has_name(&term->match_fields.items[i].values, name))
            return false;
    return true;
}

/* Adds the nodes that a term names; false if the term's fields contradict each other. */
static bool add_named(ks_nodeset *named, const ks_node_selector_term *term, const ks_cluster *cluster)
{
    const ks_strs *names = first_names(term);
    bool any = false;
    for (size_t i = 0; i < names->count; i++) {
        if (!term_names(term, names->items[i]))
            continue;
        any = true;
        const ks_node_row *node = ks_node_find(cluster, names->items[i]);
        if (node)
            ks_nodeset_add(named, node->row.id);
    }
    return any;
}

static ks_nodeset *make_set(ks_cycle *cycle)
{
    uint32_t nwords = cycle->cluster->node_cap / 64;
    ks_nodeset *set = ks_arena_get(&cycle->arena, sizeof *set);
    uint64_t *words = ks_arena_get_zeroed(&cycle->arena, nwords * sizeof *words);
    if (!set || !words)
        return NULL;
    *set = (ks_nodeset){words, nwords};
    return set;
}

static int find_named(ks_status *out, affinity_state *state, ks_cycle *cycle, ks_error *err)
{
    const ks_node_selector *required = affinity_of(&cycle->spec->spec)->required;
    assert(required); /* it is what names the nodes */
    state->named = make_set(cycle);
    if (!state->named)
        return ks_fail_nomem(err);
    bool any = false;
    for (size_t i = 0; i < required->node_selector_terms.count; i++)
        any |= add_named(state->named, &required->node_selector_terms.items[i], cycle->cluster);
    if (!any)
        *out = (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, KS_STR(REASON_CONFLICT), false};
    return KS_OK;
}

/* ---- the plan ---- */

static void put_fault(void *ctx, ks_str fault)
{
    ks_buf *buf = ctx;
    if (buf->len)
        ks_buf_put_str(buf, KS_STR(", "));
    ks_buf_put_str(buf, fault);
}

/* Writes the faults of the preferred terms one after another and returns how many there are. Terms that
 * weigh nothing are not looked at. */
static size_t write_faults(ks_buf *buf, const ks_node_affinity *affinity)
{
    ks_faults faults;
    ks_faults_init(&faults, buf->alloc, put_fault, buf);
    for (size_t i = 0; i < affinity->preferred.count; i++) {
        const ks_preferred_scheduling_term *term = &affinity->preferred.items[i];
        size_t mark = ks_faults_enter(&faults, "[%zu]", i);
        if (term->weight != 0)
            ks_node_selector_term_check(&faults, &term->preference);
        ks_faults_leave(&faults, mark);
    }
    size_t count = faults.count;
    buf->failed |= ks_faults_finish(&faults, NULL) != KS_OK;
    return count;
}

static int check_preferred(affinity_plan *plan, ks_cluster *cluster, const ks_node_affinity *affinity,
                           ks_error *err)
{
    ks_buf faults, message;
    ks_buf_init(&faults, &cluster->counting);
    ks_buf_init(&message, &cluster->counting);
    size_t count = write_faults(&faults, affinity);
    bool ok = !faults.failed;
    if (ok && count > 0) {
        ks_buf_printf(&message, count > 1 ? "[%.*s]" : "%.*s", KS_STR_ARG(ks_buf_str(&faults)));
        plan->pre_score.code = KS_ERROR;
        ok = !message.failed &&
             ks_arena_copy_str(&plan->head.arena, &plan->pre_score.message, ks_buf_str(&message));
    }
    ks_buf_free(&faults);
    ks_buf_free(&message);
    return ok ? KS_OK : ks_fail_nomem(err);
}

static bool take_required(ks_inclusion **out, ks_cluster *cluster, ks_required_affinity affinity)
{
    if (affinity.node_selector.count == 0 && !affinity.node_affinity)
        return true;
    *out = ks_inclusion_get(cluster, &(ks_inclusion){.honors_affinity = true, .affinity = affinity});
    return *out;
}

static bool take_preferred(ks_rating **out, ks_cluster *cluster, const ks_node_affinity *affinity)
{
    if (affinity->preferred.count == 0)
        return true;
    *out = ks_rating_of_affinity(cluster, affinity);
    return *out;
}

static int compile_plan(ks_cluster *cluster, ks_plan_head *head, ks_error *err)
{
    affinity_plan *plan = (affinity_plan *)head;
    const ks_pod_spec *spec = &head->spec->spec;
    const ks_node_affinity *own = affinity_of(spec), *added = added_affinity(cluster);
    bool named = names_every_term(own->required);
    if (!take_required(&plan->enforced, cluster, (ks_required_affinity){.node_affinity = added->required}) ||
        (!named && !take_required(&plan->required, cluster, ks_required_affinity_of(spec))) ||
        !take_preferred(&plan->added, cluster, added) || !take_preferred(&plan->preferred, cluster, own))
        return ks_fail_nomem(err);
    return check_preferred(plan, cluster, own, err);
}

static void release_plan(ks_cluster *cluster, ks_plan_head *head)
{
    affinity_plan *plan = (affinity_plan *)head;
    ks_inclusion_unref(cluster, plan->enforced);
    ks_inclusion_unref(cluster, plan->required);
    ks_rating_unref(cluster, plan->added);
    ks_rating_unref(cluster, plan->preferred);
}

static const ks_plan_kind kind = {
    .size = sizeof(affinity_plan),
    .compile = compile_plan,
    .release = release_plan,
};

/* ---- filtering ---- */

static bool is_concerned(const ks_cluster *cluster, const ks_pod_spec *spec)
{
    const ks_node_affinity *own = affinity_of(spec), *added = added_affinity(cluster);
    return spec->node_selector.items || own->required || own->preferred.items || added->required ||
           added->preferred.items;
}

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    const ks_pod_spec *spec = &cycle->spec->spec;
    if (!is_concerned(cycle->cluster, spec))
        return KS_OK;
    affinity_state *made = ks_arena_get_zeroed(&cycle->arena, sizeof *made);
    if (!made)
        return ks_fail_nomem(err);
    ks_plan_head *head;
    int code = ks_plan_cache_get(&head, cycle->cluster, &kind, cycle->class_, cycle->spec, err);
    if (code != KS_OK)
        return code;
    *made = (affinity_state){.cluster = cycle->cluster,
                             .spec = cycle->spec,
                             .plan = (affinity_plan *)head,
                             .nodes = (uint32_t)cycle->cluster->nodes.rows.count};
    *state = made;
    bool named = names_every_term(affinity_of(spec)->required);
    if (made->plan->enforced || made->plan->required || named)
        out->code = KS_SUCCESS;
    return named ? find_named(out, made, cycle, err) : KS_OK;
}

static void release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    if (state)
        ks_plan_cache_unref(&((affinity_state *)state)->plan->head);
}

static bool narrow(const void *state, ks_nodeset *nodes)
{
    const affinity_state *affinity = state;
    if (affinity->named)
        ks_nodeset_and(nodes, affinity->named);
    return affinity->named;
}

static bool is_required_match(const affinity_state *state, uint32_t id)
{
    if (state->plan->required)
        return ks_nodeset_has(&state->plan->required->nodes, id);
    if (!state->named)
        return true;
    const ks_node_row *node = (const ks_node_row *)state->cluster->nodes.rows.items[id];
    ks_required_affinity required = ks_required_affinity_of(&state->spec->spec);
    return ks_required_affinity_matches(&required, node->name, &node->node.metadata.labels);
}

static void filter(void *state, ks_nodeset *nodes)
{
    const affinity_state *affinity = state;
    if (affinity->plan->enforced)
        ks_nodeset_and(nodes, &affinity->plan->enforced->nodes);
    if (affinity->plan->required)
        ks_nodeset_and(nodes, &affinity->plan->required->nodes);
    if (!affinity->named)
        return;
    for (uint32_t i = ks_nodeset_next(nodes, 0); i != KS_NODESET_END; i = ks_nodeset_next(nodes, i + 1))
        if (!is_required_match(affinity, i))
            ks_nodeset_del(nodes, i);
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth;
    const affinity_state *affinity = state;
    if (affinity->plan->enforced && !ks_nodeset_has(&affinity->plan->enforced->nodes, node))
        return (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, KS_STR(REASON_ENFORCED), false};
    if (!is_required_match(affinity, node))
        return (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, KS_STR(REASON_POD), false};
    return (ks_status){.code = KS_SUCCESS};
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)change;
    return judge(state, node, nth);
}

/* ---- scoring ---- */

/* A list of preferred terms that is there and empty scores, if only 0 for every node. */
static int pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    (void)nodes;
    (void)err;
    const affinity_state *affinity = state;
    *out = (ks_status){.code = KS_SKIP};
    if (!affinity)
        return KS_OK;
    if (affinity->plan->pre_score.code == KS_ERROR)
        *out = affinity->plan->pre_score;
    else if (affinity->plan->added || affinity_of(&cycle->spec->spec)->preferred.items)
        out->code = KS_SUCCESS;
    return KS_OK;
}

static bool is_rated(const ks_rating *rating)
{
    return rating && rating->rated > 0;
}

static bool uniform(const void *state, double *score)
{
    const affinity_plan *plan = ((const affinity_state *)state)->plan;
    *score = 0;
    return !is_rated(plan->added) && !is_rated(plan->preferred);
}

static void score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const affinity_state *affinity = state;
    const ks_rating *ratings[] = {affinity->plan->added, affinity->plan->preferred};
    memset(scores, 0, affinity->nodes * sizeof *scores);
    for (size_t r = 0; r < sizeof ratings / sizeof *ratings; r++)
        for (uint32_t i = 0; ratings[r] && i < affinity->nodes; i++)
            scores[i] += ratings[r]->values[i];
}

static void normalize(void *state, const ks_nodeset *nodes, double *scores)
{
    ks_scores_normalize(scores, ((const affinity_state *)state)->nodes, nodes, false);
}

/* ---- events ---- */

static bool node_matches(const ks_required_affinity *affinity, const ks_object *node)
{
    return ks_required_affinity_matches(affinity, node->metadata.name, &node->metadata.labels);
}

static int hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err)
{
    (void)err;
    ks_required_affinity own = ks_required_affinity_of(&pending->spec);
    ks_required_affinity enforced = {.node_affinity = added_affinity(cluster)->required};
    if (!after || after->kind != KS_NODE || !node_matches(&enforced, after) || !node_matches(&own, after))
        return KS_OK;
    if (!before || !node_matches(&own, before))
        *out = KS_HINT_QUEUE;
    return KS_OK;
}

const ks_plugin ks_node_affinity_plugin = {
    .name = "NodeAffinity",
    .pre_filter = pre_filter,
    .narrow = narrow,
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
