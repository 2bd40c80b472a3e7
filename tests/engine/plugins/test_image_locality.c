// SPDX-License-Identifier: Apache-2.0
#include "support/plugin_trial.h"
#include "support/unit.h"

#define PLUGIN "ImageLocality"
#define IMAGE(size, names) "{'sizeBytes':" size ",'names':[" names "]}"
#define HAS(name, images) NODE(name, "", "", "'images':[" images "]")
#define RUNS(image) "{'name':'c','image':'" image "'}"
#define CONTAINERS(containers) POD("p", "'containers':[" containers "]")

/* 23 MiB and less count for nothing, 1000 MiB a container and more for 100. */
#define MIB_40 "41943040"
#define MIB_300 "314572800"
#define MIB_2000 "2097152000"

typedef struct row {
    const char *name, *nodes[3], *pod, *wanted;
} row;

static const row rows[] = {
    {"no images", {HAS("a", ""), HAS("b", ""), NULL}, CONTAINERS(RUNS("web:1")), "a: 0; b: 0"},
    {"other images", {HAS("a", IMAGE(MIB_2000, "'db:1'")), NULL, NULL}, CONTAINERS(RUNS("web:1")), "a: 0"},
    {"one node of two has it: half its size counts",
     {HAS("a", IMAGE(MIB_300, "'web:1'")), HAS("b", ""), NULL},
     CONTAINERS(RUNS("web:1")),
     "a: 12; b: 0"},
    {"both have it: all of it counts",
     {HAS("a", IMAGE(MIB_300, "'web:1'")), HAS("b", IMAGE(MIB_300, "'web:1'")), NULL},
     CONTAINERS(RUNS("web:1")),
     "a: 28; b: 28"},
    {"each node's own size",
     {HAS("a", IMAGE(MIB_300, "'web:1'")), HAS("b", IMAGE(MIB_2000, "'web:1'")), NULL},
     CONTAINERS(RUNS("web:1")),
     "a: 28; b: 100"},
    {"too small to matter",
     {HAS("a", IMAGE(MIB_40, "'web:1'")), HAS("b", ""), NULL},
     CONTAINERS(RUNS("web:1")),
     "a: 0; b: 0"},
    {"two containers share the most",
     {HAS("a", IMAGE(MIB_2000, "'web:1'")), NULL, NULL},
     CONTAINERS(RUNS("web:1") "," RUNS("db:1")),
     "a: 100"},
    {"the same image twice counts twice",
     {HAS("a", IMAGE(MIB_300, "'web:1'")), NULL, NULL},
     CONTAINERS(RUNS("web:1") "," RUNS("web:1")),
     "a: 29"},
    {"init containers count",
     {HAS("a", IMAGE(MIB_300, "'web:1'")), NULL, NULL},
     POD("p", "'initContainers':[" RUNS("web:1") "],'containers':[" RUNS("db:1") "]"),
     "a: 14"},
    {"image volumes count, but are no containers",
     {HAS("a", IMAGE(MIB_300, "'web:1'")), NULL, NULL},
     POD("p", "'volumes':[{'name':'v','image':{'reference':'web:1'}}],'containers':[" RUNS("db:1") "]"),
     "a: 28"},
    {"latest is meant where no tag is said",
     {HAS("a", IMAGE(MIB_300, "'web:latest'")), HAS("b", IMAGE(MIB_300, "'web'")), NULL},
     CONTAINERS(RUNS("web")),
     "a: 12; b: 0"},
    {"a port is no tag",
     {HAS("a", IMAGE(MIB_300, "'host:5000/web:latest'")), NULL, NULL},
     CONTAINERS(RUNS("host:5000/web")),
     "a: 28"},
    {"a digest is one",
     {HAS("a", IMAGE(MIB_300, "'web@sha256:0','web:1'")), NULL, NULL},
     CONTAINERS(RUNS("web@sha256:0")),
     "a: 28"},
    {"of a name given twice the later size",
     {HAS("a", IMAGE(MIB_2000, "'web:1'") "," IMAGE(MIB_300, "'web:1'")), NULL, NULL},
     CONTAINERS(RUNS("web:1")),
     "a: 28"},
};

static void scores(void **state)
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

static void images_come_and_go(void **state)
{
    (void)state;
    static const char pod[] = CONTAINERS(RUNS("web:1"));
    plugin_trial t;
    plugin_trial_begin(&t, PLUGIN, NULL, NULL);
    plugin_trial_apply(&t, KS_NODE, HAS("b", IMAGE(MIB_300, "'web:1'")));
    plugin_trial_apply(&t, KS_NODE, HAS("a", ""));
    plugin_trial_expect("at first", plugin_trial_run(&t, pod), "a: 0; b: 12");
    plugin_trial_apply(&t, KS_NODE, HAS("a", IMAGE(MIB_2000, "'web:1'")));
    plugin_trial_expect("pulled", plugin_trial_run(&t, pod), "a: 100; b: 28");
    plugin_trial_apply(&t, KS_NODE, HAS("c", ""));
    plugin_trial_expect("a third node", plugin_trial_run(&t, pod), "a: 100; b: 18; c: 0");
    plugin_trial_apply(&t, KS_NODE, HAS("b", IMAGE(MIB_300, "'db:1'")));
    plugin_trial_expect("removed", plugin_trial_run(&t, pod), "a: 65; b: 0; c: 0");
    assert_int_equal(ks_cluster_delete(t.cluster, KS_NODE, KS_STR(""), KS_STR("a"), NULL), KS_OK);
    plugin_trial_expect("the node is gone", plugin_trial_run(&t, pod), "b: 0; c: 0");
    plugin_trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores),
        cmocka_unit_test(images_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
