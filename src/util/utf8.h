// SPDX-License-Identifier: Apache-2.0
/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
#ifndef KS_UTIL_UTF8_H
#define KS_UTIL_UTF8_H

#include <kubespread/base.h>

/* Stands for bytes that are no UTF-8; outside of Unicode's range. */
#define KS_RUNE_NONE UINT32_MAX

/* A byte that is not a character's first. */
static inline bool ks_utf8_continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The second byte's range is what rules out overlong forms, surrogates and what lies beyond U+10FFFF. */
static inline bool ks_utf8_second_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return second >= 0x80 && second <= 0xBF;
    }
}

/* The length of the character at `p`, or 0 if it is not valid or cut short. Inline for the JSON reader, which
 * asks for every character beyond ASCII. */
static inline size_t ks_utf8_length(const char *p, const char *end)
{
    unsigned char first = (unsigned char)*p;
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    size_t len = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if ((size_t)(end - p) < len || !ks_utf8_second_fits(first, (unsigned char)p[1]))
        return 0;
    for (size_t i = 2; i < len; i++)
        if (!ks_utf8_continues(p[i]))
            return 0;
    return len;
}

/* The first character of a text that is not empty, and its length; KS_RUNE_NONE with length 1 where the bytes
 * are no UTF-8. */
uint32_t ks_utf8_decode(ks_str text, size_t *len);

/* Writes a code point (up to U+10FFFF) and returns how many bytes it took, 1 to 4. */
size_t ks_utf8_put(char *to, uint32_t code_point);

/* C0, DEL or C1: what a terminal may take for a command. */
static inline bool ks_rune_is_control(uint32_t rune)
{
    return rune < 0x20 || (rune >= 0x7F && rune < 0xA0);
}

#endif
