// SPDX-License-Identifier: Apache-2.0
/* The whole loop with the default profile, all nodes scored: an empty cluster of three zones, then the pods
 * of 500 Deployments with a hard zone and a soft hostname constraint, of twenty sizes. Everything is
 * queued, then placed pod by pod on one core. A table says what a pod costs as they pile up; the last lines
 * give pods a second, from the first event to the last placement, and memory a pod.
 *
 *   bench_schedule          5,000 nodes, 150,000 pods; then again with 10 % carrying anti-affinity
 *   bench_schedule --huge   20,000 nodes, 1,000,000 pods */
#include <kubespread/scheduler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPLOYMENTS = 500, SIZES = 20, ROWS = 15 };

typedef struct load {
    const char *name;
    size_t nodes, pods;
    size_t anti_affinity; /* every so many-th Deployment; 0: none */
} load;

static void must(int code, const ks_error *err)
{
    if (code == KS_OK)
        return;
    fprintf(stderr, "bench_schedule: %s\n", err->message);
    exit(2);
}

/* Of the processor, so that neighbours on the machine count as little as can be. */
static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static ks_str text(const char *s)
{
    return (ks_str){s, strlen(s)};
}

static void add_node(ks_scheduler *scheduler, size_t i)
{
    char name[32], zone[32];
    snprintf(name, sizeof name, "node-%05zu", i);
    snprintf(zone, sizeof zone, "zone-%zu", i % 3);
    ks_label labels[] = {{KS_STR("kubernetes.io/hostname"), text(name)},
                         {KS_STR("topology.kubernetes.io/zone"), text(zone)}};
    ks_resource allocatable[] = {
        {KS_STR("cpu"), {64, 0}}, {KS_STR("memory"), {INT64_C(256) << 30, 0}}, {KS_STR("pods"), {110, 0}}};
    ks_object object = {.kind = KS_NODE};
    object.node.metadata.name = text(name);
    object.node.metadata.labels = (ks_labels){labels, 2};
    object.node.status.allocatable = (ks_resources){allocatable, 3};
    ks_error err;
    must(ks_scheduler_apply(scheduler, &object, 0, &err), &err);
}

/* A pod of a Deployment, as the API server stores it. */
typedef struct made_pod {
    ks_object object;
    char name[96], app[32], hash[32], owner[64], uid[48];
    ks_label labels[2];
    ks_owner_reference owners[1];
    ks_container containers[1];
    ks_resource requests[2];
    ks_label_selector selector;
    ks_topology_spread_constraint constraints[2];
    ks_pod_affinity_term term;
    ks_pod_affinity anti_affinity;
    ks_affinity affinity;
} made_pod;

static void name_pod(made_pod *pod, size_t serial, size_t app)
{
    snprintf(pod->app, sizeof pod->app, "app-%zu", app);
    snprintf(pod->hash, sizeof pod->hash, "5d4f8c%04zx", app);
    snprintf(pod->owner, sizeof pod->owner, "app-%zu-%s", app, pod->hash);
    snprintf(pod->name, sizeof pod->name, "%s-%05zx", pod->owner, serial);
    snprintf(pod->uid, sizeof pod->uid, "0f5c2b1e-6d1f-4b8e-9a53-%012zx", serial);
    pod->labels[0] = (ks_label){KS_STR("app"), text(pod->app)};
    pod->labels[1] = (ks_label){KS_STR("pod-template-hash"), text(pod->hash)};
    pod->owners[0] = (ks_owner_reference){.api_version = KS_STR("apps/v1"),
                                          .kind = KS_STR("ReplicaSet"),
                                          .name = text(pod->owner),
                                          .controller = {true, true}};
    ks_object_meta *meta = &pod->object.metadata;
    meta->name = text(pod->name);
    meta->namespace_ = KS_STR("shop");
    meta->uid = text(pod->uid);
    meta->creation_timestamp = KS_STR("2026-01-01T00:00:00Z");
    meta->labels = (ks_labels){pod->labels, 2};
    meta->owner_references.items = pod->owners;
    meta->owner_references.count = 1;
}

static void size_pod(made_pod *pod, size_t app)
{
    int64_t size = (int64_t)(app % SIZES) + 1;
    pod->requests[0] = (ks_resource){KS_STR("cpu"), {50 * size, -3}};
    pod->requests[1] = (ks_resource){KS_STR("memory"), {size << 26, 0}};
    pod->containers[0] = (ks_container){.name = KS_STR("main"), .image = KS_STR("example/app:v1")};
    pod->containers[0].resources.requests = (ks_resources){pod->requests, 2};
    pod->object.pod.spec.containers.items = pod->containers;
    pod->object.pod.spec.containers.count = 1;
}

static void spread_pod(made_pod *pod)
{
    pod->selector.match_labels = (ks_labels){pod->labels, 1};
    pod->constraints[0] =
        (ks_topology_spread_constraint){.max_skew = 1,
                                        .topology_key = KS_STR("topology.kubernetes.io/zone"),
                                        .when_unsatisfiable = KS_STR("DoNotSchedule"),
                                        .label_selector = &pod->selector};
    pod->constraints[1] = (ks_topology_spread_constraint){.max_skew = 1,
                                                          .topology_key = KS_STR("kubernetes.io/hostname"),
                                                          .when_unsatisfiable = KS_STR("ScheduleAnyway"),
                                                          .label_selector = &pod->selector};
    pod->object.pod.spec.topology_spread_constraints.items = pod->constraints;
    pod->object.pod.spec.topology_spread_constraints.count = 2;
}

/* No two pods of the Deployment on one node. */
static void keep_apart(made_pod *pod)
{
    pod->term = (ks_pod_affinity_term){.label_selector = &pod->selector,
                                       .topology_key = KS_STR("kubernetes.io/hostname")};
    pod->anti_affinity.required.items = &pod->term;
    pod->anti_affinity.required.count = 1;
    pod->affinity.pod_anti_affinity = &pod->anti_affinity;
    pod->object.pod.spec.affinity = &pod->affinity;
}

static void add_pod(ks_scheduler *scheduler, const load *load, size_t serial)
{
    made_pod pod = {.object = {.kind = KS_POD}};
    size_t app = serial % DEPLOYMENTS;
    name_pod(&pod, serial, app);
    size_pod(&pod, app);
    spread_pod(&pod);
    if (load->anti_affinity && app % load->anti_affinity == 0)
        keep_apart(&pod);
    pod.object.pod.status.phase = KS_STR("Pending");
    ks_error err;
    must(ks_scheduler_apply(scheduler, &pod.object, 0, &err), &err);
}

/* Places all pods, with a line of the table every fifteenth part. */
static void place_all(ks_scheduler *scheduler, const load *load)
{
    size_t part = load->pods / ROWS;
    printf("# pods placed, µs a pod\n");
    double before = now_s();
    for (size_t i = 1; i <= load->pods; i++) {
        ks_step step;
        ks_error err;
        must(ks_scheduler_step(&step, scheduler, 0, &err), &err);
        if (i % part != 0)
            continue;
        double now = now_s();
        printf("%9zu %8.2f\n", i, (now - before) * 1e6 / (double)part);
        fflush(stdout);
        before = now;
    }
}

static void run(const load *load)
{
    ks_cluster *cluster;
    ks_scheduler *scheduler;
    ks_error err;
    must(ks_cluster_new(&cluster, NULL, &err), &err);
    must(ks_scheduler_new(&scheduler, cluster, NULL, 0, &err), &err);
    for (size_t i = 0; i < load->nodes; i++)
        add_node(scheduler, i);
    size_t empty = ks_cluster_get_stats(cluster).bytes;
    printf("# %s: %zu nodes, %zu pods of %d Deployments\n", load->name, load->nodes, load->pods, DEPLOYMENTS);
    double start = now_s();
    for (size_t i = 0; i < load->pods; i++)
        add_pod(scheduler, load, i);
    double queued = now_s();
    place_all(scheduler, load);
    double end = now_s();
    ks_scheduler_stats stats = ks_scheduler_get_stats(scheduler);
    size_t bytes = ks_cluster_get_stats(cluster).bytes;
    double pods = (double)load->pods;
    printf("# %zu placed, %zu left; %.2f µs a pod to queue, %.2f µs to place; %.0f pods a second in all; "
           "%.0f bytes a pod\n\n",
           (size_t)stats.placed, stats.active + stats.unschedulable + stats.backing_off,
           (queued - start) * 1e6 / pods, (end - queued) * 1e6 / pods, pods / (end - start),
           (double)(bytes - empty) / pods);
    ks_scheduler_free(scheduler);
    ks_cluster_free(cluster);
}

int main(int argc, char **argv)
{
    static const load usual[] = {{"spread", 5000, 150000, 0}, {"with anti-affinity", 5000, 150000, 10}};
    static const load huge = {"huge", 20000, 1000000, 0};
    if (argc > 1 && strcmp(argv[1], "--huge") == 0) {
        run(&huge);
        return 0;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        run(&usual[i]);
    return 0;
}
