// SPDX-License-Identifier: Apache-2.0
#include "engine/volume.h"
#include "model/schema.h"
#include <assert.h>

typedef struct stored_key {
    ks_kind kind;
    ks_str namespace_, name;
} stored_key;

static stored_key key_of(ks_kind kind, ks_str namespace_, ks_str name)
{
    return (stored_key){kind, ks_kind_namespaced(kind) ? ks_namespace_or_default(namespace_) : KS_STR(""),
                        name};
}

static uint64_t hash_key(const stored_key *key)
{
    uint64_t hash = ks_hash_bytes(key->namespace_.data, key->namespace_.len, (uint64_t)key->kind);
    return ks_hash_bytes(key->name.data, key->name.len, hash);
}

static bool has_key(const ks_row *row, const void *wanted)
{
    const ks_stored *stored = (const ks_stored *)row;
    const stored_key *key = wanted;
    return stored->object.kind == key->kind && ks_str_eq(stored->object.metadata.name, key->name) &&
           ks_str_eq(ks_space_name(stored->space), key->namespace_);
}

static ks_stored *find_stored(const ks_cluster *cluster, const stored_key *key)
{
    return (ks_stored *)ks_table_find(&cluster->stored, hash_key(key), has_key, key);
}

const ks_stored *ks_stored_find(const ks_cluster *cluster, ks_kind kind, ks_str namespace_, ks_str name)
{
    stored_key key = key_of(kind, namespace_, name);
    return find_stored(cluster, &key);
}

static void free_row(ks_cluster *cluster, ks_stored *stored)
{
    ks_space_unref(cluster, stored->space);
    ks_arena_free(&stored->arena);
    ks_alloc_free(&cluster->alloc, stored, sizeof *stored);
}

/* Where objects of its kind are gone through; NULL if they are only looked up. */
static ks_stored_list *list_of(ks_cluster *cluster, const ks_stored *stored)
{
    switch (stored->object.kind) {
    case KS_SERVICE:
        return &stored->space->services;
    case KS_PRIORITY_CLASS:
        return &cluster->priority_classes;
    case KS_POD_DISRUPTION_BUDGET:
        return &cluster->budgets;
    case KS_PERSISTENT_VOLUME:
        return &cluster->volumes;
    default:
        return NULL;
    }
}

/* What was worked out from objects of this kind has to be worked out again. */
static void note_change(ks_cluster *cluster, const ks_stored *stored)
{
    assert(stored->space);
    switch (stored->object.kind) {
    case KS_PRIORITY_CLASS:
        ks_priority_changed(cluster);
        break;
    case KS_NAMESPACE:
        cluster->namespaces_version++;
        break;
    case KS_SERVICE:
    case KS_REPLICATION_CONTROLLER:
    case KS_REPLICA_SET:
    case KS_STATEFUL_SET:
        stored->space->workloads_version++;
        break;
    default:
        break;
    }
}

static void unlink_stored(ks_cluster *cluster, ks_stored *stored)
{
    ks_table_remove(&cluster->stored, &stored->row);
    ks_stored_list *list = list_of(cluster, stored);
    if (list)
        ks_vec_remove_value(list, stored);
    ks_volumes_release(cluster, stored);
}

static bool compile_selector(ks_stored *stored)
{
    const ks_label_selector *from;
    if (stored->object.kind == KS_POD_DISRUPTION_BUDGET)
        from = stored->object.pod_disruption_budget.spec.selector;
    else if (stored->object.kind == KS_PERSISTENT_VOLUME_CLAIM)
        from = stored->object.persistent_volume_claim.spec.selector;
    else
        return true;
    int code = ks_selector_compile(&stored->selector, from, &stored->arena, NULL);
    if (code != KS_OK)
        stored->selector = (ks_selector){.nothing = true};
    return code != KS_ENOMEM;
}

static bool fill_row(ks_cluster *cluster, ks_stored *stored, const ks_object *object, const stored_key *key)
{
    stored->object.kind = object->kind;
    stored->space = ks_space_get(cluster, key->namespace_);
    ks_stored_list *list = stored->space ? list_of(cluster, stored) : NULL;
    return stored->space && (!list || ks_vec_reserve(list, &cluster->alloc, list->count + 1)) &&
           ks_schema_copy(ks_kind_schema(object->kind), &stored->object.metadata, &object->metadata,
                          &stored->arena) &&
           compile_selector(stored) && ks_table_reserve(&cluster->stored, &cluster->alloc);
}

int ks_stored_apply(ks_cluster *cluster, const ks_object *object, ks_error *err)
{
    stored_key key = key_of(object->kind, object->metadata.namespace_, object->metadata.name);
    if (key.name.len == 0)
        return ks_fail(err, KS_EINVAL, "metadata.name: \"\": a %s must have a name",
                       ks_kind_name(object->kind));
    ks_stored *stored = ks_alloc_get_zeroed(&cluster->alloc, sizeof *stored);
    if (!stored)
        return ks_fail_nomem(err);
    ks_arena_init(&stored->arena, &cluster->alloc);
    if (!fill_row(cluster, stored, object, &key)) {
        free_row(cluster, stored);
        return ks_fail_nomem(err);
    }
    ks_stored *old = find_stored(cluster, &key);
    if (old)
        unlink_stored(cluster, old);
    ks_table_add(&cluster->stored, &stored->row, hash_key(&key));
    ks_stored_list *list = list_of(cluster, stored);
    if (list)
        list->items[list->count++] = stored;
    note_change(cluster, stored);
    if (old)
        free_row(cluster, old);
    return KS_OK;
}

int ks_stored_delete(ks_cluster *cluster, ks_kind kind, ks_str namespace_, ks_str name, ks_error *err)
{
    stored_key key = key_of(kind, namespace_, name);
    ks_stored *stored = find_stored(cluster, &key);
    if (!stored)
        return ks_fail(err, KS_ENOTFOUND, "%s \"%.*s\" not found", ks_kind_name(kind), KS_STR_ARG(name));
    unlink_stored(cluster, stored);
    note_change(cluster, stored);
    free_row(cluster, stored);
    return KS_OK;
}

void ks_stored_free(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->stored.rows.count; i++) {
        ks_stored *stored = (ks_stored *)cluster->stored.rows.items[i];
        if (!stored)
            continue;
        unlink_stored(cluster, stored);
        free_row(cluster, stored);
    }
    ks_table_free(&cluster->stored, &cluster->alloc);
    ks_vec_free(&cluster->priority_classes, &cluster->alloc);
    ks_vec_free(&cluster->budgets, &cluster->alloc);
    ks_vec_free(&cluster->volumes, &cluster->alloc);
}
