// SPDX-License-Identifier: Apache-2.0
/* Copying, comparing and hashing by schema. */
#include "model/schema.h"
#include "support/decoded.h"
#include "support/dump.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One of every type of field, and of what the kinds do not have. */
typedef struct item {
    ks_str name;
} item;
typedef struct all {
    ks_str string, timestamp, raw;
    bool flag;
    ks_opt_bool opt_flag;
    int32_t i32;
    int64_t i64;
    ks_opt_i32 opt_i32;
    ks_int_or_percent either;
    ks_strs strings;
    ks_labels labels, object_labels;
    ks_resources resources;
    item inner;
    const item *pointer;
    KS_LIST(item) list;
} all;

static const ks_field item_fields[] = {KS_FIELD("name", STRING, item, name, NULL)};
static const ks_schema item_schema = KS_SCHEMA(item, item_fields);
static const ks_field all_fields[] = {
    KS_FIELD("string", STRING, all, string, NULL),
    KS_FIELD("timestamp", TIMESTAMP, all, timestamp, NULL),
    KS_FIELD("raw", RAW, all, raw, NULL),
    KS_FIELD("flag", BOOL, all, flag, NULL),
    KS_FIELD("optFlag", OPT_BOOL, all, opt_flag, NULL),
    KS_FIELD("i32", I32, all, i32, NULL),
    KS_FIELD("i64", I64, all, i64, NULL),
    KS_FIELD("optI32", OPT_I32, all, opt_i32, NULL),
    KS_FIELD("either", INT_OR_PERCENT, all, either, NULL),
    KS_FIELD("strings", STRINGS, all, strings, NULL),
    KS_FIELD("labels", LABELS, all, labels, NULL),
    KS_FIELD("objectLabels", OBJECT_LABELS, all, object_labels, NULL),
    KS_FIELD("resources", RESOURCES, all, resources, NULL),
    KS_FIELD("inner", STRUCT, all, inner, &item_schema),
    KS_FIELD("pointer", POINTER, all, pointer, &item_schema),
    KS_FIELD("list", LIST, all, list, &item_schema),
    KS_FIELD_SKIP("skipped"),
};
static const ks_schema all_schema = KS_SCHEMA(all, all_fields);

/* Any two of these differ. */
static const char *const different[] = {
    "{}",
    "{'string':''}",
    "{'string':'a'}",
    "{'string':'b'}",
    "{'timestamp':'2024-01-01T00:00:00Z'}",
    "{'timestamp':'2024-01-01T00:00:01Z'}",
    "{'raw':1}",
    "{'raw':'1'}",
    "{'flag':true}",
    "{'optFlag':true}",
    "{'optFlag':false}",
    "{'i32':1}",
    "{'i32':-1}",
    "{'i64':1}",
    "{'i64':4294967297}",
    "{'optI32':0}",
    "{'optI32':1}",
    "{'either':0}",
    "{'either':'0%'}",
    "{'either':5}",
    "{'either':'5%'}",
    "{'strings':[]}",
    "{'strings':['']}",
    "{'strings':['','']}",
    "{'strings':['a','b']}",
    "{'strings':['b','a']}",
    "{'strings':['ab','']}",
    "{'strings':['','ab']}",
    "{'labels':{}}",
    "{'labels':{'a':'b'}}",
    "{'labels':{'a':'c'}}",
    "{'labels':{'ab':''}}",
    "{'labels':{'a':'b','c':'d'}}",
    "{'objectLabels':{}}",
    "{'objectLabels':{'a':'b'}}",
    "{'resources':{}}",
    "{'resources':{'cpu':1}}",
    "{'resources':{'cpu':2}}",
    "{'resources':{'cpu':'100m'}}",
    "{'resources':{'gpu':1}}",
    "{'inner':{'name':''}}",
    "{'inner':{'name':'a'}}",
    "{'pointer':{}}",
    "{'pointer':{'name':''}}",
    "{'pointer':{'name':'a'}}",
    "{'list':[]}",
    "{'list':[{}]}",
    "{'list':[{},{}]}",
    "{'list':[{'name':'a'}]}",
    "{'list':[{'name':'a'},{}]}",
    "{'list':[{},{'name':'a'}]}",
};

/* And these are the same. */
static const struct {
    const char *a, *b;
} same[] = {
    {"{'string':'a','i32':1}", "{'i32':1,'string':'\\u0061'}"},
    {"{'labels':{'a':'1','b':'2'}}", "{'labels':{'b':'2','a':'1'}}"},
    {"{'resources':{'cpu':'1000m','memory':'1Ki'}}", "{'resources':{'memory':1024,'cpu':1}}"},
    {"{'inner':{}}", "{}"},
    {"{'flag':false,'i64':0}", "{}"},
    {"{'skipped':1}", "{'skipped':2}"},
    {"{'pointer':null,'list':null,'labels':null}", "{}"},
};

static void test_different(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    all values[COUNT(different)];
    for (size_t i = 0; i < COUNT(different); i++)
        decoded_read(&values[i], &all_schema, &memory.arena, different[i]);
    for (size_t i = 0; i < COUNT(different); i++)
        for (size_t j = 0; j < COUNT(different); j++) {
            bool equal = ks_schema_equal(&all_schema, &values[i], &values[j]);
            bool same_hash =
                ks_schema_hash(&all_schema, &values[i], 1) == ks_schema_hash(&all_schema, &values[j], 1);
            if (equal != (i == j) || same_hash != (i == j))
                fail_msg("%s and %s: equal %d, same hash %d", different[i], different[j], equal, same_hash);
        }
    decoded_memory_free(&memory);
}

static void test_same(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < COUNT(same); i++) {
        all a, b;
        decoded_read(&a, &all_schema, &memory.arena, same[i].a);
        decoded_read(&b, &all_schema, &memory.arena, same[i].b);
        if (!ks_schema_equal(&all_schema, &a, &b) ||
            ks_schema_hash(&all_schema, &a, 7) != ks_schema_hash(&all_schema, &b, 7))
            fail_msg("%s and %s differ", same[i].a, same[i].b);
        assert_int_not_equal(ks_schema_hash(&all_schema, &a, 7), ks_schema_hash(&all_schema, &a, 8));
    }
    decoded_memory_free(&memory);
}

/* A copy outlives what it was made of, text included. */
static void test_copy(void **state)
{
    (void)state;
    decoded_memory kept;
    decoded_memory_init(&kept, NULL);
    for (size_t i = 0; i < COUNT(different); i++) {
        decoded_memory gone;
        decoded_memory_init(&gone, NULL);
        all original, copy;
        decoded_read(&original, &all_schema, &gone.arena, different[i]);
        assert_true(ks_schema_copy(&all_schema, &copy, &original, &kept.arena));
        assert_true(ks_schema_equal(&all_schema, &original, &copy));
        ks_buf before, after;
        ks_buf_init(&before, &kept.alloc);
        ks_buf_init(&after, &kept.alloc);
        dump_struct(&before, &all_schema, &original);
        decoded_memory_free(&gone);
        dump_struct(&after, &all_schema, &copy);
        assert_string_equal(before.data, after.data);
        ks_buf_free(&before);
        ks_buf_free(&after);
    }
    decoded_memory_free(&kept);
}

static void test_copy_fails(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    all original;
    decoded_read(
        &original, &all_schema, &memory.arena,
        "{'string':'a','strings':['b'],'labels':{'c':'d'},'resources':{'cpu':1},'inner':{'name':'e'},"
        "'pointer':{'name':'f'},'list':[{'name':'g'}]}");
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        failing_allocator failing = failing_allocator_make();
        failing.fail_at = n;
        ks_allocator allocator = failing_allocator_get(&failing);
        decoded_memory small;
        decoded_memory_init(&small, &allocator);
        all copy;
        bool copied = ks_schema_copy(&all_schema, &copy, &original, &small.arena);
        decoded_memory_free(&small);
        assert_int_equal(failing.bytes, 0);
        assert_int_equal(copied, !failing.failed);
        if (copied)
            break;
    }
    assert_true(failures > 0);
    decoded_memory_free(&memory);
}

static void test_lists_and_maps_alone(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    all a, b, empty;
    decoded_read(&a, &all_schema, &memory.arena, "{'list':[{'name':'x'}],'labels':{'k':'v'}}");
    decoded_read(&b, &all_schema, &memory.arena, "{'list':[],'labels':{}}");
    decoded_read(&empty, &all_schema, &memory.arena, "{}");
    all copy = {0};
    assert_true(ks_schema_copy_list(&item_schema, &copy.list, &a.list, &memory.arena));
    assert_true(ks_labels_copy(&copy.labels, &a.labels, &memory.arena));
    assert_ptr_not_equal(copy.list.items, a.list.items);
    assert_ptr_not_equal(copy.labels.items[0].key.data, a.labels.items[0].key.data);
    assert_true(ks_schema_equal(&all_schema, &copy, &a));
    assert_true(ks_schema_equal_list(&item_schema, &copy.list, &a.list));
    assert_true(ks_labels_equal(&copy.labels, &a.labels));
    assert_int_equal(ks_schema_hash_list(&item_schema, &copy.list, 3),
                     ks_schema_hash_list(&item_schema, &a.list, 3));
    assert_int_equal(ks_labels_hash(&copy.labels, 3), ks_labels_hash(&a.labels, 3));

    const all *others[] = {&b, &empty};
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_false(ks_schema_equal_list(&item_schema, &a.list, &others[i]->list));
        assert_false(ks_labels_equal(&a.labels, &others[i]->labels));
    }
    assert_false(ks_schema_equal_list(&item_schema, &b.list, &empty.list));
    assert_false(ks_labels_equal(&b.labels, &empty.labels));
    assert_int_not_equal(ks_labels_hash(&b.labels, 3), ks_labels_hash(&empty.labels, 3));
    decoded_memory_free(&memory);
}

/* ---- the tables of the kinds ---- */

static void check_table(const ks_schema *schema, const char *where)
{
    assert_true(schema->count <= KS_SCHEMA_FIELDS_MAX);
    for (size_t i = 0; i < schema->count; i++) {
        const ks_field *field = &schema->fields[i];
        bool nests =
            field->type == KS_FIELD_STRUCT || field->type == KS_FIELD_POINTER || field->type == KS_FIELD_LIST;
        if (nests != (field->schema != NULL) || field->offset >= schema->size)
            fail_msg("%s.%s", where, field->name);
        if (i > 0 && strcmp(schema->fields[i - 1].name, field->name) >= 0)
            fail_msg("%s.%s: fields must be in the order of their names", where, field->name);
        if (field->schema)
            check_table(field->schema, field->name);
    }
}

static void test_tables(void **state)
{
    (void)state;
    assert_null(ks_kind_schema(KS_KIND_NONE));
    for (ks_kind kind = KS_KIND_NONE + 1; kind < KS_KIND_COUNT; kind++) {
        const ks_schema *schema = ks_kind_schema(kind);
        assert_true(schema->size <= sizeof(ks_object) && schema->partial);
        check_table(schema, ks_kind_name(kind));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_different), cmocka_unit_test(test_same),
        cmocka_unit_test(test_copy),      cmocka_unit_test(test_copy_fails),
        cmocka_unit_test(test_tables),    cmocka_unit_test(test_lists_and_maps_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
