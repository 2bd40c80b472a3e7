// SPDX-License-Identifier: Apache-2.0
#include "cli/text.h"
#include "util/utf8.h"

static bool is_harmful(uint32_t rune)
{
    return ks_rune_is_control(rune) || rune == 0x2028 || rune == 0x2029 /* line and paragraph separators */
           || rune == 0x200E || rune == 0x200F || rune == 0x061C || (rune >= 0x202A && rune <= 0x202E) ||
           (rune >= 0x2066 && rune <= 0x2069); /* reordering */
}

size_t ks_text_put(ks_buf *buf, ks_str text)
{
    size_t width = 0;
    for (size_t i = 0; i < text.len;) {
        size_t len;
        uint32_t rune = ks_utf8_decode((ks_str){text.data + i, text.len - i}, &len);
        if (rune == KS_RUNE_NONE) {
            ks_buf_printf(buf, "\\x%02x", (unsigned char)text.data[i]);
            width += 4;
        } else if (is_harmful(rune)) {
            ks_buf_printf(buf, "\\u%04x", rune);
            width += 6;
        } else {
            ks_buf_put(buf, text.data + i, len);
            width += 1;
        }
        i += len;
    }
    return width;
}
