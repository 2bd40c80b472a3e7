// SPDX-License-Identifier: Apache-2.0
#include "model/requirement.h"
#include "model/quote.h"

bool ks_operator_parse(ks_operator *out, ks_str name)
{
    static const char *const names[] = {
        [KS_OP_IN] = "In",         [KS_OP_NOT_IN] = "NotIn",
        [KS_OP_EXISTS] = "Exists", [KS_OP_DOES_NOT_EXIST] = "DoesNotExist",
        [KS_OP_GT] = "Gt",         [KS_OP_LT] = "Lt",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!ks_str_eq(name, ks_str_of(names[i])))
            continue;
        *out = (ks_operator)i;
        return true;
    }
    return false;
}

static bool parse_integer(int64_t *out, ks_str text)
{
    return ks_str_to_int(out, text) == KS_INT_FINE;
}

static bool is_integer(ks_str text)
{
    int64_t ignored;
    return parse_integer(&ignored, text);
}

static bool has(const ks_strs *values, ks_str value)
{
    for (size_t i = 0; i < values->count; i++)
        if (ks_str_eq(values->items[i], value))
            return true;
    return false;
}

static bool exceeds(ks_operator op, ks_str label, const ks_strs *bounds)
{
    int64_t value, bound;
    if (bounds->count != 1 || !parse_integer(&value, label) || !parse_integer(&bound, bounds->items[0]))
        return false;
    return op == KS_OP_GT ? value > bound : value < bound;
}

bool ks_requirement_matches(const ks_requirement *requirement, const ks_labels *labels)
{
    ks_str value = ks_labels_get(labels, requirement->key);
    switch (requirement->op) {
    case KS_OP_IN:
        return value.data && has(&requirement->values, value);
    case KS_OP_NOT_IN:
        return !value.data || !has(&requirement->values, value);
    case KS_OP_EXISTS:
        return value.data;
    case KS_OP_DOES_NOT_EXIST:
        return !value.data;
    case KS_OP_GT:
    case KS_OP_LT:
        return value.data && exceeds(requirement->op, value, &requirement->values);
    }
    return false;
}

/* The rule about the number of values that is broken, or NULL. */
static const char *values_fault(const ks_requirement *requirement)
{
    size_t count = requirement->values.count;
    switch (requirement->op) {
    case KS_OP_IN:
    case KS_OP_NOT_IN:
        return count == 0 ? "for 'in', 'notin' operators, values set can't be empty" : NULL;
    case KS_OP_EXISTS:
    case KS_OP_DOES_NOT_EXIST:
        return count != 0 ? "values set must be empty for exists and does not exist" : NULL;
    case KS_OP_GT:
    case KS_OP_LT:
        return count != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : NULL;
    }
    return NULL;
}

enum { ALL_FAULTS = -1 };

/* Faults are counted, and written if there is a buffer: all of them, or one by its number. */
typedef struct explanation {
    ks_buf *buf;
    ptrdiff_t which, count;
} explanation;

static bool begin_fault(explanation *out)
{
    ptrdiff_t number = out->count++;
    if (!out->buf || (out->which != ALL_FAULTS && out->which != number))
        return false;
    if (out->which == ALL_FAULTS && number > 0)
        ks_buf_put_str(out->buf, KS_STR(", "));
    return true;
}

static void put_rules(ks_buf *buf, const char *const *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ks_buf_printf(buf, "%s%s", i == 0 ? ": " : "; ", rules[i]);
}

static void explain_key(explanation *out, ks_str key)
{
    const char *rules[KS_LABEL_FAULTS_MAX];
    size_t count = ks_label_key_faults(rules, key);
    if (count == 0 || !begin_fault(out))
        return;
    ks_buf_put_str(out->buf, KS_STR("key: Invalid value: "));
    ks_quote_go(out->buf, key);
    put_rules(out->buf, rules, count);
}

static void explain_value(explanation *out, const ks_requirement *requirement, size_t at)
{
    const char *rules[KS_LABEL_FAULTS_MAX];
    ks_str value = requirement->values.items[at];
    size_t count = ks_label_value_faults(rules, value);
    if (count == 0 || !begin_fault(out))
        return;
    ks_buf_printf(out->buf, "values[%zu][", at);
    ks_buf_put_str(out->buf, requirement->key);
    ks_buf_put_str(out->buf, KS_STR("]: Invalid value: "));
    ks_quote_go(out->buf, value);
    put_rules(out->buf, rules, count);
}

static void explain_number(explanation *out, const ks_requirement *requirement, size_t at)
{
    ks_str value = requirement->values.items[at];
    if (is_integer(value) || !begin_fault(out))
        return;
    ks_buf_printf(out->buf, "values[%zu]: Invalid value: ", at);
    ks_quote_go(out->buf, value);
    ks_buf_put_str(out->buf, KS_STR(": for 'Gt', 'Lt' operators, the value must be an integer"));
}

static void explain_values(explanation *out, const ks_requirement *requirement)
{
    const ks_strs *values = &requirement->values;
    const char *rule = values_fault(requirement);
    if (rule && begin_fault(out)) {
        ks_buf_put_str(out->buf, KS_STR("values: Invalid value: "));
        ks_quote_json_list(out->buf, values->items, values->count);
        ks_buf_printf(out->buf, ": %s", rule);
    }
    if (requirement->op == KS_OP_GT || requirement->op == KS_OP_LT)
        for (size_t i = 0; i < values->count; i++)
            explain_number(out, requirement, i);
    for (size_t i = 0; i < values->count; i++)
        explain_value(out, requirement, i);
}

static ptrdiff_t explain(ks_buf *buf, ptrdiff_t which, const ks_requirement *requirement)
{
    explanation out = {.buf = buf, .which = which};
    explain_key(&out, requirement->key);
    explain_values(&out, requirement);
    return out.count;
}

bool ks_requirement_valid(const ks_requirement *requirement)
{
    return explain(NULL, ALL_FAULTS, requirement) == 0;
}

void ks_requirement_explain(ks_buf *buf, const ks_requirement *requirement)
{
    bool several = explain(NULL, ALL_FAULTS, requirement) > 1;
    if (several)
        ks_buf_put_char(buf, '[');
    explain(buf, ALL_FAULTS, requirement);
    if (several)
        ks_buf_put_char(buf, ']');
}

bool ks_requirement_explain_nth(ks_buf *buf, const ks_requirement *requirement, size_t nth)
{
    return explain(buf, (ptrdiff_t)nth, requirement) > (ptrdiff_t)nth;
}

static void put_values(ks_buf *buf, const ks_strs *values)
{
    for (size_t i = 0; i < values->count; i++) {
        if (i > 0)
            ks_buf_put_char(buf, ',');
        ks_buf_put_str(buf, values->items[i]);
    }
}

void ks_requirement_print(ks_buf *buf, const ks_requirement *requirement)
{
    static const char *const signs[] = {
        [KS_OP_IN] = " in (", [KS_OP_NOT_IN] = " notin (",
        [KS_OP_EXISTS] = "",  [KS_OP_DOES_NOT_EXIST] = "",
        [KS_OP_GT] = ">",     [KS_OP_LT] = "<",
    };
    bool in_parentheses =
        (requirement->op == KS_OP_IN && !requirement->exact) || requirement->op == KS_OP_NOT_IN;
    if (requirement->op == KS_OP_DOES_NOT_EXIST)
        ks_buf_put_char(buf, '!');
    ks_buf_put_str(buf, requirement->key);
    ks_buf_printf(buf, "%s", requirement->exact ? "=" : signs[requirement->op]);
    put_values(buf, &requirement->values);
    if (in_parentheses)
        ks_buf_put_char(buf, ')');
}
