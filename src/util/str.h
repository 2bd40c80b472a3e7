// SPDX-License-Identifier: Apache-2.0
/* Strings by pointer and length, and a growing buffer to print into. */
#ifndef KS_UTIL_STR_H
#define KS_UTIL_STR_H

#include "util/alloc.h"
#include <limits.h>
#include <string.h>

/* For "%.*s". */
#define KS_STR_ARG(s) ((s).len < INT_MAX ? (int)(s).len : INT_MAX), (s).data ? (s).data : ""

static inline bool ks_str_eq(ks_str a, ks_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Like memcmp, a prefix before what it begins. */
int ks_str_cmp(ks_str a, ks_str b);
/* Of a NUL-terminated string. NULL is absent. */
ks_str ks_str_of(const char *text);
uint64_t ks_str_hash(ks_str s);
/* For chaining: hashes bytes on top of a seed. */
uint64_t ks_hash_bytes(const void *data, size_t len, uint64_t seed);

/* Without the ASCII white space around it. */
ks_str ks_str_trim(ks_str s);

typedef enum ks_int_fault { KS_INT_FINE, KS_INT_MALFORMED, KS_INT_TOO_LARGE } ks_int_fault;
/* Decimal digits behind an optional sign and nothing else, as Go's strconv.ParseInt takes them. *out is set
 * only if the number is fine. */
ks_int_fault ks_str_to_int(int64_t *out, ks_str text);

/* ---- values in messages ----
 * A value that goes on and on must not push out the rule that it breaks: only its beginning is shown. */

enum { KS_STR_SHOWN_MAX = 64, KS_STR_QUOTED_MAX = 6 * KS_STR_SHOWN_MAX + 8 };

/* The beginning that is shown, cut at a character. */
ks_str ks_str_shorten(ks_str s);
/* For "%.*s%s": the beginning, and "…" if that is not all. For text that is escaped already, such as JSON. */
#define KS_STR_SHORT_ARG(s) KS_STR_ARG(ks_str_shorten(s)), ks_str_shorten(s).len < (s).len ? "…" : ""
/* The same in quotes and with what is no plain text escaped, for "%s". Lives as long as the block around. */
#define KS_STR_QUOTED(s) ks_str_quote((char[KS_STR_QUOTED_MAX]){0}, (s))
const char *ks_str_quote(char out[KS_STR_QUOTED_MAX], ks_str s);

/* A growing byte buffer; always NUL-terminated once something was put in. Failure to grow is remembered
 * in `failed` and later puts do nothing, so that one check at the end is enough. */
typedef struct ks_buf {
    ks_alloc *alloc;
    char *data;
    size_t len, cap;
    bool failed;
} ks_buf;

void ks_buf_init(ks_buf *buf, ks_alloc *alloc);
void ks_buf_free(ks_buf *buf);
void ks_buf_clear(ks_buf *buf);
void ks_buf_put(ks_buf *buf, const void *data, size_t len);
void ks_buf_put_str(ks_buf *buf, ks_str s);
void ks_buf_put_char(ks_buf *buf, char c);
void ks_buf_printf(ks_buf *buf, const char *format, ...) KS_PRINTF(2, 3);
ks_str ks_buf_str(const ks_buf *buf);

#endif
