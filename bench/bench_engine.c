// SPDX-License-Identifier: Apache-2.0
/* What one pod and one event cost PodTopologySpread alone, on clusters of several sizes: PreFilter and
 * Filter over all nodes; PreScore, Score and NormalizeScore over all nodes; a pod coming and going; memory a
 * pod. Each figure is the median over batches. Pods are tried with the counters at rest ("filter") and with
 * each pod bound before the next is tried ("filter+bind"), as a scheduler does. */
#include "engine/plugin.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { APPS = 100, BATCHES = 41, BATCH = 250 };

typedef struct size_case {
    size_t nodes, pods;
} size_case;

static const size_case sizes[] = {{1000, 10000}, {5000, 50000}, {5000, 150000}};

typedef struct shape {
    const char *name;
    bool zone, hostname;
} shape;

static const shape shapes[] = {{"zone", true, false}, {"hostname", false, true}, {"both", true, true}};

static void must(int code, const ks_error *err)
{
    if (code == KS_OK)
        return;
    fprintf(stderr, "bench_engine: %s\n", err->message);
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

static void add_node(ks_cluster *cluster, size_t i)
{
    char name[32], zone[32];
    snprintf(name, sizeof name, "node-%05zu", i);
    snprintf(zone, sizeof zone, "zone-%zu", i % 3);
    ks_label labels[] = {{KS_STR("kubernetes.io/hostname"), ks_str_of(name)},
                         {KS_STR("topology.kubernetes.io/zone"), ks_str_of(zone)}};
    ks_object object = {.kind = KS_NODE};
    object.node.metadata.name = ks_str_of(name);
    object.node.metadata.labels.items = labels;
    object.node.metadata.labels.count = 2;
    ks_error err;
    must(ks_cluster_apply(cluster, &object, &err), &err);
}

/* A pod of a Deployment, as the API server stores it: with a hash, an owner, a uid and timestamps. */
typedef struct made_pod {
    ks_object object;
    char name[48], app[16], hash[16], owner[32], uid[40], node[32];
    ks_label labels[2];
    ks_owner_reference owners[1];
    ks_container containers[1];
    ks_resource requests[2];
} made_pod;

static void make_pod(made_pod *pod, size_t serial, size_t app)
{
    *pod = (made_pod){.object = {.kind = KS_POD}};
    snprintf(pod->app, sizeof pod->app, "app-%zu", app);
    snprintf(pod->hash, sizeof pod->hash, "5d4f8c%04zx", app);
    snprintf(pod->owner, sizeof pod->owner, "app-%zu-%s", app, pod->hash);
    snprintf(pod->name, sizeof pod->name, "%s-%05zx", pod->owner, serial);
    snprintf(pod->uid, sizeof pod->uid, "0f5c2b1e-6d1f-4b8e-9a53-%012zx", serial);
    pod->labels[0] = (ks_label){KS_STR("app"), ks_str_of(pod->app)};
    pod->labels[1] = (ks_label){KS_STR("pod-template-hash"), ks_str_of(pod->hash)};
    pod->owners[0] = (ks_owner_reference){
        .api_version = KS_STR("apps/v1"),
        .kind = KS_STR("ReplicaSet"),
        .name = ks_str_of(pod->owner),
        .controller = {true, true},
    };
    pod->requests[0] = (ks_resource){KS_STR("cpu"), {100, -3}};
    pod->requests[1] = (ks_resource){KS_STR("memory"), {64 << 20, 0}};
    pod->containers[0] = (ks_container){.name = KS_STR("main"), .image = KS_STR("registry.example/app:v1")};
    pod->containers[0].resources.requests.items = pod->requests;
    pod->containers[0].resources.requests.count = 2;
    ks_pod *p = &pod->object.pod;
    p->metadata.name = ks_str_of(pod->name);
    p->metadata.namespace_ = KS_STR("shop");
    p->metadata.uid = ks_str_of(pod->uid);
    p->metadata.creation_timestamp = KS_STR("2026-01-01T00:00:00Z");
    p->metadata.labels.items = pod->labels;
    p->metadata.labels.count = 2;
    p->metadata.owner_references.items = pod->owners;
    p->metadata.owner_references.count = 1;
    p->spec.containers.items = pod->containers;
    p->spec.containers.count = 1;
    p->status.phase = KS_STR("Running");
}

static void put_on_node(made_pod *pod, size_t node)
{
    snprintf(pod->node, sizeof pod->node, "node-%05zu", node);
    pod->object.pod.spec.node_name = ks_str_of(pod->node);
}

static ks_cluster *make_cluster(const size_case *size, double *bytes_per_pod)
{
    ks_plugin_use spread = {
        .name = KS_STR("PodTopologySpread"), .weight = 2, .filters = true, .scores = true};
    ks_profile profile = {.scheduler_name = KS_STR("default-scheduler")};
    profile.plugins.items = &spread;
    profile.plugins.count = 1;
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    ks_cluster *cluster;
    ks_error err;
    must(ks_cluster_new(&cluster, &options, &err), &err);
    for (size_t i = 0; i < size->nodes; i++)
        add_node(cluster, i);
    size_t before = ks_cluster_get_stats(cluster).bytes;
    for (size_t i = 0; i < size->pods; i++) {
        made_pod pod;
        make_pod(&pod, i, i % APPS);
        put_on_node(&pod, i * 7919 % size->nodes);
        must(ks_cluster_apply(cluster, &pod.object, &err), &err);
    }
    *bytes_per_pod = (double)(ks_cluster_get_stats(cluster).bytes - before) / (double)size->pods;
    return cluster;
}

/* ---- pods under trial ---- */

typedef struct trial {
    made_pod pod;
    ks_label_selector selector;
    ks_topology_spread_constraint constraints[2];
} trial;

static void make_trial(trial *t, size_t serial, size_t app, const shape *shape, bool hard)
{
    make_pod(&t->pod, serial, app);
    t->selector = (ks_label_selector){0};
    t->selector.match_labels.items = t->pod.labels;
    t->selector.match_labels.count = 1;
    size_t count = 0;
    ks_topology_spread_constraint like = {
        .max_skew = 5,
        .when_unsatisfiable = hard ? KS_STR("DoNotSchedule") : KS_STR("ScheduleAnyway"),
        .label_selector = &t->selector,
    };
    if (shape->zone)
        t->constraints[count] = like,
        t->constraints[count++].topology_key = KS_STR("topology.kubernetes.io/zone");
    if (shape->hostname)
        t->constraints[count] = like, t->constraints[count++].topology_key = KS_STR("kubernetes.io/hostname");
    t->pod.object.pod.spec.topology_spread_constraints.items = t->constraints;
    t->pod.object.pod.spec.topology_spread_constraints.count = count;
}

/* One cycle's filtering or all of it, through the public call, with the other sort's work being none. */
static uint32_t run(ks_cycle *cycle, const trial *t)
{
    ks_error err;
    must(ks_cycle_run(cycle, &t->pod.object.pod, &err), &err);
    uint32_t first = ks_nodeset_next(&cycle->feasible, 0);
    if (first == KS_NODESET_END) {
        fprintf(stderr, "bench_engine: no node is left, so there is nothing to measure\n");
        exit(2);
    }
    return first;
}

static double time_cycles(ks_cluster *cluster, const shape *shape, bool hard, bool bind)
{
    static trial trials[APPS];
    ks_cycle *cycle;
    ks_error err;
    must(ks_cycle_new(&cycle, cluster, &err), &err);
    for (size_t i = 0; i < APPS; i++) {
        make_trial(&trials[i], SIZE_MAX / 2 + i, i, shape, hard);
        run(cycle, &trials[i]);
    }
    double batches[BATCHES];
    for (size_t b = 0; b < BATCHES; b++) {
        double spent = 0;
        for (size_t i = 0; i < BATCH; i++) {
            trial *t = &trials[i % APPS];
            double start = now_ns();
            uint32_t node = run(cycle, t);
            spent += now_ns() - start;
            if (!bind)
                continue;
            put_on_node(&t->pod, node);
            must(ks_cluster_apply(cluster, &t->pod.object, &err), &err);
            t->pod.object.pod.spec.node_name = (ks_str){0};
        }
        batches[b] = spent / BATCH;
    }
    for (size_t i = 0; i < APPS; i++)
        (void)ks_cluster_delete(cluster, KS_POD, KS_STR("shop"), trials[i].pod.object.pod.metadata.name,
                                NULL);
    ks_cycle_free(cycle);
    return median(batches, BATCHES) / 1000;
}

/* A pod comes and goes while all of the above's counters are alive. */
static void time_events(ks_cluster *cluster, size_t nodes, double *add, double *del)
{
    static made_pod pods[BATCH];
    double adds[BATCHES], dels[BATCHES];
    ks_error err;
    for (size_t i = 0; i < BATCH; i++) {
        make_pod(&pods[i], SIZE_MAX / 4 + i, i % APPS);
        put_on_node(&pods[i], i * 104729 % nodes);
    }
    for (size_t b = 0; b < BATCHES; b++) {
        double start = now_ns();
        for (size_t i = 0; i < BATCH; i++)
            must(ks_cluster_apply(cluster, &pods[i].object, &err), &err);
        double middle = now_ns();
        for (size_t i = 0; i < BATCH; i++)
            must(ks_cluster_delete(cluster, KS_POD, KS_STR("shop"), pods[i].object.pod.metadata.name, &err),
                 &err);
        adds[b] = (middle - start) / BATCH;
        dels[b] = (now_ns() - middle) / BATCH;
    }
    *add = median(adds, BATCHES) / 1000;
    *del = median(dels, BATCHES) / 1000;
}

int main(void)
{
    printf("%6s %7s  %-9s %10s %15s %10s\n", "NODES", "PODS", "KEYS", "FILTER µs", "FILTER+BIND µs",
           "SCORE µs");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double bytes, add, del;
        ks_cluster *cluster = make_cluster(&sizes[s], &bytes);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            printf("%6zu %7zu  %-9s %9.2f %14.2f %9.2f\n", sizes[s].nodes, sizes[s].pods, shapes[i].name,
                   time_cycles(cluster, &shapes[i], true, false),
                   time_cycles(cluster, &shapes[i], true, true),
                   time_cycles(cluster, &shapes[i], false, false));
        time_events(cluster, sizes[s].nodes, &add, &del);
        ks_cluster_stats stats = ks_cluster_get_stats(cluster);
        printf("%6zu %7zu  pod added %.2f µs, deleted %.2f µs with %zu counters alive; %.0f bytes a pod, "
               "counters %.1f MB\n",
               sizes[s].nodes, sizes[s].pods, add, del, stats.counters, bytes,
               (double)stats.counter_bytes / 1e6);
        ks_cluster_free(cluster);
    }
    return 0;
}
