// SPDX-License-Identifier: Apache-2.0
#include "util/str.h"
#include "util/utf8.h"
#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

int ks_str_cmp(ks_str a, ks_str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.data, b.data, common) : 0;
    if (order != 0)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

ks_str ks_str_of(const char *text)
{
    return text ? (ks_str){text, strlen(text)} : (ks_str){0};
}

uint64_t ks_hash_bytes(const void *data, size_t len, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, len, seed);
}

uint64_t ks_str_hash(ks_str s)
{
    return ks_hash_bytes(s.data, s.len, 0);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

ks_str ks_str_trim(ks_str s)
{
    while (s.len && is_blank(s.data[0]))
        s = (ks_str){s.data + 1, s.len - 1};
    while (s.len && is_blank(s.data[s.len - 1]))
        s.len--;
    return s;
}

ks_int_fault ks_str_to_int(int64_t *out, ks_str text)
{
    bool negative = text.len && text.data[0] == '-';
    size_t i = negative || (text.len && text.data[0] == '+');
    if (i == text.len)
        return KS_INT_MALFORMED;
    uint64_t max = (uint64_t)INT64_MAX + negative, value = 0;
    bool too_large = false;
    for (; i < text.len; i++) {
        unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';
        if (digit > 9)
            return KS_INT_MALFORMED;
        too_large = too_large || value > (max - digit) / 10;
        value = too_large ? 0 : value * 10 + digit;
    }
    if (too_large)
        return KS_INT_TOO_LARGE;
    *out = (int64_t)(negative ? 0 - value : value);
    return KS_INT_FINE;
}

/* ---- values in messages ---- */

ks_str ks_str_shorten(ks_str s)
{
    if (s.len <= KS_STR_SHOWN_MAX)
        return s;
    s.len = KS_STR_SHOWN_MAX;
    while (s.len > 0 && ks_utf8_continues(s.data[s.len]))
        s.len--;
    return s;
}

/* At most six bytes for each of the character's own. */
static size_t put_escaped(char *out, uint32_t rune, ks_str bytes)
{
    enum { ESCAPE_MAX = sizeof "\\u0000" };
    if (rune == KS_RUNE_NONE)
        return (size_t)snprintf(out, ESCAPE_MAX, "\\x%02x", (unsigned char)bytes.data[0]);
    if (rune == '"' || rune == '\\')
        return (size_t)snprintf(out, ESCAPE_MAX, "\\%c", (char)rune);
    if (ks_rune_is_control(rune))
        return (size_t)snprintf(out, ESCAPE_MAX, "\\u%04x", (unsigned)(rune & 0xFF));
    memcpy(out, bytes.data, bytes.len);
    return bytes.len;
}

const char *ks_str_quote(char out[KS_STR_QUOTED_MAX], ks_str s)
{
    static const char mark[] = "…";
    ks_str shown = ks_str_shorten(s);
    size_t used = 0;
    out[used++] = '"';
    for (size_t i = 0, len; i < shown.len; i += len) {
        uint32_t rune = ks_utf8_decode((ks_str){shown.data + i, shown.len - i}, &len);
        used += put_escaped(out + used, rune, (ks_str){shown.data + i, len});
    }
    snprintf(out + used, KS_STR_QUOTED_MAX - used, "%s\"", shown.len < s.len ? mark : "");
    return out;
}

/* ---- buffers ---- */

void ks_buf_init(ks_buf *buf, ks_alloc *alloc)
{
    *buf = (ks_buf){.alloc = alloc};
}

void ks_buf_free(ks_buf *buf)
{
    if (buf->data)
        ks_alloc_free(buf->alloc, buf->data, buf->cap);
    ks_buf_init(buf, buf->alloc);
}

void ks_buf_clear(ks_buf *buf)
{
    buf->len = 0;
    buf->failed = false;
    if (buf->data)
        buf->data[0] = '\0';
}

/* Room for `more` bytes and the NUL behind them. */
static bool reserve(ks_buf *buf, size_t more)
{
    if (buf->failed)
        return false;
    if (more < buf->cap - buf->len)
        return true;
    size_t want = buf->len + more + 1;
    size_t cap = buf->cap * 2 > want ? buf->cap * 2 : want < 64 ? 64 : want;
    char *data = want > more ? ks_alloc_resize(buf->alloc, buf->data, buf->cap, cap) : NULL;
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

void ks_buf_put(ks_buf *buf, const void *data, size_t len)
{
    if (!reserve(buf, len))
        return;
    if (len)
        memcpy(buf->data + buf->len, data, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void ks_buf_put_str(ks_buf *buf, ks_str s)
{
    ks_buf_put(buf, s.data, s.len);
}

void ks_buf_put_char(ks_buf *buf, char c)
{
    ks_buf_put(buf, &c, 1);
}

void ks_buf_printf(ks_buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len >= 0 && reserve(buf, (size_t)len)) {
        vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

ks_str ks_buf_str(const ks_buf *buf)
{
    return buf->data ? (ks_str){buf->data, buf->len} : KS_STR("");
}
