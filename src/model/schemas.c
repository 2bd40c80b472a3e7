// SPDX-License-Identifier: Apache-2.0
/* The API's fields that the model has, type by type; each table in the order of the names. */
#include "model/schema.h"

#define FIELD KS_FIELD
#define INSIDE KS_FIELD_INSIDE
/* Known to every object, so that they are refused when given twice. */
#define TYPE_META KS_FIELD_SKIP("apiVersion"), KS_FIELD_SKIP("kind")

/* ---- selectors ---- */

static const ks_field requirement_fields[] = {
    FIELD("key", STRING, ks_selector_requirement, key, NULL),
    FIELD("operator", STRING, ks_selector_requirement, op, NULL),
    FIELD("values", STRINGS, ks_selector_requirement, values, NULL),
};
static const ks_schema requirement_schema = KS_SCHEMA(ks_selector_requirement, requirement_fields);

static const ks_field label_selector_fields[] = {
    FIELD("matchExpressions", LIST, ks_label_selector, match_expressions, &requirement_schema),
    FIELD("matchLabels", LABELS, ks_label_selector, match_labels, NULL),
};
const ks_schema ks_label_selector_schema = KS_SCHEMA(ks_label_selector, label_selector_fields);

static const ks_field node_selector_term_fields[] = {
    FIELD("matchExpressions", LIST, ks_node_selector_term, match_expressions, &requirement_schema),
    FIELD("matchFields", LIST, ks_node_selector_term, match_fields, &requirement_schema),
};
static const ks_schema node_selector_term_schema =
    KS_SCHEMA(ks_node_selector_term, node_selector_term_fields);

static const ks_field node_selector_fields[] = {
    FIELD("nodeSelectorTerms", LIST, ks_node_selector, node_selector_terms, &node_selector_term_schema),
};
const ks_schema ks_node_selector_schema = KS_SCHEMA(ks_node_selector, node_selector_fields);

/* ---- metadata ---- */

static const ks_field owner_reference_fields[] = {
    FIELD("apiVersion", STRING, ks_owner_reference, api_version, NULL),
    FIELD("controller", OPT_BOOL, ks_owner_reference, controller, NULL),
    FIELD("kind", STRING, ks_owner_reference, kind, NULL),
    FIELD("name", STRING, ks_owner_reference, name, NULL),
    FIELD("uid", STRING, ks_owner_reference, uid, NULL),
};
static const ks_schema owner_reference_schema = KS_SCHEMA(ks_owner_reference, owner_reference_fields);

static const ks_field object_meta_fields[] = {
    FIELD("creationTimestamp", TIMESTAMP, ks_object_meta, creation_timestamp, NULL),
    FIELD("deletionTimestamp", TIMESTAMP, ks_object_meta, deletion_timestamp, NULL),
    FIELD("generateName", STRING, ks_object_meta, generate_name, NULL),
    FIELD("labels", OBJECT_LABELS, ks_object_meta, labels, NULL),
    FIELD("name", STRING, ks_object_meta, name, NULL),
    FIELD("namespace", STRING, ks_object_meta, namespace_, NULL),
    FIELD("ownerReferences", LIST, ks_object_meta, owner_references, &owner_reference_schema),
    FIELD("uid", STRING, ks_object_meta, uid, NULL),
};
static const ks_schema object_meta_schema = KS_SCHEMA(ks_object_meta, object_meta_fields);

/* ---- a pod's parts ---- */

static const ks_field topology_spread_constraint_fields[] = {
    FIELD("labelSelector", POINTER, ks_topology_spread_constraint, label_selector, &ks_label_selector_schema),
    FIELD("matchLabelKeys", STRINGS, ks_topology_spread_constraint, match_label_keys, NULL),
    FIELD("maxSkew", I32, ks_topology_spread_constraint, max_skew, NULL),
    FIELD("minDomains", OPT_I32, ks_topology_spread_constraint, min_domains, NULL),
    FIELD("nodeAffinityPolicy", STRING, ks_topology_spread_constraint, node_affinity_policy, NULL),
    FIELD("nodeTaintsPolicy", STRING, ks_topology_spread_constraint, node_taints_policy, NULL),
    FIELD("topologyKey", STRING, ks_topology_spread_constraint, topology_key, NULL),
    FIELD("whenUnsatisfiable", STRING, ks_topology_spread_constraint, when_unsatisfiable, NULL),
};
const ks_schema ks_topology_spread_constraint_schema =
    KS_SCHEMA(ks_topology_spread_constraint, topology_spread_constraint_fields);

static const ks_field toleration_fields[] = {
    FIELD("effect", STRING, ks_toleration, effect, NULL),
    FIELD("key", STRING, ks_toleration, key, NULL),
    FIELD("operator", STRING, ks_toleration, op, NULL),
    FIELD("value", STRING, ks_toleration, value, NULL),
};
const ks_schema ks_toleration_schema = KS_SCHEMA(ks_toleration, toleration_fields);

static const ks_field preferred_term_fields[] = {
    FIELD("preference", STRUCT, ks_preferred_scheduling_term, preference, &node_selector_term_schema),
    FIELD("weight", I32, ks_preferred_scheduling_term, weight, NULL),
};
static const ks_schema preferred_term_schema = KS_SCHEMA(ks_preferred_scheduling_term, preferred_term_fields);

static const ks_field node_affinity_fields[] = {
    FIELD("preferredDuringSchedulingIgnoredDuringExecution", LIST, ks_node_affinity, preferred,
          &preferred_term_schema),
    FIELD("requiredDuringSchedulingIgnoredDuringExecution", POINTER, ks_node_affinity, required,
          &ks_node_selector_schema),
};
const ks_schema ks_node_affinity_schema = KS_SCHEMA(ks_node_affinity, node_affinity_fields);

static const ks_field pod_affinity_term_fields[] = {
    FIELD("labelSelector", POINTER, ks_pod_affinity_term, label_selector, &ks_label_selector_schema),
    FIELD("matchLabelKeys", STRINGS, ks_pod_affinity_term, match_label_keys, NULL),
    FIELD("mismatchLabelKeys", STRINGS, ks_pod_affinity_term, mismatch_label_keys, NULL),
    FIELD("namespaceSelector", POINTER, ks_pod_affinity_term, namespace_selector, &ks_label_selector_schema),
    FIELD("namespaces", STRINGS, ks_pod_affinity_term, namespaces, NULL),
    FIELD("topologyKey", STRING, ks_pod_affinity_term, topology_key, NULL),
};
static const ks_schema pod_affinity_term_schema = KS_SCHEMA(ks_pod_affinity_term, pod_affinity_term_fields);

static const ks_field weighted_term_fields[] = {
    FIELD("podAffinityTerm", STRUCT, ks_weighted_pod_affinity_term, pod_affinity_term,
          &pod_affinity_term_schema),
    FIELD("weight", I32, ks_weighted_pod_affinity_term, weight, NULL),
};
static const ks_schema weighted_term_schema = KS_SCHEMA(ks_weighted_pod_affinity_term, weighted_term_fields);

static const ks_field pod_affinity_fields[] = {
    FIELD("preferredDuringSchedulingIgnoredDuringExecution", LIST, ks_pod_affinity, preferred,
          &weighted_term_schema),
    FIELD("requiredDuringSchedulingIgnoredDuringExecution", LIST, ks_pod_affinity, required,
          &pod_affinity_term_schema),
};
static const ks_schema pod_affinity_schema = KS_SCHEMA(ks_pod_affinity, pod_affinity_fields);

static const ks_field affinity_fields[] = {
    FIELD("nodeAffinity", POINTER, ks_affinity, node_affinity, &ks_node_affinity_schema),
    FIELD("podAffinity", POINTER, ks_affinity, pod_affinity, &pod_affinity_schema),
    FIELD("podAntiAffinity", POINTER, ks_affinity, pod_anti_affinity, &pod_affinity_schema),
};
static const ks_schema affinity_schema = KS_SCHEMA(ks_affinity, affinity_fields);

static const ks_field container_port_fields[] = {
    FIELD("containerPort", I32, ks_container_port, container_port, NULL),
    FIELD("hostIP", STRING, ks_container_port, host_ip, NULL),
    FIELD("hostPort", I32, ks_container_port, host_port, NULL),
    FIELD("protocol", STRING, ks_container_port, protocol, NULL),
};
static const ks_schema container_port_schema = KS_SCHEMA(ks_container_port, container_port_fields);

static const ks_field resource_requirements_fields[] = {
    FIELD("limits", RESOURCES, ks_resource_requirements, limits, NULL),
    FIELD("requests", RESOURCES, ks_resource_requirements, requests, NULL),
};
static const ks_schema resource_requirements_schema =
    KS_SCHEMA(ks_resource_requirements, resource_requirements_fields);

static const ks_field container_fields[] = {
    FIELD("image", STRING, ks_container, image, NULL),
    FIELD("name", STRING, ks_container, name, NULL),
    FIELD("ports", LIST, ks_container, ports, &container_port_schema),
    FIELD("resources", STRUCT, ks_container, resources, &resource_requirements_schema),
    FIELD("restartPolicy", STRING, ks_container, restart_policy, NULL),
};
static const ks_schema container_schema = KS_SCHEMA(ks_container, container_fields);

static const ks_field volume_claim_fields[] = {
    FIELD("claimName", STRING, ks_volume, claim_name, NULL),
};
static const ks_schema volume_claim_schema = KS_SCHEMA(ks_volume, volume_claim_fields);
static const ks_field volume_fields[] = {
    FIELD("name", STRING, ks_volume, name, NULL),
    INSIDE("persistentVolumeClaim", &volume_claim_schema),
};
static const ks_schema volume_schema = KS_SCHEMA(ks_volume, volume_fields);

static const ks_field scheduling_gate_fields[] = {
    FIELD("name", STRING, ks_scheduling_gate, name, NULL),
};
static const ks_schema scheduling_gate_schema = KS_SCHEMA(ks_scheduling_gate, scheduling_gate_fields);

/* ---- pods ---- */

static const ks_field pod_spec_fields[] = {
    FIELD("affinity", POINTER, ks_pod_spec, affinity, &affinity_schema),
    FIELD("containers", LIST, ks_pod_spec, containers, &container_schema),
    FIELD("hostNetwork", BOOL, ks_pod_spec, host_network, NULL),
    FIELD("initContainers", LIST, ks_pod_spec, init_containers, &container_schema),
    FIELD("nodeName", STRING, ks_pod_spec, node_name, NULL),
    FIELD("nodeSelector", LABELS, ks_pod_spec, node_selector, NULL),
    FIELD("overhead", RESOURCES, ks_pod_spec, overhead, NULL),
    FIELD("preemptionPolicy", STRING, ks_pod_spec, preemption_policy, NULL),
    FIELD("priority", OPT_I32, ks_pod_spec, priority, NULL),
    FIELD("priorityClassName", STRING, ks_pod_spec, priority_class_name, NULL),
    FIELD("resources", POINTER, ks_pod_spec, resources, &resource_requirements_schema),
    FIELD("schedulerName", STRING, ks_pod_spec, scheduler_name, NULL),
    FIELD("schedulingGates", LIST, ks_pod_spec, scheduling_gates, &scheduling_gate_schema),
    FIELD("tolerations", LIST, ks_pod_spec, tolerations, &ks_toleration_schema),
    FIELD("topologySpreadConstraints", LIST, ks_pod_spec, topology_spread_constraints,
          &ks_topology_spread_constraint_schema),
    FIELD("volumes", LIST, ks_pod_spec, volumes, &volume_schema),
};
const ks_schema ks_pod_spec_schema = KS_SCHEMA_PARTIAL(ks_pod_spec, pod_spec_fields);

static const ks_field pod_status_fields[] = {
    FIELD("nominatedNodeName", STRING, ks_pod, status.nominated_node_name, NULL),
    FIELD("phase", STRING, ks_pod, status.phase, NULL),
};
static const ks_schema pod_status_schema = KS_SCHEMA(ks_pod, pod_status_fields);
static const ks_field pod_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_pod, metadata, &object_meta_schema),
    FIELD("spec", STRUCT, ks_pod, spec, &ks_pod_spec_schema),
    INSIDE("status", &pod_status_schema),
};
const ks_schema ks_pod_schema = KS_SCHEMA_PARTIAL(ks_pod, pod_fields);

static const ks_field template_meta_fields[] = {
    FIELD("labels", OBJECT_LABELS, ks_pod_template, metadata.labels, NULL),
};
static const ks_schema template_meta_schema = KS_SCHEMA(ks_pod_template, template_meta_fields);
static const ks_field pod_template_fields[] = {
    INSIDE("metadata", &template_meta_schema),
    FIELD("spec", STRUCT, ks_pod_template, spec, &ks_pod_spec_schema),
};
static const ks_schema pod_template_schema = KS_SCHEMA(ks_pod_template, pod_template_fields);

/* ---- nodes and namespaces ---- */

static const ks_field taint_fields[] = {
    FIELD("effect", STRING, ks_taint, effect, NULL),
    FIELD("key", STRING, ks_taint, key, NULL),
    FIELD("value", STRING, ks_taint, value, NULL),
};
const ks_schema ks_taint_schema = KS_SCHEMA(ks_taint, taint_fields);

static const ks_field image_fields[] = {
    FIELD("names", STRINGS, ks_container_image, names, NULL),
    FIELD("sizeBytes", I64, ks_container_image, size_bytes, NULL),
};
static const ks_schema image_schema = KS_SCHEMA(ks_container_image, image_fields);

static const ks_field node_spec_fields[] = {
    FIELD("taints", LIST, ks_node, spec.taints, &ks_taint_schema),
    FIELD("unschedulable", BOOL, ks_node, spec.unschedulable, NULL),
};
static const ks_schema node_spec_schema = KS_SCHEMA(ks_node, node_spec_fields);
static const ks_field node_status_fields[] = {
    FIELD("allocatable", RESOURCES, ks_node, status.allocatable, NULL),
    FIELD("images", LIST, ks_node, status.images, &image_schema),
};
static const ks_schema node_status_schema = KS_SCHEMA(ks_node, node_status_fields);
static const ks_field node_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_node, metadata, &object_meta_schema),
    INSIDE("spec", &node_spec_schema),
    INSIDE("status", &node_status_schema),
};
const ks_schema ks_node_schema = KS_SCHEMA_PARTIAL(ks_node, node_fields);

static const ks_field namespace_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_namespace, metadata, &object_meta_schema),
};
const ks_schema ks_namespace_schema = KS_SCHEMA_PARTIAL(ks_namespace, namespace_fields);

/* ---- what owns and groups pods ---- */

static const ks_field service_spec_fields[] = {
    FIELD("selector", LABELS, ks_service, spec.selector, NULL),
};
static const ks_schema service_spec_schema = KS_SCHEMA(ks_service, service_spec_fields);
static const ks_field service_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_service, metadata, &object_meta_schema),
    INSIDE("spec", &service_spec_schema),
};
const ks_schema ks_service_schema = KS_SCHEMA_PARTIAL(ks_service, service_fields);

static const ks_field controller_spec_fields[] = {
    FIELD("replicas", OPT_I32, ks_replication_controller, spec.replicas, NULL),
    FIELD("selector", LABELS, ks_replication_controller, spec.selector, NULL),
    FIELD("template", STRUCT, ks_replication_controller, spec.template_, &pod_template_schema),
};
static const ks_schema controller_spec_schema = KS_SCHEMA(ks_replication_controller, controller_spec_fields);
static const ks_field controller_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_replication_controller, metadata, &object_meta_schema),
    INSIDE("spec", &controller_spec_schema),
};
const ks_schema ks_replication_controller_schema =
    KS_SCHEMA_PARTIAL(ks_replication_controller, controller_fields);

static const ks_field rolling_update_fields[] = {
    FIELD("maxSurge", INT_OR_PERCENT, ks_workload, spec.max_surge, NULL),
    FIELD("maxUnavailable", INT_OR_PERCENT, ks_workload, spec.max_unavailable, NULL),
};
static const ks_schema rolling_update_schema = KS_SCHEMA(ks_workload, rolling_update_fields);
static const ks_field strategy_fields[] = {
    INSIDE("rollingUpdate", &rolling_update_schema),
    FIELD("type", STRING, ks_workload, spec.strategy_type, NULL),
};
static const ks_schema strategy_schema = KS_SCHEMA(ks_workload, strategy_fields);
/* Deployments say strategy, StatefulSets and DaemonSets updateStrategy; no kind has both. */
static const ks_field workload_spec_fields[] = {
    FIELD("replicas", OPT_I32, ks_workload, spec.replicas, NULL),
    FIELD("selector", POINTER, ks_workload, spec.selector, &ks_label_selector_schema),
    FIELD("serviceName", STRING, ks_workload, spec.service_name, NULL),
    INSIDE("strategy", &strategy_schema),
    FIELD("template", STRUCT, ks_workload, spec.template_, &pod_template_schema),
    INSIDE("updateStrategy", &strategy_schema),
};
static const ks_schema workload_spec_schema = KS_SCHEMA(ks_workload, workload_spec_fields);
static const ks_field workload_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_workload, metadata, &object_meta_schema),
    INSIDE("spec", &workload_spec_schema),
};
const ks_schema ks_workload_schema = KS_SCHEMA_PARTIAL(ks_workload, workload_fields);

static const ks_field job_spec_fields[] = {
    FIELD("completions", OPT_I32, ks_job, spec.completions, NULL),
    FIELD("parallelism", OPT_I32, ks_job, spec.parallelism, NULL),
    FIELD("selector", POINTER, ks_job, spec.selector, &ks_label_selector_schema),
    FIELD("template", STRUCT, ks_job, spec.template_, &pod_template_schema),
};
static const ks_schema job_spec_schema = KS_SCHEMA(ks_job, job_spec_fields);
static const ks_field job_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_job, metadata, &object_meta_schema),
    INSIDE("spec", &job_spec_schema),
};
const ks_schema ks_job_schema = KS_SCHEMA_PARTIAL(ks_job, job_fields);

static const ks_field priority_class_fields[] = {
    KS_FIELD_SKIP("apiVersion"),
    FIELD("globalDefault", BOOL, ks_priority_class, global_default, NULL),
    KS_FIELD_SKIP("kind"),
    FIELD("metadata", STRUCT, ks_priority_class, metadata, &object_meta_schema),
    FIELD("preemptionPolicy", STRING, ks_priority_class, preemption_policy, NULL),
    FIELD("value", I32, ks_priority_class, value, NULL),
};
const ks_schema ks_priority_class_schema = KS_SCHEMA_PARTIAL(ks_priority_class, priority_class_fields);

static const ks_field budget_spec_fields[] = {
    FIELD("maxUnavailable", INT_OR_PERCENT, ks_pod_disruption_budget, spec.max_unavailable, NULL),
    FIELD("minAvailable", INT_OR_PERCENT, ks_pod_disruption_budget, spec.min_available, NULL),
    FIELD("selector", POINTER, ks_pod_disruption_budget, spec.selector, &ks_label_selector_schema),
};
static const ks_schema budget_spec_schema = KS_SCHEMA(ks_pod_disruption_budget, budget_spec_fields);
static const ks_field budget_status_fields[] = {
    FIELD("disruptionsAllowed", I32, ks_pod_disruption_budget, status.disruptions_allowed, NULL),
};
static const ks_schema budget_status_schema = KS_SCHEMA(ks_pod_disruption_budget, budget_status_fields);
static const ks_field budget_fields[] = {
    TYPE_META,
    FIELD("metadata", STRUCT, ks_pod_disruption_budget, metadata, &object_meta_schema),
    INSIDE("spec", &budget_spec_schema),
    INSIDE("status", &budget_status_schema),
};
const ks_schema ks_pod_disruption_budget_schema = KS_SCHEMA_PARTIAL(ks_pod_disruption_budget, budget_fields);
