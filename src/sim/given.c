// SPDX-License-Identifier: Apache-2.0
/* Workloads as they were given. */
#include "model/schema.h"
#include "sim/state.h"

typedef struct given_key {
    ks_kind kind;
    ks_str namespace_, name;
} given_key;

static uint64_t hash_key(const given_key *key)
{
    uint64_t hash = ks_hash_bytes(key->namespace_.data, key->namespace_.len, (uint64_t)key->kind);
    return ks_hash_bytes(key->name.data, key->name.len, hash);
}

static bool has_key(const void *ctx, uint32_t row, const void *wanted)
{
    const ks_sim *sim = ctx;
    const given_key *key = wanted;
    const ks_object *object = &sim->given.items[row]->object;
    return object->kind == key->kind && ks_str_eq(object->metadata.name, key->name) &&
           ks_str_eq(object->metadata.namespace_, key->namespace_);
}

static uint32_t find(const ks_sim *sim, const given_key *key)
{
    return ks_index_find(&sim->given_by_name, hash_key(key), has_key, sim, key);
}

static void free_given(ks_sim *sim, ks_given *given)
{
    ks_arena_free(&given->arena);
    ks_alloc_free(&sim->alloc, given, sizeof *given);
}

static ks_given *copy_object(ks_sim *sim, const ks_object *object)
{
    ks_given *given = ks_alloc_get_zeroed(&sim->alloc, sizeof *given);
    if (!given)
        return NULL;
    ks_arena_init(&given->arena, &sim->alloc);
    given->object.kind = object->kind;
    given->object.offset = object->offset;
    if (!ks_schema_copy(ks_kind_schema(object->kind), &given->object.metadata, &object->metadata,
                        &given->arena)) {
        free_given(sim, given);
        return NULL;
    }
    if (given->object.metadata.namespace_.len == 0)
        given->object.metadata.namespace_ = KS_STR("default");
    return given;
}

int ks_given_keep(ks_sim *sim, const ks_object *object, ks_error *err)
{
    if (object->metadata.name.len == 0)
        return ks_fail(err, KS_EINVAL, "metadata.name: \"\": a %s must have a name",
                       ks_kind_name(object->kind));
    ks_given *given = copy_object(sim, object);
    if (!given)
        return ks_fail_nomem(err);
    given_key key = {object->kind, given->object.metadata.namespace_, given->object.metadata.name};
    uint32_t row = find(sim, &key);
    if (row != KS_NONE) {
        free_given(sim, sim->given.items[row]);
        sim->given.items[row] = given;
        return KS_OK;
    }
    if (!ks_index_reserve(&sim->given_by_name, &sim->alloc) ||
        !ks_vec_push(&sim->given, &sim->alloc, given)) {
        free_given(sim, given);
        return ks_fail_nomem(err);
    }
    ks_index_add(&sim->given_by_name, hash_key(&key), (uint32_t)(sim->given.count - 1));
    return KS_OK;
}

const ks_object *ks_given_find(const ks_sim *sim, ks_kind kind, ks_str namespace_, ks_str name)
{
    given_key key = {kind, ks_namespace_or_default(namespace_), name};
    uint32_t row = find(sim, &key);
    return row == KS_NONE ? NULL : &sim->given.items[row]->object;
}

void ks_given_free(ks_sim *sim)
{
    for (size_t i = 0; i < sim->given.count; i++)
        free_given(sim, sim->given.items[i]);
    ks_vec_free(&sim->given, &sim->alloc);
    ks_index_free(&sim->given_by_name, &sim->alloc);
}
