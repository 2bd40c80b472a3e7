// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"

bool ks_tally_resize_domains(ks_tally *tally, uint32_t domains)
{
    if (domains <= tally->pods_cap)
        return true;
    uint32_t want = domains < 8 ? 8 : domains + domains / 2;
    return ks_column_resize(&tally->pods, tally->alloc, &tally->pods_cap, want);
}

bool ks_tally_init(ks_tally *tally, ks_cluster *cluster, ks_alloc *alloc, ks_str topology_key)
{
    *tally = (ks_tally){.alloc = alloc, .place = SIZE_MAX};
    ks_topology *topology = ks_topology_get(cluster, topology_key);
    tally->topology = topology;
    if (!topology || !ks_vec_reserve(&topology->tallies, &cluster->counting, topology->tallies.count + 1) ||
        !ks_nodeset_resize(&tally->occupied, alloc, cluster->node_cap) ||
        !ks_tally_resize_domains(tally, (uint32_t)topology->domains.count))
        return false;
    tally->place = topology->tallies.count++;
    topology->tallies.items[tally->place] = tally;
    return true;
}

static void leave_topology(ks_tally *tally)
{
    ks_topology *topology = tally->topology;
    if (tally->place == SIZE_MAX)
        return;
    ks_vec_swap_remove(&topology->tallies, tally->place);
    if (tally->place < topology->tallies.count)
        topology->tallies.items[tally->place]->place = tally->place;
}

void ks_tally_free(ks_tally *tally, ks_cluster *cluster)
{
    leave_topology(tally);
    ks_topology_unref(cluster, tally->topology);
    ks_alloc_free(tally->alloc, tally->pods, tally->pods_cap * sizeof *tally->pods);
    ks_nodeset_free(&tally->occupied, tally->alloc);
}

void ks_tally_add(ks_tally *tally, uint32_t node)
{
    const ks_topology *topology = tally->topology;
    if (!ks_nodeset_has(&topology->has, node))
        return;
    uint32_t domain = topology->domain_of[node];
    tally->total++;
    if (tally->pods[domain]++ == 0)
        ks_domain_add_to(&topology->domains.items[domain], &tally->occupied);
}

void ks_tally_sub(ks_tally *tally, uint32_t node)
{
    const ks_topology *topology = tally->topology;
    if (!ks_nodeset_has(&topology->has, node))
        return;
    uint32_t domain = topology->domain_of[node];
    tally->total--;
    if (--tally->pods[domain] == 0)
        ks_domain_take_from(&topology->domains.items[domain], &tally->occupied);
}
