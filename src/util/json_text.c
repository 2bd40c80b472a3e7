// SPDX-License-Identifier: Apache-2.0
#include "util/json_token.h"

/* One character of a string that was checked when it was read: a plain byte, or an escape resolved.
 * Returns the bytes written, and moves *p behind what they came from. */
static size_t next_piece(char to[4], const char **p)
{
    if (**p == '\\')
        return ks_utf8_put(to, ks_json_read_escape(p));
    to[0] = *(*p)++;
    return 1;
}

bool ks_json_unescape(ks_str *out, ks_json_string string, ks_arena *arena)
{
    *out = string.raw;
    if (!string.escaped)
        return true;
    /* No escape is shorter than what it stands for. */
    char *data = ks_arena_get(arena, string.raw.len + 1);
    if (!data)
        return false;
    const char *p = string.raw.data, *end = p + string.raw.len;
    size_t len = 0;
    while (p < end) {
        char piece[4];
        size_t piece_len = next_piece(piece, &p);
        memcpy(data + len, piece, piece_len);
        len += piece_len;
    }
    data[len] = '\0';
    *out = (ks_str){data, len};
    return true;
}

static bool escaped_is(ks_str raw, ks_str text)
{
    const char *p = raw.data, *end = p + raw.len;
    size_t at = 0;
    while (p < end) {
        char piece[4];
        size_t len = next_piece(piece, &p);
        if (text.len - at < len || memcmp(text.data + at, piece, len) != 0)
            return false;
        at += len;
    }
    return at == text.len;
}

bool ks_json_string_is(ks_json_string string, ks_str text)
{
    if (!string.escaped)
        return ks_str_eq(string.raw, text);
    return escaped_is(string.raw, text);
}

void ks_text_position(ks_str text, size_t offset, uint32_t *line, uint32_t *column)
{
    size_t stop = offset < text.len ? offset : text.len;
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < stop; i++) {
        if (text.data[i] == '\n') {
            *line += 1;
            *column = 1;
        } else if (!ks_utf8_continues(text.data[i])) {
            *column += 1;
        }
    }
}
