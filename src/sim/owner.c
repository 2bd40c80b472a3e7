// SPDX-License-Identifier: Apache-2.0
/* Owners of pods, and how they are found. */
#include "sim/state.h"

ks_owner *ks_owner_add(ks_sim *sim, ks_kind kind, ks_str namespace_, ks_str name)
{
    ks_owner *owner = ks_alloc_get_zeroed(&sim->alloc, sizeof *owner);
    if (!owner)
        return NULL;
    ks_arena_init(&owner->arena, &sim->alloc);
    owner->kind = kind;
    owner->adopts.nothing = true;
    if (!ks_arena_copy_str(&owner->arena, &owner->namespace_, namespace_) ||
        !ks_arena_copy_str(&owner->arena, &owner->name, name) ||
        !ks_vec_push(&sim->owners, &sim->alloc, owner)) {
        ks_arena_free(&owner->arena);
        ks_alloc_free(&sim->alloc, owner, sizeof *owner);
        return NULL;
    }
    return owner;
}

void ks_owners_free(ks_sim *sim)
{
    for (size_t i = 0; i < sim->owners.count; i++) {
        ks_owner *owner = sim->owners.items[i];
        ks_class_unref(sim->cluster, owner->class_);
        ks_nodeset_free(&owner->covered, &sim->alloc);
        ks_arena_free(&owner->arena);
        ks_alloc_free(&sim->alloc, owner, sizeof *owner);
    }
    for (size_t i = 0; i < sim->classes.count; i++)
        ks_class_unref(sim->cluster, sim->classes.items[i]);
    ks_vec_free(&sim->owners, &sim->alloc);
    ks_vec_free(&sim->classes, &sim->alloc);
    ks_vec_free(&sim->owner_of_class, &sim->alloc);
    ks_vec_free(&sim->controllers, &sim->alloc);
    ks_index_free(&sim->controllers_by_name, &sim->alloc);
}

/* ---- by controller ---- */

static uint64_t hash_controller(const ks_controller *controller)
{
    uint64_t hash = ks_str_hash(controller->namespace_);
    hash = ks_hash_bytes(controller->kind.data, controller->kind.len, hash);
    return ks_hash_bytes(controller->name.data, controller->name.len, hash);
}

static bool is_controller(const void *ctx, uint32_t row, const void *wanted)
{
    const ks_controller *found = &((const ks_sim *)ctx)->controllers.items[row], *key = wanted;
    return ks_str_eq(found->name, key->name) && ks_str_eq(found->kind, key->kind) &&
           ks_str_eq(found->namespace_, key->namespace_);
}

bool ks_owner_add_controller(ks_sim *sim, uint32_t owner, const ks_controller *controller)
{
    if (!ks_index_reserve(&sim->controllers_by_name, &sim->alloc) ||
        !ks_vec_push(&sim->controllers, &sim->alloc, *controller))
        return false;
    uint32_t row = (uint32_t)(sim->controllers.count - 1);
    sim->controllers.items[row].owner = owner;
    ks_index_add(&sim->controllers_by_name, hash_controller(controller), row);
    return true;
}

uint32_t ks_owner_by_controller(const ks_sim *sim, ks_str namespace_, const ks_owner_reference *controller)
{
    ks_controller key = {.namespace_ = namespace_, .kind = controller->kind, .name = controller->name};
    uint32_t row = ks_index_find(&sim->controllers_by_name, hash_controller(&key), is_controller, sim, &key);
    if (row == KS_NONE)
        return KS_NONE;
    const ks_controller *found = &sim->controllers.items[row];
    /* A uid that differs is that of an older object of the same name. */
    if (found->uid.len && controller->uid.len && !ks_str_eq(found->uid, controller->uid))
        return KS_NONE;
    return found->owner;
}

/* ---- by class ---- */

bool ks_owner_add_class(ks_sim *sim, uint32_t owner, ks_class *class_)
{
    uint32_t id = class_->row.id;
    if (ks_owner_of_class(sim, class_) != KS_NONE)
        return true;
    if (!ks_vec_reserve(&sim->classes, &sim->alloc, sim->classes.count + 1) ||
        !ks_vec_reserve(&sim->owner_of_class, &sim->alloc, (size_t)id + 1))
        return false;
    while (sim->owner_of_class.count <= id)
        sim->owner_of_class.items[sim->owner_of_class.count++] = KS_NONE;
    sim->owner_of_class.items[id] = owner;
    class_->row.refs++;
    sim->classes.items[sim->classes.count++] = class_;
    return true;
}

uint32_t ks_owner_of_class(const ks_sim *sim, const ks_class *class_)
{
    uint32_t id = class_->row.id;
    return id < sim->owner_of_class.count ? sim->owner_of_class.items[id] : KS_NONE;
}

/* ---- by the options ---- */

bool ks_sim_selects(const ks_sim *sim, ks_str namespace_, const ks_labels *labels)
{
    ks_str only = sim->options.namespace_;
    if (only.len && !ks_str_eq(only, ks_namespace_or_default(namespace_)))
        return false;
    return ks_selector_matches(&sim->selector, labels);
}
