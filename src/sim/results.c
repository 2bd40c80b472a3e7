// SPDX-License-Identifier: Apache-2.0
/* What came of a simulation, for those who ask. */
#include "sim/state.h"
#include <assert.h>

ks_cluster *ks_sim_cluster(ks_sim *sim)
{
    return sim->cluster;
}

ks_sim_summary ks_sim_get_summary(const ks_sim *sim)
{
    return (ks_sim_summary){
        .nodes = sim->cluster->nodes_by_name.count,
        .pods = sim->pods,
        .made = sim->made,
        .placements = sim->placements.count,
        .placed = sim->placed,
        .unplaced = sim->unplaced.count,
        .evictions = sim->evictions.count,
        .workloads = sim->owners.count,
        .clock_ms = sim->now_ms,
    };
}

ks_sim_placement ks_sim_get_placement(const ks_sim *sim, size_t placement)
{
    assert(placement < sim->placements.count);
    return sim->placements.items[placement];
}

ks_sim_unplaced ks_sim_get_unplaced(const ks_sim *sim, size_t unplaced)
{
    assert(unplaced < sim->unplaced.count);
    return sim->unplaced.items[unplaced];
}

ks_sim_eviction ks_sim_get_eviction(const ks_sim *sim, size_t eviction)
{
    assert(eviction < sim->evictions.count);
    return sim->evictions.items[eviction];
}

ks_sim_workload ks_sim_get_workload(const ks_sim *sim, size_t workload)
{
    assert(workload < sim->owners.count);
    const ks_owner *owner = sim->owners.items[workload];
    return (ks_sim_workload){
        .kind = owner->kind,
        .namespace_ = owner->namespace_,
        .name = owner->name,
        .wanted = owner->wanted,
        .existing = owner->existing,
        .made = owner->made,
        .placed = owner->placed,
        .unplaced = owner->unplaced,
        .alive = owner->alive,
    };
}

int ks_sim_look(const ks_cycle **out, ks_sim *sim, size_t workload, ks_error *err)
{
    assert(workload < sim->owners.count);
    if (!sim->cycle) {
        int code = ks_cycle_new(&sim->cycle, sim->cluster, err);
        if (code != KS_OK)
            return code;
    }
    int code = ks_cycle_run(sim->cycle, &sim->owners.items[workload]->pod, err);
    *out = sim->cycle;
    return code;
}

int64_t ks_cycle_get_skew(const ks_cycle *cycle, size_t constraint)
{
    size_t domains = ks_cycle_get_constraint(cycle, constraint).domains;
    int64_t most = 0, fewest = 0;
    for (size_t i = 0; i < domains; i++) {
        int64_t matching = ks_cycle_get_domain(cycle, constraint, i).matching;
        most = i == 0 || matching > most ? matching : most;
        fewest = i == 0 || matching < fewest ? matching : fewest;
    }
    return most - fewest;
}
