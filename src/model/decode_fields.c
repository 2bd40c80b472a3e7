// SPDX-License-Identifier: Apache-2.0
#include "model/decode_run.h"

static bool read_strings(ks_run *run, void *out)
{
    ks_growing list = {.item_size = sizeof(ks_str)};
    if (!ks_json_begin_array(run->reader))
        return ks_run_refuse_json(run);
    while (ks_json_next_item(run->reader)) {
        ks_str *item = ks_growing_add(&list, run->decoder->arena);
        if (!item)
            return ks_run_refuse_memory(run);
        ks_json_type type = ks_json_peek(run->reader);
        *item = KS_STR("");
        if (type == KS_JSON_NULL ? !ks_json_read_null(run->reader) : type == KS_JSON_FAULT)
            return ks_run_refuse_json(run);
        if (type != KS_JSON_NULL && !ks_run_read_string(run, type, item))
            return ks_run_in_item(run, list.count - 1);
    }
    if (run->reader->fault)
        return ks_run_refuse_json(run);
    return ks_growing_finish(run, &list, out);
}

/* An object, or null, which leaves *out zeroed. */
static bool read_object(ks_run *run, const ks_schema *schema, void *out)
{
    switch (ks_json_peek(run->reader)) {
    case KS_JSON_OBJECT:
        return ks_run_read_struct(run, schema, out);
    case KS_JSON_NULL:
        return ks_json_read_null(run->reader) || ks_run_refuse_json(run);
    case KS_JSON_FAULT:
        return ks_run_refuse_json(run);
    default:
        return ks_run_refuse_value(run, run->reader->at, "must be an object");
    }
}

static bool read_list(ks_run *run, const ks_schema *schema, void *out)
{
    ks_growing list = {.item_size = schema->size};
    if (!ks_json_begin_array(run->reader))
        return ks_run_refuse_json(run);
    while (ks_json_next_item(run->reader)) {
        void *item = ks_growing_add(&list, run->decoder->arena);
        if (!item)
            return ks_run_refuse_memory(run);
        if (!read_object(run, schema, item))
            return ks_run_in_item(run, list.count - 1);
    }
    if (run->reader->fault)
        return ks_run_refuse_json(run);
    return ks_growing_finish(run, &list, out);
}

static bool read_pointer(ks_run *run, const ks_schema *schema, void *out)
{
    void *value = ks_arena_get_zeroed(run->decoder->arena, schema->size);
    if (!value)
        return ks_run_refuse_memory(run);
    memcpy(out, &value, sizeof value);
    return ks_run_read_struct(run, schema, value);
}

static bool read_raw(ks_run *run, ks_str *out)
{
    const char *begin = run->reader->at;
    if (!ks_json_skip(run->reader))
        return ks_run_refuse_json(run);
    *out = (ks_str){begin, (size_t)(run->reader->at - begin)};
    return true;
}

static bool expect(ks_run *run, ks_json_type type, ks_json_type expected)
{
    if (type == expected)
        return true;
    return ks_run_refuse_value(run, run->reader->at,
                               expected == KS_JSON_ARRAY ? "must be a list" : "must be an object");
}

static bool read_field(ks_run *run, const ks_field *field, void *value)
{
    if (field->type == KS_FIELD_SKIPPED)
        return ks_json_skip(run->reader) || ks_run_refuse_json(run);
    ks_json_type type = ks_json_peek(run->reader);
    if (type == KS_JSON_FAULT || (type == KS_JSON_NULL && !ks_json_read_null(run->reader)))
        return ks_run_refuse_json(run);
    if (type == KS_JSON_NULL)
        return true;
    switch (field->type) {
    case KS_FIELD_STRUCT:
        return expect(run, type, KS_JSON_OBJECT) && ks_run_read_struct(run, field->schema, value);
    case KS_FIELD_POINTER:
        return expect(run, type, KS_JSON_OBJECT) && read_pointer(run, field->schema, value);
    case KS_FIELD_LABELS:
    case KS_FIELD_OBJECT_LABELS:
    case KS_FIELD_RESOURCES:
        return expect(run, type, KS_JSON_OBJECT) && ks_run_read_map(run, field->type, value);
    case KS_FIELD_LIST:
        return expect(run, type, KS_JSON_ARRAY) && read_list(run, field->schema, value);
    case KS_FIELD_STRINGS:
        return expect(run, type, KS_JSON_ARRAY) && read_strings(run, value);
    case KS_FIELD_RAW:
        return read_raw(run, value);
    default:
        return ks_run_read_scalar(run, field, type, value);
    }
}

/* ---- finding the field of a key ---- */

static bool key_is(ks_json_string key, const char *name)
{
    if (key.escaped)
        return ks_json_string_is(key, ks_str_of(name));
    if (key.raw.len == 0 || key.raw.data[0] != name[0])
        return false;
    return strncmp(key.raw.data, name, key.raw.len) == 0 && name[key.raw.len] == '\0';
}

/* Tries fields from *next on, since both tables and what kubectl prints are in the order of the names. */
static const ks_field *find_field(const ks_schema *schema, ks_json_string key, size_t *next)
{
    size_t i = *next;
    for (size_t tried = 0; tried < schema->count; tried++, i++) {
        if (i >= schema->count)
            i = 0;
        if (key_is(key, schema->fields[i].name)) {
            *next = i + 1;
            return &schema->fields[i];
        }
    }
    return NULL;
}

static bool read_unknown(ks_run *run, ks_json_string key)
{
    if (run->strict)
        ks_run_refuse(run, key.raw.data - 1, "unknown field");
    else if (!ks_json_skip(run->reader))
        ks_run_refuse_json(run);
    return !run->code || ks_run_in_unknown(run, key);
}

static bool read_members(ks_run *run, const ks_schema *schema, char *out)
{
    uint64_t seen = 0;
    size_t next = 0;
    ks_json_string key;
    while (ks_json_next_key(run->reader, &key)) {
        const ks_field *field = find_field(schema, key, &next);
        if (!field) {
            if (!read_unknown(run, key))
                return false;
            continue;
        }
        uint64_t bit = UINT64_C(1) << (field - schema->fields);
        if (seen & bit)
            ks_run_refuse_value(run, key.raw.data - 1, "must not be given twice");
        seen |= bit;
        if (run->code || !read_field(run, field, out + field->offset))
            return ks_run_in_field(run, field->name);
    }
    return !run->reader->fault || ks_run_refuse_json(run);
}

bool ks_run_read_struct(ks_run *run, const ks_schema *schema, void *out)
{
    if (!ks_json_begin_object(run->reader))
        return ks_run_refuse_json(run);
    bool strict = run->strict;
    run->strict = (strict || schema->strict) && !schema->partial;
    bool fine = read_members(run, schema, out);
    run->strict = strict;
    return fine;
}

/* ---- for those who know the schema ---- */

void ks_decoder_init(ks_decoder *decoder, ks_source source, ks_arena *arena)
{
    *decoder = (ks_decoder){.source = source, .json = source.text, .arena = arena};
    ks_json_init(&decoder->reader, source.text);
}

ks_decoder ks_decoder_of(const ks_decoder *decoder, ks_str piece, ks_str path)
{
    ks_decoder inner = *decoder;
    inner.path = path;
    ks_json_init(&inner.reader, piece);
    return inner;
}

int ks_decode_value(void *out, const ks_schema *schema, ks_decoder *decoder, ks_error *err)
{
    ks_run run;
    ks_run_init(&run, decoder);
    memset(out, 0, schema->size);
    return read_object(&run, schema, out) ? 0 : ks_run_fail(&run, err);
}
