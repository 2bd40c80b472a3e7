// SPDX-License-Identifier: Apache-2.0
#include "support/random_shop.h"

static const char *pick(random_source *random, const char *const *choices, uint32_t count)
{
    return choices[random_below(random, count)];
}

static void put_node(ks_buf *out, random_source *random, uint32_t number)
{
    ks_buf_printf(out, "---\n{apiVersion: v1, kind: Node, metadata: {name: n%02u, labels: {", number);
    ks_buf_printf(out, "kubernetes.io/hostname: n%02u, size: s%u", number, random_below(random, 2));
    if (random_chance(random, 85))
        ks_buf_printf(out, ", topology.kubernetes.io/zone: z%u", random_below(random, 3));
    ks_buf_printf(out, "}}, spec: {taints: [");
    if (random_chance(random, 20))
        ks_buf_printf(out, "{key: gpu, effect: NoSchedule}");
    ks_buf_printf(out, "]}, status: {allocatable: {cpu: '%u', memory: %uGi, pods: '%u'}}}\n",
                  1 + random_below(random, 4), 2 + random_below(random, 6), 3 + random_below(random, 8));
}

static void put_constraint(ks_buf *out, random_source *random, uint32_t app, const char *key)
{
    static const char *const whens[] = {"DoNotSchedule", "ScheduleAnyway"};
    ks_buf_printf(out, "{maxSkew: %u, topologyKey: %s, whenUnsatisfiable: %s, ", 1 + random_below(random, 2),
                  key, pick(random, whens, 2));
    if (random_chance(random, 30))
        ks_buf_printf(out, "nodeTaintsPolicy: Honor, ");
    ks_buf_printf(out, "labelSelector: {matchLabels: {app: a%u}}}", app);
}

static void put_spec(ks_buf *out, random_source *random, uint32_t app)
{
    static const char *const requests[] = {"100m", "250m", "500m", "1"};
    static const char *const priorities[] = {"", "low", "high"};
    ks_buf_printf(out, "{containers: [{name: c, image: i, resources: {%s: {cpu: %s}}}]",
                  random_chance(random, 50) ? "requests" : "limits", pick(random, requests, 4));
    const char *priority = pick(random, priorities, 3);
    if (*priority)
        ks_buf_printf(out, ", priorityClassName: %s", priority);
    if (random_chance(random, 25))
        ks_buf_printf(out, ", tolerations: [{key: gpu, operator: Exists}]");
    if (random_chance(random, 15))
        ks_buf_printf(out, ", nodeSelector: {size: s%u}", random_below(random, 2));
    ks_buf_printf(out, ", topologySpreadConstraints: [");
    if (random_chance(random, 60)) {
        put_constraint(out, random, app, "topology.kubernetes.io/zone");
        if (random_chance(random, 40)) {
            ks_buf_printf(out, ", ");
            put_constraint(out, random, app, "kubernetes.io/hostname");
        }
    }
    ks_buf_printf(out, "]}");
}

static void put_workload(ks_buf *out, random_source *random, uint32_t number)
{
    static const char *const kinds[] = {"Deployment",  "Deployment", "ReplicaSet",
                                        "StatefulSet", "DaemonSet",  "Job"};
    const char *kind = pick(random, kinds, 6);
    bool job = *kind == 'J';
    uint32_t app = random_below(random, 4);
    ks_buf_printf(out, "---\n{apiVersion: %s, kind: %s, metadata: {name: w%u}, spec: {",
                  job ? "batch/v1" : "apps/v1", kind, number);
    if (job)
        ks_buf_printf(out, "parallelism: %u", 1 + random_below(random, 4));
    else
        ks_buf_printf(out, "replicas: %u, selector: {matchLabels: {app: a%u, w: w%u}}",
                      1 + random_below(random, 8), app, number);
    ks_buf_printf(out, ", template: {metadata: {labels: {app: a%u, w: w%u}}, spec: ", app, number);
    put_spec(out, random, app);
    ks_buf_printf(out, "}}}\n");
}

static void put_pod(ks_buf *out, random_source *random, uint32_t number, uint32_t nodes)
{
    uint32_t app = random_below(random, 4);
    ks_buf_printf(out, "---\n{apiVersion: v1, kind: Pod, metadata: {name: p%u, labels: {app: a%u}}, spec: ",
                  number, app);
    put_spec(out, random, app);
    out->len--; /* the closing brace, for what else the spec has */
    if (random_chance(random, 75))
        ks_buf_printf(out, ", nodeName: n%02u", random_below(random, nodes));
    else if (random_chance(random, 10))
        ks_buf_printf(out, ", schedulingGates: [{name: example.com/wait}]");
    ks_buf_printf(out, "}}\n");
}

void random_shop(ks_buf *out, uint64_t seed)
{
    random_source random = random_seed(seed);
    ks_buf_clear(out);
    ks_buf_printf(out, "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, "
                       "value: 1000}\n---\n"
                       "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, "
                       "value: -10}\n---\n"
                       "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: a1}}}\n");
    uint32_t nodes = 1 + random_below(&random, 12), workloads = random_below(&random, 6);
    for (uint32_t i = 0; i < nodes; i++)
        put_node(out, &random, i);
    uint32_t pods = random_below(&random, 10);
    for (uint32_t i = 0; i < pods; i++)
        put_pod(out, &random, i, nodes);
    for (uint32_t i = 0; i < workloads; i++)
        put_workload(out, &random, i);
}
