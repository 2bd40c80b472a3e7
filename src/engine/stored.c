// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "model/schema.h"

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

static void unlink_stored(ks_cluster *cluster, ks_stored *stored)
{
    ks_table_remove(&cluster->stored, &stored->row);
    stored->space->workloads_version++;
    if (stored->object.kind == KS_SERVICE)
        ks_vec_remove_value(&stored->space->services, stored);
}

static bool fill_row(ks_cluster *cluster, ks_stored *stored, const ks_object *object, const stored_key *key)
{
    stored->object.kind = object->kind;
    stored->space = ks_space_get(cluster, key->namespace_);
    return stored->space &&
           ks_vec_reserve(&stored->space->services, &cluster->alloc, stored->space->services.count + 1) &&
           ks_schema_copy(ks_kind_schema(object->kind), &stored->object.metadata, &object->metadata,
                          &stored->arena) &&
           ks_table_reserve(&cluster->stored, &cluster->alloc);
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
    stored->space->workloads_version++;
    if (object->kind == KS_SERVICE)
        stored->space->services.items[stored->space->services.count++] = stored;
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
}
