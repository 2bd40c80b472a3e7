// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

bool ks_column_resize(uint32_t **column, ks_alloc *alloc, uint32_t *cap, uint32_t want)
{
    if (want <= *cap)
        return true;
    uint32_t *grown = ks_alloc_resize(alloc, *column, *cap * sizeof *grown, want * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + *cap, 0, (want - *cap) * sizeof *grown);
    *column = grown;
    *cap = want;
    return true;
}
