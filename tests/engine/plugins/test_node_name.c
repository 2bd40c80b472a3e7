// SPDX-License-Identifier: Apache-2.0
#include "support/plugin_trial.h"
#include "support/unit.h"

#define PLUGIN "NodeName"
#define REFUSED "UnschedulableAndUnresolvable: node(s) didn't match the requested node name"

static void only_the_named_node_fits(void **state)
{
    (void)state;
    static const struct {
        const char *name, *pod, *wanted;
    } rows[] = {
        {"no name", POD("p", ""), "a: fits; b: fits"},
        {"a name", POD("p", "'nodeName':'b'"), "a: " REFUSED "; b: fits"},
        {"nobody's name", POD("p", "'nodeName':'c'"), "a: " REFUSED "; b: " REFUSED},
    };
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    plugin_trial_apply(&t, KS_NODE, NODE("a", "", "", ""));
    plugin_trial_apply(&t, KS_NODE, NODE("b", "", "", ""));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        plugin_trial_expect(rows[i].name, plugin_trial_run(&t, rows[i].pod), rows[i].wanted);
    plugin_trial_expect("what if", plugin_trial_what_if(&t, 0, NULL, NULL), REFUSED);
    plugin_trial_end(&t);
}

/* A pod may be bound to a node that nobody has told us of. */
static void a_name_without_a_node_fits_nowhere(void **state)
{
    (void)state;
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    plugin_trial_apply(&t, KS_NODE, NODE("a", "", "", ""));
    plugin_trial_apply(&t, KS_POD, POD("q", "'nodeName':'b'"));
    plugin_trial_expect("b", plugin_trial_run(&t, POD("p", "'nodeName':'b'")), "a: " REFUSED);
    plugin_trial_end(&t);
}

static void hints(void **state)
{
    (void)state;
    static const struct {
        const char *name, *before, *after, *wanted;
    } rows[] = {
        {"a node comes", NULL, NODE("b", "", "", ""), "queue"},
        {"a node changes", NODE("b", "", "", ""), NODE("b", "'x':'y'", "", ""), "skip"},
        {"a node goes", NODE("b", "", "", ""), NULL, "skip"},
    };
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        plugin_trial_expect(
            rows[i].name,
            plugin_trial_hint(&t, POD("p", "'nodeName':'b'"), KS_NODE, rows[i].before, rows[i].after),
            rows[i].wanted);
    plugin_trial_expect(
        "a pod comes", plugin_trial_hint(&t, POD("p", ""), KS_POD, NULL, POD("q", "'nodeName':'b'")), "skip");
    plugin_trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_named_node_fits),
        cmocka_unit_test(a_name_without_a_node_fits_nowhere),
        cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
