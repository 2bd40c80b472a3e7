// SPDX-License-Identifier: Apache-2.0
#include "engine/host.h"
#include <math.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { WORD = 64 };

/* What keeps nodes out of a maximum: for each four bits of a set, nothing to add where the bit is set. */
#define OUT(bit) ((bit) ? 0 : -INFINITY)
#define ROW(n)                                                                                               \
    {                                                                                                        \
        OUT((n)&1), OUT((n)&2), OUT((n)&4), OUT((n)&8)                                                       \
    }
static const double penalty[16][4] = {ROW(0), ROW(1), ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),
                                      ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15)};

/* The highest total of a word's nodes, and those of them that have the best one. Every pod pays for both
 * over all nodes, and compilers do not find the instructions for several at a time by themselves. */
#if defined(__SSE2__)

static double word_max(uint64_t word, const double *totals)
{
    __m128d even = _mm_set1_pd(-INFINITY), odd = even;
    for (int at = 0; at < WORD; at += 4, word >>= 4) {
        const double *add = penalty[word & 15];
        even = _mm_max_pd(even, _mm_add_pd(_mm_loadu_pd(totals + at), _mm_loadu_pd(add)));
        odd = _mm_max_pd(odd, _mm_add_pd(_mm_loadu_pd(totals + at + 2), _mm_loadu_pd(add + 2)));
    }
    even = _mm_max_pd(even, odd);
    return _mm_cvtsd_f64(_mm_max_sd(even, _mm_unpackhi_pd(even, even)));
}

static uint64_t best_of(uint64_t word, const double *totals, double best)
{
    uint64_t equal = 0;
    for (int at = 0; at < WORD; at += 2) {
        __m128d same = _mm_cmpeq_pd(_mm_loadu_pd(totals + at), _mm_set1_pd(best));
        equal |= (uint64_t)_mm_movemask_pd(same) << at;
    }
    return equal & word;
}

#else

static double word_max(uint64_t word, const double *totals)
{
    double best = -INFINITY;
    for (int at = 0; at < WORD; at++) {
        double total = totals[at] + penalty[word >> (at & ~3) & 15][at & 3];
        best = total > best ? total : best;
    }
    return best;
}

static uint64_t best_of(uint64_t word, const double *totals, double best)
{
    uint64_t equal = 0;
    for (int at = 0; at < WORD; at++)
        equal |= (uint64_t)(totals[at] == best) << at;
    return equal & word;
}

#endif

static uint32_t nth_of(uint64_t word, uint32_t nth)
{
    for (; nth > 0; nth--)
        word &= word - 1;
    return (uint32_t)__builtin_ctzll(word);
}

/* A word with n of the m best nodes seen so far becomes the chosen one with a chance of n / m, so that in
 * the end every node of the best is as likely. */
uint32_t ks_host_select(const ks_nodeset *nodes, const double *totals, ks_random *random)
{
    double best = -INFINITY;
    uint32_t seen = 0, chosen = 0;
    uint64_t chosen_word = 0;
    for (uint32_t w = 0; w < nodes->nwords; w++) {
        uint64_t word = nodes->words[w];
        const double *at = totals ? totals + (size_t)w * WORD : NULL;
        double highest = !word ? -INFINITY : at ? word_max(word, at) : 0;
        if (!word || highest < best)
            continue;
        if (highest > best)
            seen = 0;
        best = highest;
        if (at)
            word = best_of(word, at, best);
        uint32_t here = (uint32_t)__builtin_popcountll(word);
        seen += here;
        if (ks_random_below(random, seen) < here) {
            chosen = w;
            chosen_word = word;
        }
    }
    uint32_t nth = ks_random_below(random, (uint32_t)__builtin_popcountll(chosen_word));
    return chosen * WORD + nth_of(chosen_word, nth);
}
