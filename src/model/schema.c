// SPDX-License-Identifier: Apache-2.0
#include "model/schema.h"

/* Any KS_LIST, seen without its item type. Loaded and stored by memcpy, since the real type differs. */
typedef struct any_list {
    void *items;
    size_t count;
} any_list;
_Static_assert(sizeof(any_list) == sizeof(ks_labels), "all lists have one layout");

static any_list load_list(const void *list)
{
    any_list any;
    memcpy(&any, list, sizeof any);
    return any;
}

static void *load_pointer(const void *pointer)
{
    void *any;
    memcpy(&any, pointer, sizeof any);
    return any;
}

/* ---- what the items of a list are ---- */

typedef enum item_type { ITEM_STRUCT, ITEM_STRING, ITEM_LABEL, ITEM_RESOURCE } item_type;

typedef struct item {
    item_type type;
    size_t size;
    const ks_schema *schema; /* ITEM_STRUCT */
} item;

static const item string_item = {ITEM_STRING, sizeof(ks_str), NULL};
static const item label_item = {ITEM_LABEL, sizeof(ks_label), NULL};
static const item resource_item = {ITEM_RESOURCE, sizeof(ks_resource), NULL};

static item struct_item(const ks_schema *schema)
{
    return (item){ITEM_STRUCT, schema->size, schema};
}

static item item_of(const ks_field *field)
{
    switch (field->type) {
    case KS_FIELD_STRINGS:
        return string_item;
    case KS_FIELD_LABELS:
    case KS_FIELD_OBJECT_LABELS:
        return label_item;
    case KS_FIELD_RESOURCES:
        return resource_item;
    default:
        return struct_item(field->schema);
    }
}

/* ---- copying ---- */

static bool copy_str(ks_str *to, ks_arena *arena)
{
    return ks_arena_copy_str(arena, to, *to);
}

/* The items hold the originals' pointers already. */
static bool copy_item(const item *kind, void *to, ks_arena *arena)
{
    switch (kind->type) {
    case ITEM_STRING:
        return copy_str(to, arena);
    case ITEM_LABEL:
        return copy_str(&((ks_label *)to)->key, arena) && copy_str(&((ks_label *)to)->value, arena);
    case ITEM_RESOURCE:
        return copy_str(&((ks_resource *)to)->name, arena);
    case ITEM_STRUCT:
        break;
    }
    return ks_schema_copy(kind->schema, to, to, arena);
}

static bool copy_list(const item *kind, void *to_list, ks_arena *arena)
{
    any_list list = load_list(to_list);
    if (!list.items)
        return true;
    char *items = ks_arena_get(arena, list.count * kind->size);
    if (!items)
        return false;
    if (list.count)
        memcpy(items, list.items, list.count * kind->size);
    list.items = items;
    memcpy(to_list, &list, sizeof list);
    for (size_t i = 0; i < list.count; i++)
        if (!copy_item(kind, items + i * kind->size, arena))
            return false;
    return true;
}

static bool copy_pointer(const ks_schema *schema, void *to_pointer, ks_arena *arena)
{
    const void *from = load_pointer(to_pointer);
    if (!from)
        return true;
    void *to = ks_arena_get(arena, schema->size);
    if (!to)
        return false;
    memcpy(to_pointer, &to, sizeof to);
    return ks_schema_copy(schema, to, from, arena);
}

static bool copy_fields(const ks_schema *schema, char *to, ks_arena *arena)
{
    for (size_t i = 0; i < schema->count; i++) {
        const ks_field *field = &schema->fields[i];
        void *value = to + field->offset;
        item kind;
        bool copied = true;
        switch (field->type) {
        case KS_FIELD_STRING:
        case KS_FIELD_TIMESTAMP:
        case KS_FIELD_RAW:
            copied = copy_str(value, arena);
            break;
        case KS_FIELD_STRINGS:
        case KS_FIELD_LABELS:
        case KS_FIELD_OBJECT_LABELS:
        case KS_FIELD_RESOURCES:
        case KS_FIELD_LIST:
            kind = item_of(field);
            copied = copy_list(&kind, value, arena);
            break;
        case KS_FIELD_STRUCT:
            copied = copy_fields(field->schema, value, arena);
            break;
        case KS_FIELD_POINTER:
            copied = copy_pointer(field->schema, value, arena);
            break;
        default: /* numbers and flags came with the struct */
            break;
        }
        if (!copied)
            return false;
    }
    return true;
}

bool ks_schema_copy(const ks_schema *schema, void *to, const void *from, ks_arena *arena)
{
    if (to != from)
        memcpy(to, from, schema->size);
    return copy_fields(schema, to, arena);
}

/* ---- comparing ---- */

static bool equal_str(const ks_str *a, const ks_str *b)
{
    if (!a->data || !b->data)
        return a->data == b->data;
    return ks_str_eq(*a, *b);
}

static bool equal_quantity(ks_quantity a, ks_quantity b)
{
    return a.value == b.value && a.scale == b.scale;
}

static bool equal_item(const item *kind, const void *a, const void *b)
{
    const ks_label *la = a, *lb = b;
    const ks_resource *ra = a, *rb = b;
    switch (kind->type) {
    case ITEM_STRING:
        return equal_str(a, b);
    case ITEM_LABEL:
        return equal_str(&la->key, &lb->key) && equal_str(&la->value, &lb->value);
    case ITEM_RESOURCE:
        return equal_str(&ra->name, &rb->name) && equal_quantity(ra->quantity, rb->quantity);
    case ITEM_STRUCT:
        break;
    }
    return ks_schema_equal(kind->schema, a, b);
}

static bool equal_list(const item *kind, const void *a_list, const void *b_list)
{
    any_list a = load_list(a_list), b = load_list(b_list);
    if (a.count != b.count || !a.items != !b.items)
        return false;
    if (!a.items)
        return true;
    for (size_t i = 0; i < a.count; i++)
        if (!equal_item(kind, (char *)a.items + i * kind->size, (char *)b.items + i * kind->size))
            return false;
    return true;
}

static bool equal_pointer(const ks_schema *schema, const void *a_pointer, const void *b_pointer)
{
    const void *a = load_pointer(a_pointer), *b = load_pointer(b_pointer);
    if (!a || !b)
        return a == b;
    return ks_schema_equal(schema, a, b);
}

static bool equal_int_or_percent(const ks_int_or_percent *a, const ks_int_or_percent *b)
{
    return a->set == b->set && a->percent == b->percent && a->value == b->value;
}

static bool equal_field(const ks_field *field, const void *a, const void *b)
{
    item kind;
    switch (field->type) {
    case KS_FIELD_STRING:
    case KS_FIELD_TIMESTAMP:
    case KS_FIELD_RAW:
        return equal_str(a, b);
    case KS_FIELD_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case KS_FIELD_OPT_BOOL:
        return ((const ks_opt_bool *)a)->set == ((const ks_opt_bool *)b)->set &&
               ((const ks_opt_bool *)a)->value == ((const ks_opt_bool *)b)->value;
    case KS_FIELD_I32:
        return *(const int32_t *)a == *(const int32_t *)b;
    case KS_FIELD_I64:
        return *(const int64_t *)a == *(const int64_t *)b;
    case KS_FIELD_OPT_I32:
        return ((const ks_opt_i32 *)a)->set == ((const ks_opt_i32 *)b)->set &&
               ((const ks_opt_i32 *)a)->value == ((const ks_opt_i32 *)b)->value;
    case KS_FIELD_INT_OR_PERCENT:
        return equal_int_or_percent(a, b);
    case KS_FIELD_STRUCT:
        return ks_schema_equal(field->schema, a, b);
    case KS_FIELD_POINTER:
        return equal_pointer(field->schema, a, b);
    case KS_FIELD_SKIPPED:
        return true;
    default:
        kind = item_of(field);
        return equal_list(&kind, a, b);
    }
}

bool ks_schema_equal(const ks_schema *schema, const void *a, const void *b)
{
    for (size_t i = 0; i < schema->count; i++) {
        const ks_field *field = &schema->fields[i];
        if (!equal_field(field, (const char *)a + field->offset, (const char *)b + field->offset))
            return false;
    }
    return true;
}

/* ---- hashing ---- */

/* Numbers, flags and lengths are most of a hash's input and too short for a call each. The constants are
 * those of the splitmix64 generator. */
static uint64_t mix(uint64_t seed, uint64_t value)
{
    uint64_t h = (seed ^ value) * UINT64_C(0xBF58476D1CE4E5B9);
    return (h ^ h >> 29) + UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t hash_str(const ks_str *s, uint64_t seed)
{
    if (!s->data)
        return mix(seed, 1);
    return ks_hash_bytes(s->data, s->len, mix(seed, 2 + s->len));
}

static uint64_t hash_item(const item *kind, const void *value, uint64_t seed)
{
    const ks_label *label = value;
    const ks_resource *resource = value;
    switch (kind->type) {
    case ITEM_STRING:
        return hash_str(value, seed);
    case ITEM_LABEL:
        return hash_str(&label->value, hash_str(&label->key, seed));
    case ITEM_RESOURCE:
        seed = mix(hash_str(&resource->name, seed), (uint64_t)resource->quantity.value);
        return mix(seed, (uint64_t)resource->quantity.scale);
    case ITEM_STRUCT:
        break;
    }
    return ks_schema_hash(kind->schema, value, seed);
}

static uint64_t hash_list(const item *kind, const void *list, uint64_t seed)
{
    any_list any = load_list(list);
    if (!any.items)
        return mix(seed, 0);
    seed = mix(seed, any.count + 1);
    for (size_t i = 0; i < any.count; i++)
        seed = hash_item(kind, (char *)any.items + i * kind->size, seed);
    return seed;
}

static uint64_t hash_pointer(const ks_schema *schema, const void *pointer, uint64_t seed)
{
    const void *value = load_pointer(pointer);
    return value ? ks_schema_hash(schema, value, mix(seed, 1)) : mix(seed, 0);
}

static uint64_t hash_int_or_percent(const ks_int_or_percent *value, uint64_t seed)
{
    return mix(mix(seed, (uint64_t)value->set << 1 | value->percent), (uint64_t)value->value);
}

static uint64_t hash_field(const ks_field *field, const void *value, uint64_t seed)
{
    const ks_opt_bool *opt_bool = value;
    const ks_opt_i32 *opt_i32 = value;
    item kind;
    switch (field->type) {
    case KS_FIELD_STRING:
    case KS_FIELD_TIMESTAMP:
    case KS_FIELD_RAW:
        return hash_str(value, seed);
    case KS_FIELD_BOOL:
        return mix(seed, *(const bool *)value);
    case KS_FIELD_OPT_BOOL:
        return mix(seed, (uint64_t)opt_bool->set << 1 | opt_bool->value);
    case KS_FIELD_I32:
        return mix(seed, (uint64_t) * (const int32_t *)value);
    case KS_FIELD_I64:
        return mix(seed, (uint64_t) * (const int64_t *)value);
    case KS_FIELD_OPT_I32:
        return mix(mix(seed, opt_i32->set), (uint64_t)opt_i32->value);
    case KS_FIELD_INT_OR_PERCENT:
        return hash_int_or_percent(value, seed);
    case KS_FIELD_STRUCT:
        return ks_schema_hash(field->schema, value, seed);
    case KS_FIELD_POINTER:
        return hash_pointer(field->schema, value, seed);
    case KS_FIELD_SKIPPED:
        return seed;
    default:
        kind = item_of(field);
        return hash_list(&kind, value, seed);
    }
}

uint64_t ks_schema_hash(const ks_schema *schema, const void *value, uint64_t seed)
{
    for (size_t i = 0; i < schema->count; i++) {
        const ks_field *field = &schema->fields[i];
        seed = hash_field(field, (const char *)value + field->offset, seed);
    }
    return seed;
}

/* ---- lists and maps that stand alone ---- */

bool ks_schema_copy_list(const ks_schema *schema, void *to_list, const void *from_list, ks_arena *arena)
{
    item kind = struct_item(schema);
    if (to_list != from_list)
        memcpy(to_list, from_list, sizeof(any_list));
    return copy_list(&kind, to_list, arena);
}

bool ks_schema_equal_list(const ks_schema *schema, const void *a_list, const void *b_list)
{
    item kind = struct_item(schema);
    return equal_list(&kind, a_list, b_list);
}

uint64_t ks_schema_hash_list(const ks_schema *schema, const void *list, uint64_t seed)
{
    item kind = struct_item(schema);
    return hash_list(&kind, list, seed);
}

bool ks_labels_copy(ks_labels *to, const ks_labels *from, ks_arena *arena)
{
    *to = *from;
    return copy_list(&label_item, to, arena);
}

bool ks_labels_equal(const ks_labels *a, const ks_labels *b)
{
    return equal_list(&label_item, a, b);
}

uint64_t ks_labels_hash(const ks_labels *labels, uint64_t seed)
{
    return hash_list(&label_item, labels, seed);
}
