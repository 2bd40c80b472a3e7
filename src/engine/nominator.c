// SPDX-License-Identifier: Apache-2.0
#include "engine/nominator.h"

_Static_assert(KS_NONE == UINT32_MAX, "0 - 1 ends a list");

void ks_nominator_init(ks_nominator *nominator, ks_cluster *cluster)
{
    *nominator = (ks_nominator){.cluster = cluster};
}

void ks_nominator_free(ks_nominator *nominator)
{
    ks_alloc *alloc = &nominator->cluster->alloc;
    for (uint32_t pod = 0; nominator->count > 0 && pod < nominator->node_of_cap; pod++)
        ks_nominator_clear(nominator, pod);
    ks_nodeset_free(&nominator->nodes, alloc);
    ks_alloc_free(alloc, nominator->first, nominator->first_cap * sizeof *nominator->first);
    ks_alloc_free(alloc, nominator->next, nominator->next_cap * sizeof *nominator->next);
    ks_alloc_free(alloc, nominator->node_of, nominator->node_of_cap * sizeof *nominator->node_of);
}

bool ks_nominator_reserve(ks_nominator *nominator, uint32_t pod)
{
    ks_cluster *cluster = nominator->cluster;
    uint32_t pods = pod < nominator->next_cap ? nominator->next_cap : (uint32_t)cluster->pods.rows.cap;
    if (pods <= pod)
        pods = pod + 1;
    return ks_nodeset_resize(&nominator->nodes, &cluster->alloc, cluster->node_cap) &&
           ks_column_resize(&nominator->first, &cluster->alloc, &nominator->first_cap, cluster->node_cap) &&
           ks_column_resize(&nominator->next, &cluster->alloc, &nominator->next_cap, pods) &&
           ks_column_resize(&nominator->node_of, &cluster->alloc, &nominator->node_of_cap, pods);
}

ks_node_row *ks_nominator_node(const ks_nominator *nominator, uint32_t pod)
{
    if (pod >= nominator->node_of_cap || nominator->node_of[pod] == 0)
        return NULL;
    return ks_node_at(nominator->cluster, nominator->node_of[pod] - 1);
}

void ks_nominator_set(ks_nominator *nominator, uint32_t pod, ks_node_row *node)
{
    node->row.refs++; /* so that its id stays its own */
    ks_nominator_clear(nominator, pod);
    uint32_t id = node->row.id;
    nominator->next[pod] = nominator->first[id];
    nominator->first[id] = pod + 1;
    nominator->node_of[pod] = id + 1;
    nominator->count++;
    ks_nodeset_add(&nominator->nodes, id);
}

void ks_nominator_clear(ks_nominator *nominator, uint32_t pod)
{
    ks_node_row *node = ks_nominator_node(nominator, pod);
    if (!node)
        return;
    uint32_t *link = &nominator->first[node->row.id];
    while (*link != pod + 1)
        link = &nominator->next[*link - 1];
    *link = nominator->next[pod];
    nominator->next[pod] = nominator->node_of[pod] = 0;
    nominator->count--;
    if (nominator->first[node->row.id] == 0)
        ks_nodeset_del(&nominator->nodes, node->row.id);
    ks_node_unref(nominator->cluster, node);
}
