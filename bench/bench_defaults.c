// SPDX-License-Identifier: Apache-2.0
/* Pods without constraints of their own: what the system's default constraints cost, beside SelectorSpread,
 * which they replaced, as the KEP "Default Even Pod Spreading" asks; and how evenly each spreads. A cycle
 * scores all nodes, and each pod is bound to the best one before the next is tried. */
#include "engine/plugin.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { APPS = 100, ZONES = 3, BATCHES = 21, BATCH = 200 };

typedef struct size_case {
    size_t nodes, pods;
} size_case;

static const size_case sizes[] = {{1000, 10000}, {5000, 50000}};

typedef struct rules {
    const char *name;
    size_t count;
    const char *plugins[2];
} rules;

static const rules all_rules[] = {
    {"system defaults", 1, {"PodTopologySpread"}},
    {"SelectorSpread", 1, {"SelectorSpread"}},
    {"both", 2, {"PodTopologySpread", "SelectorSpread"}},
};

static void must(int code, const ks_error *err)
{
    if (code == KS_OK)
        return;
    fprintf(stderr, "bench_defaults: %s\n", err->message);
    exit(2);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

/* ---- a cluster ---- */

static ks_cluster *make_cluster(const rules *rules)
{
    ks_plugin_use uses[2];
    for (size_t i = 0; i < rules->count; i++)
        uses[i] = (ks_plugin_use){ks_str_of(rules->plugins[i]), 1, false, true};
    ks_profile profile = {.plugins = {uses, rules->count}, .spread.defaulting_type = KS_STR("System")};
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    ks_cluster *cluster;
    ks_error err;
    must(ks_cluster_new(&cluster, &options, &err), &err);
    return cluster;
}

static void add_node(ks_cluster *cluster, size_t i)
{
    char name[32], zone[32];
    snprintf(name, sizeof name, "node-%05zu", i);
    snprintf(zone, sizeof zone, "zone-%zu", i % ZONES);
    ks_label labels[] = {{KS_STR("kubernetes.io/hostname"), ks_str_of(name)},
                         {KS_STR("topology.kubernetes.io/region"), KS_STR("region")},
                         {KS_STR("topology.kubernetes.io/zone"), ks_str_of(zone)}};
    ks_object object = {.kind = KS_NODE};
    object.node.metadata.name = ks_str_of(name);
    object.node.metadata.labels.items = labels;
    object.node.metadata.labels.count = 3;
    ks_error err;
    must(ks_cluster_apply(cluster, &object, &err), &err);
}

static void add_replica_set(ks_cluster *cluster, size_t app)
{
    char name[32];
    snprintf(name, sizeof name, "app-%zu", app);
    ks_label label = {KS_STR("app"), ks_str_of(name)};
    ks_label_selector selector = {.match_labels = {&label, 1}};
    ks_object object = {.kind = KS_REPLICA_SET};
    object.workload.metadata.name = ks_str_of(name);
    object.workload.spec.selector = &selector;
    ks_error err;
    must(ks_cluster_apply(cluster, &object, &err), &err);
}

typedef struct made_pod {
    ks_object object;
    char name[48], app[32], node[32];
    ks_label label;
    ks_owner_reference owner;
} made_pod;

static void make_pod(made_pod *pod, size_t serial, size_t app)
{
    *pod = (made_pod){.object = {.kind = KS_POD}};
    snprintf(pod->app, sizeof pod->app, "app-%zu", app);
    snprintf(pod->name, sizeof pod->name, "app-%zu-%zu", app, serial);
    pod->label = (ks_label){KS_STR("app"), ks_str_of(pod->app)};
    pod->owner = (ks_owner_reference){.api_version = KS_STR("apps/v1"),
                                      .kind = KS_STR("ReplicaSet"),
                                      .name = ks_str_of(pod->app),
                                      .controller = {true, true}};
    ks_object_meta *meta = &pod->object.pod.metadata;
    meta->name = ks_str_of(pod->name);
    meta->labels.items = &pod->label;
    meta->labels.count = 1;
    meta->owner_references.items = &pod->owner;
    meta->owner_references.count = 1;
}

static void bind_pod(ks_cluster *cluster, made_pod *pod, size_t node)
{
    snprintf(pod->node, sizeof pod->node, "node-%05zu", node);
    pod->object.pod.spec.node_name = ks_str_of(pod->node);
    ks_error err;
    must(ks_cluster_apply(cluster, &pod->object, &err), &err);
}

static void fill(ks_cluster *cluster, const size_case *size)
{
    for (size_t i = 0; i < size->nodes; i++)
        add_node(cluster, i);
    for (size_t i = 0; i < APPS; i++)
        add_replica_set(cluster, i);
    for (size_t i = 0; i < size->pods; i++) {
        made_pod pod;
        make_pod(&pod, i, i % APPS);
        bind_pod(cluster, &pod, i * 7919 % size->nodes);
    }
}

/* ---- pods under trial ---- */

static uint32_t best_of(const ks_cycle *cycle)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < cycle->cluster->nodes.rows.count; i++)
        if (cycle->total[i] > cycle->total[best])
            best = i;
    return best;
}

/* The difference between the fullest and the emptiest zone of the first application. */
static size_t zone_skew(const ks_cluster *cluster, size_t nodes)
{
    const ks_matcher *matcher = (const ks_matcher *)cluster->matchers.rows.items[0];
    size_t in_zone[ZONES] = {0}, least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < nodes; i++)
        in_zone[i % ZONES] += matcher->on_node[i];
    for (size_t i = 0; i < ZONES; i++) {
        least = in_zone[i] < least ? in_zone[i] : least;
        most = in_zone[i] > most ? in_zone[i] : most;
    }
    return most - least;
}

static size_t node_most(const ks_cluster *cluster, size_t nodes)
{
    const ks_matcher *matcher = (const ks_matcher *)cluster->matchers.rows.items[0];
    size_t most = 0;
    for (size_t i = 0; i < nodes; i++)
        most = matcher->on_node[i] > most ? matcher->on_node[i] : most;
    return most;
}

static double time_cycles(ks_cluster *cluster)
{
    ks_cycle *cycle;
    ks_error err;
    double batches[BATCHES];
    size_t serial = SIZE_MAX / 2;
    must(ks_cycle_new(&cycle, cluster, &err), &err);
    for (size_t b = 0; b < BATCHES; b++) {
        double spent = 0;
        for (size_t i = 0; i < BATCH; i++) {
            made_pod pod;
            make_pod(&pod, serial++, i % APPS);
            double start = now_ns();
            must(ks_cycle_run(cycle, &pod.object.pod, &err), &err);
            spent += now_ns() - start;
            bind_pod(cluster, &pod, best_of(cycle));
        }
        batches[b] = spent / BATCH;
    }
    ks_cycle_free(cycle);
    return median(batches, BATCHES) / 1000;
}

int main(void)
{
    printf("%6s %7s  %-16s %11s %10s %10s\n", "NODES", "PODS", "RULES", "PER POD µs", "ZONE SKEW",
           "NODE MOST");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t r = 0; r < sizeof all_rules / sizeof *all_rules; r++) {
            ks_cluster *cluster = make_cluster(&all_rules[r]);
            fill(cluster, &sizes[s]);
            double spent = time_cycles(cluster);
            printf("%6zu %7zu  %-16s %10.2f %10zu %10zu\n", sizes[s].nodes, sizes[s].pods, all_rules[r].name,
                   spent, zone_skew(cluster, sizes[s].nodes), node_most(cluster, sizes[s].nodes));
            ks_cluster_free(cluster);
        }
    return 0;
}
