// SPDX-License-Identifier: Apache-2.0
/* The engine: a cluster's state, fed by events, and scheduling cycles that ask it where a pod may go.
 *
 * The cluster keeps its counts alive: an event costs a few additions, and a cycle reads counts instead of
 * making them. One cluster and its cycles belong to one thread at a time; clusters share nothing. */
#ifndef KUBESPREAD_CLUSTER_H
#define KUBESPREAD_CLUSTER_H

#include <kubespread/config.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ks_cluster ks_cluster; /* freed with ks_cluster_free */
typedef struct ks_cycle ks_cycle;     /* freed with ks_cycle_free, before its cluster */

typedef struct ks_cluster_options {
    const ks_allocator *allocator; /* NULL: malloc and free */
    const ks_profile *profile;     /* copied; NULL: kube-scheduler's default profile */
    ks_gates gates;                /* usually KS_GATES_DEFAULT */
    size_t counter_bytes_max;      /* living counters beyond this are dropped, longest unused first;
                                      0: 256 MiB. What one cycle needs is always kept. The classes and
                                      specs of up to 65,536 pods asked about lately come on top. */
} ks_cluster_options;

/* options NULL: the defaults, all gates on. */
KS_API int ks_cluster_new(ks_cluster **out, const ks_cluster_options *options, ks_error *err);
KS_API void ks_cluster_free(ks_cluster *cluster);

/* Adds an object, or replaces the one of the same kind, namespace and name. What is needed of it is
 * copied. Pods count on their spec.nodeName while they are neither terminating (deletionTimestamp set)
 * nor over (phase Succeeded or Failed); the node may come later than its pods. Kinds that the engine does
 * not use are accepted and ignored. An absent namespace means "default". On failure the cluster is as it
 * was before. */
KS_API int ks_cluster_apply(ks_cluster *cluster, const ks_object *object, ks_error *err);

/* KS_ENOTFOUND if there is no such object. */
KS_API int ks_cluster_delete(ks_cluster *cluster, ks_kind kind, ks_str namespace_, ks_str name,
                             ks_error *err);

typedef struct ks_cluster_stats {
    size_t nodes, pods, pods_pending;
    size_t pod_classes;          /* distinct {namespace, labels, controller} */
    size_t pod_specs;            /* distinct specs */
    size_t counters;             /* living counters */
    size_t counter_bytes, bytes; /* memory of the counters, and of everything */
} ks_cluster_stats;
KS_API ks_cluster_stats ks_cluster_get_stats(const ks_cluster *cluster);

/* A stored pod, valid until the cluster changes: the fields that the engine keeps, which are all of the
 * spec and the status, of its metadata not generateName, and of its owners the controller alone. KS_ENOTFOUND
 * if there is none. */
KS_API int ks_cluster_get_pod(ks_pod *out, const ks_cluster *cluster, ks_str namespace_, ks_str name,
                              ks_error *err);

/* ---- one pod's scheduling cycle ---- */

typedef enum ks_code {
    KS_SUCCESS,
    KS_ERROR,
    KS_UNSCHEDULABLE,
    KS_UNSCHEDULABLE_AND_UNRESOLVABLE, /* evicting pods would not help */
    KS_SKIP,                           /* the plugin has nothing to say about this pod */
} ks_code;
/* "Success", "Unschedulable", … as kube-scheduler writes them. */
KS_API const char *ks_code_name(ks_code code);

/* What a cycle found on one node. Strings live as long as the cycle's run. */
typedef struct ks_node_result {
    ks_str name;
    ks_code code;          /* KS_SKIP: not looked at, the scheduler had found enough nodes */
    ks_str plugin, reason; /* of the first plugin that refuses the node; absent on success */
    bool more_reasons;     /* that plugin has further ones: ks_cycle_get_reason */
    int64_t score;         /* weighted total over the plugins; 0 where the node did not pass */
} ks_node_result;

/* A cycle is reusable: each run replaces what the one before found. What it says is valid until its next
 * run or the cluster's next change. */
KS_API int ks_cycle_new(ks_cycle **out, ks_cluster *cluster, ks_error *err);
KS_API void ks_cycle_free(ks_cycle *cycle);

/* Filters and scores all nodes for a pod, which need not be in the cluster. If it is there and bound, it
 * is counted where it stands. A pod that does not fit is not an error. */
KS_API int ks_cycle_run(ks_cycle *cycle, const ks_pod *pod, ks_error *err);

typedef struct ks_cycle_summary {
    ks_code pre_filter, pre_score; /* KS_SUCCESS; otherwise `message` says why. A pod that is refused as a
                                      whole has a refusal in pre_filter; pre_score is KS_SKIP where no
                                      node was left to score */
    ks_str message;
    size_t nodes, feasible;
    size_t constraints; /* spread constraints in force, hard ones first */
    bool defaulted;     /* they are the cluster's defaults, not the pod's */
} ks_cycle_summary;
KS_API ks_cycle_summary ks_cycle_get_summary(const ks_cycle *cycle);

/* Nodes are numbered from 0 to summary.nodes - 1, in the order of their names. */
KS_API ks_node_result ks_cycle_get_node(const ks_cycle *cycle, size_t node);

/* The nth reason, from 0, why a node was refused; absent behind the last one. */
KS_API ks_str ks_cycle_get_reason(const ks_cycle *cycle, size_t node, size_t nth);

/* A plugin's own weighted score on a node that passed; false if it did not score. */
KS_API bool ks_cycle_get_plugin_score(const ks_cycle *cycle, const char *plugin, size_t node, int64_t *score);

/* ---- the numbers behind it ---- */

typedef struct ks_spread_constraint {
    ks_str topology_key;
    ks_str selector; /* as kubectl writes it: "app=web,tier in (a,b)"; empty if it has no requirements,
                        absent without a labelSelector: neither counts any pods */
    bool hard;       /* DoNotSchedule; otherwise ScheduleAnyway */
    bool honors_affinity, honors_taints;
    int32_t max_skew, min_domains;
    bool matches_self;
    int64_t minimum; /* the global minimum, after minDomains; hard constraints only */
    size_t domains;  /* domains listed by ks_cycle_get_domain */
} ks_spread_constraint;
KS_API ks_spread_constraint ks_cycle_get_constraint(const ks_cycle *cycle, size_t constraint);

/* A domain that a node taking part has. Order: by value. */
typedef struct ks_spread_domain {
    ks_str value;
    int64_t matching; /* pods that count */
    size_t nodes;     /* nodes that take part */
} ks_spread_domain;
KS_API ks_spread_domain ks_cycle_get_domain(const ks_cycle *cycle, size_t constraint, size_t domain);

typedef enum ks_exclusion {
    KS_COUNTED,           /* the node takes part in counting */
    KS_EXCLUDED_KEY,      /* it lacks a topology key of this sort of constraints; detail: the key */
    KS_EXCLUDED_AFFINITY, /* nodeSelector or required node affinity, under nodeAffinityPolicy Honor */
    KS_EXCLUDED_TAINT,    /* a taint not tolerated, under nodeTaintsPolicy Honor; detail: its key */
} ks_exclusion;
KS_API const char *ks_exclusion_name(ks_exclusion exclusion);

/* One node under one constraint: refused by it if it lacks the key or matching + self - minimum exceeds
 * maxSkew. */
typedef struct ks_spread_numbers {
    bool has_key;
    ks_str domain;    /* the node's value of the topology key */
    int64_t matching; /* pods that count in that domain; on the node itself for a soft hostname one */
    int64_t self;     /* 1 if the selector matches the pod itself */
    int64_t minimum;
    int32_t max_skew;
    ks_exclusion exclusion;
    ks_str detail;
} ks_spread_numbers;
KS_API ks_spread_numbers ks_cycle_get_numbers(const ks_cycle *cycle, size_t node, size_t constraint);

/* What filtering would say of one node if pods came to it or left it, as preemption asks. Terminating
 * pods count here, as they do in kube-scheduler. */
typedef struct ks_what_if {
    const ks_pod *const *added, *const *removed;
    size_t added_count, removed_count;
} ks_what_if;
KS_API int ks_cycle_what_if(ks_node_result *out, ks_cycle *cycle, size_t node, const ks_what_if *change,
                            ks_error *err);

/* ---- queueing hints ---- */

typedef enum ks_hint {
    KS_HINT_SKIP,  /* the event cannot help */
    KS_HINT_QUEUE, /* the pod is worth another try */
} ks_hint;

/* Whether an event can make a pod fit that spread constraints refused. An object that was added has no
 * `before`, one that was deleted no `after`. The pod's own update is such an event, too. What the model
 * leaves out cannot be seen to change (a taint's timeAdded, a toleration's tolerationSeconds). */
KS_API int ks_cluster_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                           const ks_object *after, ks_error *err);

#ifdef __cplusplus
}
#endif
#endif
