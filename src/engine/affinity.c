// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"

void ks_affinity_add_pod(ks_pod_row *pod)
{
    uint32_t node = pod->node->row.id;
    for (size_t i = 0; i < pod->class_->crowds.count; i++)
        ks_tally_add(&pod->class_->crowds.items[i]->tally, node);
    for (size_t i = 0; pod->carrier && i < pod->carrier->count; i++)
        ks_tally_add(&pod->carrier->terms[i]->tally, node);
}

void ks_affinity_sub_pod(ks_pod_row *pod)
{
    uint32_t node = pod->node->row.id;
    for (size_t i = 0; i < pod->class_->crowds.count; i++)
        ks_tally_sub(&pod->class_->crowds.items[i]->tally, node);
    for (size_t i = 0; pod->carrier && i < pod->carrier->count; i++)
        ks_tally_sub(&pod->carrier->terms[i]->tally, node);
}

static void each_tally(ks_cluster *cluster, uint32_t node, void (*visit)(ks_tally *, uint32_t))
{
    for (size_t i = 0; i < cluster->topologies.rows.count; i++) {
        ks_topology *topology = (ks_topology *)cluster->topologies.rows.items[i];
        for (size_t j = 0; topology && j < topology->tallies.count; j++)
            visit(topology->tallies.items[j], node);
    }
}

static void leave_domain(ks_tally *tally, uint32_t node)
{
    ks_nodeset_del(&tally->occupied, node);
}

static void join_domain(ks_tally *tally, uint32_t node)
{
    if (ks_tally_at(tally, node) > 0)
        ks_nodeset_add(&tally->occupied, node);
}

void ks_affinity_lift_node(ks_cluster *cluster, const ks_node_row *node)
{
    for (ks_pod_row *pod = node->pods; pod; pod = pod->next_on_node)
        ks_affinity_sub_pod(pod);
    each_tally(cluster, node->row.id, leave_domain);
}

void ks_affinity_put_node(ks_cluster *cluster, const ks_node_row *node)
{
    each_tally(cluster, node->row.id, join_domain);
    for (ks_pod_row *pod = node->pods; pod; pod = pod->next_on_node)
        ks_affinity_add_pod(pod);
}

bool ks_affinity_resize(ks_cluster *cluster, uint32_t node_cap)
{
    for (size_t i = 0; i < cluster->topologies.rows.count; i++) {
        ks_topology *topology = (ks_topology *)cluster->topologies.rows.items[i];
        for (size_t j = 0; topology && j < topology->tallies.count; j++) {
            ks_tally *tally = topology->tallies.items[j];
            if (!ks_nodeset_resize(&tally->occupied, tally->alloc, node_cap))
                return false;
        }
    }
    return true;
}

void ks_affinity_free(ks_cluster *cluster)
{
    ks_table_free(&cluster->carriers, &cluster->alloc);
    ks_table_free(&cluster->carried, &cluster->alloc);
    ks_table_free(&cluster->crowds, &cluster->counting);
    ks_label_index_free(&cluster->carried_index, &cluster->alloc);
    ks_label_index_free(&cluster->crowd_index, &cluster->counting);
}
