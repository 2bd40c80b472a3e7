// SPDX-License-Identifier: Apache-2.0
/* Embeds libkubespread: nodes made by hand, pods read from YAML, then where one more pod may go and why.
 *
 *   cc -std=c17 embed.c $(pkg-config --cflags --libs kubespread) && ./a.out */
#include <inttypes.h>
#include <kubespread/kubespread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- an allocator that knows what is held ---- */

typedef struct meter {
    size_t held, peak;
} meter;

static void *meter_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    meter *m = ctx;
    void *block = new_size ? realloc(ptr, new_size) : NULL;
    if (new_size && !block)
        return NULL; /* the old block stands */
    if (!new_size)
        free(ptr);
    m->held += new_size - old_size;
    if (m->held > m->peak)
        m->peak = m->held;
    return block;
}

/* ---- nodes, made by hand ---- */

static int add_node(ks_cluster *cluster, ks_str name, ks_str zone, ks_error *err)
{
    ks_label labels[] = {
        {KS_STR("kubernetes.io/hostname"), name},
        {KS_STR("topology.kubernetes.io/zone"), zone},
    };
    ks_object object = {.kind = KS_NODE};
    object.node.metadata.name = name;
    object.node.metadata.labels = (ks_labels){labels, sizeof labels / sizeof *labels};
    return ks_cluster_apply(cluster, &object, err);
}

static int add_nodes(ks_cluster *cluster, ks_error *err)
{
    const struct {
        ks_str name, zone;
    } nodes[] = {
        {KS_STR("node-1"), KS_STR("zone-a")}, {KS_STR("node-2"), KS_STR("zone-a")},
        {KS_STR("node-3"), KS_STR("zone-b")}, {KS_STR("node-4"), KS_STR("zone-c")},
        {KS_STR("node-5"), KS_STR("zone-c")},
    };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        int code = add_node(cluster, nodes[i].name, nodes[i].zone, err);
        if (code != KS_OK)
            return code;
    }
    return KS_OK;
}

/* ---- pods, as kubectl would print them ---- */

static const char running_pods[] =
    "apiVersion: v1\n"
    "kind: List\n"
    "items:\n"
    "- {apiVersion: v1, kind: Pod, metadata: {name: web-1, labels: {app: web}}, spec: {nodeName: node-1}}\n"
    "- {apiVersion: v1, kind: Pod, metadata: {name: web-2, labels: {app: web}}, spec: {nodeName: node-2}}\n"
    "- {apiVersion: v1, kind: Pod, metadata: {name: web-3, labels: {app: web}}, spec: {nodeName: node-3}}\n"
    "- {apiVersion: v1, kind: Pod, metadata: {name: web-4, labels: {app: web}}, spec: {nodeName: node-4}}\n";

static int apply_object(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_cluster_apply(ctx, object, err);
}

static int add_pods(ks_cluster *cluster, const ks_allocator *allocator, ks_error *err)
{
    ks_source source = {KS_STR("running_pods"), {running_pods, sizeof running_pods - 1}};
    return ks_decode(source, allocator, apply_object, cluster, err);
}

/* ---- what the cycle found ---- */

static void print_str(ks_str text)
{
    printf("%.*s", (int)text.len, text.data ? text.data : "");
}

static void print_node(const ks_cycle *cycle, size_t i)
{
    ks_node_result node = ks_cycle_get_node(cycle, i);
    ks_spread_numbers zone = ks_cycle_get_numbers(cycle, i, 0); /* hard constraints come first */
    print_str(node.name);
    printf(" in ");
    print_str(zone.domain);
    printf(": %s, ", ks_code_name(node.code));
    if (node.code == KS_SUCCESS)
        printf("score %" PRId64, node.score);
    else
        print_str(node.reason);
    printf(" (matching %" PRId64 " + self %" PRId64 " - minimum %" PRId64 ", maxSkew %" PRId32 ")\n",
           zone.matching, zone.self, zone.minimum, zone.max_skew);
}

static int evaluate(ks_cycle *cycle, ks_error *err)
{
    ks_label labels[] = {{KS_STR("app"), KS_STR("web")}};
    ks_label_selector selector = {.match_labels = {labels, 1}};
    ks_topology_spread_constraint constraints[] = {
        {.max_skew = 1,
         .topology_key = KS_STR("topology.kubernetes.io/zone"),
         .when_unsatisfiable = KS_STR("DoNotSchedule"),
         .label_selector = &selector},
        {.max_skew = 1,
         .topology_key = KS_STR("kubernetes.io/hostname"),
         .when_unsatisfiable = KS_STR("ScheduleAnyway"),
         .label_selector = &selector},
    };
    ks_pod pod = {0};
    pod.metadata.name = KS_STR("web-5");
    pod.metadata.labels = (ks_labels){labels, 1};
    pod.spec.topology_spread_constraints = (ks_topology_spread_constraints){constraints, 2};

    int code = ks_cycle_run(cycle, &pod, err);
    if (code != KS_OK)
        return code;
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    printf("web-5 fits %zu of %zu nodes\n", summary.feasible, summary.nodes);
    for (size_t i = 0; i < summary.nodes; i++)
        print_node(cycle, i);
    return KS_OK;
}

static int run(const ks_allocator *allocator, ks_error *err)
{
    ks_cluster *cluster = NULL;
    ks_cycle *cycle = NULL;
    ks_cluster_options options = {.allocator = allocator, .gates = KS_GATES_DEFAULT};

    int code = ks_cluster_new(&cluster, &options, err);
    if (code == KS_OK)
        code = add_nodes(cluster, err);
    if (code == KS_OK)
        code = add_pods(cluster, allocator, err);
    if (code == KS_OK)
        code = ks_cycle_new(&cycle, cluster, err);
    if (code == KS_OK)
        code = evaluate(cycle, err);
    ks_cycle_free(cycle);
    ks_cluster_free(cluster);
    return code;
}

int main(void)
{
    meter m = {0};
    ks_allocator allocator = {meter_resize, &m};
    ks_error err = {0};

    printf("libkubespread %s, deciding as kube-scheduler %s\n", ks_version(), ks_kubernetes_version());
    if (run(&allocator, &err) != KS_OK) {
        fprintf(stderr, "embed: %s\n", err.message);
        return EXIT_FAILURE;
    }
    printf("memory: %zu bytes at most, %zu left\n", m.peak, m.held);
    return m.held == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
