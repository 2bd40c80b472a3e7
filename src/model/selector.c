// SPDX-License-Identifier: Apache-2.0
#include "model/selector.h"
#include "model/quote.h"
#include "model/requirement.h"
#include "util/sort.h"
#include <assert.h>

bool ks_selector_matches(const ks_selector *selector, const ks_labels *labels)
{
    if (selector->nothing)
        return false;
    for (size_t i = 0; i < selector->requirements.count; i++)
        if (!ks_requirement_matches(&selector->requirements.items[i], labels))
            return false;
    return true;
}

bool ks_selector_empty(const ks_selector *selector)
{
    return !selector->nothing && selector->requirements.count == 0;
}

/* ---- order and identity ---- */

static int compare_strings(const void *a, const void *b)
{
    return ks_str_cmp(*(const ks_str *)a, *(const ks_str *)b);
}

static int compare_values(const ks_strs *a, const ks_strs *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        int order = ks_str_cmp(a->items[i], b->items[i]);
        if (order != 0)
            return order;
    }
    return (a->count > b->count) - (a->count < b->count);
}

static int compare_requirements(const void *left, const void *right)
{
    const ks_requirement *a = left, *b = right;
    int order = ks_str_cmp(a->key, b->key);
    if (order != 0)
        return order;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (a->exact != b->exact)
        return a->exact ? -1 : 1;
    return compare_values(&a->values, &b->values);
}

static void sort_requirements(ks_selector *selector)
{
    ks_sort(selector->requirements.items, selector->requirements.count, sizeof(ks_requirement),
            compare_requirements);
}

bool ks_selector_equal(const ks_selector *a, const ks_selector *b)
{
    if (a->nothing != b->nothing || a->requirements.count != b->requirements.count)
        return false;
    for (size_t i = 0; i < a->requirements.count; i++)
        if (compare_requirements(&a->requirements.items[i], &b->requirements.items[i]) != 0)
            return false;
    return true;
}

static uint64_t hash_string(ks_str text, uint64_t seed)
{
    return ks_hash_bytes(text.data, text.len, ks_hash_bytes(&text.len, sizeof text.len, seed));
}

static uint64_t hash_requirement(const ks_requirement *requirement, uint64_t seed)
{
    uint64_t shape[] = {requirement->op, requirement->exact, requirement->values.count};
    uint64_t hash = ks_hash_bytes(shape, sizeof shape, hash_string(requirement->key, seed));
    for (size_t i = 0; i < requirement->values.count; i++)
        hash = hash_string(requirement->values.items[i], hash);
    return hash;
}

uint64_t ks_selector_hash(const ks_selector *selector, uint64_t seed)
{
    uint64_t shape[] = {selector->nothing, selector->requirements.count};
    uint64_t hash = ks_hash_bytes(shape, sizeof shape, seed);
    for (size_t i = 0; i < selector->requirements.count; i++)
        hash = hash_requirement(&selector->requirements.items[i], hash);
    return hash;
}

/* ---- making one ---- */

static bool reserve_requirements(ks_selector *selector, size_t count, ks_arena *arena)
{
    *selector = (ks_selector){0};
    selector->requirements.items = ks_arena_get(arena, count * sizeof(ks_requirement));
    return selector->requirements.items;
}

static void push_requirement(ks_selector *selector, ks_requirement requirement)
{
    selector->requirements.items[selector->requirements.count++] = requirement;
}

/* key=value for each label. */
static bool push_labels(ks_selector *selector, const ks_labels *labels, ks_arena *arena)
{
    ks_str *values = labels->count ? ks_arena_get(arena, labels->count * sizeof *values) : NULL;
    if (labels->count && !values)
        return false;
    for (size_t i = 0; i < labels->count; i++) {
        values[i] = labels->items[i].value;
        push_requirement(selector, (ks_requirement){.key = labels->items[i].key,
                                                    .op = KS_OP_IN,
                                                    .exact = true,
                                                    .values = {&values[i], 1}});
    }
    return true;
}

static int check_requirement(const ks_requirement *requirement, ks_alloc *alloc, ks_error *err)
{
    if (ks_requirement_valid(requirement))
        return KS_OK;
    ks_buf message;
    ks_buf_init(&message, alloc);
    ks_requirement_explain(&message, requirement);
    int code = message.failed ? ks_fail_nomem(err) : ks_fail(err, KS_EINVAL, "%s", message.data);
    ks_buf_free(&message);
    return code;
}

static int fail_operator(ks_str op, ks_alloc *alloc, ks_error *err)
{
    ks_buf quoted;
    ks_buf_init(&quoted, alloc);
    ks_quote_go(&quoted, op);
    int code = quoted.failed
                   ? ks_fail_nomem(err)
                   : ks_fail(err, KS_EINVAL, "%s is not a valid label selector operator", quoted.data);
    ks_buf_free(&quoted);
    return code;
}

static bool sort_values(ks_requirement *requirement, ks_arena *arena)
{
    ks_strs *values = &requirement->values;
    if (values->count == 0)
        return true;
    ks_str *sorted = ks_arena_get(arena, values->count * sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, values->items, values->count * sizeof *sorted);
    ks_sort(sorted, values->count, sizeof *sorted, compare_strings);
    size_t kept = 1;
    for (size_t i = 1; i < values->count; i++)
        if (!ks_str_eq(sorted[i], sorted[kept - 1]))
            sorted[kept++] = sorted[i];
    *values = (ks_strs){sorted, kept};
    return true;
}

static int compile_expression(ks_selector *out, const ks_selector_requirement *from, ks_arena *arena,
                              ks_error *err)
{
    ks_requirement requirement = {.key = from->key, .values = from->values};
    if (!ks_operator_parse(&requirement.op, from->op) || requirement.op == KS_OP_GT ||
        requirement.op == KS_OP_LT)
        return fail_operator(from->op, arena->alloc, err);
    int code = check_requirement(&requirement, arena->alloc, err);
    if (code != KS_OK)
        return code;
    if (!sort_values(&requirement, arena))
        return ks_fail_nomem(err);
    push_requirement(out, requirement);
    return KS_OK;
}

static int compile_labels(ks_selector *out, const ks_labels *labels, ks_arena *arena, ks_error *err)
{
    if (!push_labels(out, labels, arena))
        return ks_fail_nomem(err);
    for (size_t i = 0; i < out->requirements.count; i++) {
        int code = check_requirement(&out->requirements.items[i], arena->alloc, err);
        if (code != KS_OK)
            return code;
    }
    return KS_OK;
}

int ks_selector_compile(ks_selector *out, const ks_label_selector *from, ks_arena *arena, ks_error *err)
{
    if (!from) {
        *out = (ks_selector){.nothing = true};
        return KS_OK;
    }
    if (!reserve_requirements(out, from->match_labels.count + from->match_expressions.count, arena))
        return ks_fail_nomem(err);
    int code = compile_labels(out, &from->match_labels, arena, err);
    for (size_t i = 0; code == KS_OK && i < from->match_expressions.count; i++)
        code = compile_expression(out, &from->match_expressions.items[i], arena, err);
    sort_requirements(out);
    return code;
}

int ks_selector_from_labels(ks_selector *out, const ks_labels *labels, ks_arena *arena, ks_error *err)
{
    if (!reserve_requirements(out, labels->count, arena) || !push_labels(out, labels, arena))
        return ks_fail_nomem(err);
    sort_requirements(out);
    return KS_OK;
}

/* A requirement that stands there twice says no more than once. They are sorted. */
static void drop_duplicates(ks_selector *selector)
{
    ks_requirement *items = selector->requirements.items;
    size_t kept = 0;
    for (size_t i = 0; i < selector->requirements.count; i++)
        if (kept == 0 || compare_requirements(&items[i], &items[kept - 1]) != 0)
            items[kept++] = items[i];
    selector->requirements.count = kept;
}

int ks_selector_merge(ks_selector *selector, const ks_selector *more, ks_arena *arena, ks_error *err)
{
    assert(!selector->nothing && !more->nothing);
    ks_selector merged;
    if (!reserve_requirements(&merged, selector->requirements.count + more->requirements.count, arena))
        return ks_fail_nomem(err);
    for (size_t i = 0; i < selector->requirements.count; i++)
        push_requirement(&merged, selector->requirements.items[i]);
    for (size_t i = 0; i < more->requirements.count; i++)
        push_requirement(&merged, more->requirements.items[i]);
    sort_requirements(&merged);
    drop_duplicates(&merged);
    *selector = merged;
    return KS_OK;
}

static bool copy_requirement(ks_requirement *to, const ks_requirement *from, ks_arena *arena)
{
    *to = (ks_requirement){.op = from->op, .exact = from->exact};
    if (!ks_arena_copy_str(arena, &to->key, from->key))
        return false;
    if (from->values.count == 0)
        return true;
    to->values.items = ks_arena_get(arena, from->values.count * sizeof(ks_str));
    if (!to->values.items)
        return false;
    for (; to->values.count < from->values.count; to->values.count++)
        if (!ks_arena_copy_str(arena, &to->values.items[to->values.count],
                               from->values.items[to->values.count]))
            return false;
    return true;
}

bool ks_selector_copy(ks_selector *to, const ks_selector *from, ks_arena *arena)
{
    if (!reserve_requirements(to, from->requirements.count, arena))
        return false;
    to->nothing = from->nothing;
    for (size_t i = 0; i < from->requirements.count; i++) {
        ks_requirement copy;
        if (!copy_requirement(&copy, &from->requirements.items[i], arena))
            return false;
        push_requirement(to, copy);
    }
    return true;
}

void ks_selector_print(ks_buf *buf, const ks_selector *selector)
{
    for (size_t i = 0; i < selector->requirements.count; i++) {
        if (i > 0)
            ks_buf_put_char(buf, ',');
        ks_requirement_print(buf, &selector->requirements.items[i]);
    }
}
