// SPDX-License-Identifier: Apache-2.0
/* The manifests of the documents that this project implements land as the documents say. */
#include "support/file.h"
#include "support/simulation.h"
#include "support/unit.h"
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define FOLDER "examples/documents/"
#define TAINTED                                                                                              \
    "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) had "        \
    "untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 1 No "          \
    "preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling."

typedef struct document {
    const char *name;
    const char *files[4]; /* below FOLDER */
    const char *config;   /* likewise; NULL: kube-scheduler's own */
    const char *gates;
    const char *where;   /* each pod's node */
    const char *message; /* of the one pod without a place; NULL if all have one */
} document;

static const document documents[] = {
    {
        .name = "Default Even Pod Spreading: three replicas on three of the operator's hosts",
        .files = {"operator-defaults/nodes.yaml", "operator-defaults/replica-set.yaml"},
        .config = "operator-defaults/scheduler.yaml",
        .where = NULL,
    },
    {
        .name = "KEP-3094, step 5: one pod pending",
        .files = {"tainted-node/nodes.yaml", "tainted-node/before.yaml"},
        .where = "nginx-#-* -, nginx-#-* node2",
        .message = TAINTED,
    },
    {
        .name = "KEP-3094, step 9: with nodeTaintsPolicy Honor all are placed",
        .files = {"tainted-node/nodes.yaml", "tainted-node/after.yaml"},
        .where = "nginx-#-* node2, nginx-#-* node2",
    },
    {
        .name = "KEP-3094, step 12: the gate is off, and one is pending again",
        .files = {"tainted-node/nodes.yaml", "tainted-node/after.yaml"},
        .gates = "NodeInclusionPolicyInPodTopologySpread=false",
        .where = "nginx-#-* -, nginx-#-* node2",
        .message = TAINTED,
    },
    {
        .name = "Introducing PodTopologySpread: within qa it is zone2",
        .files = {"qa-only/nodes.yaml", "qa-only/pods.yaml", "qa-only/pending-pod.yaml"},
        .where = "foo-1 node2, foo-2 node3, foo-3 node3, foo-4 node4",
    },
    {
        .name = "Introducing PodTopologySpread: zones and nodes leave nodeY",
        .files = {"zone-and-node/nodes.yaml", "zone-and-node/pods.yaml", "zone-and-node/pending-pod.yaml"},
        .where = "foo-1 node-b, foo-2 node-b, foo-3 node-b, foo-4 node-x, foo-5 node-x, foo-6 node-y",
    },
};

static ks_config *read_config(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" FOLDER "%s", KS_SOURCE_DIR, name);
    ks_test_file file = ks_test_file_read(path);
    ks_config *config;
    ks_error err = {0};
    if (ks_config_decode(&config, (ks_source){ks_str_of(path), {file.data, file.len}}, NULL, &err) != KS_OK)
        fail_msg("%s", err.message);
    free(file.data);
    return config;
}

/* Each of the three pods is alone on its host, and both racks have at least one. */
static void check_hosts(simulation *s)
{
    const ks_cycle *cycle;
    ks_error err = {0};
    assert_int_equal(ks_sim_look(&cycle, s->sim, 0, &err), KS_OK);
    assert_int_equal(ks_cycle_get_summary(cycle).constraints, 2);
    assert_true(ks_cycle_get_summary(cycle).defaulted);
    ks_spread_constraint rack = ks_cycle_get_constraint(cycle, 0), host = ks_cycle_get_constraint(cycle, 1);
    assert_true(rack.hard && rack.max_skew == 15 && rack.domains == 2);
    assert_true(!host.hard && host.max_skew == 5 && host.domains == 4);
    assert_true(ks_str_eq(host.selector, KS_STR("app=demo")));
    assert_int_equal(ks_cycle_get_skew(cycle, 0), 1);
    for (size_t i = 0; i < host.domains; i++)
        assert_true(ks_cycle_get_domain(cycle, 1, i).matching <= 1);
    assert_int_equal(ks_sim_get_summary(s->sim).placed, 3);
}

static void check_message(const document *d, simulation *s)
{
    size_t unplaced = ks_sim_get_summary(s->sim).unplaced;
    assert_int_equal(unplaced, d->message ? 1 : 0);
    if (!d->message)
        return;
    ks_str message = ks_sim_get_unplaced(s->sim, 0).message;
    if (!ks_str_eq(message, ks_str_of(d->message)))
        fail_msg("%s:\nwanted %s\ngot    %.*s", d->name, d->message, KS_STR_ARG(message));
}

static void test_document(const document *d, uint64_t seed)
{
    ks_config *config = d->config ? read_config(d->config) : NULL;
    ks_sim_options options = {
        .gates = KS_GATES_DEFAULT, .seed = seed, .profile = config ? &config->profiles.items[0] : NULL};
    ks_error err = {0};
    if (d->gates && ks_gates_parse(&options.gates, ks_str_of(d->gates), &err) != KS_OK)
        fail_msg("%s: %s", d->name, err.message);
    simulation s;
    simulation_begin(&s, &options);
    for (size_t i = 0; i < COUNT(d->files) && d->files[i]; i++) {
        char path[256];
        snprintf(path, sizeof path, FOLDER "%s", d->files[i]);
        simulation_take_file(&s, path);
    }
    simulation_run(&s);
    const char *where = simulation_where(&s);
    if (d->where && strcmp(where, d->where) != 0)
        fail_msg("%s, seed %u:\nwanted %s\ngot    %s", d->name, (unsigned)seed, d->where, where);
    if (!d->where)
        check_hosts(&s);
    check_message(d, &s);
    simulation_end(&s);
    ks_config_free(config);
}

/* Whatever chance decides, it does not decide this. */
static void test_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(documents); i++)
        for (uint64_t seed = 0; seed < 8; seed++)
            test_document(&documents[i], seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
