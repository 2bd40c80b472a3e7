// SPDX-License-Identifier: Apache-2.0
#include "model/schema.h"
#include "model/selector.h"
#include "support/decoded.h"
#include "support/failing_allocator.h"
#include "support/unit.h"

#define NAME_RULE                                                                                            \
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "    \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "     \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE_RULE                                                                                           \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and "     \
    "must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex " \
    "used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
#define IS(key, op, values) "{'key':'" key "','operator':'" op "','values':[" values "]}"
#define HAS(key, op) "{'key':'" key "','operator':'" op "'}"
#define WHERE(expressions) "{'matchExpressions':[" expressions "]}"

static ks_selector compile(decoded_memory *memory, const char *json)
{
    ks_label_selector from;
    ks_selector selector;
    ks_error err = {0};
    decoded_read(&from, &ks_label_selector_schema, &memory->arena, json);
    if (ks_selector_compile(&selector, &from, &memory->arena, &err) != KS_OK)
        fail_msg("%s: %s", json, err.message);
    return selector;
}

/* The text lives in the arena. */
static const char *print(decoded_memory *memory, const ks_selector *selector)
{
    ks_buf buf;
    ks_str copy;
    ks_buf_init(&buf, &memory->alloc);
    ks_selector_print(&buf, selector);
    assert_true(ks_arena_copy_str(&memory->arena, &copy, ks_buf_str(&buf)));
    ks_buf_free(&buf);
    return copy.data;
}

/* ---- what is printed ---- */

typedef struct print_row {
    const char *name, *selector, *printed;
} print_row;

static const print_row print_rows[] = {
    {"everything", "{}", ""},
    {"empty parts", "{'matchLabels':{},'matchExpressions':[]}", ""},
    {"a label", "{'matchLabels':{'app':'web'}}", "app=web"},
    {"labels by key", "{'matchLabels':{'tier':'front','app':'web'}}", "app=web,tier=front"},
    {"a label with an empty value", "{'matchLabels':{'app':''}}", "app="},
    {"In with one value", WHERE(IS("app", "In", "'web'")), "app in (web)"},
    {"In sorts its values", WHERE(IS("tier", "In", "'b','a','c'")), "tier in (a,b,c)"},
    {"values stand once", WHERE(IS("tier", "In", "'b','a','b'")), "tier in (a,b)"},
    {"NotIn", WHERE(IS("tier", "NotIn", "'a','b'")), "tier notin (a,b)"},
    {"the empty value", WHERE(IS("tier", "NotIn", "''")), "tier notin ()"},
    {"Exists", WHERE(HAS("new", "Exists")), "new"},
    {"DoesNotExist", WHERE(HAS("old", "DoesNotExist")), "!old"},
    {"labels and expressions by key",
     "{'matchLabels':{'tier':'a'},'matchExpressions':[" HAS("zz", "Exists") "," HAS("app",
                                                                                    "DoesNotExist") "]}",
     "!app,tier=a,zz"},
    {"one key, several operators",
     WHERE(HAS("a", "Exists") "," IS("a", "NotIn", "'y'") "," IS("a", "In", "'x'")),
     "a in (x),a notin (y),a"},
    {"a key with prefix", "{'matchLabels':{'example.com/app':'web'}}", "example.com/app=web"},
};

static void prints_as_the_api_machinery(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < sizeof print_rows / sizeof *print_rows; i++) {
        ks_selector selector = compile(&memory, print_rows[i].selector);
        const char *printed = print(&memory, &selector);
        if (strcmp(printed, print_rows[i].printed) != 0)
            fail_msg("%s: \"%s\", want \"%s\"", print_rows[i].name, printed, print_rows[i].printed);
    }
    decoded_memory_free(&memory);
}

/* ---- what matches ---- */

typedef struct match_row {
    const char *name, *selector, *labels;
    bool matches;
} match_row;

#define WEB "{'app':'web','tier':'front','bare':''}"

static const match_row match_rows[] = {
    {"everything matches labels", "{}", WEB, true},
    {"everything matches no labels", "{}", "{}", true},
    {"label", "{'matchLabels':{'app':'web'}}", WEB, true},
    {"label, another value", "{'matchLabels':{'app':'db'}}", WEB, false},
    {"label, not there", "{'matchLabels':{'zone':'a'}}", WEB, false},
    {"label, one of two", "{'matchLabels':{'app':'web','zone':'a'}}", WEB, false},
    {"empty value is there", "{'matchLabels':{'bare':''}}", WEB, true},
    {"empty value is not a missing label", "{'matchLabels':{'zone':''}}", WEB, false},
    {"In", WHERE(IS("app", "In", "'db','web'")), WEB, true},
    {"In, none of them", WHERE(IS("app", "In", "'db','we'")), WEB, false},
    {"In, not there", WHERE(IS("zone", "In", "'a'")), WEB, false},
    {"NotIn", WHERE(IS("app", "NotIn", "'db'")), WEB, true},
    {"NotIn, one of them", WHERE(IS("app", "NotIn", "'db','web'")), WEB, false},
    {"NotIn, not there", WHERE(IS("zone", "NotIn", "'a'")), WEB, true},
    {"Exists", WHERE(HAS("bare", "Exists")), WEB, true},
    {"Exists, not there", WHERE(HAS("zone", "Exists")), WEB, false},
    {"DoesNotExist", WHERE(HAS("zone", "DoesNotExist")), WEB, true},
    {"DoesNotExist, but there", WHERE(HAS("bare", "DoesNotExist")), WEB, false},
    {"all must hold", WHERE(HAS("app", "Exists") "," IS("tier", "NotIn", "'front'")), WEB, false},
    {"contradiction", WHERE(HAS("app", "Exists") "," HAS("app", "DoesNotExist")), WEB, false},
};

static void matches_as_the_api_machinery(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < sizeof match_rows / sizeof *match_rows; i++) {
        ks_selector selector = compile(&memory, match_rows[i].selector);
        ks_labels labels = decoded_labels(&memory.arena, match_rows[i].labels);
        if (ks_selector_matches(&selector, &labels) != match_rows[i].matches)
            fail_msg("%s: want %d", match_rows[i].name, match_rows[i].matches);
    }
    decoded_memory_free(&memory);
}

static void no_selector_matches_nothing(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    ks_selector nothing, everything = compile(&memory, "{}");
    assert_int_equal(ks_selector_compile(&nothing, NULL, &memory.arena, NULL), KS_OK);
    ks_labels labels = decoded_labels(&memory.arena, WEB);
    assert_true(nothing.nothing);
    assert_false(ks_selector_matches(&nothing, &labels));
    assert_false(ks_selector_matches(&nothing, &(ks_labels){0}));
    assert_false(ks_selector_empty(&nothing));
    assert_true(ks_selector_empty(&everything));
    assert_string_equal(print(&memory, &nothing), "");
    assert_false(ks_selector_equal(&nothing, &everything));
    assert_true(ks_selector_hash(&nothing, 1) != ks_selector_hash(&everything, 1));
    decoded_memory_free(&memory);
}

/* ---- what cannot be ---- */

typedef struct fault_row {
    const char *name, *selector, *fault;
} fault_row;

static const fault_row fault_rows[] = {
    {"unknown operator", WHERE(IS("a", "in", "'x'")), "\"in\" is not a valid label selector operator"},
    {"an operator of nodes", WHERE(IS("a", "Gt", "'1'")), "\"Gt\" is not a valid label selector operator"},
    {"no operator", WHERE("{'key':'a'}"), "\"\" is not a valid label selector operator"},
    {"operators are quoted", WHERE(IS("a", "I\\nn", "")), "\"I\\nn\" is not a valid label selector operator"},
    {"In without values", WHERE(IS("a", "In", "")),
     "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
    {"NotIn without values", WHERE(HAS("a", "NotIn")),
     "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
    {"Exists with values", WHERE(IS("a", "Exists", "'x','<y>'")),
     "[values: Invalid value: [\"x\",\"\\u003cy\\u003e\"]: values set must be empty for exists and does not "
     "exist, values[1][a]: Invalid value: \"<y>\": " VALUE_RULE "]"},
    {"DoesNotExist with a value", WHERE(IS("a", "DoesNotExist", "''")),
     "values: Invalid value: [\"\"]: values set must be empty for exists and does not exist"},
    {"key", "{'matchLabels':{'bad key!':'x'}}", "key: Invalid value: \"bad key!\": " NAME_RULE},
    {"key with two faults", "{'matchLabels':{'':'x'}}",
     "key: Invalid value: \"\": name part must be non-empty; " NAME_RULE},
    {"value of a label", "{'matchLabels':{'a/b':'bad value!'}}",
     "values[0][a/b]: Invalid value: \"bad value!\": " VALUE_RULE},
    {"value of an expression", WHERE(IS("a", "In", "'x','-'")),
     "values[1][a]: Invalid value: \"-\": " VALUE_RULE},
    {"key and values", WHERE(HAS("-", "In")),
     "[key: Invalid value: \"-\": " NAME_RULE
     ", values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty]"},
    {"the first faulty one is told",
     "{'matchLabels':{'ok':'x'},'matchExpressions':[" HAS("a", "Exists") "," HAS("b", "No") "," HAS(
         "c", "Nono") "]}",
     "\"No\" is not a valid label selector operator"},
};

static void faults_are_the_api_machinerys(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < sizeof fault_rows / sizeof *fault_rows; i++) {
        const fault_row *row = &fault_rows[i];
        ks_label_selector from;
        ks_selector selector;
        ks_error err = {0};
        decoded_read(&from, &ks_label_selector_schema, &memory.arena, row->selector);
        int code = ks_selector_compile(&selector, &from, &memory.arena, &err);
        if (code != KS_EINVAL || err.code != KS_EINVAL || strcmp(err.message, row->fault) != 0)
            fail_msg("%s: %d \"%s\", want \"%s\"", row->name, code, err.message, row->fault);
        assert_int_equal(ks_selector_compile(&selector, &from, &memory.arena, NULL), KS_EINVAL);
    }
    decoded_memory_free(&memory);
}

/* ---- identity ---- */

typedef struct same_row {
    const char *name, *a, *b;
    bool equal;
} same_row;

static const same_row same_rows[] = {
    {"order of expressions", WHERE(HAS("a", "Exists") "," HAS("b", "Exists")),
     WHERE(HAS("b", "Exists") "," HAS("a", "Exists")), true},
    {"order and number of values", WHERE(IS("a", "In", "'x','y'")), WHERE(IS("a", "In", "'y','x','y'")),
     true},
    {"empty and absent parts", "{}", "{'matchLabels':{}}", true},
    {"another value", "{'matchLabels':{'a':'x'}}", "{'matchLabels':{'a':'y'}}", false},
    {"another key", "{'matchLabels':{'a':'x'}}", "{'matchLabels':{'b':'x'}}", false},
    {"another operator", WHERE(IS("a", "In", "'x'")), WHERE(IS("a", "NotIn", "'x'")), false},
    {"fewer values", WHERE(IS("a", "In", "'x'")), WHERE(IS("a", "In", "'x','y'")), false},
    {"fewer requirements", "{'matchLabels':{'a':'x'}}", "{'matchLabels':{'a':'x','b':'x'}}", false},
    {"bounds between strings count", WHERE(IS("a", "In", "'xy','z'")), WHERE(IS("a", "In", "'x','yz'")),
     false},
    {"written as a label and as In", "{'matchLabels':{'a':'x'}}", WHERE(IS("a", "In", "'x'")), false},
};

static void equal_selectors_are_equal(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < sizeof same_rows / sizeof *same_rows; i++) {
        const same_row *row = &same_rows[i];
        ks_selector a = compile(&memory, row->a), b = compile(&memory, row->b);
        bool same_hash = ks_selector_hash(&a, 7) == ks_selector_hash(&b, 7);
        bool same_text = strcmp(print(&memory, &a), print(&memory, &b)) == 0;
        if (ks_selector_equal(&a, &b) != row->equal || ks_selector_equal(&b, &a) != row->equal ||
            same_hash != row->equal || same_text != row->equal)
            fail_msg("%s: want %d, hash %d, text %d", row->name, row->equal, same_hash, same_text);
    }
    decoded_memory_free(&memory);
}

static void copy_stands_on_its_own(void **state)
{
    (void)state;
    decoded_memory from, to;
    decoded_memory_init(&from, NULL);
    decoded_memory_init(&to, NULL);
    ks_selector selector = compile(&from, "{'matchLabels':{'app':'web'},'matchExpressions':[" IS(
                                              "t", "NotIn", "'b','a'") "," HAS("x", "DoesNotExist") "]}");
    ks_selector copy;
    uint64_t hash = ks_selector_hash(&selector, 0);
    assert_true(ks_selector_copy(&copy, &selector, &to.arena));
    assert_true(ks_selector_equal(&copy, &selector));
    decoded_memory_free(&from);
    assert_true(ks_selector_hash(&copy, 0) == hash);
    assert_string_equal(print(&to, &copy), "app=web,t notin (a,b),!x");
    decoded_memory_free(&to);
}

static void merging_adds_requirements(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    ks_selector selector = compile(&memory, "{'matchLabels':{'app':'web'}}"), hash;
    ks_labels keys = decoded_labels(&memory.arena, "{'Pod-Hash':'5d4f8','not valid!':'either!'}");
    assert_int_equal(ks_selector_from_labels(&hash, &keys, &memory.arena, NULL), KS_OK);
    assert_int_equal(ks_selector_merge(&selector, &hash, &memory.arena, NULL), KS_OK);
    assert_string_equal(print(&memory, &selector), "Pod-Hash=5d4f8,app=web,not valid!=either!");
    assert_string_equal(print(&memory, &hash), "Pod-Hash=5d4f8,not valid!=either!");
    assert_int_equal(ks_selector_merge(&selector, &hash, &memory.arena, NULL), KS_OK);
    assert_string_equal(print(&memory, &selector), "Pod-Hash=5d4f8,app=web,not valid!=either!");
    ks_selector in =
        compile(&memory, "{'matchExpressions':[{'key':'app','operator':'In','values':['web']}]}");
    assert_int_equal(ks_selector_merge(&selector, &in, &memory.arena, NULL), KS_OK);
    assert_string_equal(print(&memory, &selector), "Pod-Hash=5d4f8,app=web,app in (web),not valid!=either!");

    ks_selector everything;
    assert_int_equal(ks_selector_from_labels(&everything, &(ks_labels){0}, &memory.arena, NULL), KS_OK);
    assert_true(ks_selector_empty(&everything));
    assert_int_equal(ks_selector_merge(&everything, &everything, &memory.arena, NULL), KS_OK);
    assert_true(ks_selector_empty(&everything));
    decoded_memory_free(&memory);
}

/* ---- want of memory ---- */

static int use_all(ks_arena *arena, const ks_label_selector *good, const ks_label_selector *bad,
                   ks_error *err)
{
    ks_selector selector, labels, copy;
    int code = ks_selector_compile(&selector, good, arena, err);
    if (code == KS_OK)
        code = ks_selector_from_labels(&labels, &good->match_labels, arena, err);
    if (code == KS_OK)
        code = ks_selector_merge(&selector, &labels, arena, err);
    if (code == KS_OK && !ks_selector_copy(&copy, &selector, arena))
        code = KS_ENOMEM;
    if (code == KS_OK)
        code = ks_selector_compile(&selector, bad, arena, err);
    return code;
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    ks_label_selector good, bad;
    decoded_read(&good, &ks_label_selector_schema, &memory.arena,
                 "{'matchLabels':{'app':'web'},'matchExpressions':[" IS("t", "In", "'b','a'") "]}");
    decoded_read(&bad, &ks_label_selector_schema, &memory.arena, WHERE(IS("-", "In", "'-'")));
    for (size_t fail_at = 1;; fail_at++) {
        failing_allocator failing = failing_allocator_make();
        failing.fail_at = fail_at;
        ks_allocator allocator = failing_allocator_get(&failing);
        decoded_memory swept;
        decoded_memory_init(&swept, &allocator);
        ks_error err = {0};
        int code = use_all(&swept.arena, &good, &bad, &err);
        decoded_memory_free(&swept);
        assert_int_equal(failing.bytes, 0);
        assert_int_equal(code, failing.failed ? KS_ENOMEM : KS_EINVAL);
        if (!failing.failed)
            break;
    }
    decoded_memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_as_the_api_machinery), cmocka_unit_test(matches_as_the_api_machinery),
        cmocka_unit_test(no_selector_matches_nothing), cmocka_unit_test(faults_are_the_api_machinerys),
        cmocka_unit_test(equal_selectors_are_equal),   cmocka_unit_test(copy_stands_on_its_own),
        cmocka_unit_test(merging_adds_requirements),   cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
