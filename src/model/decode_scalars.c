// SPDX-License-Identifier: Apache-2.0
#include "model/decode_run.h"
#include "model/quantity.h"

/* ---- strings ---- */

bool ks_run_read_string(ks_run *run, ks_json_type type, ks_str *out)
{
    if (type != KS_JSON_STRING)
        return ks_run_refuse_value(run, run->reader->at, "must be a string");
    ks_json_string string;
    if (!ks_json_read_string(run->reader, &string))
        return ks_run_refuse_json(run);
    return ks_json_unescape(out, string, run->decoder->arena) || ks_run_refuse_memory(run);
}

static bool two_digits(const char *p, int *out)
{
    if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9')
        return false;
    *out = (p[0] - '0') * 10 + (p[1] - '0');
    return true;
}

static int days_in_month(int year, int month)
{
    static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/* "2006-01-02T15:04:05" */
static bool is_date_and_time(const char *p)
{
    int century, year, month, day, hour, minute, second;
    if (!two_digits(p, &century) || !two_digits(p + 2, &year) || !two_digits(p + 5, &month) ||
        !two_digits(p + 8, &day) || !two_digits(p + 11, &hour) || !two_digits(p + 14, &minute) ||
        !two_digits(p + 17, &second))
        return false;
    if (p[4] != '-' || p[7] != '-' || p[10] != 'T' || p[13] != ':' || p[16] != ':')
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(century * 100 + year, month))
        return false;
    return hour < 24 && minute < 60 && second < 60;
}

/* "Z" or "+01:30" */
static bool is_zone(const char *p, size_t len)
{
    int hour, minute;
    if (len == 1)
        return *p == 'Z';
    return len == 6 && (p[0] == '+' || p[0] == '-') && two_digits(p + 1, &hour) && p[3] == ':' &&
           two_digits(p + 4, &minute) && hour <= 24 && minute < 60;
}

static bool is_timestamp(ks_str text)
{
    enum { SECONDS_END = 19 };
    if (text.len <= SECONDS_END || !is_date_and_time(text.data))
        return false;
    size_t i = SECONDS_END;
    if (text.data[i] == '.') {
        size_t point = i++;
        while (i < text.len && text.data[i] >= '0' && text.data[i] <= '9')
            i++;
        if (i == point + 1)
            return false;
    }
    return is_zone(text.data + i, text.len - i);
}

static bool read_timestamp(ks_run *run, ks_json_type type, ks_str *out)
{
    const char *at = run->reader->at;
    if (!ks_run_read_string(run, type, out))
        return false;
    return is_timestamp(*out) ||
           ks_run_refuse_value(run, at, "must be an RFC 3339 time, such as 2006-01-02T15:04:05Z");
}

/* ---- numbers and flags ---- */

static bool read_i64(ks_run *run, ks_json_type type, int64_t *out)
{
    const char *at = run->reader->at;
    ks_str text;
    if (type != KS_JSON_NUMBER)
        return ks_run_refuse_value(run, at, "must be an integer");
    if (!ks_json_read_number(run->reader, &text))
        return ks_run_refuse_json(run);
    ks_int_fault fault = ks_str_to_int(out, text);
    if (fault == KS_INT_MALFORMED)
        return ks_run_refuse_value(run, at, "must be an integer");
    return !fault || ks_run_refuse_value(run, at, "must fit a signed 64-bit integer");
}

static bool read_i32(ks_run *run, ks_json_type type, int32_t *out)
{
    const char *at = run->reader->at;
    int64_t value = 0;
    if (!read_i64(run, type, &value))
        return false;
    if (value < INT32_MIN || value > INT32_MAX)
        return ks_run_refuse_value(run, at, "must fit a signed 32-bit integer");
    *out = (int32_t)value;
    return true;
}

static bool read_bool(ks_run *run, ks_json_type type, bool *out)
{
    if (type != KS_JSON_TRUE && type != KS_JSON_FALSE)
        return ks_run_refuse_value(run, run->reader->at, "must be true or false");
    return ks_json_read_bool(run->reader, out) || ks_run_refuse_json(run);
}

static bool parse_percent(int32_t *out, ks_str text)
{
    int64_t value;
    if (text.len < 2 || text.data[text.len - 1] != '%' || text.data[0] == '-' || text.data[0] == '+')
        return false;
    if (ks_str_to_int(&value, (ks_str){text.data, text.len - 1}) != KS_INT_FINE || value > INT32_MAX)
        return false;
    *out = (int32_t)value;
    return true;
}

static bool read_int_or_percent(ks_run *run, ks_json_type type, ks_int_or_percent *out)
{
    const char *at = run->reader->at;
    out->set = true;
    if (type != KS_JSON_STRING)
        return read_i32(run, type, &out->value);
    ks_str text = {0};
    if (!ks_run_read_string(run, type, &text))
        return false;
    out->percent = true;
    return parse_percent(&out->value, text) ||
           ks_run_refuse_value(run, at, "must be an integer or a percentage, such as \"25%\"");
}

/* ---- quantities ---- */

bool ks_run_read_quantity(ks_run *run, ks_json_type type, ks_quantity *out)
{
    const char *at = run->reader->at;
    ks_str text = {0};
    if (type == KS_JSON_NUMBER) {
        if (!ks_json_read_number(run->reader, &text))
            return ks_run_refuse_json(run);
    } else if (type != KS_JSON_STRING) {
        return ks_run_refuse_value(run, at, "must be a quantity, such as 500m or \"1.5Gi\"");
    } else if (!ks_run_read_string(run, type, &text)) {
        return false;
    }
    const char *fault = ks_quantity_fault(out, ks_str_trim(text));
    return !fault || ks_run_refuse_value(run, at, fault);
}

/* ---- any of them ---- */

bool ks_run_read_scalar(ks_run *run, const ks_field *field, ks_json_type type, void *value)
{
    switch (field->type) {
    case KS_FIELD_STRING:
        return ks_run_read_string(run, type, value);
    case KS_FIELD_TIMESTAMP:
        return read_timestamp(run, type, value);
    case KS_FIELD_BOOL:
        return read_bool(run, type, value);
    case KS_FIELD_OPT_BOOL:
        ((ks_opt_bool *)value)->set = true;
        return read_bool(run, type, &((ks_opt_bool *)value)->value);
    case KS_FIELD_I32:
        return read_i32(run, type, value);
    case KS_FIELD_I64:
        return read_i64(run, type, value);
    case KS_FIELD_OPT_I32:
        ((ks_opt_i32 *)value)->set = true;
        return read_i32(run, type, &((ks_opt_i32 *)value)->value);
    case KS_FIELD_INT_OR_PERCENT:
        return read_int_or_percent(run, type, value);
    default:
        return false; /* not a scalar */
    }
}
