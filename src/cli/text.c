// SPDX-License-Identifier: Apache-2.0
#include "cli/text.h"

typedef struct rune {
    uint32_t code;
    size_t len; /* 0: the bytes are not UTF-8 */
} rune;

static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead < 0xE0)
        return 2;
    if (lead >= 0xE0 && lead < 0xF0)
        return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

static rune decode(const char *data, size_t left)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = sequence_length((unsigned char)data[0]);
    if (len == 0 || len > left)
        return (rune){0};
    uint32_t code = (unsigned char)data[0] & (len == 1 ? 0x7F : 0xFF >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        unsigned char next = (unsigned char)data[i];
        if ((next & 0xC0) != 0x80)
            return (rune){0};
        code = code << 6 | (next & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code < smallest[len] || code > 0x10FFFF || surrogate)
        return (rune){0};
    return (rune){code, len};
}

static bool is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) /* C0, DEL, C1 */
           || code == 0x2028 || code == 0x2029          /* line and paragraph separators */
           || code == 0x200E || code == 0x200F || code == 0x061C || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069); /* reordering */
}

size_t ks_text_put(ks_buf *buf, ks_str text)
{
    size_t width = 0;
    for (size_t i = 0; i < text.len;) {
        rune r = decode(text.data + i, text.len - i);
        if (r.len == 0) {
            ks_buf_printf(buf, "\\x%02x", (unsigned char)text.data[i++]);
            width += 4;
            continue;
        }
        if (is_harmful(r.code)) {
            ks_buf_printf(buf, "\\u%04x", r.code);
            width += 6;
        } else {
            ks_buf_put(buf, text.data + i, r.len);
            width += 1;
        }
        i += r.len;
    }
    return width;
}
