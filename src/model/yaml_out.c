// SPDX-License-Identifier: Apache-2.0
#include "model/yaml_out.h"
#include "util/json.h"

enum {
    EXPANDED_BYTES_MAX = 8 << 20,
    INDEXED_FROM = 16, /* members; fewer are found faster by looking at each */
};

void ks_yaml_out_init(ks_yaml_out *out, ks_alloc *alloc)
{
    *out = (ks_yaml_out){.alloc = alloc};
    ks_arena_init(&out->arena, alloc);
    ks_buf_init(&out->json, alloc);
    ks_buf_init(&out->quoted, alloc);
}

void ks_yaml_out_reset(ks_yaml_out *out)
{
    for (size_t i = 0; i < out->frames.count; i++)
        ks_index_free(&out->frames.items[i].index, out->alloc);
    ks_index_free(&out->anchor_index, out->alloc);
    ks_arena_reset(&out->arena);
    ks_buf_clear(&out->json);
    out->frames.count = out->members.count = out->anchors.count = out->places.count = 0;
    out->expanded = 0;
}

void ks_yaml_out_free(ks_yaml_out *out)
{
    ks_yaml_out_reset(out);
    ks_arena_free(&out->arena);
    ks_buf_free(&out->json);
    ks_buf_free(&out->quoted);
    ks_vec_free(&out->places, out->alloc);
    ks_vec_free(&out->frames, out->alloc);
    ks_vec_free(&out->members, out->alloc);
    ks_vec_free(&out->anchors, out->alloc);
}

/* ---- faults ---- */

bool ks_yaml_out_fail(ks_yaml_out *out, int code, size_t character, ks_str value, const char *rule)
{
    out->code = code;
    out->fault_character = character;
    out->value = value;
    out->rule = rule;
    return false;
}

bool ks_yaml_out_fail_memory(ks_yaml_out *out)
{
    return ks_yaml_out_fail(out, KS_ENOMEM, 0, (ks_str){0}, "");
}

bool ks_yaml_out_charge(ks_yaml_out *out, size_t character, size_t bytes)
{
    out->expanded += bytes;
    if (out->expanded <= EXPANDED_BYTES_MAX)
        return true;
    return ks_yaml_out_fail(out, KS_ELIMIT, character, (ks_str){0},
                            "aliases must not expand to more than 8 MiB");
}

/* ---- where we are ---- */

static ks_yaml_frame *top(const ks_yaml_out *out)
{
    return out->frames.count ? &out->frames.items[out->frames.count - 1] : NULL;
}

bool ks_yaml_out_wants_key(const ks_yaml_out *out)
{
    const ks_yaml_frame *frame = top(out);
    return frame && frame->mapping && frame->next == KS_YAML_KEY;
}

static bool add_place(ks_yaml_out *out, size_t character)
{
    ks_yaml_place place = {out->json.len, character};
    return ks_vec_push(&out->places, out->alloc, place) || ks_yaml_out_fail_memory(out);
}

/* ---- members ---- */

static ks_str key_of(const ks_yaml_out *out, const ks_yaml_member *member)
{
    return (ks_str){out->json.data + member->key, member->key_end - member->key};
}

static bool has_key(const void *ctx, uint32_t row, const void *key)
{
    const ks_yaml_out *out = ctx;
    const ks_yaml_member *member = &out->members.items[row], *wanted = key;
    return !member->gone && member->hash == wanted->hash &&
           ks_str_eq(key_of(out, member), key_of(out, wanted));
}

static ks_yaml_member *find_member(ks_yaml_out *out, const ks_yaml_frame *frame, const ks_yaml_member *wanted)
{
    if (frame->index.cap) {
        uint32_t row = ks_index_find(&frame->index, wanted->hash, has_key, out, wanted);
        return row == KS_NONE ? NULL : &out->members.items[row];
    }
    for (size_t i = frame->members; i < out->members.count; i++)
        if (has_key(out, (uint32_t)i, wanted))
            return &out->members.items[i];
    return NULL;
}

static bool index_from(ks_yaml_out *out, ks_yaml_frame *frame, size_t first)
{
    for (size_t i = first; i < out->members.count; i++) {
        if (out->members.items[i].gone)
            continue;
        if (!ks_index_reserve(&frame->index, out->alloc))
            return ks_yaml_out_fail_memory(out);
        ks_index_add(&frame->index, out->members.items[i].hash, (uint32_t)i);
    }
    return true;
}

static bool add_member(ks_yaml_out *out, ks_yaml_frame *frame, ks_yaml_member member)
{
    if (!ks_vec_push(&out->members, out->alloc, member))
        return ks_yaml_out_fail_memory(out);
    size_t count = out->members.count - frame->members;
    if (count < INDEXED_FROM)
        return true;
    return index_from(out, frame, count == INDEXED_FROM ? frame->members : out->members.count - 1);
}

/* Overwrites a member with blanks, which leaves every other byte where it is. Its comma goes, too; the
 * one that may be left at the front of the mapping goes when the mapping is closed. */
static bool blank_out(ks_yaml_out *out, ks_yaml_frame *frame, ks_yaml_member *member, size_t character)
{
    ks_str text = {out->json.data + member->begin, member->end - member->begin}, copy;
    if (member->origin == KS_YAML_WRITTEN) { /* what came by a merge has no anchors */
        if (!ks_yaml_out_charge(out, character, text.len + out->anchors.count * sizeof *out->anchors.items))
            return false;
        if (!ks_arena_copy_str(&out->arena, &copy, text))
            return ks_yaml_out_fail_memory(out);
        ks_yaml_anchors_move(out, 0, member->begin, member->end, copy.data);
    }
    memset(out->json.data + member->begin, ' ', text.len);
    member->gone = true;
    if (frame->index.cap) /* were it left there, a key given n times would be looked for among n */
        ks_index_remove(&frame->index, member->hash, (uint32_t)(member - out->members.items));
    frame->overridden = true;
    return true;
}

bool ks_yaml_put_member(ks_yaml_out *out, size_t character, ks_str quoted_key, ks_yaml_origin origin)
{
    ks_yaml_frame *frame = top(out);
    ks_yaml_member member = {.begin = out->json.len, .origin = origin};
    if (out->json.len > frame->begin + 1)
        ks_buf_put_char(&out->json, ',');
    if (!add_place(out, character))
        return false;
    member.key = out->json.len;
    ks_buf_put_str(&out->json, quoted_key);
    ks_buf_put_char(&out->json, ':');
    if (out->json.failed)
        return ks_yaml_out_fail_memory(out);
    member.key_end = out->json.len - 1;
    member.hash = ks_str_hash(key_of(out, &member));
    ks_yaml_member *earlier = find_member(out, frame, &member);
    if (earlier && earlier->origin == KS_YAML_WRITTEN && origin == KS_YAML_WRITTEN) {
        ks_str key = {out->json.data + member.key + 1, member.key_end - member.key - 2};
        return ks_yaml_out_fail(out, KS_EINVAL, character, key, "the key must not be given twice");
    }
    if (earlier && !blank_out(out, frame, earlier, character))
        return false;
    frame->next = origin == KS_YAML_MERGED ? KS_YAML_KEY : KS_YAML_VALUE;
    return add_member(out, frame, member);
}

/* ---- keys ---- */

static bool put_explicit_key(ks_yaml_out *out, const ks_yaml_node *node, ks_str quoted)
{
    uint32_t row;
    if (!ks_yaml_put_member(out, node->character, quoted, KS_YAML_WRITTEN) ||
        !ks_yaml_anchor_add(out, node, &row))
        return false;
    if (row != KS_NONE) {
        const ks_yaml_member *member = &out->members.items[out->members.count - 1];
        out->anchors.items[row].begin = member->key;
        out->anchors.items[row].end = member->key_end;
        out->anchors.items[row].open = false;
    }
    return true;
}

bool ks_yaml_put_key(ks_yaml_out *out, const ks_yaml_node *node, ks_str key)
{
    ks_json_writer writer;
    ks_buf_clear(&out->quoted);
    ks_json_writer_init(&writer, &out->quoted, 0);
    ks_json_put_string(&writer, key);
    if (out->quoted.failed)
        return ks_yaml_out_fail_memory(out);
    return put_explicit_key(out, node, ks_buf_str(&out->quoted));
}

bool ks_yaml_put_alias_key(ks_yaml_out *out, const ks_yaml_node *node, ks_str name)
{
    ks_str text;
    if (!ks_yaml_anchor_text(out, node->character, name, &text))
        return false;
    switch (text.data[0]) {
    case '"':
        return put_explicit_key(out, node, text);
    case '{':
    case '[':
    case 'n':
        return ks_yaml_out_fail(out, KS_EINVAL, node->character, name,
                                "a key must be a string, number or boolean");
    default:
        return ks_yaml_put_key(out, node, text);
    }
}

bool ks_yaml_put_merge_key(ks_yaml_out *out, const ks_yaml_node *node)
{
    ks_yaml_frame *frame = top(out);
    frame->next = KS_YAML_MERGE;
    frame->merge_begin = out->json.len;
    frame->merge_anchors = out->anchors.count;
    frame->merge_character = node->character;
    return true;
}

/* ---- values ---- */

static bool begin_value(ks_yaml_out *out, const ks_yaml_node *node, uint32_t *anchor)
{
    const ks_yaml_frame *frame = top(out);
    if (frame && !frame->mapping && out->json.len > frame->begin + 1)
        ks_buf_put_char(&out->json, ',');
    return add_place(out, node->character) && ks_yaml_anchor_add(out, node, anchor);
}

static bool end_value(ks_yaml_out *out, uint32_t anchor)
{
    ks_yaml_anchor_close(out, anchor);
    if (out->json.failed)
        return ks_yaml_out_fail_memory(out);
    ks_yaml_frame *frame = top(out);
    if (!frame || !frame->mapping)
        return true;
    if (frame->next == KS_YAML_MERGE)
        return ks_yaml_merge(out);
    out->members.items[out->members.count - 1].end = out->json.len;
    frame->next = KS_YAML_KEY;
    return true;
}

bool ks_yaml_put_raw(ks_yaml_out *out, const ks_yaml_node *node, ks_str json)
{
    uint32_t anchor;
    if (!begin_value(out, node, &anchor))
        return false;
    ks_buf_put_str(&out->json, json);
    return end_value(out, anchor);
}

bool ks_yaml_put_string(ks_yaml_out *out, const ks_yaml_node *node, ks_str value)
{
    uint32_t anchor;
    if (!begin_value(out, node, &anchor))
        return false;
    ks_json_writer writer;
    ks_json_writer_init(&writer, &out->json, 0);
    ks_json_put_string(&writer, value);
    return end_value(out, anchor);
}

bool ks_yaml_put_alias(ks_yaml_out *out, const ks_yaml_node *node, ks_str name)
{
    const ks_yaml_frame *frame = top(out);
    ks_str text;
    if (!ks_yaml_anchor_text(out, node->character, name, &text))
        return false;
    /* A list to merge must stand there itself; Kubernetes takes no alias to one. */
    if (frame && frame->mapping && frame->next == KS_YAML_MERGE && text.data[0] != '{')
        return ks_yaml_out_fail(out, KS_EINVAL, node->character, name, KS_YAML_NOT_MAPPINGS);
    return ks_yaml_put_raw(out, node, text);
}

static bool open_frame(ks_yaml_out *out, const ks_yaml_node *node, ks_yaml_frame frame)
{
    if (ks_yaml_out_wants_key(out))
        return ks_yaml_out_fail(out, KS_EINVAL, node->character, (ks_str){0},
                                "a key must be a string, number or boolean");
    if (out->frames.count == KS_JSON_DEPTH_MAX)
        return ks_yaml_out_fail(out, KS_ELIMIT, node->character, (ks_str){0},
                                "nested more than 512 levels deep");
    frame.members = out->members.count;
    if (!begin_value(out, node, &frame.anchor))
        return false;
    frame.begin = out->json.len;
    ks_buf_put_char(&out->json, frame.mapping ? '{' : '[');
    if (out->json.failed || !ks_vec_push(&out->frames, out->alloc, frame))
        return ks_yaml_out_fail_memory(out);
    return true;
}
_Static_assert(KS_JSON_DEPTH_MAX == 512, "the message names the limit");

bool ks_yaml_open_mapping(ks_yaml_out *out, const ks_yaml_node *node)
{
    return open_frame(out, node, (ks_yaml_frame){.mapping = true});
}

bool ks_yaml_open_sequence(ks_yaml_out *out, const ks_yaml_node *node)
{
    return open_frame(out, node, (ks_yaml_frame){.mapping = false});
}

/* The first member left has a comma before it if others were in front. */
static void drop_first_comma(ks_yaml_out *out, size_t begin)
{
    size_t i = begin + 1;
    while (i < out->json.len && out->json.data[i] == ' ')
        i++;
    if (i < out->json.len && out->json.data[i] == ',')
        out->json.data[i] = ' ';
}

bool ks_yaml_close(ks_yaml_out *out)
{
    ks_yaml_frame frame = *top(out);
    ks_index_free(&out->frames.items[out->frames.count - 1].index, out->alloc);
    out->frames.count--;
    out->members.count = frame.members;
    if (frame.overridden)
        drop_first_comma(out, frame.begin);
    ks_buf_put_char(&out->json, frame.mapping ? '}' : ']');
    return end_value(out, frame.anchor);
}
