// SPDX-License-Identifier: Apache-2.0
#ifndef KS_MODEL_PROFILE_H
#define KS_MODEL_PROFILE_H

#include "util/arena.h"
#include <kubespread/config.h>

/* A deep copy into the arena. False on want of memory. */
bool ks_profile_copy(ks_profile *to, const ks_profile *from, ks_arena *arena);

#endif
