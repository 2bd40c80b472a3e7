// SPDX-License-Identifier: Apache-2.0
/* NodeResourcesFit: who finds room, why not, how the three strategies score, and what events help. */
#include "support/allotment.h"
#include "support/unit.h"
#include "util/str.h"

/* ---- filtering ---- */

/* One node "n" with one pod on it. */
typedef struct room_row {
    const char *name, *allocatable, *taken, *asked, *wanted;
} room_row;

#define SMALL "{'cpu':'2','memory':'1Gi','ephemeral-storage':'1Gi','pods':'3','x.io/gpu':'2'}"

static const room_row room_rows[] = {
    {"fits exactly", SMALL, "'cpu':'1','memory':'512Mi'", "'cpu':'1','memory':'512Mi'", "n 0 75"},
    {"a thousandth too much", SMALL, "'cpu':'1'", "'cpu':'1001m'", "n U Insufficient cpu"},
    {"more than the node has", SMALL, "'cpu':'1'", "'cpu':'2001m'", "n N Insufficient cpu"},
    {"memory", SMALL, "'memory':'1Gi'", "'memory':'1'", "n U Insufficient memory"},
    {"ephemeral storage", SMALL, "'ephemeral-storage':'1Gi'", "'ephemeral-storage':'1'",
     "n U Insufficient ephemeral-storage"},
    {"all of them, one beyond the node", SMALL, "'cpu':'2','memory':'1Gi','ephemeral-storage':'1Gi'",
     "'cpu':'1','memory':'2Gi','ephemeral-storage':'1','x.io/gpu':'1'",
     "n N Insufficient cpu, Insufficient memory, Insufficient ephemeral-storage"},
    {"extended", SMALL, "'x.io/gpu':'1'", "'x.io/gpu':'2'", "n U Insufficient x.io/gpu"},
    {"extended, by name", SMALL, "'cpu':'1'", "'y.io/b':'1','x.io/gpu':'3','cpu':'2'",
     "n N Insufficient cpu, Insufficient x.io/gpu, Insufficient y.io/b"},
    {"extended, none asked for", SMALL, "'x.io/gpu':'2'", "'x.io/gpu':'0','cpu':'1','memory':'512Mi'",
     "n 37 75"},
    {"too many pods", "{'cpu':'2','memory':'1Gi','pods':'1'}", "'cpu':'1'", "'cpu':'1'", "n U Too many pods"},
    {"too many pods, and more", "{'cpu':'2','pods':'1'}", "'cpu':'2'", "'cpu':'1','memory':'1'",
     "n N Too many pods, Insufficient cpu, Insufficient memory"},
    {"no room for pods at all is no reason to give up", "{'cpu':'2'}", "'cpu':'1'", "", "n U Too many pods"},
    {"asks for nothing", SMALL, "'cpu':'4','memory':'4Gi'", "", "n 0 -"},
    {"what others took too much does not matter to who does not want it", SMALL, "'cpu':'4'",
     "'memory':'1Mi'", "n 40 75"},
    {"names that are no resources", SMALL, "'cpu':'1'", "'unknown':'5'", "n 52 -"},
};

static void rooms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof room_rows / sizeof *room_rows; i++) {
        const room_row *row = &room_rows[i];
        allotment a;
        allotment_begin(&a, NULL, NULL);
        allotment_apply(&a, allotment_node(&a, "n", row->allocatable));
        allotment_apply(&a, allotment_pod(&a, "there", "n", allotment_asks(&a, row->taken)));
        const char *got = allotment_report(&a, allotment_asks(&a, row->asked));
        if (!ks_str_eq(ks_str_of(got), ks_str_of(row->wanted)))
            fail_msg("%s: got \"%s\", want \"%s\"", row->name, got, row->wanted);
        allotment_end(&a);
    }
}

static void ignored_resources_are_overlooked(void **state)
{
    (void)state;
    ks_str names[] = {KS_STR("x.io/a"), KS_STR("hugepages-2Mi")}, groups[] = {KS_STR("y.io")};
    ks_fit_args args = {.ignored_resources = {names, 2}, .ignored_resource_groups = {groups, 1}};
    allotment a;
    allotment_begin(&a, &args, NULL);
    allotment_apply(&a, allotment_node(&a, "n", "{'cpu':'1','memory':'1Gi','pods':'9'}"));
    assert_string_equal(allotment_report(&a, allotment_asks(&a, "'x.io/a':'1','y.io/b':'1'")), "n 85 -");
    assert_string_equal(
        allotment_report(&a, allotment_asks(&a, "'x.io/a':'1','x.io/b':'1','hugepages-2Mi':'2Mi'")),
        "n N Insufficient hugepages-2Mi, Insufficient x.io/b");
    allotment_end(&a);
}

/* Whatever comes and goes is seen by the next cycle. */
static void rooms_follow_events(void **state)
{
    (void)state;
    allotment a;
    allotment_begin(&a, NULL, NULL);
    const char *asks = "'containers':[{'name':'c','resources':{'requests':{'cpu':'1','x.io/gpu':'1'}}}]";
    allotment_apply(&a, allotment_pod(&a, "first", "a", asks));
    assert_string_equal(allotment_report(&a, asks), "");
    allotment_apply(&a, allotment_node(&a, "a", "{'cpu':'1','pods':'9','x.io/gpu':'1'}"));
    allotment_apply(&a, allotment_node(&a, "b", "{'cpu':'1','pods':'9','x.io/gpu':'1'}"));
    assert_string_equal(allotment_report(&a, asks), "a U Insufficient cpu, Insufficient x.io/gpu; b 0 75");
    allotment_apply(&a, allotment_node(&a, "a", "{'cpu':'2','pods':'9'}"));
    assert_string_equal(allotment_report(&a, asks), "a N Insufficient x.io/gpu; b 0 75");
    ks_object over = allotment_pod(&a, "first", "a", asks);
    over.pod.status.phase = KS_STR("Succeeded");
    allotment_apply(&a, over);
    allotment_apply(&a, allotment_node(&a, "a", "{'cpu':'2','pods':'1','x.io/gpu':'1'}"));
    assert_string_equal(allotment_report(&a, asks), "a 50 75; b 0 75");
    assert_int_equal(ks_cluster_delete(a.cluster, KS_NODE, (ks_str){0}, KS_STR("b"), NULL), KS_OK);
    assert_string_equal(allotment_report(&a, asks), "a 50 75");
    ks_object terminating = allotment_pod(&a, "second", "a", asks);
    terminating.pod.metadata.deletion_timestamp = KS_STR("2026-01-01T00:00:00Z");
    allotment_apply(&a, terminating);
    assert_string_equal(allotment_report(&a, asks), "a U Too many pods, Insufficient x.io/gpu");
    allotment_end(&a);
}

/* ---- scoring ---- */

static ks_resource_weight weights[] = {{{"cpu", 3}, 1}, {{"memory", 6}, 2}};
static ks_resource_weight with_gpu[] = {{{"cpu", 3}, 1}, {{"x.io/gpu", 8}, 3}, {{"pods", 4}, 5}};
static ks_resource_weight storage[] = {{{"ephemeral-storage", 17}, 1}};
static ks_shape_point rising[] = {{0, 0}, {100, 10}}, falling[] = {{0, 10}, {100, 0}},
                      bent[] = {{10, 1}, {50, 7}, {90, 4}};

#define LEAST                                                                                                \
    {                                                                                                        \
        "LeastAllocated", 14                                                                                 \
    }
#define MOST                                                                                                 \
    {                                                                                                        \
        "MostAllocated", 13                                                                                  \
    }
#define RATIO                                                                                                \
    {                                                                                                        \
        "RequestedToCapacityRatio", 24                                                                       \
    }

typedef struct score_row {
    const char *name;
    ks_fit_args args;
    const char *asked, *wanted;
} score_row;

/* Node a is empty, b has 1 of 4 cpu, 3 of 8 GB and 1 of 4 gpus taken, c has neither gpus nor memory. */
static const score_row score_rows[] = {
    {"least, by default",
     {.strategy_type = {0}},
     "'cpu':'1','memory':'1G'",
     "a 81 71; b 50 78; c N Insufficient memory"},
    {"least, missing requests are filled in", {.strategy_type = LEAST}, "", "a 97 -; b 65 -; c 90 -"},
    {"least, by weight",
     {.strategy_type = LEAST, .resources = {weights, 2}},
     "'cpu':'2','memory':'1G'",
     "a 74 65; b 41 72; c N Insufficient cpu, Insufficient memory"},
    {"least, scalars that are asked for count",
     {.strategy_type = LEAST, .resources = {with_gpu, 3}},
     "'cpu':'1','memory':'0','x.io/gpu':'1'",
     "a 75 68; b 50 75; c N Insufficient x.io/gpu"},
    {"least, others do not",
     {.strategy_type = LEAST, .resources = {with_gpu, 3}},
     "'cpu':'1','memory':'0'",
     "a 75 68; b 50 75; c 0 75"},
    {"least, storage alone",
     {.strategy_type = LEAST, .resources = {storage, 1}},
     "'ephemeral-storage':'1G'",
     "a 90 -; b 90 -; c N Insufficient ephemeral-storage"},
    {"most", {.strategy_type = MOST}, "'cpu':'1','memory':'1G'", "a 18 71; b 50 78; c N Insufficient memory"},
    {"most, more than there is", {.strategy_type = MOST}, "", "a 2 -; b 33 -; c 10 -"},
    {"ratio, rising",
     {.strategy_type = RATIO, .shape = {rising, 2}},
     "'cpu':'1','memory':'1G'",
     "a 19 71; b 50 78; c N Insufficient memory"},
    {"ratio, falling",
     {.strategy_type = RATIO, .shape = {falling, 2}},
     "'cpu':'1','memory':'0'",
     "a 88 68; b 57 75; c 0 75"},
    {"ratio, what scores nothing does not weigh",
     {.strategy_type = RATIO, .resources = {weights, 2}, .shape = {rising, 2}},
     "'cpu':'1','memory':'0'",
     "a 25 68; b 41 75; c 100 75"},
    {"ratio, bent",
     {.strategy_type = RATIO, .resources = {weights, 2}, .shape = {bent, 3}},
     "'cpu':'2','memory':'4G'",
     "a 70 75; b 46 75; c N Insufficient cpu, Insufficient memory"},
};

static void strategies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof score_rows / sizeof *score_rows; i++) {
        const score_row *row = &score_rows[i];
        allotment a;
        allotment_begin(&a, &row->args, NULL);
        const char *full = "{'cpu':'4','memory':'8G','ephemeral-storage':'10G','pods':'9','x.io/gpu':'4'}";
        allotment_apply(&a, allotment_node(&a, "a", full));
        allotment_apply(&a, allotment_node(&a, "b", full));
        allotment_apply(&a, allotment_node(&a, "c", "{'cpu':'1','pods':'9'}"));
        allotment_apply(&a, allotment_pod(&a, "there", "b",
                                          allotment_asks(&a, "'cpu':'1','memory':'3G','x.io/gpu':'1'")));
        const char *got = allotment_report(&a, allotment_asks(&a, row->asked));
        if (!ks_str_eq(ks_str_of(got), ks_str_of(row->wanted)))
            fail_msg("%s: got \"%s\", want \"%s\"", row->name, got, row->wanted);
        allotment_end(&a);
    }
}

/* ---- preemption's view ---- */

typedef struct what_if_row {
    const char *name, *added, *removed; /* requests; NULL: no such pod */
    ks_code code;
    const char *reason;
} what_if_row;

/* The node has 2 cpu and room for 2 pods; 1 cpu and 1 gpu of 1 are taken. 2 cpu and 1 gpu are asked for. */
static const what_if_row what_if_rows[] = {
    {"nothing changes", NULL, NULL, KS_UNSCHEDULABLE, "Insufficient cpu"},
    {"the pod goes", NULL, "'cpu':'1','x.io/gpu':'1'", KS_SUCCESS, NULL},
    {"another comes instead", "'cpu':'1'", "'cpu':'1','x.io/gpu':'1'", KS_UNSCHEDULABLE, "Insufficient cpu"},
    {"another comes that asks for little", "'cpu':'0'", "'cpu':'1','x.io/gpu':'1'", KS_SUCCESS, NULL},
    {"another comes", "'cpu':'0'", NULL, KS_UNSCHEDULABLE, "Too many pods"},
    {"only the cpu gets free", "'x.io/gpu':'1'", "'cpu':'1','x.io/gpu':'1'", KS_UNSCHEDULABLE,
     "Insufficient x.io/gpu"},
};

static void pods_come_and_go(void **state)
{
    (void)state;
    allotment a;
    allotment_begin(&a, NULL, NULL);
    allotment_apply(&a, allotment_node(&a, "n", "{'cpu':'2','pods':'2','x.io/gpu':'1'}"));
    allotment_apply(&a, allotment_pod(&a, "there", "n", allotment_asks(&a, "'cpu':'1','x.io/gpu':'1'")));
    allotment_report(&a, allotment_asks(&a, "'cpu':'2','x.io/gpu':'1'"));
    for (size_t i = 0; i < sizeof what_if_rows / sizeof *what_if_rows; i++) {
        const what_if_row *row = &what_if_rows[i];
        ks_object pods[2];
        if (row->added)
            pods[0] = allotment_pod(&a, "comes", "n", allotment_asks(&a, row->added));
        if (row->removed)
            pods[1] = allotment_pod(&a, "there", "n", allotment_asks(&a, row->removed));
        const ks_pod *added = &pods[0].pod, *removed = &pods[1].pod;
        ks_what_if change = {&added, &removed, row->added != NULL, row->removed != NULL};
        ks_node_result got;
        assert_int_equal(ks_cycle_what_if(&got, a.cycle, 0, &change, NULL), KS_OK);
        if (got.code != row->code || !ks_str_eq(got.reason, ks_str_of(row->reason)))
            fail_msg("%s: %s \"%.*s\"", row->name, ks_code_name(got.code), KS_STR_ARG(got.reason));
    }
    allotment_end(&a);
}

/* ---- queueing hints ---- */

/* Requests and what nodes have; NULL: there is no such object. The pending pod is "pending" and asks for
 * 1 cpu and 1 gpu. */
typedef struct pod_event {
    const char *name;
    const char *who, *before_node, *before, *after_node, *after;
    ks_hint hint;
} pod_event;

static const pod_event pod_events[] = {
    {"added", "other", NULL, NULL, "n", "'cpu':'1'", KS_HINT_SKIP},
    {"bound", "other", NULL, "'cpu':'1'", "n", "'cpu':'1'", KS_HINT_SKIP},
    {"deleted", "other", "n", "'cpu':'1'", NULL, NULL, KS_HINT_QUEUE},
    {"deleted, asked for nothing but took a place", "other", "n", "", NULL, NULL, KS_HINT_QUEUE},
    {"deleted, was not bound", "other", NULL, "'cpu':'1'", NULL, NULL, KS_HINT_SKIP},
    {"scaled down", "other", "n", "'cpu':'2'", "n", "'cpu':'1'", KS_HINT_QUEUE},
    {"scaled up", "other", "n", "'cpu':'1'", "n", "'cpu':'2'", KS_HINT_SKIP},
    {"scaled down where it does not matter", "other", "n", "'memory':'2'", "n", "'memory':'1'", KS_HINT_SKIP},
    {"scalar scaled down", "other", "n", "'x.io/gpu':'2'", "n", "'cpu':'5','x.io/gpu':'1'", KS_HINT_QUEUE},
    {"scaled down, not bound", "other", NULL, "'cpu':'2'", NULL, "'cpu':'1'", KS_HINT_SKIP},
    {"itself scaled down", "pending", NULL, "'memory':'2'", NULL, "'memory':'1'", KS_HINT_QUEUE},
    {"itself without a request", "pending", NULL, "'memory':'0'", NULL, "", KS_HINT_QUEUE},
    {"itself the same", "pending", NULL, "'memory':'2'", NULL, "'memory':'2'", KS_HINT_SKIP},
};

typedef struct node_event {
    const char *name, *before, *after;
    ks_hint hint;
} node_event;

static const node_event node_events[] = {
    {"added, large enough", NULL, "{'cpu':'1','pods':'1','x.io/gpu':'1'}", KS_HINT_QUEUE},
    {"added, too small", NULL, "{'cpu':'999m','pods':'1','x.io/gpu':'1'}", KS_HINT_SKIP},
    {"added, no scalar", NULL, "{'cpu':'1','pods':'1'}", KS_HINT_SKIP},
    {"added, no pods", NULL, "{'cpu':'1','x.io/gpu':'1'}", KS_HINT_SKIP},
    {"deleted", "{'cpu':'1','pods':'1','x.io/gpu':'1'}", NULL, KS_HINT_SKIP},
    {"grows", "{'cpu':'1','pods':'1','x.io/gpu':'1'}", "{'cpu':'2','pods':'1','x.io/gpu':'1'}",
     KS_HINT_QUEUE},
    {"takes more pods", "{'cpu':'1','pods':'1','x.io/gpu':'1'}", "{'cpu':'1','pods':'2','x.io/gpu':'1'}",
     KS_HINT_QUEUE},
    {"grows where it does not matter", "{'cpu':'2','memory':'1','pods':'1','x.io/gpu':'1'}",
     "{'cpu':'1','memory':'2','pods':'1','x.io/gpu':'1'}", KS_HINT_SKIP},
    {"grows, not enough", "{'cpu':'1','pods':'1'}", "{'cpu':'3','pods':'1'}", KS_HINT_SKIP},
};

static void check_hint(allotment *a, const char *name, const ks_object *before, const ks_object *after,
                       ks_hint wanted)
{
    ks_object pending = allotment_pod(a, "pending", NULL, allotment_asks(a, "'cpu':'1','x.io/gpu':'1'"));
    ks_hint got;
    assert_int_equal(ks_cluster_hint(&got, a->cluster, &pending.pod, before, after, NULL), KS_OK);
    if (got != wanted)
        fail_msg("%s", name);
}

static void hints(void **state)
{
    (void)state;
    allotment a;
    allotment_begin(&a, NULL, NULL);
    for (size_t i = 0; i < sizeof pod_events / sizeof *pod_events; i++) {
        const pod_event *row = &pod_events[i];
        ks_object before, after;
        if (row->before)
            before = allotment_pod(&a, row->who, row->before_node, allotment_asks(&a, row->before));
        if (row->after)
            after = allotment_pod(&a, row->who, row->after_node, allotment_asks(&a, row->after));
        check_hint(&a, row->name, row->before ? &before : NULL, row->after ? &after : NULL, row->hint);
    }
    for (size_t i = 0; i < sizeof node_events / sizeof *node_events; i++) {
        const node_event *row = &node_events[i];
        ks_object before, after;
        if (row->before)
            before = allotment_node(&a, "n", row->before);
        if (row->after)
            after = allotment_node(&a, "n", row->after);
        check_hint(&a, row->name, row->before ? &before : NULL, row->after ? &after : NULL, row->hint);
    }
    allotment_end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms),
        cmocka_unit_test(ignored_resources_are_overlooked),
        cmocka_unit_test(rooms_follow_events),
        cmocka_unit_test(strategies),
        cmocka_unit_test(pods_come_and_go),
        cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
