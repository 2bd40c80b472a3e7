// SPDX-License-Identifier: Apache-2.0
/* Structs of the model from a line of JSON, so that a table of cases reads like a manifest. Strings in it
 * stand between single quotes, for the eye's sake. */
#ifndef TESTS_SUPPORT_DECODED_H
#define TESTS_SUPPORT_DECODED_H

#include "model/schema.h"

/* Decodes by a schema, or ends the program with a message. What *out points to lives in the arena. */
void decoded_read(void *out, const ks_schema *schema, ks_arena *arena, const char *json);
/* A map of strings. */
ks_labels decoded_labels(ks_arena *arena, const char *json);
/* The JSON itself, with its single quotes made double ones. */
ks_str decoded_text(ks_arena *arena, const char *json);

/* An arena with its allocator, for the length of a test. */
typedef struct decoded_memory {
    ks_alloc alloc;
    ks_arena arena;
} decoded_memory;
/* `memory` must stay where it is. allocator NULL: malloc and free. */
void decoded_memory_init(decoded_memory *memory, const ks_allocator *allocator);
void decoded_memory_free(decoded_memory *memory);

#endif
