// SPDX-License-Identifier: Apache-2.0
#include "model/timestamp.h"

typedef struct cursor {
    const char *at, *end;
    bool failed;
} cursor;

static bool is_digit(const cursor *c)
{
    return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static int64_t number(cursor *c, int digits, int64_t low, int64_t high)
{
    int64_t value = 0;
    for (int i = 0; i < digits; i++) {
        if (!is_digit(c)) {
            c->failed = true;
            return low;
        }
        value = value * 10 + (*c->at++ - '0');
    }
    c->failed |= value < low || value > high;
    return value;
}

static void expect(cursor *c, char sign)
{
    if (c->at < c->end && *c->at == sign)
        c->at++;
    else
        c->failed = true;
}

/* Days since 1970-01-01 in the Gregorian calendar; years begin in March, so that a leap day is a year's
 * last. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static void skip_fraction(cursor *c)
{
    if (c->at == c->end || *c->at != '.')
        return;
    c->at++;
    c->failed |= !is_digit(c);
    while (is_digit(c))
        c->at++;
}

/* How far the written time is ahead of UTC. */
static int64_t offset(cursor *c)
{
    if (c->at < c->end && *c->at == 'Z') {
        c->at++;
        return 0;
    }
    bool behind = c->at < c->end && *c->at == '-';
    expect(c, behind ? '-' : '+');
    int64_t hours = number(c, 2, 0, 23);
    expect(c, ':');
    int64_t seconds = hours * 3600 + number(c, 2, 0, 59) * 60;
    return behind ? -seconds : seconds;
}

bool ks_timestamp_parse(int64_t *seconds, ks_str text)
{
    if (text.len == 0)
        return false;
    cursor c = {.at = text.data, .end = text.data + text.len};
    int64_t year = number(&c, 4, 0, 9999);
    expect(&c, '-');
    int64_t month = number(&c, 2, 1, 12);
    expect(&c, '-');
    int64_t day = number(&c, 2, 1, 31);
    expect(&c, 'T');
    int64_t clock = number(&c, 2, 0, 23) * 3600;
    expect(&c, ':');
    clock += number(&c, 2, 0, 59) * 60;
    expect(&c, ':');
    clock += number(&c, 2, 0, 59);
    skip_fraction(&c);
    clock -= offset(&c);
    if (c.failed || c.at != c.end)
        return false;
    *seconds = days_of(year, month, day) * 86400 + clock;
    return true;
}
