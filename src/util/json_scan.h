// SPDX-License-Identifier: Apache-2.0
/* The two scans that nearly all of a JSON text goes through: blanks (text as kubectl prints it is half
 * indentation) and the plain inside of strings.
 *
 * Each has a variant by bytes (for what is left at the end), by words (portable) and by SSE2. They are
 * equal in what they return. Wider windows were tried and lost: most runs are short, and a loop over 16
 * bytes lets the branch predictor learn the lengths that repeat from pod to pod. */
#ifndef KS_UTIL_JSON_SCAN_H
#define KS_UTIL_JSON_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static inline bool ks_scan_is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

static inline bool ks_scan_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* ---- by bytes ---- */

static inline const char *ks_scan_plain_bytes(const char *p, const char *end)
{
    while (p < end && ks_scan_is_plain((unsigned char)*p))
        p++;
    return p;
}

static inline const char *ks_scan_blanks_bytes(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    return p;
}

/* ---- by words of eight bytes ---- */

#define KS_SCAN_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t ks_scan_word(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* Not 0 if any byte is below `limit` (1..128). Which byte it was cannot be told: subtracting borrows from
 * its neighbours. */
static inline uint64_t ks_scan_below(uint64_t word, uint8_t limit)
{
    return (word - KS_SCAN_EACH(limit)) & ~word & KS_SCAN_EACH(0x80);
}

static inline const char *ks_scan_plain_words(const char *p, const char *end)
{
    for (; end - p >= 8; p += 8) {
        uint64_t word = ks_scan_word(p);
        uint64_t quote = ks_scan_below(word ^ KS_SCAN_EACH('"'), 1);
        uint64_t backslash = ks_scan_below(word ^ KS_SCAN_EACH('\\'), 1);
        uint64_t high = word & KS_SCAN_EACH(0x80);
        if (quote | backslash | high | ks_scan_below(word, 0x20))
            break;
    }
    return ks_scan_plain_bytes(p, end);
}

static inline const char *ks_scan_blanks_words(const char *p, const char *end)
{
    while (end - p >= 8 && ks_scan_word(p) == KS_SCAN_EACH(' '))
        p += 8;
    return ks_scan_blanks_bytes(p, end);
}

/* ---- by SSE2, which every x86-64 has ---- */

#if defined(__SSE2__)
static inline const char *ks_scan_plain_sse2(const char *p, const char *end)
{
    for (; end - p >= 16; p += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
        __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        /* Signed, so that bytes with the high bit are below 0x20 as well. */
        __m128i odd = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
        unsigned stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), odd));
        if (stops)
            return p + __builtin_ctz(stops);
    }
    return ks_scan_plain_words(p, end);
}

static inline const char *ks_scan_blanks_sse2(const char *p, const char *end)
{
    for (; end - p >= 16; p += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned blanks = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
        if (blanks != 0xFFFF)
            return p + __builtin_ctz(~blanks);
    }
    return ks_scan_blanks_words(p, end);
}
#endif

/* ---- the ones to use ---- */

/* The first byte of a string's inside that is not plain: a quote, a backslash, a control character or one
 * of a character beyond ASCII; `end` if there is none. */
static inline const char *ks_scan_plain(const char *p, const char *end)
{
#if defined(__SSE2__)
    return ks_scan_plain_sse2(p, end);
#else
    return ks_scan_plain_words(p, end);
#endif
}

/* The first byte that is not ' '. */
static inline const char *ks_scan_blanks(const char *p, const char *end)
{
#if defined(__SSE2__)
    return ks_scan_blanks_sse2(p, end);
#else
    return ks_scan_blanks_words(p, end);
#endif
}

/* The first byte that is not white space. */
static inline const char *ks_scan_space(const char *p, const char *end)
{
    if (p == end || (unsigned char)*p > ' ')
        return p;
    /* One blank behind a colon is the most frequent white space there is. */
    if (*p == ' ' && end - p > 1 && (unsigned char)p[1] > ' ')
        return p + 1;
    while (p < end && ks_scan_is_space(*p))
        p = ks_scan_blanks(p + 1, end);
    return p;
}

#endif
