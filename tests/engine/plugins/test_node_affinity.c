// SPDX-License-Identifier: Apache-2.0
#include "support/plugin_trial.h"
#include "support/unit.h"

#define PLUGIN "NodeAffinity"
#define REFUSED "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector"
#define ENFORCED "UnschedulableAndUnresolvable: node(s) didn't match scheduler-enforced node affinity"
#define NARROWED "UnschedulableAndUnresolvable: node(s) didn't satisfy plugin(s) [NodeAffinity]"

#define LABEL(key, op, values) "{'key':'" key "','operator':'" op "','values':[" values "]}"
#define LABELS(...) "{'matchExpressions':[" __VA_ARGS__ "]}"
#define NAMES(...) "{'matchFields':[" __VA_ARGS__ "]}"
#define NAMED(name) LABEL("metadata.name", "In", "'" name "'")
#define TERMS(terms) "'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[" terms "]}"
#define PREFERRED(terms) "'preferredDuringSchedulingIgnoredDuringExecution':[" terms "]"
#define WEIGHT(weight, term) "{'weight':" weight ",'preference':" term "}"
#define AFFINITY(parts) POD("p", "'affinity':{'nodeAffinity':{" parts "}}")
#define BROKEN LABELS(LABEL("disk", "Like", "'ssd'"))

static void begin(plugin_trial *t, const ks_profile *profile)
{
    plugin_trial_begin(t, PLUGIN, profile, NULL);
    plugin_trial_apply(t, KS_NODE, NODE("a", "'disk':'ssd','zone':'x'", "", ""));
    plugin_trial_apply(t, KS_NODE, NODE("b", "'disk':'hdd','zone':'x'", "", ""));
    plugin_trial_apply(t, KS_NODE, NODE("c", "'cores':'8'", "", ""));
}

typedef struct row {
    const char *name, *pod, *wanted;
} row;

static const row required_rows[] = {
    {"nothing asked", POD("p", ""), "a: fits; b: fits; c: fits"},
    {"an empty selector", POD("p", "'nodeSelector':{}"), "a: fits; b: fits; c: fits"},
    {"a selector", POD("p", "'nodeSelector':{'disk':'ssd'}"), "a: fits; b: " REFUSED "; c: " REFUSED},
    {"terms are alternatives",
     AFFINITY(TERMS(LABELS(LABEL("disk", "In", "'hdd'")) "," LABELS(LABEL("cores", "Gt", "'4'")))),
     "a: " REFUSED "; b: fits; c: fits"},
    {"expressions of a term are not",
     AFFINITY(TERMS(LABELS(LABEL("zone", "Exists", "") "," LABEL("disk", "NotIn", "'ssd'")))),
     "a: " REFUSED "; b: fits; c: " REFUSED},
    {"selector and affinity",
     POD("p", "'nodeSelector':{'zone':'x'},'affinity':{'nodeAffinity':{" TERMS(
                  LABELS(LABEL("disk", "In", "'ssd'"))) "}}"),
     "a: fits; b: " REFUSED "; c: " REFUSED},
    {"no terms", AFFINITY(TERMS("")), "a: " REFUSED "; b: " REFUSED "; c: " REFUSED},
    {"an empty term", AFFINITY(TERMS("{}")), "a: " REFUSED "; b: " REFUSED "; c: " REFUSED},
    {"a broken term beside a good one", AFFINITY(TERMS(BROKEN "," LABELS(LABEL("cores", "Exists", "")))),
     "a: " REFUSED "; b: " REFUSED "; c: fits"},
};

static const row named_rows[] = {
    {"one name", AFFINITY(TERMS(NAMES(NAMED("b")))), "a: " NARROWED "; b: fits; c: " NARROWED},
    {"two names", AFFINITY(TERMS(NAMES(NAMED("b")) "," NAMES(NAMED("c")))),
     "a: " NARROWED "; b: fits; c: fits"},
    {"nobody's name", AFFINITY(TERMS(NAMES(NAMED("d")))), "a: " NARROWED "; b: " NARROWED "; c: " NARROWED},
    {"a name and a label",
     AFFINITY(
         TERMS("{'matchFields':[" NAMED("b") "],'matchExpressions':[" LABEL("disk", "In", "'ssd'") "]}")),
     "a: " NARROWED "; b: " REFUSED "; c: " NARROWED},
    {"a name and a selector",
     POD("p", "'nodeSelector':{'disk':'ssd'},'affinity':{'nodeAffinity':{" TERMS(NAMES(NAMED("b"))) "}}"),
     "a: " NARROWED "; b: " REFUSED "; c: " NARROWED},
    {"a term without a name lets all nodes be looked at",
     AFFINITY(TERMS(NAMES(NAMED("b")) "," LABELS(LABEL("cores", "Exists", "")))),
     "a: " REFUSED "; b: fits; c: fits"},
    {"not a name", AFFINITY(TERMS(NAMES(LABEL("metadata.name", "NotIn", "'b'")))),
     "a: fits; b: " REFUSED "; c: fits"},
    {"two values are too many to match", AFFINITY(TERMS(NAMES(LABEL("metadata.name", "In", "'a','b'")))),
     "a: " REFUSED "; b: " REFUSED "; c: " NARROWED},
    {"two names at once", AFFINITY(TERMS(NAMES(NAMED("a") "," NAMED("b")))),
     "UnschedulableAndUnresolvable: pod affinity terms conflict"},
    {"two names at once, or a third", AFFINITY(TERMS(NAMES(NAMED("a") "," NAMED("b")) "," NAMES(NAMED("c")))),
     "a: " NARROWED "; b: " NARROWED "; c: fits"},
};

static const row preferred_rows[] = {
    {"an empty list scores, too", AFFINITY(PREFERRED("")), "a: 0; b: 0; c: 0"},
    {"nothing matches", AFFINITY(PREFERRED(WEIGHT("5", LABELS(LABEL("gpu", "Exists", ""))))),
     "a: 0; b: 0; c: 0"},
    {"weights add up",
     AFFINITY(PREFERRED(WEIGHT("2", LABELS(LABEL("zone", "Exists", ""))) "," WEIGHT(
         "1", LABELS(LABEL("disk", "In", "'ssd'"))) "," WEIGHT("100", "{}"))),
     "a: 100; b: 66; c: 0"},
    {"by name", AFFINITY(PREFERRED(WEIGHT("7", NAMES(NAMED("c"))))), "a: 0; b: 0; c: 100"},
    {"the most is counted over nodes that fit",
     POD("p", "'nodeSelector':{'zone':'x'},'affinity':{'nodeAffinity':{" PREFERRED(
                  WEIGHT("1", LABELS(LABEL("disk", "In", "'ssd'"))) "," WEIGHT(
                      "9", LABELS(LABEL("cores", "Exists", "")))) "}}"),
     "a: 100; b: 0; c: " REFUSED},
    {"a broken term", AFFINITY(PREFERRED(WEIGHT("1", BROKEN))),
     "Error: running PreScore plugin \"NodeAffinity\": [0].matchExpressions[0].operator: Unsupported value: "
     "\"Like\": supported values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\""},
    {"two faults",
     AFFINITY(PREFERRED(WEIGHT("1", LABELS(LABEL("zone", "Exists", ""))) "," WEIGHT(
         "1", NAMES(LABEL("metadata.name", "Exists", "") "," LABEL("metadata.name", "In", "'a','b'"))))),
     "Error: running PreScore plugin \"NodeAffinity\": [[1].matchFields[0].operator: Unsupported value: "
     "\"Exists\": supported values: \"In\", \"NotIn\", [1].matchFields[1].values: Invalid value: "
     "[\"a\",\"b\"]: must "
     "have one element]"},
    {"a broken term of no weight", AFFINITY(PREFERRED(WEIGHT("0", BROKEN))), "a: 0; b: 0; c: 0"},
};

static void check_rows(const row *rows, size_t count, const ks_profile *profile)
{
    plugin_trial t;
    begin(&t, profile);
    for (size_t i = 0; i < count; i++)
        plugin_trial_expect(rows[i].name, plugin_trial_run(&t, rows[i].pod), rows[i].wanted);
    plugin_trial_end(&t);
}

static void required(void **state)
{
    (void)state;
    check_rows(required_rows, sizeof required_rows / sizeof *required_rows, NULL);
}

static void required_by_name(void **state)
{
    (void)state;
    check_rows(named_rows, sizeof named_rows / sizeof *named_rows, NULL);
}

static void preferred(void **state)
{
    (void)state;
    check_rows(preferred_rows, sizeof preferred_rows / sizeof *preferred_rows, NULL);
}

static void added_by_the_profile(void **state)
{
    (void)state;
    static const row rows[] = {
        {"nothing of its own", POD("p", ""), "a: 0; b: 100; c: " ENFORCED},
        {"its own comes on top", POD("p", "'nodeSelector':{'disk':'ssd'}"),
         "a: 0; b: " REFUSED "; c: " ENFORCED},
        {"preferences add up", AFFINITY(PREFERRED(WEIGHT("1", LABELS(LABEL("disk", "In", "'ssd'"))))),
         "a: 33; b: 100; c: " ENFORCED},
    };
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    ks_node_affinity added;
    decoded_read(&added, &ks_node_affinity_schema, &memory.arena,
                 "{" TERMS(LABELS(LABEL("zone", "Exists", ""))) "," PREFERRED(
                     WEIGHT("3", LABELS(LABEL("disk", "In", "'hdd'")))) "}");
    ks_profile profile = {.node_affinity = {.added_affinity = &added}};
    check_rows(rows, sizeof rows / sizeof *rows, &profile);
    plugin_trial t;
    begin(&t, &profile);
    plugin_trial_expect("hint",
                        plugin_trial_hint(&t, POD("p", ""), KS_NODE, NULL, NODE("d", "'disk':'ssd'", "", "")),
                        "skip");
    plugin_trial_end(&t);
    decoded_memory_free(&memory);
}

static void labels_come_and_go(void **state)
{
    (void)state;
    static const char pod[] = AFFINITY(TERMS(LABELS(LABEL("zone", "Exists", ""))) "," PREFERRED(
        WEIGHT("1", LABELS(LABEL("disk", "In", "'ssd'")))));
    plugin_trial t;
    begin(&t, NULL);
    plugin_trial_expect("at first", plugin_trial_run(&t, pod), "a: 100; b: 0; c: " REFUSED);
    plugin_trial_expect("a pod less does not help", plugin_trial_what_if(&t, 2, NULL, POD("q", "")), REFUSED);
    plugin_trial_apply(&t, KS_NODE, NODE("c", "'disk':'ssd','zone':'y'", "", ""));
    plugin_trial_apply(&t, KS_NODE, NODE("a", "'disk':'ssd'", "", ""));
    plugin_trial_expect("then", plugin_trial_run(&t, pod), "a: " REFUSED "; b: 0; c: 100");
    plugin_trial_end(&t);
}

static void hints(void **state)
{
    (void)state;
    static const char fast[] = NODE("d", "'disk':'ssd'", "", ""), slow[] = NODE("d", "'disk':'hdd'", "", "");
    static const struct {
        const char *name, *before, *after, *wanted;
    } events[] = {
        {"a node that matches comes", NULL, fast, "queue"},
        {"a node that does not", NULL, slow, "skip"},
        {"it matches now", slow, fast, "queue"},
        {"it matched before", fast, fast, "skip"},
        {"it matches no more", fast, slow, "skip"},
        {"it goes", fast, NULL, "skip"},
    };
    plugin_trial t;
    begin(&t, NULL);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        plugin_trial_expect(events[i].name,
                            plugin_trial_hint(&t, POD("p", "'nodeSelector':{'disk':'ssd'}"), KS_NODE,
                                              events[i].before, events[i].after),
                            events[i].wanted);
    plugin_trial_expect("a pod", plugin_trial_hint(&t, POD("p", ""), KS_POD, NULL, POD("q", "")), "skip");
    plugin_trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(required),           cmocka_unit_test(required_by_name),
        cmocka_unit_test(preferred),          cmocka_unit_test(added_by_the_profile),
        cmocka_unit_test(labels_come_and_go), cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
