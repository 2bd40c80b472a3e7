// SPDX-License-Identifier: Apache-2.0
#include "model/source.h"
#include "util/json.h"
#include <inttypes.h>
#include <stdio.h>

/* What is quoted from a text must not reach a terminal as a command. */
static void drop_controls(char *message)
{
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = ' ';
}

int ks_source_vfail(ks_error *err, int code, ks_source source, size_t offset, const char *format,
                    va_list args)
{
    if (!err)
        return code;
    char message[KS_ERROR_MESSAGE_MAX];
    vsnprintf(message, sizeof message, format, args);
    drop_controls(message);
    uint32_t line, column;
    ks_text_position(source.text, offset, &line, &column);
    ks_error_set(err, code, "%.*s%s%" PRIu32 ":%" PRIu32 ": %s", KS_STR_ARG(source.name),
                 source.name.len ? ":" : "", line, column, message);
    err->line = line;
    err->column = column;
    return code;
}

int ks_source_fail(ks_error *err, int code, ks_source source, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ks_source_vfail(err, code, source, offset, format, args);
    va_end(args);
    return code;
}
