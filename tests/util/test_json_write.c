// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "util/json.h"

/* ---- layout ---- */

static void put_nothing(ks_json_writer *w)
{
    (void)w;
}

static void put_scalars(ks_json_writer *w)
{
    ks_json_put_array(w);
    ks_json_put_int(w, 0);
    ks_json_put_int(w, INT64_MIN);
    ks_json_put_int(w, INT64_MAX);
    ks_json_put_bool(w, true);
    ks_json_put_bool(w, false);
    ks_json_put_raw(w, KS_STR("null"));
    ks_json_put_string(w, KS_STR("a"));
    ks_json_put_raw(w, KS_STR("1.50"));
    ks_json_put_array_end(w);
}

static void put_empty(ks_json_writer *w)
{
    ks_json_put_object(w);
    ks_json_put_key(w, KS_STR("list"));
    ks_json_put_array(w);
    ks_json_put_array_end(w);
    ks_json_put_key(w, KS_STR("map"));
    ks_json_put_object(w);
    ks_json_put_object_end(w);
    ks_json_put_object_end(w);
}

static void put_nested(ks_json_writer *w)
{
    ks_json_put_object(w);
    ks_json_put_key(w, KS_STR("nodes"));
    ks_json_put_array(w);
    for (int i = 1; i <= 2; i++) {
        ks_json_put_object(w);
        ks_json_put_key(w, KS_STR("score"));
        ks_json_put_int(w, i);
        ks_json_put_object_end(w);
    }
    ks_json_put_array_end(w);
    ks_json_put_key(w, KS_STR("fits"));
    ks_json_put_bool(w, true);
    ks_json_put_object_end(w);
}

static void put_stream(ks_json_writer *w)
{
    ks_json_put_object(w);
    ks_json_put_object_end(w);
    ks_json_put_int(w, 1);
    ks_json_put_array(w);
    ks_json_put_array_end(w);
}

typedef struct layout_row {
    const char *name;
    void (*put)(ks_json_writer *);
    int indent;
    const char *text;
} layout_row;

static const layout_row layout_rows[] = {
    {"nothing", put_nothing, 4, ""},
    {"scalars", put_scalars, 0, "[0,-9223372036854775808,9223372036854775807,true,false,null,\"a\",1.50]"},
    {"empty", put_empty, 0, "{\"list\":[],\"map\":{}}"},
    {"empty, indented", put_empty, 2, "{\n  \"list\": [],\n  \"map\": {}\n}"},
    {"nested", put_nested, 0, "{\"nodes\":[{\"score\":1},{\"score\":2}],\"fits\":true}"},
    {"nested, indented", put_nested, 4,
     "{\n    \"nodes\": [\n        {\n            \"score\": 1\n        },\n        {\n"
     "            \"score\": 2\n        }\n    ],\n    \"fits\": true\n}"},
    {"stream", put_stream, 0, "{}\n1\n[]"},
    {"stream, indented", put_stream, 2, "{}\n1\n[]"},
};

static void lays_out_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof layout_rows / sizeof *layout_rows; i++) {
        const layout_row *row = &layout_rows[i];
        ks_alloc alloc;
        ks_alloc_init(&alloc, NULL);
        ks_buf buf;
        ks_buf_init(&buf, &alloc);
        ks_json_writer w;
        ks_json_writer_init(&w, &buf, row->indent);
        row->put(&w);
        if (!ks_str_eq(ks_buf_str(&buf), ks_str_of(row->text)))
            fail_msg("%s: %.*s", row->name, KS_STR_ARG(ks_buf_str(&buf)));
        ks_buf_free(&buf);
    }
}

/* 100 levels of 4 blanks are more than one run of blanks in the writer. */
static void indents_deep_lines(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    ks_json_writer w;
    ks_json_writer_init(&w, &buf, 4);
    for (int i = 0; i < 100; i++)
        ks_json_put_array(&w);
    ks_str text = ks_buf_str(&buf);
    const char *last = memrchr(text.data, '\n', text.len);
    assert_non_null(last);
    assert_int_equal(text.data + text.len - last, 1 + 99 * 4 + 1);
    assert_int_equal(strspn(last + 1, " "), 99 * 4);
    ks_buf_free(&buf);
}

/* ---- strings ---- */

typedef struct string_row {
    const char *name;
    ks_str value;
    const char *text;
} string_row;

static const string_row string_rows[] = {
    {"absent", {NULL, 0}, "\"\""},
    {"empty", {"", 0}, "\"\""},
    {"quote and backslash", {"a\"b\\c", 5}, "\"a\\\"b\\\\c\""},
    {"short escapes", {"\b\f\n\r\t", 5}, "\"\\b\\f\\n\\r\\t\""},
    {"other control characters", {"\0\x01\x1f", 3}, "\"\\u0000\\u0001\\u001f\""},
    {"DEL and slash stay", {"\x7f/", 2}, "\"\x7f/\""},
    {"beyond ASCII stays",
     {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9},
     "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
    {"broken UTF-8", {"a\xff\xc3", 3}, "\"a\xef\xbf\xbd\xef\xbf\xbd\""},
    {"surrogate in UTF-8", {"\xed\xa0\x80", 3}, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
};

static void escapes_strings_and_keys(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    for (size_t i = 0; i < sizeof string_rows / sizeof *string_rows; i++) {
        const string_row *row = &string_rows[i];
        ks_buf written, expected;
        ks_buf_init(&written, &alloc);
        ks_buf_init(&expected, &alloc);
        ks_json_writer w;
        ks_json_writer_init(&w, &written, 0);
        ks_json_put_object(&w);
        ks_json_put_key(&w, row->value);
        ks_json_put_string(&w, row->value);
        ks_json_put_object_end(&w);
        ks_buf_printf(&expected, "{%s:%s}", row->text, row->text);
        if (!ks_str_eq(ks_buf_str(&written), ks_buf_str(&expected)))
            fail_msg("%s: %.*s", row->name, KS_STR_ARG(ks_buf_str(&written)));
        ks_buf_free(&written);
        ks_buf_free(&expected);
    }
}

/* Every byte below 0x80 comes back as it went out. */
static void reads_back_what_it_wrote(void **state)
{
    (void)state;
    char all[128];
    for (int i = 0; i < 128; i++)
        all[i] = (char)i;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    ks_json_writer w;
    ks_json_writer_init(&w, &buf, 0);
    ks_json_put_string(&w, (ks_str){all, sizeof all});
    ks_json r;
    ks_json_string string;
    ks_str value;
    ks_json_init(&r, ks_buf_str(&buf));
    assert_true(ks_json_read_string(&r, &string) && ks_json_at_end(&r));
    assert_true(ks_json_unescape(&value, string, &arena));
    assert_true(ks_str_eq(value, (ks_str){all, sizeof all}));
    ks_arena_free(&arena);
    ks_buf_free(&buf);
}

static void remembers_want_of_memory(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        failing_allocator failing = failing_allocator_make();
        ks_allocator allocator = failing_allocator_get(&failing);
        ks_alloc alloc;
        ks_alloc_init(&alloc, &allocator);
        ks_buf buf;
        ks_buf_init(&buf, &alloc);
        ks_json_writer w;
        ks_json_writer_init(&w, &buf, 4);
        failing.fail_at = n;
        put_nested(&w);
        put_scalars(&w);
        assert_int_equal(buf.failed, failing.failed);
        bool failed = failing.failed;
        ks_buf_free(&buf);
        assert_int_equal(failing.bytes, 0);
        if (!failed) {
            assert_true(n > 1);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lays_out_values),          cmocka_unit_test(indents_deep_lines),
        cmocka_unit_test(escapes_strings_and_keys), cmocka_unit_test(reads_back_what_it_wrote),
        cmocka_unit_test(remembers_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
