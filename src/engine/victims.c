// SPDX-License-Identifier: Apache-2.0
/* Which pods have to leave a node: all of lower priority are taken off, and then as many as possible are
 * put back, first those whose disruption budget is used up, each time the more important ones first. */
#include "engine/preemption.h"
#include "model/timestamp.h"
#include "util/sort.h"

typedef struct victim {
    ks_pod_row *pod;
    int32_t priority;
    int64_t start;
    bool violates; /* its eviction would violate a budget */
    bool stays;
    ks_pod *view;
} victim;

typedef struct trial {
    const ks_attempt *attempt;
    ks_cycle *cycle;
    uint32_t node;
    ks_pod_list guests;
    victim *victims;
    size_t count;
    ks_pod_list removed;
} trial;

int64_t ks_victim_start(const ks_pod_row *pod)
{
    int64_t seconds;
    return ks_timestamp_parse(&seconds, ks_pod_text(pod, KS_POD_STARTED)) ? seconds : INT64_MAX;
}

/* More important: of higher priority, then longer at work. Ids make the order the same on every machine. */
static int by_importance(const void *a_, const void *b_)
{
    const victim *a = a_, *b = b_;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->pod->row.id > b->pod->row.id) - (a->pod->row.id < b->pod->row.id);
}

static size_t count_lower(const trial *t)
{
    size_t count = 0;
    ks_cluster *cluster = t->cycle->cluster;
    for (const ks_pod_row *pod = ks_node_at(cluster, t->node)->pods; pod; pod = pod->next_on_node)
        count += ks_spec_priority(cluster, pod->spec).value < t->attempt->priority;
    return count;
}

static bool collect(trial *t, ks_arena *arena)
{
    ks_cluster *cluster = t->cycle->cluster;
    size_t most = count_lower(t);
    if (most == 0)
        return true;
    t->victims = ks_arena_get(arena, most * sizeof *t->victims);
    ks_pod *views = ks_arena_get(arena, most * sizeof *views);
    if (!t->victims || !views || !ks_pod_list_init(&t->removed, arena, most))
        return false;
    for (ks_pod_row *pod = ks_node_at(cluster, t->node)->pods; pod; pod = pod->next_on_node) {
        int32_t priority = ks_spec_priority(cluster, pod->spec).value;
        if (priority >= t->attempt->priority)
            continue;
        victim *v = &t->victims[t->count++];
        *v = (victim){.pod = pod, .priority = priority, .start = ks_victim_start(pod), .view = views++};
        ks_pod_view(v->view, pod);
    }
    ks_sort(t->victims, t->count, sizeof *t->victims, by_importance);
    return true;
}

/* ---- budgets ---- */

static bool is_covered(const ks_stored *budget, const ks_pod_row *pod)
{
    return budget->space == pod->class_->space && pod->class_->labels.count > 0 &&
           !ks_selector_empty(&budget->selector) &&
           ks_selector_matches(&budget->selector, &pod->class_->labels);
}

/* Each victim takes one from the budgets that cover it; those for which nothing was left violate them. */
static bool mark_violations(trial *t, ks_arena *arena)
{
    const ks_stored_list *budgets = &t->cycle->cluster->budgets;
    int64_t *allowed = ks_arena_get(arena, budgets->count * sizeof *allowed);
    if (!allowed)
        return false;
    for (size_t b = 0; b < budgets->count; b++)
        allowed[b] = budgets->items[b]->object.pod_disruption_budget.status.disruptions_allowed;
    for (size_t i = 0; i < t->count; i++)
        for (size_t b = 0; b < budgets->count; b++)
            if (is_covered(budgets->items[b], t->victims[i].pod) && --allowed[b] < 0)
                t->victims[i].violates = true;
    return true;
}

/* ---- who may stay ---- */

static ks_verdict try_node(const trial *t)
{
    return ks_attempt_try(t->cycle, t->node, &t->guests, &t->removed);
}

static void take_off(trial *t, const victim *v)
{
    t->removed.pods[t->removed.count] = v->view;
    t->removed.rows[t->removed.count++] = v->pod;
}

static void put_back(trial *t, const victim *v)
{
    size_t at = 0;
    while (t->removed.rows[at] != v->pod)
        at++;
    t->removed.count--;
    t->removed.pods[at] = t->removed.pods[t->removed.count];
    t->removed.rows[at] = t->removed.rows[t->removed.count];
}

/* Lets those stay, the more important first, that leave the pod enough room. */
static int reprieve(trial *t, bool violating, ks_error *err)
{
    for (size_t i = 0; i < t->count; i++) {
        victim *v = &t->victims[i];
        if (v->violates != violating)
            continue;
        put_back(t, v);
        ks_code code = try_node(t).status.code;
        if (code == KS_ERROR)
            return ks_fail_nomem(err);
        v->stays = code == KS_SUCCESS;
        if (!v->stays)
            take_off(t, v);
    }
    return KS_OK;
}

static bool hand_out(ks_candidate *out, const trial *t, ks_arena *arena)
{
    out->victims = ks_arena_get(arena, t->count * sizeof(ks_pod_row *));
    if (!out->victims)
        return false;
    for (size_t i = 0; i < t->count; i++) {
        if (t->victims[i].stays)
            continue;
        out->victims[out->victims_count++] = t->victims[i].pod;
        out->violations += t->victims[i].violates;
    }
    return true;
}

/* Whether the pod fits without any of them; if not, the reasons are noted. */
static int fits_alone(bool *fits, trial *t, ks_tallies *reasons, ks_error *err)
{
    for (size_t i = 0; i < t->count; i++)
        take_off(t, &t->victims[i]);
    ks_verdict verdict = try_node(t);
    *fits = verdict.status.code == KS_SUCCESS;
    if (*fits)
        return KS_OK;
    bool ok = verdict.status.code != KS_ERROR && ks_tallies_add_verdict(reasons, t->cycle, &verdict);
    return ok ? KS_OK : ks_fail_nomem(err);
}

static int spare(ks_candidate *out, trial *t, ks_arena *arena, ks_error *err)
{
    if (!mark_violations(t, arena))
        return ks_fail_nomem(err);
    int code = reprieve(t, true, err);
    if (code == KS_OK)
        code = reprieve(t, false, err);
    if (code == KS_OK && !hand_out(out, t, arena))
        code = ks_fail_nomem(err);
    return code;
}

int ks_victims_select(ks_candidate *out, ks_preemption *preemption, const ks_attempt *attempt,
                      ks_cycle *cycle, ks_error *err)
{
    ks_arena *arena = &preemption->arena;
    trial t = {.attempt = attempt, .cycle = cycle, .node = out->node};
    if (!collect(&t, arena))
        return ks_fail_nomem(err);
    if (t.count == 0)
        return ks_tallies_add(&preemption->reasons, &cycle->cluster->alloc, KS_STR(KS_NO_VICTIMS), 1)
                   ? KS_OK
                   : ks_fail_nomem(err);
    bool fits = false;
    int code = ks_attempt_guests(&t.guests, attempt, cycle, out->node, err);
    if (code == KS_OK)
        code = fits_alone(&fits, &t, &preemption->reasons, err);
    return code == KS_OK && fits ? spare(out, &t, arena, err) : code;
}
