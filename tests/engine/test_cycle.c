// SPDX-License-Identifier: Apache-2.0
/* How cycles behave for someone who embeds them; the counts themselves are test_events'. */
#include "support/small.h"
#include "support/unit.h"
#include "util/str.h"

static void nothing_can_be_freed(void **state)
{
    (void)state;
    ks_cluster_free(NULL);
    ks_cycle_free(NULL);
}

static void the_default_profile_spreads(void **state)
{
    small *s = *state;
    ks_error err = {0};
    small_end(s);
    assert_int_equal(ks_cluster_new(&s->cluster, NULL, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&s->cycle, s->cluster, &err), KS_OK);
    ks_object node = make_node(&s->arena, "a", "zone=a", NULL);
    ks_resource room = {KS_STR("pods"), {.value = 10}};
    node.node.status.allocatable.items = &room;
    node.node.status.allocatable.count = 1;
    small_apply(s, node);
    ks_object pod = small_web_pod(s, "soft", 1);
    small_run(s, &pod.pod);
    int64_t score = 0;
    assert_true(ks_cycle_get_plugin_score(s->cycle, "PodTopologySpread", 0, &score));
    assert_int_equal(score, 200);
}

static void an_empty_cluster_has_no_place(void **state)
{
    small *s = *state;
    ks_object pod = small_web_pod(s, "hard", 1);
    ks_cycle_summary summary = small_run(s, &pod.pod);
    assert_int_equal(summary.pre_filter, KS_SUCCESS);
    assert_int_equal(summary.pre_score, KS_SKIP);
    assert_int_equal(summary.nodes + summary.feasible, 0);
    assert_int_equal(summary.constraints, 1);
    assert_false(summary.defaulted);
    ks_spread_constraint constraint = ks_cycle_get_constraint(s->cycle, 0);
    assert_int_equal(constraint.domains, 0);
    assert_int_equal(constraint.minimum, 0);
}

static void a_pod_without_constraints_fits_anywhere(void **state)
{
    small *s = *state;
    small_apply(s, make_node(&s->arena, "a", NULL, NULL));
    ks_object pod = make_pod(&s->arena, "pending", "app=web", NULL);
    ks_cycle_summary summary = small_run(s, &pod.pod);
    assert_int_equal(summary.constraints, 0);
    assert_int_equal(summary.feasible, 1);
    assert_false(summary.defaulted);
    int64_t score;
    assert_int_equal(ks_cycle_get_node(s->cycle, 0).score, 0);
    assert_false(ks_cycle_get_plugin_score(s->cycle, "PodTopologySpread", 0, &score));
}

static void nodes_are_in_the_order_of_names(void **state)
{
    small *s = *state;
    static const char *const given[] = {"b", "a-10", "a", "a-9", "B", "a-1"};
    static const char *const wanted[] = {"B", "a", "a-1", "a-10", "a-9", "b"};
    for (size_t i = 0; i < 6; i++)
        small_apply(s, make_node(&s->arena, given[i], NULL, NULL));
    ks_object pod = make_pod(&s->arena, "pending", NULL, NULL);
    assert_int_equal(small_run(s, &pod.pod).nodes, 6);
    for (size_t i = 0; i < 6; i++)
        small_assert_text(ks_cycle_get_node(s->cycle, i).name, wanted[i]);
    small_delete(s, KS_NODE, NULL, "a-1");
    assert_int_equal(small_run(s, &pod.pod).nodes, 5);
    small_assert_text(ks_cycle_get_node(s->cycle, 2).name, "a-10");
}

static void a_cycle_sees_what_happened_since(void **state)
{
    small *s = *state;
    ks_object pod = small_web_pod(s, "hard", 1);
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_assert_codes(s, &pod.pod, "S");
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    small_apply(s, make_pod(&s->arena, "p1", "app=web", "a"));
    small_assert_codes(s, &pod.pod, "US");
    small_apply(s, make_pod(&s->arena, "p2", "app=web", "b"));
    small_assert_codes(s, &pod.pod, "SS");
    small_apply(s, make_pod(&s->arena, "p2", "app=db", "b"));
    small_assert_codes(s, &pod.pod, "US");
    small_apply(s, make_node(&s->arena, "b", NULL, NULL));
    small_assert_codes(s, &pod.pod, "SN");
    small_delete(s, KS_POD, NULL, "p1");
    small_assert_codes(s, &pod.pod, "SN");
    small_delete(s, KS_NODE, NULL, "a");
    small_assert_codes(s, &pod.pod, "N");
}

static void two_cycles_of_one_cluster_agree(void **state)
{
    small *s = *state;
    ks_error err = {0};
    ks_cycle *other;
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    small_apply(s, make_pod(&s->arena, "p", "app=web", "a"));
    ks_object hard = small_web_pod(s, "hard", 1), soft = small_web_pod(s, "soft", 1);
    assert_int_equal(ks_cycle_new(&other, s->cluster, &err), KS_OK);
    small_run(s, &hard.pod);
    assert_int_equal(ks_cycle_run(other, &soft.pod, &err), KS_OK);
    assert_int_equal(ks_cycle_get_node(s->cycle, 0).code, KS_UNSCHEDULABLE);
    assert_int_equal(ks_cycle_get_node(other, 0).code, KS_SUCCESS);
    assert_true(ks_cycle_get_node(other, 0).score < ks_cycle_get_node(other, 1).score);
    ks_cycle_free(other);
    assert_int_equal(ks_cycle_get_node(s->cycle, 0).code, KS_UNSCHEDULABLE);
}

static void pods_may_come_before_their_node(void **state)
{
    small *s = *state;
    ks_object pod = small_web_pod(s, "hard", 1);
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    small_apply(s, make_pod(&s->arena, "p1", "app=web", "a"));
    small_assert_codes(s, &pod.pod, "S");
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_assert_codes(s, &pod.pod, "US");
    small_delete(s, KS_NODE, NULL, "a");
    small_assert_codes(s, &pod.pod, "S");
    small_apply(s, make_pod(&s->arena, "p2", "app=web", "a"));
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_run(s, &pod.pod);
    assert_int_equal(ks_cycle_get_domain(s->cycle, 0, 0).matching, 2);
    assert_int_equal(ks_cluster_get_stats(s->cluster).nodes, 2);
}

static void a_bound_pod_counts_where_it_stands(void **state)
{
    small *s = *state;
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    ks_object pod = small_web_pod(s, "hard", 1);
    small_assert_codes(s, &pod.pod, "SS");
    pod.pod.spec.node_name = KS_STR("a");
    small_assert_codes(s, &pod.pod, "SS");
    small_apply(s, pod);
    small_assert_codes(s, &pod.pod, "US");
}

static void what_is_over_or_going_does_not_count(void **state)
{
    small *s = *state;
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_apply(s, make_node(&s->arena, "b", "zone=b", NULL));
    ks_object pod = small_web_pod(s, "hard", 1), other = make_pod(&s->arena, "p", "app=web", "a");
    static const char *const phases[] = {"Running", "Succeeded", "Pending", "Failed", "Unknown"};
    static const char *const wanted[] = {"US", "SS", "US", "SS", "US"};
    for (size_t i = 0; i < 5; i++) {
        other.pod.status.phase = ks_str_of(phases[i]);
        small_apply(s, other);
        small_assert_codes(s, &pod.pod, wanted[i]);
    }
    other.metadata.deletion_timestamp = KS_STR("2026-01-01T00:00:00Z");
    small_apply(s, other);
    small_assert_codes(s, &pod.pod, "SS");
}

static void numbers_say_why(void **state)
{
    small *s = *state;
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    small_apply(s, make_node(&s->arena, "b", "zone=b", "spot=:NoExecute"));
    small_apply(s, make_node(&s->arena, "c", NULL, NULL));
    small_apply(s, make_pod(&s->arena, "p", "app=web", "a"));
    ks_object pod = small_web_pod(s, "hard", 2);
    pod.pod.spec.topology_spread_constraints.items[0].node_taints_policy = KS_STR("Honor");
    small_assert_codes(s, &pod.pod, "SSN");
    small_assert_text(ks_cycle_get_node(s->cycle, 2).plugin, "PodTopologySpread");
    small_assert_text(ks_cycle_get_node(s->cycle, 2).reason,
                      "node(s) didn't match pod topology spread constraints (missing required label)");
    ks_spread_constraint constraint = ks_cycle_get_constraint(s->cycle, 0);
    small_assert_text(constraint.topology_key, "zone");
    small_assert_text(constraint.selector, "app=web");
    assert_int_equal(constraint.domains, 1);
    assert_int_equal(constraint.minimum, 1);
    assert_true(constraint.hard && constraint.honors_affinity && constraint.honors_taints);
    ks_spread_numbers numbers = ks_cycle_get_numbers(s->cycle, 0, 0);
    assert_int_equal(numbers.matching, 1);
    assert_int_equal(numbers.exclusion, KS_COUNTED);
    numbers = ks_cycle_get_numbers(s->cycle, 1, 0);
    assert_int_equal(numbers.matching, 0);
    assert_int_equal(numbers.exclusion, KS_EXCLUDED_TAINT);
    small_assert_text(numbers.detail, "spot");
    numbers = ks_cycle_get_numbers(s->cycle, 2, 0);
    assert_int_equal(numbers.exclusion, KS_EXCLUDED_KEY);
    small_assert_text(numbers.detail, "zone");
    assert_false(numbers.has_key);
}

static void broken_selectors_are_errors_of_the_pod(void **state)
{
    small *s = *state;
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    ks_selector_requirement broken = {.key = KS_STR("app"), .op = KS_STR("Matches")};
    ks_label_selector selector = {.match_expressions = {&broken, 1}};
    ks_object hard = small_web_pod(s, "hard", 1), soft = small_web_pod(s, "soft", 1);
    hard.pod.spec.topology_spread_constraints.items[0].label_selector = &selector;
    soft.pod.spec.topology_spread_constraints.items[0].label_selector = &selector;

    ks_cycle_summary summary = small_run(s, &hard.pod);
    assert_int_equal(summary.pre_filter, KS_ERROR);
    assert_int_equal(summary.feasible, 0);
    small_assert_text(
        summary.message,
        "running PreFilter plugin \"PodTopologySpread\": get constraints from pod: obtaining pod's hard "
        "topology spread constraints: \"Matches\" is not a valid label selector operator");
    assert_int_equal(ks_cycle_get_node(s->cycle, 0).code, KS_ERROR);
    summary = small_run(s, &soft.pod);
    assert_int_equal(summary.pre_filter, KS_SUCCESS);
    assert_int_equal(summary.pre_score, KS_ERROR);
    small_assert_text(
        summary.message,
        "running PreScore plugin \"PodTopologySpread\": calculating preScoreState: obtaining pod's soft "
        "topology spread constraints: \"Matches\" is not a valid label selector operator");
    hard = small_web_pod(s, "hard", 1);
    small_assert_codes(s, &hard.pod, "S");
}

static void the_profile_sets_the_weight(void **state)
{
    small *s = *state;
    small_end(s);
    small_begin(s, 7, 0);
    small_apply(s, make_node(&s->arena, "a", "zone=a", NULL));
    ks_object pod = small_web_pod(s, "soft", 1);
    small_run(s, &pod.pod);
    int64_t score = 0;
    assert_true(ks_cycle_get_plugin_score(s->cycle, "PodTopologySpread", 0, &score));
    assert_int_equal(score, 700);
    assert_int_equal(ks_cycle_get_node(s->cycle, 0).score, 700);
    assert_false(ks_cycle_get_plugin_score(s->cycle, "NodeAffinity", 0, &score));
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
        cmocka_unit_test_setup_teardown(the_default_profile_spreads, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(an_empty_cluster_has_no_place, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(a_pod_without_constraints_fits_anywhere, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(nodes_are_in_the_order_of_names, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(a_cycle_sees_what_happened_since, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(two_cycles_of_one_cluster_agree, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(pods_may_come_before_their_node, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(a_bound_pod_counts_where_it_stands, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(what_is_over_or_going_does_not_count, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(numbers_say_why, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(broken_selectors_are_errors_of_the_pod, small_setup, small_teardown),
        cmocka_unit_test_setup_teardown(the_profile_sets_the_weight, small_setup, small_teardown),
        cmocka_unit_test(names_are_kubernetes_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
