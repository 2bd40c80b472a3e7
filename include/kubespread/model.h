// SPDX-License-Identifier: Apache-2.0
/* Kubernetes objects as plain structs, with the fields that scheduling needs and no others.
 *
 * An object and everything that it points to belongs to whoever made it: decoded objects live as long as
 * the decoder's callback, hand-made ones as long as their maker keeps them. Functions that take an object
 * copy what they keep. Names follow the API's own (topologyKey is topology_key). Strings and lists that
 * the API calls optional are absent as {NULL, 0}; enumerations stay strings, so that validation can quote
 * what was written. All lists have the layout {items, count}. */
#ifndef KUBESPREAD_MODEL_H
#define KUBESPREAD_MODEL_H

#include <kubespread/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KS_LIST(type)                                                                                        \
    struct {                                                                                                 \
        type *items;                                                                                         \
        size_t count;                                                                                        \
    }

typedef struct ks_label {
    ks_str key, value;
} ks_label;

/* A map of strings, sorted by key, each key once (ks_labels_sort brings hand-made ones into order).
 * items NULL: the map is absent; items set with count 0: it is there and empty. */
typedef KS_LIST(ks_label) ks_labels;
typedef KS_LIST(ks_str) ks_strs;

typedef struct ks_opt_i32 {
    bool set;
    int32_t value;
} ks_opt_i32;

typedef struct ks_opt_bool {
    bool set, value;
} ks_opt_bool;

/* An exact amount, value × 10^scale with scale in -9..0 as the API keeps it: what is finer than a
 * billionth is rounded up. See decode.h. */
typedef struct ks_quantity {
    int64_t value;
    int8_t scale;
} ks_quantity;

typedef struct ks_resource {
    ks_str name;
    ks_quantity quantity;
} ks_resource;
typedef KS_LIST(ks_resource) ks_resources; /* sorted by name, each once */

/* ---- selectors ---- */

typedef struct ks_selector_requirement {
    ks_str key;
    ks_str op; /* In, NotIn, Exists, DoesNotExist; for nodes also Gt, Lt */
    ks_strs values;
} ks_selector_requirement;
typedef KS_LIST(ks_selector_requirement) ks_selector_requirements;

typedef struct ks_label_selector {
    ks_labels match_labels;
    ks_selector_requirements match_expressions;
} ks_label_selector;

typedef struct ks_node_selector_term {
    ks_selector_requirements match_expressions;
    ks_selector_requirements match_fields;
} ks_node_selector_term;

typedef struct ks_node_selector {
    KS_LIST(ks_node_selector_term) node_selector_terms;
} ks_node_selector;

/* ---- metadata ---- */

typedef struct ks_owner_reference {
    ks_str api_version, kind, name, uid;
    ks_opt_bool controller;
} ks_owner_reference;

typedef struct ks_object_meta {
    ks_str name, generate_name, namespace_, uid;
    ks_str creation_timestamp, deletion_timestamp; /* RFC 3339 as written */
    ks_labels labels;
    KS_LIST(ks_owner_reference) owner_references;
} ks_object_meta;

/* ---- pods ---- */

typedef struct ks_topology_spread_constraint {
    int32_t max_skew;
    ks_str topology_key;
    ks_str when_unsatisfiable;               /* DoNotSchedule or ScheduleAnyway */
    const ks_label_selector *label_selector; /* NULL: none, which matches no pod */
    ks_opt_i32 min_domains;
    ks_str node_affinity_policy, node_taints_policy; /* Honor or Ignore; absent: the default */
    ks_strs match_label_keys;
} ks_topology_spread_constraint;
typedef KS_LIST(ks_topology_spread_constraint) ks_topology_spread_constraints;

typedef struct ks_toleration {
    ks_str key, op, value, effect; /* op: Equal (also absent), Exists, Lt, Gt */
} ks_toleration;
typedef KS_LIST(ks_toleration) ks_tolerations;

typedef struct ks_preferred_scheduling_term {
    int32_t weight;
    ks_node_selector_term preference;
} ks_preferred_scheduling_term;

typedef struct ks_node_affinity {
    const ks_node_selector *required; /* requiredDuringSchedulingIgnoredDuringExecution */
    KS_LIST(ks_preferred_scheduling_term) preferred;
} ks_node_affinity;

typedef struct ks_pod_affinity_term {
    const ks_label_selector *label_selector;
    ks_strs namespaces;
    const ks_label_selector *namespace_selector;
    ks_str topology_key;
    ks_strs match_label_keys, mismatch_label_keys;
} ks_pod_affinity_term;

typedef struct ks_weighted_pod_affinity_term {
    int32_t weight;
    ks_pod_affinity_term pod_affinity_term;
} ks_weighted_pod_affinity_term;

typedef struct ks_pod_affinity { /* also the shape of podAntiAffinity */
    KS_LIST(ks_pod_affinity_term) required;
    KS_LIST(ks_weighted_pod_affinity_term) preferred;
} ks_pod_affinity;

typedef struct ks_affinity {
    const ks_node_affinity *node_affinity;
    const ks_pod_affinity *pod_affinity, *pod_anti_affinity;
} ks_affinity;

typedef struct ks_container_port {
    int32_t container_port, host_port;
    ks_str protocol, host_ip;
} ks_container_port;

typedef struct ks_resource_requirements {
    ks_resources requests, limits;
} ks_resource_requirements;

typedef struct ks_container {
    ks_str name, image;
    ks_str restart_policy; /* Always makes an init container a sidecar */
    ks_resource_requirements resources;
    KS_LIST(ks_container_port) ports;
} ks_container;

/* A volume with a claim of its own, which is made from a template and named after pod and volume. */
typedef struct ks_ephemeral_volume {
    ks_str storage_class_name; /* of volumeClaimTemplate.spec */
} ks_ephemeral_volume;

typedef struct ks_volume {
    ks_str name;
    ks_str claim_name;                    /* persistentVolumeClaim.claimName; absent for other kinds */
    const ks_ephemeral_volume *ephemeral; /* NULL for other kinds */
    ks_str image;                         /* image.reference; absent for other kinds */
} ks_volume;

typedef struct ks_scheduling_gate {
    ks_str name;
} ks_scheduling_gate;

/* A claim for devices (dynamic resource allocation). */
typedef struct ks_pod_resource_claim {
    ks_str name;
} ks_pod_resource_claim;

typedef struct ks_pod_spec {
    ks_str node_name, scheduler_name;
    ks_str priority_class_name, preemption_policy;
    ks_opt_i32 priority;
    bool host_network;
    ks_labels node_selector;
    const ks_affinity *affinity;
    ks_tolerations tolerations;
    ks_topology_spread_constraints topology_spread_constraints;
    KS_LIST(ks_container) containers, init_containers;
    ks_resources overhead;
    const ks_resource_requirements *resources; /* pod-level resources */
    KS_LIST(ks_volume) volumes;
    KS_LIST(ks_scheduling_gate) scheduling_gates;
    KS_LIST(ks_pod_resource_claim) resource_claims;
} ks_pod_spec;

typedef struct ks_pod {
    ks_object_meta metadata;
    ks_pod_spec spec;
    struct {
        ks_str phase, nominated_node_name;
        ks_str start_time; /* RFC 3339 as written */
    } status;
} ks_pod;

typedef struct ks_pod_template {
    struct {
        ks_labels labels;
    } metadata;
    ks_pod_spec spec;
} ks_pod_template;

/* ---- nodes and namespaces ---- */

typedef struct ks_taint {
    ks_str key, value, effect; /* NoSchedule, PreferNoSchedule, NoExecute */
} ks_taint;
typedef KS_LIST(ks_taint) ks_taints;

typedef struct ks_container_image {
    ks_strs names;
    int64_t size_bytes;
} ks_container_image;

typedef struct ks_node {
    ks_object_meta metadata;
    struct {
        bool unschedulable;
        ks_taints taints;
    } spec;
    struct {
        ks_resources allocatable;
        KS_LIST(ks_container_image) images;
    } status;
} ks_node;

typedef struct ks_namespace {
    ks_object_meta metadata;
} ks_namespace;

/* ---- what owns and groups pods ---- */

typedef struct ks_service {
    ks_object_meta metadata;
    struct {
        ks_labels selector;
    } spec;
} ks_service;

typedef struct ks_replication_controller {
    ks_object_meta metadata;
    struct {
        ks_opt_i32 replicas;
        ks_labels selector;
        ks_pod_template template_;
    } spec;
} ks_replication_controller;

/* An int or a percentage ("25%"). */
typedef struct ks_int_or_percent {
    bool set, percent;
    int32_t value;
} ks_int_or_percent;

/* A volumeClaimTemplate: pod NAME-0 gets the claim TEMPLATE-NAME-0. */
typedef struct ks_claim_template {
    ks_str name;
} ks_claim_template;

/* ReplicaSet, StatefulSet, Deployment and DaemonSet differ only in fields that are absent in the others. */
typedef struct ks_workload {
    ks_object_meta metadata;
    struct {
        ks_opt_i32 replicas;
        const ks_label_selector *selector;
        ks_pod_template template_;
        ks_str service_name;          /* StatefulSet */
        ks_str pod_management_policy; /* StatefulSet: OrderedReady (also absent), Parallel */
        int32_t first_ordinal;        /* StatefulSet: ordinals.start */
        KS_LIST(ks_claim_template) volume_claim_templates; /* StatefulSet */
        ks_str strategy_type;                              /* Deployment, DaemonSet: strategy.type */
        ks_int_or_percent max_surge, max_unavailable;      /* of rollingUpdate */
    } spec;
} ks_workload;

typedef struct ks_job {
    ks_object_meta metadata;
    struct {
        ks_opt_i32 parallelism, completions;
        ks_str completion_mode; /* NonIndexed (also absent), Indexed */
        bool suspend;
        const ks_label_selector *selector;
        ks_pod_template template_;
    } spec;
} ks_job;

typedef struct ks_cron_job {
    ks_object_meta metadata;
    struct {
        bool suspend;
        ks_job job_template; /* its metadata has labels at most */
    } spec;
} ks_cron_job;

typedef struct ks_priority_class {
    ks_object_meta metadata;
    int32_t value;
    bool global_default;
    ks_str preemption_policy;
} ks_priority_class;

typedef struct ks_pod_disruption_budget {
    ks_object_meta metadata;
    struct {
        ks_int_or_percent min_available, max_unavailable;
        const ks_label_selector *selector;
    } spec;
    struct {
        int32_t disruptions_allowed;
    } status;
} ks_pod_disruption_budget;

/* ---- storage ---- */

typedef struct ks_claim_reference {
    ks_str namespace_, name, uid;
} ks_claim_reference;

typedef struct ks_persistent_volume {
    ks_object_meta metadata;
    struct {
        ks_str storage_class; /* volume.beta.kubernetes.io/storage-class */
    } annotations;
    struct {
        ks_resources capacity;
        ks_strs access_modes;
        const ks_claim_reference *claim_ref;   /* NULL: nobody's */
        const ks_node_selector *node_affinity; /* nodeAffinity.required */
        ks_str storage_class_name, volume_mode, volume_attributes_class_name;
    } spec;
    struct {
        ks_str phase; /* absent: Available, as a volume becomes that stands in a file */
    } status;
} ks_persistent_volume;

typedef struct ks_persistent_volume_claim {
    ks_object_meta metadata;
    struct {
        ks_str storage_class;  /* volume.beta.kubernetes.io/storage-class */
        ks_str bind_completed; /* pv.kubernetes.io/bind-completed */
        ks_str selected_node;  /* volume.kubernetes.io/selected-node */
    } annotations;
    struct {
        ks_strs access_modes;
        ks_resource_requirements resources;
        const ks_label_selector *selector;
        ks_str storage_class_name, volume_mode, volume_name, volume_attributes_class_name;
    } spec;
    struct {
        ks_str phase;
    } status;
} ks_persistent_volume_claim;

typedef struct ks_topology_selector_requirement {
    ks_str key;
    ks_strs values;
} ks_topology_selector_requirement;

typedef struct ks_topology_selector_term {
    KS_LIST(ks_topology_selector_requirement) match_label_expressions;
} ks_topology_selector_term;

typedef struct ks_storage_class {
    ks_object_meta metadata;
    ks_str provisioner;
    ks_str volume_binding_mode; /* Immediate (also absent), WaitForFirstConsumer */
    KS_LIST(ks_topology_selector_term) allowed_topologies;
} ks_storage_class;

/* ---- any of them ---- */

typedef enum ks_kind {
    KS_KIND_NONE,
    KS_POD,
    KS_NODE,
    KS_NAMESPACE,
    KS_SERVICE,
    KS_REPLICATION_CONTROLLER,
    KS_REPLICA_SET,
    KS_STATEFUL_SET,
    KS_DEPLOYMENT,
    KS_DAEMON_SET,
    KS_JOB,
    KS_CRON_JOB,
    KS_PRIORITY_CLASS,
    KS_POD_DISRUPTION_BUDGET,
    KS_PERSISTENT_VOLUME,
    KS_PERSISTENT_VOLUME_CLAIM,
    KS_STORAGE_CLASS,
    KS_KIND_COUNT,
} ks_kind;

typedef struct ks_object {
    ks_kind kind;
    size_t offset; /* where it begins in its source's text; 0 for hand-made objects */
    ks_str json;   /* its text as JSON, as long as the decoder's callback runs; absent for hand-made ones */
    union {
        ks_object_meta metadata; /* every kind begins with it */
        ks_pod pod;
        ks_node node;
        ks_namespace namespace_;
        ks_service service;
        ks_replication_controller replication_controller;
        ks_workload workload; /* ReplicaSet, StatefulSet, Deployment, DaemonSet */
        ks_job job;
        ks_cron_job cron_job;
        ks_priority_class priority_class;
        ks_pod_disruption_budget pod_disruption_budget;
        ks_persistent_volume persistent_volume;
        ks_persistent_volume_claim persistent_volume_claim;
        ks_storage_class storage_class;
    };
} ks_object;

/* The API's name of a kind ("ReplicaSet"), and back from apiVersion and kind (KS_KIND_NONE if it is not
 * one of ours). */
KS_API const char *ks_kind_name(ks_kind kind);
KS_API ks_kind ks_kind_of(ks_str api_version, ks_str kind);
/* Whether objects of a kind live in a namespace. */
KS_API bool ks_kind_namespaced(ks_kind kind);

/* Sorts a hand-made map by key, in place; of equal keys the last one given wins. */
KS_API void ks_labels_sort(ks_labels *labels);
/* The value of a key, or an absent string. */
KS_API ks_str ks_labels_get(const ks_labels *labels, ks_str key);

#ifdef __cplusplus
}
#endif
#endif
