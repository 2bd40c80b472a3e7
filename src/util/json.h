// SPDX-License-Identifier: Apache-2.0
/* A pull reader for JSON: a cursor over text in memory that the caller keeps. Strict RFC 8259 (what is
 * skipped is checked as strictly as what is read), valid UTF-8, nesting capped, nothing allocated.
 *
 *   ks_json_begin_object(r);
 *   while (ks_json_next_key(r, &key))
 *       if (ks_json_string_is(key, KS_STR("name"))) ks_json_read_string(r, &name); else ks_json_skip(r);
 *   if (r->fault) …
 *
 * Faults are sticky: after the first one every call returns false (peek: KS_JSON_FAULT) and the cursor
 * stays at the fault. After each key or item exactly one value must be read, entered or skipped. */
#ifndef KS_UTIL_JSON_H
#define KS_UTIL_JSON_H

#include "util/arena.h"
#include "util/str.h"

enum { KS_JSON_DEPTH_MAX = 512 };

typedef enum ks_json_type {
    KS_JSON_FAULT,
    KS_JSON_OBJECT,
    KS_JSON_ARRAY,
    KS_JSON_STRING,
    KS_JSON_NUMBER,
    KS_JSON_TRUE,
    KS_JSON_FALSE,
    KS_JSON_NULL,
} ks_json_type;

typedef struct ks_json {
    const char *begin, *at, *end;
    const char *fault; /* the rule that was broken ("unterminated string"), or NULL; static text */
    int code;          /* KS_EINVAL, or KS_ELIMIT for nesting */
    uint32_t depth;
    bool first; /* nothing read yet in the container just entered */
} ks_json;

/* A string as it stands in the text, between the quotes. */
typedef struct ks_json_string {
    ks_str raw;
    bool escaped; /* raw has backslashes: call ks_json_unescape for its value */
} ks_json_string;

void ks_json_init(ks_json *r, ks_str text);

/* The next value's type, without moving past it. */
ks_json_type ks_json_peek(ks_json *r);

bool ks_json_begin_object(ks_json *r);
/* Moves to the next member's value; false behind the last one (which closes the object) and on a fault. */
bool ks_json_next_key(ks_json *r, ks_json_string *key);
bool ks_json_begin_array(ks_json *r);
/* Likewise for items. */
bool ks_json_next_item(ks_json *r);

bool ks_json_read_string(ks_json *r, ks_json_string *out);
/* The number's text, checked against the grammar. */
bool ks_json_read_number(ks_json *r, ks_str *out);
bool ks_json_read_bool(ks_json *r, bool *out);
bool ks_json_read_null(ks_json *r);
bool ks_json_skip(ks_json *r);
/* Whether only white space is left; more is a fault unless the caller goes on reading values (a stream). */
bool ks_json_at_end(ks_json *r);
/* A fault of the caller's, at the cursor. Always returns false. */
bool ks_json_set_fault(ks_json *r, int code, const char *rule);

/* The string's value: raw itself if nothing is escaped, else a copy in the arena. False on want of memory
 * (the escapes were checked when the string was read). */
bool ks_json_unescape(ks_str *out, ks_json_string string, ks_arena *arena);
/* Whether the string's value is this text; escapes are resolved. */
bool ks_json_string_is(ks_json_string string, ks_str text);

/* Line and column (in characters, from 1) of a place in a text. */
void ks_text_position(ks_str text, size_t offset, uint32_t *line, uint32_t *column);

/* ---- out ---- */

/* Writes JSON into a buffer; commas and, if `indent` is not 0, line breaks come by themselves. */
typedef struct ks_json_writer {
    ks_buf *buf;
    int indent;
    uint32_t depth;
    bool comma, after_key;
} ks_json_writer;

void ks_json_writer_init(ks_json_writer *w, ks_buf *buf, int indent);
void ks_json_put_object(ks_json_writer *w);
void ks_json_put_object_end(ks_json_writer *w);
void ks_json_put_array(ks_json_writer *w);
void ks_json_put_array_end(ks_json_writer *w);
void ks_json_put_key(ks_json_writer *w, ks_str key);
void ks_json_put_string(ks_json_writer *w, ks_str value);
void ks_json_put_int(ks_json_writer *w, int64_t value);
void ks_json_put_bool(ks_json_writer *w, bool value);
/* A number or other value that is JSON text already. */
void ks_json_put_raw(ks_json_writer *w, ks_str text);

#endif
