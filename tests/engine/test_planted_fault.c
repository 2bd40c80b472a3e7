// SPDX-License-Identifier: Apache-2.0
/* The comparison with the plain model must be able to fail: a count that goes wrong by one pod is found. */
#include "engine/engine.h"
#include "support/trial.h"
#include "support/unit.h"

enum { EVENTS = 400, QUESTIONS = 100 };

static bool any_difference(trial *t)
{
    for (int i = 0; i < QUESTIONS; i++) {
        plain_result plain;
        if (*trial_compare_pending(t, &plain))
            return true;
    }
    return false;
}

/* One pod too many in a domain of each living counter. */
static void miscount_domains(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->counters.rows.count; i++) {
        ks_counter *counter = (ks_counter *)cluster->counters.rows.items[i];
        for (uint32_t d = 0; counter && d < counter->topology->domains.count; d++)
            if (counter->nodes[d] > 0) {
                ks_counter_shift(counter, d, 1);
                break;
            }
    }
}

/* The same on the first node, which soft hostname constraints look at. */
static void miscount_nodes(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->matchers.rows.count; i++) {
        ks_matcher *matcher = (ks_matcher *)cluster->matchers.rows.items[i];
        if (matcher && cluster->nodes_by_name.count)
            matcher->on_node[cluster->nodes_by_name.items[0]]++;
    }
}

/* The set of nodes that pass is not kept up. */
static void forget_passing(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->counters.rows.count; i++) {
        ks_counter *counter = (ks_counter *)cluster->counters.rows.items[i];
        if (counter && counter->pass_valid)
            ks_nodeset_clear(&counter->pass);
    }
}

static void check_found(void (*plant)(ks_cluster *))
{
    trial_options options = {
        .name = "planted", .seed = 4711, .size = {12, 60, 2, 8}, .gates = KS_GATES_DEFAULT};
    trial t;
    trial_begin(&t, &options);
    for (int event = 0; event < EVENTS; event++) {
        ks_error err = {0};
        assert_int_equal(world_step(&t.world, t.cluster, &err), KS_OK);
    }
    assert_false(any_difference(&t));
    plant(t.cluster);
    assert_true(any_difference(&t));
    trial_end(&t);
}

static void a_domain_miscounted_is_found(void **state)
{
    (void)state;
    check_found(miscount_domains);
}

static void a_node_miscounted_is_found(void **state)
{
    (void)state;
    check_found(miscount_nodes);
}

static void a_stale_passing_set_is_found(void **state)
{
    (void)state;
    check_found(forget_passing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_domain_miscounted_is_found),
        cmocka_unit_test(a_node_miscounted_is_found),
        cmocka_unit_test(a_stale_passing_set_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
