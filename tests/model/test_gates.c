// SPDX-License-Identifier: Apache-2.0
#include "support/unit.h"
#include <kubespread/config.h>
#include <string.h>

enum {
    SPREAD = KS_GATE_POD_TOPOLOGY_SPREAD,
    POLICY = KS_GATE_NODE_INCLUSION_POLICY,
    KEYS = KS_GATE_MATCH_LABEL_KEYS,
    ALL = SPREAD | POLICY | KEYS,
};

#define KNOWN                                                                                                \
    "unknown, must be one of PodTopologySpread (or its first name EvenPodsSpread), "                         \
    "NodeInclusionPolicyInPodTopologySpread, MatchLabelKeysInPodTopologySpread"

typedef struct gates_row {
    const char *name, *text;
    ks_gates before, after;
    const char *fault; /* NULL: none */
} gates_row;

static const gates_row rows[] = {
    {"nothing", "", ALL, ALL, NULL},
    {"one off", "PodTopologySpread=false", ALL, POLICY | KEYS, NULL},
    {"its first name", "EvenPodsSpread=false", ALL, POLICY | KEYS, NULL},
    {"one on", "MatchLabelKeysInPodTopologySpread=true", 0, KEYS, NULL},
    {"all three",
     "PodTopologySpread=true,NodeInclusionPolicyInPodTopologySpread=false,MatchLabelKeysInPodTopologySpread="
     "true",
     POLICY, SPREAD | KEYS, NULL},
    {"the last one counts", "EvenPodsSpread=false,PodTopologySpread=true", 0, SPREAD, NULL},
    {"blanks and empty parts", " PodTopologySpread = false ,, EvenPodsSpread=\ttrue\n,", 0, SPREAD, NULL},
    {"other spellings, on",
     "PodTopologySpread=1,NodeInclusionPolicyInPodTopologySpread=T,MatchLabelKeysInPodTopologySpread=TRUE", 0,
     ALL, NULL},
    {"other spellings, off",
     "PodTopologySpread=0,NodeInclusionPolicyInPodTopologySpread=f,MatchLabelKeysInPodTopologySpread=False",
     ALL, 0, NULL},
    {"unknown", "PodTopologySpreads=true", ALL, ALL, "feature gate \"PodTopologySpreads\": " KNOWN},
    {"groups of gates", "AllAlpha=true", ALL, ALL, "feature gate \"AllAlpha\": " KNOWN},
    {"case counts", "podTopologySpread=true", ALL, ALL, "feature gate \"podTopologySpread\": " KNOWN},
    {"no name", "=true", ALL, ALL, "feature gate \"\": " KNOWN},
    {"only a blank", " ", ALL, ALL, "feature gate \"\": " KNOWN},
    {"no value", "PodTopologySpread", ALL, ALL,
     "feature gate \"PodTopologySpread\": must be followed by =true or =false"},
    {"empty value", "PodTopologySpread=", ALL, ALL,
     "feature gate \"PodTopologySpread\": \"\": must be true or false"},
    {"not a boolean", "EvenPodsSpread=yes", ALL, ALL,
     "feature gate \"EvenPodsSpread\": \"yes\": must be true or false"},
    {"two equals signs", "EvenPodsSpread=true=false", ALL, ALL,
     "feature gate \"EvenPodsSpread\": \"true=false\": must be true or false"},
    {"a fault leaves all as it was", "PodTopologySpread=false,X=true", ALL, ALL,
     "feature gate \"X\": " KNOWN},
};

static void gates_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const gates_row *row = &rows[i];
        ks_gates gates = row->before;
        ks_error err = {0};
        int code = ks_gates_parse(&gates, (ks_str){row->text, strlen(row->text)}, &err);
        if (code != (row->fault ? KS_EINVAL : KS_OK) || gates != row->after)
            fail_msg("%s: code %d, gates %u, want %u: %s", row->name, code, gates, row->after, err.message);
        if (strcmp(err.message, row->fault ? row->fault : "") != 0)
            fail_msg("%s: \"%s\", want \"%s\"", row->name, err.message, row->fault);
    }
}

static void error_may_be_null(void **state)
{
    (void)state;
    ks_gates gates = KS_GATES_DEFAULT;
    assert_int_equal(ks_gates_parse(&gates, (ks_str){0}, NULL), KS_OK);
    assert_int_equal(ks_gates_parse(&gates, KS_STR("x"), NULL), KS_EINVAL);
    assert_int_equal(gates, ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gates_are_read),
        cmocka_unit_test(error_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
