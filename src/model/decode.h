// SPDX-License-Identifier: Apache-2.0
/* Decoding by schema, for those who know what stands in a text: a configuration, a line of a scenario.
 * ks_decode (kubespread/decode.h) finds out by apiVersion and kind and uses the same machinery.
 *
 * There is one decoder, and it reads JSON: YAML becomes JSON text first, with a table that leads places
 * in it back to the YAML. */
#ifndef KS_MODEL_DECODE_H
#define KS_MODEL_DECODE_H

#include "model/schema.h"
#include "model/yaml.h"
#include <kubespread/decode.h>

/* A cursor into one text. Plain data: copy it to read a piece again. Strings that it decodes point into
 * `json` where they are written without escapes, and into the arena otherwise. */
typedef struct ks_decoder {
    ks_source source;             /* what messages name and count lines in */
    ks_str json;                  /* the text that is read: the source's own, or what its YAML became */
    const ks_yaml_places *places; /* leads from json to the source; NULL where they are the same text */
    ks_json reader;
    ks_arena *arena;
    ks_str path; /* stands before the path of every fault ("profiles[0].pluginConfig[1].args") */
} ks_decoder;

/* For a source that is JSON. */
void ks_decoder_init(ks_decoder *decoder, ks_source source, ks_arena *arena);
/* For a piece of another decoder's text, such as the value of a KS_FIELD_RAW. `path` is the whole path of
 * the piece and must outlive the decoder. */
ks_decoder ks_decoder_of(const ks_decoder *decoder, ks_str piece, ks_str path);

/* Reads the one value at the cursor, an object, into *out (schema->size bytes, zeroed first). null leaves
 * *out zeroed. Behind the value more text may follow. */
int ks_decode_value(void *out, const ks_schema *schema, ks_decoder *decoder, ks_error *err);

/* A fault of the caller's, as "source:line:column: path.field: message". `at` points into the decoder's
 * JSON, for instance at a decoded string; any other pointer, also NULL, gives no line and column. `field`
 * is relative to the decoder's path and may be absent. Returns code. */
int ks_decode_fail(ks_error *err, int code, const ks_decoder *decoder, const char *at, ks_str field,
                   const char *format, ...) KS_PRINTF(6, 7);

/* Called with the cursor before each document of a source; it must read or skip exactly one value. What
 * the decoder's texts and arena hold goes when it returns. Empty YAML documents come as null. */
typedef int (*ks_document_fn)(void *ctx, ks_decoder *decoder, ks_error *err);
/* All documents of a source, JSON or YAML by its first character. */
int ks_documents_read(ks_source source, ks_alloc *alloc, ks_document_fn document, void *ctx, ks_error *err);

#endif
