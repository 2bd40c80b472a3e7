// SPDX-License-Identifier: Apache-2.0
/* Selectors made of the input's bytes, against what their definition says.
 *
 * - A compiled selector matches what a reading of the LabelSelector word by word says, alone and merged.
 * - A copy is equal; the order in which requirements and values are written does not matter.
 * - Equal selectors print and hash equal, and those that print differently are not equal.
 * - A term of a node selector of the same expressions agrees. */
#include "model/selector.h"
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

enum { ITEMS_MAX = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- from bytes to selectors ---- */

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static uint8_t take(input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->data++;
}

/* Few words, so that selectors and labels meet; at times the input's own bytes, which may break any rule. */
static ks_str take_word(input *in)
{
    static const char *const words[] = {"a",  "b", "c", "", "a/b", "1", "12", "-3", "9223372036854775807",
                                        "a b"};
    uint8_t choice = take(in);
    if (choice < 240)
        return ks_str_of(words[choice % (sizeof words / sizeof *words)]);
    size_t len = choice - 240u < in->size ? choice - 240u : in->size;
    ks_str word = {(const char *)in->data, len};
    in->data += len;
    in->size -= len;
    return word;
}

static ks_str take_operator(input *in)
{
    static const char *const operators[] = {"In",    "NotIn",  "Exists", "DoesNotExist", "In",
                                            "NotIn", "Exists", "Gt",     "Lt",           "in"};
    return ks_str_of(operators[take(in) % (sizeof operators / sizeof *operators)]);
}

static ks_labels take_labels(input *in, ks_label items[ITEMS_MAX])
{
    ks_labels labels = {items, take(in) % ITEMS_MAX};
    for (size_t i = 0; i < labels.count; i++)
        items[i] = (ks_label){take_word(in), take_word(in)};
    ks_labels_sort(&labels);
    return labels;
}

/* A LabelSelector with room for its parts. */
typedef struct source {
    ks_label_selector selector;
    ks_label labels[ITEMS_MAX];
    ks_selector_requirement expressions[ITEMS_MAX];
    ks_str values[ITEMS_MAX][ITEMS_MAX];
} source;

static void take_source(source *out, input *in)
{
    out->selector.match_labels = take_labels(in, out->labels);
    out->selector.match_expressions = (ks_selector_requirements){out->expressions, take(in) % ITEMS_MAX};
    for (size_t i = 0; i < out->selector.match_expressions.count; i++) {
        ks_selector_requirement *expression = &out->expressions[i];
        *expression = (ks_selector_requirement){
            .key = take_word(in), .op = take_operator(in), .values = {out->values[i], take(in) % ITEMS_MAX}};
        for (size_t v = 0; v < expression->values.count; v++)
            out->values[i][v] = take_word(in);
    }
}

/* The same selector, written backwards. */
static void reverse(source *out, const source *from)
{
    *out = *from;
    size_t count = from->selector.match_expressions.count;
    out->selector.match_labels.items = out->labels;
    out->selector.match_expressions.items = out->expressions;
    for (size_t i = 0; i < count; i++) {
        out->expressions[i] = from->expressions[count - 1 - i];
        size_t values = out->expressions[i].values.count;
        for (size_t v = 0; v < values; v++)
            out->values[i][v] = from->values[count - 1 - i][values - 1 - v];
        out->expressions[i].values.items = out->values[i];
    }
}

/* ---- word by word ---- */

static bool lists(const ks_strs *values, ks_str value)
{
    for (size_t i = 0; i < values->count; i++)
        if (ks_str_eq(values->items[i], value))
            return true;
    return false;
}

static const ks_label *find(const ks_labels *labels, ks_str key)
{
    for (size_t i = 0; i < labels->count; i++)
        if (ks_str_eq(labels->items[i].key, key))
            return &labels->items[i];
    return NULL;
}

static bool holds(const ks_selector_requirement *expression, const ks_labels *labels)
{
    const ks_label *label = find(labels, expression->key);
    if (ks_str_eq(expression->op, KS_STR("In")))
        return label && lists(&expression->values, label->value);
    if (ks_str_eq(expression->op, KS_STR("NotIn")))
        return !label || !lists(&expression->values, label->value);
    return ks_str_eq(expression->op, KS_STR("Exists")) ? label != NULL : label == NULL;
}

static bool expressions_hold(const ks_selector_requirements *expressions, const ks_labels *labels)
{
    for (size_t i = 0; i < expressions->count; i++)
        if (!holds(&expressions->items[i], labels))
            return false;
    return true;
}

static bool selects(const ks_label_selector *selector, const ks_labels *labels)
{
    for (size_t i = 0; i < selector->match_labels.count; i++) {
        const ks_label *label = find(labels, selector->match_labels.items[i].key);
        if (!label || !ks_str_eq(label->value, selector->match_labels.items[i].value))
            return false;
    }
    return expressions_hold(&selector->match_expressions, labels);
}

/* ---- the checks ---- */

static bool prints_equal(const ks_selector *a, const ks_selector *b, ks_alloc *alloc)
{
    ks_buf left, right;
    ks_buf_init(&left, alloc);
    ks_buf_init(&right, alloc);
    ks_selector_print(&left, a);
    ks_selector_print(&right, b);
    bool equal = ks_str_eq(ks_buf_str(&left), ks_buf_str(&right));
    ks_buf_free(&left);
    ks_buf_free(&right);
    return equal;
}

static void check_same(const ks_selector *a, const ks_selector *b, ks_alloc *alloc)
{
    CHECK(ks_selector_equal(a, b) && ks_selector_equal(b, a));
    CHECK(ks_selector_hash(a, 1) == ks_selector_hash(b, 1));
    CHECK(prints_equal(a, b, alloc));
}

/* False if it does not compile. */
static bool check_one(ks_selector *out, const source *from, const ks_labels *labels, ks_arena *arena)
{
    source backwards;
    ks_selector reversed, copy;
    ks_error err = {0};
    reverse(&backwards, from);
    int code = ks_selector_compile(out, &from->selector, arena, &err);
    CHECK(ks_selector_compile(&reversed, &backwards.selector, arena, NULL) == code);
    if (code != KS_OK) {
        CHECK(code == KS_EINVAL && err.code == code && err.message[0]);
        return false;
    }
    check_same(out, &reversed, arena->alloc);
    CHECK(ks_selector_copy(&copy, out, arena));
    check_same(out, &copy, arena->alloc);
    CHECK(ks_selector_matches(out, labels) == selects(&from->selector, labels));
    ks_node_selector_term term = {.match_expressions = from->selector.match_expressions};
    ks_node_selector selector = {.node_selector_terms = {&term, 1}};
    ks_required_affinity affinity = {.node_affinity = &selector};
    if (term.match_expressions.count)
        CHECK(ks_required_affinity_matches(&affinity, KS_STR("node"), labels) ==
              expressions_hold(&term.match_expressions, labels));
    return true;
}

static void check_two(const ks_selector *a, const ks_selector *b, const ks_labels *labels, ks_arena *arena)
{
    bool both = ks_selector_matches(a, labels) && ks_selector_matches(b, labels);
    CHECK(ks_selector_equal(a, b) == prints_equal(a, b, arena->alloc));
    if (ks_selector_equal(a, b))
        check_same(a, b, arena->alloc);
    ks_selector ab = *a, ba = *b;
    CHECK(ks_selector_merge(&ab, b, arena, NULL) == KS_OK);
    CHECK(ks_selector_merge(&ba, a, arena, NULL) == KS_OK);
    check_same(&ab, &ba, arena->alloc);
    CHECK(ks_selector_matches(&ab, labels) == both);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    source first, second;
    ks_label items[ITEMS_MAX];
    ks_labels labels = take_labels(&in, items);
    take_source(&first, &in);
    take_source(&second, &in);

    ks_alloc alloc;
    ks_arena arena;
    ks_alloc_init(&alloc, NULL);
    ks_arena_init(&arena, &alloc);
    ks_selector a, b;
    bool a_fine = check_one(&a, &first, &labels, &arena), b_fine = check_one(&b, &second, &labels, &arena);
    if (a_fine && b_fine)
        check_two(&a, &b, &labels, &arena);
    ks_arena_free(&arena);
    CHECK(alloc.bytes == 0);
    return 0;
}
