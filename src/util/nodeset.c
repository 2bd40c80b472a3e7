// SPDX-License-Identifier: Apache-2.0
#include "util/nodeset.h"
#include <string.h>

bool ks_nodeset_resize(ks_nodeset *set, ks_alloc *alloc, uint32_t capacity)
{
    uint32_t nwords = capacity / 64 + (capacity % 64 != 0);
    if (nwords <= set->nwords)
        return true;
    uint64_t *words = ks_alloc_resize(alloc, set->words, set->nwords * sizeof *words, nwords * sizeof *words);
    if (!words)
        return false;
    memset(words + set->nwords, 0, (nwords - set->nwords) * sizeof *words);
    *set = (ks_nodeset){words, nwords};
    return true;
}

void ks_nodeset_free(ks_nodeset *set, ks_alloc *alloc)
{
    ks_alloc_free(alloc, set->words, set->nwords * sizeof *set->words);
    *set = (ks_nodeset){0};
}

void ks_nodeset_clear(ks_nodeset *set)
{
    if (set->nwords)
        memset(set->words, 0, set->nwords * sizeof *set->words);
}

static uint32_t common_words(const ks_nodeset *a, const ks_nodeset *b)
{
    return a->nwords < b->nwords ? a->nwords : b->nwords;
}

void ks_nodeset_copy(ks_nodeset *to, const ks_nodeset *from)
{
    ks_nodeset_clear(to);
    ks_nodeset_or(to, from);
}

void ks_nodeset_and(ks_nodeset *set, const ks_nodeset *with)
{
    uint32_t common = common_words(set, with);
    for (uint32_t i = 0; i < common; i++)
        set->words[i] &= with->words[i];
    for (uint32_t i = common; i < set->nwords; i++)
        set->words[i] = 0;
}

void ks_nodeset_or(ks_nodeset *set, const ks_nodeset *with)
{
    for (uint32_t i = 0; i < common_words(set, with); i++)
        set->words[i] |= with->words[i];
}

void ks_nodeset_and_not(ks_nodeset *set, const ks_nodeset *without)
{
    for (uint32_t i = 0; i < common_words(set, without); i++)
        set->words[i] &= ~without->words[i];
}

uint32_t ks_nodeset_count(const ks_nodeset *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->nwords; i++)
        count += (uint32_t)__builtin_popcountll(set->words[i]);
    return count;
}

bool ks_nodeset_intersects(const ks_nodeset *a, const ks_nodeset *b)
{
    for (uint32_t i = 0; i < common_words(a, b); i++)
        if (a->words[i] & b->words[i])
            return true;
    return false;
}

uint32_t ks_nodeset_next(const ks_nodeset *set, uint32_t from)
{
    uint32_t i = from / 64;
    if (i >= set->nwords)
        return KS_NODESET_END;
    uint64_t word = set->words[i] & ~UINT64_C(0) << (from % 64);
    while (word == 0) {
        if (++i >= set->nwords)
            return KS_NODESET_END;
        word = set->words[i];
    }
    return i * 64 + (uint32_t)__builtin_ctzll(word);
}
