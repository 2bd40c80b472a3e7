// SPDX-License-Identifier: Apache-2.0
/* Values and refusals are those of k8s.io/apimachinery v0.36.4, with two exceptions: what does not fit
 * 64 bits is refused here, and capped or kept at any length there; exponents beyond 32 bits mean what they
 * say here, and wrap around there. */
#include "support/unit.h"
#include "util/str.h"
#include <kubespread/decode.h>
#include <stdio.h>

typedef struct parse_row {
    const char *text;
    int64_t value;
    int scale;
} parse_row;

static const parse_row parsed[] = {
    /* whole numbers and signs */
    {"0", 0, 0},
    {"1", 1, 0},
    {"+5", 5, 0},
    {"-3", -3, 0},
    {"-0", 0, 0},
    {"007", 7, 0},
    {"100", 100, 0},
    {"9223372036854775807", INT64_MAX, 0},
    {"-9223372036854775808", INT64_MIN, 0},
    /* fractions; the scale is the highest that is exact */
    {"0.1", 1, -1},
    {"0.10", 1, -1},
    {".5", 5, -1},
    {"5.", 5, 0},
    {"1.25", 125, -2},
    {"-1.25", -125, -2},
    {"1.000", 1, 0},
    {"0.000000001", 1, -9},
    {"9.223372036", 9223372036, -9},
    /* decimal suffixes */
    {"5n", 5, -9},
    {"5u", 5, -6},
    {"100m", 1, -1},
    {"1500m", 15, -1},
    {"1000m", 1, 0},
    {"3k", 3000, 0},
    {"3M", 3000000, 0},
    {"3G", 3000000000, 0},
    {"3T", 3000000000000, 0},
    {"3P", 3000000000000000, 0},
    {"9E", 9000000000000000000, 0},
    {"0.5k", 500, 0},
    {"1.G", 1000000000, 0},
    /* binary suffixes */
    {"1Ki", 1024, 0},
    {"128Mi", 134217728, 0},
    {"1.5Gi", 1610612736, 0},
    {"0.1Gi", 1073741824, -1},
    {"1Ti", 1099511627776, 0},
    {"1Pi", 1125899906842624, 0},
    {"7Ei", 8070450532247928832, 0},
    {"0.5Ei", 576460752303423488, 0},
    /* exponents */
    {"2e3", 2000, 0},
    {"2E3", 2000, 0},
    {"2e+3", 2000, 0},
    {"25e-1", 25, -1},
    {"1.5e3", 1500, 0},
    {"0e999", 0, 0},
    {"1e18", 1000000000000000000, 0},
    /* finer than a billionth: away from zero */
    {"0.1n", 1, -9},
    {"-0.1n", -1, -9},
    {"1.0000000001", 1000000001, -9},
    {"-1.0000000001", -1000000001, -9},
    {"0.99999999999", 1, 0},
    {"1e-100", 1, -9},
    {"1e-9223372036854775806", 1, -9},
    {"1.0000000001Ki", 1024000000103, -9},
    {"0.00000000000000000000000000000000000000000000000000000000000000000000000000000001Ei", 1, -9},
    /* Just above and just below 0.000000001 = 1e-9, by less than the 60 digits of 2^60 can show. */
    {"0.0000000010000000000000000000000000000000000000000000000000000000000000000000000000000000001", 2, -9},
    {"0.0000000009999999999999999999999999999999999999999999999999999999999999999999999999999999999", 1, -9},
    /* more digits than 18, trailing zeros among them */
    {"1000000000000000000000000n", 1000000000000000, 0},
    {"0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000", 0, 0},
    {"000000000000000000000000000000000000000000000000000000000000000000000000000000012", 12, 0},
    /* upstream takes these for zero */
    {"-", 0, 0},
    {".", 0, 0},
    {"m", 0, 0},
    {"Ki", 0, 0},
    {"e5", 0, 0},
};

static const char format_rule[] = "quantities must match the regular expression "
                                  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
static const char number_rule[] = "unable to parse numeric part of quantity";
static const char suffix_rule[] = "unable to parse quantity's suffix";
static const char overflow_rule[] = "overflow: must fit a signed 64-bit integer in units of its last digit";

static const struct {
    const char *text, *rule;
} refused[] = {
    {"", format_rule},
    {" 1", format_rule},
    {"1 ", format_rule},
    {"1 Gi", format_rule},
    {"aoeu", format_rule},
    {"1.1.1", format_rule},
    {"1.1.M", format_rule},
    {"--1", suffix_rule},
    {"0x10", format_rule},
    {"1e3i", format_rule},
    {"1,5", format_rule},
    {"1i", suffix_rule},
    {"1K", suffix_rule},
    {"1ki", suffix_rule},
    {"1mi", suffix_rule},
    {"1KI", format_rule},
    {"1e", suffix_rule},
    {"1e+", suffix_rule},
    {"1m5", suffix_rule},
    {"1+1", suffix_rule},
    {"1e99999999999999999999", suffix_rule},
    {"Pi", number_rule},
    {".e-20", number_rule},
    {"10E", overflow_rule},
    {"8Ei", overflow_rule},
    {"9223372036854775808", overflow_rule},
    {"-9223372036854775809", overflow_rule},
    {"9223372036854775807.5", overflow_rule},
    {"10000000000.000000001", overflow_rule},
    {"1e19", overflow_rule},
    {"1e999", overflow_rule},
    {"1e9223372036854775806", overflow_rule},
};

static void test_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof parsed / sizeof *parsed; i++) {
        ks_quantity quantity = {.value = 42, .scale = 42};
        ks_error err = {0};
        if (ks_quantity_parse(&quantity, ks_str_of(parsed[i].text), &err) != 0)
            fail_msg("%s: %s", parsed[i].text, err.message);
        if (quantity.value != parsed[i].value || quantity.scale != parsed[i].scale)
            fail_msg("%s: %lld e%d, wanted %lld e%d", parsed[i].text, (long long)quantity.value,
                     quantity.scale, (long long)parsed[i].value, parsed[i].scale);
    }
}

static void test_refuse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char wanted[KS_ERROR_MESSAGE_MAX];
        snprintf(wanted, sizeof wanted, "\"%s\": %s", refused[i].text, refused[i].rule);
        ks_quantity quantity;
        ks_error err = {0};
        assert_int_equal(ks_quantity_parse(&quantity, ks_str_of(refused[i].text), &err), KS_EINVAL);
        assert_string_equal(err.message, wanted);
        assert_int_equal(err.code, KS_EINVAL);
        assert_int_equal(ks_quantity_parse(&quantity, ks_str_of(refused[i].text), NULL), KS_EINVAL);
    }
}

/* Every text cut short, so that a read past the end shows under a sanitizer. */
static void test_prefixes(void **state)
{
    (void)state;
    static const char text[] = "-12.5e-3";
    for (size_t len = 0; len < sizeof text; len++) {
        char *copy = test_malloc(len + 1);
        memcpy(copy, text, len);
        ks_quantity quantity;
        ks_quantity_parse(&quantity, (ks_str){copy, len}, NULL);
        test_free(copy);
    }
}

static void test_long_value_is_cut(void **state)
{
    (void)state;
    char text[200];
    memset(text, 'x', sizeof text);
    ks_quantity quantity;
    ks_error err;
    assert_int_equal(ks_quantity_parse(&quantity, (ks_str){text, sizeof text}, &err), KS_EINVAL);
    char wanted[KS_ERROR_MESSAGE_MAX];
    snprintf(wanted, sizeof wanted, "\"%.64s…\": %s", text, format_rule);
    assert_string_equal(err.message, wanted);
    memcpy(text + 63, "é", 2); /* is not cut in two */
    assert_int_equal(ks_quantity_parse(&quantity, (ks_str){text, sizeof text}, &err), KS_EINVAL);
    snprintf(wanted, sizeof wanted, "\"%.63s…\": %s", text, format_rule);
    assert_string_equal(err.message, wanted);
}

static void test_value_is_escaped(void **state)
{
    (void)state;
    ks_quantity quantity;
    ks_error err;
    assert_int_equal(ks_quantity_parse(&quantity, KS_STR("1\"\x1b\xc2\x9bm"), &err), KS_EINVAL);
    char wanted[KS_ERROR_MESSAGE_MAX];
    snprintf(wanted, sizeof wanted, "\"1\\\"\\u001b\\u009bm\": %s", format_rule);
    assert_string_equal(err.message, wanted);
}

static const struct {
    const char *name;
    ks_quantity quantity;
    int scale;
    int64_t wanted;
} scaled[] = {
    {"whole", {5, 0}, 0, 5},
    {"whole to thousandths", {5, 0}, -3, 5000},
    {"thousandths of a tenth", {1, -1}, -3, 100},
    {"a tenth rounds up", {1, -1}, 0, 1},
    {"a billionth rounds up", {1, -9}, -3, 1},
    {"just above", {1000000001, -9}, 0, 2},
    {"nothing to round", {1000000000, -9}, 0, 1},
    {"below zero, away from it", {-15, -1}, 0, -2},
    {"below zero, exact", {-20, -1}, 0, -2},
    {"to thousands", {1500, 0}, 3, 2},
    {"zero", {0, -9}, -9, 0},
    {"too large", {INT64_MAX, 0}, -3, INT64_MAX},
    {"too small", {INT64_MIN, 0}, -3, INT64_MIN},
    {"just fits", {9223372036854775, 0}, -3, 9223372036854775000},
    {"just does not", {9223372036854776, 0}, -3, INT64_MAX},
    {"largest", {INT64_MAX, 0}, 0, INT64_MAX},
    {"smallest", {INT64_MIN, 0}, 0, INT64_MIN},
    {"far below one", {1, -9}, 100, 1},
};

static void test_scaled(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++) {
        int64_t found = ks_quantity_scaled(scaled[i].quantity, scaled[i].scale);
        if (found != scaled[i].wanted)
            fail_msg("%s: %lld, wanted %lld", scaled[i].name, (long long)found, (long long)scaled[i].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_refuse),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_long_value_is_cut),
        cmocka_unit_test(test_value_is_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
