// SPDX-License-Identifier: Apache-2.0
#include "model/quote.h"
#include "util/utf8.h"

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
    if (rune == KS_RUNE_NONE)
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
    if (rune == KS_RUNE_NONE)
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
        uint32_t rune = ks_utf8_decode(text, &len);
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
