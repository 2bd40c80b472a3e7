// SPDX-License-Identifier: Apache-2.0
#include "util/json_token.h"

void ks_json_init(ks_json *r, ks_str text)
{
    const char *begin = text.data ? text.data : "";
    *r = (ks_json){.begin = begin, .at = begin, .end = begin + text.len};
}

bool ks_json_set_fault(ks_json *r, int code, const char *rule)
{
    ks_json_fail(r, r->at, code, rule);
    return false;
}

/* Moves to the next token; false if there is none or a fault came before. */
static bool find_token(ks_json *r)
{
    if (r->fault)
        return false;
    r->at = ks_scan_space(r->at, r->end);
    return r->at < r->end;
}

static bool fail_here(ks_json *r, const char *rule)
{
    ks_json_fail_token(r, r->at, rule);
    return false;
}

ks_json_type ks_json_peek(ks_json *r)
{
    if (!find_token(r)) {
        fail_here(r, "expected a value");
        return KS_JSON_FAULT;
    }
    switch (*r->at) {
    case '{':
        return KS_JSON_OBJECT;
    case '[':
        return KS_JSON_ARRAY;
    case '"':
        return KS_JSON_STRING;
    case 't':
        return KS_JSON_TRUE;
    case 'f':
        return KS_JSON_FALSE;
    case 'n':
        return KS_JSON_NULL;
    default:
        if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'))
            return KS_JSON_NUMBER;
        fail_here(r, "expected a value");
        return KS_JSON_FAULT;
    }
}

/* ---- containers ---- */

static bool enter(ks_json *r, char bracket, const char *rule)
{
    if (!find_token(r) || *r->at != bracket)
        return fail_here(r, rule);
    if (r->depth == KS_JSON_DEPTH_MAX)
        return ks_json_set_fault(r, KS_ELIMIT, KS_JSON_TOO_DEEP);
    r->depth++;
    r->at++;
    r->first = true;
    return true;
}

/* The place behind what separates the next member or item from the one before; NULL behind the last one,
 * which leaves the container, and on a fault. Here and in what follows the reader's own cursor moves only
 * at the end, since one in a register is faster than one that goes through memory token by token. */
static inline const char *pass_separator(ks_json *r, char bracket, const char *rule)
{
    if (r->fault)
        return NULL;
    const char *p = ks_scan_space(r->at, r->end);
    if (p == r->end)
        return ks_json_fail_token(r, p, rule);
    bool first = r->first;
    r->first = false;
    if (*p == bracket) {
        r->depth--;
        r->at = p + 1;
        return NULL;
    }
    if (first)
        return p;
    return *p == ',' ? p + 1 : ks_json_fail_token(r, p, rule);
}

/* The string whose opening quote is at `open`; the place behind it. */
static inline const char *read_quoted(ks_json *r, const char *open, ks_json_string *out)
{
    const char *plain = ks_scan_plain(open + 1, r->end);
    const char *close = plain;
    if (plain == r->end || *plain != '"')
        close = ks_json_pass_odd_string(r, open, plain);
    if (!close)
        return NULL;
    out->raw = (ks_str){open + 1, (size_t)(close - open - 1)};
    out->escaped = close != plain && memchr(plain, '\\', (size_t)(close - plain));
    return close + 1;
}

bool ks_json_begin_object(ks_json *r)
{
    return enter(r, '{', "must be an object");
}

bool ks_json_begin_array(ks_json *r)
{
    return enter(r, '[', "must be an array");
}

bool ks_json_next_key(ks_json *r, ks_json_string *key)
{
    const char *p = pass_separator(r, '}', KS_JSON_IN_OBJECT);
    if (!p)
        return false;
    p = ks_scan_space(p, r->end);
    if (p == r->end || *p != '"')
        return ks_json_fail_token(r, p, KS_JSON_NO_KEY);
    p = read_quoted(r, p, key);
    if (!p)
        return false;
    p = ks_scan_space(p, r->end);
    if (p == r->end || *p != ':')
        return ks_json_fail_token(r, p, KS_JSON_NO_COLON);
    r->at = p + 1;
    return true;
}

bool ks_json_next_item(ks_json *r)
{
    const char *p = pass_separator(r, ']', KS_JSON_IN_ARRAY);
    if (p)
        r->at = p;
    return p;
}

/* ---- values ---- */

bool ks_json_read_string(ks_json *r, ks_json_string *out)
{
    if (!find_token(r) || *r->at != '"')
        return fail_here(r, "must be a string");
    const char *p = read_quoted(r, r->at, out);
    if (p)
        r->at = p;
    return p;
}

bool ks_json_read_number(ks_json *r, ks_str *out)
{
    if (ks_json_peek(r) != KS_JSON_NUMBER)
        return fail_here(r, "must be a number");
    const char *begin = r->at;
    const char *end = ks_json_pass_number(r, begin);
    if (!end)
        return false;
    *out = (ks_str){begin, (size_t)(end - begin)};
    r->at = end;
    return true;
}

static bool read_literal(ks_json *r)
{
    const char *end = ks_json_pass_literal(r, r->at);
    if (!end)
        return false;
    r->at = end;
    return true;
}

bool ks_json_read_bool(ks_json *r, bool *out)
{
    ks_json_type type = ks_json_peek(r);
    if (type != KS_JSON_TRUE && type != KS_JSON_FALSE)
        return fail_here(r, "must be true or false");
    if (!read_literal(r))
        return false;
    *out = type == KS_JSON_TRUE;
    return true;
}

bool ks_json_read_null(ks_json *r)
{
    if (ks_json_peek(r) != KS_JSON_NULL)
        return fail_here(r, "must be null");
    return read_literal(r);
}

bool ks_json_at_end(ks_json *r)
{
    return !find_token(r) && !r->fault;
}
