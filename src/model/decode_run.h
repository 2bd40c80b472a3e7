// SPDX-License-Identifier: Apache-2.0
/* The inside of decoding: one run over a value, and its fault if it has one. Functions return false on a
 * fault, after which the run is over; each caller on the way out adds its part of the path, so that a run
 * without faults never makes one. */
#ifndef KS_MODEL_DECODE_RUN_H
#define KS_MODEL_DECODE_RUN_H

#include "model/decode.h"

enum { KS_RUN_PATH_MAX = 512 };

typedef struct ks_run {
    ks_decoder *decoder;
    ks_json *reader; /* the decoder's */
    bool strict;
    int code;         /* of the fault; 0: none */
    const char *rule; /* static text; NULL: whoever failed has filled in the error already */
    const char *at;   /* in the decoder's JSON */
    bool shows_value; /* the message quotes the value at `at` */
    bool path_is_full;
    size_t path_begin;
    char path[KS_RUN_PATH_MAX]; /* filled from its end */
} ks_run;

void ks_run_init(ks_run *run, ks_decoder *decoder);

/* Faults; all return false. */
bool ks_run_refuse(ks_run *run, const char *at, const char *rule);
bool ks_run_refuse_value(ks_run *run, const char *at, const char *rule);
bool ks_run_refuse_json(ks_run *run); /* the reader's own fault */
bool ks_run_refuse_memory(ks_run *run);
bool ks_run_stop(ks_run *run, int code); /* the error is filled in */

/* Put before the path so far: ".name", "[7]", "[key]". */
bool ks_run_in_field(ks_run *run, const char *name);
bool ks_run_in_unknown(ks_run *run, ks_json_string name);
bool ks_run_in_item(ks_run *run, size_t index);
bool ks_run_in_key(ks_run *run, ks_json_string key);

/* Writes the fault into the error and returns its code. */
int ks_run_fail(const ks_run *run, ks_error *err);

/* The value at the cursor, which is of `type`, into a field of the struct at `base`. */
bool ks_run_read_scalar(ks_run *run, const ks_field *field, ks_json_type type, void *value);
bool ks_run_read_string(ks_run *run, ks_json_type type, ks_str *out);
bool ks_run_read_quantity(ks_run *run, ks_json_type type, ks_quantity *out);
/* An object's members into a struct that is zeroed. */
bool ks_run_read_struct(ks_run *run, const ks_schema *schema, void *out);
/* A map, sorted by key, into a ks_labels or ks_resources. */
bool ks_run_read_map(ks_run *run, ks_field_type type, void *out);

/* A list that grows in the arena. */
typedef struct ks_growing {
    char *items;
    size_t count, cap, item_size;
} ks_growing;

/* The next item, zeroed; NULL on want of memory. */
void *ks_growing_add(ks_growing *list, ks_arena *arena);
/* Stores it as a KS_LIST, one that is there even if it is empty. */
bool ks_growing_finish(ks_run *run, ks_growing *list, void *out);

#endif
