// SPDX-License-Identifier: Apache-2.0
#include "util/utf8.h"

uint32_t ks_utf8_decode(ks_str text, size_t *len)
{
    *len = ks_utf8_length(text.data, text.data + text.len);
    if (*len == 0) {
        *len = 1;
        return KS_RUNE_NONE;
    }
    uint32_t rune = (unsigned char)text.data[0] & (*len == 1 ? 0x7Fu : 0xFFu >> (*len + 1));
    for (size_t i = 1; i < *len; i++)
        rune = rune << 6 | ((unsigned char)text.data[i] & 0x3Fu);
    return rune;
}

size_t ks_utf8_put(char *to, uint32_t code_point)
{
    if (code_point < 0x80) {
        to[0] = (char)code_point;
        return 1;
    }
    size_t len = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--, code_point >>= 6)
        to[i] = (char)(0x80 | (code_point & 0x3F));
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    to[0] = (char)(lead[len] | code_point);
    return len;
}
