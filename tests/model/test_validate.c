// SPDX-License-Identifier: Apache-2.0
#include "support/decoded.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include <kubespread/validate.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_RULE                                                                                            \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " \
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "                  \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE_RULE                                                                                           \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and "     \
    "must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex " \
    "used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

#define AT(n) "spec.topologySpreadConstraints[" #n "]"
/* A constraint without fault, with what else it has before the closing brace. */
#define HARD(key, more) "{'maxSkew':1,'topologyKey':'" key "','whenUnsatisfiable':'DoNotSchedule'" more "}"
#define SOFT(key, more) "{'maxSkew':1,'topologyKey':'" key "','whenUnsatisfiable':'ScheduleAnyway'" more "}"
#define SELECTOR(labels, expressions)                                                                        \
    ",'labelSelector':{'matchLabels':{" labels "},'matchExpressions':[" expressions "]}"
#define KEYS(keys) ",'matchLabelKeys':[" keys "]"
#define IS(key, op, values) "{'key':'" key "','operator':'" op "','values':[" values "]}"

enum {
    ALL = KS_GATES_DEFAULT,
    NO_SPREAD = ALL & ~KS_GATE_POD_TOPOLOGY_SPREAD,
    NO_POLICY = ALL & ~KS_GATE_NODE_INCLUSION_POLICY,
    NO_KEYS = ALL & ~KS_GATE_MATCH_LABEL_KEYS,
};

typedef struct pod_row {
    const char *name;
    const char *constraints; /* items of the list */
    ks_gates gates;
    const char *faults; /* one a line */
} pod_row;

static const pod_row pod_rows[] = {
    {"no constraints", "", ALL, ""},
    {"all fields",
     HARD("zone", ",'minDomains':2,'nodeAffinityPolicy':'Ignore','nodeTaintsPolicy':'Honor'" SELECTOR(
                      "'app':'web'", IS("tier", "In", "'a'")) KEYS("'hash'")),
     ALL, ""},
    {"both kinds of one key", HARD("zone", "") "," SOFT("zone", ""), ALL, ""},
    {"empty constraint", "{}", ALL,
     AT(0) ".maxSkew: Invalid value: 0: must be greater than zero\n" AT(
         0) ".topologyKey: Required value: can not be empty\n" AT(0) ".whenUnsatisfiable: Unsupported value: "
                                                                     "\"\": supported values: "
                                                                     "\"DoNotSchedule\", \"ScheduleAnyway\""},
    {"skew below zero", "{'maxSkew':-2147483648,'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule'}",
     ALL, AT(0) ".maxSkew: Invalid value: -2147483648: must be greater than zero"},
    {"a key need not be a label key", HARD("not valid!", ""), ALL, ""},
    {"action, quoted as JSON", "{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':'<Do\\nNot>'}", ALL,
     AT(0) ".whenUnsatisfiable: Unsupported value: \"\\u003cDo\\nNot\\u003e\": supported values: "
           "\"DoNotSchedule\", \"ScheduleAnyway\""},
    {"repeated", HARD("zone", "") "," SOFT("zone", "") "," HARD("zone", "") "," HARD("zone", ""), ALL,
     AT(0) ".{topologyKey, whenUnsatisfiable}: Duplicate value: \"{zone, DoNotSchedule}\"\n" AT(
         2) ".{topologyKey, whenUnsatisfiable}: Duplicate value: \"{zone, DoNotSchedule}\""},
    {"repeated, quoted as Go does",
     "{'maxSkew':1,'topologyKey':'<\\u00e9\\u00a0>','whenUnsatisfiable':'DoNotSchedule'},{'maxSkew':1,'"
     "topologyKey':'<\\u00e9\\u00a0>','whenUnsatisfiable':'DoNotSchedule'}",
     ALL, AT(0) ".{topologyKey, whenUnsatisfiable}: Duplicate value: \"{<\xc3\xa9\\u00a0>, DoNotSchedule}\""},
    {"minDomains 0", HARD("zone", ",'minDomains':0"), ALL,
     AT(0) ".minDomains: Invalid value: 0: must be greater than zero"},
    {"minDomains of a soft one", SOFT("zone", ",'minDomains':-1"), ALL,
     AT(0) ".minDomains: Invalid value: -1: must be greater than zero\n" AT(
         0) ".minDomains: Invalid value: -1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "
            "ScheduleAnyway"},
    {"minDomains null", SOFT("zone", ",'minDomains':null"), ALL, ""},
    {"policies", HARD("zone", ",'nodeAffinityPolicy':'honor','nodeTaintsPolicy':''"), ALL,
     AT(0) ".nodeAffinityPolicy: Unsupported value: \"honor\": supported values: \"Honor\", \"Ignore\"\n" AT(
         0) ".nodeTaintsPolicy: Unsupported value: \"\": supported values: \"Honor\", \"Ignore\""},

    {"matchLabelKeys without selector", HARD("zone", KEYS("'a','b c'")), ALL,
     AT(0) ".matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"},
    {"empty matchLabelKeys without selector", HARD("zone", KEYS("")), ALL, ""},
    {"matchLabelKeys with an empty selector", HARD("zone", ",'labelSelector':{}" KEYS("'a'")), ALL, ""},
    {"faulty matchLabelKeys", HARD("zone", ",'labelSelector':{}" KEYS("'ok','','a/b/c'")), ALL,
     AT(0) ".matchLabelKeys[1]: Invalid value: \"\": name part must be non-empty\n" AT(
         0) ".matchLabelKeys[1]: Invalid value: \"\": name part " NAME_RULE
            "\n" AT(0) ".matchLabelKeys[2]: Invalid value: \"a/b/c\": a valid label key " NAME_RULE
                       " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"},
    {"matchLabelKeys twice", HARD("zone", ",'labelSelector':{}" KEYS("'a','a'")), ALL, ""},
    {"matchLabelKeys in matchLabels alone", HARD("zone", SELECTOR("'a':'x'", "") KEYS("'a'")), ALL, ""},
    {"matchLabelKeys in one expression alone", HARD("zone", SELECTOR("", IS("a", "In", "'x'")) KEYS("'a'")),
     ALL, ""},
    {"matchLabelKeys in labels and an expression",
     SOFT("zone", "") "," HARD("zone", SELECTOR("'a':'x'", IS("b", "In", "'x'") "," IS("a", "In", "'x'"))
                                           KEYS("'c','a'")),
     ALL, AT(1) "[1]: Invalid value: \"a\": exists in both matchLabelKeys and labelSelector"},
    {"matchLabelKeys in three expressions",
     HARD("zone", SELECTOR("", IS("a", "In", "'x'") "," IS("a", "In", "'y'") "," IS("a", "NotIn", "'z'"))
                      KEYS("'a','b','a'")),
     ALL,
     AT(0) "[2]: Invalid value: \"a\": exists in both matchLabelKeys and labelSelector\n" AT(
         0) "[2]: Invalid value: \"a\": exists in both matchLabelKeys and labelSelector"},

    {"matchLabels", HARD("zone", SELECTOR("'a b':'c d','e':'f!'", "")), ALL,
     AT(0) ".labelSelector.matchLabels: Invalid value: \"a b\": name part " NAME_RULE
           "\n" AT(0) ".labelSelector.matchLabels: Invalid value: \"c d\": " VALUE_RULE
                      "\n" AT(0) ".labelSelector.matchLabels: Invalid value: \"f!\": " VALUE_RULE},
    {"In without values", HARD("zone", SELECTOR("", IS("a", "In", "") "," IS("a", "NotIn", ""))), ALL,
     AT(0) ".labelSelector.matchExpressions[0].values: Required value: must be specified when `operator` is "
           "'In' or 'NotIn'\n" AT(0) ".labelSelector.matchExpressions[1].values: Required value: must be "
                                     "specified when `operator` is 'In' or 'NotIn'"},
    {"Exists with values",
     HARD("zone", SELECTOR("", IS("a", "Exists", "'x'") "," IS("a", "DoesNotExist", "'x'"))), ALL,
     AT(0) ".labelSelector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is "
           "'Exists' or 'DoesNotExist'\n" AT(
               0) ".labelSelector.matchExpressions[1].values: Forbidden: may not be specified when "
                  "`operator` is 'Exists' or 'DoesNotExist'"},
    {"operator, key and values", HARD("zone", SELECTOR("", IS("", "Gt&", "'1','-'"))), ALL,
     AT(0) ".labelSelector.matchExpressions[0].operator: Invalid value: \"Gt\\u0026\": not a valid selector "
           "operator\n" AT(0) ".labelSelector.matchExpressions[0].key: Invalid value: \"\": name part must "
                              "be non-empty\n" AT(0) ".labelSelector.matchExpressions[0].key: Invalid value: "
                                                     "\"\": name part " NAME_RULE
                                                     "\n" AT(0) ".labelSelector.matchExpressions[0].values[1]"
                                                                ": Invalid value: \"-\": " VALUE_RULE},

    {"gate of the policies off",
     "{'nodeAffinityPolicy':'x','nodeTaintsPolicy':'y','maxSkew':0,'topologyKey':'zone','whenUnsatisfiable':'"
     "DoNotSchedule'}",
     NO_POLICY, AT(0) ".maxSkew: Invalid value: 0: must be greater than zero"},
    {"gate of matchLabelKeys off",
     HARD("zone", KEYS("'b c'")) "," SOFT("zone", SELECTOR("'a b':''", "") KEYS("'b c'")), NO_KEYS,
     AT(1) ".labelSelector.matchLabels: Invalid value: \"a b\": name part " NAME_RULE},
    {"gate of spreading off", "{}", NO_SPREAD, ""},
};

/* Faults, one a line. */
typedef struct fault_lines {
    ks_alloc alloc;
    ks_buf text;
    size_t count;
} fault_lines;

static void add_line(void *ctx, ks_str fault)
{
    fault_lines *lines = ctx;
    assert_int_equal(fault.data[fault.len], '\0');
    if (lines->count++)
        ks_buf_put_char(&lines->text, '\n');
    ks_buf_put_str(&lines->text, fault);
}

static void lines_init(fault_lines *lines)
{
    *lines = (fault_lines){0};
    ks_alloc_init(&lines->alloc, NULL);
    ks_buf_init(&lines->text, &lines->alloc);
}

static void check_lines(const char *name, fault_lines *lines, size_t count, const char *want)
{
    if (count != lines->count || !ks_str_eq(ks_buf_str(&lines->text), ks_str_of(want)))
        fail_msg("%s: %zu faults\n%s\nwant\n%s", name, count, ks_buf_str(&lines->text).data, want);
    ks_buf_free(&lines->text);
}

static ks_pod pod_of(ks_arena *arena, const char *constraints)
{
    ks_pod pod;
    char *json = ks_arena_get(arena, strlen(constraints) + 64);
    assert_non_null(json);
    sprintf(json, "{'spec':{'topologySpreadConstraints':[%s]}}", constraints);
    decoded_read(&pod, &ks_pod_schema, arena, json);
    return pod;
}

static void pods_are_held_to_the_api_servers_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pod_rows / sizeof *pod_rows; i++) {
        decoded_memory memory;
        decoded_memory_init(&memory, NULL);
        ks_pod pod = pod_of(&memory.arena, pod_rows[i].constraints);
        fault_lines lines;
        lines_init(&lines);
        size_t count;
        assert_int_equal(ks_pod_validate(&count, &pod, pod_rows[i].gates, NULL, add_line, &lines, NULL),
                         KS_OK);
        check_lines(pod_rows[i].name, &lines, count, pod_rows[i].faults);
        decoded_memory_free(&memory);
    }
}

/* ---- PodTopologySpreadArgs ---- */

typedef struct args_row {
    const char *name, *type, *constraints, *faults;
} args_row;

static const args_row args_rows[] = {
    {"nothing", NULL, "", ""},
    {"System", "System", "", ""},
    {"List of none", "List", "", ""},
    {"List", "List", HARD("zone", "") "," SOFT("zone", "") "," SOFT("topology.kubernetes.io/region", ""), ""},
    {"System with a list", "System", HARD("zone", ""),
     "args.defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty"},
    {"no type with a list", NULL, HARD("zone", ""),
     "args.defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty"},
    {"unknown type", "L<st", "",
     "args.defaultingType: Unsupported value: \"L\\u003cst\": supported values: \"System\", \"List\""},
    {"empty constraint", "List", "{}",
     "args.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf)\n"
     "args.defaultConstraints[0].topologyKey: Required value: can not be empty\n"
     "args.defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty"},
    {"a key must be a label key", "List", "{'maxSkew':-1,'topologyKey':'a b','whenUnsatisfiable':'No'}",
     "args.defaultConstraints[0].maxSkew: Invalid value: -1: not in valid range (0, inf)\n"
     "args.defaultConstraints[0].topologyKey: Invalid value: \"a b\": name part " NAME_RULE "\n"
     "args.defaultConstraints[0].whenUnsatisfiable: Unsupported value: \"No\": supported values: "
     "\"DoNotSchedule\", \"ScheduleAnyway\""},
    {"a selector, even an empty one", "List", HARD("zone", ",'labelSelector':{}"),
     "args.defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they "
     "deduced for each pod"},
    {"repeated", "List", HARD("zone", "") "," SOFT("zone", "") "," HARD("zone", "") "," HARD("zone", ""),
     "args.defaultConstraints[2]: Duplicate value: \"{zone, DoNotSchedule}\"\n"
     "args.defaultConstraints[3]: Duplicate value: \"{zone, DoNotSchedule}\""},
    {"other fields are not looked at", "List",
     SOFT("zone", ",'minDomains':0,'nodeTaintsPolicy':'x','matchLabelKeys':['a b']"), ""},
};

static ks_spread_args args_of(ks_arena *arena, const args_row *row)
{
    return (ks_spread_args){.defaulting_type = ks_str_of(row->type),
                            .default_constraints =
                                pod_of(arena, row->constraints).spec.topology_spread_constraints};
}

static void args_are_held_to_the_schedulers_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof args_rows / sizeof *args_rows; i++) {
        decoded_memory memory;
        decoded_memory_init(&memory, NULL);
        ks_spread_args args = args_of(&memory.arena, &args_rows[i]);
        fault_lines lines;
        lines_init(&lines);
        size_t count;
        assert_int_equal(ks_spread_args_validate(&count, &args, KS_STR("args"), NULL, add_line, &lines, NULL),
                         KS_OK);
        check_lines(args_rows[i].name, &lines, count, args_rows[i].faults);
        decoded_memory_free(&memory);
    }
}

static void path_may_be_absent(void **state)
{
    (void)state;
    ks_topology_spread_constraint constraint = {.max_skew = 1, .topology_key = KS_STR("zone")};
    ks_spread_args args = {.defaulting_type = KS_STR("x"), .default_constraints = {&constraint, 1}};
    fault_lines lines;
    lines_init(&lines);
    size_t count;
    assert_int_equal(ks_spread_args_validate(&count, &args, (ks_str){0}, NULL, add_line, &lines, NULL),
                     KS_OK);
    check_lines("no path", &lines, count,
                "defaultingType: Unsupported value: \"x\": supported values: \"System\", \"List\"\n"
                "defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty");
}

/* ---- limits ---- */

static void faults_are_counted_without_a_callback(void **state)
{
    (void)state;
    ks_topology_spread_constraint constraint = {0};
    ks_pod pod = {.spec.topology_spread_constraints = {&constraint, 1}};
    size_t count;
    assert_int_equal(ks_pod_validate(&count, &pod, ALL, NULL, NULL, NULL, NULL), KS_OK);
    assert_int_equal(count, 3);
}

/* Repeated constraints are found by hash: comparing each with each would take minutes. */
static void many_constraints_take_no_time(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    ks_topology_spread_constraint *items = calloc(MANY, sizeof *items);
    char(*keys)[16] = calloc(MANY, sizeof *keys);
    assert_non_null(items);
    assert_non_null(keys);
    for (int i = 0; i < MANY; i++) {
        sprintf(keys[i], "k%d", i / 2);
        items[i] = (ks_topology_spread_constraint){
            .max_skew = 1, .topology_key = ks_str_of(keys[i]), .when_unsatisfiable = KS_STR("DoNotSchedule")};
    }
    ks_pod pod = {.spec.topology_spread_constraints = {items, MANY}};
    size_t count;
    assert_int_equal(ks_pod_validate(&count, &pod, ALL, NULL, NULL, NULL, NULL), KS_OK);
    assert_int_equal(count, MANY / 2);
    free(keys);
    free(items);
}

static void ignore_fault(void *ctx, ks_str fault)
{
    (void)ctx;
    (void)fault;
}

/* Returns whether an allocation failed. */
static bool sweep_one(const ks_pod *pod, const ks_spread_args *args, size_t fail_at)
{
    failing_allocator failing = failing_allocator_make();
    failing.fail_at = fail_at;
    ks_allocator allocator = failing_allocator_get(&failing);
    size_t pod_count, args_count;
    ks_error err = {0};
    int code = ks_pod_validate(&pod_count, pod, ALL, &allocator, ignore_fault, NULL, &err);
    if (code == KS_OK)
        code =
            ks_spread_args_validate(&args_count, args, KS_STR("args"), &allocator, ignore_fault, NULL, &err);
    assert_int_equal(failing.bytes, 0);
    assert_int_equal(code, failing.failed ? KS_ENOMEM : KS_OK);
    assert_int_equal(err.code, code);
    return failing.failed;
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    ks_pod pod = pod_of(
        &memory.arena,
        "{'maxSkew':0,'minDomains':0,'labelSelector':{'matchLabels':{'a b':'c d'},'matchExpressions':[" IS(
            "a b", "No", "'-'") "]},'matchLabelKeys':['a b','a b']},{},{}");
    ks_spread_args args = {.defaulting_type = KS_STR("x"),
                           .default_constraints = pod.spec.topology_spread_constraints};
    size_t fail_at = 1;
    while (sweep_one(&pod, &args, fail_at))
        fail_at++;
    assert_true(fail_at > 5);
    decoded_memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_are_held_to_the_api_servers_rules),
        cmocka_unit_test(args_are_held_to_the_schedulers_rules),
        cmocka_unit_test(path_may_be_absent),
        cmocka_unit_test(faults_are_counted_without_a_callback),
        cmocka_unit_test(many_constraints_take_no_time),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
