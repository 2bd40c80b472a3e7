// SPDX-License-Identifier: Apache-2.0
/* The JSON reader against jansson.
 *
 * - Reading and skipping a text end alike: verdict, rule and place.
 * - jansson gives the same verdict, except where it has limits that JSON has not (numbers beyond a double,
 *   NUL in a key) or we have one (nesting). What is valid has the same value to both, down to each string.
 *
 * json-c has a target of its own, because its header and jansson's cannot be included together. */
#include "util/json.h"
#include <jansson.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- reading: the value as jansson sees it, or NULL if only the grammar is of interest ---- */

static void read_value(ks_json *r, const json_t *same, ks_arena *arena);

static void check_string(ks_json_string string, const json_t *same, ks_arena *arena)
{
    ks_str value;
    CHECK(ks_json_unescape(&value, string, arena));
    CHECK(ks_json_string_is(string, value));
    if (same)
        CHECK(json_is_string(same) &&
              ks_str_eq(value, (ks_str){json_string_value(same), json_string_length(same)}));
}

/* Of equal keys jansson keeps the last value, so that only objects of distinct keys can be compared. */
static bool has_distinct_keys(ks_json r, const json_t *same)
{
    ks_json_string key;
    size_t members = 0;
    for (ks_json_begin_object(&r); ks_json_next_key(&r, &key) && ks_json_skip(&r);)
        members++;
    return members == json_object_size(same);
}

static void read_object(ks_json *r, const json_t *same, ks_arena *arena)
{
    CHECK(!same || json_is_object(same));
    if (same && !has_distinct_keys(*r, same))
        same = NULL;
    ks_json_string key;
    for (ks_json_begin_object(r); ks_json_next_key(r, &key);) {
        ks_str name;
        CHECK(ks_json_unescape(&name, key, arena));
        const json_t *value = same ? json_object_getn(same, name.data, name.len) : NULL;
        CHECK(!same || value);
        read_value(r, value, arena);
    }
}

static void read_array(ks_json *r, const json_t *same, ks_arena *arena)
{
    CHECK(!same || json_is_array(same));
    size_t items = 0;
    for (ks_json_begin_array(r); ks_json_next_item(r); items++)
        read_value(r, same ? json_array_get(same, items) : NULL, arena);
    CHECK(!same || r->fault || items == json_array_size(same));
}

static void read_scalar(ks_json *r, ks_json_type type, const json_t *same, ks_arena *arena)
{
    ks_json_string string;
    ks_str number;
    bool truth;
    if (type == KS_JSON_STRING && ks_json_read_string(r, &string))
        check_string(string, same, arena);
    if (type == KS_JSON_NUMBER && ks_json_read_number(r, &number))
        CHECK(!same || json_is_real(same));
    if ((type == KS_JSON_TRUE || type == KS_JSON_FALSE) && ks_json_read_bool(r, &truth))
        CHECK(!same || (json_is_boolean(same) && json_is_true(same) == truth));
    if (type == KS_JSON_NULL && ks_json_read_null(r))
        CHECK(!same || json_is_null(same));
}

static void read_value(ks_json *r, const json_t *same, ks_arena *arena)
{
    ks_json_type type = ks_json_peek(r);
    if (type == KS_JSON_OBJECT)
        read_object(r, same, arena);
    else if (type == KS_JSON_ARRAY)
        read_array(r, same, arena);
    else
        read_scalar(r, type, same, arena);
}

static void read_text(ks_json *r, ks_str text, const json_t *same)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    ks_json_init(r, text);
    read_value(r, same, &arena);
    if (!r->fault && !ks_json_at_end(r))
        ks_json_set_fault(r, KS_EINVAL, "more text");
    ks_arena_free(&arena);
    CHECK(alloc.bytes == 0);
}

static void skip_text(ks_json *r, ks_str text)
{
    ks_json_init(r, text);
    if (ks_json_skip(r) && !ks_json_at_end(r))
        ks_json_set_fault(r, KS_EINVAL, "more text");
}

static void check_reading_is_skipping(const ks_json *read, ks_str text)
{
    ks_json skipped;
    skip_text(&skipped, text);
    CHECK(!read->fault == !skipped.fault);
    CHECK(!read->fault || strcmp(read->fault, skipped.fault) == 0);
    CHECK(read->at == skipped.at && read->code == skipped.code);
    CHECK(read->at >= read->begin && read->at <= read->end);
}

static void check_jansson(ks_str text)
{
    json_error_t error;
    const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    json_t *theirs = json_loadb(text.data, text.len, flags, &error);
    ks_json ours;
    read_text(&ours, text, theirs);
    if (theirs) {
        CHECK(!ours.fault || ours.code == KS_ELIMIT);
    } else if (!ours.fault) {
        enum json_error_code code = json_error_code(&error);
        CHECK(code == json_error_numeric_overflow || code == json_error_null_byte_in_key);
    }
    json_decref(theirs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ks_str text = {(const char *)data, size};
    ks_json read;
    read_text(&read, text, NULL);
    check_reading_is_skipping(&read, text);
    /* No valid text has a NUL byte, but jansson passes over one behind a number or a literal. */
    if (size > 0 && memchr(data, '\0', size))
        CHECK(read.fault);
    else
        check_jansson(text);
    return 0;
}
