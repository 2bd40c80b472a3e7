// SPDX-License-Identifier: Apache-2.0
#include "model/quantity.h"
#include "util/str.h"
#include <limits.h>

/* Upstream's own messages (k8s.io/apimachinery/pkg/api/resource). */
static const char bad_format[] = "quantities must match the regular expression "
                                 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
static const char bad_number[] = "unable to parse numeric part of quantity";
static const char bad_suffix[] = "unable to parse quantity's suffix";
static const char overflow[] = "overflow: must fit a signed 64-bit integer in units of its last digit";

enum {
    NANO = -9,
    /* 10^40 is beyond any 64-bit amount, whatever its scale. */
    DIGITS_BEFORE_POINT_MAX = 40,
    /* Digits behind the point that can tell an amount from a whole number of billionths after
     * multiplication by 2^60: 9 + 60. What stands further back only shows that there is a rest. */
    DIGITS_BEHIND_POINT_MAX = 69,
};

/* ---- a number of up to 512 bits ---- */

enum { LIMBS_MAX = 16 };

typedef struct big {
    uint32_t limbs[LIMBS_MAX]; /* lowest first */
    int count;
} big;

static void big_multiply_add(big *n, uint32_t factor, uint32_t summand)
{
    uint64_t carry = summand;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        n->limbs[n->count++] = (uint32_t)carry;
}

/* Returns the remainder. */
static uint32_t big_divide(big *n, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = n->count - 1; i >= 0; i--) {
        rest = rest << 32 | n->limbs[i];
        n->limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (n->count > 0 && n->limbs[n->count - 1] == 0)
        n->count--;
    return (uint32_t)rest;
}

static uint64_t big_low(const big *n)
{
    uint64_t low = n->count > 0 ? n->limbs[0] : 0;
    return n->count > 1 ? low | (uint64_t)n->limbs[1] << 32 : low;
}

/* ---- the text's parts ---- */

typedef struct parts {
    bool negative;
    ks_str whole, fraction, suffix;
} parts;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static ks_str take_digits(const char **p, const char *end)
{
    const char *begin = *p;
    while (*p < end && is_digit(**p))
        ++*p;
    return (ks_str){begin, (size_t)(*p - begin)};
}

/* More than the regular expression in the message allows: the number may be empty (zero), as upstream's
 * scanner has it. */
static bool split(parts *out, ks_str text)
{
    const char *p = text.data, *end = p + text.len;
    out->negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    out->whole = take_digits(&p, end);
    out->fraction = (ks_str){0};
    if (p < end && *p == '.') {
        p++;
        out->fraction = take_digits(&p, end);
    }
    const char *suffix = p;
    while (p < end && memchr("eEinumkKMGTP", *p, 12))
        p++;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    take_digits(&p, end);
    out->suffix = (ks_str){suffix, (size_t)(p - suffix)};
    return p == end;
}

/* An amount's unit: 10^ten × 2^two. */
typedef struct unit {
    int64_t ten;
    int two;
} unit;

static const struct {
    const char *suffix;
    unit unit;
} units[] = {
    {"", {0, 0}},    {"n", {-9, 0}},  {"u", {-6, 0}},  {"m", {-3, 0}},  {"k", {3, 0}},   {"M", {6, 0}},
    {"G", {9, 0}},   {"T", {12, 0}},  {"P", {15, 0}},  {"E", {18, 0}},  {"Ki", {0, 10}}, {"Mi", {0, 20}},
    {"Gi", {0, 30}}, {"Ti", {0, 40}}, {"Pi", {0, 50}}, {"Ei", {0, 60}},
};

/* As far as an exponent can matter; behind it comes overflow or next to nothing. */
#define EXPONENT_MAX (INT64_C(1) << 40)

static bool parse_exponent(int64_t *out, ks_str text)
{
    bool negative = text.data[0] == '-';
    size_t i = negative || text.data[0] == '+';
    if (i == text.len)
        return false;
    int64_t value = 0;
    for (; i < text.len; i++) {
        int digit = text.data[i] - '0';
        if (!is_digit(text.data[i]) || value > (INT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (value > EXPONENT_MAX)
        value = EXPONENT_MAX;
    *out = negative ? -value : value;
    return true;
}

static bool find_unit(unit *out, ks_str suffix)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ks_str_eq(suffix, ks_str_of(units[i].suffix))) {
            *out = units[i].unit;
            return true;
        }
    if (suffix.len < 2 || (suffix.data[0] != 'e' && suffix.data[0] != 'E'))
        return false;
    *out = (unit){0};
    return parse_exponent(&out->ten, (ks_str){suffix.data + 1, suffix.len - 1});
}

/* ---- the amount ---- */

/* Digits of the whole and the fraction as one row, from the first that is not zero. */
typedef struct digit_row {
    ks_str whole, fraction;
    size_t begin, end;
} digit_row;

static char digit_at(const digit_row *row, size_t i)
{
    return i < row->whole.len ? row->whole.data[i] : row->fraction.data[i - row->whole.len];
}

static digit_row row_of(const parts *p)
{
    digit_row row = {p->whole, p->fraction, 0, p->whole.len + p->fraction.len};
    while (row.begin < row.end && digit_at(&row, row.begin) == '0')
        row.begin++;
    return row;
}

/* The amount in billionths, rounded away from zero. False if it is beyond every limit. */
static bool to_billionths(big *out, const digit_row *row, unit unit)
{
    *out = (big){.count = 0};
    int64_t count = (int64_t)(row->end - row->begin);
    int64_t exponent = unit.ten - (int64_t)row->fraction.len; /* of the last digit */
    if (exponent > DIGITS_BEFORE_POINT_MAX - count)
        return false;
    int64_t kept = exponent < -DIGITS_BEHIND_POINT_MAX ? count + exponent + DIGITS_BEHIND_POINT_MAX : count;
    bool rest = false;
    for (int64_t i = 0; i < count; i++) {
        char digit = digit_at(row, row->begin + (size_t)i);
        if (i < kept)
            big_multiply_add(out, 10, (uint32_t)(digit - '0'));
        else
            rest = rest || digit != '0';
    }
    if (exponent < -DIGITS_BEHIND_POINT_MAX)
        exponent = -DIGITS_BEHIND_POINT_MAX;
    for (int i = 0; i < unit.two; i += 10)
        big_multiply_add(out, 1024, 0);
    for (; exponent > NANO; exponent--)
        big_multiply_add(out, 10, 0);
    for (; exponent < NANO; exponent++)
        rest = big_divide(out, 10) != 0 || rest;
    if (rest)
        big_multiply_add(out, 1, 1);
    return true;
}

static const char *reduce(ks_quantity *out, big *billionths, bool negative)
{
    int scale = NANO;
    while (scale < 0) {
        big tenth = *billionths;
        if (big_divide(&tenth, 10) != 0)
            break;
        *billionths = tenth;
        scale++;
    }
    uint64_t value = big_low(billionths);
    if (billionths->count > 2 || value > (uint64_t)INT64_MAX + negative)
        return overflow;
    *out = (ks_quantity){.value = (int64_t)(negative ? 0 - value : value), .scale = (int8_t)scale};
    return NULL;
}

/* The common case, without big numbers: few digits, nothing finer than billionths, a result that fits.
 * False if it is another case. */
static bool reduce_short(ks_quantity *out, const digit_row *row, unit unit, bool negative)
{
    int64_t exponent = unit.ten - (int64_t)row->fraction.len;
    if (row->end - row->begin > 18 || exponent < NANO || exponent > 18)
        return false;
    int64_t value = 0;
    for (size_t i = row->begin; i < row->end; i++)
        value = value * 10 + (digit_at(row, i) - '0');
    if (value > INT64_MAX >> unit.two)
        return false;
    value <<= unit.two;
    for (; exponent > 0; exponent--) {
        if (value > INT64_MAX / 10)
            return false;
        value *= 10;
    }
    for (; exponent < 0 && value % 10 == 0; exponent++)
        value /= 10;
    *out = (ks_quantity){.value = negative ? -value : value, .scale = (int8_t)exponent};
    return true;
}

const char *ks_quantity_fault(ks_quantity *out, ks_str text)
{
    parts p;
    unit unit;
    if (text.len == 0 || !split(&p, text))
        return bad_format;
    if (!find_unit(&unit, p.suffix))
        return bad_suffix;
    digit_row row = row_of(&p);
    if (row.begin == row.end) {
        /* Upstream takes a number without digits for zero, unless the unit is beyond its short way. */
        if (row.end == 0 && (unit.ten < NANO || unit.two >= 50))
            return bad_number;
        *out = (ks_quantity){0};
        return NULL;
    }
    if (reduce_short(out, &row, unit, p.negative))
        return NULL;
    big billionths;
    if (!to_billionths(&billionths, &row, unit))
        return overflow;
    return reduce(out, &billionths, p.negative);
}

int ks_quantity_parse(ks_quantity *out, ks_str text, ks_error *err)
{
    const char *fault = ks_quantity_fault(out, text);
    return fault ? ks_fail(err, KS_EINVAL, "%s: %s", KS_STR_QUOTED(text), fault) : KS_OK;
}

int64_t ks_quantity_scaled(ks_quantity quantity, int scale)
{
    int64_t value = quantity.value;
    int steps = quantity.scale - scale;
    for (; steps > 0 && value != 0; steps--) {
        if (value > INT64_MAX / 10)
            return INT64_MAX;
        if (value < INT64_MIN / 10)
            return INT64_MIN;
        value *= 10;
    }
    bool rest = false;
    for (; steps < 0 && value != 0; steps++) {
        rest = rest || value % 10 != 0;
        value /= 10;
    }
    if (!rest)
        return value;
    return quantity.value > 0 ? value + 1 : value - 1;
}
