// SPDX-License-Identifier: Apache-2.0
#include "support/transcript.h"
#include "support/decoded.h"
#include "support/dump.h"
#include "support/unit.h"
#include <stdlib.h>

int transcript_note(void *ctx, const ks_object *object, ks_error *err)
{
    (void)err;
    transcript *t = ctx;
    ks_buf_printf(&t->buf, "%s ", ks_kind_name(object->kind));
    if (t->whole)
        dump_struct(&t->buf, ks_kind_schema(object->kind), &object->metadata);
    else
        ks_buf_printf(&t->buf, "%.*s/%.*s@%zu", KS_STR_ARG(object->metadata.namespace_),
                      KS_STR_ARG(object->metadata.name), object->offset);
    ks_buf_put_char(&t->buf, '\n');
    return 0;
}

/* The text is copied to where a read past its end shows. */
static void check_text(const char *name, ks_str text, ks_str wanted, bool whole)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    transcript t = {.whole = whole};
    ks_buf_init(&t.buf, &alloc);
    char *copy = malloc(text.len ? text.len : 1);
    memcpy(copy, text.data, text.len);
    ks_error err = {0};
    int rc = ks_decode((ks_source){KS_STR("x"), {copy, text.len}}, NULL, transcript_note, &t, &err);
    if (rc)
        ks_buf_put_str(&t.buf, ks_str_of(err.message));
    free(copy);
    for (size_t i = 0; i < t.buf.len; i++)
        if (t.buf.data[i] == '\'')
            t.buf.data[i] = '"';
    if (rc != err.code || !ks_str_eq(ks_buf_str(&t.buf), wanted))
        fail_msg("%s: %d\n--- found\n%.*s\n--- wanted\n%s", name, rc, KS_STR_ARG(ks_buf_str(&t.buf)),
                 wanted.data);
    ks_buf_free(&t.buf);
}

void transcript_check(const transcript_row *rows, size_t count, bool whole)
{
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < count; i++) {
        ks_str text = decoded_text(&memory.arena, rows[i].text);
        ks_str wanted = decoded_text(&memory.arena, rows[i].wanted);
        check_text(rows[i].name, text, wanted, whole);
    }
    decoded_memory_free(&memory);
}
