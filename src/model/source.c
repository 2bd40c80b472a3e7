// SPDX-License-Identifier: Apache-2.0
#include "model/source.h"
#include "util/json.h"
#include <inttypes.h>
#include <stdio.h>

int ks_source_fail(ks_error *err, int code, ks_source source, size_t offset, const char *format, ...)
{
    if (!err)
        return code;
    char message[KS_ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    uint32_t line, column;
    ks_text_position(source.text, offset, &line, &column);
    ks_error_set(err, code, "%.*s%s%" PRIu32 ":%" PRIu32 ": %s", KS_STR_ARG(source.name),
                 source.name.len ? ":" : "", line, column, message);
    err->line = line;
    err->column = column;
    return code;
}
