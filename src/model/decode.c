// SPDX-License-Identifier: Apache-2.0
#include "model/decode.h"
#include "model/decode_run.h"
#include "model/kinds.h"

typedef struct objects {
    ks_str text; /* the source's, with its byte order mark if it has one */
    ks_object_fn object;
    void *ctx;
    ks_error *err;
    ks_yaml_cursor cursor;
    ks_run run;
    ks_object decoded;
} objects;

/* What an object says it is. Strings are as they stand in the text, since the arena goes with every
 * object and a list's head must stay. */
typedef struct head {
    ks_json_string api_version, kind; /* raw.data NULL: absent */
    bool lists;                       /* has items before its kind, as kubectl prints Lists */
} head;

/* A list around an object. */
typedef struct list {
    ks_json begin; /* before its first byte */
    head head;
    bool read_over; /* all of its head is known */
} list;

/* ---- heads ---- */

static bool read_head_string(ks_run *run, ks_json *reader, ks_json_string *out, const char *name)
{
    ks_json_type type = ks_json_peek(reader);
    if (type == KS_JSON_NULL)
        return ks_json_read_null(reader);
    if (type == KS_JSON_STRING || type == KS_JSON_FAULT)
        return ks_json_read_string(reader, out);
    ks_run_refuse_value(run, reader->at, "must be a string");
    return ks_run_in_field(run, name);
}

static bool is_complete(const head *h)
{
    return h->api_version.raw.data && h->kind.raw.data;
}

/* How far to look for a head. */
typedef enum reach {
    REACH_FRONT, /* only what stands before all else */
    REACH_ITEMS, /* up to items that stand before the kind: only a list has any */
    REACH_ALL,
} reach;

/* Looks ahead with a cursor of its own. Members that are passed over are checked when the object itself is
 * read. */
static bool read_head(ks_run *run, ks_json reader, reach reach, head *out)
{
    ks_json_string key;
    ks_json_begin_object(&reader);
    while (!is_complete(out) && ks_json_next_key(&reader, &key)) {
        bool fine;
        if (ks_json_string_is(key, KS_STR("apiVersion"))) {
            fine = read_head_string(run, &reader, &out->api_version, "apiVersion");
        } else if (ks_json_string_is(key, KS_STR("kind"))) {
            fine = read_head_string(run, &reader, &out->kind, "kind");
        } else if (reach == REACH_FRONT) {
            return true;
        } else if (reach == REACH_ITEMS && ks_json_string_is(key, KS_STR("items")) &&
                   ks_json_peek(&reader) == KS_JSON_ARRAY) {
            out->lists = true;
            return true;
        } else {
            fine = ks_json_skip(&reader);
        }
        if (run->code)
            return false;
        if (!fine)
            break;
    }
    return true;
}

static bool ends_in_list(ks_json_string kind)
{
    ks_str raw = kind.raw, suffix = KS_STR("List");
    return ks_json_string_is(kind, suffix) ||
           (raw.len > suffix.len && memcmp(raw.data + raw.len - suffix.len, suffix.data, suffix.len) == 0);
}

/* The list's kind and apiVersion, wherever they stand: its items have none of their own. */
static bool complete_list_head(ks_run *run, list *around)
{
    if (around->read_over)
        return true;
    around->read_over = true;
    return read_head(run, around->begin, REACH_ALL, &around->head);
}

/* The kind of an object that may leave it to the list around it. */
static bool find_kind(objects *o, const head *h, list *around, ks_kind *kind)
{
    const char *at = o->run.reader->at;
    *kind = KS_KIND_NONE;
    if (h->kind.raw.data && h->api_version.raw.data) {
        *kind = ks_kind_read(h->api_version, h->kind);
        return true;
    }
    if (around && !h->kind.raw.data && !h->api_version.raw.data) {
        if (!complete_list_head(&o->run, around))
            return false;
        *kind = ks_kind_read_list(around->head.api_version, around->head.kind);
        if (*kind != KS_KIND_NONE || !ks_json_string_is(around->head.kind, KS_STR("List")))
            return true;
    }
    ks_run_refuse(&o->run, at, "must be set: every object has an apiVersion and a kind");
    return ks_run_in_field(&o->run, h->kind.raw.data ? "apiVersion" : "kind");
}

/* ---- objects ---- */

static size_t offset_of(objects *o, const char *at)
{
    const ks_decoder *decoder = o->run.decoder;
    ks_str text = decoder->source.text;
    size_t offset = (size_t)(at - decoder->json.data);
    if (decoder->places)
        offset = ks_yaml_find_next(&o->cursor, decoder->places, text, offset);
    return offset + (size_t)(text.data - o->text.data);
}

static bool read_known(objects *o, ks_kind kind)
{
    ks_run *run = &o->run;
    const ks_schema *schema = ks_kind_schema(kind);
    o->decoded.kind = kind;
    o->decoded.offset = offset_of(o, run->reader->at);
    memset(&o->decoded.metadata, 0, schema->size);
    if (!ks_run_read_struct(run, schema, &o->decoded.metadata))
        return false;
    int rc = o->object(o->ctx, &o->decoded, o->err);
    ks_arena_reset(run->decoder->arena);
    return !rc || ks_run_stop(run, rc);
}

static bool read_object(objects *o, list *around);

static bool read_items(objects *o, list *around)
{
    ks_json *reader = o->run.reader;
    ks_json_type type = ks_json_peek(reader);
    if (type == KS_JSON_NULL)
        return ks_json_read_null(reader) || ks_run_refuse_json(&o->run);
    if (type != KS_JSON_ARRAY && type != KS_JSON_FAULT)
        return ks_run_refuse_value(&o->run, reader->at, "must be a list");
    ks_json_begin_array(reader);
    for (size_t i = 0; ks_json_next_item(reader); i++)
        if (!read_object(o, around))
            return ks_run_in_item(&o->run, i);
    return !reader->fault || ks_run_refuse_json(&o->run);
}

static bool read_list(objects *o, list *self)
{
    ks_run *run = &o->run;
    ks_json_string key;
    bool seen = false;
    ks_json_begin_object(run->reader);
    while (ks_json_next_key(run->reader, &key)) {
        if (!ks_json_string_is(key, KS_STR("items"))) {
            if (!ks_json_skip(run->reader))
                break;
            continue;
        }
        if (seen)
            ks_run_refuse_value(run, key.raw.data - 1, "must not be given twice");
        seen = true;
        if (run->code || !read_items(o, self))
            return ks_run_in_field(run, "items");
    }
    return !run->reader->fault || ks_run_refuse_json(run);
}

/* The items of a typed list have no kind, and looking for one would read each of them twice. */
static reach reach_of(const list *around)
{
    bool typed = around && around->read_over && is_complete(&around->head) &&
                 ks_kind_read_list(around->head.api_version, around->head.kind) != KS_KIND_NONE;
    return typed ? REACH_FRONT : REACH_ITEMS;
}

static bool read_object(objects *o, list *around)
{
    ks_run *run = &o->run;
    ks_json_type type = ks_json_peek(run->reader);
    if (type == KS_JSON_FAULT || (type == KS_JSON_NULL && !ks_json_read_null(run->reader)))
        return ks_run_refuse_json(run);
    if (type == KS_JSON_NULL)
        return true;
    if (type != KS_JSON_OBJECT)
        return ks_run_refuse_value(run, run->reader->at, "must be an object");
    list self = {.begin = *run->reader};
    if (!read_head(run, self.begin, reach_of(around), &self.head))
        return false;
    if (self.head.lists || ends_in_list(self.head.kind)) {
        self.read_over = !self.head.lists;
        return read_list(o, &self);
    }
    ks_kind kind;
    if (!find_kind(o, &self.head, around, &kind))
        return false;
    if (kind == KS_KIND_NONE)
        return ks_json_skip(run->reader) || ks_run_refuse_json(run);
    return read_known(o, kind);
}

static int read_document(void *ctx, ks_decoder *decoder, ks_error *err)
{
    objects *o = ctx;
    o->err = err;
    ks_run_init(&o->run, decoder);
    return read_object(o, NULL) ? 0 : ks_run_fail(&o->run, err);
}

int ks_decode(ks_source source, const ks_allocator *allocator, ks_object_fn object, void *ctx, ks_error *err)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, allocator);
    objects o = {.text = source.text, .object = object, .ctx = ctx};
    return ks_documents_read(source, &alloc, read_document, &o, err);
}
