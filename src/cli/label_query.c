// SPDX-License-Identifier: Apache-2.0
#include "cli/label_query.h"
#include "model/selector.h"
#include "util/str.h"

typedef struct query {
    ks_str text;
    size_t at;
    ks_arena *arena;
    ks_error *err;
} query;

static int fail(query *q, const char *rule)
{
    return ks_fail(q->err, KS_EINVAL, "\"%.*s\": %s", KS_STR_ARG(q->text), rule);
}

static void skip_blanks(query *q)
{
    while (q->at < q->text.len && q->text.data[q->at] == ' ')
        q->at++;
}

static bool accept(query *q, const char *token)
{
    skip_blanks(q);
    size_t len = strlen(token);
    if (q->text.len - q->at < len || memcmp(q->text.data + q->at, token, len) != 0)
        return false;
    q->at += len;
    return true;
}

/* A key, a value or an operator's name: up to what cannot be in one. May be empty. */
static ks_str read_word(query *q)
{
    skip_blanks(q);
    size_t begin = q->at;
    while (q->at < q->text.len && !strchr(" ,()=!<>", q->text.data[q->at]))
        q->at++;
    return (ks_str){q->text.data + begin, q->at - begin};
}

static int set_values(query *q, ks_selector_requirement *r, size_t count)
{
    r->values.items = ks_arena_get(q->arena, count * sizeof *r->values.items);
    return r->values.items ? KS_OK : ks_fail_nomem(q->err);
}

/* "(a,b)", the number of commas known to be an upper bound of the values. */
static int read_values(query *q, ks_selector_requirement *r)
{
    if (!accept(q, "("))
        return fail(q, "in and notin must be followed by values in parentheses: key in (a,b)");
    size_t commas = 0;
    for (size_t i = q->at; i < q->text.len; i++)
        commas += q->text.data[i] == ',';
    int code = set_values(q, r, commas + 1);
    if (code != KS_OK)
        return code;
    do
        r->values.items[r->values.count++] = read_word(q);
    while (accept(q, ","));
    return accept(q, ")") ? KS_OK : fail(q, "values must end with a parenthesis: key in (a,b)");
}

static int read_one_value(query *q, ks_selector_requirement *r, ks_str op)
{
    r->op = op;
    int code = set_values(q, r, 1);
    if (code != KS_OK)
        return code;
    r->values.items[0] = read_word(q);
    r->values.count = 1;
    return KS_OK;
}

static int read_requirement(query *q, ks_selector_requirement *r)
{
    bool negated = accept(q, "!");
    r->key = read_word(q);
    if (r->key.len == 0)
        return fail(q, "every part must begin with a label's key, or with ! and a key");
    if (negated) {
        r->op = KS_STR("DoesNotExist");
        return KS_OK;
    }
    if (accept(q, "!="))
        return read_one_value(q, r, KS_STR("NotIn"));
    if (accept(q, "==") || accept(q, "="))
        return read_one_value(q, r, KS_STR("In"));
    ks_str op = read_word(q);
    bool in = ks_str_eq(op, KS_STR("in")), not_in = ks_str_eq(op, KS_STR("notin"));
    r->op = in ? KS_STR("In") : not_in ? KS_STR("NotIn") : KS_STR("Exists");
    if (in || not_in)
        return read_values(q, r);
    return op.len == 0 ? KS_OK : fail(q, "must compare with =, ==, !=, in or notin");
}

static size_t parts_max(ks_str text)
{
    size_t parts = 1;
    for (size_t i = 0; i < text.len; i++)
        parts += text.data[i] == ',';
    return parts;
}

int ks_label_query_parse(ks_label_selector *out, ks_str text, ks_arena *arena, ks_error *err)
{
    query q = {.text = text, .arena = arena, .err = err};
    *out = (ks_label_selector){0};
    skip_blanks(&q);
    if (q.at == text.len)
        return KS_OK;
    size_t bytes = parts_max(text) * sizeof *out->match_expressions.items;
    out->match_expressions.items = ks_arena_get_zeroed(arena, bytes);
    if (!out->match_expressions.items)
        return ks_fail_nomem(err);
    int code = KS_OK;
    do
        code = read_requirement(&q, &out->match_expressions.items[out->match_expressions.count++]);
    while (code == KS_OK && accept(&q, ","));
    skip_blanks(&q);
    if (code == KS_OK && q.at < text.len)
        code = fail(&q, "parts must be separated by commas");
    ks_selector compiled;
    return code == KS_OK ? ks_selector_compile(&compiled, out, arena, err) : code;
}
