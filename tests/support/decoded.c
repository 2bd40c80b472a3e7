// SPDX-License-Identifier: Apache-2.0
#include "support/decoded.h"
#include "model/decode.h"
#include <stdio.h>
#include <stdlib.h>

ks_str decoded_text(ks_arena *arena, const char *json)
{
    ks_str copy;
    if (!ks_arena_copy_str(arena, &copy, ks_str_of(json)))
        abort();
    for (char *c = (char *)copy.data; *c; c++)
        if (*c == '\'')
            *c = '"';
    return copy;
}

void decoded_read(void *out, const ks_schema *schema, ks_arena *arena, const char *json)
{
    ks_decoder decoder;
    ks_error err;
    ks_decoder_init(&decoder, (ks_source){KS_STR("test"), decoded_text(arena, json)}, arena);
    if (ks_decode_value(out, schema, &decoder, &err) == KS_OK)
        return;
    fprintf(stderr, "%s: %s\n", json, err.message);
    abort();
}

typedef struct with_labels {
    ks_labels labels;
} with_labels;

ks_labels decoded_labels(ks_arena *arena, const char *json)
{
    static const ks_field fields[] = {KS_FIELD("labels", LABELS, with_labels, labels, NULL)};
    static const ks_schema schema = KS_SCHEMA(with_labels, fields);
    with_labels out;
    char *object = ks_arena_get(arena, strlen(json) + sizeof "{'labels':}");
    if (!object)
        abort();
    sprintf(object, "{'labels':%s}", json);
    decoded_read(&out, &schema, arena, object);
    return out.labels;
}

void decoded_memory_init(decoded_memory *memory, const ks_allocator *allocator)
{
    ks_alloc_init(&memory->alloc, allocator);
    ks_arena_init(&memory->arena, &memory->alloc);
}

void decoded_memory_free(decoded_memory *memory)
{
    ks_arena_free(&memory->arena);
}
