// SPDX-License-Identifier: Apache-2.0
/* What decoding made of a text: an object a line, then the message if there was a fault. */
#ifndef TESTS_SUPPORT_TRANSCRIPT_H
#define TESTS_SUPPORT_TRANSCRIPT_H

#include "util/str.h"
#include <kubespread/decode.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct transcript {
    ks_buf buf;
    bool whole; /* objects with all their fields, else "Kind namespace/name@offset" */
} transcript;

/* For ks_decode, with a transcript for its context. */
int transcript_note(void *ctx, const ks_object *object, ks_error *err);

typedef struct transcript_row {
    const char *name, *text, *wanted;
} transcript_row;

/* Decodes each text by the name "x" and fails the test where something else comes out than is wanted.
 * Single quotes stand for double ones, and are not told apart from them in what comes out. */
void transcript_check(const transcript_row *rows, size_t count, bool whole);

#endif
