// SPDX-License-Identifier: Apache-2.0
/* What a cluster keeps of the objects that it is given, and how much memory it takes for that. */
#include "support/random.h"
#include "support/small.h"
#include "support/unit.h"
#include "util/str.h"

static void pods_can_be_read_back(void **state)
{
    small *s = *state;
    ks_error err = {0};
    ks_object given = small_web_pod(s, "hard", 3);
    given.metadata.namespace_ = KS_STR("prod");
    given.pod.status.phase = KS_STR("Running");
    given.pod.spec.node_name = KS_STR("a");
    given.pod.spec.node_selector = make_labels(&s->arena, "disk=ssd");
    small_apply(s, given);
    ks_pod read;
    assert_int_equal(ks_cluster_get_pod(&read, s->cluster, KS_STR("prod"), KS_STR("pending"), &err), KS_OK);
    small_assert_text(read.metadata.name, "pending");
    small_assert_text(read.metadata.namespace_, "prod");
    small_assert_text(read.metadata.uid, "pending");
    small_assert_text(read.status.phase, "Running");
    small_assert_text(read.spec.node_name, "a");
    assert_int_equal(read.metadata.labels.count, 1);
    small_assert_text(read.metadata.labels.items[0].value, "web");
    small_assert_text(read.spec.node_selector.items[0].value, "ssd");
    assert_int_equal(read.spec.topology_spread_constraints.count, 1);
    assert_int_equal(read.spec.topology_spread_constraints.items[0].max_skew, 3);

    assert_int_equal(ks_cluster_get_pod(&read, s->cluster, (ks_str){0}, KS_STR("pending"), &err),
                     KS_ENOTFOUND);
    assert_int_equal(err.code, KS_ENOTFOUND);
    assert_string_equal(err.message, "pod \"default/pending\" not found");
}

static void an_absent_namespace_is_default(void **state)
{
    small *s = *state;
    ks_error err = {0};
    ks_object pod = make_pod(&s->arena, "p", NULL, NULL);
    pod.metadata.namespace_ = (ks_str){0};
    small_apply(s, pod);
    pod.metadata.namespace_ = KS_STR("default");
    small_apply(s, pod);
    assert_int_equal(ks_cluster_get_stats(s->cluster).pods, 1);
    ks_pod read;
    assert_int_equal(ks_cluster_get_pod(&read, s->cluster, (ks_str){0}, KS_STR("p"), &err), KS_OK);
    small_delete(s, KS_POD, "default", "p");
    assert_int_equal(ks_cluster_get_stats(s->cluster).pods, 0);
}

static void unknown_objects_cannot_be_deleted(void **state)
{
    small *s = *state;
    static const ks_kind kinds[] = {KS_POD, KS_NODE, KS_SERVICE, KS_REPLICA_SET, KS_NAMESPACE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ks_error err = {0};
        int rc = ks_cluster_delete(s->cluster, kinds[i], KS_STR("default"), KS_STR("gone"), &err);
        assert_int_equal(rc, KS_ENOTFOUND);
        assert_non_null(strstr(err.message, "gone\" not found"));
    }
    /* A node that only its pods speak of is not there either. */
    small_apply(s, make_pod(&s->arena, "p", NULL, "a"));
    assert_int_equal(ks_cluster_delete(s->cluster, KS_NODE, (ks_str){0}, KS_STR("a"), NULL), KS_ENOTFOUND);
}

static void objects_must_have_names(void **state)
{
    small *s = *state;
    static const ks_kind kinds[] = {KS_POD, KS_NODE, KS_SERVICE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ks_error err = {0};
        ks_object nameless = {.kind = kinds[i]};
        assert_int_equal(ks_cluster_apply(s->cluster, &nameless, &err), KS_EINVAL);
        assert_non_null(strstr(err.message, "metadata.name"));
    }
}

static void other_kinds_are_ignored(void **state)
{
    small *s = *state;
    static const ks_kind kinds[] = {
        KS_DEPLOYMENT, KS_DAEMON_SET, KS_JOB, KS_PRIORITY_CLASS, KS_POD_DISRUPTION_BUDGET, KS_NAMESPACE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        small_apply(s, (ks_object){.kind = kinds[i], .metadata.name = KS_STR("other")});
    assert_int_equal(ks_cluster_get_stats(s->cluster).pods, 0);
}

/* ---- memory ---- */

static void pods_of_a_template_share(void **state)
{
    small *s = *state;
    for (uint32_t i = 0; i < 100; i++) {
        ks_object pod = small_web_pod(s, "hard", 1);
        pod.metadata.name = random_name(&s->arena, "web-%u", i);
        if (i % 10)
            pod.pod.spec.node_name = random_name(&s->arena, "node-%u", i % 10);
        small_apply(s, pod);
    }
    ks_cluster_stats stats = ks_cluster_get_stats(s->cluster);
    assert_int_equal(stats.pods, 100);
    assert_int_equal(stats.pods_pending, 10);
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.pod_classes, 1);
    assert_int_equal(stats.pod_specs, 1);
    for (uint32_t i = 0; i < 100; i++) {
        ks_str name = random_name(&s->arena, "web-%u", i);
        small_delete(s, KS_POD, "default", name.data);
    }
    stats = ks_cluster_get_stats(s->cluster);
    assert_int_equal(stats.pods + stats.pods_pending + stats.pod_classes + stats.pod_specs, 0);
}

/* Runs a pod of its own class, and so with counters of its own, for each number. */
static void run_many_classes(small *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ks_object pod = make_pod(&s->arena, "pending", NULL, NULL);
        ks_str app = random_name(&s->arena, "app=a%u", i);
        const made_constraint constraints[] = {{"zone", "hard", app.data, 1, NULL}, {0}};
        pod.metadata.labels = make_labels(&s->arena, app.data);
        make_constraints(&pod.pod, &s->arena, constraints);
        ks_object other = make_pod(&s->arena, "other", app.data, "a");
        small_apply(s, other);
        small_assert_codes(s, &pod.pod, "US");
    }
}

static void counters_are_kept_for_the_next_pod(void **state)
{
    small *s = *state;
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    run_many_classes(s, 50);
    ks_cluster_stats stats = ks_cluster_get_stats(s->cluster);
    assert_int_equal(stats.counters, 50);
    assert_true(stats.counter_bytes > 0 && stats.counter_bytes < stats.bytes);
    run_many_classes(s, 50);
    assert_int_equal(ks_cluster_get_stats(s->cluster).counters, 50);
}

static void counters_beyond_the_limit_are_dropped(void **state)
{
    small *s = *state;
    small_end(s);
    small_begin(s, 2, 1);
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    run_many_classes(s, 5);
    size_t early = ks_cluster_get_stats(s->cluster).counter_bytes;
    run_many_classes(s, 200);
    ks_cluster_stats stats = ks_cluster_get_stats(s->cluster);
    assert_true(stats.counters <= 2);
    assert_true(stats.counter_bytes <= 2 * early);

    size_t limit = 20000;
    small_end(s);
    small_begin(s, 2, limit);
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    run_many_classes(s, 200);
    stats = ks_cluster_get_stats(s->cluster);
    assert_true(stats.counters > 1 && stats.counters < 200);
    assert_true(stats.counter_bytes <= limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pods_can_be_read_back, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(an_absent_namespace_is_default, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(unknown_objects_cannot_be_deleted, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(objects_must_have_names, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(other_kinds_are_ignored, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(pods_of_a_template_share, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(counters_are_kept_for_the_next_pod, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(counters_beyond_the_limit_are_dropped, small_setup, small_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
