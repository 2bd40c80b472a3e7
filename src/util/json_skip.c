// SPDX-License-Identifier: Apache-2.0
/* Passing over a value without reading it, the decoder's most frequent act: three quarters of a pod's text
 * are of no use to scheduling. The grammar is checked in full. One loop serves all nesting, so that depth
 * costs no stack; every local lives in a register. */
#include "util/json_token.h"

/* The containers that are open, innermost last, by the bracket that closes them. */
typedef struct brackets {
    uint32_t open;
    char close[KS_JSON_DEPTH_MAX];
} brackets;

static const char *fail_member(ks_json *r, const char *p, char close)
{
    return ks_json_fail_token(r, p, close == '}' ? KS_JSON_IN_OBJECT : KS_JSON_IN_ARRAY);
}

static inline const char *pass_key(ks_json *r, const char *p)
{
    p = ks_scan_space(p, r->end);
    if (p == r->end || *p != '"')
        return ks_json_fail_token(r, p, KS_JSON_NO_KEY);
    p = ks_json_pass_string(r, p);
    if (!p)
        return NULL;
    p = ks_scan_space(p + 1, r->end);
    if (p == r->end || *p != ':')
        return ks_json_fail_token(r, p, KS_JSON_NO_COLON);
    return p + 1;
}

static inline const char *pass_scalar(ks_json *r, const char *p)
{
    if (*p == '"') {
        p = ks_json_pass_string(r, p);
        return p ? p + 1 : NULL;
    }
    if (*p == '-' || (*p >= '0' && *p <= '9'))
        return ks_json_pass_number(r, p);
    return ks_json_pass_literal(r, p);
}

/* Behind a value: closes what ends here and passes the comma before the next value, if there is one. */
static inline const char *pass_closing(ks_json *r, const char *p, brackets *b)
{
    while (b->open > 0) {
        p = ks_scan_space(p, r->end);
        char close = b->close[b->open - 1];
        if (p < r->end && *p == ',')
            return p + 1;
        if (p == r->end || *p != close)
            return fail_member(r, p, close);
        b->open--;
        p++;
    }
    return p;
}

/* Passes an opening bracket at `p`. An empty container is left for pass_closing. */
static inline bool pass_opening(ks_json *r, const char **p, brackets *b)
{
    if (r->depth + b->open == KS_JSON_DEPTH_MAX) {
        ks_json_fail(r, *p, KS_ELIMIT, KS_JSON_TOO_DEEP);
        return false;
    }
    char close = **p == '{' ? '}' : ']';
    b->close[b->open++] = close;
    *p = ks_scan_space(*p + 1, r->end);
    return true;
}

bool ks_json_skip(ks_json *r)
{
    if (r->fault)
        return false;
    brackets b;
    b.open = 0;
    const char *p = r->at;
    do {
        if (b.open > 0 && b.close[b.open - 1] == '}' && !(p = pass_key(r, p)))
            return false;
        p = ks_scan_space(p, r->end);
        if (p == r->end) {
            ks_json_fail_token(r, p, "");
            return false;
        }
        if (*p == '{' || *p == '[') {
            if (!pass_opening(r, &p, &b))
                return false;
            if (p == r->end || *p != b.close[b.open - 1])
                continue;
        } else if (!(p = pass_scalar(r, p))) {
            return false;
        }
        if (!(p = pass_closing(r, p, &b)))
            return false;
    } while (b.open > 0);
    r->at = p;
    return true;
}
