// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

bool ks_occupancy_reserve(ks_cluster *cluster, const ks_pod_row *pod)
{
    (void)cluster;
    (void)pod;
    return true;
}

void ks_occupancy_add(ks_cluster *cluster, ks_pod_row *pod)
{
    (void)cluster;
    pod->next_on_node = pod->node->pods;
    pod->link_on_node = &pod->node->pods;
    if (pod->next_on_node)
        pod->next_on_node->link_on_node = &pod->next_on_node;
    pod->node->pods = pod;
}

void ks_occupancy_sub(ks_cluster *cluster, ks_pod_row *pod)
{
    (void)cluster;
    *pod->link_on_node = pod->next_on_node;
    if (pod->next_on_node)
        pod->next_on_node->link_on_node = pod->link_on_node;
}
