// SPDX-License-Identifier: Apache-2.0
#include "util/json_token.h"
#include <inttypes.h>

void ks_json_writer_init(ks_json_writer *w, ks_buf *buf, int indent)
{
    *w = (ks_json_writer){.buf = buf, .indent = indent};
}

static void break_line(ks_json_writer *w)
{
    static const char blanks[] = "                                                                ";
    if (w->indent == 0)
        return;
    ks_buf_put_char(w->buf, '\n');
    size_t left = (size_t)w->indent * w->depth;
    for (size_t max = sizeof blanks - 1; left > 0;) {
        size_t len = left < max ? left : max;
        ks_buf_put(w->buf, blanks, len);
        left -= len;
    }
}

/* What stands between the value before and this one. Values side by side at the top make a stream, one a
 * line. */
static void separate(ks_json_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->depth == 0) {
        if (w->comma)
            ks_buf_put_char(w->buf, '\n');
        return;
    }
    if (w->comma)
        ks_buf_put_char(w->buf, ',');
    break_line(w);
}

static void open_container(ks_json_writer *w, char bracket)
{
    separate(w);
    ks_buf_put_char(w->buf, bracket);
    w->depth++;
    w->comma = false;
}

static void close_container(ks_json_writer *w, char bracket)
{
    w->depth--;
    if (w->comma)
        break_line(w);
    ks_buf_put_char(w->buf, bracket);
    w->comma = true;
}

void ks_json_put_object(ks_json_writer *w)
{
    open_container(w, '{');
}

void ks_json_put_object_end(ks_json_writer *w)
{
    close_container(w, '}');
}

void ks_json_put_array(ks_json_writer *w)
{
    open_container(w, '[');
}

void ks_json_put_array_end(ks_json_writer *w)
{
    close_container(w, ']');
}

/* ---- strings ---- */

static void put_escape(ks_buf *buf, char c)
{
    static const char names[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
    const char *value = c ? strchr(values, c) : NULL;
    if (!value) {
        ks_buf_printf(buf, "\\u%04x", (unsigned)(unsigned char)c);
        return;
    }
    ks_buf_put_char(buf, '\\');
    ks_buf_put_char(buf, names[value - values]);
}

/* Writes the character at `p`, which is not plain, and returns the place behind it. A byte that is no
 * valid UTF-8 becomes U+FFFD, so that what comes out is JSON whatever went in. */
static const char *put_odd(ks_buf *buf, const char *p, const char *end)
{
    if ((unsigned char)*p < 0x80) {
        put_escape(buf, *p);
        return p + 1;
    }
    size_t len = ks_utf8_length(p, end);
    if (len == 0) {
        ks_buf_put_str(buf, KS_STR("\xEF\xBF\xBD"));
        return p + 1;
    }
    ks_buf_put(buf, p, len);
    return p + len;
}

static void put_quoted(ks_buf *buf, ks_str value)
{
    const char *p = value.data ? value.data : "", *end = p + value.len;
    ks_buf_put_char(buf, '"');
    while (p < end) {
        const char *odd = ks_scan_plain(p, end);
        ks_buf_put(buf, p, (size_t)(odd - p));
        p = odd < end ? put_odd(buf, odd, end) : end;
    }
    ks_buf_put_char(buf, '"');
}

void ks_json_put_key(ks_json_writer *w, ks_str key)
{
    separate(w);
    put_quoted(w->buf, key);
    ks_buf_put_str(w->buf, w->indent ? KS_STR(": ") : KS_STR(":"));
    w->after_key = true;
}

/* ---- other values ---- */

void ks_json_put_string(ks_json_writer *w, ks_str value)
{
    separate(w);
    put_quoted(w->buf, value);
    w->comma = true;
}

void ks_json_put_raw(ks_json_writer *w, ks_str text)
{
    separate(w);
    ks_buf_put_str(w->buf, text);
    w->comma = true;
}

void ks_json_put_int(ks_json_writer *w, int64_t value)
{
    separate(w);
    ks_buf_printf(w->buf, "%" PRId64, value);
    w->comma = true;
}

void ks_json_put_bool(ks_json_writer *w, bool value)
{
    ks_json_put_raw(w, value ? KS_STR("true") : KS_STR("false"));
}
