// SPDX-License-Identifier: Apache-2.0
/* The one sort, for code that must not want memory (the C library's qsort may). */
#ifndef KS_UTIL_SORT_H
#define KS_UTIL_SORT_H

#include <stddef.h>

enum { KS_SORT_ITEM_MAX = 256 };

/* Below 0, 0 or above, as for qsort. */
typedef int (*ks_compare)(const void *a, const void *b);

/* Sorts in place; equal items keep their order, so that "the last one given" can be told afterwards. What is
 * in order already costs one look at each item, anything else n log n comparisons and at worst n log² n
 * moves. Items have at most KS_SORT_ITEM_MAX bytes; NULL is allowed where there are none. */
void ks_sort(void *items, size_t count, size_t item_size, ks_compare compare);

#endif
