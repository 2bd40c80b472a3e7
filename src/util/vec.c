// SPDX-License-Identifier: Apache-2.0
#include "util/vec.h"

bool ks_vec_grow(ks_alloc *alloc, void **items, size_t *cap, size_t want, size_t item_size)
{
    if (want <= *cap)
        return true;
    size_t next = *cap * 2 > want ? *cap * 2 : want < 4 ? 4 : want;
    if (next > SIZE_MAX / item_size)
        return false;
    void *moved = ks_alloc_resize(alloc, *items, *cap * item_size, next * item_size);
    if (!moved)
        return false;
    *items = moved;
    *cap = next;
    return true;
}
