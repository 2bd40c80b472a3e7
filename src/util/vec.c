// SPDX-License-Identifier: Apache-2.0
#include "util/vec.h"
#include <string.h>

bool ks_vec_grow(ks_alloc *alloc, void *items, size_t *cap, size_t want, size_t item_size)
{
    if (want <= *cap)
        return true;
    size_t next = *cap * 2 > want ? *cap * 2 : want < 4 ? 4 : want;
    if (next > SIZE_MAX / item_size)
        return false;
    void *old;
    memcpy(&old, items, sizeof old); /* the pointer's real type is the caller's */
    void *moved = ks_alloc_resize(alloc, old, *cap * item_size, next * item_size);
    if (!moved)
        return false;
    memcpy(items, &moved, sizeof moved);
    *cap = next;
    return true;
}
