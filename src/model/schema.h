// SPDX-License-Identifier: Apache-2.0
/* Kubernetes objects as structs, and what can be done with them. Text comes in (decode.h), plain structs
 * go out; selectors, quantities, validation and configuration work on those structs and know no engine.
 *
 * A schema says once how a struct's fields are called and laid out; decoding, copying, comparing and
 * hashing follow from it for every type. */
#ifndef KS_MODEL_SCHEMA_H
#define KS_MODEL_SCHEMA_H

#include "util/arena.h"
#include "util/json.h"
#include <kubespread/model.h>

typedef enum ks_field_type {
    KS_FIELD_STRING,         /* ks_str */
    KS_FIELD_BOOL,           /* bool */
    KS_FIELD_OPT_BOOL,       /* ks_opt_bool */
    KS_FIELD_I32,            /* int32_t */
    KS_FIELD_I64,            /* int64_t */
    KS_FIELD_OPT_I32,        /* ks_opt_i32 */
    KS_FIELD_INT_OR_PERCENT, /* ks_int_or_percent */
    KS_FIELD_STRINGS,        /* ks_strs */
    KS_FIELD_TIMESTAMP,      /* ks_str, checked to be RFC 3339 */
    KS_FIELD_LABELS,         /* ks_labels */
    KS_FIELD_OBJECT_LABELS,  /* ks_labels, keys and values held to the API's limits */
    KS_FIELD_RESOURCES,      /* ks_resources */
    KS_FIELD_STRUCT,         /* a struct in place, by `schema` */
    KS_FIELD_POINTER,        /* a pointer to a struct, NULL if absent, by `schema` */
    KS_FIELD_LIST,           /* a KS_LIST of structs, by `schema` */
    KS_FIELD_RAW,            /* ks_str, the value's JSON text, for whoever decodes it later */
    KS_FIELD_SKIPPED,        /* nothing: known, hence not refused by a strict schema, and read over */
} ks_field_type;

typedef struct ks_schema ks_schema;

enum { KS_SCHEMA_FIELDS_MAX = 64 };

typedef struct ks_field {
    const char *name; /* as in the API. Where the API nests deeper than our struct ("strategy.type"), the
                         outer field is a KS_FIELD_STRUCT whose schema has offsets into the same struct. */
    ks_field_type type;
    size_t offset;
    const ks_schema *schema;
} ks_field;

/* One row of a table of fields: KS_FIELD("maxSkew", I32, ks_topology_spread_constraint, max_skew, NULL). */
#define KS_FIELD(json_name, field_type, struct_type, member, field_schema)                                   \
    {                                                                                                        \
        .name = (json_name), .type = KS_FIELD_##field_type, .offset = offsetof(struct_type, member),         \
        .schema = (field_schema)                                                                             \
    }
/* An object of the API whose fields lie in the same struct as their neighbours. */
#define KS_FIELD_INSIDE(json_name, field_schema)                                                             \
    {                                                                                                        \
        .name = (json_name), .type = KS_FIELD_STRUCT, .schema = (field_schema)                               \
    }
#define KS_FIELD_SKIP(json_name)                                                                             \
    {                                                                                                        \
        .name = (json_name), .type = KS_FIELD_SKIPPED                                                        \
    }
/* How many fields a table has, checked: what was seen of a struct is kept in the bits of one word. */
#define KS_SCHEMA_COUNT(table)                                                                               \
    (sizeof(table) / sizeof *(table) +                                                                       \
     0 * sizeof(struct {                                                                                     \
         _Static_assert(sizeof(table) / sizeof *(table) <= KS_SCHEMA_FIELDS_MAX, "too many fields");         \
         char unused;                                                                                        \
     }))
/* A schema from a struct type and its table. */
#define KS_SCHEMA(struct_type, table)                                                                        \
    {                                                                                                        \
        .size = sizeof(struct_type), .fields = (table), .count = KS_SCHEMA_COUNT(table)                      \
    }
/* The same for one that has only some of the API's fields. */
#define KS_SCHEMA_PARTIAL(struct_type, table)                                                                \
    {                                                                                                        \
        .size = sizeof(struct_type), .fields = (table), .count = KS_SCHEMA_COUNT(table), .partial = true     \
    }

/* The same for one that refuses unknown fields. */
#define KS_SCHEMA_STRICT(struct_type, table)                                                                 \
    {                                                                                                        \
        .size = sizeof(struct_type), .fields = (table), .count = KS_SCHEMA_COUNT(table), .strict = true      \
    }

struct ks_schema {
    size_t size;            /* of the struct */
    const ks_field *fields; /* decoding is fastest with fields in the order of their names */
    size_t count;           /* at most KS_SCHEMA_FIELDS_MAX */
    bool strict;            /* unknown fields are refused, here and in everything below */
    bool partial;           /* unknown fields are skipped, here and below, also inside a strict one */
};

extern const ks_schema ks_pod_schema, ks_node_schema, ks_namespace_schema, ks_service_schema,
    ks_replication_controller_schema, ks_workload_schema, ks_job_schema, ks_cron_job_schema,
    ks_priority_class_schema, ks_pod_disruption_budget_schema, ks_persistent_volume_schema,
    ks_persistent_volume_claim_schema, ks_storage_class_schema;
extern const ks_schema ks_pod_spec_schema, ks_label_selector_schema, ks_topology_spread_constraint_schema,
    ks_node_selector_schema, ks_node_affinity_schema, ks_toleration_schema, ks_taint_schema,
    ks_owner_reference_schema, ks_resource_requirements_schema, ks_topology_selector_term_schema;
/* Of a kind's struct; NULL for KS_KIND_NONE. */
const ks_schema *ks_kind_schema(ks_kind kind);

/* A deep copy into the arena. False on want of memory. */
bool ks_schema_copy(const ks_schema *schema, void *to, const void *from, ks_arena *arena);
/* Absent and empty maps, lists and strings compare and hash as different. */
bool ks_schema_equal(const ks_schema *schema, const void *a, const void *b);
uint64_t ks_schema_hash(const ks_schema *schema, const void *value, uint64_t seed);

/* The same for lists and maps that stand alone. */
bool ks_schema_copy_list(const ks_schema *schema, void *to_list, const void *from_list, ks_arena *arena);
bool ks_schema_equal_list(const ks_schema *schema, const void *a_list, const void *b_list);
uint64_t ks_schema_hash_list(const ks_schema *schema, const void *list, uint64_t seed);
bool ks_labels_copy(ks_labels *to, const ks_labels *from, ks_arena *arena);
bool ks_labels_equal(const ks_labels *a, const ks_labels *b);
uint64_t ks_labels_hash(const ks_labels *labels, uint64_t seed);

#endif
