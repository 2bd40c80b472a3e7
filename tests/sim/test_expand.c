// SPDX-License-Identifier: Apache-2.0
/* Workloads become pods as their controllers make them. */
#include "support/diff.h"
#include "support/simulation.h"
#include "support/unit.h"
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One node, so that where pods go is no question; it takes four. */
#define NODE(name, more)                                                                                     \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: {disk: ssd}}, " more               \
    "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '4'}}}\n"
#define N1 NODE("n1", "")

#define TEMPLATE(labels)                                                                                     \
    "template: {metadata: {labels: {" labels "}}, spec: {containers: [{name: c, image: i}]}}"
#define WORKLOAD(kind, name, spec)                                                                           \
    "---\n{apiVersion: apps/v1, kind: " kind ", metadata: {name: " name "}, spec: {" spec ", "               \
    "selector: {matchLabels: {app: web}}, " TEMPLATE("app: web") "}}\n"
#define POD(name, labels, owner, more)                                                                       \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", labels: {" labels "}, "                     \
    "ownerReferences: [" owner "]}, " more "}\n"
#define OWNER(version, kind, name)                                                                           \
    "{apiVersion: " version ", kind: " kind ", name: " name ", uid: u, controller: true}"

typedef struct expansion {
    const char *name, *text, *pods;
    bool run_cron_jobs;
} expansion;

static const expansion expansions[] = {
    {
        .name = "a Deployment makes a ReplicaSet, and that the pods",
        .text = N1 WORKLOAD("Deployment", "web", "replicas: 2"),
        .pods = "default/web-#-* app=web,pod-template-hash=# of apps/v1 ReplicaSet web-# on n1\n"
                "default/web-#-* app=web,pod-template-hash=# of apps/v1 ReplicaSet web-# on n1\n",
    },
    {
        .name = "one replica if the Deployment does not say",
        .text = N1 WORKLOAD("Deployment", "web", "paused: false"),
        .pods = "default/web-#-* app=web,pod-template-hash=# of apps/v1 ReplicaSet web-# on n1\n",
    },
    {
        .name = "none if it says none",
        .text = N1 WORKLOAD("Deployment", "web", "replicas: 0"),
        .pods = "",
    },
    {
        .name = "a Deployment uses its ReplicaSet of the same template",
        .text = WORKLOAD("Deployment", "web", "replicas: 2") N1
        "---\n"
        "apiVersion: apps/v1\n"
        "kind: ReplicaSet\n"
        "metadata: {name: web-old, ownerReferences: [" OWNER(
            "apps/v1", "Deployment",
            "web") "]}\n"
                   "spec: {replicas: 7, selector: {matchLabels: {app: web, pod-template-hash: "
                   "old}}, " TEMPLATE("app: web, pod-template-hash: old") "}\n",
        .pods = "default/web-#-* app=web,pod-template-hash=# of apps/v1 ReplicaSet web-# on n1\n"
                "default/web-#-* app=web,pod-template-hash=# of apps/v1 ReplicaSet web-# on n1\n",
    },
    {
        .name = "pods of a Deployment's older ReplicaSet count",
        .text = POD("web-old-1", "app: web", OWNER("apps/v1", "ReplicaSet", "web-old"),
                    "spec: {nodeName: n1}") WORKLOAD("Deployment", "web", "replicas: 2") N1
        "---\n"
        "apiVersion: apps/v1\n"
        "kind: ReplicaSet\n"
        "metadata: {name: web-old, ownerReferences: [" OWNER(
            "apps/v1", "Deployment",
            "web") "]}\n"
                   "spec: {replicas: 1, selector: {matchLabels: {app: web, pod-template-hash: "
                   "old}}, " TEMPLATE("app: web, color: red, pod-template-hash: old") "}\n",
        .pods = "default/web-#-* app=web,pod-template-hash=# of apps/v1 ReplicaSet web-# on n1\n"
                "default/web-old-1 app=web of apps/v1 ReplicaSet web-old on n1\n",
    },
    {
        .name = "a ReplicaSet whose Deployment was not given stands on its own",
        .text = N1 "---\n"
                   "apiVersion: apps/v1\n"
                   "kind: ReplicaSet\n"
                   "metadata: {name: web-1, ownerReferences: [" OWNER(
                       "apps/v1", "Deployment",
                       "web") "]}\n"
                              "spec: {selector: {matchLabels: {app: web}}, " TEMPLATE("app: web") "}\n",
        .pods = "default/web-1-* app=web of apps/v1 ReplicaSet web-1 on n1\n",
    },
    {
        .name = "a ReplicaSet adopts what nobody controls, and counts what lives",
        .text = WORKLOAD("ReplicaSet", "web", "replicas: 4") N1                                 //
            POD("a", "app: web", "", "spec: {nodeName: n1}")                                    //
        POD("b", "app: api", "", "spec: {nodeName: n1}")                                        //
        POD("c", "app: web", OWNER("apps/v1", "ReplicaSet", "web"), "spec: {}")                 //
        POD("d", "app: web", OWNER("apps/v1", "ReplicaSet", "other"), "spec: {nodeName: gone}") //
        POD("e", "app: web", OWNER("apps/v1", "ReplicaSet", "web"),
            "spec: {nodeName: n1}, status: {phase: Failed}"),
        .pods = "default/a app=web on n1\n"
                "default/b app=api on n1\n"
                "default/c app=web of apps/v1 ReplicaSet web on n1\n"
                "default/d app=web of apps/v1 ReplicaSet other on gone\n"
                "default/e app=web of apps/v1 ReplicaSet web on n1\n"
                "default/web-* app=web of apps/v1 ReplicaSet web on -\n"
                "default/web-* app=web of apps/v1 ReplicaSet web on n1\n",
    },
    {
        .name = "a pod of an older object of that name does not count",
        .text = N1 "---\n"
                   "apiVersion: apps/v1\n"
                   "kind: ReplicaSet\n"
                   "metadata: {name: web, uid: new}\n"
                   "spec: {selector: {matchLabels: {app: web}}, " TEMPLATE("app: web") "}\n" POD(
                       "a", "app: web", OWNER("apps/v1", "ReplicaSet", "web"), "spec: {nodeName: n1}"),
        .pods = "default/a app=web of apps/v1 ReplicaSet web on n1\n"
                "default/web-* app=web of apps/v1 ReplicaSet web on n1\n",
    },
    {
        .name = "a ReplicationController",
        .text = N1 "---\n"
                   "apiVersion: v1\n"
                   "kind: ReplicationController\n"
                   "metadata: {name: web, namespace: shop}\n"
                   "spec: {replicas: 2, " TEMPLATE("app: web") "}\n"
                                                               "---\n"
                                                               "{apiVersion: v1, kind: Pod, metadata: {name: "
                                                               "a, namespace: shop, labels: {app: web}}}\n",
        .pods = "shop/a app=web on n1\n"
                "shop/web-* app=web of v1 ReplicationController web on n1\n",
    },
    {
        .name = "a StatefulSet goes on once a pod has its place",
        .text = N1 WORKLOAD("StatefulSet", "db", "replicas: 2, ordinals: {start: 5}"),
        .pods = "default/db-5 app=web,apps.kubernetes.io/pod-index=5,controller-revision-hash=db-#,"
                "statefulset.kubernetes.io/pod-name=db-5 of apps/v1 StatefulSet db on n1\n"
                "default/db-6 app=web,apps.kubernetes.io/pod-index=6,controller-revision-hash=db-#,"
                "statefulset.kubernetes.io/pod-name=db-6 of apps/v1 StatefulSet db on n1\n",
    },
    {
        .name = "ordinals may pass 31 bits",
        .text = N1 WORKLOAD("StatefulSet", "db", "replicas: 2, ordinals: {start: 2147483647}"),
        .pods = "default/db-2147483647 "
                "app=web,apps.kubernetes.io/pod-index=2147483647,controller-revision-hash=db-#,"
                "statefulset.kubernetes.io/pod-name=db-2147483647 of apps/v1 StatefulSet db on n1\n"
                "default/db-2147483648 "
                "app=web,apps.kubernetes.io/pod-index=2147483648,controller-revision-hash=db-#,"
                "statefulset.kubernetes.io/pod-name=db-2147483648 of apps/v1 StatefulSet db on n1\n",
    },
    {
        .name = "a Job runs as many as may run at once and are still to succeed",
        .text = N1 "---\n"
                   "{apiVersion: batch/v1, kind: Job, metadata: {name: sum}, "
                   "spec: {parallelism: 3, completions: 4, " TEMPLATE("app: sum") "}}\n" //
        POD("x1", "app: sum", OWNER("batch/v1", "Job", "sum"),
            "spec: {nodeName: n1}, status: {phase: Succeeded}") //
        POD("x2", "app: sum", OWNER("batch/v1", "Job", "sum"),
            "spec: {nodeName: n1}, status: {phase: Succeeded}"),
        .pods =
            "default/sum-* app=sum,batch.kubernetes.io/job-name=sum,job-name=sum of batch/v1 Job sum on n1\n"
            "default/sum-* app=sum,batch.kubernetes.io/job-name=sum,job-name=sum of batch/v1 Job sum on n1\n"
            "default/x1 app=sum of batch/v1 Job sum on n1\n"
            "default/x2 app=sum of batch/v1 Job sum on n1\n",
    },
    {
        .name = "an Indexed Job has a pod for each index that has none",
        .text = N1 "---\n"
                   "{apiVersion: batch/v1, kind: Job, metadata: {name: sum}, spec: {parallelism: 2, "
                   "completions: 4, completionMode: Indexed, " TEMPLATE("app: sum") "}}\n" //
        POD("x1", "batch.kubernetes.io/job-completion-index: '0'", OWNER("batch/v1", "Job", "sum"),
            "spec: {nodeName: n1}, status: {phase: Succeeded}") //
        POD("x2", "batch.kubernetes.io/job-completion-index: '2'", OWNER("batch/v1", "Job", "sum"),
            "spec: {nodeName: n1}"),
        .pods = "default/sum-1-* app=sum,batch.kubernetes.io/job-completion-index=1,"
                "batch.kubernetes.io/job-name=sum,job-name=sum of batch/v1 Job sum on n1\n"
                "default/x1 batch.kubernetes.io/job-completion-index=0 of batch/v1 Job sum on n1\n"
                "default/x2 batch.kubernetes.io/job-completion-index=2 of batch/v1 Job sum on n1\n",
    },
    {
        .name = "a suspended Job",
        .text = N1 "---\n"
                   "{apiVersion: batch/v1, kind: Job, metadata: {name: sum}, spec: {suspend: true, " TEMPLATE(
                       "app: sum") "}}\n",
        .pods = "",
    },
    {
        .name = "a work queue gets no new pods once one has found it empty",
        .text =
            N1 "---\n"
               "{apiVersion: batch/v1, kind: Job, metadata: {name: sum}, spec: {parallelism: 3, " TEMPLATE(
                   "app: sum") "}}\n" //
        POD("x1", "app: sum", OWNER("batch/v1", "Job", "sum"),
            "spec: {nodeName: n1}, status: {phase: Succeeded}"),
        .pods = "default/x1 app=sum of batch/v1 Job sum on n1\n",
    },
    {
        .name = "a CronJob makes nothing by itself",
        .text = N1 "---\n"
                   "{apiVersion: batch/v1, kind: CronJob, metadata: {name: tidy}, "
                   "spec: {jobTemplate: {spec: {" TEMPLATE("app: tidy") "}}}}\n",
        .pods = "",
    },
    {
        .name = "a CronJob's first Job, if asked for",
        .text =
            N1 "---\n"
               "{apiVersion: batch/v1, kind: CronJob, metadata: {name: tidy}, "
               "spec: {jobTemplate: {spec: {parallelism: 2, completions: 2, " TEMPLATE("app: tidy") "}}}}\n",
        .pods = "default/tidy-1-* app=tidy,batch.kubernetes.io/job-name=tidy-1,job-name=tidy-1 "
                "of batch/v1 Job tidy-1 on n1\n"
                "default/tidy-1-* app=tidy,batch.kubernetes.io/job-name=tidy-1,job-name=tidy-1 "
                "of batch/v1 Job tidy-1 on n1\n",
        .run_cron_jobs = true,
    },
    {
        .name = "a bare pod",
        .text = N1 POD("a", "app: web", "", "spec: {}"),
        .pods = "default/a app=web on n1\n",
    },
};

static void assert_text(const char *name, const char *got, const char *wanted)
{
    if (strcmp(got, wanted) == 0)
        return;
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf diff;
    ks_buf_init(&diff, &alloc);
    ks_diff_put(&diff, ks_str_of(wanted), ks_str_of(got));
    fail_msg("%s:\n%s", name, diff.data);
}

static void test_expansions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expansions); i++) {
        const expansion *e = &expansions[i];
        ks_sim_options options = {.gates = KS_GATES_DEFAULT, .run_cron_jobs = e->run_cron_jobs};
        simulation s;
        simulation_begin(&s, &options);
        simulation_take(&s, e->text);
        simulation_run(&s);
        assert_text(e->name, simulation_pods(&s), e->pods);
        simulation_end(&s);
    }
}

/* ---- who comes first ---- */

static const struct {
    const char *name, *text, *where;
} orders[] = {
    {"OrderedReady waits for the pod that has no place", N1 WORKLOAD("StatefulSet", "db", "replicas: 9"),
     "db-0 n1, db-1 n1, db-2 n1, db-3 n1, db-4 -"},
    {"OrderedReady waits for a pending pod that was there",
     N1 WORKLOAD("StatefulSet", "db", "replicas: 3")
         POD("db-0", "app: web", OWNER("apps/v1", "StatefulSet", "db"), "spec: {nodeSelector: {disk: hdd}}"),
     "db-0 -"},
    {"OrderedReady fills the gap first",
     N1 WORKLOAD("StatefulSet", "db", "replicas: 3")
         POD("db-1", "app: web", OWNER("apps/v1", "StatefulSet", "db"), "spec: {nodeName: n1}"),
     "db-0 n1, db-1 n1, db-2 n1"},
    {"Parallel does not wait", N1 WORKLOAD("StatefulSet", "db", "replicas: 6, podManagementPolicy: Parallel"),
     "db-0 n1, db-1 n1, db-2 n1, db-3 n1, db-4 -, db-5 -"},
    {"a DaemonSet has a pod a node that fits, and only there",
     N1 NODE("n2", "") NODE("n3", "spec: {taints: [{key: gpu, effect: NoSchedule}]}, ")
         NODE("n4", "spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, "
                    "effect: NoSchedule}]}, ") WORKLOAD("DaemonSet", "log", "minReadySeconds: 0")
             POD("log-x", "app: web", OWNER("apps/v1", "DaemonSet", "log"), "spec: {nodeName: n2}"),
     "log-* n1, log-* n4, log-x n2"},
    {"a DaemonSet's pending pod is its node's",
     N1 NODE("n2", "") WORKLOAD("DaemonSet", "log", "minReadySeconds: 0")
         POD("log-x", "app: web", OWNER("apps/v1", "DaemonSet", "log"),
             "spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
             "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n2]}]}]}}}}"),
     "log-* n1, log-x n2"},
    {"a claim that is there binds its pod, one that is not comes with it",
     "---\n{apiVersion: v1, kind: Node, metadata: {name: n0, labels: {disk: hdd}}, "
     "status: {allocatable: {cpu: '1', memory: 1Gi, pods: '1'}}}\n" N1
     "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv}, spec: {nodeAffinity: {required: "
     "{nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [hdd]}]}]}}, "
     "claimRef: {name: data-db-1, namespace: default}}, status: {phase: Bound}}\n"
     "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-db-1, annotations: "
     "{pv.kubernetes.io/bind-completed: 'yes'}}, spec: {volumeName: pv}, status: {phase: Bound}}\n" WORKLOAD(
         "StatefulSet", "db", "replicas: 3, volumeClaimTemplates: [{metadata: {name: data}}]"),
     "db-0 n1, db-1 n0, db-2 n1"},
};

static void test_orders(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(orders); i++) {
        simulation s;
        simulation_begin(&s, NULL);
        simulation_take(&s, orders[i].text);
        simulation_run(&s);
        assert_text(orders[i].name, simulation_where(&s), orders[i].where);
        simulation_end(&s);
    }
}

/* ---- names ---- */

static void test_names_do_not_depend_on_neighbours(void **state)
{
    (void)state;
    char names[2][64];
    const char *texts[] = {N1 WORKLOAD("ReplicaSet", "web", "replicas: 1"),
                           N1 WORKLOAD("ReplicaSet", "api", "replicas: 2")
                               WORKLOAD("ReplicaSet", "web", "replicas: 1")};
    for (size_t i = 0; i < 2; i++) {
        simulation s;
        simulation_begin(&s, NULL);
        simulation_take(&s, texts[i]);
        simulation_run(&s);
        ks_sim_summary summary = ks_sim_get_summary(s.sim);
        for (size_t j = 0; j < summary.placements; j++) {
            ks_str name = ks_sim_get_placement(s.sim, j).name;
            if (name.data[0] == 'w')
                snprintf(names[i], sizeof names[i], "%.*s", KS_STR_ARG(name));
        }
        simulation_end(&s);
    }
    assert_string_equal(names[0], names[1]);
}

/* ---- which ones ---- */

static const struct {
    const char *name, *namespace_, *label, *where;
} selections[] = {
    {"all", NULL, NULL, "a n1, web-* n1, b n1"},
    {"of a namespace", "default", NULL, "a n1, web-* n1"},
    {"of another", "shop", NULL, "b n1"},
    {"with a label", NULL, "web", "web-* n1, b n1"},
    {"of a namespace with a label", "default", "web", "web-* n1"},
    {"with a label that nobody has", NULL, "db", ""},
};

static void test_selections(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(selections); i++) {
        ks_label label = {KS_STR("app"), ks_str_of(selections[i].label)};
        ks_label_selector selector = {.match_labels = {&label, 1}};
        ks_sim_options options = {.gates = KS_GATES_DEFAULT,
                                  .namespace_ = ks_str_of(selections[i].namespace_),
                                  .selector = selections[i].label ? &selector : NULL};
        simulation s;
        simulation_begin(&s, &options);
        simulation_take(
            &s,
            N1 WORKLOAD("ReplicaSet", "web", "replicas: 1")
                POD("a", "app: api", "",
                    "spec: {}") "---\n"
                                "{apiVersion: v1, kind: Pod, metadata: {name: b, namespace: shop, labels: "
                                "{app: web}}}\n");
        simulation_run(&s);
        assert_text(selections[i].name, simulation_where(&s), selections[i].where);
        simulation_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expansions),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_names_do_not_depend_on_neighbours),
        cmocka_unit_test(test_selections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
