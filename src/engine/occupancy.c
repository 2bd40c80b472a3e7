// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"
#include "engine/host_port.h"

bool ks_occupancy_reserve(ks_cluster *cluster, ks_pod_row *pod)
{
    return pod->carrier || ks_carrier_get(&pod->carrier, cluster, pod->class_, pod->spec);
}

void ks_occupancy_add(ks_cluster *cluster, ks_pod_row *pod)
{
    ks_ledger_add(cluster, pod->node->row.id, pod->spec->demand);
    pod->next_on_node = pod->node->pods;
    pod->link_on_node = &pod->node->pods;
    if (pod->next_on_node)
        pod->next_on_node->link_on_node = &pod->next_on_node;
    pod->node->pods = pod;
    ks_host_ports_add(pod);
    ks_affinity_add_pod(pod);
}

void ks_occupancy_sub(ks_cluster *cluster, ks_pod_row *pod)
{
    ks_ledger_sub(cluster, pod->node->row.id, pod->spec->demand);
    *pod->link_on_node = pod->next_on_node;
    if (pod->next_on_node)
        pod->next_on_node->link_on_node = pod->link_on_node;
    ks_host_ports_sub(pod);
    ks_affinity_sub_pod(pod);
}
