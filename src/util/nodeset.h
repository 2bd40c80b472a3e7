// SPDX-License-Identifier: Apache-2.0
/* Sets of small integers as bits, 64 a word: nodes that pass a filter, nodes of a domain. Sets may differ in
 * capacity (growing some of them can fail): a set has no members that it has no room for. */
#ifndef KS_UTIL_NODESET_H
#define KS_UTIL_NODESET_H

#include "util/alloc.h"

typedef struct ks_nodeset {
    uint64_t *words;
    uint32_t nwords;
} ks_nodeset;

static inline bool ks_nodeset_has(const ks_nodeset *set, uint32_t i)
{
    return i / 64 < set->nwords && (set->words[i / 64] >> (i % 64) & 1);
}

static inline void ks_nodeset_add(ks_nodeset *set, uint32_t i)
{
    set->words[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void ks_nodeset_del(ks_nodeset *set, uint32_t i)
{
    set->words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Makes room for members 0..capacity-1; new ones are not in the set. False on failure. */
bool ks_nodeset_resize(ks_nodeset *set, ks_alloc *alloc, uint32_t capacity);
void ks_nodeset_free(ks_nodeset *set, ks_alloc *alloc);
void ks_nodeset_clear(ks_nodeset *set);
void ks_nodeset_copy(ks_nodeset *to, const ks_nodeset *from);
void ks_nodeset_and(ks_nodeset *set, const ks_nodeset *with);
void ks_nodeset_or(ks_nodeset *set, const ks_nodeset *with);
void ks_nodeset_and_not(ks_nodeset *set, const ks_nodeset *without);
uint32_t ks_nodeset_count(const ks_nodeset *set);
bool ks_nodeset_intersects(const ks_nodeset *a, const ks_nodeset *b);

/* Members in rising order: for (uint32_t i = ks_nodeset_next(s, 0); i != KS_NODESET_END; i =
 * ks_nodeset_next(s, i + 1)) */
#define KS_NODESET_END UINT32_MAX
uint32_t ks_nodeset_next(const ks_nodeset *set, uint32_t from);

#endif
