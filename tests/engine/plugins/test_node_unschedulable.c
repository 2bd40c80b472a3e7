// SPDX-License-Identifier: Apache-2.0
#include "support/plugin_trial.h"
#include "support/unit.h"

#define PLUGIN "NodeUnschedulable"
#define OPEN NODE("a", "", "", "")
#define CORDONED NODE("a", "", "'unschedulable':true", "")
#define TOLERANT "'tolerations':[{'key':'node.kubernetes.io/unschedulable','operator':'Exists'}]"
#define REFUSED "UnschedulableAndUnresolvable: node(s) were unschedulable"

static void cordoned_nodes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *pod, *wanted;
    } rows[] = {
        {"no tolerations", POD("p", ""), "a: " REFUSED "; b: fits"},
        {"tolerates the cordon", POD("p", TOLERANT), "a: fits; b: fits"},
        {"tolerates everything", POD("p", "'tolerations':[{'operator':'Exists'}]"), "a: fits; b: fits"},
        {"by another effect",
         POD("p", "'tolerations':[{'key':'node.kubernetes.io/unschedulable','operator':'Exists',"
                  "'effect':'NoExecute'}]"),
         "a: " REFUSED "; b: fits"},
        {"another taint", POD("p", "'tolerations':[{'key':'spot','operator':'Exists'}]"),
         "a: " REFUSED "; b: fits"},
    };
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    plugin_trial_apply(&t, KS_NODE, CORDONED);
    plugin_trial_apply(&t, KS_NODE, NODE("b", "", "", ""));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        plugin_trial_expect(rows[i].name, plugin_trial_run(&t, rows[i].pod), rows[i].wanted);
    plugin_trial_end(&t);
}

static void cordons_come_and_go(void **state)
{
    (void)state;
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    plugin_trial_apply(&t, KS_NODE, OPEN);
    plugin_trial_expect("open", plugin_trial_run(&t, POD("p", "")), "a: fits");
    plugin_trial_apply(&t, KS_NODE, CORDONED);
    plugin_trial_expect("cordoned", plugin_trial_run(&t, POD("p", "")), "a: " REFUSED);
    plugin_trial_expect("a pod less does not help", plugin_trial_what_if(&t, 0, NULL, POD("q", "")), REFUSED);
    plugin_trial_apply(&t, KS_NODE, OPEN);
    plugin_trial_expect("open again", plugin_trial_run(&t, POD("p", "")), "a: fits");
    plugin_trial_apply(&t, KS_NODE, CORDONED);
    assert_int_equal(ks_cluster_delete(t.cluster, KS_NODE, KS_STR(""), KS_STR("a"), NULL), KS_OK);
    plugin_trial_apply(&t, KS_NODE, NODE("z", "", "", ""));
    plugin_trial_expect("gone", plugin_trial_run(&t, POD("p", "")), "z: fits");
    plugin_trial_end(&t);
}

static void hints(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ks_kind kind;
        const char *before, *after, *wanted;
    } rows[] = {
        {"an open node comes", KS_NODE, NULL, OPEN, "queue"},
        {"a cordoned node comes", KS_NODE, NULL, CORDONED, "skip"},
        {"uncordoned", KS_NODE, CORDONED, OPEN, "queue"},
        {"cordoned", KS_NODE, OPEN, CORDONED, "skip"},
        {"stays open", KS_NODE, OPEN, OPEN, "skip"},
        {"goes", KS_NODE, OPEN, NULL, "skip"},
        {"the pod tolerates it now", KS_POD, POD("p", ""), POD("p", TOLERANT), "queue"},
        {"the pod tolerates something else now", KS_POD, POD("p", ""),
         POD("p", "'tolerations':[{'key':'spot','operator':'Exists'}]"), "skip"},
        {"another pod tolerates it now", KS_POD, POD("q", ""), POD("q", TOLERANT), "skip"},
    };
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        plugin_trial_expect(rows[i].name,
                            plugin_trial_hint(&t, POD("p", ""), rows[i].kind, rows[i].before, rows[i].after),
                            rows[i].wanted);
    plugin_trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cordoned_nodes_are_refused),
        cmocka_unit_test(cordons_come_and_go),
        cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
