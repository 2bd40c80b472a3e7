// SPDX-License-Identifier: Apache-2.0
#include "model/decode_run.h"
#include "model/selector.h"
#include "util/sort.h"
#include <assert.h>

static const char given_twice[] = "must not be given twice";

/* ---- lists that grow ---- */

void *ks_growing_add(ks_growing *list, ks_arena *arena)
{
    if (list->count == list->cap && !ks_arena_grow(arena, &list->items, &list->cap, list->item_size))
        return NULL;
    char *item = list->items + list->count++ * list->item_size;
    memset(item, 0, list->item_size);
    return item;
}

bool ks_growing_finish(ks_run *run, ks_growing *list, void *out)
{
    struct {
        void *items;
        size_t count;
    } any = {list->items, list->count};
    if (!any.items)
        any.items = ks_arena_get(run->decoder->arena, 0);
    if (!any.items)
        return ks_run_refuse_memory(run);
    memcpy(out, &any, sizeof any);
    return true;
}

/* ---- order: both kinds of entries begin with their key ---- */

_Static_assert(offsetof(ks_label, key) == 0 && offsetof(ks_resource, name) == 0, "keys come first");

static ks_str key_at(const ks_growing *map, size_t i)
{
    ks_str key;
    assert(i < map->count && map->items);
    memcpy(&key, map->items + i * map->item_size, sizeof key);
    return key;
}

static int compare_keys(const void *a, const void *b)
{
    ks_str left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return ks_str_cmp(left, right);
}

/* ---- entries ---- */

static bool check_label(ks_run *run, const char *at, const char *fault)
{
    return !fault || ks_run_refuse_value(run, at, fault);
}

static bool check_key(ks_run *run, ks_json_string key, ks_str value)
{
    const char *faults[KS_LABEL_FAULTS_MAX];
    return ks_label_key_faults(faults, value) == 0 || check_label(run, key.raw.data - 1, faults[0]);
}

static bool check_value(ks_run *run, const char *at, ks_str value)
{
    const char *faults[KS_LABEL_FAULTS_MAX];
    return ks_label_value_faults(faults, value) == 0 || check_label(run, at, faults[0]);
}

/* A value of null counts as an empty one, as in the API. */
static bool read_label(ks_run *run, ks_field_type type, ks_label *label)
{
    label->value = KS_STR("");
    ks_json_type value_type = ks_json_peek(run->reader);
    const char *at = run->reader->at;
    if (value_type == KS_JSON_NULL)
        return ks_json_read_null(run->reader) || ks_run_refuse_json(run);
    if (value_type == KS_JSON_FAULT)
        return ks_run_refuse_json(run);
    if (!ks_run_read_string(run, value_type, &label->value))
        return false;
    return type != KS_FIELD_OBJECT_LABELS || check_value(run, at, label->value);
}

static bool read_resource(ks_run *run, ks_resource *resource)
{
    ks_json_type type = ks_json_peek(run->reader);
    if (type == KS_JSON_NULL)
        return ks_json_read_null(run->reader) || ks_run_refuse_json(run);
    if (type == KS_JSON_FAULT)
        return ks_run_refuse_json(run);
    return ks_run_read_quantity(run, type, &resource->quantity);
}

static bool read_entry(ks_run *run, ks_field_type type, ks_growing *map, ks_json_string key)
{
    char *entry = ks_growing_add(map, run->decoder->arena);
    ks_str name;
    if (!entry || !ks_json_unescape(&name, key, run->decoder->arena))
        return ks_run_refuse_memory(run);
    memcpy(entry, &name, sizeof name);
    if (type == KS_FIELD_OBJECT_LABELS && !check_key(run, key, name))
        return false;
    bool fine = type == KS_FIELD_RESOURCES ? read_resource(run, (ks_resource *)(void *)entry)
                                           : read_label(run, type, (ks_label *)(void *)entry);
    return fine || ks_run_in_key(run, key);
}

/* ---- maps ---- */

/* Points at the second of two equal keys, by reading the map again. */
static bool refuse_second(ks_run *run, ks_json again, ks_str name)
{
    ks_json_string key = {0};
    bool seen = false;
    ks_json_begin_object(&again);
    while (ks_json_next_key(&again, &key)) {
        bool same = ks_json_string_is(key, name);
        if (same && seen)
            break;
        seen = seen || same;
        ks_json_skip(&again);
    }
    ks_run_refuse_value(run, key.raw.data - 1, given_twice);
    return ks_run_in_key(run, key);
}

static bool put_in_order(ks_run *run, const ks_growing *map, ks_json begin)
{
    ks_sort(map->items, map->count, map->item_size, compare_keys);
    for (size_t i = 1; i < map->count; i++)
        if (ks_str_eq(key_at(map, i - 1), key_at(map, i)))
            return refuse_second(run, begin, key_at(map, i));
    return true;
}

bool ks_run_read_map(ks_run *run, ks_field_type type, void *out)
{
    ks_growing map = {.item_size = type == KS_FIELD_RESOURCES ? sizeof(ks_resource) : sizeof(ks_label)};
    ks_json begin = *run->reader;
    if (!ks_json_begin_object(run->reader))
        return ks_run_refuse_json(run);
    bool ordered = true;
    ks_json_string key;
    while (ks_json_next_key(run->reader, &key)) {
        if (!read_entry(run, type, &map, key))
            return false;
        size_t last = map.count - 1;
        ordered = ordered && (last == 0 || ks_str_cmp(key_at(&map, last - 1), key_at(&map, last)) < 0);
    }
    if (run->reader->fault)
        return ks_run_refuse_json(run);
    if (!ordered && !put_in_order(run, &map, begin))
        return false;
    return ks_growing_finish(run, &map, out);
}
