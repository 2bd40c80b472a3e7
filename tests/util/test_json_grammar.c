// SPDX-License-Identifier: Apache-2.0
/* What is JSON and what is not, and that the reader and the skipper are of one mind about it. */
#include "support/unit.h"
#include "util/json.h"
#include <stdlib.h>

/* Reads a value the long way, through every function of the reader. */
static bool read_value(ks_json *r)
{
    ks_json_string string;
    ks_str number;
    bool truth;
    switch (ks_json_peek(r)) {
    case KS_JSON_OBJECT:
        ks_json_begin_object(r);
        while (ks_json_next_key(r, &string))
            read_value(r);
        return !r->fault;
    case KS_JSON_ARRAY:
        ks_json_begin_array(r);
        while (ks_json_next_item(r))
            read_value(r);
        return !r->fault;
    case KS_JSON_STRING:
        return ks_json_read_string(r, &string);
    case KS_JSON_NUMBER:
        return ks_json_read_number(r, &number);
    case KS_JSON_TRUE:
    case KS_JSON_FALSE:
        return ks_json_read_bool(r, &truth);
    case KS_JSON_NULL:
        return ks_json_read_null(r);
    case KS_JSON_FAULT:
        return false;
    }
    return false;
}

/* One value and nothing behind it. */
static bool read_text(ks_json *r, ks_str text, bool (*value)(ks_json *))
{
    ks_json_init(r, text);
    if (!value(r))
        return false;
    return ks_json_at_end(r) || ks_json_set_fault(r, KS_EINVAL, "more text behind the value");
}

/* ---- the grammar: reading and skipping agree in verdict, rule and place ---- */

typedef struct grammar_row {
    const char *text;
    size_t len;        /* 0: text's own */
    const char *fault; /* NULL: valid */
    size_t at;
} grammar_row;

static const grammar_row valid_rows[] = {
    {.text = "{}"},
    {.text = "[]"},
    {.text = " \t\r\n{ \t\r\n} \t\r\n"},
    {.text = "[ ]"},
    {.text = "\"\""},
    {.text = "null"},
    {.text = "true"},
    {.text = "false"},
    {.text = "0"},
    {.text = "-0"},
    {.text = "0.5"},
    {.text = "-10.25e+3"},
    {.text = "1E-400"},
    {.text = "123456789012345678901234567890"},
    {.text = "[1,2 , 3]"},
    {.text = "{\"a\":1,\"b\" : [{}, [], \"x\"]}"},
    {.text = "{\"a\":1,\"a\":2}"},
    {.text = "{\"\":{}}"},
    {.text = "[[[[]]],[[]]]"},
    {.text = "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""},
    {.text = "\"\\u0000\\u00e9\\uD83D\\uDE00\\uFFFF\""},
    {.text = "\"\x7f\""},
    {.text = "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\""},
    {.text = "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
    {.text = "\"0123456789abcde\xc3\xa9 behind a vector's edge \\n and on and on and on\""},
    {.text = "{\n                                                                \"deep\": 1}"},
    {.text = "{\r\n\t\t\t\t \"tabs\":\t\t1\r\n}"},
};

static const grammar_row invalid_rows[] = {
    {"", 0, "unexpected end of the text", 0},
    {"   ", 0, "unexpected end of the text", 3},
    {"{", 0, "unexpected end of the text", 1},
    {"[", 0, "unexpected end of the text", 1},
    {"[1", 0, "unexpected end of the text", 2},
    {"[1,", 0, "unexpected end of the text", 3},
    {"{\"a\"", 0, "unexpected end of the text", 4},
    {"{\"a\":", 0, "unexpected end of the text", 5},
    {"{\"a\":1", 0, "unexpected end of the text", 6},
    {"{\"a\":1,", 0, "unexpected end of the text", 7},
    {"-", 0, "unexpected end of the text", 1},
    {"1.", 0, "unexpected end of the text", 2},
    {"1e", 0, "unexpected end of the text", 2},
    {"[1,]", 0, "expected a value", 3},
    {"[,1]", 0, "expected a value", 1},
    {"{\"a\":}", 0, "expected a value", 5},
    {"]", 0, "expected a value", 0},
    {"tru", 0, "expected a value", 0},
    {"nul", 0, "expected a value", 0},
    {"falsy", 0, "expected a value", 0},
    {"True", 0, "expected a value", 0},
    {"NaN", 0, "expected a value", 0},
    {"'a'", 0, "expected a value", 0},
    {"+1", 0, "expected a value", 0},
    {".5", 0, "expected a value", 0},
    {"/* */ 1", 0, "expected a value", 0},
    {"\xef\xbb\xbf{}", 0, "expected a value", 0},
    {"\v1", 0, "expected a value", 0},
    {"\f1", 0, "expected a value", 0},
    {"\0", 1, "expected a value", 0},
    {"{}\0", 3, "more text behind the value", 2},
    {"{} x", 0, "more text behind the value", 3},
    {"truex", 0, "more text behind the value", 4},
    {"[1 2]", 0, "expected ',' or ']'", 3},
    {"[1}", 0, "expected ',' or ']'", 2},
    {"[1\0]", 4, "expected ',' or ']'", 2},
    {"[nullx]", 0, "expected ',' or ']'", 5},
    {"[1.5.5]", 0, "expected ',' or ']'", 4},
    {"{\"a\":1]", 0, "expected ',' or '}'", 6},
    {"{\"a\":1 \"b\":2}", 0, "expected ',' or '}'", 7},
    {"{\"a\":{}:1}", 0, "expected ',' or '}'", 7},
    {"{\"a\":1,}", 0, "expected a key in double quotes", 7},
    {"{,}", 0, "expected a key in double quotes", 1},
    {"{a:1}", 0, "expected a key in double quotes", 1},
    {"{1:1}", 0, "expected a key in double quotes", 1},
    {"{]", 0, "expected a key in double quotes", 1},
    {"{\"a\" 1}", 0, "expected ':' behind a key", 5},
    {"{\"a\",1}", 0, "expected ':' behind a key", 4},
    {"{\"a\"}", 0, "expected ':' behind a key", 4},
    {"-x", 0, "'-' must be followed by a digit", 1},
    {"--1", 0, "'-' must be followed by a digit", 1},
    {"01", 0, "numbers must not begin with a needless 0", 0},
    {"[-00.5]", 0, "numbers must not begin with a needless 0", 2},
    {"1.e5", 0, "a decimal point must be followed by a digit", 2},
    {"1ex", 0, "an exponent must have a digit", 2},
    {"1e+]", 0, "an exponent must have a digit", 3},
    {" \"abc", 0, "unterminated string", 1},
    {"\"", 0, "unterminated string", 0},
    {"[\"abc\\\"]", 0, "unterminated string", 1},
    {"\"a\nb\"", 0, "control characters in strings must be escaped", 2},
    {"\"a\0b\"", 5, "control characters in strings must be escaped", 2},
    {"\"0123456789abcdef\x1f\"", 0, "control characters in strings must be escaped", 17},
    {"\"\\x41\"", 0, "unknown escape in a string", 1},
    {"\"\\'\"", 0, "unknown escape in a string", 1},
    {"\"\\", 0, "unknown escape in a string", 1},
    {"\"\\\0\"", 4, "unknown escape in a string", 1},
    {"\"\\u12\"", 0, "\\u must be followed by four hexadecimal digits", 1},
    {"\"\\u12g4\"", 0, "\\u must be followed by four hexadecimal digits", 1},
    {"\"\\u123", 0, "\\u must be followed by four hexadecimal digits", 1},
    {"\"\\ud800\"", 0, "surrogate escapes must come in pairs", 1},
    {"\"\\ud800", 0, "surrogate escapes must come in pairs", 1},
    {"\"\\ud800\\", 0, "surrogate escapes must come in pairs", 1},
    {"\"x\\udc00\"", 0, "surrogate escapes must come in pairs", 2},
    {"\"\\ud800\\u0041\"", 0, "surrogate escapes must come in pairs", 1},
    {"\"\\ud800\\ud800\"", 0, "surrogate escapes must come in pairs", 1},
    {"\"\\ud800\\ndc00\"", 0, "surrogate escapes must come in pairs", 1},
    {"\"\\ud800\\udc0\"", 0, "surrogate escapes must come in pairs", 1},
    {"\"\x80\"", 0, "invalid UTF-8", 1},
    {"\"\xc0\xaf\"", 0, "invalid UTF-8", 1},
    {"\"\xc1\xbf\"", 0, "invalid UTF-8", 1},
    {"\"\xe0\x9f\xbf\"", 0, "invalid UTF-8", 1},
    {"\"\xed\xa0\x80\"", 0, "invalid UTF-8", 1},
    {"\"\xf0\x8f\xbf\xbf\"", 0, "invalid UTF-8", 1},
    {"\"\xf4\x90\x80\x80\"", 0, "invalid UTF-8", 1},
    {"\"\xf5\x80\x80\x80\"", 0, "invalid UTF-8", 1},
    {"\"\xff\"", 0, "invalid UTF-8", 1},
    {"\"\xc3\"", 0, "invalid UTF-8", 1},
    {"\"\xe2\x82\"", 0, "invalid UTF-8", 1},
    {"\"\xe2\x82", 0, "invalid UTF-8", 1},
    {"\"ok \xc3\xa9 \xf0\x9f\x98\"", 0, "invalid UTF-8", 7},
    {"{\"\xff\":1}", 0, "invalid UTF-8", 2},
};

/* A copy of exactly the row's length, so that a sanitizer sees any byte read beyond it. */
static char *exact_copy(const grammar_row *row, size_t *len)
{
    *len = row->len ? row->len : strlen(row->text);
    char *data = malloc(*len ? *len : 1);
    assert_non_null(data);
    memcpy(data, row->text, *len);
    return data;
}

static void check_row(const grammar_row *row, const char *how, bool (*value)(ks_json *))
{
    size_t len;
    char *text = exact_copy(row, &len);
    ks_json r;
    bool valid = read_text(&r, (ks_str){text, len}, value);
    const char *fault = r.fault ? r.fault : "none", *expected = row->fault ? row->fault : "none";
    size_t at = (size_t)(r.at - r.begin);
    if (valid != !row->fault || strcmp(fault, expected) != 0)
        fail_msg("%s '%s': fault '%s', expected '%s'", how, row->text, fault, expected);
    if (row->fault && at != row->at)
        fail_msg("%s '%s': fault at %zu, expected at %zu", how, row->text, at, row->at);
    assert_int_equal(r.code, row->fault ? KS_EINVAL : 0);
    free(text);
}

static void accepts_what_is_json(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof valid_rows / sizeof *valid_rows; i++) {
        check_row(&valid_rows[i], "read", read_value);
        check_row(&valid_rows[i], "skip", ks_json_skip);
    }
}

static void refuses_what_is_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof invalid_rows / sizeof *invalid_rows; i++) {
        check_row(&invalid_rows[i], "read", read_value);
        check_row(&invalid_rows[i], "skip", ks_json_skip);
    }
}

/* Every prefix of a valid object is refused, whichever byte it ends at. */
static void refuses_truncated_text(void **state)
{
    (void)state;
    const char *text = "{\n    \"metadata\": {\"name\": \"w\\u00e9b-\xc3\xa9\", \"labels\": {}},\n"
                       "    \"spec\": [1.5e3, true, false, null, [], \"0123456789abcdef0123456789\"]\n}";
    for (size_t len = 1; len < strlen(text); len++) {
        grammar_row row = {.text = text, .len = len};
        size_t cut_len;
        char *cut = exact_copy(&row, &cut_len);
        ks_json read, skipped;
        assert_false(read_text(&read, (ks_str){cut, cut_len}, read_value));
        assert_false(read_text(&skipped, (ks_str){cut, cut_len}, ks_json_skip));
        assert_string_equal(read.fault, skipped.fault);
        assert_ptr_equal(read.at, skipped.at);
        free(cut);
    }
}

/* ---- nesting ---- */

static void check_nesting(size_t levels, bool (*value)(ks_json *))
{
    char *text = malloc(2 * levels);
    assert_non_null(text);
    memset(text, '[', levels);
    memset(text + levels, ']', levels);
    ks_json r;
    bool valid = read_text(&r, (ks_str){text, 2 * levels}, value);
    assert_int_equal(valid, levels <= KS_JSON_DEPTH_MAX);
    if (!valid) {
        assert_int_equal(r.code, KS_ELIMIT);
        assert_string_equal(r.fault, "nested more than 512 levels deep");
        assert_int_equal(r.at - r.begin, KS_JSON_DEPTH_MAX);
    }
    free(text);
}

static void caps_nesting(void **state)
{
    (void)state;
    static const size_t levels[] = {1, 511, 512, 513, 1000000};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        check_nesting(levels[i], read_value);
        check_nesting(levels[i], ks_json_skip);
    }
}

/* What was entered by reading counts when the rest is skipped. */
static void skipping_counts_levels_entered(void **state)
{
    (void)state;
    char text[2 * KS_JSON_DEPTH_MAX + 3] = "";
    memset(text, '[', KS_JSON_DEPTH_MAX + 1);
    ks_json r;
    ks_json_init(&r, (ks_str){text, KS_JSON_DEPTH_MAX + 1});
    for (int i = 0; i < 10; i++) {
        assert_true(ks_json_begin_array(&r));
        assert_true(ks_json_next_item(&r));
    }
    assert_int_equal(r.depth, 10);
    assert_false(ks_json_skip(&r));
    assert_int_equal(r.code, KS_ELIMIT);
    assert_int_equal(r.at - r.begin, KS_JSON_DEPTH_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_is_json),           cmocka_unit_test(refuses_what_is_not),
        cmocka_unit_test(refuses_truncated_text),         cmocka_unit_test(caps_nesting),
        cmocka_unit_test(skipping_counts_levels_entered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
