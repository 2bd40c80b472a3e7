// SPDX-License-Identifier: Apache-2.0
/* The API's fields that the model has of volumes, claims and storage classes; each table in the order of
 * the names. Some of what matters here stands in annotations, of which only those are kept. */
#include "model/schema.h"

#define FIELD KS_FIELD
#define INSIDE KS_FIELD_INSIDE
#define TYPE_META KS_FIELD_SKIP("apiVersion"), KS_FIELD_SKIP("kind")

/* An object's metadata, behind its annotations. */
#define META_AFTER_ANNOTATIONS(type)                                                                         \
    FIELD("creationTimestamp", TIMESTAMP, type, metadata.creation_timestamp, NULL),                          \
        FIELD("deletionTimestamp", TIMESTAMP, type, metadata.deletion_timestamp, NULL),                      \
        FIELD("generateName", STRING, type, metadata.generate_name, NULL),                                   \
        FIELD("labels", OBJECT_LABELS, type, metadata.labels, NULL),                                         \
        FIELD("name", STRING, type, metadata.name, NULL),                                                    \
        FIELD("namespace", STRING, type, metadata.namespace_, NULL),                                         \
        FIELD("ownerReferences", LIST, type, metadata.owner_references, &ks_owner_reference_schema),         \
        FIELD("uid", STRING, type, metadata.uid, NULL)

/* ---- volumes ---- */

static const ks_field claim_reference_fields[] = {
    FIELD("name", STRING, ks_claim_reference, name, NULL),
    FIELD("namespace", STRING, ks_claim_reference, namespace_, NULL),
    FIELD("uid", STRING, ks_claim_reference, uid, NULL),
};
static const ks_schema claim_reference_schema = KS_SCHEMA(ks_claim_reference, claim_reference_fields);

static const ks_field volume_annotation_fields[] = {
    FIELD("volume.beta.kubernetes.io/storage-class", STRING, ks_persistent_volume, annotations.storage_class,
          NULL),
};
static const ks_schema volume_annotation_schema = KS_SCHEMA(ks_persistent_volume, volume_annotation_fields);
static const ks_field volume_meta_fields[] = {
    INSIDE("annotations", &volume_annotation_schema),
    META_AFTER_ANNOTATIONS(ks_persistent_volume),
};
static const ks_schema volume_meta_schema = KS_SCHEMA(ks_persistent_volume, volume_meta_fields);

static const ks_field volume_affinity_fields[] = {
    FIELD("required", POINTER, ks_persistent_volume, spec.node_affinity, &ks_node_selector_schema),
};
static const ks_schema volume_affinity_schema = KS_SCHEMA(ks_persistent_volume, volume_affinity_fields);
static const ks_field volume_spec_fields[] = {
    FIELD("accessModes", STRINGS, ks_persistent_volume, spec.access_modes, NULL),
    FIELD("capacity", RESOURCES, ks_persistent_volume, spec.capacity, NULL),
    FIELD("claimRef", POINTER, ks_persistent_volume, spec.claim_ref, &claim_reference_schema),
    INSIDE("nodeAffinity", &volume_affinity_schema),
    FIELD("storageClassName", STRING, ks_persistent_volume, spec.storage_class_name, NULL),
    FIELD("volumeAttributesClassName", STRING, ks_persistent_volume, spec.volume_attributes_class_name, NULL),
    FIELD("volumeMode", STRING, ks_persistent_volume, spec.volume_mode, NULL),
};
static const ks_schema volume_spec_schema = KS_SCHEMA(ks_persistent_volume, volume_spec_fields);
static const ks_field volume_status_fields[] = {
    FIELD("phase", STRING, ks_persistent_volume, status.phase, NULL),
};
static const ks_schema volume_status_schema = KS_SCHEMA(ks_persistent_volume, volume_status_fields);
static const ks_field volume_fields[] = {
    TYPE_META,
    INSIDE("metadata", &volume_meta_schema),
    INSIDE("spec", &volume_spec_schema),
    INSIDE("status", &volume_status_schema),
};
const ks_schema ks_persistent_volume_schema = KS_SCHEMA_PARTIAL(ks_persistent_volume, volume_fields);

/* ---- claims ---- */

static const ks_field claim_annotation_fields[] = {
    FIELD("pv.kubernetes.io/bind-completed", STRING, ks_persistent_volume_claim, annotations.bind_completed,
          NULL),
    FIELD("volume.beta.kubernetes.io/storage-class", STRING, ks_persistent_volume_claim,
          annotations.storage_class, NULL),
    FIELD("volume.kubernetes.io/selected-node", STRING, ks_persistent_volume_claim, annotations.selected_node,
          NULL),
};
static const ks_schema claim_annotation_schema =
    KS_SCHEMA(ks_persistent_volume_claim, claim_annotation_fields);
static const ks_field claim_meta_fields[] = {
    INSIDE("annotations", &claim_annotation_schema),
    META_AFTER_ANNOTATIONS(ks_persistent_volume_claim),
};
static const ks_schema claim_meta_schema = KS_SCHEMA(ks_persistent_volume_claim, claim_meta_fields);

static const ks_field claim_spec_fields[] = {
    FIELD("accessModes", STRINGS, ks_persistent_volume_claim, spec.access_modes, NULL),
    FIELD("resources", STRUCT, ks_persistent_volume_claim, spec.resources, &ks_resource_requirements_schema),
    FIELD("selector", POINTER, ks_persistent_volume_claim, spec.selector, &ks_label_selector_schema),
    FIELD("storageClassName", STRING, ks_persistent_volume_claim, spec.storage_class_name, NULL),
    FIELD("volumeAttributesClassName", STRING, ks_persistent_volume_claim, spec.volume_attributes_class_name,
          NULL),
    FIELD("volumeMode", STRING, ks_persistent_volume_claim, spec.volume_mode, NULL),
    FIELD("volumeName", STRING, ks_persistent_volume_claim, spec.volume_name, NULL),
};
static const ks_schema claim_spec_schema = KS_SCHEMA(ks_persistent_volume_claim, claim_spec_fields);
static const ks_field claim_status_fields[] = {
    FIELD("phase", STRING, ks_persistent_volume_claim, status.phase, NULL),
};
static const ks_schema claim_status_schema = KS_SCHEMA(ks_persistent_volume_claim, claim_status_fields);
static const ks_field claim_fields[] = {
    TYPE_META,
    INSIDE("metadata", &claim_meta_schema),
    INSIDE("spec", &claim_spec_schema),
    INSIDE("status", &claim_status_schema),
};
const ks_schema ks_persistent_volume_claim_schema =
    KS_SCHEMA_PARTIAL(ks_persistent_volume_claim, claim_fields);

/* ---- storage classes ---- */

static const ks_field topology_requirement_fields[] = {
    FIELD("key", STRING, ks_topology_selector_requirement, key, NULL),
    FIELD("values", STRINGS, ks_topology_selector_requirement, values, NULL),
};
static const ks_schema topology_requirement_schema =
    KS_SCHEMA(ks_topology_selector_requirement, topology_requirement_fields);
static const ks_field topology_term_fields[] = {
    FIELD("matchLabelExpressions", LIST, ks_topology_selector_term, match_label_expressions,
          &topology_requirement_schema),
};
const ks_schema ks_topology_selector_term_schema = KS_SCHEMA(ks_topology_selector_term, topology_term_fields);

static const ks_field class_meta_fields[] = {
    META_AFTER_ANNOTATIONS(ks_storage_class),
};
static const ks_schema class_meta_schema = KS_SCHEMA(ks_storage_class, class_meta_fields);
static const ks_field class_fields[] = {
    FIELD("allowedTopologies", LIST, ks_storage_class, allowed_topologies, &ks_topology_selector_term_schema),
    TYPE_META,
    INSIDE("metadata", &class_meta_schema),
    FIELD("provisioner", STRING, ks_storage_class, provisioner, NULL),
    FIELD("volumeBindingMode", STRING, ks_storage_class, volume_binding_mode, NULL),
};
const ks_schema ks_storage_class_schema = KS_SCHEMA_PARTIAL(ks_storage_class, class_fields);
