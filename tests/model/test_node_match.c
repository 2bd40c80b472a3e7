// SPDX-License-Identifier: Apache-2.0
#include "model/schema.h"
#include "model/selector.h"
#include "support/decoded.h"
#include "support/unit.h"

typedef struct match_row {
    const char *name;
    const char *spec; /* of the pod */
    bool matches;     /* node "n1" with the labels below */
} match_row;

#define NODE_LABELS                                                                                          \
    "{'zone':'a','size':'12','empty':'','rack':'r1','below':'-3','huge':"                                    \
    "'9223372036854775808'}"
#define AFFINITY(terms)                                                                                      \
    "{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{"                        \
    "'nodeSelectorTerms':[" terms "]}}}}"
#define LABELS(expressions) AFFINITY("{'matchExpressions':[" expressions "]}")
#define FIELDS(expressions) AFFINITY("{'matchFields':[" expressions "]}")
#define IS(key, op, values) "{'key':'" key "','operator':'" op "','values':[" values "]}"
#define HAS(key, op) "{'key':'" key "','operator':'" op "'}"

static const match_row rows[] = {
    {"nothing asked", "{}", true},
    {"affinity without node affinity", "{'affinity':{}}", true},
    {"only preferences", "{'affinity':{'nodeAffinity':{}}}", true},
    {"nodeSelector", "{'nodeSelector':{'zone':'a','empty':''}}", true},
    {"nodeSelector, one of two", "{'nodeSelector':{'zone':'a','rack':'r2'}}", false},
    {"nodeSelector, empty value and no label", "{'nodeSelector':{'none':''}}", false},
    {"nodeSelector is not validated", "{'nodeSelector':{'zone':'not valid!'}}", false},
    {"empty nodeSelector", "{'nodeSelector':{}}", true},

    {"no terms", AFFINITY(""), false},
    {"an empty term", AFFINITY("{}"), false},
    {"an empty term beside one that matches", AFFINITY("{},{'matchExpressions':[" HAS("zone", "Exists") "]}"),
     true},
    {"In", LABELS(IS("zone", "In", "'b','a'")), true},
    {"In, another value", LABELS(IS("zone", "In", "'b'")), false},
    {"In, no label", LABELS(IS("none", "In", "'a'")), false},
    {"In with the empty value", LABELS(IS("empty", "In", "''")), true},
    {"In without values", LABELS(IS("zone", "In", "")), false},
    {"NotIn", LABELS(IS("zone", "NotIn", "'b'")), true},
    {"NotIn, its value", LABELS(IS("zone", "NotIn", "'a'")), false},
    {"NotIn, no label", LABELS(IS("none", "NotIn", "'a'")), true},
    {"NotIn without values does not parse", LABELS(IS("zone", "NotIn", "")), false},
    {"Exists", LABELS(HAS("empty", "Exists")), true},
    {"Exists, no label", LABELS(HAS("none", "Exists")), false},
    {"Exists with values does not parse", LABELS(IS("zone", "Exists", "'a'")), false},
    {"DoesNotExist", LABELS(HAS("none", "DoesNotExist")), true},
    {"DoesNotExist, but there", LABELS(HAS("zone", "DoesNotExist")), false},
    {"DoesNotExist with values does not parse", LABELS(IS("none", "DoesNotExist", "'a'")), false},
    {"Gt", LABELS(IS("size", "Gt", "'11'")), true},
    {"Gt, equal", LABELS(IS("size", "Gt", "'12'")), false},
    {"Gt compares numbers, not text", LABELS(IS("size", "Gt", "'9'")), true},
    {"Gt, leading zeros", LABELS(IS("size", "Gt", "'0011'")), true},
    {"Gt, label is no number", LABELS(IS("zone", "Gt", "'1'")), false},
    {"Gt, label too large", LABELS(IS("huge", "Gt", "'1'")), false},
    {"Gt, no label", LABELS(IS("none", "Gt", "'1'")), false},
    {"Gt, two values", LABELS(IS("size", "Gt", "'1','2'")), false},
    {"Gt, no value", LABELS(IS("size", "Gt", "")), false},
    {"Gt, a sign is no label value", LABELS(IS("size", "Gt", "'-5'")), false},
    {"Gt, bound too large", LABELS(IS("size", "Gt", "'9223372036854775808'")), false},
    {"Lt", LABELS(IS("size", "Lt", "'9223372036854775807'")), true},
    {"Lt, equal", LABELS(IS("size", "Lt", "'12'")), false},
    {"Lt, label below zero", LABELS(IS("below", "Lt", "'0'")), true},
    {"Lt, bound is no number", LABELS(IS("size", "Lt", "'x'")), false},
    {"unknown operator", LABELS(IS("zone", "in", "'a'")), false},
    {"two that hold", LABELS(IS("zone", "In", "'a'") "," HAS("rack", "Exists")), true},
    {"one of two holds", LABELS(IS("zone", "In", "'a'") "," HAS("none", "Exists")), false},
    {"key that is no label key", LABELS(HAS("a b", "DoesNotExist")), false},
    {"value that is no label value", LABELS(IS("zone", "NotIn", "'a b'")), false},
    {"one that does not parse spoils its term", LABELS(IS("zone", "In", "'a'") "," IS("zone", "NotIn", "")),
     false},
    {"but not the other terms",
     AFFINITY("{'matchExpressions':[" IS("zone", "NotIn", "") "]},{'matchExpressions':[" IS("zone", "In",
                                                                                            "'a'") "]}"),
     true},

    {"field In", FIELDS(IS("metadata.name", "In", "'n1'")), true},
    {"field In, another node", FIELDS(IS("metadata.name", "In", "'n2'")), false},
    {"field NotIn", FIELDS(IS("metadata.name", "NotIn", "'n2'")), true},
    {"field NotIn, this node", FIELDS(IS("metadata.name", "NotIn", "'n1'")), false},
    {"field with two values does not parse", FIELDS(IS("metadata.name", "In", "'n1','n2'")), false},
    {"field with no value does not parse", FIELDS(IS("metadata.name", "NotIn", "")), false},
    {"field Exists does not parse", FIELDS(HAS("metadata.name", "Exists")), false},
    {"another field reads as empty", FIELDS(IS("metadata.uid", "In", "''")), true},
    {"another field is not something", FIELDS(IS("metadata.uid", "NotIn", "'x'")), true},
    {"another field is something", FIELDS(IS("metadata.uid", "In", "'x'")), false},
    {"labels and fields",
     AFFINITY("{'matchExpressions':[" IS("zone", "In", "'a'") "],'matchFields':[" IS("metadata.name", "In",
                                                                                     "'n1'") "]}"),
     true},
    {"labels but not fields",
     AFFINITY("{'matchExpressions':[" IS("zone", "In", "'a'") "],'matchFields':[" IS("metadata.name", "In",
                                                                                     "'n2'") "]}"),
     false},
    {"nodeSelector and affinity must both hold",
     "{'nodeSelector':{'zone':'b'},'affinity':{'nodeAffinity':{"
     "'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchExpressions':[" HAS(
         "zone", "Exists") "]}]}}}}",
     false},
};

static void required_affinity_matches_as_in_the_scheduler(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    ks_labels labels = decoded_labels(&memory.arena, NODE_LABELS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ks_pod_spec spec;
        decoded_read(&spec, &ks_pod_spec_schema, &memory.arena, rows[i].spec);
        ks_required_affinity affinity = ks_required_affinity_of(&spec);
        if (ks_required_affinity_matches(&affinity, KS_STR("n1"), &labels) != rows[i].matches)
            fail_msg("%s: want %d", rows[i].name, rows[i].matches);
    }
    decoded_memory_free(&memory);
}

/* A node without a name has no fields: what is asked of them must parse and is then not looked at. */
static void fields_of_a_nameless_node_are_not_looked_at(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    ks_pod_spec asks, broken;
    decoded_read(&asks, &ks_pod_spec_schema, &memory.arena, FIELDS(IS("metadata.name", "In", "'n1'")));
    decoded_read(&broken, &ks_pod_spec_schema, &memory.arena, FIELDS(HAS("metadata.name", "Exists")));
    ks_required_affinity affinity = ks_required_affinity_of(&asks);
    assert_true(ks_required_affinity_matches(&affinity, KS_STR(""), &(ks_labels){0}));
    affinity = ks_required_affinity_of(&broken);
    assert_false(ks_required_affinity_matches(&affinity, KS_STR(""), &(ks_labels){0}));
    decoded_memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(required_affinity_matches_as_in_the_scheduler),
        cmocka_unit_test(fields_of_a_nameless_node_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
