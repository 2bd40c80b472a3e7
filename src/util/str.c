// SPDX-License-Identifier: Apache-2.0
#include "util/str.h"
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
