// SPDX-License-Identifier: Apache-2.0
/* YAML to JSON.
 *
 * - What comes out is JSON without a key given twice; its places rise, and lie in the source.
 * - That JSON, read as YAML, becomes itself.
 * - A refusal is one line that points into the source.
 * - Memory is all given back. */
#include "model/yaml.h"
#include "util/json.h"
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- JSON without blanks ---- */

static void print_value(ks_json *r, ks_json_writer *w, ks_arena *arena);

static void print_object(ks_json *r, ks_json_writer *w, ks_arena *arena)
{
    ks_json_string key;
    ks_json_put_object(w);
    for (ks_json_begin_object(r); ks_json_next_key(r, &key); print_value(r, w, arena)) {
        ks_str name;
        CHECK(ks_json_unescape(&name, key, arena));
        ks_json_put_key(w, name);
    }
    ks_json_put_object_end(w);
}

static void print_array(ks_json *r, ks_json_writer *w, ks_arena *arena)
{
    ks_json_put_array(w);
    for (ks_json_begin_array(r); ks_json_next_item(r);)
        print_value(r, w, arena);
    ks_json_put_array_end(w);
}

static void print_value(ks_json *r, ks_json_writer *w, ks_arena *arena)
{
    ks_json_string string;
    ks_json_type type = ks_json_peek(r);
    const char *begin = r->at;
    if (type == KS_JSON_OBJECT) {
        print_object(r, w, arena);
    } else if (type == KS_JSON_ARRAY) {
        print_array(r, w, arena);
    } else if (type == KS_JSON_STRING) {
        ks_str value = {0};
        if (ks_json_read_string(r, &string))
            CHECK(ks_json_unescape(&value, string, arena));
        ks_json_put_string(w, value);
    } else {
        ks_json_skip(r);
        ks_json_put_raw(w, (ks_str){begin, (size_t)(r->at - begin)});
    }
}

/* False if the text goes deeper than JSON may, which aliases can bring about. */
static bool print_compact(ks_buf *out, ks_str json, ks_alloc *alloc)
{
    ks_arena arena;
    ks_arena_init(&arena, alloc);
    ks_json reader;
    ks_json_writer writer;
    ks_json_init(&reader, json);
    ks_json_writer_init(&writer, out, 0);
    print_value(&reader, &writer, &arena);
    ks_arena_free(&arena);
    CHECK(!reader.fault || reader.code == KS_ELIMIT);
    CHECK(reader.fault || ks_json_at_end(&reader));
    return !reader.fault;
}

/* ---- properties ---- */

static void check_places(const ks_yaml_places *places, ks_str text, ks_str json)
{
    ks_yaml_cursor cursor = {0};
    CHECK(places->count > 0 && places->items[0].json == 0);
    for (size_t i = 0; i < places->count; i++) {
        CHECK(places->items[i].json < json.len);
        CHECK(i == 0 || places->items[i - 1].json <= places->items[i].json);
        CHECK(ks_yaml_find_next(&cursor, places, text, places->items[i].json) <= text.len);
    }
}

static void check_again(ks_str compact, ks_alloc *alloc)
{
    ks_yaml *yaml;
    bool more;
    ks_error err;
    CHECK(ks_yaml_new(&yaml, (ks_source){KS_STR("again"), compact}, 0, alloc, &err) == 0);
    /* libyaml takes no key beyond 1024 characters unless it is marked. */
    if (ks_yaml_next(&more, yaml, &err) == 0) {
        ks_buf again;
        ks_buf_init(&again, alloc);
        CHECK(more && print_compact(&again, ks_yaml_json(yaml), alloc));
        CHECK(ks_str_eq(ks_buf_str(&again), compact));
        ks_buf_free(&again);
    } else {
        CHECK(compact.len > 1000);
    }
    ks_yaml_free(yaml);
}

/* What YAML reads otherwise than JSON: libyaml refuses some characters beyond ASCII, and a zero keeps its
 * sign only as a float. */
static bool means_the_same(ks_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] >= 0x7F || (text.data[i] == '0' && i > 0 && text.data[i - 1] == '-'))
            return false;
    return true;
}

static void check_document(const ks_yaml *yaml, ks_str text, ks_alloc *alloc)
{
    ks_str json = ks_yaml_json(yaml);
    check_places(ks_yaml_get_places(yaml), text, json);
    ks_buf compact;
    ks_buf_init(&compact, alloc);
    if (print_compact(&compact, json, alloc) && means_the_same(ks_buf_str(&compact)))
        check_again(ks_buf_str(&compact), alloc);
    ks_buf_free(&compact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ks_str text = {(const char *)data, size};
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_yaml *yaml;
    ks_error err = {0};
    CHECK(ks_yaml_new(&yaml, (ks_source){KS_STR("fuzz"), text}, 0, &alloc, &err) == 0);
    bool more;
    int rc;
    while ((rc = ks_yaml_next(&more, yaml, &err)) == 0 && more)
        check_document(yaml, text, &alloc);
    ks_yaml_free(yaml);
    CHECK(alloc.bytes == 0);
    CHECK(rc == 0 || rc == KS_EINVAL || rc == KS_ELIMIT);
    if (rc)
        CHECK(rc == err.code && err.line > 0 && err.column > 0 && !strchr(err.message, '\n'));
    return 0;
}
