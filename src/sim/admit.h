// SPDX-License-Identifier: Apache-2.0
/* What the API server makes of a pod before a scheduler sees it. A pod that came from an API server is left
 * as it is: all of this has been done to it. */
#ifndef KS_SIM_ADMIT_H
#define KS_SIM_ADMIT_H

#include "util/arena.h"
#include <kubespread/model.h>

/* Requests that are absent become the limits; ports of a pod in the host's network are the host's; a node
 * that is not ready or not reachable is tolerated for a while. Changed lists go to the arena. False on want
 * of memory. */
bool ks_admit(ks_pod_spec *spec, ks_arena *arena);

#endif
