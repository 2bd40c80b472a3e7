// SPDX-License-Identifier: Apache-2.0
#include "model/quote.h"

/* Stands for bytes that are no UTF-8; outside of Unicode's range. */
#define RUNE_NONE UINT32_MAX

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* How many bytes a sequence has by its first byte, and the smallest character that needs that many; 0 if
 * no sequence begins so. */
static size_t sequence_len(unsigned char first, uint32_t *smallest)
{
    static const uint32_t smallest_by_len[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = first < 0x80   ? 1
                 : first < 0xC2 ? 0
                 : first < 0xE0 ? 2
                 : first < 0xF0 ? 3
                 : first < 0xF5 ? 4
                                : 0;
    *smallest = smallest_by_len[len];
    return len;
}

/* The first character of a text that is not empty, and its length; RUNE_NONE with length 1 where the bytes
 * are no UTF-8. */
static uint32_t first_rune(ks_str text, size_t *len)
{
    const unsigned char *bytes = (const unsigned char *)text.data;
    uint32_t smallest;
    size_t want = sequence_len(bytes[0], &smallest);
    *len = 1;
    if (want == 1)
        return bytes[0];
    if (want == 0 || want > text.len)
        return RUNE_NONE;
    uint32_t rune = bytes[0] & (0xFFu >> (want + 1));
    for (size_t i = 1; i < want; i++) {
        if (!is_continuation(bytes[i]))
            return RUNE_NONE;
        rune = rune << 6 | (bytes[i] & 0x3Fu);
    }
    if (rune < smallest || rune > 0x10FFFF || (rune >= 0xD800 && rune <= 0xDFFF))
        return RUNE_NONE;
    *len = want;
    return rune;
}

/* The letter behind the backslash for characters that have a short escape in Go, else 0. */
static char go_escape_letter(uint32_t rune)
{
    static const char letters[] = {
        ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r'};
    if (rune == '"' || rune == '\\')
        return (char)rune;
    return rune < sizeof letters ? letters[rune] : 0;
}

static void put_go_rune(ks_buf *buf, uint32_t rune, ks_str bytes)
{
    char letter = go_escape_letter(rune);
    if (rune == RUNE_NONE)
        ks_buf_printf(buf, "\\x%02x", (unsigned char)bytes.data[0]);
    else if (letter)
        ks_buf_printf(buf, "\\%c", letter);
    else if (ks_rune_printable(rune))
        ks_buf_put_str(buf, bytes);
    else if (rune < ' ' || rune == 0x7F)
        ks_buf_printf(buf, "\\x%02x", (unsigned)rune);
    else
        ks_buf_printf(buf, rune < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)rune);
}

static void put_json_rune(ks_buf *buf, uint32_t rune, ks_str bytes)
{
    static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    if (rune == RUNE_NONE)
        ks_buf_put_str(buf, KS_STR("\\ufffd"));
    else if (rune == '"' || rune == '\\')
        ks_buf_printf(buf, "\\%c", (char)rune);
    else if (rune < sizeof letters && letters[rune])
        ks_buf_printf(buf, "\\%c", letters[rune]);
    else if (rune < ' ' || rune == '<' || rune == '>' || rune == '&' || rune == 0x2028 || rune == 0x2029)
        ks_buf_printf(buf, "\\u%04x", (unsigned)rune);
    else
        ks_buf_put_str(buf, bytes);
}

static void quote(ks_buf *buf, ks_str text, void (*put)(ks_buf *buf, uint32_t rune, ks_str bytes))
{
    ks_buf_put_char(buf, '"');
    while (text.len) {
        size_t len;
        uint32_t rune = first_rune(text, &len);
        put(buf, rune, (ks_str){text.data, len});
        text = (ks_str){text.data + len, text.len - len};
    }
    ks_buf_put_char(buf, '"');
}

void ks_quote_go(ks_buf *buf, ks_str text)
{
    quote(buf, text, put_go_rune);
}

void ks_quote_json(ks_buf *buf, ks_str text)
{
    quote(buf, text, put_json_rune);
}

void ks_quote_json_list(ks_buf *buf, const ks_str *texts, size_t count)
{
    if (count == 0) {
        ks_buf_put_str(buf, KS_STR("null"));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ks_buf_put_char(buf, i == 0 ? '[' : ',');
        ks_quote_json(buf, texts[i]);
    }
    ks_buf_put_char(buf, ']');
}
