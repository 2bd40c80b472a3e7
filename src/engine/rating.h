// SPDX-License-Identifier: Apache-2.0
/* A number for each node that follows from the node alone and from something of the pod's, kept up to date
 * as nodes change: how many PreferNoSchedule taints a list of tolerations does not cover, or the weights of
 * the preferred node affinity terms that match. Pods with equal lists share one. */
#ifndef KS_ENGINE_RATING_H
#define KS_ENGINE_RATING_H

#include "engine/engine.h"

typedef struct ks_rating {
    ks_row row; /* refs: plans */
    ks_arena arena;
    bool by_taints;
    ks_tolerations tolerations; /* by taints … */
    ks_node_affinity affinity;  /* … or otherwise by its preferred terms; none are required */
    double *values;             /* by node; 0 where there is none */
    uint32_t cap;
    uint32_t rated; /* nodes whose value is not 0 */
} ks_rating;

/* With a new reference; NULL on failure. */
ks_rating *ks_rating_of_taints(ks_cluster *cluster, const ks_tolerations *tolerations);
ks_rating *ks_rating_of_affinity(ks_cluster *cluster, const ks_node_affinity *affinity);
void ks_rating_unref(ks_cluster *cluster, ks_rating *rating);

/* Room for `node_cap` nodes in all of them. */
bool ks_ratings_resize(ks_cluster *cluster, uint32_t node_cap);
/* A node came, went or changed. */
void ks_ratings_update(ks_cluster *cluster, const ks_node_row *node);

#endif
