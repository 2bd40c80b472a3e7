// SPDX-License-Identifier: Apache-2.0
#include "model/quote.h"
#include "support/unit.h"

typedef struct quote_row {
    const char *name;
    const char *text;
    size_t len;
    const char *go, *json;
} quote_row;

#define TEXT(literal) literal, sizeof(literal) - 1

static const quote_row rows[] = {
    {"empty", TEXT(""), "\"\"", "\"\""},
    {"plain", TEXT("web 1"), "\"web 1\"", "\"web 1\""},
    {"quote and backslash", TEXT("a\"b\\c'"), "\"a\\\"b\\\\c'\"", "\"a\\\"b\\\\c'\""},
    {"short escapes of both", TEXT("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"", "\"\\b\\f\\n\\r\\t\""},
    {"short escapes of Go alone", TEXT("\a\v"), "\"\\a\\v\"", "\"\\u0007\\u000b\""},
    {"controls", TEXT("\0\x1f\x7f"), "\"\\x00\\x1f\\x7f\"", "\"\\u0000\\u001f\x7f\""},
    {"markup", TEXT("<&>"), "\"<&>\"", "\"\\u003c\\u0026\\u003e\""},
    {"letters beyond ASCII", TEXT("\xc3\xa9\xe4\xb8\xad"), "\"\xc3\xa9\xe4\xb8\xad\"",
     "\"\xc3\xa9\xe4\xb8\xad\""},
    {"an emoji", TEXT("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"", "\"\xf0\x9f\x98\x80\""},
    {"no-break space", TEXT("\xc2\xa0"), "\"\\u00a0\"", "\"\xc2\xa0\""},
    {"soft hyphen", TEXT("\xc2\xad"), "\"\\u00ad\"", "\"\xc2\xad\""},
    {"line separators", TEXT("\xe2\x80\xa8\xe2\x80\xa9"), "\"\\u2028\\u2029\"", "\"\\u2028\\u2029\""},
    {"replacement character", TEXT("\xef\xbf\xbd"), "\"\xef\xbf\xbd\"", "\"\xef\xbf\xbd\""},
    {"private use, beyond 16 bits", TEXT("\xf3\xb0\x80\x80"), "\"\\U000f0000\"", "\"\xf3\xb0\x80\x80\""},
    {"last character", TEXT("\xf4\x8f\xbf\xbf"), "\"\\U0010ffff\"", "\"\xf4\x8f\xbf\xbf\""},
    {"a stray continuation", TEXT("a\x80z"), "\"a\\x80z\"", "\"a\\ufffdz\""},
    {"cut short", TEXT("\xe4\xb8"), "\"\\xe4\\xb8\"", "\"\\ufffd\\ufffd\""},
    {"cut short by a letter", TEXT("\xe4\xb8z"), "\"\\xe4\\xb8z\"", "\"\\ufffd\\ufffdz\""},
    {"longer than needed", TEXT("\xc0\xaf\xe0\x80\xaf"), "\"\\xc0\\xaf\\xe0\\x80\\xaf\"",
     "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""},
    {"a surrogate", TEXT("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"", "\"\\ufffd\\ufffd\\ufffd\""},
    {"beyond Unicode", TEXT("\xf4\x90\x80\x80\xff"), "\"\\xf4\\x90\\x80\\x80\\xff\"",
     "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\""},
};

static void quotes_as_go_does(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const quote_row *row = &rows[i];
        ks_buf_clear(&buf);
        ks_quote_go(&buf, (ks_str){row->text, row->len});
        if (!ks_str_eq(ks_buf_str(&buf), ks_str_of(row->go)))
            fail_msg("%s: %s, want %s", row->name, buf.data, row->go);
        ks_buf_clear(&buf);
        ks_quote_json(&buf, (ks_str){row->text, row->len});
        if (!ks_str_eq(ks_buf_str(&buf), ks_str_of(row->json)))
            fail_msg("%s: %s, want %s", row->name, buf.data, row->json);
    }
    ks_buf_free(&buf);
}

static void lists_are_json(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    ks_str texts[] = {KS_STR("a"), {0}, KS_STR("<")};
    ks_quote_json_list(&buf, NULL, 0);
    assert_string_equal(buf.data, "null");
    ks_buf_clear(&buf);
    ks_quote_json_list(&buf, texts, 3);
    assert_string_equal(buf.data, "[\"a\",\"\",\"\\u003c\"]");
    ks_buf_free(&buf);
}

/* Counted with Go's strconv.IsPrint, so that a slip in the table shows. */
static void printable_characters_are_gos(void **state)
{
    (void)state;
    size_t count = 0;
    uint64_t sum = 0;
    for (uint32_t rune = 0; rune <= 0x10FFFF; rune++) {
        if (!ks_rune_printable(rune))
            continue;
        count++;
        sum += rune;
    }
    assert_int_equal(count, 148998);
    assert_int_equal(sum, 15750900724);
    assert_false(ks_rune_printable(UINT32_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_as_go_does),
        cmocka_unit_test(lists_are_json),
        cmocka_unit_test(printable_characters_are_gos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
