// SPDX-License-Identifier: Apache-2.0
/* Growing arrays of any type. A vector is {items, count, cap} and belongs to whoever declared it:
 *
 *   KS_VEC(uint32_t) ids = {0};
 *   if (!ks_vec_push(&ids, alloc, 7)) return ks_fail_nomem(err);
 *   ks_vec_free(&ids, alloc); */
#ifndef KS_UTIL_VEC_H
#define KS_UTIL_VEC_H

#include "util/alloc.h"

#define KS_VEC(type)                                                                                         \
    struct {                                                                                                 \
        type *items;                                                                                         \
        size_t count, cap;                                                                                   \
    }

/* Room for at least `want` items in all. False on failure, which leaves the vector as it was. */
#define ks_vec_reserve(v, alloc, want)                                                                       \
    ks_vec_grow((alloc), &(v)->items, &(v)->cap, (want), sizeof *(v)->items)

#define ks_vec_push(v, alloc, ...)                                                                           \
    (ks_vec_reserve((v), (alloc), (v)->count + 1) ? ((v)->items[(v)->count++] = (__VA_ARGS__), true) : false)

#define ks_vec_free(v, alloc)                                                                                \
    (ks_alloc_free((alloc), (v)->items, (v)->cap * sizeof *(v)->items), (v)->items = NULL,                   \
     (v)->count = (v)->cap = 0)

/* Takes item i out by moving the last one into its place. */
#define ks_vec_swap_remove(v, i) ((v)->items[(i)] = (v)->items[--(v)->count])

/* Takes out the item that equals `value`, which must be there. */
#define ks_vec_remove_value(v, value)                                                                        \
    do {                                                                                                     \
        size_t at = 0;                                                                                       \
        while ((v)->items[at] != (value))                                                                    \
            at++;                                                                                            \
        ks_vec_swap_remove((v), at);                                                                         \
    } while (0)

/* `items` is the address of a pointer to items of any type. */
bool ks_vec_grow(ks_alloc *alloc, void *items, size_t *cap, size_t want, size_t item_size);

#endif
