// SPDX-License-Identifier: Apache-2.0
#include "util/json_token.h"

const char *ks_json_fail(ks_json *r, const char *at, int code, const char *rule)
{
    if (r->fault)
        return NULL;
    r->at = at;
    r->code = code;
    r->fault = rule;
    return NULL;
}

const char *ks_json_fail_token(ks_json *r, const char *p, const char *rule)
{
    return ks_json_fail(r, p, KS_EINVAL, p == r->end ? "unexpected end of the text" : rule);
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The four hexadecimal digits at `p`, or -1. */
static int32_t hex_quad(const char *p, const char *end)
{
    if (end - p < 4)
        return -1;
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* `p` is at the backslash of \u. */
static const char *pass_unicode_escape(ks_json *r, const char *p)
{
    int32_t unit = hex_quad(p + 2, r->end);
    if (unit < 0)
        return ks_json_fail(r, p, KS_EINVAL, "\\u must be followed by four hexadecimal digits");
    if (unit < 0xD800 || unit > 0xDFFF)
        return p + 6;
    bool paired = unit < 0xDC00 && r->end - p >= 12 && p[6] == '\\' && p[7] == 'u';
    int32_t low = paired ? hex_quad(p + 8, r->end) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return ks_json_fail(r, p, KS_EINVAL, "surrogate escapes must come in pairs");
    return p + 12;
}

static const char *pass_escape(ks_json *r, const char *p)
{
    switch (r->end - p > 1 ? p[1] : '\0') {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return p + 2;
    case 'u':
        return pass_unicode_escape(r, p);
    default:
        return ks_json_fail(r, p, KS_EINVAL, "unknown escape in a string");
    }
}

const char *ks_json_pass_odd_string(ks_json *r, const char *open, const char *p)
{
    for (; p < r->end; p = ks_scan_plain(p, r->end)) {
        if (*p == '"')
            return p;
        if (*p == '\\') {
            p = pass_escape(r, p);
            if (!p)
                return NULL;
            continue;
        }
        if ((unsigned char)*p < 0x20)
            return ks_json_fail(r, p, KS_EINVAL, "control characters in strings must be escaped");
        size_t len = ks_utf8_length(p, r->end);
        if (len == 0)
            return ks_json_fail(r, p, KS_EINVAL, "invalid UTF-8");
        p += len;
    }
    return ks_json_fail(r, open, KS_EINVAL, "unterminated string");
}

uint32_t ks_json_read_escape(const char **p)
{
    const char *at = *p;
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    if (at[1] != 'u') {
        const char *name = strchr(names, at[1]);
        *p += 2;
        return (unsigned char)(name ? values[name - names] : at[1]);
    }
    uint32_t unit = (uint32_t)hex_quad(at + 2, at + 6);
    *p += 6;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit;
    uint32_t low = (uint32_t)hex_quad(at + 8, at + 12);
    *p += 6;
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

/* ---- numbers and literals ---- */

static bool is_digit(const char *p, const char *end)
{
    return p < end && *p >= '0' && *p <= '9';
}

/* At least one digit. */
static const char *pass_digits(ks_json *r, const char *p, const char *rule)
{
    if (!is_digit(p, r->end))
        return ks_json_fail_token(r, p, rule);
    while (is_digit(p, r->end))
        p++;
    return p;
}

const char *ks_json_pass_number(ks_json *r, const char *p)
{
    const char *end = r->end;
    if (p < end && *p == '-')
        p++;
    const char *whole = p;
    p = pass_digits(r, p, "'-' must be followed by a digit");
    if (!p)
        return NULL;
    if (*whole == '0' && p - whole > 1)
        return ks_json_fail(r, whole, KS_EINVAL, "numbers must not begin with a needless 0");
    if (p < end && *p == '.')
        p = pass_digits(r, p + 1, "a decimal point must be followed by a digit");
    if (!p || p == end || (*p != 'e' && *p != 'E'))
        return p;
    p++;
    if (p < end && (*p == '+' || *p == '-'))
        p++;
    return pass_digits(r, p, "an exponent must have a digit");
}

static const char *pass_word(ks_json *r, const char *p, ks_str word)
{
    if ((size_t)(r->end - p) >= word.len && memcmp(p, word.data, word.len) == 0)
        return p + word.len;
    return ks_json_fail_token(r, p, "expected a value");
}

const char *ks_json_pass_literal(ks_json *r, const char *p)
{
    switch (*p) {
    case 't':
        return pass_word(r, p, KS_STR("true"));
    case 'f':
        return pass_word(r, p, KS_STR("false"));
    default:
        return pass_word(r, p, KS_STR("null"));
    }
}
