// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"
#include "model/schema.h"

typedef struct class_key {
    ks_str namespace_;
    const ks_labels *labels;
    ks_owner_reference controller;
} class_key;

const ks_owner_reference *ks_controller_of(const ks_object_meta *meta)
{
    for (size_t i = 0; i < meta->owner_references.count; i++) {
        const ks_owner_reference *owner = &meta->owner_references.items[i];
        if (owner->controller.set && owner->controller.value)
            return owner;
    }
    return NULL;
}

static class_key key_of(const ks_object_meta *meta)
{
    class_key key = {.namespace_ = ks_namespace_or_default(meta->namespace_), .labels = &meta->labels};
    const ks_owner_reference *controller = ks_controller_of(meta);
    if (controller)
        key.controller = *controller;
    return key;
}

static uint64_t hash_key(const class_key *key)
{
    uint64_t hash = ks_hash_bytes(key->namespace_.data, key->namespace_.len, 0);
    hash = ks_hash_bytes(key->controller.name.data, key->controller.name.len, hash);
    hash = ks_hash_bytes(key->controller.uid.data, key->controller.uid.len, hash);
    for (size_t i = 0; i < key->labels->count; i++) {
        const ks_label *label = &key->labels->items[i];
        hash = ks_hash_bytes(label->key.data, label->key.len, hash);
        hash = ks_hash_bytes(label->value.data, label->value.len, hash);
    }
    return hash;
}

/* Absent and empty label maps make the same class, so this is not ks_labels_equal. */
static bool same_labels(const ks_labels *a, const ks_labels *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!ks_str_eq(a->items[i].key, b->items[i].key) || !ks_str_eq(a->items[i].value, b->items[i].value))
            return false;
    return true;
}

static bool has_key(const ks_row *row, const void *wanted)
{
    const ks_class *class_ = (const ks_class *)row;
    const class_key *key = wanted;
    const ks_owner_reference *a = &class_->controller, *b = &key->controller;
    return ks_str_eq(ks_space_name(class_->space), key->namespace_) && ks_str_eq(a->name, b->name) &&
           ks_str_eq(a->kind, b->kind) && ks_str_eq(a->api_version, b->api_version) &&
           ks_str_eq(a->uid, b->uid) && same_labels(&class_->labels, key->labels);
}

static bool find_matchers(ks_cluster *cluster, ks_class *class_)
{
    for (size_t i = 0; i < class_->space->matchers.count; i++) {
        ks_matcher *matcher = class_->space->matchers.items[i];
        if (ks_matcher_matches_class(matcher, class_) &&
            !ks_vec_push(&class_->matchers, &cluster->alloc, matcher))
            return false;
    }
    return true;
}

static void free_class(ks_cluster *cluster, ks_class *class_)
{
    ks_space_unref(cluster, class_->space);
    ks_vec_free(&class_->matchers, &cluster->alloc);
    ks_vec_free(&class_->crowds, &cluster->alloc);
    ks_arena_free(&class_->arena);
    ks_alloc_free(&cluster->alloc, class_, sizeof *class_);
}

static bool fill_class(ks_cluster *cluster, ks_class *class_, const class_key *key)
{
    ks_arena *arena = &class_->arena;
    const ks_owner_reference *from = &key->controller;
    ks_owner_reference *to = &class_->controller;
    class_->space = ks_space_get(cluster, key->namespace_);
    to->controller = from->controller;
    return class_->space &&
           ks_vec_reserve(&class_->space->classes, &cluster->alloc, class_->space->classes.count + 1) &&
           ks_labels_copy(&class_->labels, key->labels, arena) &&
           ks_arena_copy_str(arena, &to->api_version, from->api_version) &&
           ks_arena_copy_str(arena, &to->kind, from->kind) &&
           ks_arena_copy_str(arena, &to->name, from->name) && ks_arena_copy_str(arena, &to->uid, from->uid) &&
           find_matchers(cluster, class_) && ks_class_find_crowds(cluster, class_);
}

static ks_class *make_class(ks_cluster *cluster, const class_key *key, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->classes, &cluster->alloc))
        return NULL;
    ks_class *class_ = ks_alloc_get_zeroed(&cluster->alloc, sizeof *class_);
    if (!class_)
        return NULL;
    ks_arena_init(&class_->arena, &cluster->alloc);
    if (!fill_class(cluster, class_, key)) {
        free_class(cluster, class_);
        return NULL;
    }
    class_->place = class_->space->classes.count++;
    class_->space->classes.items[class_->place] = class_;
    ks_table_add(&cluster->classes, &class_->row, hash);
    return class_;
}

ks_class *ks_class_get(ks_cluster *cluster, const ks_object_meta *meta)
{
    class_key key = key_of(meta);
    uint64_t hash = hash_key(&key);
    ks_class *class_ = (ks_class *)ks_table_find(&cluster->classes, hash, has_key, &key);
    if (!class_)
        class_ = make_class(cluster, &key, hash);
    if (class_)
        class_->row.refs++;
    return class_;
}

void ks_class_unref(ks_cluster *cluster, ks_class *class_)
{
    if (!class_ || --class_->row.refs > 0)
        return;
    ks_table_remove(&cluster->classes, &class_->row);
    ks_space *space = class_->space;
    ks_vec_swap_remove(&space->classes, class_->place);
    if (class_->place < space->classes.count)
        space->classes.items[class_->place]->place = class_->place;
    free_class(cluster, class_);
}
