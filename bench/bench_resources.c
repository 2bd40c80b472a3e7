// SPDX-License-Identifier: Apache-2.0
/* What NodeResourcesFit and NodeResourcesBalancedAllocation cost a pod: all nodes filtered and scored, and
 * each pod bound to the best node before the next is tried, for several numbers of distinct demands. A
 * demand's columns catch up with the pods bound since it was last asked about, so more demands in turn
 * mean more to catch up with. Pods pile up from row to row of the same demands; the cost must not. */
#include "engine/plugin.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 5000, ROWS = 4, PODS_A_ROW = 20000 };

static const size_t demand_counts[] = {1, 20, 100, 500};

static void must(int code, const ks_error *err)
{
    if (code == KS_OK)
        return;
    fprintf(stderr, "bench_resources: %s\n", err->message);
    exit(2);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- objects ---- */

static void add_node(ks_cluster *cluster, size_t i)
{
    char name[32];
    snprintf(name, sizeof name, "node-%05zu", i);
    int64_t size = 1 + (int64_t)(i % 3);
    ks_resource allocatable[] = {{KS_STR("cpu"), {32 * size, 0}},
                                 {KS_STR("memory"), {(size * 128) << 30, 0}},
                                 {KS_STR("pods"), {250, 0}}};
    ks_object object = {.kind = KS_NODE};
    object.node.metadata.name = ks_str_of(name);
    object.node.status.allocatable.items = allocatable;
    object.node.status.allocatable.count = sizeof allocatable / sizeof *allocatable;
    ks_error err;
    must(ks_cluster_apply(cluster, &object, &err), &err);
}

typedef struct made_pod {
    ks_object object;
    char name[32];
    ks_container container;
    ks_resource requests[2];
} made_pod;

static void make_pod(made_pod *pod, size_t serial, size_t demand)
{
    *pod = (made_pod){.object = {.kind = KS_POD}};
    snprintf(pod->name, sizeof pod->name, "pod-%zu", serial);
    pod->requests[0] = (ks_resource){KS_STR("cpu"), {100 + (int64_t)demand, -3}};
    pod->requests[1] = (ks_resource){KS_STR("memory"), {(64 + (int64_t)(demand * 7 % 192)) << 20, 0}};
    pod->container.name = KS_STR("main");
    pod->container.resources.requests.items = pod->requests;
    pod->container.resources.requests.count = 2;
    pod->object.pod.metadata.name = ks_str_of(pod->name);
    pod->object.pod.spec.containers.items = &pod->container;
    pod->object.pod.spec.containers.count = 1;
}

/* ---- runs ---- */

static ks_cluster *make_cluster(void)
{
    ks_plugin_use uses[] = {{KS_STR("NodeResourcesFit"), 1, true, true},
                            {KS_STR("NodeResourcesBalancedAllocation"), 1, false, true}};
    ks_profile profile = {.plugins = {uses, sizeof uses / sizeof *uses}};
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    ks_cluster *cluster;
    ks_error err;
    must(ks_cluster_new(&cluster, &options, &err), &err);
    for (size_t i = 0; i < NODES; i++)
        add_node(cluster, i);
    return cluster;
}

static uint32_t best_node(const ks_cycle *cycle)
{
    uint32_t best = KS_NODESET_END;
    for (uint32_t word = 0; word < cycle->feasible.nwords; word++)
        for (uint64_t left = cycle->feasible.words[word]; left; left &= left - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (best == KS_NODESET_END || cycle->total[node] > cycle->total[best])
                best = node;
        }
    return best;
}

/* Schedules pods one after another; the cycles' time alone counts. */
static double schedule(ks_cluster *cluster, ks_cycle *cycle, size_t first, size_t demands)
{
    double spent = 0;
    for (size_t i = first; i < first + PODS_A_ROW; i++) {
        made_pod pod;
        ks_error err;
        make_pod(&pod, i, i % demands);
        double start = now_ns();
        must(ks_cycle_run(cycle, &pod.object.pod, &err), &err);
        spent += now_ns() - start;
        uint32_t node = best_node(cycle);
        if (node == KS_NODESET_END)
            continue;
        pod.object.pod.spec.node_name = ((const ks_node_row *)cluster->nodes.rows.items[node])->name;
        must(ks_cluster_apply(cluster, &pod.object, &err), &err);
    }
    return spent / PODS_A_ROW / 1000;
}

static void run_demands(size_t demands)
{
    ks_cluster *cluster = make_cluster();
    ks_cycle *cycle;
    ks_error err;
    must(ks_cycle_new(&cycle, cluster, &err), &err);
    for (size_t row = 0; row < ROWS; row++) {
        double cost = schedule(cluster, cycle, row * PODS_A_ROW, demands);
        ks_cluster_stats stats = ks_cluster_get_stats(cluster);
        printf("%6d %7zu %8zu %9.2f %11.1f\n", NODES, stats.pods, demands, cost,
               (double)stats.counter_bytes / 1e3);
    }
    ks_cycle_free(cycle);
    ks_cluster_free(cluster);
}

int main(void)
{
    printf("%6s %7s %8s %10s %11s\n", "NODES", "PODS", "DEMANDS", "CYCLE µs", "COLUMNS KB");
    for (size_t i = 0; i < sizeof demand_counts / sizeof *demand_counts; i++)
        run_demands(demand_counts[i]);
    return 0;
}
