// SPDX-License-Identifier: Apache-2.0
#include "model/yaml_scalar.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- words ---- */

typedef struct word {
    const char *text;
    ks_yaml_type type;
    bool truth;
    const char *key;
} word;

static const word words[] = {
    {"y", KS_YAML_BOOL, true, NULL},
    {"Y", KS_YAML_BOOL, true, NULL},
    {"yes", KS_YAML_BOOL, true, NULL},
    {"Yes", KS_YAML_BOOL, true, NULL},
    {"YES", KS_YAML_BOOL, true, NULL},
    {"true", KS_YAML_BOOL, true, NULL},
    {"True", KS_YAML_BOOL, true, NULL},
    {"TRUE", KS_YAML_BOOL, true, NULL},
    {"on", KS_YAML_BOOL, true, NULL},
    {"On", KS_YAML_BOOL, true, NULL},
    {"ON", KS_YAML_BOOL, true, NULL},
    {"n", KS_YAML_BOOL, false, NULL},
    {"N", KS_YAML_BOOL, false, NULL},
    {"no", KS_YAML_BOOL, false, NULL},
    {"No", KS_YAML_BOOL, false, NULL},
    {"NO", KS_YAML_BOOL, false, NULL},
    {"false", KS_YAML_BOOL, false, NULL},
    {"False", KS_YAML_BOOL, false, NULL},
    {"FALSE", KS_YAML_BOOL, false, NULL},
    {"off", KS_YAML_BOOL, false, NULL},
    {"Off", KS_YAML_BOOL, false, NULL},
    {"OFF", KS_YAML_BOOL, false, NULL},
    {"", KS_YAML_NULL, false, NULL},
    {"~", KS_YAML_NULL, false, NULL},
    {"null", KS_YAML_NULL, false, NULL},
    {"Null", KS_YAML_NULL, false, NULL},
    {"NULL", KS_YAML_NULL, false, NULL},
    {".nan", KS_YAML_NOT_FINITE, false, ".nan"},
    {".NaN", KS_YAML_NOT_FINITE, false, ".nan"},
    {".NAN", KS_YAML_NOT_FINITE, false, ".nan"},
    {".inf", KS_YAML_NOT_FINITE, false, ".inf"},
    {".Inf", KS_YAML_NOT_FINITE, false, ".inf"},
    {".INF", KS_YAML_NOT_FINITE, false, ".inf"},
    {"+.inf", KS_YAML_NOT_FINITE, false, ".inf"},
    {"+.Inf", KS_YAML_NOT_FINITE, false, ".inf"},
    {"+.INF", KS_YAML_NOT_FINITE, false, ".inf"},
    {"-.inf", KS_YAML_NOT_FINITE, false, "-.inf"},
    {"-.Inf", KS_YAML_NOT_FINITE, false, "-.inf"},
    {"-.INF", KS_YAML_NOT_FINITE, false, "-.inf"},
};

enum { WORD_LENGTH_MAX = 5 };

static bool resolve_word(ks_yaml_scalar *out, ks_str text)
{
    if (text.len > WORD_LENGTH_MAX)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!ks_str_eq(text, ks_str_of(words[i].text)))
            continue;
        out->type = words[i].type;
        out->truth = words[i].truth;
        if (words[i].key)
            snprintf(out->text, sizeof out->text, "%s", words[i].key);
        return true;
    }
    return false;
}

/* ---- integers ---- */

/* Longer texts stay strings; as numbers they would be beyond any field of the API. */
enum { NUMBER_TEXT_MAX = 256 };

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static bool parse_magnitude(uint64_t *out, const char *digits, unsigned base)
{
    uint64_t value = 0;
    if (!*digits)
        return false;
    for (; *digits; digits++) {
        unsigned digit = (unsigned)digit_value(*digits);
        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *out = value;
    return true;
}

/* 0b, 0o, 0x, and a bare 0 for octal. */
static unsigned take_base(const char **digits)
{
    const char *p = *digits;
    if (p[0] != '0' || !p[1])
        return 10;
    char prefix = (char)(p[1] | 0x20);
    unsigned base = prefix == 'b' ? 2 : prefix == 'o' ? 8 : prefix == 'x' ? 16 : 0;
    if (!base || !p[2]) {
        *digits += 1;
        return 8;
    }
    *digits += 2;
    return base;
}

/* A sign before the digits halves the range: what has none may go up to 2^64 - 1. */
static bool print_integer(ks_yaml_scalar *out, char sign, uint64_t magnitude)
{
    uint64_t max = sign == '-' ? (uint64_t)INT64_MAX + 1 : sign == '+' ? (uint64_t)INT64_MAX : UINT64_MAX;
    if (magnitude > max)
        return false;
    out->type = KS_YAML_INT;
    snprintf(out->text, sizeof out->text, "%s%" PRIu64, sign == '-' && magnitude ? "-" : "", magnitude);
    return true;
}

static char take_sign(const char **p)
{
    return **p == '-' || **p == '+' ? *(*p)++ : '\0';
}

static bool resolve_integer(ks_yaml_scalar *out, const char *plain)
{
    const char *digits = plain;
    char sign = take_sign(&digits);
    unsigned base = take_base(&digits);
    uint64_t magnitude;
    return parse_magnitude(&magnitude, digits, base) && print_integer(out, sign, magnitude);
}

/* A leftover of upstream's: the sign of a binary number may also follow its prefix. */
static bool resolve_odd_binary(ks_yaml_scalar *out, const char *plain)
{
    if (strncmp(plain, "0b", 2) != 0)
        return false;
    const char *digits = plain + 2;
    char sign = take_sign(&digits);
    uint64_t magnitude;
    return parse_magnitude(&magnitude, digits, 2) && print_integer(out, sign, magnitude);
}

/* ---- floats ---- */

/* A decimal number without a point: digits × 10^exponent. Locales disagree about the point, so neither
 * strtod nor snprintf ever gets or makes one that we look at. */
typedef struct decimal {
    bool negative;
    char digits[NUMBER_TEXT_MAX];
    int count, exponent;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void take_digits(decimal *out, const char **p)
{
    while (is_digit(**p))
        out->digits[out->count++] = *(*p)++;
}

static bool take_exponent(decimal *out, const char **p)
{
    if ((**p | 0x20) != 'e')
        return true;
    ++*p;
    bool negative = take_sign(p) == '-';
    int exponent = 0;
    if (!is_digit(**p))
        return false;
    for (; is_digit(**p); ++*p)
        if (exponent < 100000)
            exponent = exponent * 10 + (**p - '0');
    out->exponent += negative ? -exponent : exponent;
    return true;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool parse_decimal(decimal *out, const char *p)
{
    out->count = out->exponent = 0;
    out->negative = take_sign(&p) == '-';
    take_digits(out, &p);
    if (*p == '.') {
        int before = out->count;
        p++;
        take_digits(out, &p);
        out->exponent = before - out->count;
    }
    return out->count > 0 && take_exponent(out, &p) && !*p;
}

static double decimal_value(const decimal *d)
{
    char text[NUMBER_TEXT_MAX + 16];
    snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->exponent);
    double value = strtod(text, NULL);
    return d->negative ? -value : value;
}

/* `value` rounded to `count` digits; exponent is that of the last one. */
static void round_to(decimal *out, double value, int count)
{
    char text[NUMBER_TEXT_MAX];
    snprintf(text, sizeof text, "%.*e", count - 1, fabs(value));
    out->count = 0;
    const char *p = text;
    for (; *p != 'e'; p++)
        if (is_digit(*p))
            out->digits[out->count++] = *p;
    out->exponent = (int)strtol(p + 1, NULL, 10) - (count - 1);
    out->negative = signbit(value);
}

typedef double (*narrow_fn)(double value);

static double as_double(double value)
{
    return value;
}

static double as_float(double value)
{
    return (double)(float)value;
}

/* The fewest digits that lead back to the value. */
static void shortest(decimal *out, double value, narrow_fn narrow)
{
    for (int count = 1; count <= 17; count++) {
        round_to(out, value, count);
        if (narrow(decimal_value(out)) == value)
            return;
    }
}

/* 1.25e+21, with at least `exponent_digits` digits of exponent. */
static void print_scientific(char *out, const decimal *d, int exponent_digits)
{
    int exponent = d->exponent + d->count - 1;
    snprintf(out, KS_YAML_NUMBER_MAX, "%s%c%s%.*se%c%0*d", d->negative ? "-" : "", d->digits[0],
             d->count > 1 ? "." : "", d->count - 1, d->digits + 1, exponent < 0 ? '-' : '+', exponent_digits,
             abs(exponent));
}

static void print_plain(char *out, const decimal *d)
{
    int before = d->count + d->exponent; /* digits before the point */
    const char *sign = d->negative ? "-" : "";
    if (d->exponent >= 0)
        snprintf(out, KS_YAML_NUMBER_MAX, "%s%.*s%.*s", sign, d->count, d->digits, d->exponent,
                 "000000000000000000000");
    else if (before > 0)
        snprintf(out, KS_YAML_NUMBER_MAX, "%s%.*s.%.*s", sign, before, d->digits, -d->exponent,
                 d->digits + before);
    else
        snprintf(out, KS_YAML_NUMBER_MAX, "%s0.%.*s%.*s", sign, -before, "00000000", d->count, d->digits);
}

/* As Go's JSON encoder writes a float. */
static void print_json(char out[KS_YAML_NUMBER_MAX], double value)
{
    decimal d;
    shortest(&d, value, as_double);
    int exponent = d.exponent + d.count - 1;
    if (value != 0 && (exponent < -6 || exponent >= 21))
        print_scientific(out, &d, 1);
    else
        print_plain(out, &d);
}

void ks_yaml_float_key(char out[KS_YAML_NUMBER_MAX], double number)
{
    double value = as_float(number);
    if (isinf(value)) {
        snprintf(out, KS_YAML_NUMBER_MAX, "%s.inf", value < 0 ? "-" : "");
        return;
    }
    decimal d;
    shortest(&d, value, as_float);
    int exponent = d.exponent + d.count - 1;
    if (value != 0 && (exponent < -4 || exponent >= 6))
        print_scientific(out, &d, 2);
    else
        print_plain(out, &d);
}

static bool resolve_float(ks_yaml_scalar *out, const char *plain)
{
    decimal d;
    if (!parse_decimal(&d, plain))
        return false;
    double value = decimal_value(&d);
    if (isinf(value))
        return false; /* beyond a double: upstream leaves it a string */
    out->type = KS_YAML_FLOAT;
    out->number = value;
    print_json(out->text, value);
    return true;
}

/* ---- all together ---- */

/* The text without underscores, which are for the eye. False if it cannot be a number. */
static bool strip(char plain[NUMBER_TEXT_MAX], ks_str text)
{
    if (text.len >= NUMBER_TEXT_MAX)
        return false;
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '_')
            continue;
        if (digit_value(c) == 16 && !(c && strchr("+-.xXoO", c)))
            return false;
        plain[len++] = c;
    }
    plain[len] = '\0';
    return true;
}

static void resolve_number(ks_yaml_scalar *out, ks_str text)
{
    char plain[NUMBER_TEXT_MAX] = "";
    if (!strip(plain, text))
        return;
    if (text.data[0] == '.') {
        if (!memchr(text.data, '_', text.len))
            resolve_float(out, plain);
        return;
    }
    if (!resolve_integer(out, plain) && !resolve_float(out, plain))
        resolve_odd_binary(out, plain);
}

ks_yaml_scalar ks_yaml_resolve(ks_str text)
{
    ks_yaml_scalar out = {.type = KS_YAML_STRING};
    if (text.len == 0) {
        out.type = KS_YAML_NULL;
        return out;
    }
    char first = text.data[0];
    if (!first || !strchr("+-.0123456789yYnNtTfFoO~", first))
        return out;
    if (!resolve_word(&out, text) && strchr("+-.0123456789", first))
        resolve_number(&out, text);
    return out;
}
