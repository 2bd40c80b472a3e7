// SPDX-License-Identifier: Apache-2.0
/* Merge keys: "<<" puts a mapping's members, or those of a list of mappings, into the mapping around it.
 * As in Kubernetes, whichever of two equal keys comes later in the text wins, and in a list the earlier
 * mapping. */
#include "model/yaml_out.h"
#include "util/json.h"

static bool inject_members(ks_yaml_out *out, size_t character, ks_str object)
{
    ks_json reader;
    ks_json_string key;
    ks_json_init(&reader, object);
    ks_json_begin_object(&reader);
    while (ks_json_next_key(&reader, &key)) {
        ks_str quoted = {key.raw.data - 1, key.raw.len + 2};
        ks_json_peek(&reader);
        const char *value = reader.at;
        if (!ks_json_skip(&reader))
            break;
        size_t len = (size_t)(reader.at - value);
        if (!ks_yaml_out_charge(out, character, quoted.len + len) ||
            !ks_yaml_put_member(out, character, quoted, KS_YAML_MERGED))
            return false;
        ks_buf_put(&out->json, value, len);
        out->members.items[out->members.count - 1].end = out->json.len;
    }
    return !reader.fault || ks_yaml_out_fail(out, reader.code, character, (ks_str){0}, reader.fault);
}

typedef KS_VEC(ks_str) texts;

static bool split_items(ks_yaml_out *out, size_t character, texts *items, ks_str array)
{
    ks_json reader;
    ks_json_init(&reader, array);
    ks_json_begin_array(&reader);
    while (ks_json_next_item(&reader)) {
        if (ks_json_peek(&reader) != KS_JSON_OBJECT)
            return ks_yaml_out_fail(out, KS_EINVAL, character, (ks_str){0}, KS_YAML_NOT_MAPPINGS);
        const char *begin = reader.at;
        if (!ks_json_skip(&reader))
            break;
        if (!ks_vec_push(items, out->alloc, (ks_str){begin, (size_t)(reader.at - begin)}))
            return ks_yaml_out_fail_memory(out);
    }
    return !reader.fault || ks_yaml_out_fail(out, reader.code, character, (ks_str){0}, reader.fault);
}

static bool inject_items(ks_yaml_out *out, size_t character, ks_str array)
{
    texts items = {0};
    bool fine = split_items(out, character, &items, array);
    for (size_t i = items.count; fine && i-- > 0;)
        fine = inject_members(out, character, items.items[i]);
    ks_vec_free(&items, out->alloc);
    return fine;
}

/* Takes the value's text out of the JSON again. */
static bool take_value(ks_yaml_out *out, ks_yaml_frame *frame, ks_str *value)
{
    ks_str text = {out->json.data + frame->merge_begin, out->json.len - frame->merge_begin};
    if (!ks_yaml_out_charge(out, frame->merge_character, text.len))
        return false;
    if (!ks_arena_copy_str(&out->arena, value, text))
        return ks_yaml_out_fail_memory(out);
    ks_yaml_anchors_move(out, frame->merge_anchors, frame->merge_begin, out->json.len, value->data);
    out->json.len = frame->merge_begin;
    ks_yaml_places *places = &out->places;
    while (places->count > 0 && places->items[places->count - 1].json >= frame->merge_begin)
        places->count--;
    return true;
}

bool ks_yaml_merge(ks_yaml_out *out)
{
    ks_yaml_frame *frame = &out->frames.items[out->frames.count - 1];
    size_t character = frame->merge_character;
    ks_str value;
    if (out->json.failed)
        return ks_yaml_out_fail_memory(out);
    if (!take_value(out, frame, &value))
        return false;
    frame->next = KS_YAML_KEY;
    switch (value.data[0]) {
    case '{':
        return inject_members(out, character, value);
    case '[':
        return inject_items(out, character, value);
    default:
        return ks_yaml_out_fail(out, KS_EINVAL, character, (ks_str){0}, KS_YAML_NOT_MAPPINGS);
    }
}
