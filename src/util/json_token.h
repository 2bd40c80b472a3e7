// SPDX-License-Identifier: Apache-2.0
/* JSON's tokens, for the reader and the skipper alike. Each function takes a place in the text and returns
 * the place behind the token, or NULL with the reader's fault set. */
#ifndef KS_UTIL_JSON_TOKEN_H
#define KS_UTIL_JSON_TOKEN_H

#include "util/json.h"
#include "util/json_scan.h"
#include "util/utf8.h"

/* Rules that the reader and the skipper both speak of. */
#define KS_JSON_TOO_DEEP "nested more than 512 levels deep"
#define KS_JSON_IN_OBJECT "expected ',' or '}'"
#define KS_JSON_IN_ARRAY "expected ',' or ']'"
#define KS_JSON_NO_KEY "expected a key in double quotes"
#define KS_JSON_NO_COLON "expected ':' behind a key"
_Static_assert(KS_JSON_DEPTH_MAX == 512, "KS_JSON_TOO_DEEP names the limit");

/* Sets the fault unless there is one, and moves the cursor to it. Returns NULL. */
const char *ks_json_fail(ks_json *r, const char *at, int code, const char *rule);
/* `rule` broken at `p`; at the end of the text, that it ended too early. */
const char *ks_json_fail_token(ks_json *r, const char *p, const char *rule);

/* The rest of a string from its first byte that is not plain, up to the closing quote. */
const char *ks_json_pass_odd_string(ks_json *r, const char *open, const char *p);
const char *ks_json_pass_number(ks_json *r, const char *p);
/* `true`, `false` or `null`. */
const char *ks_json_pass_literal(ks_json *r, const char *p);

/* From the opening quote to the closing one. */
static inline const char *ks_json_pass_string(ks_json *r, const char *open)
{
    const char *p = ks_scan_plain(open + 1, r->end);
    if (p < r->end && *p == '"')
        return p;
    return ks_json_pass_odd_string(r, open, p);
}

/* The value of the escape at `p` (a backslash), which must be valid; *p moves behind it. */
uint32_t ks_json_read_escape(const char **p);

#endif
