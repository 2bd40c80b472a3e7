// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "util/str.h"
#include <stdio.h>
#include <string.h>

typedef struct order_row {
    const char *name;
    ks_str a, b;
    int order;
} order_row;

static const order_row order_rows[] = {
    {"both absent", {NULL, 0}, {NULL, 0}, 0},
    {"absent and empty", {NULL, 0}, {"", 0}, 0},
    {"empty before any", {"", 0}, {"a", 1}, -1},
    {"equal", {"zone", 4}, {"zone", 4}, 0},
    {"a prefix comes first", {"zone", 4}, {"zone-a", 6}, -1},
    {"by bytes", {"b", 1}, {"aa", 2}, 1},
    {"bytes are unsigned", {"\x7f", 1}, {"\x80", 1}, -1},
    {"a NUL inside counts", {"a\0b", 3}, {"a\0c", 3}, -1},
};

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void orders_like_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof order_rows / sizeof *order_rows; i++) {
        const order_row *row = &order_rows[i];
        if (sign(ks_str_cmp(row->a, row->b)) != row->order || sign(ks_str_cmp(row->b, row->a)) != -row->order)
            fail_msg("%s", row->name);
        assert_int_equal(ks_str_eq(row->a, row->b), row->order == 0);
    }
}

static void absent_is_not_empty(void **state)
{
    (void)state;
    assert_null(ks_str_of(NULL).data);
    assert_non_null(ks_str_of("").data);
    assert_int_equal(ks_str_of("zone").len, 4);
    assert_non_null(KS_STR("").data);
}

static void hashes_follow_content(void **state)
{
    (void)state;
    char copy[] = "zone";
    assert_true(ks_str_hash(KS_STR("zone")) == ks_str_hash(ks_str_of(copy)));
    assert_true(ks_str_hash(KS_STR("zone")) != ks_str_hash(KS_STR("zonf")));
    assert_true(ks_hash_bytes("ab", 2, 1) != ks_hash_bytes("ab", 2, 2));
    assert_true(ks_str_hash((ks_str){0}) == ks_str_hash(KS_STR("")));
}

static void buffer_grows_and_stays_terminated(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    assert_int_equal(ks_buf_str(&buf).len, 0);
    assert_non_null(ks_buf_str(&buf).data);
    char wanted[4096] = "";
    for (int i = 0; i < 200; i++) {
        ks_buf_put_char(&buf, 'x');
        ks_buf_put_str(&buf, KS_STR("-pod-"));
        ks_buf_printf(&buf, "%d%s", i, ";");
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "x-pod-%d;", i);
        assert_string_equal(buf.data, wanted);
        assert_int_equal(buf.len, strlen(wanted));
    }
    assert_false(buf.failed);
    ks_buf_clear(&buf);
    assert_string_equal(buf.data, "");
    ks_buf_put(&buf, NULL, 0);
    ks_buf_put_str(&buf, (ks_str){0});
    assert_int_equal(buf.len, 0);
    ks_buf_free(&buf);
    ks_buf_free(&buf);
    assert_int_equal(alloc.bytes, 0);
}

static void prints_lengths_around_each_capacity(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    for (int width = 1; width < 300; width++) {
        ks_buf buf;
        ks_buf_init(&buf, &alloc);
        ks_buf_printf(&buf, "%*d", width, 7);
        assert_int_equal(buf.len, width);
        assert_int_equal(buf.data[width - 1], '7');
        assert_int_equal(buf.data[width], '\0');
        ks_buf_free(&buf);
    }
    assert_int_equal(alloc.bytes, 0);
}

static void failure_is_remembered(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    ks_buf_put_str(&buf, KS_STR("kept"));
    char large[1000];
    memset(large, 'x', sizeof large);
    failing.fail_at = 1;
    ks_buf_put(&buf, large, sizeof large);
    assert_true(buf.failed);
    ks_buf_put_char(&buf, '!');
    ks_buf_printf(&buf, "%d", 1);
    assert_string_equal(buf.data, "kept");
    ks_buf_clear(&buf);
    ks_buf_put_char(&buf, '!');
    assert_false(buf.failed);
    assert_string_equal(buf.data, "!");
    ks_buf_free(&buf);
    assert_int_equal(failing.bytes, 0);
}

static void errors_are_one_line_and_cut_at_a_character(void **state)
{
    (void)state;
    ks_error err = {0};
    assert_int_equal(ks_fail(&err, KS_EINVAL, "%s: \"%d\"\nmust be\rpositive", "maxSkew", -1), KS_EINVAL);
    assert_string_equal(err.message, "maxSkew: \"-1\" must be positive");
    assert_int_equal(ks_fail_wrap(&err, KS_ELIMIT, "web.yaml:%d", 3), KS_ELIMIT);
    assert_string_equal(err.message, "web.yaml:3: maxSkew: \"-1\" must be positive");
    assert_int_equal(err.code, KS_ELIMIT);
    assert_int_equal(ks_fail(NULL, KS_EINVAL, "nobody listens"), KS_EINVAL);

    char accents[KS_ERROR_MESSAGE_MAX + 2] = "x";
    for (size_t i = 1; i < KS_ERROR_MESSAGE_MAX; i += 2)
        memcpy(accents + i, "é", 2);
    ks_error_set(&err, KS_EINVAL, "%s", accents);
    size_t len = strlen(err.message);
    assert_int_equal(len % 2, 1);
    assert_true(len < KS_ERROR_MESSAGE_MAX && len >= KS_ERROR_MESSAGE_MAX - 3);
    assert_memory_equal(err.message, accents, len);
}

static void errors_have_no_control_characters(void **state)
{
    (void)state;
    ks_error err = {0};
    ks_error_set(&err, KS_EINVAL,
                 "a\x1b[31mb\x7f\tc\xc2\x9b"
                 "2Jd\xc2\xa0\xe2\x80\xa6\xff");
    assert_string_equal(err.message, "a [31mb  c 2Jd\xc2\xa0\xe2\x80\xa6\xff");
    ks_error_wrap(&err, KS_EINVAL, "x\xc2\x85y");
    assert_string_equal(err.message, "x y: a [31mb  c 2Jd\xc2\xa0\xe2\x80\xa6\xff");
}

static void contexts_are_cut_at_a_character(void **state)
{
    (void)state;
    char accents[2 * KS_ERROR_MESSAGE_MAX + 1] = "";
    for (size_t i = 0; i < 2 * KS_ERROR_MESSAGE_MAX; i += 2)
        memcpy(accents + i, "é", 2);
    for (size_t skip = 0; skip < 2; skip++) {
        ks_error err = {.message = "cause"};
        ks_error_wrap(&err, KS_EINVAL, "%s%s", skip ? "x" : "", accents);
        char *colon = strchr(err.message, ':');
        assert_non_null(colon);
        assert_int_equal((size_t)(colon - err.message) % 2, skip);
    }
}

/* ---- values in messages ---- */

static void shortens_at_a_character(void **state)
{
    (void)state;
    char text[] = "0123456789012345678901234567890123456789012345678901234567890123456789";
    assert_int_equal(ks_str_shorten((ks_str){text, 64}).len, 64);
    assert_int_equal(ks_str_shorten((ks_str){text, 65}).len, 64);
    assert_int_equal(ks_str_shorten((ks_str){0}).len, 0);
    memcpy(text + 62, "\xe2\x82\xac", 3);
    assert_int_equal(ks_str_shorten(ks_str_of(text)).len, 62);
    char shown[80];
    ks_str long_text = ks_str_of(text);
    snprintf(shown, sizeof shown, "%.*s%s", KS_STR_SHORT_ARG(long_text));
    assert_int_equal(strlen(shown), 62 + strlen("…"));
    assert_string_equal(shown + 62, "…");
}

static void clamps_what_printf_cannot_take(void **state)
{
    (void)state;
    ks_str endless = {"", SIZE_MAX};
    char shown[8];
    snprintf(shown, sizeof shown, "%.*s", KS_STR_ARG(endless));
    assert_string_equal(shown, "");
    const struct {
        int len;
        const char *data;
    } arg = {KS_STR_ARG(endless)};
    assert_int_equal(arg.len, INT_MAX);
}

static void quotes_what_is_no_plain_text(void **state)
{
    (void)state;
    assert_string_equal(KS_STR_QUOTED((ks_str){0}), "\"\"");
    assert_string_equal(KS_STR_QUOTED(KS_STR("zone-é")), "\"zone-é\"");
    assert_string_equal(KS_STR_QUOTED(KS_STR("a\"b\\c\n\x1b\0d")), "\"a\\\"b\\\\c\\u000a\\u001b\\u0000d\"");
    assert_string_equal(KS_STR_QUOTED(KS_STR("\xc2\x9b\xff\xc3")), "\"\\u009b\\xff\\xc3\"");
    char controls[100];
    memset(controls, 1, sizeof controls);
    const char *quoted = KS_STR_QUOTED(((ks_str){controls, sizeof controls}));
    assert_int_equal(strlen(quoted), 6 * KS_STR_SHOWN_MAX + 2 + strlen("…"));
    assert_string_equal(quoted + strlen(quoted) - 10, "\\u0001…\"");
}

static const struct {
    const char *text;
    ks_int_fault fault;
    int64_t value;
} integers[] = {
    {"0", KS_INT_FINE, 0},
    {"-0", KS_INT_FINE, 0},
    {"+7", KS_INT_FINE, 7},
    {"007", KS_INT_FINE, 7},
    {"9223372036854775807", KS_INT_FINE, INT64_MAX},
    {"-9223372036854775808", KS_INT_FINE, INT64_MIN},
    {"9223372036854775808", KS_INT_TOO_LARGE, 0},
    {"-9223372036854775809", KS_INT_TOO_LARGE, 0},
    {"99999999999999999999999999990", KS_INT_TOO_LARGE, 0},
    {"99999999999999999999999999990.5", KS_INT_MALFORMED, 0},
    {"", KS_INT_MALFORMED, 0},
    {"-", KS_INT_MALFORMED, 0},
    {"+", KS_INT_MALFORMED, 0},
    {"1 ", KS_INT_MALFORMED, 0},
    {"--1", KS_INT_MALFORMED, 0},
    {"1e3", KS_INT_MALFORMED, 0},
    {"\xb1", KS_INT_MALFORMED, 0},
};

static void reads_integers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        int64_t value = 0;
        ks_int_fault fault = ks_str_to_int(&value, ks_str_of(integers[i].text));
        if (fault != integers[i].fault || value != integers[i].value)
            fail_msg("\"%s\": fault %d", integers[i].text, fault);
    }
}

static void trims_white_space(void **state)
{
    (void)state;
    assert_true(ks_str_eq(ks_str_trim(KS_STR(" \t\n\v\f\r1 Gi\r\n")), KS_STR("1 Gi")));
    assert_true(ks_str_eq(ks_str_trim(KS_STR("\0 a\0")), KS_STR("\0 a\0")));
    assert_int_equal(ks_str_trim(KS_STR("  ")).len, 0);
    assert_int_equal(ks_str_trim((ks_str){0}).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_like_bytes),
        cmocka_unit_test(absent_is_not_empty),
        cmocka_unit_test(hashes_follow_content),
        cmocka_unit_test(buffer_grows_and_stays_terminated),
        cmocka_unit_test(prints_lengths_around_each_capacity),
        cmocka_unit_test(failure_is_remembered),
        cmocka_unit_test(errors_are_one_line_and_cut_at_a_character),
        cmocka_unit_test(errors_have_no_control_characters),
        cmocka_unit_test(contexts_are_cut_at_a_character),
        cmocka_unit_test(shortens_at_a_character),
        cmocka_unit_test(clamps_what_printf_cannot_take),
        cmocka_unit_test(quotes_what_is_no_plain_text),
        cmocka_unit_test(reads_integers),
        cmocka_unit_test(trims_white_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
