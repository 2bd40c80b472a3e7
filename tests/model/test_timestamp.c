// SPDX-License-Identifier: Apache-2.0
#include "model/timestamp.h"
#include "support/transcript.h"
#include "support/unit.h"

static const struct {
    const char *text;
    int64_t seconds;
} valid[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"1969-12-31T23:59:59Z", -1},
    {"2000-02-29T12:34:56Z", 951827696},
    {"2026-01-31T23:59:59Z", 1769903999},
    {"2026-02-01T01:59:59+02:00", 1769903999},
    {"2026-01-31T18:29:59-05:30", 1769903999},
    {"2026-01-31T23:59:59.999999Z", 1769903999},
    {"9999-12-31T23:59:59Z", INT64_C(253402300799)},
    {"0000-03-01T00:00:00Z", INT64_C(-62162035200)},
};

static const char *const invalid[] = {
    "",
    "2026-01-31",
    "2026-01-31T23:59:59",
    "2026-01-31T23:59:59Z ",
    "2026-01-31 23:59:59Z",
    "2026-13-31T23:59:59Z",
    "2026-00-31T23:59:59Z",
    "2026-01-32T23:59:59Z",
    "2026-01-31T24:59:59Z",
    "2026-01-31T23:60:59Z",
    "2026-01-31T23:59:59.Z",
    "2026-01-31T23:59:59+2:00",
    "2026-01-31T23:59:59+24:00",
    "26-01-31T23:59:59Z",
    "x",
};

static void test_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(valid); i++) {
        int64_t seconds = 0;
        if (!ks_timestamp_parse(&seconds, ks_str_of(valid[i].text)) || seconds != valid[i].seconds)
            fail_msg("%s: %lld, wanted %lld", valid[i].text, (long long)seconds, (long long)valid[i].seconds);
    }
}

static void test_invalid(void **state)
{
    (void)state;
    int64_t seconds = 42;
    for (size_t i = 0; i < COUNT(invalid); i++)
        if (ks_timestamp_parse(&seconds, ks_str_of(invalid[i])) || seconds != 42)
            fail_msg("\"%s\" was taken", invalid[i]);
    assert_false(ks_timestamp_parse(&seconds, (ks_str){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_valid), cmocka_unit_test(test_invalid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
