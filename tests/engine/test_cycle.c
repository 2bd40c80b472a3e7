// SPDX-License-Identifier: Apache-2.0
/* How clusters and cycles behave for someone who embeds them; the counts themselves are test_events'. */
#include "support/make.h"
#include "support/random.h"
#include "support/unit.h"
#include "util/str.h"

typedef struct fixture {
    ks_alloc alloc;
    ks_arena arena;
    ks_cluster *cluster;
    ks_cycle *cycle;
} fixture;

static void begin(fixture *f, const ks_cluster_options *options)
{
    ks_error err = {0};
    assert_int_equal(ks_cluster_new(&f->cluster, options, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&f->cycle, f->cluster, &err), KS_OK);
}

static int setup(void **state)
{
    static fixture f;
    ks_alloc_init(&f.alloc, NULL);
    ks_arena_init(&f.arena, &f.alloc);
    begin(&f, NULL);
    *state = &f;
    return 0;
}

static void end(fixture *f)
{
    ks_cycle_free(f->cycle);
    ks_cluster_free(f->cluster);
}

static int teardown(void **state)
{
    fixture *f = *state;
    end(f);
    ks_arena_free(&f->arena);
    return 0;
}

static void apply(fixture *f, ks_object object)
{
    ks_error err = {0};
    if (ks_cluster_apply(f->cluster, &object, &err) != KS_OK)
        fail_msg("%s", err.message);
}

static void delete_(fixture *f, ks_kind kind, const char *namespace_, const char *name)
{
    ks_error err = {0};
    if (ks_cluster_delete(f->cluster, kind, ks_str_of(namespace_), ks_str_of(name), &err) != KS_OK)
        fail_msg("%s", err.message);
}

static ks_cycle_summary run(fixture *f, const ks_pod *pod)
{
    ks_error err = {0};
    if (ks_cycle_run(f->cycle, pod, &err) != KS_OK)
        fail_msg("%s", err.message);
    return ks_cycle_get_summary(f->cycle);
}

static ks_object web_pod(fixture *f, const char *when, int32_t max_skew)
{
    ks_object pod = make_pod(&f->arena, "pending", "app=web", NULL);
    const made_constraint constraints[] = {{"zone", when, "app=web", max_skew, NULL}, {0}};
    make_constraints(&pod.pod, &f->arena, constraints);
    return pod;
}

/* The codes of all nodes as a word: S(uccess), U(nschedulable), N (and unresolvable), E(rror). */
static const char *codes(fixture *f, char *out)
{
    static const char letters[] = {[KS_SUCCESS] = 'S',
                                   [KS_ERROR] = 'E',
                                   [KS_UNSCHEDULABLE] = 'U',
                                   [KS_UNSCHEDULABLE_AND_UNRESOLVABLE] = 'N'};
    size_t nodes = ks_cycle_get_summary(f->cycle).nodes;
    for (size_t i = 0; i < nodes; i++)
        out[i] = letters[ks_cycle_get_node(f->cycle, i).code];
    out[nodes] = '\0';
    return out;
}

static void assert_codes(fixture *f, const ks_pod *pod, const char *wanted)
{
    char word[64];
    run(f, pod);
    assert_string_equal(codes(f, word), wanted);
}

static void assert_text(ks_str text, const char *wanted)
{
    if (!ks_str_eq(text, ks_str_of(wanted)))
        fail_msg("\"%.*s\", wanted \"%s\"", KS_STR_ARG(text), wanted);
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    ks_cluster_free(NULL);
    ks_cycle_free(NULL);
}

static void an_empty_cluster_has_no_place(void **state)
{
    fixture *f = *state;
    ks_object pod = web_pod(f, "hard", 1);
    ks_cycle_summary summary = run(f, &pod.pod);
    assert_int_equal(summary.pre_filter, KS_SUCCESS);
    assert_int_equal(summary.pre_score, KS_SKIP);
    assert_int_equal(summary.nodes + summary.feasible, 0);
    assert_int_equal(summary.constraints, 1);
    assert_false(summary.defaulted);
    ks_spread_constraint constraint = ks_cycle_get_constraint(f->cycle, 0);
    assert_int_equal(constraint.domains, 0);
    assert_int_equal(constraint.minimum, 0);
}

static void a_pod_without_constraints_fits_anywhere(void **state)
{
    fixture *f = *state;
    apply(f, make_node(&f->arena, "a", NULL, NULL));
    ks_object pod = make_pod(&f->arena, "pending", "app=web", NULL);
    ks_cycle_summary summary = run(f, &pod.pod);
    assert_int_equal(summary.constraints, 0);
    assert_int_equal(summary.feasible, 1);
    assert_false(summary.defaulted);
    int64_t score;
    assert_int_equal(ks_cycle_get_node(f->cycle, 0).score, 0);
    assert_false(ks_cycle_get_plugin_score(f->cycle, "PodTopologySpread", 0, &score));
}

static void nodes_are_in_the_order_of_names(void **state)
{
    fixture *f = *state;
    static const char *const given[] = {"b", "a-10", "a", "a-9", "B", "a-1"};
    static const char *const wanted[] = {"B", "a", "a-1", "a-10", "a-9", "b"};
    for (size_t i = 0; i < 6; i++)
        apply(f, make_node(&f->arena, given[i], NULL, NULL));
    ks_object pod = make_pod(&f->arena, "pending", NULL, NULL);
    assert_int_equal(run(f, &pod.pod).nodes, 6);
    for (size_t i = 0; i < 6; i++)
        assert_text(ks_cycle_get_node(f->cycle, i).name, wanted[i]);
    delete_(f, KS_NODE, NULL, "a-1");
    assert_int_equal(run(f, &pod.pod).nodes, 5);
    assert_text(ks_cycle_get_node(f->cycle, 2).name, "a-10");
}

static void a_cycle_sees_what_happened_since(void **state)
{
    fixture *f = *state;
    ks_object pod = web_pod(f, "hard", 1);
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    assert_codes(f, &pod.pod, "S");
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    apply(f, make_pod(&f->arena, "p1", "app=web", "a"));
    assert_codes(f, &pod.pod, "US");
    apply(f, make_pod(&f->arena, "p2", "app=web", "b"));
    assert_codes(f, &pod.pod, "SS");
    apply(f, make_pod(&f->arena, "p2", "app=db", "b"));
    assert_codes(f, &pod.pod, "US");
    apply(f, make_node(&f->arena, "b", NULL, NULL));
    assert_codes(f, &pod.pod, "SN");
    delete_(f, KS_POD, NULL, "p1");
    assert_codes(f, &pod.pod, "SN");
    delete_(f, KS_NODE, NULL, "a");
    assert_codes(f, &pod.pod, "N");
}

static void two_cycles_of_one_cluster_agree(void **state)
{
    fixture *f = *state;
    ks_error err = {0};
    ks_cycle *other;
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    apply(f, make_pod(&f->arena, "p", "app=web", "a"));
    ks_object hard = web_pod(f, "hard", 1), soft = web_pod(f, "soft", 1);
    assert_int_equal(ks_cycle_new(&other, f->cluster, &err), KS_OK);
    run(f, &hard.pod);
    assert_int_equal(ks_cycle_run(other, &soft.pod, &err), KS_OK);
    assert_int_equal(ks_cycle_get_node(f->cycle, 0).code, KS_UNSCHEDULABLE);
    assert_int_equal(ks_cycle_get_node(other, 0).code, KS_SUCCESS);
    assert_true(ks_cycle_get_node(other, 0).score < ks_cycle_get_node(other, 1).score);
    ks_cycle_free(other);
    assert_int_equal(ks_cycle_get_node(f->cycle, 0).code, KS_UNSCHEDULABLE);
}

static void pods_may_come_before_their_node(void **state)
{
    fixture *f = *state;
    ks_object pod = web_pod(f, "hard", 1);
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    apply(f, make_pod(&f->arena, "p1", "app=web", "a"));
    assert_codes(f, &pod.pod, "S");
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    assert_codes(f, &pod.pod, "US");
    delete_(f, KS_NODE, NULL, "a");
    assert_codes(f, &pod.pod, "S");
    apply(f, make_pod(&f->arena, "p2", "app=web", "a"));
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    run(f, &pod.pod);
    assert_int_equal(ks_cycle_get_domain(f->cycle, 0, 0).matching, 2);
    assert_int_equal(ks_cluster_get_stats(f->cluster).nodes, 2);
}

static void a_bound_pod_counts_where_it_stands(void **state)
{
    fixture *f = *state;
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    ks_object pod = web_pod(f, "hard", 1);
    assert_codes(f, &pod.pod, "SS");
    pod.pod.spec.node_name = KS_STR("a");
    assert_codes(f, &pod.pod, "SS");
    apply(f, pod);
    assert_codes(f, &pod.pod, "US");
}

static void what_is_over_or_going_does_not_count(void **state)
{
    fixture *f = *state;
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    ks_object pod = web_pod(f, "hard", 1), other = make_pod(&f->arena, "p", "app=web", "a");
    static const char *const phases[] = {"Running", "Succeeded", "Pending", "Failed", "Unknown"};
    static const char *const wanted[] = {"US", "SS", "US", "SS", "US"};
    for (size_t i = 0; i < 5; i++) {
        other.pod.status.phase = ks_str_of(phases[i]);
        apply(f, other);
        assert_codes(f, &pod.pod, wanted[i]);
    }
    other.metadata.deletion_timestamp = KS_STR("2026-01-01T00:00:00Z");
    apply(f, other);
    assert_codes(f, &pod.pod, "SS");
}

static void numbers_say_why(void **state)
{
    fixture *f = *state;
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    apply(f, make_node(&f->arena, "b", "zone=b", "spot=:NoExecute"));
    apply(f, make_node(&f->arena, "c", NULL, NULL));
    apply(f, make_pod(&f->arena, "p", "app=web", "a"));
    ks_object pod = web_pod(f, "hard", 2);
    pod.pod.spec.topology_spread_constraints.items[0].node_taints_policy = KS_STR("Honor");
    assert_codes(f, &pod.pod, "SSN");
    assert_text(ks_cycle_get_node(f->cycle, 2).plugin, "PodTopologySpread");
    assert_text(ks_cycle_get_node(f->cycle, 2).reason,
                "node(s) didn't match pod topology spread constraints (missing required label)");
    ks_spread_constraint constraint = ks_cycle_get_constraint(f->cycle, 0);
    assert_text(constraint.topology_key, "zone");
    assert_text(constraint.selector, "app=web");
    assert_int_equal(constraint.domains, 1);
    assert_int_equal(constraint.minimum, 1);
    assert_true(constraint.hard && constraint.honors_affinity && constraint.honors_taints);
    ks_spread_numbers numbers = ks_cycle_get_numbers(f->cycle, 0, 0);
    assert_int_equal(numbers.matching, 1);
    assert_int_equal(numbers.exclusion, KS_COUNTED);
    numbers = ks_cycle_get_numbers(f->cycle, 1, 0);
    assert_int_equal(numbers.matching, 0);
    assert_int_equal(numbers.exclusion, KS_EXCLUDED_TAINT);
    assert_text(numbers.detail, "spot");
    numbers = ks_cycle_get_numbers(f->cycle, 2, 0);
    assert_int_equal(numbers.exclusion, KS_EXCLUDED_KEY);
    assert_text(numbers.detail, "zone");
    assert_false(numbers.has_key);
}

static void broken_selectors_are_errors_of_the_pod(void **state)
{
    fixture *f = *state;
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    ks_selector_requirement broken = {.key = KS_STR("app"), .op = KS_STR("Matches")};
    ks_label_selector selector = {.match_expressions = {&broken, 1}};
    ks_object hard = web_pod(f, "hard", 1), soft = web_pod(f, "soft", 1);
    hard.pod.spec.topology_spread_constraints.items[0].label_selector = &selector;
    soft.pod.spec.topology_spread_constraints.items[0].label_selector = &selector;

    ks_cycle_summary summary = run(f, &hard.pod);
    assert_int_equal(summary.pre_filter, KS_ERROR);
    assert_int_equal(summary.feasible, 0);
    assert_text(
        summary.message,
        "running PreFilter plugin \"PodTopologySpread\": get constraints from pod: obtaining pod's hard "
        "topology spread constraints: \"Matches\" is not a valid label selector operator");
    assert_int_equal(ks_cycle_get_node(f->cycle, 0).code, KS_ERROR);
    summary = run(f, &soft.pod);
    assert_int_equal(summary.pre_filter, KS_SUCCESS);
    assert_int_equal(summary.pre_score, KS_ERROR);
    assert_text(
        summary.message,
        "running PreScore plugin \"PodTopologySpread\": calculating preScoreState: obtaining pod's soft "
        "topology spread constraints: \"Matches\" is not a valid label selector operator");
    hard = web_pod(f, "hard", 1);
    assert_codes(f, &hard.pod, "S");
}

static void the_profile_sets_the_weight(void **state)
{
    fixture *f = *state;
    ks_plugin_use plugin = {KS_STR("PodTopologySpread"), 7, true, true};
    ks_profile profile = {.plugins = {&plugin, 1}};
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    end(f);
    begin(f, &options);
    plugin.weight = 1;
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    ks_object pod = web_pod(f, "soft", 1);
    run(f, &pod.pod);
    int64_t score = 0;
    assert_true(ks_cycle_get_plugin_score(f->cycle, "PodTopologySpread", 0, &score));
    assert_int_equal(score, 700);
    assert_int_equal(ks_cycle_get_node(f->cycle, 0).score, 700);
    assert_false(ks_cycle_get_plugin_score(f->cycle, "NodeAffinity", 0, &score));
}

/* ---- what is stored ---- */

static void pods_can_be_read_back(void **state)
{
    fixture *f = *state;
    ks_error err = {0};
    ks_object given = web_pod(f, "hard", 3);
    given.metadata.namespace_ = KS_STR("prod");
    given.pod.status.phase = KS_STR("Running");
    given.pod.spec.node_name = KS_STR("a");
    given.pod.spec.node_selector = make_labels(&f->arena, "disk=ssd");
    apply(f, given);
    ks_pod read;
    assert_int_equal(ks_cluster_get_pod(&read, f->cluster, KS_STR("prod"), KS_STR("pending"), &err), KS_OK);
    assert_text(read.metadata.name, "pending");
    assert_text(read.metadata.namespace_, "prod");
    assert_text(read.metadata.uid, "pending");
    assert_text(read.status.phase, "Running");
    assert_text(read.spec.node_name, "a");
    assert_int_equal(read.metadata.labels.count, 1);
    assert_text(read.metadata.labels.items[0].value, "web");
    assert_text(read.spec.node_selector.items[0].value, "ssd");
    assert_int_equal(read.spec.topology_spread_constraints.count, 1);
    assert_int_equal(read.spec.topology_spread_constraints.items[0].max_skew, 3);

    assert_int_equal(ks_cluster_get_pod(&read, f->cluster, (ks_str){0}, KS_STR("pending"), &err),
                     KS_ENOTFOUND);
    assert_int_equal(err.code, KS_ENOTFOUND);
    assert_string_equal(err.message, "pod \"default/pending\" not found");
}

static void an_absent_namespace_is_default(void **state)
{
    fixture *f = *state;
    ks_error err = {0};
    ks_object pod = make_pod(&f->arena, "p", NULL, NULL);
    pod.metadata.namespace_ = (ks_str){0};
    apply(f, pod);
    pod.metadata.namespace_ = KS_STR("default");
    apply(f, pod);
    assert_int_equal(ks_cluster_get_stats(f->cluster).pods, 1);
    ks_pod read;
    assert_int_equal(ks_cluster_get_pod(&read, f->cluster, (ks_str){0}, KS_STR("p"), &err), KS_OK);
    delete_(f, KS_POD, "default", "p");
    assert_int_equal(ks_cluster_get_stats(f->cluster).pods, 0);
}

static void unknown_objects_cannot_be_deleted(void **state)
{
    fixture *f = *state;
    static const ks_kind kinds[] = {KS_POD, KS_NODE, KS_SERVICE, KS_REPLICA_SET, KS_NAMESPACE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ks_error err = {0};
        int rc = ks_cluster_delete(f->cluster, kinds[i], KS_STR("default"), KS_STR("gone"), &err);
        assert_int_equal(rc, KS_ENOTFOUND);
        assert_non_null(strstr(err.message, "\"gone\"") ? err.message : strstr(err.message, "/gone\""));
    }
    /* A node that only its pods speak of is not there either. */
    apply(f, make_pod(&f->arena, "p", NULL, "a"));
    assert_int_equal(ks_cluster_delete(f->cluster, KS_NODE, (ks_str){0}, KS_STR("a"), NULL), KS_ENOTFOUND);
}

static void objects_must_have_names(void **state)
{
    fixture *f = *state;
    static const ks_kind kinds[] = {KS_POD, KS_NODE, KS_SERVICE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ks_error err = {0};
        ks_object nameless = {.kind = kinds[i]};
        assert_int_equal(ks_cluster_apply(f->cluster, &nameless, &err), KS_EINVAL);
        assert_non_null(strstr(err.message, "metadata.name"));
    }
}

static void other_kinds_are_ignored(void **state)
{
    fixture *f = *state;
    static const ks_kind kinds[] = {
        KS_DEPLOYMENT, KS_DAEMON_SET, KS_JOB, KS_PRIORITY_CLASS, KS_POD_DISRUPTION_BUDGET, KS_NAMESPACE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        apply(f, (ks_object){.kind = kinds[i], .metadata.name = KS_STR("other")});
    assert_int_equal(ks_cluster_get_stats(f->cluster).pods, 0);
}

/* ---- memory ---- */

static void pods_of_a_template_share(void **state)
{
    fixture *f = *state;
    for (uint32_t i = 0; i < 100; i++) {
        ks_object pod = web_pod(f, "hard", 1);
        pod.metadata.name = random_name(&f->arena, "web-%u", i);
        if (i % 10)
            pod.pod.spec.node_name = random_name(&f->arena, "node-%u", i % 10);
        apply(f, pod);
    }
    ks_cluster_stats stats = ks_cluster_get_stats(f->cluster);
    assert_int_equal(stats.pods, 100);
    assert_int_equal(stats.pods_pending, 10);
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.pod_classes, 1);
    assert_int_equal(stats.pod_specs, 1);
    for (uint32_t i = 0; i < 100; i++) {
        ks_str name = random_name(&f->arena, "web-%u", i);
        delete_(f, KS_POD, "default", name.data);
    }
    stats = ks_cluster_get_stats(f->cluster);
    assert_int_equal(stats.pods + stats.pods_pending + stats.pod_classes + stats.pod_specs, 0);
}

/* Runs a pod of its own class, and so with counters of its own, for each number. */
static void run_many_classes(fixture *f, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ks_object pod = make_pod(&f->arena, "pending", NULL, NULL);
        ks_str app = random_name(&f->arena, "app=a%u", i);
        const made_constraint constraints[] = {{"zone", "hard", app.data, 1, NULL}, {0}};
        pod.metadata.labels = make_labels(&f->arena, app.data);
        make_constraints(&pod.pod, &f->arena, constraints);
        ks_object other = make_pod(&f->arena, "other", app.data, "a");
        apply(f, other);
        assert_codes(f, &pod.pod, "US");
    }
}

static void counters_are_kept_for_the_next_pod(void **state)
{
    fixture *f = *state;
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    run_many_classes(f, 50);
    ks_cluster_stats stats = ks_cluster_get_stats(f->cluster);
    assert_int_equal(stats.counters, 50);
    assert_true(stats.counter_bytes > 0 && stats.counter_bytes < stats.bytes);
    run_many_classes(f, 50);
    assert_int_equal(ks_cluster_get_stats(f->cluster).counters, 50);
}

static void counters_beyond_the_limit_are_dropped(void **state)
{
    fixture *f = *state;
    ks_cluster_options options = {.gates = KS_GATES_DEFAULT, .counter_bytes_max = 1};
    end(f);
    begin(f, &options);
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    run_many_classes(f, 5);
    size_t early = ks_cluster_get_stats(f->cluster).counter_bytes;
    run_many_classes(f, 200);
    ks_cluster_stats stats = ks_cluster_get_stats(f->cluster);
    assert_true(stats.counters <= 2);
    assert_true(stats.counter_bytes <= 2 * early);

    size_t limit = 20000;
    options.counter_bytes_max = limit;
    end(f);
    begin(f, &options);
    apply(f, make_node(&f->arena, "a", "zone=a", NULL));
    apply(f, make_node(&f->arena, "b", "zone=b", NULL));
    run_many_classes(f, 200);
    stats = ks_cluster_get_stats(f->cluster);
    assert_true(stats.counters > 1 && stats.counters < 200);
    assert_true(stats.counter_bytes <= limit);
}

static void names_are_kubernetes_own(void **state)
{
    (void)state;
    assert_string_equal(ks_code_name(KS_SUCCESS), "Success");
    assert_string_equal(ks_code_name(KS_ERROR), "Error");
    assert_string_equal(ks_code_name(KS_UNSCHEDULABLE), "Unschedulable");
    assert_string_equal(ks_code_name(KS_UNSCHEDULABLE_AND_UNRESOLVABLE), "UnschedulableAndUnresolvable");
    assert_string_equal(ks_code_name(KS_SKIP), "Skip");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_can_be_freed),
        cmocka_unit_test_setup_teardown(an_empty_cluster_has_no_place, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pod_without_constraints_fits_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(nodes_are_in_the_order_of_names, setup, teardown),
        cmocka_unit_test_setup_teardown(a_cycle_sees_what_happened_since, setup, teardown),
        cmocka_unit_test_setup_teardown(two_cycles_of_one_cluster_agree, setup, teardown),
        cmocka_unit_test_setup_teardown(pods_may_come_before_their_node, setup, teardown),
        cmocka_unit_test_setup_teardown(a_bound_pod_counts_where_it_stands, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_over_or_going_does_not_count, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_say_why, setup, teardown),
        cmocka_unit_test_setup_teardown(broken_selectors_are_errors_of_the_pod, setup, teardown),
        cmocka_unit_test_setup_teardown(the_profile_sets_the_weight, setup, teardown),
        cmocka_unit_test_setup_teardown(pods_can_be_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(an_absent_namespace_is_default, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_objects_cannot_be_deleted, setup, teardown),
        cmocka_unit_test_setup_teardown(objects_must_have_names, setup, teardown),
        cmocka_unit_test_setup_teardown(other_kinds_are_ignored, setup, teardown),
        cmocka_unit_test_setup_teardown(pods_of_a_template_share, setup, teardown),
        cmocka_unit_test_setup_teardown(counters_are_kept_for_the_next_pod, setup, teardown),
        cmocka_unit_test_setup_teardown(counters_beyond_the_limit_are_dropped, setup, teardown),
        cmocka_unit_test(names_are_kubernetes_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
