// SPDX-License-Identifier: Apache-2.0
/* How many more copies fit, where, and what stops the next one. */
#include "sim/capacity.h"
#include "support/failing_allocator.h"
#include "support/simulation.h"
#include "support/unit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define NODE(name, zone, cpu)                                                                                \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: {zone: " zone "}}, "               \
    "status: {allocatable: {cpu: '" cpu "', memory: 8Gi, pods: '9'}}}\n"
#define SPREAD                                                                                               \
    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "         \
    "labelSelector: {matchLabels: {app: web}}}]"
#define DEPLOYMENT(replicas, more)                                                                           \
    "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: " replicas         \
    ", selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {" more         \
    "containers: [{name: c, image: i, resources: {limits: {cpu: '1'}}}]}}}}\n"
#define PRIORITY                                                                                             \
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 10}\n"

typedef struct fill {
    const char *name, *text;
    size_t limit, copies;
    const char *nodes;
    const char *message; /* how it begins; NULL: the limit stops it */
} fill;

static const fill fills[] = {
    {"until the last node is full", NODE("n1", "a", "3") NODE("n2", "b", "2") DEPLOYMENT("1", ""), 0, 4, NULL,
     "0/2 nodes are available: 2 Insufficient cpu. "},
    {"until the spread would break", NODE("n1", "a", "9") NODE("n2", "b", "2") DEPLOYMENT("0", SPREAD ", "),
     0, 5, "n1 3, n2 2",
     "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints. "},
    {"until the limit", NODE("n1", "a", "9") DEPLOYMENT("2", ""), 3, 3, "n1 3", NULL},
    {"none", NODE("n1", "a", "1") DEPLOYMENT("1", ""), 0, 0, "n1 0",
     "0/1 nodes are available: 1 Insufficient cpu. "},
    {"nobody is evicted for them",
     NODE("n1", "a", "2") PRIORITY "---\n{apiVersion: v1, kind: Pod, metadata: {name: old}, spec: "
                                   "{nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "
                                   "'1'}}}]}}\n" DEPLOYMENT("0", "priorityClassName: high, "),
     0, 1, "n1 1", "0/1 nodes are available: 1 Insufficient cpu. "},
    {"no nodes", DEPLOYMENT("0", ""), 0, 0, "", "no nodes available to schedule pods"},
};

static void put_nodes(ks_buf *out, const ks_capacity *capacity)
{
    ks_buf_clear(out);
    size_t nodes = ks_capacity_get_summary(capacity).nodes;
    for (size_t i = 0; i < nodes; i++) {
        ks_capacity_node node = ks_capacity_get_node(capacity, i);
        ks_buf_printf(out, "%s%.*s %zu", i ? ", " : "", KS_STR_ARG(node.name), node.copies);
    }
}

static int run(ks_capacity **out, ks_sim *sim, size_t limit, ks_error *err)
{
    const ks_pod *pod;
    int code = ks_sim_find_pod(&pod, sim, KS_DEPLOYMENT, (ks_str){0}, KS_STR("web"), err);
    return code == KS_OK ? ks_capacity_run(out, sim, pod, limit, err) : code;
}

static void check_fill(const fill *f, const ks_capacity *capacity, ks_buf *text)
{
    ks_capacity_summary summary = ks_capacity_get_summary(capacity);
    if (summary.copies != f->copies || summary.limited != !f->message)
        fail_msg("%s: %zu copies, wanted %zu: %.*s", f->name, summary.copies, f->copies,
                 KS_STR_ARG(summary.message));
    size_t len = f->message ? strlen(f->message) : 0;
    if (summary.message.len < len || (len && memcmp(summary.message.data, f->message, len) != 0))
        fail_msg("%s:\nwanted %s\ngot    %.*s", f->name, f->message, KS_STR_ARG(summary.message));
    put_nodes(text, capacity);
    if (f->nodes && !ks_str_eq(ks_buf_str(text), ks_str_of(f->nodes)))
        fail_msg("%s: wanted %s, got %.*s", f->name, f->nodes, KS_STR_ARG(ks_buf_str(text)));
    size_t feasible = ks_cycle_get_summary(ks_capacity_get_cycle(capacity)).feasible;
    assert_int_equal(feasible > 0, f->message == NULL);
}

static void test_fills(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fills); i++) {
        simulation s;
        simulation_begin(&s, NULL);
        simulation_take(&s, fills[i].text);
        simulation_run(&s);
        ks_capacity *capacity = NULL;
        ks_error err = {0};
        if (run(&capacity, s.sim, fills[i].limit, &err) != KS_OK)
            fail_msg("%s: %s", fills[i].name, err.message);
        check_fill(&fills[i], capacity, &s.text);
        ks_capacity_free(capacity);
        simulation_end(&s);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    simulation s;
    simulation_begin(&s, NULL);
    simulation_take(&s, NODE("n1", "a", "2") DEPLOYMENT("1", ""));
    const ks_pod *pod;
    ks_capacity *capacity;
    ks_error err = {0};
    assert_int_equal(ks_capacity_run(&capacity, s.sim, &(ks_pod){0}, 0, &err), KS_EINVAL);
    assert_string_equal(err.message, "the simulation has not run");
    simulation_run(&s);
    assert_int_equal(ks_sim_find_pod(&pod, s.sim, KS_JOB, (ks_str){0}, KS_STR("web"), &err), KS_ENOTFOUND);
    assert_string_equal(err.message, "Job \"default/web\" not found");
    assert_int_equal(ks_sim_find_pod(&pod, s.sim, KS_POD, (ks_str){0}, KS_STR("web"), &err), KS_ENOTFOUND);
    assert_string_equal(err.message, "pod \"default/web\" not found");
    ks_str name = ks_sim_get_placement(s.sim, 0).name;
    assert_int_equal(ks_sim_find_pod(&pod, s.sim, KS_POD, (ks_str){0}, name, &err), KS_OK);
    assert_true(ks_str_eq(pod->metadata.name, name));
    simulation_end(&s);
}

static int fill_all(const ks_allocator *allocator, ks_error *err)
{
    ks_sim_options options = {.allocator = allocator, .gates = KS_GATES_DEFAULT};
    ks_source source = {KS_STR("test"),
                        KS_STR(NODE("n1", "a", "3") NODE("n2", "b", "2") DEPLOYMENT("1", SPREAD ", "))};
    ks_sim *sim;
    ks_capacity *capacity = NULL;
    int code = ks_sim_new(&sim, &options, err);
    if (code != KS_OK)
        return code;
    code = ks_decode(source, NULL, ks_sim_take, sim, err);
    if (code == KS_OK)
        code = ks_sim_run(sim, err);
    if (code == KS_OK)
        code = run(&capacity, sim, 0, err);
    ks_capacity_free(capacity);
    ks_sim_free(sim);
    return code;
}

static void test_want_of_memory(void **state)
{
    (void)state;
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    size_t failures = 0;
    for (int code = KS_ENOMEM; code != KS_OK || failing.failed; failures++) {
        ks_error err = {0};
        failing_allocator_refill(&failing);
        failing.fail_at = failures + 1;
        code = fill_all(&allocator, &err);
        assert_int_equal(failing.bytes, 0);
        assert_true(code == KS_OK || code == KS_ENOMEM);
    }
    assert_true(failures > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
