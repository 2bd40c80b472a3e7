// SPDX-License-Identifier: Apache-2.0
#include "support/plugin_trial.h"
#include "support/unit.h"

#define PLUGIN "TaintToleration"
#define REFUSED "UnschedulableAndUnresolvable: node(s) had untolerated taint(s)"
#define TAINT(key, value, effect) "{'key':'" key "','value':'" value "','effect':'" effect "'}"
#define TAINTED(name, taints) NODE(name, "", "'taints':[" taints "]", "")
#define TOLERATES(tolerations) POD("p", "'tolerations':[" tolerations "]")

/* Taints of the nodes a, b, c; a toleration; the whole result. */
static const struct {
    const char *name, *nodes[3], *pod, *wanted;
} rows[] = {
    {"no taints", {TAINTED("a", ""), TAINTED("b", ""), NULL}, POD("p", ""), "a: 100; b: 100"},
    {"each effect",
     {TAINTED("a", TAINT("k", "v", "NoSchedule")), TAINTED("b", TAINT("k", "v", "NoExecute")),
      TAINTED("c", TAINT("k", "v", "PreferNoSchedule"))},
     POD("p", ""),
     "a: " REFUSED "; b: " REFUSED "; c: 0"},
    {"tolerated by value",
     {TAINTED("a", TAINT("k", "v", "NoSchedule")), TAINTED("b", TAINT("k", "w", "NoSchedule")), NULL},
     TOLERATES("{'key':'k','value':'v','effect':'NoSchedule'}"),
     "a: 100; b: " REFUSED},
    {"the second taint is not tolerated",
     {TAINTED("a", TAINT("k", "v", "NoSchedule") "," TAINT("l", "", "NoExecute")), NULL, NULL},
     TOLERATES("{'key':'k','operator':'Exists'}"),
     "a: " REFUSED},
    {"everything is tolerated",
     {TAINTED("a", TAINT("k", "v", "NoSchedule") "," TAINT("l", "", "PreferNoSchedule")), NULL, NULL},
     TOLERATES("{'operator':'Exists'}"),
     "a: 100"},
    {"the fewer, the better",
     {TAINTED("a", ""), TAINTED("b", TAINT("k", "", "PreferNoSchedule")),
      TAINTED("c", TAINT("k", "", "PreferNoSchedule") "," TAINT("l", "", "PreferNoSchedule") "," TAINT(
                       "m", "", "PreferNoSchedule"))},
     POD("p", ""),
     "a: 100; b: 67; c: 0"},
    {"tolerations of other effects do not help",
     {TAINTED("a", TAINT("k", "", "PreferNoSchedule")), TAINTED("b", ""), NULL},
     TOLERATES("{'key':'k','operator':'Exists','effect':'NoSchedule'}"),
     "a: 0; b: 100"},
    {"tolerations without an effect do",
     {TAINTED("a", TAINT("k", "", "PreferNoSchedule")), TAINTED("b", ""), NULL},
     TOLERATES("{'key':'k','operator':'Exists'}"),
     "a: 100; b: 100"},
    {"the most is counted over nodes that fit",
     {TAINTED("a", TAINT("k", "", "PreferNoSchedule")), TAINTED("b", ""),
      TAINTED("c", TAINT("x", "", "NoSchedule") "," TAINT("k", "", "PreferNoSchedule") "," TAINT(
                       "l", "", "PreferNoSchedule"))},
     POD("p", ""),
     "a: 0; b: 100; c: " REFUSED},
};

static void verdicts_and_scores(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        plugin_trial t;
        plugin_trial_begin(&t, PLUGIN, NULL, NULL);
        for (size_t n = 0; n < 3 && rows[i].nodes[n]; n++)
            plugin_trial_apply(&t, KS_NODE, rows[i].nodes[n]);
        plugin_trial_expect(rows[i].name, plugin_trial_run(&t, rows[i].pod), rows[i].wanted);
        plugin_trial_end(&t);
    }
}

static void taints_come_and_go(void **state)
{
    (void)state;
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    plugin_trial_apply(&t, KS_NODE, TAINTED("a", ""));
    plugin_trial_apply(&t, KS_NODE, TAINTED("b", ""));
    plugin_trial_expect("none", plugin_trial_run(&t, POD("p", "")), "a: 100; b: 100");
    plugin_trial_apply(&t, KS_NODE, TAINTED("a", TAINT("k", "", "PreferNoSchedule")));
    plugin_trial_expect("one", plugin_trial_run(&t, POD("p", "")), "a: 0; b: 100");
    plugin_trial_apply(&t, KS_NODE, TAINTED("b", TAINT("k", "", "NoSchedule")));
    plugin_trial_expect("two", plugin_trial_run(&t, POD("p", "")), "a: 0; b: " REFUSED);
    plugin_trial_expect("a pod less does not help", plugin_trial_what_if(&t, 1, NULL, POD("q", "")), REFUSED);
    plugin_trial_apply(&t, KS_NODE, TAINTED("a", ""));
    plugin_trial_apply(&t, KS_NODE, TAINTED("b", ""));
    plugin_trial_expect("none again", plugin_trial_run(&t, POD("p", "")), "a: 100; b: 100");
    plugin_trial_end(&t);
}

static void hints(void **state)
{
    (void)state;
    static const char tainted[] = TAINTED("a", TAINT("k", "v", "NoSchedule"));
    static const char other[] = TAINTED("a", TAINT("l", "v", "NoSchedule"));
    static const char tolerant[] = TOLERATES("{'key':'k','operator':'Exists'}");
    static const struct {
        const char *name;
        ks_kind kind;
        const char *before, *after, *wanted;
    } events[] = {
        {"a node without taints comes", KS_NODE, NULL, TAINTED("a", ""), "queue"},
        {"a node with a tolerated taint comes", KS_NODE, NULL, tainted, "queue"},
        {"a node with another comes", KS_NODE, NULL, other, "skip"},
        {"the taint goes", KS_NODE, other, TAINTED("a", ""), "queue"},
        {"the taint becomes a tolerated one", KS_NODE, other, tainted, "queue"},
        {"the taint becomes another", KS_NODE, tainted, other, "skip"},
        {"nothing changes", KS_NODE, tainted, tainted, "skip"},
        {"the node goes", KS_NODE, tainted, NULL, "skip"},
        {"the pod gets a toleration", KS_POD, POD("p", ""), tolerant, "queue"},
        {"the pod gets a label", KS_POD, tolerant, tolerant, "skip"},
        {"another pod gets one", KS_POD, POD("q", ""), POD("q", "'tolerations':[{'operator':'Exists'}]"),
         "skip"},
    };
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        plugin_trial_expect(
            events[i].name,
            plugin_trial_hint(&t, tolerant, events[i].kind, events[i].before, events[i].after),
            events[i].wanted);
    plugin_trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_and_scores),
        cmocka_unit_test(taints_come_and_go),
        cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
