// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"
#include "cli/schedule.h"

static void put_pod(ks_json_writer *w, const ks_schedule *schedule, const ks_sim_placement *placement)
{
    ks_pod pod;
    ks_error err;
    ks_cluster *cluster = ks_sim_cluster(schedule->sim);
    if (ks_cluster_get_pod(&pod, cluster, placement->namespace_, placement->name, &err) != KS_OK)
        return;
    ks_sim_workload workload = ks_sim_get_workload(schedule->sim, placement->workload);
    ks_maker maker = {.kind = workload.kind, .namespace_ = workload.namespace_, .name = workload.name};
    ks_manifests_put_pod(w, &schedule->manifests, &pod, &maker);
}

void ks_schedule_describe(ks_json_writer *w, const void *schedule_)
{
    const ks_schedule *schedule = schedule_;
    ks_json_put_object(w);
    ks_json_put_member_string(w, "apiVersion", KS_STR("v1"));
    ks_json_put_member_string(w, "kind", KS_STR("List"));
    ks_json_put_key(w, KS_STR("items"));
    ks_json_put_array(w);
    for (size_t i = 0; i < schedule->summary.placements; i++) {
        ks_sim_placement placement = ks_sim_get_placement(schedule->sim, i);
        if (!placement.evicted)
            put_pod(w, schedule, &placement);
    }
    ks_json_put_array_end(w);
    ks_json_put_object_end(w);
}
