// SPDX-License-Identifier: Apache-2.0
/* Decoding by a schema that the caller knows. */
#include "model/decode.h"
#include "support/decoded.h"
#include "support/dump.h"
#include "support/transcript.h"
#include "support/unit.h"
#include <stdio.h>

/* ---- by schema ---- */

typedef struct inner {
    ks_str name, args;
} inner;
typedef struct outer {
    KS_LIST(inner) list;
    ks_pod pod;
    int64_t big;
} outer;

static const ks_field inner_fields[] = {
    KS_FIELD("args", RAW, inner, args, NULL),
    KS_FIELD_SKIP("later"),
    KS_FIELD("name", STRING, inner, name, NULL),
};
static const ks_schema inner_schema = KS_SCHEMA(inner, inner_fields);
static const ks_field outer_fields[] = {
    KS_FIELD("big", I64, outer, big, NULL),
    KS_FIELD("list", LIST, outer, list, &inner_schema),
    KS_FIELD("pod", STRUCT, outer, pod, &ks_pod_schema),
};
static const ks_schema outer_schema = {sizeof(outer), outer_fields, COUNT(outer_fields), .strict = true};

static const transcript_row by_schema[] = {
    {"fine",
     "{'list':[{'name':'a','args':{'x': [1]},'later':5}],'pod':{'unknown':1},'big':-9223372036854775808}",
     "{big:-9223372036854775808,list:[{args:'{'x': [1]}',name:'a'}]}"},
    {"null", "null", "{}"},
    {"unknown field", "{'list':[],'lost':1}", "x:1:12: base.lost: unknown field"},
    {"unknown field below", "{'list':[{},{'x':1}]}", "x:1:14: base.list[1].x: unknown field"},
    {"unknown field in a partial schema is skipped", "{'pod':{'spec':{'x':1},'y':{}}}", "{}"},
    {"skipped field twice", "{'list':[{'later':1,'later':1}]}",
     "x:1:21: base.list[0].later: 'later': must not be given twice"},
    {"not an object", "'a'", "x:1:1: base: 'a': must be an object"},
    {"nothing", "", "x:1:1: base: unexpected end of the text"},
};

static void test_by_schema(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < COUNT(by_schema); i++) {
        ks_decoder decoder;
        ks_source source = {KS_STR("x"), decoded_text(&memory.arena, by_schema[i].text)};
        ks_decoder_init(&decoder, source, &memory.arena);
        decoder.path = KS_STR("base");
        outer out;
        ks_error err = {0};
        ks_buf found;
        ks_buf_init(&found, &memory.alloc);
        if (ks_decode_value(&out, &outer_schema, &decoder, &err) == 0)
            dump_struct(&found, &outer_schema, &out);
        else
            ks_buf_put_str(&found, ks_str_of(err.message));
        ks_str wanted = decoded_text(&memory.arena, by_schema[i].wanted);
        ks_str as_found = decoded_text(&memory.arena, ks_buf_str(&found).data);
        if (!ks_str_eq(as_found, wanted))
            fail_msg("%s: %s, wanted %s", by_schema[i].name, as_found.data, wanted.data);
        ks_buf_free(&found);
    }
    decoded_memory_free(&memory);
}

/* ---- timestamps ---- */

static const struct {
    const char *text;
    bool fine;
} timestamps[] = {
    {"2006-01-02T15:04:05Z", true},
    {"2006-01-02T15:04:05.123456789Z", true},
    {"2006-12-31T23:59:59+14:00", true},
    {"0000-01-01T00:00:00-00:30", true},
    {"2000-02-29T00:00:00Z", true},
    {"2024-02-29T00:00:00Z", true},
    {"", false},
    {"2006-01-02", false},
    {"2006-01-02T15:04:05", false},
    {"2006-01-02T15:04:05.Z", false},
    {"2006-01-02T15:04:05.5", false},
    {"2006-01-02t15:04:05Z", false},
    {"2006-01-02T15:04:05z", false},
    {"2006-01-02 15:04:05Z", false},
    {"2006/01/02T15:04:05Z", false},
    {"2006-1-02T15:04:05Z", false},
    {"2006-00-02T15:04:05Z", false},
    {"2006-13-02T15:04:05Z", false},
    {"2006-01-00T15:04:05Z", false},
    {"2006-04-31T15:04:05Z", false},
    {"2100-02-29T00:00:00Z", false},
    {"2006-01-02T24:00:00Z", false},
    {"2006-01-02T15:60:00Z", false},
    {"2006-01-02T15:04:60Z", false},
    {"2006-01-02T15:04:05+1:00", false},
    {"2006-01-02T15:04:05+0100", false},
    {"2006-01-02T15:04:05+01:60", false},
    {"2006-01-02T15:04:05+25:00", false},
    {"2006-01-02T15:04:05ZZ", false},
    {"x006-01-02T15:04:05Z", false},
};

static void test_timestamps(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < COUNT(timestamps); i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"metadata\":{\"creationTimestamp\":\"%s\"}}", timestamps[i].text);
        ks_decoder decoder;
        ks_decoder_init(&decoder, (ks_source){KS_STR("x"), ks_str_of(text)}, &memory.arena);
        ks_pod pod;
        int rc = ks_decode_value(&pod, &ks_pod_schema, &decoder, NULL);
        if (rc != (timestamps[i].fine ? 0 : KS_EINVAL))
            fail_msg("%s: %d", timestamps[i].text, rc);
        if (rc == 0)
            assert_true(ks_str_eq(pod.metadata.creation_timestamp, ks_str_of(timestamps[i].text)));
    }
    decoded_memory_free(&memory);
}

/* Raw pieces of a document, decoded later, still know their place in the YAML. */
static int read_pieces(void *ctx, ks_decoder *decoder, ks_error *err)
{
    (void)ctx;
    outer out;
    int rc = ks_decode_value(&out, &outer_schema, decoder, err);
    if (rc)
        return rc;
    ks_decoder piece = ks_decoder_of(decoder, out.list.items[0].args, KS_STR("list[0].args"));
    inner args;
    rc = ks_decode_value(&args, &inner_schema, &piece, err);
    if (rc)
        return rc;
    return ks_decode_fail(err, KS_EINVAL, &piece, args.name.data, KS_STR("name"), "\"%.*s\": no such plugin",
                          KS_STR_ARG(args.name));
}

static void test_pieces(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    static const transcript_row rows[] = {
        {"type", "list:\n- args:\n    name: 5\n", "x:3:11: list[0].args.name: 5: must be a string"},
        {"caller's own", "list:\n- args:\n    name: web\n",
         "x:3:11: list[0].args.name: \"web\": no such plugin"},
        {"caller's own, JSON", "{\"list\":[{\"args\":{\"name\":\"web\"}}]}",
         "x:1:26: list[0].args.name: \"web\": no such plugin"},
        {"escaped: no place", "{\"list\":[{\"args\":{\"name\":\"w\\u0065b\"}}]}",
         "x: list[0].args.name: \"web\": no such plugin"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        ks_error err = {0};
        ks_source source = {KS_STR("x"), ks_str_of(rows[i].text)};
        assert_int_equal(ks_documents_read(source, &alloc, read_pieces, NULL, &err), KS_EINVAL);
        assert_string_equal(err.message, rows[i].wanted);
    }
    assert_int_equal(alloc.bytes, 0);
}

/* Labels in an order that is bad for sorting, and in one that is made up. */
static void test_many_labels(void **state)
{
    (void)state;
    enum { LABELS = 20000 };
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    for (uint32_t step = 1; step < 4; step++) {
        ks_buf text;
        ks_buf_init(&text, &alloc);
        ks_buf_put_str(&text, KS_STR("{\"metadata\":{\"labels\":{"));
        for (uint32_t i = 0; i < LABELS; i++) {
            uint32_t key = step == 1 ? LABELS - 1 - i : i * (step == 2 ? 7919 : 9973) % LABELS;
            ks_buf_printf(&text, "%s\"k%05u\":\"v%u\"", i ? "," : "", key, key);
        }
        ks_buf_put_str(&text, KS_STR("}}}"));
        ks_decoder decoder;
        ks_pod pod;
        ks_error err;
        ks_decoder_init(&decoder, (ks_source){KS_STR("x"), ks_buf_str(&text)}, &arena);
        assert_int_equal(ks_decode_value(&pod, &ks_pod_schema, &decoder, &err), 0);
        assert_int_equal(pod.metadata.labels.count, LABELS);
        for (uint32_t i = 0; i < LABELS; i++) {
            char key[16], value[16];
            snprintf(key, sizeof key, "k%05u", i);
            snprintf(value, sizeof value, "v%u", i);
            assert_true(ks_str_eq(pod.metadata.labels.items[i].key, ks_str_of(key)));
            assert_true(ks_str_eq(pod.metadata.labels.items[i].value, ks_str_of(value)));
        }
        ks_buf_free(&text);
        ks_arena_reset(&arena);
    }
    ks_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_schema),
        cmocka_unit_test(test_timestamps),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_many_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
