// SPDX-License-Identifier: Apache-2.0
/* Which pods have a node kept for them: those that preempted others there and wait for the room. While
 * they wait, pods of equal or lower priority are judged as if they stood there already. */
#ifndef KS_ENGINE_NOMINATOR_H
#define KS_ENGINE_NOMINATOR_H

#include "engine/engine.h"

typedef struct ks_nominator {
    ks_cluster *cluster;
    ks_nodeset nodes;  /* with a nominated pod */
    uint32_t *first;   /* by node: its first pod's id + 1, 0 for none */
    uint32_t *next;    /* by pod: the next pod's id + 1 */
    uint32_t *node_of; /* by pod: the node's id + 1 */
    uint32_t first_cap, next_cap, node_of_cap;
    size_t count;
} ks_nominator;

void ks_nominator_init(ks_nominator *nominator, ks_cluster *cluster);
void ks_nominator_free(ks_nominator *nominator);
/* Room for the next set of this pod. */
bool ks_nominator_reserve(ks_nominator *nominator, uint32_t pod);
/* Nominates a pod, instead of where it was nominated before, after ks_nominator_reserve. */
void ks_nominator_set(ks_nominator *nominator, uint32_t pod, ks_node_row *node);
void ks_nominator_clear(ks_nominator *nominator, uint32_t pod);
/* NULL if it is nominated nowhere. */
ks_node_row *ks_nominator_node(const ks_nominator *nominator, uint32_t pod);

/* A node's pods, up to KS_NONE. */
static inline uint32_t ks_nominator_first(const ks_nominator *nominator, uint32_t node)
{
    return ks_nodeset_has(&nominator->nodes, node) ? nominator->first[node] - 1 : KS_NONE;
}
static inline uint32_t ks_nominator_next(const ks_nominator *nominator, uint32_t pod)
{
    return nominator->next[pod] - 1;
}

#endif
