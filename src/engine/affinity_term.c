// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"
#include <stdlib.h>

static const char *const list_names[KS_TERM_LISTS] = {
    [KS_TERMS_AFFINITY] = "requiredAffinityTerms",
    [KS_TERMS_ANTI_AFFINITY] = "requiredAntiAffinityTerms",
    [KS_TERMS_PREFERRED] = "preferredAffinityTerms",
    [KS_TERMS_PREFERRED_ANTI] = "preferredAntiAffinityTerms",
};

bool ks_spec_has_pod_affinity(const ks_pod_spec *spec)
{
    return spec->affinity && (spec->affinity->pod_affinity || spec->affinity->pod_anti_affinity);
}

/* ---- matching ---- */

static int compare_strings(const void *a, const void *b)
{
    return ks_str_cmp(*(const ks_str *)a, *(const ks_str *)b);
}

static bool has_namespace(const ks_strs *sorted, ks_str name)
{
    if (sorted->count == 1)
        return ks_str_eq(sorted->items[0], name);
    return sorted->count > 0 &&
           bsearch(&name, sorted->items, sorted->count, sizeof *sorted->items, compare_strings);
}

bool ks_affinity_term_matches(const ks_affinity_term *term, ks_str namespace_,
                              const ks_labels *namespace_labels, const ks_labels *labels)
{
    return (has_namespace(&term->namespaces, namespace_) ||
            ks_selector_matches(&term->namespace_selector, namespace_labels)) &&
           ks_selector_matches(&term->selector, labels);
}

bool ks_affinity_term_matches_bare(const ks_affinity_term *term, ks_str namespace_, const ks_labels *labels)
{
    static const ks_labels none = {0};
    return ks_affinity_term_matches(term, namespace_, &none, labels);
}

uint64_t ks_affinity_term_bucket(const ks_affinity_term *term)
{
    bool one = term->namespaces.count == 1 && term->namespace_selector.nothing;
    return ks_label_index_bucket(one ? &term->namespaces.items[0] : NULL, &term->selector);
}

/* ---- identity ---- */

bool ks_affinity_term_equal(const ks_affinity_term *a, const ks_affinity_term *b)
{
    if (a->weight != b->weight || a->namespaces.count != b->namespaces.count)
        return false;
    for (size_t i = 0; i < a->namespaces.count; i++)
        if (!ks_str_eq(a->namespaces.items[i], b->namespaces.items[i]))
            return false;
    return ks_selector_equal(&a->namespace_selector, &b->namespace_selector) &&
           ks_selector_equal(&a->selector, &b->selector);
}

uint64_t ks_affinity_term_hash(const ks_affinity_term *term, uint64_t seed)
{
    uint64_t hash = ks_hash_bytes(&term->weight, sizeof term->weight, seed);
    for (size_t i = 0; i < term->namespaces.count; i++)
        hash = ks_hash_bytes(term->namespaces.items[i].data, term->namespaces.items[i].len, hash);
    return ks_selector_hash(&term->selector, ks_selector_hash(&term->namespace_selector, hash));
}

static bool copy_strings(ks_strs *to, const ks_strs *from, ks_arena *arena)
{
    ks_str *items = ks_arena_get(arena, from->count * sizeof *items);
    if (!items)
        return false;
    for (size_t i = 0; i < from->count; i++)
        if (!ks_arena_copy_str(arena, &items[i], from->items[i]))
            return false;
    *to = (ks_strs){items, from->count};
    return true;
}

bool ks_affinity_term_copy(ks_affinity_term *to, const ks_affinity_term *from, ks_arena *arena)
{
    to->weight = from->weight;
    return copy_strings(&to->namespaces, &from->namespaces, arena) &&
           ks_selector_copy(&to->namespace_selector, &from->namespace_selector, arena) &&
           ks_selector_copy(&to->selector, &from->selector, arena) &&
           ks_arena_copy_str(arena, &to->topology_key, from->topology_key);
}

/* ---- matchLabelKeys and mismatchLabelKeys ---- */

/* Pods that came through the API server have these keys in their selectors already, behind what was
 * written there; their labels may have changed since. */
static bool is_merged(const ks_pod_affinity_term *term, ks_str key, ks_str op)
{
    size_t keys = term->match_label_keys.count + term->mismatch_label_keys.count;
    const ks_selector_requirements *all = &term->label_selector->match_expressions;
    for (size_t i = all->count > keys ? all->count - keys : 0; i < all->count; i++)
        if (all->items[i].values.count == 1 && ks_str_eq(all->items[i].key, key) &&
            ks_str_eq(all->items[i].op, op))
            return true;
    return false;
}

typedef struct key_list {
    const ks_strs *keys;
    ks_operator op;
    ks_str op_name;
} key_list;

/* The pod's own value of each key that it has. */
static bool add_keys(ks_selector *to, const key_list *list, const ks_pod_affinity_term *term,
                     const ks_labels *labels, ks_arena *arena)
{
    for (size_t i = 0; i < list->keys->count; i++) {
        ks_str key = list->keys->items[i], value = ks_labels_get(labels, key);
        if (!value.data || is_merged(term, key, list->op_name))
            continue;
        ks_str *values = ks_arena_get(arena, sizeof *values);
        if (!values)
            return false;
        *values = value;
        to->requirements.items[to->requirements.count++] =
            (ks_requirement){.key = key, .op = list->op, .values = {values, 1}};
    }
    return true;
}

static int merge_label_keys(ks_selector *selector, const ks_pod_affinity_term *term, const ks_labels *labels,
                            ks_arena *arena, ks_error *err)
{
    size_t keys = term->match_label_keys.count + term->mismatch_label_keys.count;
    if (keys == 0 || !term->label_selector)
        return KS_OK;
    const key_list lists[] = {{&term->match_label_keys, KS_OP_IN, KS_STR("In")},
                              {&term->mismatch_label_keys, KS_OP_NOT_IN, KS_STR("NotIn")}};
    ks_selector more = {.requirements = {ks_arena_get(arena, keys * sizeof(ks_requirement)), 0}};
    if (!more.requirements.items || !add_keys(&more, &lists[0], term, labels, arena) ||
        !add_keys(&more, &lists[1], term, labels, arena))
        return ks_fail_nomem(err);
    return ks_selector_merge(selector, &more, arena, err);
}

/* ---- namespaces ---- */

static bool sort_namespaces(ks_strs *out, const ks_strs *from, ks_arena *arena)
{
    ks_str *items = ks_arena_get(arena, from->count * sizeof *items);
    if (!items)
        return false;
    if (from->count)
        memcpy(items, from->items, from->count * sizeof *items);
    qsort(items, from->count, sizeof *items, compare_strings);
    *out = (ks_strs){items, 0};
    for (size_t i = 0; i < from->count; i++)
        if (i == 0 || !ks_str_eq(items[i], items[out->count - 1]))
            items[out->count++] = items[i];
    return true;
}

static bool fill_namespaces(ks_affinity_term *out, const ks_pod_affinity_term *from, ks_str own,
                            ks_arena *arena)
{
    if (from->namespaces.count > 0 || from->namespace_selector)
        return sort_namespaces(&out->namespaces, &from->namespaces, arena);
    ks_strs alone = {&own, 1};
    return sort_namespaces(&out->namespaces, &alone, arena);
}

ks_labels ks_namespace_labels(const ks_cluster *cluster, ks_str name)
{
    const ks_stored *stored = ks_stored_find(cluster, KS_NAMESPACE, (ks_str){0}, name);
    return stored ? stored->object.metadata.labels : (ks_labels){0};
}

/* With room for all names, those of the term first. */
static ks_strs list_namespaces(const ks_affinity_term *term, const ks_cluster *cluster, ks_str *room)
{
    ks_strs names = {room, term->namespaces.count};
    if (names.count)
        memcpy(room, term->namespaces.items, names.count * sizeof *room);
    for (size_t i = 0; i < cluster->stored.rows.count; i++) {
        const ks_stored *stored = (const ks_stored *)cluster->stored.rows.items[i];
        if (stored && stored->object.kind == KS_NAMESPACE &&
            ks_selector_matches(&term->namespace_selector, &stored->object.metadata.labels))
            room[names.count++] = stored->object.metadata.name;
    }
    return names;
}

int ks_affinity_term_resolve(ks_affinity_term *term, const ks_cluster *cluster, ks_arena *arena,
                             ks_error *err)
{
    if (term->namespace_selector.nothing)
        return KS_OK;
    if (ks_selector_matches(&term->namespace_selector, &(ks_labels){0})) {
        term->namespaces.count = 0; /* every namespace */
        term->namespace_selector = (ks_selector){0};
        return KS_OK;
    }
    size_t most = term->namespaces.count + ks_table_count(&cluster->stored);
    ks_str *room = ks_arena_get(arena, most * sizeof *room);
    if (!room)
        return ks_fail_nomem(err);
    ks_strs names = list_namespaces(term, cluster, room);
    term->namespace_selector = (ks_selector){.nothing = true};
    return sort_namespaces(&term->namespaces, &names, arena) ? KS_OK : ks_fail_nomem(err);
}

/* ---- compiling ---- */

typedef struct pod_identity {
    ks_str namespace_;
    const ks_labels *labels;
} pod_identity;

static int compile_term(ks_affinity_term *out, const ks_pod_affinity_term *from, const pod_identity *pod,
                        ks_arena *arena, ks_error *err)
{
    out->topology_key = from->topology_key;
    int code = ks_selector_compile(&out->selector, from->label_selector, arena, err);
    if (code == KS_OK)
        code = ks_selector_compile(&out->namespace_selector, from->namespace_selector, arena, err);
    if (code == KS_OK)
        code = merge_label_keys(&out->selector, from, pod->labels, arena, err);
    if (code == KS_OK && !fill_namespaces(out, from, pod->namespace_, arena))
        code = ks_fail_nomem(err);
    return code;
}

static size_t count_terms(const ks_pod_affinity *of, bool preferred)
{
    if (!of)
        return 0;
    return preferred ? of->preferred.count : of->required.count;
}

/* Up to the first term that cannot be. */
static int compile_terms(ks_affinity_term_list *out, const ks_pod_affinity *from, bool preferred,
                         const pod_identity *pod, ks_arena *arena, ks_error *err)
{
    size_t count = count_terms(from, preferred);
    out->items = ks_arena_get_zeroed(arena, count * sizeof *out->items);
    int code = out->items ? KS_OK : ks_fail_nomem(err);
    for (size_t i = 0; code == KS_OK && i < count; i++) {
        const ks_pod_affinity_term *term =
            preferred ? &from->preferred.items[i].pod_affinity_term : &from->required.items[i];
        code = compile_term(&out->items[i], term, pod, arena, err);
        out->items[i].weight = preferred ? from->preferred.items[i].weight : 0;
        out->count++;
    }
    return code;
}

static int compile_list(ks_pod_terms *out, int which, const ks_affinity *affinity, const pod_identity *pod,
                        ks_arena *arena, ks_error *err)
{
    bool anti = which == KS_TERMS_ANTI_AFFINITY || which == KS_TERMS_PREFERRED_ANTI;
    bool preferred = which == KS_TERMS_PREFERRED || which == KS_TERMS_PREFERRED_ANTI;
    ks_affinity_term_list *list = &out->lists[which];
    ks_error cause = {0};
    int code = compile_terms(list, anti ? affinity->pod_anti_affinity : affinity->pod_affinity, preferred,
                             pod, arena, &cause);
    for (size_t i = 0; anti && i < list->count; i++)
        list->items[i].weight = -list->items[i].weight;
    if (code != KS_EINVAL)
        return code == KS_OK ? KS_OK : ks_fail_nomem(err);
    list->count = 0;
    ks_error_wrap(&cause, KS_EINVAL, "%s", list_names[which]);
    return ks_arena_copy_str(arena, &out->faults[which], ks_str_of(cause.message)) ? KS_OK
                                                                                   : ks_fail_nomem(err);
}

int ks_pod_terms_compile(ks_pod_terms *out, const ks_pod_spec *spec, ks_str namespace_,
                         const ks_labels *labels, ks_arena *arena, ks_error *err)
{
    *out = (ks_pod_terms){0};
    pod_identity pod = {namespace_, labels};
    int code = KS_OK;
    for (int i = 0; code == KS_OK && spec->affinity && i < KS_TERM_LISTS; i++)
        code = compile_list(out, i, spec->affinity, &pod, arena, err);
    return code;
}
