// SPDX-License-Identifier: Apache-2.0
/* What -f names: files, folders, streams. Paths come in, decoded objects go out, in the order given. */
#ifndef KS_CLI_INPUT_H
#define KS_CLI_INPUT_H

#include "cli/cli.h"
#include "cli/folder.h"
#include "cli/progress.h"
#include "util/vec.h"
#include <kubespread/decode.h>

typedef struct ks_input {
    const char *path; /* what to open, and its name in messages */
    int fd;           /* a spooled stream's copy; -1: a file, opened when it is read */
    size_t size;
} ks_input;

/* Freed with ks_inputs_free; its strings live in the arena given. */
typedef struct ks_inputs {
    ks_alloc *alloc;
    ks_arena *arena;
    KS_VEC(ks_input) items;
    size_t total_bytes;
} ks_inputs;

void ks_inputs_init(ks_inputs *inputs, ks_alloc *alloc, ks_arena *arena);
void ks_inputs_free(ks_inputs *inputs);

/* Adds a path: "-" is standard input; of a folder the files that end in .json, .yaml or .yml, by name, and
 * those of the folders in it as far as `reach` says. Pipes are read to their end here. */
int ks_inputs_add(ks_inputs *inputs, const char *path, ks_folder_reach reach, ks_error *err);

/* Hands every object to `object`, as ks_decode does. Can be called again. Memory stays bounded by the
 * largest object (JSON) or document (YAML). */
int ks_inputs_decode(const ks_inputs *inputs, ks_object_fn object, void *ctx, ks_error *err);

/* The whole text of one file or stream, for things that are not objects. */
typedef int (*ks_text_fn)(void *ctx, ks_source source, ks_error *err);
int ks_input_with_text(ks_inputs *inputs, const char *path, ks_text_fn text, void *ctx, ks_error *err);

#endif
