// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest.h"
#include "cli/output.h"
#include "cli/resource.h"

void ks_manifests_init(ks_manifests *m, ks_alloc *alloc)
{
    *m = (ks_manifests){.alloc = alloc};
    ks_arena_init(&m->arena, alloc);
}

void ks_manifests_free(ks_manifests *m)
{
    ks_vec_free(&m->items, m->alloc);
    ks_index_free(&m->by_name, m->alloc);
    ks_arena_free(&m->arena);
}

/* ---- by name ---- */

static uint64_t hash_of(const ks_manifest *key)
{
    uint64_t hash = ks_hash_bytes(key->namespace_.data, key->namespace_.len, key->kind);
    return ks_hash_bytes(key->name.data, key->name.len, hash);
}

static bool is_same(const void *ctx, uint32_t row, const void *wanted)
{
    const ks_manifest *one = &((const ks_manifests *)ctx)->items.items[row], *key = wanted;
    return one->kind == key->kind && ks_str_eq(one->name, key->name) &&
           ks_str_eq(one->namespace_, key->namespace_);
}

static ks_str find(const ks_manifests *m, ks_kind kind, ks_str namespace_, ks_str name)
{
    ks_manifest key = {.kind = kind, .namespace_ = namespace_, .name = name};
    uint32_t row = ks_index_find(&m->by_name, hash_of(&key), is_same, m, &key);
    return row == KS_NONE ? (ks_str){0} : m->items.items[row].json;
}

static bool add(ks_manifests *m, ks_manifest manifest)
{
    if (!ks_arena_copy_str(&m->arena, &manifest.namespace_, manifest.namespace_) ||
        !ks_arena_copy_str(&m->arena, &manifest.name, manifest.name) ||
        !ks_index_reserve(&m->by_name, m->alloc) || !ks_vec_push(&m->items, m->alloc, manifest))
        return false;
    ks_index_add(&m->by_name, hash_of(&manifest), (uint32_t)(m->items.count - 1));
    return true;
}

int ks_manifests_keep(ks_manifests *m, const ks_object *object, ks_error *err)
{
    ks_pod pod;
    const char *path;
    if (!ks_resource_template(&pod, &path, object))
        return KS_OK;
    ks_manifest manifest = {
        .kind = object->kind, .namespace_ = object->metadata.namespace_, .name = object->metadata.name};
    uint32_t row = ks_index_find(&m->by_name, hash_of(&manifest), is_same, m, &manifest);
    if (!ks_arena_copy_str(&m->arena, &manifest.json, object->json))
        return ks_fail_nomem(err);
    if (row != KS_NONE)
        m->items.items[row].json = manifest.json;
    else if (!add(m, manifest))
        return ks_fail_nomem(err);
    return KS_OK;
}

/* ---- texts ---- */

static bool is_one_of(ks_json_string key, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (ks_json_string_is(key, ks_str_of(words[i])))
            return true;
    return false;
}

/* The text of an object's member; absent if there is none, or nothing to look into. */
static ks_str member(ks_str object, const char *name)
{
    ks_json reader;
    ks_json_string key;
    ks_str found = {0};
    ks_json_init(&reader, object);
    if (!object.data || ks_json_peek(&reader) != KS_JSON_OBJECT)
        return found;
    ks_json_begin_object(&reader);
    while (ks_json_next_key(&reader, &key)) {
        const char *begin = reader.at;
        ks_json_skip(&reader);
        if (ks_json_string_is(key, ks_str_of(name)))
            found = (ks_str){begin, (size_t)(reader.at - begin)};
    }
    return found;
}

static void put_key(ks_json_writer *w, ks_json_string key, ks_arena *scratch)
{
    ks_str text;
    if (!ks_json_unescape(&text, key, scratch))
        w->buf->failed = true;
    else
        ks_json_put_key(w, text);
}

/* Copies the value at the cursor, laid out anew. Text that was decoded once is nested as deep as the reader
 * allows at most. */
static void put_value(ks_json_writer *w, ks_json *reader, ks_arena *scratch)
{
    const char *begin;
    ks_json_string key;
    switch (ks_json_peek(reader)) {
    case KS_JSON_OBJECT:
        ks_json_put_object(w);
        ks_json_begin_object(reader);
        while (ks_json_next_key(reader, &key)) {
            put_key(w, key, scratch);
            put_value(w, reader, scratch);
        }
        ks_json_put_object_end(w);
        return;
    case KS_JSON_ARRAY:
        ks_json_put_array(w);
        ks_json_begin_array(reader);
        while (ks_json_next_item(reader))
            put_value(w, reader, scratch);
        ks_json_put_array_end(w);
        return;
    default:
        begin = reader->at;
        ks_json_skip(reader);
        ks_json_put_raw(w, (ks_str){begin, (size_t)(reader->at - begin)});
    }
}

/* An object's members but for some, into an object that is open. */
static void put_members(ks_json_writer *w, ks_str object, const char *const *without, ks_arena *scratch)
{
    ks_json reader;
    ks_json_string key;
    ks_json_init(&reader, object);
    if (!object.data || ks_json_peek(&reader) != KS_JSON_OBJECT)
        return;
    ks_json_begin_object(&reader);
    while (ks_json_next_key(&reader, &key)) {
        if (is_one_of(key, without)) {
            ks_json_skip(&reader);
            continue;
        }
        put_key(w, key, scratch);
        put_value(w, &reader, scratch);
    }
}

/* ---- pods ---- */

/* The text of a pod, or of what stands for it in its maker. */
static ks_str template_text(const ks_manifests *m, const ks_maker *maker)
{
    ks_str text = find(m, maker->kind, maker->namespace_, maker->name);
    if (maker->kind == KS_CRON_JOB)
        text = member(member(text, "spec"), "jobTemplate");
    return member(member(text, "spec"), "template");
}

static void put_labels(ks_json_writer *w, const ks_labels *labels)
{
    if (labels->count == 0)
        return;
    ks_json_put_key(w, KS_STR("labels"));
    ks_json_put_object(w);
    for (size_t i = 0; i < labels->count; i++) {
        ks_json_put_key(w, labels->items[i].key);
        ks_json_put_string(w, labels->items[i].value);
    }
    ks_json_put_object_end(w);
}

static void put_owner(ks_json_writer *w, const ks_owner_reference *owner)
{
    ks_json_put_object(w);
    ks_json_put_member_string(w, "apiVersion", owner->api_version);
    ks_json_put_member_string(w, "kind", owner->kind);
    ks_json_put_member_string(w, "name", owner->name);
    ks_json_put_member_string(w, "uid", owner->uid);
    if (owner->controller.set)
        ks_json_put_member_bool(w, "controller", owner->controller.value);
    ks_json_put_object_end(w);
}

/* Owners without a uid are in no cluster yet: the API server would refuse such references, and the garbage
 * collector would delete pods with made-up ones. */
static void put_owners(ks_json_writer *w, const ks_object_meta *meta)
{
    bool any = false;
    for (size_t i = 0; i < meta->owner_references.count; i++)
        any = any || meta->owner_references.items[i].uid.len > 0;
    if (!any)
        return;
    ks_json_put_key(w, KS_STR("ownerReferences"));
    ks_json_put_array(w);
    for (size_t i = 0; i < meta->owner_references.count; i++)
        if (meta->owner_references.items[i].uid.len > 0)
            put_owner(w, &meta->owner_references.items[i]);
    ks_json_put_array_end(w);
}

static void put_metadata(ks_json_writer *w, const ks_pod *pod, ks_str text, bool own, ks_arena *scratch)
{
    static const char *const from_server[] = {
        "creationTimestamp", "generateName",    "generation", "managedFields", "name",
        "namespace",         "resourceVersion", "selfLink",   "uid",           NULL};
    static const char *const given_anew[] = {"creationTimestamp", "labels",          "name",
                                             "namespace",         "ownerReferences", NULL};
    ks_json_put_key(w, KS_STR("metadata"));
    ks_json_put_object(w);
    ks_json_put_member_string(w, "name", pod->metadata.name);
    ks_json_put_member_string(w, "namespace", pod->metadata.namespace_);
    if (!own) {
        put_labels(w, &pod->metadata.labels);
        put_owners(w, &pod->metadata);
    }
    put_members(w, member(text, "metadata"), own ? from_server : given_anew, scratch);
    ks_json_put_object_end(w);
}

void ks_manifests_put_pod(ks_json_writer *w, const ks_manifests *m, const ks_pod *pod, const ks_maker *maker)
{
    static const char *const node_name[] = {"nodeName", NULL};
    ks_str text = find(m, KS_POD, pod->metadata.namespace_, pod->metadata.name);
    bool own = text.data != NULL;
    if (!own)
        text = template_text(m, maker);
    ks_arena scratch;
    ks_arena_init(&scratch, m->alloc);
    ks_json_put_object(w);
    ks_json_put_member_string(w, "apiVersion", KS_STR("v1"));
    ks_json_put_member_string(w, "kind", KS_STR("Pod"));
    put_metadata(w, pod, text, own, &scratch);
    ks_json_put_key(w, KS_STR("spec"));
    ks_json_put_object(w);
    ks_json_put_member_string(w, "nodeName", pod->spec.node_name);
    put_members(w, member(text, "spec"), node_name, &scratch);
    ks_json_put_object_end(w);
    ks_json_put_object_end(w);
    ks_arena_free(&scratch);
}
