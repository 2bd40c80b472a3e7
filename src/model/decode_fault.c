// SPDX-License-Identifier: Apache-2.0
#include "model/decode_run.h"
#include <stdio.h>

void ks_run_init(ks_run *run, ks_decoder *decoder)
{
    run->decoder = decoder;
    run->reader = &decoder->reader;
    run->strict = false;
    run->code = 0;
    run->rule = NULL;
    run->at = NULL;
    run->shows_value = false;
    run->path_is_full = false;
    run->path_begin = sizeof run->path;
}

/* ---- faults ---- */

static bool set_fault(ks_run *run, int code, const char *at, const char *rule)
{
    run->code = code;
    run->at = at;
    run->rule = rule;
    return false;
}

bool ks_run_refuse(ks_run *run, const char *at, const char *rule)
{
    return set_fault(run, KS_EINVAL, at, rule);
}

bool ks_run_refuse_value(ks_run *run, const char *at, const char *rule)
{
    run->shows_value = true;
    return set_fault(run, KS_EINVAL, at, rule);
}

bool ks_run_refuse_json(ks_run *run)
{
    return set_fault(run, run->reader->code, run->reader->at, run->reader->fault);
}

bool ks_run_refuse_memory(ks_run *run)
{
    return set_fault(run, KS_ENOMEM, NULL, "");
}

bool ks_run_stop(ks_run *run, int code)
{
    return set_fault(run, code, NULL, NULL);
}

/* ---- paths ---- */

static void prepend(ks_run *run, ks_str text)
{
    const ks_str mark = KS_STR("…");
    if (run->path_is_full)
        return;
    run->path_is_full = text.len + mark.len > run->path_begin;
    if (run->path_is_full)
        text = mark;
    run->path_begin -= text.len;
    memcpy(run->path + run->path_begin, text.data, text.len);
}

static void prepend_shortened(ks_run *run, ks_str text)
{
    ks_str shown = ks_str_shorten(text);
    if (shown.len < text.len)
        prepend(run, KS_STR("…"));
    prepend(run, shown);
}

bool ks_run_in_field(ks_run *run, const char *name)
{
    prepend(run, ks_str_of(name));
    prepend(run, KS_STR("."));
    return false;
}

bool ks_run_in_unknown(ks_run *run, ks_json_string name)
{
    prepend_shortened(run, name.raw);
    prepend(run, KS_STR("."));
    return false;
}

bool ks_run_in_item(ks_run *run, size_t index)
{
    char text[32];
    int len = snprintf(text, sizeof text, "[%zu]", index);
    prepend(run, (ks_str){text, (size_t)len});
    return false;
}

bool ks_run_in_key(ks_run *run, ks_json_string key)
{
    prepend(run, KS_STR("]"));
    prepend_shortened(run, key.raw);
    prepend(run, KS_STR("["));
    return false;
}

/* ---- messages ---- */

/* How the value at the cursor is quoted: strings and numbers as they are written, containers in brief.
 * False if it is malformed, which then is the reader's fault. */
static bool show_value(char *out, size_t size, ks_json *reader)
{
    ks_json_string string;
    ks_str token = {reader->at, 0};
    switch (ks_json_peek(reader)) {
    case KS_JSON_OBJECT:
        snprintf(out, size, "{…}");
        return true;
    case KS_JSON_ARRAY:
        snprintf(out, size, "[…]");
        return true;
    case KS_JSON_STRING:
        if (!ks_json_read_string(reader, &string))
            return false;
        snprintf(out, size, "\"%.*s%s\"", KS_STR_SHORT_ARG(string.raw));
        return true;
    default:
        if (!ks_json_skip(reader))
            return false;
        token.len = (size_t)(reader->at - token.data);
        snprintf(out, size, "%.*s%s", KS_STR_SHORT_ARG(token));
        return true;
    }
}

static bool lies_in(const char *at, ks_str text)
{
    return at && text.data && at >= text.data && at <= text.data + text.len;
}

/* The place in the source that a place in the JSON comes from. */
static size_t source_offset(const ks_decoder *decoder, const char *at)
{
    size_t offset = (size_t)(at - decoder->json.data);
    return decoder->places ? ks_yaml_find(decoder->places, decoder->source.text, offset) : offset;
}

/* "path.field: ", or less where one is absent. */
static void print_path(char *out, size_t size, ks_str path, ks_str field)
{
    if (path.len == 0 && field.len > 0 && field.data[0] == '.')
        field = (ks_str){field.data + 1, field.len - 1};
    bool dot = path.len > 0 && field.len > 0 && field.data[0] != '[' && field.data[0] != '.';
    bool any = path.len + field.len > 0;
    snprintf(out, size, "%.*s%s%.*s%s", KS_STR_ARG(path), dot ? "." : "", KS_STR_ARG(field), any ? ": " : "");
}

static int fail_at(ks_error *err, int code, const ks_decoder *decoder, const char *at, const char *message)
{
    ks_str name = decoder->source.name;
    if (at)
        return ks_source_fail(err, code, decoder->source, source_offset(decoder, at), "%s", message);
    return ks_fail(err, code, "%.*s%s%s", KS_STR_ARG(name), name.len ? ": " : "", message);
}

int ks_decode_fail(ks_error *err, int code, const ks_decoder *decoder, const char *at, ks_str field,
                   const char *format, ...)
{
    char path[KS_ERROR_MESSAGE_MAX], cause[KS_ERROR_MESSAGE_MAX], message[2 * KS_ERROR_MESSAGE_MAX];
    print_path(path, sizeof path, decoder->path, field);
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    snprintf(message, sizeof message, "%s%s", path, cause);
    if (!lies_in(at, decoder->json))
        at = NULL;
    else if (at > decoder->json.data && at[-1] == '"')
        at--; /* a decoded string: its place is that of its quote */
    return fail_at(err, code, decoder, at, message);
}

int ks_run_fail(const ks_run *run, ks_error *err)
{
    if (run->code == KS_ENOMEM)
        return ks_fail_nomem(err);
    if (!run->rule)
        return run->code;
    char value[2 * KS_STR_SHOWN_MAX] = "", path[KS_ERROR_MESSAGE_MAX], message[2 * KS_ERROR_MESSAGE_MAX];
    ks_str field = {run->path + run->path_begin, sizeof run->path - run->path_begin};
    print_path(path, sizeof path, run->decoder->path, field);
    ks_json reader = *run->reader;
    reader.at = run->at;
    if (run->shows_value && !show_value(value, sizeof value, &reader)) {
        snprintf(message, sizeof message, "%s%s", path, reader.fault);
        return fail_at(err, reader.code, run->decoder, reader.at, message);
    }
    snprintf(message, sizeof message, "%s%s%s%s", path, value, value[0] ? ": " : "", run->rule);
    return fail_at(err, run->code, run->decoder, run->at, message);
}
