// SPDX-License-Identifier: Apache-2.0
#include "engine/host.h"

/* Where all 64 nodes of a word passed, which is the rule in large clusters, plain loops over them run on
 * several at a time; several maxima at once since one alone would wait for each compare. */
enum { WORD = 64, LANES = 8 };

static double word_max(const double *totals, double best)
{
    double lanes[LANES];
    for (int i = 0; i < LANES; i++)
        lanes[i] = totals[i];
    for (int at = LANES; at < WORD; at += LANES)
        for (int i = 0; i < LANES; i++)
            lanes[i] = totals[at + i] > lanes[i] ? totals[at + i] : lanes[i];
    for (int i = 0; i < LANES; i++)
        best = lanes[i] > best ? lanes[i] : best;
    return best;
}

static double set_max(const ks_nodeset *nodes, const double *totals)
{
    double best = totals[ks_nodeset_next(nodes, 0)];
    for (uint32_t w = 0; w < nodes->nwords; w++) {
        uint64_t word = nodes->words[w];
        if (word == UINT64_MAX) {
            best = word_max(totals + (size_t)w * WORD, best);
            continue;
        }
        for (; word; word &= word - 1) {
            double total = totals[(size_t)w * WORD + (size_t)__builtin_ctzll(word)];
            best = total > best ? total : best;
        }
    }
    return best;
}

/* Those of a word's nodes that have the best total. */
static uint64_t best_of(uint64_t word, const double *totals, double best)
{
    uint64_t equal = 0;
    if (word == UINT64_MAX) {
        for (int i = 0; i < WORD; i++)
            equal |= (uint64_t)(totals[i] == best) << i;
        return equal;
    }
    for (; word; word &= word - 1) {
        int i = __builtin_ctzll(word);
        equal |= (uint64_t)(totals[i] == best) << i;
    }
    return equal;
}

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
    double best = totals ? set_max(nodes, totals) : 0;
    uint32_t seen = 0, chosen = 0;
    uint64_t chosen_word = 0;
    for (uint32_t w = 0; w < nodes->nwords; w++) {
        uint64_t word = nodes->words[w];
        if (totals && word)
            word = best_of(word, totals + (size_t)w * WORD, best);
        if (!word)
            continue;
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
