// SPDX-License-Identifier: Apache-2.0
/* A source's documents: JSON values one after the other, YAML documents, or the one after the other. */
#include "model/decode.h"

typedef struct documents {
    ks_source source;
    ks_alloc *alloc;
    ks_arena arena;
    ks_document_fn document;
    void *ctx;
} documents;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blanks(ks_str text, size_t at)
{
    while (at < text.len && is_blank(text.data[at]))
        at++;
    return at;
}

/* ---- YAML ---- */

static int read_yaml_document(documents *docs, const ks_yaml *yaml, ks_error *err)
{
    ks_decoder decoder = {
        .source = docs->source,
        .json = ks_yaml_json(yaml),
        .places = ks_yaml_get_places(yaml),
        .arena = &docs->arena,
    };
    ks_json_init(&decoder.reader, decoder.json);
    int rc = docs->document(docs->ctx, &decoder, err);
    ks_arena_reset(&docs->arena);
    return rc;
}

/* From byte `at` to the end. */
static int read_yaml(documents *docs, size_t at, ks_error *err)
{
    ks_yaml *yaml;
    int rc = ks_yaml_new(&yaml, docs->source, at, docs->alloc, err);
    if (rc)
        return rc;
    bool more;
    while ((rc = ks_yaml_next(&more, yaml, err)) == 0 && more)
        if ((rc = read_yaml_document(docs, yaml, err)) != 0)
            break;
    ks_yaml_free(yaml);
    return rc;
}

/* ---- JSON ---- */

static bool begins_json(ks_str text, size_t at)
{
    return at < text.len && (text.data[at] == '{' || text.data[at] == '[');
}

/* Behind a line of "---", and a comment in it; `at` itself where there is none. */
static size_t skip_separator(ks_str text, size_t at)
{
    bool line_begins = at == 0 || text.data[at - 1] == '\n';
    if (!line_begins || text.len - at < 3 || memcmp(text.data + at, "---", 3) != 0)
        return at;
    size_t next = at + 3;
    if (next < text.len && !is_blank(text.data[next]))
        return at;
    while (next < text.len && (text.data[next] == ' ' || text.data[next] == '\t'))
        next++;
    if (next < text.len && text.data[next] == '#')
        while (next < text.len && text.data[next] != '\n')
            next++;
    return next;
}

/* Past white space and separators; *separated tells whether there was one. */
static size_t skip_between(ks_str text, size_t at, bool *separated)
{
    *separated = false;
    for (;;) {
        at = skip_blanks(text, at);
        size_t next = skip_separator(text, at);
        if (next == at)
            return at;
        *separated = true;
        at = next;
    }
}

static int read_json(documents *docs, size_t at, ks_error *err)
{
    ks_str text = docs->source.text;
    ks_decoder decoder;
    ks_decoder_init(&decoder, docs->source, &docs->arena);
    bool separated = false;
    while (at < text.len && (!separated || begins_json(text, at))) {
        decoder.reader.at = text.data + at;
        int rc = docs->document(docs->ctx, &decoder, err);
        ks_arena_reset(&docs->arena);
        if (rc)
            return rc;
        at = skip_between(text, (size_t)(decoder.reader.at - text.data), &separated);
    }
    return at < text.len ? read_yaml(docs, at, err) : 0;
}

/* ---- either ---- */

static bool begins_with(ks_str text, ks_str prefix)
{
    return text.len >= prefix.len && memcmp(text.data, prefix.data, prefix.len) == 0;
}

int ks_documents_read(ks_source source, ks_alloc *alloc, ks_document_fn document, void *ctx, ks_error *err)
{
    if (begins_with(source.text, KS_STR("\xEF\xBB\xBF"))) {
        source.text.data += 3;
        source.text.len -= 3;
    }
    if (begins_with(source.text, KS_STR("\xFF\xFE")) || begins_with(source.text, KS_STR("\xFE\xFF")))
        return ks_source_fail(err, KS_EINVAL, source, 0, "UTF-16 text: must be UTF-8");
    size_t at = skip_blanks(source.text, 0);
    if (at == source.text.len)
        return 0;
    documents docs = {.source = source, .alloc = alloc, .document = document, .ctx = ctx};
    ks_arena_init(&docs.arena, alloc);
    int rc = begins_json(source.text, at) ? read_json(&docs, at, err) : read_yaml(&docs, 0, err);
    ks_arena_free(&docs.arena);
    return rc;
}
