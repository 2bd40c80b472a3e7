// SPDX-License-Identifier: Apache-2.0
#include "model/yaml_out.h"

static bool has_name(const void *ctx, uint32_t row, const void *key)
{
    const ks_yaml_out *out = ctx;
    const ks_str *name = key;
    return ks_str_eq(out->anchors.items[row].name, *name);
}

static uint32_t find(const ks_yaml_out *out, ks_str name)
{
    return ks_index_find(&out->anchor_index, ks_str_hash(name), has_name, out, &name);
}

bool ks_yaml_anchor_add(ks_yaml_out *out, const ks_yaml_node *node, uint32_t *row)
{
    *row = KS_NONE;
    if (!node->anchor.data)
        return true;
    ks_yaml_anchor anchor = {.begin = out->json.len, .open = true};
    if (!ks_arena_copy_str(&out->arena, &anchor.name, node->anchor) ||
        !ks_index_reserve(&out->anchor_index, out->alloc) || !ks_vec_push(&out->anchors, out->alloc, anchor))
        return ks_yaml_out_fail_memory(out);
    uint64_t hash = ks_str_hash(anchor.name);
    uint32_t earlier = find(out, anchor.name);
    if (earlier != KS_NONE)
        ks_index_remove(&out->anchor_index, hash, earlier);
    *row = (uint32_t)(out->anchors.count - 1);
    ks_index_add(&out->anchor_index, hash, *row);
    return true;
}

void ks_yaml_anchor_close(ks_yaml_out *out, uint32_t row)
{
    if (row == KS_NONE)
        return;
    out->anchors.items[row].end = out->json.len;
    out->anchors.items[row].open = false;
}

/* The buffer may move while text is put into it, so aliases never copy out of it. */
static bool keep_copy(ks_yaml_out *out, size_t character, ks_yaml_anchor *anchor)
{
    if (anchor->text)
        return true;
    size_t len = anchor->end - anchor->begin;
    if (!ks_yaml_out_charge(out, character, len))
        return false;
    ks_str copy;
    if (!ks_arena_copy_str(&out->arena, &copy, (ks_str){out->json.data + anchor->begin, len}))
        return ks_yaml_out_fail_memory(out);
    anchor->text = copy.data;
    return true;
}

bool ks_yaml_anchor_text(ks_yaml_out *out, size_t character, ks_str name, ks_str *text)
{
    uint32_t row = find(out, name);
    if (row == KS_NONE)
        return ks_yaml_out_fail(out, KS_EINVAL, character, name, "unknown anchor");
    ks_yaml_anchor *anchor = &out->anchors.items[row];
    if (anchor->open)
        return ks_yaml_out_fail(out, KS_EINVAL, character, name,
                                "the anchor's value must not contain itself");
    if (!keep_copy(out, character, anchor))
        return false;
    *text = (ks_str){anchor->text, anchor->end - anchor->begin};
    return ks_yaml_out_charge(out, character, text->len);
}

void ks_yaml_anchors_move(ks_yaml_out *out, size_t first, size_t begin, size_t end, const char *copy)
{
    for (size_t i = first; i < out->anchors.count; i++) {
        ks_yaml_anchor *anchor = &out->anchors.items[i];
        if (!anchor->text && !anchor->open && anchor->begin >= begin && anchor->end <= end)
            anchor->text = copy + (anchor->begin - begin);
    }
}
