// SPDX-License-Identifier: Apache-2.0
#include "support/plugin_trial.h"
#include "support/unit.h"

#define PLUGIN "NodePorts"
#define REFUSED "Unschedulable: node(s) didn't have free ports for the requested pod ports"
#define PORT(port, rest) "{'containerPort':1,'hostPort':" port rest "}"
#define WANTS(ports) "'containers':[{'name':'c','ports':[" ports "]}]"
#define BOUND(name, ports) POD(name, "'nodeName':'a'," WANTS(ports))

/* The ports of a pod on node a, and of the pod to come. */
static const struct {
    const char *name, *held, *wanted, *result;
} rows[] = {
    {"no ports", BOUND("q", ""), POD("p", ""), "a: fits; b: fits"},
    {"a container port is no host port", BOUND("q", PORT("0", "")), POD("p", WANTS(PORT("0", ""))),
     "a: fits; b: fits"},
    {"another port", BOUND("q", PORT("80", "")), POD("p", WANTS(PORT("81", ""))), "a: fits; b: fits"},
    {"the same port", BOUND("q", PORT("80", "")), POD("p", WANTS(PORT("80", ""))), "a: " REFUSED "; b: fits"},
    {"one of several", BOUND("q", PORT("80", "") "," PORT("81", "")),
     POD("p", WANTS(PORT("90", "") "," PORT("81", ""))), "a: " REFUSED "; b: fits"},
    {"another protocol", BOUND("q", PORT("80", "")), POD("p", WANTS(PORT("80", ",'protocol':'UDP'"))),
     "a: fits; b: fits"},
    {"TCP is meant where nothing is said", BOUND("q", PORT("80", ",'protocol':'TCP'")),
     POD("p", WANTS(PORT("80", ""))), "a: " REFUSED "; b: fits"},
    {"another address", BOUND("q", PORT("80", ",'hostIP':'10.0.0.1'")),
     POD("p", WANTS(PORT("80", ",'hostIP':'10.0.0.2'"))), "a: fits; b: fits"},
    {"the same address", BOUND("q", PORT("80", ",'hostIP':'10.0.0.1'")),
     POD("p", WANTS(PORT("80", ",'hostIP':'10.0.0.1'"))), "a: " REFUSED "; b: fits"},
    {"all addresses are held", BOUND("q", PORT("80", ",'hostIP':'0.0.0.0'")),
     POD("p", WANTS(PORT("80", ",'hostIP':'10.0.0.1'"))), "a: " REFUSED "; b: fits"},
    {"all addresses are wanted", BOUND("q", PORT("80", ",'hostIP':'10.0.0.1'")),
     POD("p", WANTS(PORT("80", ""))), "a: " REFUSED "; b: fits"},
    {"an init container's port is free again",
     POD("q", "'nodeName':'a','initContainers':[{'name':'i','ports':[" PORT("80", "") "]}]"),
     POD("p", WANTS(PORT("80", ""))), "a: fits; b: fits"},
    {"a sidecar's port is held",
     POD("q", "'nodeName':'a','initContainers':[{'name':'i','restartPolicy':'Always','ports':[" PORT(
                  "80", "") "]}]"),
     POD("p", WANTS(PORT("80", ""))), "a: " REFUSED "; b: fits"},
    {"a pod that is over holds nothing",
     "{'metadata':{'name':'q'},'spec':{'nodeName':'a'," WANTS(
         PORT("80", "")) "},'status':{'phase':'Failed'}}",
     POD("p", WANTS(PORT("80", ""))), "a: fits; b: fits"},
    {"a pod that is terminating does",
     "{'metadata':{'name':'q','deletionTimestamp':'2026-01-01T00:00:00Z'},'spec':{'nodeName':'a'," WANTS(
         PORT("80", "")) "}}",
     POD("p", WANTS(PORT("80", ""))), "a: " REFUSED "; b: fits"},
};

static void begin(plugin_trial *t)
{
    plugin_trial_begin(t, PLUGIN, NULL, NULL);
    plugin_trial_apply(t, KS_NODE, NODE("a", "", "", ""));
    plugin_trial_apply(t, KS_NODE, NODE("b", "", "", ""));
}

static void held_ports_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        plugin_trial t;
        begin(&t);
        plugin_trial_apply(&t, KS_POD, rows[i].held);
        plugin_trial_expect(rows[i].name, plugin_trial_run(&t, rows[i].wanted), rows[i].result);
        plugin_trial_end(&t);
    }
}

static void take_off(plugin_trial *t, ks_str name)
{
    assert_int_equal(ks_cluster_delete(t->cluster, KS_POD, KS_STR(""), name, NULL), KS_OK);
}

static void ports_are_held_as_long_as_somebody_does(void **state)
{
    (void)state;
    static const char pod[] = POD("p", WANTS(PORT("80", "")));
    plugin_trial t;
    begin(&t);
    plugin_trial_apply(&t, KS_POD, BOUND("q", PORT("80", "")));
    plugin_trial_apply(&t, KS_POD, BOUND("r", PORT("80", "") "," PORT("81", "")));
    take_off(&t, KS_STR("q"));
    plugin_trial_expect("the other one is left", plugin_trial_run(&t, pod), "a: " REFUSED "; b: fits");
    take_off(&t, KS_STR("r"));
    plugin_trial_expect("none is left", plugin_trial_run(&t, pod), "a: fits; b: fits");
    plugin_trial_end(&t);
}

static void what_if(void **state)
{
    (void)state;
    static const char holder[] = BOUND("q", PORT("80", ""));
    static const char pod[] = POD("p", WANTS(PORT("80", "")));
    plugin_trial t;
    begin(&t);
    plugin_trial_apply(&t, KS_POD, holder);
    plugin_trial_run(&t, pod);
    plugin_trial_expect("nothing", plugin_trial_what_if(&t, 0, NULL, NULL), REFUSED);
    plugin_trial_expect("the holder goes", plugin_trial_what_if(&t, 0, NULL, holder), "fits");
    plugin_trial_expect("another goes", plugin_trial_what_if(&t, 0, NULL, BOUND("r", PORT("81", ""))),
                        REFUSED);
    plugin_trial_expect("one comes", plugin_trial_what_if(&t, 1, holder, NULL), REFUSED);
    plugin_trial_expect("one comes instead", plugin_trial_what_if(&t, 0, holder, holder), REFUSED);
    plugin_trial_expect("another comes", plugin_trial_what_if(&t, 1, BOUND("r", PORT("81", "")), NULL),
                        "fits");
    plugin_trial_end(&t);
}

static void hints(void **state)
{
    (void)state;
    static const char holder[] = BOUND("q", PORT("80", ""));
    static const struct {
        const char *name;
        ks_kind kind;
        const char *before, *after, *wanted;
    } events[] = {
        {"a node comes", KS_NODE, NULL, NODE("c", "", "", ""), "queue"},
        {"a node changes", KS_NODE, NODE("c", "", "", ""), NODE("c", "'x':'y'", "", ""), "skip"},
        {"a node goes", KS_NODE, NODE("c", "", "", ""), NULL, "skip"},
        {"the holder goes", KS_POD, holder, NULL, "queue"},
        {"the holder is over", KS_POD, holder,
         "{'metadata':{'name':'q'},'spec':{'nodeName':'a'},'status':{'phase':'Succeeded'}}", "queue"},
        {"the holder changes", KS_POD, holder, holder, "skip"},
        {"a holder comes", KS_POD, NULL, holder, "skip"},
        {"one that holds another port goes", KS_POD, BOUND("q", PORT("81", "")), NULL, "skip"},
        {"one that holds none goes", KS_POD, BOUND("q", ""), NULL, "skip"},
        {"one that is not bound goes", KS_POD, POD("q", WANTS(PORT("80", ""))), NULL, "skip"},
        {"one that is nominated goes", KS_POD,
         "{'metadata':{'name':'q'},'spec':{" WANTS(PORT("80", "")) "},'status':{'nominatedNodeName':'a'}}",
         NULL, "queue"},
    };
    plugin_trial t;
    begin(&t);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        plugin_trial_expect(events[i].name,
                            plugin_trial_hint(&t, POD("p", WANTS(PORT("80", ""))), events[i].kind,
                                              events[i].before, events[i].after),
                            events[i].wanted);
    plugin_trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_ports_are_refused),
        cmocka_unit_test(ports_are_held_as_long_as_somebody_does),
        cmocka_unit_test(what_if),
        cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
