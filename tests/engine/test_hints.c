// SPDX-License-Identifier: Apache-2.0
/* Which events are worth another try: the cases of kube-scheduler's isSchedulableAfterPodChange and
 * isSchedulableAfterNodeChange, and what its informers make of updates before they get there. */
#include "support/small.h"
#include "support/unit.h"
#include "util/str.h"

static const made_constraint on_zone[] = {{"zone", "hard", "foo=", 1, NULL}, {0}};
static const made_constraint on_zone_and_node[] = {
    {"zone", "hard", "foo=", 1, NULL}, {"node", "hard", "bar=", 1, NULL}, {0}};
static const made_constraint on_zone_and_soft_node[] = {
    {"zone", "hard", "foo=", 1, NULL}, {"node", "soft", "bar=", 1, NULL}, {0}};
static const made_constraint honoring_taints[] = {{"zone", "hard", "foo=", 1, "Honor"}, {0}};
static const made_constraint without_selector[] = {{"zone", "hard", NULL, 1, NULL}, {0}};
static const made_constraint with_empty_selector[] = {{"zone", "hard", "", 1, NULL}, {0}};
static const made_constraint only_soft[] = {{"zone", "soft", "foo=", 1, NULL}, {0}};
static const made_constraint none[] = {{0}};

static ks_hint ask(small *s, const ks_pod *pending, const ks_object *before, const ks_object *after)
{
    ks_error err = {0};
    ks_hint hint = KS_HINT_SKIP;
    if (ks_cluster_hint(&hint, s->cluster, pending, before, after, &err) != KS_OK)
        fail_msg("%s", err.message);
    return hint;
}

/* ---- pods ---- */

/* A pod as an event shows it; uid NULL: there is none. */
typedef struct pod_text {
    const char *uid, *labels, *node, *nominated, *namespace_, *toleration, *phase;
} pod_text;

typedef struct pod_row {
    const char *name;
    const made_constraint *constraints;
    pod_text before, after;
    ks_hint hint;
} pod_row;

static const pod_row pod_rows[] = {
    {"added, matches", on_zone, {0}, {.uid = "o", .labels = "foo=", .node = "n"}, KS_HINT_QUEUE},
    {"added, matches the second constraint",
     on_zone_and_node,
     {0},
     {.uid = "o", .labels = "bar=", .node = "n"},
     KS_HINT_QUEUE},
    {"added, matches a soft constraint only",
     on_zone_and_soft_node,
     {0},
     {.uid = "o", .labels = "bar=", .node = "n"},
     KS_HINT_SKIP},
    {"added, does not match", on_zone, {0}, {.uid = "o", .labels = "baz=", .node = "n"}, KS_HINT_SKIP},
    {"added, other namespace",
     on_zone,
     {0},
     {.uid = "o", .labels = "foo=", .node = "n", .namespace_ = "other"},
     KS_HINT_SKIP},
    {"added, absent namespace is default",
     on_zone,
     {0},
     {.uid = "o", .labels = "foo=", .node = "n", .namespace_ = ""},
     KS_HINT_QUEUE},
    {"added, not bound", on_zone, {0}, {.uid = "o", .labels = "foo="}, KS_HINT_SKIP},
    {"added, nominated", on_zone, {0}, {.uid = "o", .labels = "foo=", .nominated = "n"}, KS_HINT_QUEUE},
    {"added, no selector", without_selector, {0}, {.uid = "o", .labels = "foo=", .node = "n"}, KS_HINT_SKIP},
    {"added, empty selector",
     with_empty_selector,
     {0},
     {.uid = "o", .labels = "foo=", .node = "n"},
     KS_HINT_QUEUE},
    {"added, only soft constraints",
     only_soft,
     {0},
     {.uid = "o", .labels = "foo=", .node = "n"},
     KS_HINT_SKIP},
    {"added, no constraints", none, {0}, {.uid = "o", .labels = "foo=", .node = "n"}, KS_HINT_SKIP},

    {"deleted, matches", on_zone, {.uid = "o", .labels = "foo=", .node = "n"}, {0}, KS_HINT_QUEUE},
    {"deleted, does not match", on_zone, {.uid = "o", .labels = "baz=", .node = "n"}, {0}, KS_HINT_SKIP},
    {"deleted, other namespace",
     on_zone,
     {.uid = "o", .labels = "foo=", .node = "n", .namespace_ = "other"},
     {0},
     KS_HINT_SKIP},
    {"deleted, not bound", on_zone, {.uid = "o", .labels = "foo="}, {0}, KS_HINT_SKIP},

    {"relabelled, matches now",
     on_zone,
     {.uid = "o", .labels = "baz=", .node = "n"},
     {.uid = "o", .labels = "foo=", .node = "n"},
     KS_HINT_QUEUE},
    {"relabelled, matches no more",
     on_zone,
     {.uid = "o", .labels = "foo=", .node = "n"},
     {.uid = "o", .labels = "baz=", .node = "n"},
     KS_HINT_QUEUE},
    {"relabelled, matches as before",
     on_zone,
     {.uid = "o", .labels = "foo=", .node = "n"},
     {.uid = "o", .labels = "bar=,foo=", .node = "n"},
     KS_HINT_SKIP},
    {"relabelled, matches neither time",
     on_zone,
     {.uid = "o", .labels = "a=", .node = "n"},
     {.uid = "o", .labels = "b=", .node = "n"},
     KS_HINT_SKIP},
    {"relabelled, another constraint",
     on_zone_and_node,
     {.uid = "o", .labels = "foo=", .node = "n"},
     {.uid = "o", .labels = "bar=,foo=", .node = "n"},
     KS_HINT_QUEUE},
    {"relabelled, other namespace",
     on_zone,
     {.uid = "o", .labels = "baz=", .node = "n", .namespace_ = "other"},
     {.uid = "o", .labels = "foo=", .node = "n", .namespace_ = "other"},
     KS_HINT_SKIP},
    {"relabelled, not bound",
     on_zone,
     {.uid = "o", .labels = "baz="},
     {.uid = "o", .labels = "foo="},
     KS_HINT_SKIP},
    {"same labels",
     on_zone,
     {.uid = "o", .labels = "foo=", .node = "n"},
     {.uid = "o", .labels = "foo=", .node = "n"},
     KS_HINT_SKIP},

    {"own label matches now",
     on_zone,
     {.uid = "p", .labels = "baz="},
     {.uid = "p", .labels = "foo="},
     KS_HINT_QUEUE},
    {"own label matches no more",
     on_zone,
     {.uid = "p", .labels = "foo="},
     {.uid = "p", .labels = "baz="},
     KS_HINT_QUEUE},
    {"own label unrelated",
     on_zone,
     {.uid = "p", .labels = "a="},
     {.uid = "p", .labels = "b="},
     KS_HINT_SKIP},
    {"own toleration, taints ignored",
     on_zone,
     {.uid = "p", .labels = "foo="},
     {.uid = "p", .labels = "foo=", .toleration = "spot"},
     KS_HINT_SKIP},
    {"own toleration, taints honoured",
     honoring_taints,
     {.uid = "p", .labels = "foo="},
     {.uid = "p", .labels = "foo=", .toleration = "spot"},
     KS_HINT_QUEUE},
    {"own toleration is lost, taints honoured",
     honoring_taints,
     {.uid = "p", .labels = "foo=", .toleration = "spot"},
     {.uid = "p", .labels = "foo="},
     KS_HINT_QUEUE},
    {"own toleration as it was, taints honoured",
     honoring_taints,
     {.uid = "p", .labels = "foo=", .toleration = "spot"},
     {.uid = "p", .labels = "foo=", .toleration = "spot"},
     KS_HINT_SKIP},
    {"no tolerations become an empty list",
     honoring_taints,
     {.uid = "p", .labels = "foo="},
     {.uid = "p", .labels = "foo=", .toleration = ""},
     KS_HINT_SKIP},
    {"another's toleration, taints honoured",
     honoring_taints,
     {.uid = "o", .labels = "foo=", .node = "n"},
     {.uid = "o", .labels = "foo=", .node = "n", .toleration = "spot"},
     KS_HINT_SKIP},

    /* kube-scheduler's informers tell it of these as an addition and as a deletion. */
    {"bound, matches",
     on_zone,
     {.uid = "o", .labels = "foo="},
     {.uid = "o", .labels = "foo=", .node = "n"},
     KS_HINT_QUEUE},
    {"bound, does not match",
     on_zone,
     {.uid = "o", .labels = "baz="},
     {.uid = "o", .labels = "baz=", .node = "n"},
     KS_HINT_SKIP},
    {"bound, other namespace",
     on_zone,
     {.uid = "o", .labels = "foo=", .namespace_ = "other"},
     {.uid = "o", .labels = "foo=", .node = "n", .namespace_ = "other"},
     KS_HINT_SKIP},
    {"over, matches",
     on_zone,
     {.uid = "o", .labels = "foo=", .node = "n", .phase = "Running"},
     {.uid = "o", .labels = "foo=", .node = "n", .phase = "Succeeded"},
     KS_HINT_QUEUE},
    {"over, does not match",
     on_zone,
     {.uid = "o", .labels = "baz=", .node = "n", .phase = "Running"},
     {.uid = "o", .labels = "baz=", .node = "n", .phase = "Failed"},
     KS_HINT_SKIP},
};

static ks_tolerations one_toleration(ks_arena *arena, const char *key)
{
    ks_toleration *toleration = ks_arena_get_zeroed(arena, sizeof *toleration);
    *toleration = (ks_toleration){.key = ks_str_of(key), .op = KS_STR("Exists")};
    return (ks_tolerations){toleration, *key != '\0'};
}

static ks_object pod_of(small *s, const pod_text *text)
{
    ks_object object = make_pod(&s->arena, text->uid, text->labels, text->node);
    object.pod.status.nominated_node_name = ks_str_of(text->nominated);
    object.pod.status.phase = ks_str_of(text->phase);
    if (text->namespace_)
        object.pod.metadata.namespace_ = ks_str_of(*text->namespace_ ? text->namespace_ : NULL);
    if (text->toleration)
        object.pod.spec.tolerations = one_toleration(&s->arena, text->toleration);
    return object;
}

static void pod_events(void **state)
{
    small *s = *state;
    for (size_t i = 0; i < sizeof pod_rows / sizeof *pod_rows; i++) {
        const pod_row *row = &pod_rows[i];
        ks_object pending = make_pod(&s->arena, "p", "foo=", NULL);
        make_constraints(&pending.pod, &s->arena, row->constraints);
        ks_object before = pod_of(s, &row->before), after = pod_of(s, &row->after);
        ks_hint hint = ask(s, &pending.pod, row->before.uid ? &before : NULL, row->after.uid ? &after : NULL);
        if (hint != row->hint)
            fail_msg("pod: %s: %s", row->name, hint == KS_HINT_QUEUE ? "Queue" : "QueueSkip");
    }
}

/* Objects of files have no uid: names tell which pod is meant. */
static void pods_without_uid_go_by_name(void **state)
{
    small *s = *state;
    ks_object pending = make_pod(&s->arena, "p", "foo=", NULL);
    make_constraints(&pending.pod, &s->arena, on_zone);
    ks_object before = make_pod(&s->arena, "p", "baz=", NULL), after = make_pod(&s->arena, "p", "foo=", NULL);
    ks_object *all[] = {&pending, &before, &after};
    for (size_t i = 0; i < 3; i++)
        all[i]->metadata.uid = (ks_str){0};
    assert_int_equal(ask(s, &pending.pod, &before, &after), KS_HINT_QUEUE);
    before.metadata.name = after.metadata.name = KS_STR("q");
    assert_int_equal(ask(s, &pending.pod, &before, &after), KS_HINT_SKIP);
}

/* ---- nodes ---- */

typedef struct node_text {
    const char *name, *labels, *taints; /* name NULL: there is none */
} node_text;

typedef struct node_row {
    const char *name;
    const made_constraint *constraints;
    node_text before, after;
    ks_hint hint;
} node_row;

static const node_row node_rows[] = {
    {"added, all keys", on_zone_and_node, {0}, {.name = "n", .labels = "node=n,zone=a"}, KS_HINT_QUEUE},
    {"added, a key is missing", on_zone_and_node, {0}, {.name = "n", .labels = "zone=a"}, KS_HINT_SKIP},
    {"added, no labels", on_zone, {0}, {.name = "n"}, KS_HINT_SKIP},
    {"added, the key is empty", on_zone, {0}, {.name = "n", .labels = "zone="}, KS_HINT_QUEUE},
    {"added, lacks a soft key only",
     on_zone_and_soft_node,
     {0},
     {.name = "n", .labels = "zone=a"},
     KS_HINT_QUEUE},
    {"added, no hard constraints", only_soft, {0}, {.name = "n"}, KS_HINT_QUEUE},
    {"deleted, all keys", on_zone_and_node, {.name = "n", .labels = "node=n,zone=a"}, {0}, KS_HINT_QUEUE},
    {"deleted, a key is missing", on_zone_and_node, {.name = "n", .labels = "node=n"}, {0}, KS_HINT_SKIP},
    {"gets its last key",
     on_zone_and_node,
     {.name = "n", .labels = "zone=a"},
     {.name = "n", .labels = "node=n,zone=a"},
     KS_HINT_QUEUE},
    {"loses a key",
     on_zone_and_node,
     {.name = "n", .labels = "node=n,zone=a"},
     {.name = "n", .labels = "zone=a"},
     KS_HINT_QUEUE},
    {"lacks a key both times",
     on_zone_and_node,
     {.name = "n", .labels = "zone=a"},
     {.name = "n", .labels = "zone=b"},
     KS_HINT_SKIP},
    {"moves to another domain",
     on_zone_and_node,
     {.name = "n", .labels = "node=n,zone=a"},
     {.name = "n", .labels = "node=n,zone=b"},
     KS_HINT_QUEUE},
    {"changes another label",
     on_zone,
     {.name = "n", .labels = "disk=a,zone=a"},
     {.name = "n", .labels = "disk=b,zone=a"},
     KS_HINT_SKIP},
    {"changes nothing",
     on_zone,
     {.name = "n", .labels = "zone=a"},
     {.name = "n", .labels = "zone=a"},
     KS_HINT_SKIP},
    {"gets a taint",
     on_zone,
     {.name = "n", .labels = "zone=a"},
     {.name = "n", .labels = "zone=a", .taints = "spot=:NoSchedule"},
     KS_HINT_QUEUE},
    {"loses a taint",
     on_zone,
     {.name = "n", .labels = "zone=a", .taints = "spot=:NoSchedule"},
     {.name = "n", .labels = "zone=a"},
     KS_HINT_QUEUE},
    {"a taint changes its effect",
     on_zone,
     {.name = "n", .labels = "zone=a", .taints = "spot=:NoSchedule"},
     {.name = "n", .labels = "zone=a", .taints = "spot=:PreferNoSchedule"},
     KS_HINT_QUEUE},
    {"same taints",
     on_zone,
     {.name = "n", .labels = "zone=a", .taints = "spot=:NoSchedule"},
     {.name = "n", .labels = "zone=a", .taints = "spot=:NoSchedule"},
     KS_HINT_SKIP},
    {"no taints become an empty list",
     on_zone,
     {.name = "n", .labels = "zone=a"},
     {.name = "n", .labels = "zone=a", .taints = ""},
     KS_HINT_SKIP},
    {"gets a taint, lacks a key",
     on_zone,
     {.name = "n", .labels = "disk=a"},
     {.name = "n", .labels = "disk=a", .taints = "spot=:NoSchedule"},
     KS_HINT_SKIP},
};

static void node_events(void **state)
{
    small *s = *state;
    for (size_t i = 0; i < sizeof node_rows / sizeof *node_rows; i++) {
        const node_row *row = &node_rows[i];
        ks_object pending = make_pod(&s->arena, "p", "foo=", NULL);
        make_constraints(&pending.pod, &s->arena, row->constraints);
        ks_object before = make_node(&s->arena, row->before.name, row->before.labels, row->before.taints);
        ks_object after = make_node(&s->arena, row->after.name, row->after.labels, row->after.taints);
        ks_hint hint =
            ask(s, &pending.pod, row->before.name ? &before : NULL, row->after.name ? &after : NULL);
        if (hint != row->hint)
            fail_msg("node: %s: %s", row->name, hint == KS_HINT_QUEUE ? "Queue" : "QueueSkip");
    }
}

/* ---- the rest ---- */

/* Deduced selectors count, too: here the Service selects by "app". */
static void defaults_count(void **state)
{
    small *s = *state;
    ks_topology_spread_constraint listed = {
        .max_skew = 1, .topology_key = KS_STR("zone"), .when_unsatisfiable = KS_STR("DoNotSchedule")};
    ks_plugin_use plugin;
    ks_profile profile = make_spread_profile(&plugin);
    profile.spread = (ks_spread_args){.defaulting_type = KS_STR("List"), .default_constraints = {&listed, 1}};
    ks_error err = {0};
    small_end(s);
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    assert_int_equal(ks_cluster_new(&s->cluster, &options, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&s->cycle, s->cluster, &err), KS_OK);
    ks_object pending = make_pod(&s->arena, "p", "app=web", NULL);
    ks_object other = make_pod(&s->arena, "o", "app=web", "n");
    assert_int_equal(ask(s, &pending.pod, NULL, &other), KS_HINT_SKIP);

    ks_object service = {.kind = KS_SERVICE};
    service.service =
        (ks_service){.metadata.name = KS_STR("web"), .spec.selector = make_labels(&s->arena, "app=web")};
    assert_int_equal(ks_cluster_apply(s->cluster, &service, &err), KS_OK);
    assert_int_equal(ask(s, &pending.pod, NULL, &other), KS_HINT_QUEUE);
}

/* A selector that cannot be is the scheduler's error, and errors are tried again. */
static void broken_selectors_queue(void **state)
{
    small *s = *state;
    ks_object pending = make_pod(&s->arena, "p", "foo=", NULL), node = make_node(&s->arena, "n", NULL, NULL);
    make_constraints(&pending.pod, &s->arena, on_zone);
    ks_selector_requirement broken = {.key = KS_STR("foo"), .op = KS_STR("Matches")};
    ks_label_selector selector = {.match_expressions = {&broken, 1}};
    pending.pod.spec.topology_spread_constraints.items[0].label_selector = &selector;
    assert_int_equal(ask(s, &pending.pod, NULL, &node), KS_HINT_QUEUE);
}

static void other_kinds_skip(void **state)
{
    small *s = *state;
    ks_object pending = make_pod(&s->arena, "p", "foo=", NULL);
    make_constraints(&pending.pod, &s->arena, on_zone);
    ks_object service = {.kind = KS_SERVICE, .metadata.name = KS_STR("web")};
    assert_int_equal(ask(s, &pending.pod, NULL, &service), KS_HINT_SKIP);
}

static void events_need_an_object(void **state)
{
    small *s = *state;
    ks_error err = {0};
    ks_hint hint;
    ks_object pod = make_pod(&s->arena, "p", NULL, NULL), node = make_node(&s->arena, "n", NULL, NULL);
    assert_int_equal(ks_cluster_hint(&hint, s->cluster, &pod.pod, NULL, NULL, &err), KS_EINVAL);
    assert_int_equal(ks_cluster_hint(&hint, s->cluster, &pod.pod, &pod, &node, &err), KS_EINVAL);
    assert_int_equal(err.code, KS_EINVAL);
    assert_true(err.message[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pod_events, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(pods_without_uid_go_by_name, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(node_events, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(defaults_count, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(broken_selectors_queue, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(other_kinds_skip, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(events_need_an_object, small_setup, small_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
