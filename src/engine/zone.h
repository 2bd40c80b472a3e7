// SPDX-License-Identifier: Apache-2.0
/* Which failure zone each node is in, by region and zone together. Made when first asked for, and made anew
 * when nodes have changed since. */
#ifndef KS_ENGINE_ZONE_H
#define KS_ENGINE_ZONE_H

#include "engine/engine.h"

enum { KS_ZONE_NONE = 0 }; /* of nodes that have neither label */

typedef struct ks_zones {
    uint32_t *zone_of; /* by node */
    uint32_t cap, count;
    uint64_t version; /* of the cluster's nodes; UINT64_MAX: not made */
} ks_zones;

/* The zones as of now; NULL on want of memory. They are the cluster's. */
const ks_zones *ks_zones_get(ks_cluster *cluster);
void ks_zones_free(ks_cluster *cluster);

#endif
