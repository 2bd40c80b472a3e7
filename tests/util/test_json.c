// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "util/json.h"

/* ---- the reader's functions ---- */

static void reads_an_object_in_order(void **state)
{
    (void)state;
    ks_json r;
    ks_json_string key, name;
    ks_str number = {0};
    bool truth = false;
    ks_json_init(&r, KS_STR("{\"name\":\"web\",\"skip\":[{\"a\":[]}],\"n\":-1.5,\"t\":true,\"z\":null}"));
    assert_true(ks_json_begin_object(&r));
    assert_true(ks_json_next_key(&r, &key) && ks_json_string_is(key, KS_STR("name")));
    assert_int_equal(ks_json_peek(&r), KS_JSON_STRING);
    assert_true(ks_json_read_string(&r, &name));
    assert_true(ks_str_eq(name.raw, KS_STR("web")) && !name.escaped);
    assert_true(ks_json_next_key(&r, &key) && ks_json_skip(&r));
    assert_true(ks_json_next_key(&r, &key) && ks_json_read_number(&r, &number));
    assert_true(ks_str_eq(number, KS_STR("-1.5")));
    assert_true(ks_json_next_key(&r, &key) && ks_json_read_bool(&r, &truth) && truth);
    assert_true(ks_json_next_key(&r, &key) && ks_json_read_null(&r));
    assert_false(ks_json_next_key(&r, &key));
    assert_null(r.fault);
    assert_int_equal(r.depth, 0);
    assert_true(ks_json_at_end(&r));
}

typedef struct mismatch_row {
    const char *name;
    bool (*call)(ks_json *);
    const char *fault;
} mismatch_row;

static bool call_string(ks_json *r)
{
    ks_json_string out;
    return ks_json_read_string(r, &out);
}

static bool call_number(ks_json *r)
{
    ks_str out;
    return ks_json_read_number(r, &out);
}

static bool call_bool(ks_json *r)
{
    bool out;
    return ks_json_read_bool(r, &out);
}

static bool call_key(ks_json *r)
{
    ks_json_string key;
    return ks_json_next_key(r, &key);
}

static const mismatch_row mismatch_rows[] = {
    {"object", ks_json_begin_object, "must be an object"}, {"array", ks_json_begin_array, "must be an array"},
    {"string", call_string, "must be a string"},           {"number", call_number, "must be a number"},
    {"bool", call_bool, "must be true or false"},
};

static void says_which_type_it_wanted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mismatch_rows / sizeof *mismatch_rows; i++) {
        ks_json r;
        ks_json_init(&r, KS_STR("  null"));
        assert_false(mismatch_rows[i].call(&r));
        assert_string_equal(r.fault, mismatch_rows[i].fault);
        assert_int_equal(r.at - r.begin, 2);
    }
    ks_json r;
    ks_json_init(&r, KS_STR("[]"));
    assert_false(ks_json_read_null(&r));
    assert_string_equal(r.fault, "must be null");
}

static void faults_are_sticky(void **state)
{
    (void)state;
    ks_json r;
    ks_json_init(&r, KS_STR("{\"a\":1}"));
    assert_false(ks_json_set_fault(&r, KS_ELIMIT, "the caller's rule"));
    for (size_t i = 0; i < sizeof mismatch_rows / sizeof *mismatch_rows; i++)
        assert_false(mismatch_rows[i].call(&r));
    assert_false(call_key(&r) || ks_json_next_item(&r) || ks_json_read_null(&r));
    assert_false(ks_json_skip(&r) || ks_json_at_end(&r));
    assert_int_equal(ks_json_peek(&r), KS_JSON_FAULT);
    assert_false(ks_json_set_fault(&r, KS_EINVAL, "a later rule"));
    assert_string_equal(r.fault, "the caller's rule");
    assert_int_equal(r.code, KS_ELIMIT);
    assert_ptr_equal(r.at, r.begin);
}

static void reads_a_stream_of_values(void **state)
{
    (void)state;
    ks_json r;
    ks_json_init(&r, KS_STR("{}[1] \"a\"\n{\"b\":2}\n"));
    size_t values = 0;
    for (; !ks_json_at_end(&r) && ks_json_skip(&r); values++)
        ;
    assert_null(r.fault);
    assert_int_equal(values, 4);
}

static void reads_an_absent_text_as_empty(void **state)
{
    (void)state;
    ks_json r;
    ks_json_init(&r, (ks_str){0});
    assert_true(ks_json_at_end(&r));
    assert_false(ks_json_skip(&r));
    assert_string_equal(r.fault, "unexpected end of the text");
}

/* ---- strings ---- */

typedef struct string_row {
    const char *text;
    bool escaped;
    ks_str value;
} string_row;

static const string_row string_rows[] = {
    {"\"\"", false, {"", 0}},
    {"\"plain\"", false, {"plain", 5}},
    {"\"\xc3\xa9\"", false, {"\xc3\xa9", 2}},
    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", true, {"\"\\/\b\f\n\r\t", 8}},
    {"\"a\\u0000b\"", true, {"a\0b", 3}},
    {"\"\\u00E9\\u20ac\"", true, {"\xc3\xa9\xe2\x82\xac", 5}},
    {"\"\\u007f\\u0080\\u07FF\\u0800\\uffff\"", true, {"\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf", 11}},
    {"\"\\ud83d\\ude00\\ud800\\udc00\\udbff\\udfff\"",
     true,
     {"\xf0\x9f\x98\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 12}},
    {"\"\xc3\xa9\\n\xc3\xa9\"", true, {"\xc3\xa9\n\xc3\xa9", 5}},
};

static ks_json_string read_one_string(const char *text)
{
    ks_json r;
    ks_json_string string;
    ks_json_init(&r, ks_str_of(text));
    assert_true(ks_json_read_string(&r, &string));
    assert_true(ks_json_at_end(&r));
    return string;
}

static void resolves_escapes(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    for (size_t i = 0; i < sizeof string_rows / sizeof *string_rows; i++) {
        const string_row *row = &string_rows[i];
        ks_json_string string = read_one_string(row->text);
        ks_str value;
        assert_int_equal(string.escaped, row->escaped);
        assert_true(ks_json_unescape(&value, string, &arena));
        if (!ks_str_eq(value, row->value) || !ks_json_string_is(string, row->value))
            fail_msg("%s became '%.*s'", row->text, KS_STR_ARG(value));
        assert_non_null(value.data);
        if (!row->escaped)
            assert_ptr_equal(value.data, string.raw.data);
    }
    ks_arena_free(&arena);
}

static void compares_resolved_strings(void **state)
{
    (void)state;
    ks_json_string string = read_one_string("\"n\\u0061m\\u0065\"");
    assert_true(ks_json_string_is(string, KS_STR("name")));
    assert_false(ks_json_string_is(string, KS_STR("names")));
    assert_false(ks_json_string_is(string, KS_STR("nam")));
    assert_false(ks_json_string_is(string, KS_STR("")));
    assert_false(ks_json_string_is(string, KS_STR("nbme")));
    assert_false(ks_json_string_is(string, string.raw));
    assert_false(ks_json_string_is(read_one_string("\"\\ud83d\\ude00\""), KS_STR("\xf0\x9f\x98")));
}

static void unescape_reports_want_of_memory(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    ks_str value;
    failing.fail_at = 1;
    assert_false(ks_json_unescape(&value, read_one_string("\"a\\nb\""), &arena));
    failing_allocator_refill(&failing);
    assert_true(ks_json_unescape(&value, read_one_string("\"ab\""), &arena));
    assert_int_equal(failing.bytes, 0);
    ks_arena_free(&arena);
}

/* ---- places ---- */

typedef struct position_row {
    const char *name;
    ks_str text;
    size_t offset;
    uint32_t line, column;
} position_row;

static const position_row position_rows[] = {
    {"empty text", {"", 0}, 0, 1, 1},
    {"first byte", {"ab\ncd", 5}, 0, 1, 1},
    {"line break itself", {"ab\ncd", 5}, 2, 1, 3},
    {"behind a line break", {"ab\ncd", 5}, 3, 2, 1},
    {"end of the text", {"ab\ncd", 5}, 5, 2, 3},
    {"beyond the text", {"ab\ncd", 5}, 99, 2, 3},
    {"characters, not bytes", {"\xc3\xa9\xe2\x82\xacx", 6}, 5, 1, 3},
    {"DOS line breaks", {"a\r\nb", 4}, 3, 2, 1},
};

static void finds_lines_and_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof position_rows / sizeof *position_rows; i++) {
        const position_row *row = &position_rows[i];
        uint32_t line = 0, column = 0;
        ks_text_position(row->text, row->offset, &line, &column);
        if (line != row->line || column != row->column)
            fail_msg("%s: %u:%u", row->name, line, column);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_an_object_in_order),
        cmocka_unit_test(says_which_type_it_wanted),
        cmocka_unit_test(faults_are_sticky),
        cmocka_unit_test(reads_a_stream_of_values),
        cmocka_unit_test(reads_an_absent_text_as_empty),
        cmocka_unit_test(resolves_escapes),
        cmocka_unit_test(compares_resolved_strings),
        cmocka_unit_test(unescape_reports_want_of_memory),
        cmocka_unit_test(finds_lines_and_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
