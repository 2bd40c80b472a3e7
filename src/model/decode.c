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
    int depth;      /* lists around, itself included */
} list;

/* Looking for a kind behind nested items reads them again for every list around. */
enum { LIST_DEPTH_MAX = 32 };
#define LIST_TOO_DEEP "lists nested more than 32 levels deep"

/* ---- heads ---- */

static void read_head_string(ks_run *run, ks_json *reader, ks_json_string *out, const char *name)
{
    ks_json_type type = ks_json_peek(reader);
    if (type == KS_JSON_NULL) {
        ks_json_read_null(reader);
    } else if (type == KS_JSON_STRING || type == KS_JSON_FAULT) {
        ks_json_read_string(reader, out);
    } else {
        ks_run_refuse_value(run, reader->at, "must be a string");
        ks_run_in_field(run, name);
    }
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

static bool is_array_of_items(ks_json *reader, ks_json_string key)
{
    return ks_json_string_is(key, KS_STR("items")) && ks_json_peek(reader) == KS_JSON_ARRAY;
}

/* Looks ahead with a cursor of its own. What it passes over is decoded when the object itself is read. */
static bool read_head(ks_run *run, ks_json reader, reach reach, head *out)
{
    ks_json_string key;
    ks_json_begin_object(&reader);
    while (!is_complete(out) && ks_json_next_key(&reader, &key)) {
        if (ks_json_string_is(key, KS_STR("apiVersion")))
            read_head_string(run, &reader, &out->api_version, "apiVersion");
        else if (ks_json_string_is(key, KS_STR("kind")))
            read_head_string(run, &reader, &out->kind, "kind");
        else if (reach == REACH_FRONT)
            return true;
        else if (reach == REACH_ITEMS && (out->lists = is_array_of_items(&reader, key)))
            return true;
        else
            ks_json_skip(&reader);
        if (run->code)
            return false;
    }
    if (!reader.fault)
        return true;
    *run->reader = reader;
    return ks_run_refuse_json(run);
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

static bool refuse_headless(ks_run *run, const char *at, const head *h)
{
    ks_run_refuse(run, at, "must be set: every object has an apiVersion and a kind");
    return ks_run_in_field(run, h->kind.raw.data ? "apiVersion" : "kind");
}

/* The kind of an object that may leave it to the list around it. */
static bool find_kind(objects *o, const head *h, list *around, ks_kind *kind)
{
    *kind = KS_KIND_NONE;
    if (is_complete(h)) {
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
    return refuse_headless(&o->run, o->run.reader->at, h);
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
    const char *begin = run->reader->at;
    if (!ks_run_read_struct(run, schema, &o->decoded.metadata))
        return false;
    o->decoded.json = (ks_str){begin, (size_t)(run->reader->at - begin)};
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

/* Notes the head of a list on the way, where it comes behind the items. */
static void note_head(ks_json reader, ks_json_string key, head *out)
{
    if (ks_json_peek(&reader) != KS_JSON_STRING)
        return;
    if (ks_json_string_is(key, KS_STR("apiVersion")))
        ks_json_read_string(&reader, &out->api_version);
    else if (ks_json_string_is(key, KS_STR("kind")))
        ks_json_read_string(&reader, &out->kind);
}

static bool read_list(objects *o, list *self)
{
    ks_run *run = &o->run;
    const char *at = run->reader->at;
    ks_json_string key;
    bool seen = false;
    ks_json_begin_object(run->reader);
    while (ks_json_next_key(run->reader, &key)) {
        if (!ks_json_string_is(key, KS_STR("items"))) {
            note_head(*run->reader, key, &self->head);
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
    if (run->reader->fault)
        return ks_run_refuse_json(run);
    return is_complete(&self->head) || refuse_headless(run, at, &self->head);
}

/* The items of a typed list have no kind, and looking for one would read each of them twice. */
static reach reach_of(const list *around)
{
    bool typed = around && around->read_over && is_complete(&around->head) &&
                 ks_kind_read_list(around->head.api_version, around->head.kind) != KS_KIND_NONE;
    return typed ? REACH_FRONT : REACH_ITEMS;
}

/* Something else than an object. In a list it is wrong; but what has items need not be a list. */
static bool read_other(objects *o, list *around)
{
    ks_run *run = &o->run;
    if (around && !complete_list_head(run, around))
        return false;
    if (around && around->head.kind.raw.data && !ends_in_list(around->head.kind))
        return ks_json_skip(run->reader) || ks_run_refuse_json(run);
    return ks_run_refuse_value(run, run->reader->at, "must be an object");
}

static bool read_whole_list(objects *o, list *self)
{
    self->read_over = !self->head.lists;
    if (self->depth <= LIST_DEPTH_MAX)
        return read_list(o, self);
    ks_run_refuse(&o->run, o->run.reader->at, LIST_TOO_DEEP);
    o->run.code = KS_ELIMIT;
    return false;
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
        return read_other(o, around);
    list self = {.begin = *run->reader, .depth = around ? around->depth + 1 : 1};
    if (!read_head(run, self.begin, reach_of(around), &self.head))
        return false;
    if (self.head.lists || ends_in_list(self.head.kind))
        return read_whole_list(o, &self);
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
