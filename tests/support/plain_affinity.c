// SPDX-License-Identifier: Apache-2.0
#include "support/plain_affinity.h"
#include "support/random.h"
#include "util/str.h"

/* ---- terms ---- */

typedef struct term {
    ks_strs namespaces;
    plain_selector spaces, pods; /* by namespaces' labels, by pods' labels */
    ks_str key;
    int64_t weight;
} term;

typedef struct terms {
    term *items;
    size_t count;
    bool broken;
} terms;

/* A pod and its terms; those of a list that cannot be are none. */
typedef struct party {
    const ks_pod *pod;
    ks_str space;
    const ks_node *node;
    terms required, anti, preferred, preferred_anti;
} party;

static ks_str space_of(const ks_pod *pod)
{
    return pod->metadata.namespace_.len ? pod->metadata.namespace_ : KS_STR("default");
}

static void add_key(ks_label_selector *to, ks_str key, const char *op, const ks_pod *pod, ks_arena *arena)
{
    ks_str value;
    if (!plain_label(&pod->metadata.labels, key, &value))
        return;
    ks_selector_requirement *requirement = &to->match_expressions.items[to->match_expressions.count++];
    *requirement = (ks_selector_requirement){.key = key, .op = ks_str_of(op)};
    requirement->values = (ks_strs){random_take(arena, sizeof(ks_str)), 1};
    requirement->values.items[0] = value;
}

/* The API server writes a term's keys out behind all other expressions, one value each. */
static bool is_spelt_out(const ks_pod_affinity_term *term, ks_str key, const char *op)
{
    const ks_selector_requirements *all = &term->label_selector->match_expressions;
    size_t keys = term->match_label_keys.count + term->mismatch_label_keys.count;
    for (size_t back = 1; back <= keys && back <= all->count; back++) {
        const ks_selector_requirement *one = &all->items[all->count - back];
        if (ks_str_eq(one->key, key) && ks_str_eq(one->op, ks_str_of(op)) && one->values.count == 1)
            return true;
    }
    return false;
}

/* With matchLabelKeys and mismatchLabelKeys written out. */
static const ks_label_selector *spell_out(const ks_pod_affinity_term *from, const ks_pod *pod,
                                          ks_arena *arena)
{
    if (!from->label_selector)
        return NULL;
    ks_label_selector *to = random_take(arena, sizeof *to);
    *to = *from->label_selector;
    size_t most =
        to->match_expressions.count + from->match_label_keys.count + from->mismatch_label_keys.count;
    ks_selector_requirement *items = random_take(arena, (most + 1) * sizeof *items);
    for (size_t i = 0; i < to->match_expressions.count; i++)
        items[i] = to->match_expressions.items[i];
    to->match_expressions.items = items;
    for (size_t i = 0; i < from->match_label_keys.count; i++)
        if (!is_spelt_out(from, from->match_label_keys.items[i], "In"))
            add_key(to, from->match_label_keys.items[i], "In", pod, arena);
    for (size_t i = 0; i < from->mismatch_label_keys.count; i++)
        if (!is_spelt_out(from, from->mismatch_label_keys.items[i], "NotIn"))
            add_key(to, from->mismatch_label_keys.items[i], "NotIn", pod, arena);
    return to;
}

static void add_term(terms *to, const ks_pod_affinity_term *from, int64_t weight, const ks_pod *pod,
                     ks_arena *arena)
{
    term *made = &to->items[to->count++];
    *made = (term){.key = from->topology_key, .weight = weight, .namespaces = from->namespaces};
    if (from->namespaces.count == 0 && !from->namespace_selector) {
        made->namespaces = (ks_strs){random_take(arena, sizeof(ks_str)), 1};
        made->namespaces.items[0] = space_of(pod);
    }
    if (!plain_selector_make(&made->pods, spell_out(from, pod, arena), arena) ||
        !plain_selector_make(&made->spaces, from->namespace_selector, arena))
        to->broken = true;
}

static terms required_terms(const ks_pod_affinity *from, const ks_pod *pod, ks_arena *arena)
{
    terms made = {0};
    if (!from)
        return made;
    made.items = random_take(arena, (from->required.count + 1) * sizeof *made.items);
    for (size_t i = 0; i < from->required.count; i++)
        add_term(&made, &from->required.items[i], 0, pod, arena);
    made.count = made.broken ? 0 : made.count;
    return made;
}

static terms preferred_terms(const ks_pod_affinity *from, const ks_pod *pod, ks_arena *arena)
{
    terms made = {0};
    if (!from)
        return made;
    made.items = random_take(arena, (from->preferred.count + 1) * sizeof *made.items);
    for (size_t i = 0; i < from->preferred.count; i++)
        add_term(&made, &from->preferred.items[i].pod_affinity_term, from->preferred.items[i].weight, pod,
                 arena);
    made.count = made.broken ? 0 : made.count;
    return made;
}

static party party_of(const ks_pod *pod, const ks_node *node, ks_arena *arena)
{
    party made = {.pod = pod, .space = space_of(pod), .node = node};
    if (!pod->spec.affinity)
        return made;
    made.required = required_terms(pod->spec.affinity->pod_affinity, pod, arena);
    made.anti = required_terms(pod->spec.affinity->pod_anti_affinity, pod, arena);
    made.preferred = preferred_terms(pod->spec.affinity->pod_affinity, pod, arena);
    made.preferred_anti = preferred_terms(pod->spec.affinity->pod_anti_affinity, pod, arena);
    return made;
}

/* ---- matching ---- */

static bool matches(const term *t, const party *other, const ks_labels *space_labels)
{
    bool there = plain_selector_matches(&t->spaces, space_labels);
    for (size_t i = 0; i < t->namespaces.count; i++)
        there = there || ks_str_eq(t->namespaces.items[i], other->space);
    return there && plain_selector_matches(&t->pods, &other->pod->metadata.labels);
}

static const ks_labels no_labels = {0};

static bool matches_all(const terms *of, const party *other)
{
    for (size_t i = 0; i < of->count; i++)
        if (!matches(&of->items[i], other, &no_labels))
            return false;
    return of->count > 0;
}

/* The incoming pod's namespace selectors become names; the selectors stay, and are asked about no labels. */
static void resolve(terms *of, const plain_cluster *cluster, ks_arena *arena)
{
    const plain_objects *spaces = &cluster->of[KS_NAMESPACE];
    for (size_t i = 0; i < of->count; i++) {
        term *t = &of->items[i];
        ks_str *names = random_take(arena, (t->namespaces.count + spaces->count + 1) * sizeof *names);
        size_t count = 0;
        for (size_t n = 0; n < t->namespaces.count; n++)
            names[count++] = t->namespaces.items[n];
        for (size_t n = 0; n < spaces->count; n++)
            if (plain_selector_matches(&t->spaces, &spaces->items[n]->metadata.labels))
                names[count++] = spaces->items[n]->metadata.name;
        t->namespaces = (ks_strs){names, count};
    }
}

/* ---- counts by topology key and value ---- */

typedef struct pair {
    ks_str key, value;
    int64_t count;
} pair;

typedef struct pairs {
    pair *items;
    size_t count, cap;
} pairs;

static void add_to(pairs *to, const ks_node *node, ks_str key, int64_t count, ks_arena *arena)
{
    ks_str value;
    if (!plain_label(&node->metadata.labels, key, &value))
        return;
    for (size_t i = 0; i < to->count; i++)
        if (ks_str_eq(to->items[i].key, key) && ks_str_eq(to->items[i].value, value)) {
            to->items[i].count += count;
            return;
        }
    if (to->count == to->cap) {
        pair *grown = random_take(arena, (to->cap = to->cap * 2 + 8) * sizeof *grown);
        for (size_t i = 0; i < to->count; i++)
            grown[i] = to->items[i];
        to->items = grown;
    }
    to->items[to->count++] = (pair){key, value, count};
}

static int64_t count_at(const pairs *of, const ks_node *node, ks_str key)
{
    ks_str value;
    for (size_t i = 0; i < of->count; i++)
        if (ks_str_eq(of->items[i].key, key) && plain_label(&node->metadata.labels, key, &value) &&
            ks_str_eq(of->items[i].value, value))
            return of->items[i].count;
    return 0;
}

static bool all_zero(const pairs *of)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].count != 0)
            return false;
    return true;
}

/* ---- a cycle ---- */

typedef struct cycle {
    const plain_affinity_setup *setup;
    ks_arena *arena;
    party pod;
    ks_labels space_labels;
    party *others;
    size_t others_count;
    pairs affinity, anti, existing, score;
    bool any_score;
} cycle;

static const ks_node *node_named(const plain_cluster *cluster, ks_str name)
{
    for (size_t i = 0; i < cluster->of[KS_NODE].count; i++)
        if (ks_str_eq(cluster->of[KS_NODE].items[i]->metadata.name, name))
            return &cluster->of[KS_NODE].items[i]->node;
    return NULL;
}

static bool is_over(const ks_pod *pod)
{
    return ks_str_eq(pod->status.phase, KS_STR("Succeeded")) ||
           ks_str_eq(pod->status.phase, KS_STR("Failed"));
}

static void find_others(cycle *c)
{
    const plain_objects *pods = &c->setup->cluster->of[KS_POD];
    c->others = random_take(c->arena, (pods->count + 1) * sizeof *c->others);
    for (size_t i = 0; i < pods->count; i++) {
        const ks_pod *pod = &pods->items[i]->pod;
        const ks_node *node = node_named(c->setup->cluster, pod->spec.node_name);
        if (pod->spec.node_name.len && node && !is_over(pod))
            c->others[c->others_count++] = party_of(pod, node, c->arena);
    }
}

static void count_filter(cycle *c, const party *other, int64_t times)
{
    for (size_t i = 0; i < other->anti.count; i++)
        if (matches(&other->anti.items[i], &c->pod, &c->space_labels))
            add_to(&c->existing, other->node, other->anti.items[i].key, times, c->arena);
    for (size_t i = 0; i < c->pod.required.count && matches_all(&c->pod.required, other); i++)
        add_to(&c->affinity, other->node, c->pod.required.items[i].key, times, c->arena);
    for (size_t i = 0; i < c->pod.anti.count; i++)
        if (matches(&c->pod.anti.items[i], other, &no_labels))
            add_to(&c->anti, other->node, c->pod.anti.items[i].key, times, c->arena);
}

static void count_score(cycle *c, const party *other, const term *t, int64_t weight)
{
    ks_str value;
    if (!plain_label(&other->node->metadata.labels, t->key, &value))
        return;
    c->any_score = true;
    add_to(&c->score, other->node, t->key, weight, c->arena);
}

static void count_scores(cycle *c, const party *other)
{
    const struct {
        const terms *own, *theirs;
        int sign;
    } lists[] = {{&c->pod.preferred, &other->preferred, 1},
                 {&c->pod.preferred_anti, &other->preferred_anti, -1}};
    for (int l = 0; l < 2; l++) {
        for (size_t i = 0; i < lists[l].own->count; i++)
            if (matches(&lists[l].own->items[i], other, &no_labels))
                count_score(c, other, &lists[l].own->items[i], lists[l].own->items[i].weight * lists[l].sign);
        for (size_t i = 0; i < lists[l].theirs->count; i++)
            if (matches(&lists[l].theirs->items[i], &c->pod, &c->space_labels))
                count_score(c, other, &lists[l].theirs->items[i],
                            lists[l].theirs->items[i].weight * lists[l].sign);
    }
    int32_t hard = c->setup->args.hard_pod_affinity_weight;
    for (size_t i = 0; hard > 0 && i < other->required.count; i++)
        if (matches(&other->required.items[i], &c->pod, &c->space_labels))
            count_score(c, other, &other->required.items[i], hard);
}

static void begin(cycle *c, const plain_affinity_setup *setup, const ks_pod *pod, ks_arena *arena)
{
    *c = (cycle){.setup = setup, .arena = arena, .pod = party_of(pod, NULL, arena)};
    const plain_objects *spaces = &setup->cluster->of[KS_NAMESPACE];
    for (size_t i = 0; i < spaces->count; i++)
        if (ks_str_eq(spaces->items[i]->metadata.name, c->pod.space))
            c->space_labels = spaces->items[i]->metadata.labels;
    resolve(&c->pod.required, setup->cluster, arena);
    resolve(&c->pod.anti, setup->cluster, arena);
    resolve(&c->pod.preferred, setup->cluster, arena);
    resolve(&c->pod.preferred_anti, setup->cluster, arena);
    find_others(c);
    for (size_t i = 0; i < c->others_count; i++)
        count_filter(c, &c->others[i], 1);
}

static bool skips_filter(const cycle *c)
{
    return c->existing.count == 0 && c->pod.required.count == 0 && c->pod.anti.count == 0;
}

/* ---- verdicts ---- */

static bool affinity_holds(const cycle *c, const ks_node *node)
{
    bool near = true;
    for (size_t i = 0; i < c->pod.required.count; i++) {
        ks_str value;
        if (!plain_label(&node->metadata.labels, c->pod.required.items[i].key, &value))
            return false;
        near = near && count_at(&c->affinity, node, c->pod.required.items[i].key) > 0;
    }
    return near || (all_zero(&c->affinity) && matches_all(&c->pod.required, &c->pod));
}

static bool any_near(const pairs *of, const ks_node *node)
{
    for (size_t i = 0; i < of->count; i++)
        if (count_at(of, node, of->items[i].key) > 0)
            return true;
    return false;
}

static ks_node_result verdict(const cycle *c, const ks_node *node)
{
    if (!affinity_holds(c, node))
        return (ks_node_result){.code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE,
                                .reason = KS_STR("node(s) didn't match pod affinity rules")};
    if (any_near(&c->anti, node))
        return (ks_node_result){.code = KS_UNSCHEDULABLE,
                                .reason = KS_STR("node(s) didn't match pod anti-affinity rules")};
    if (any_near(&c->existing, node))
        return (ks_node_result){.code = KS_UNSCHEDULABLE,
                                .reason = KS_STR("node(s) didn't satisfy existing pods anti-affinity rules")};
    return (ks_node_result){.code = KS_SUCCESS};
}

/* ---- scores ---- */

static void sum_up(plain_affinity_result *out, const cycle *c)
{
    const plain_objects *nodes = &c->setup->cluster->of[KS_NODE];
    for (size_t n = 0; n < nodes->count; n++)
        for (size_t i = 0; i < c->score.count; i++) {
            ks_str value;
            if (plain_label(&nodes->items[n]->metadata.labels, c->score.items[i].key, &value) &&
                ks_str_eq(value, c->score.items[i].value))
                out->nodes[n].score += c->score.items[i].count;
        }
}

static void normalize(plain_affinity_result *out, const cycle *c)
{
    size_t count = c->setup->cluster->of[KS_NODE].count;
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (size_t n = 0; n < count; n++) {
        if (out->nodes[n].code != KS_SUCCESS)
            continue;
        lowest = out->nodes[n].score < lowest ? out->nodes[n].score : lowest;
        highest = out->nodes[n].score > highest ? out->nodes[n].score : highest;
    }
    for (size_t n = 0; n < count; n++) {
        double score = 0;
        if (out->nodes[n].code == KS_SUCCESS && highest > lowest)
            score = 100 * ((double)(out->nodes[n].score - lowest) / (double)(highest - lowest));
        out->nodes[n].score = (int64_t)score * c->setup->weight;
    }
}

void plain_affinity_run(plain_affinity_result *out, const plain_affinity_setup *setup, const ks_pod *pod,
                        ks_arena *arena)
{
    const plain_objects *nodes = &setup->cluster->of[KS_NODE];
    cycle c;
    begin(&c, setup, pod, arena);
    *out = (plain_affinity_result){.nodes = random_take(arena, (nodes->count + 1) * sizeof *out->nodes)};
    bool broken =
        c.pod.required.broken || c.pod.anti.broken || c.pod.preferred.broken || c.pod.preferred_anti.broken;
    out->pre_filter = broken ? KS_UNSCHEDULABLE_AND_UNRESOLVABLE : KS_SUCCESS;
    bool feasible = false;
    for (size_t n = 0; !broken && n < nodes->count; n++) {
        if (!skips_filter(&c))
            out->nodes[n] = verdict(&c, &nodes->items[n]->node);
        feasible = feasible || out->nodes[n].code == KS_SUCCESS;
    }
    bool prefers = c.pod.preferred.count + c.pod.preferred_anti.count > 0;
    if (!feasible || (setup->args.ignore_preferred_terms_of_existing_pods && !prefers))
        return;
    for (size_t i = 0; i < c.others_count; i++)
        count_scores(&c, &c.others[i]);
    out->scores = c.any_score;
    sum_up(out, &c);
    normalize(out, &c);
}

ks_node_result plain_affinity_what_if(const plain_affinity_setup *setup, const ks_pod *pod, size_t node,
                                      const ks_what_if *change, ks_arena *arena)
{
    const ks_node *at = &setup->cluster->of[KS_NODE].items[node]->node;
    cycle c;
    begin(&c, setup, pod, arena);
    if (skips_filter(&c))
        return (ks_node_result){.code = KS_SUCCESS};
    for (size_t i = 0; i < change->added_count; i++) {
        party other = party_of(change->added[i], at, arena);
        count_filter(&c, &other, 1);
    }
    for (size_t i = 0; i < change->removed_count; i++) {
        party other = party_of(change->removed[i], at, arena);
        count_filter(&c, &other, -1);
    }
    return verdict(&c, at);
}
