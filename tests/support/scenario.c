// SPDX-License-Identifier: Apache-2.0
#include "support/scenario.h"
#include "model/decode.h"

#define FIELD(name, type, member, schema) KS_FIELD(name, type, ks_scenario, member, schema)

static const ks_field config_fields[] = {
    KS_FIELD("defaultConstraints", LIST, ks_spread_args, default_constraints,
             &ks_topology_spread_constraint_schema),
    KS_FIELD("defaultingType", STRING, ks_spread_args, defaulting_type, NULL),
};
static const ks_schema config_schema = KS_SCHEMA(ks_spread_args, config_fields);

static const ks_field scenario_fields[] = {
    FIELD("config", STRUCT, config, &config_schema),
    FIELD("name", STRING, name, NULL),
    FIELD("namespaces", LIST, namespaces, &ks_namespace_schema),
    FIELD("nodes", LIST, nodes, &ks_node_schema),
    FIELD("pod", STRUCT, pod, &ks_pod_schema),
    FIELD("pods", LIST, pods, &ks_pod_schema),
    FIELD("replicaSets", LIST, replica_sets, &ks_workload_schema),
    FIELD("replicationControllers", LIST, replication_controllers, &ks_replication_controller_schema),
    FIELD("services", LIST, services, &ks_service_schema),
    FIELD("statefulSets", LIST, stateful_sets, &ks_workload_schema),
};
static const ks_schema scenario_schema = KS_SCHEMA(ks_scenario, scenario_fields);

int ks_scenario_decode(ks_scenario *out, ks_str text, ks_arena *arena, ks_error *err)
{
    ks_decoder decoder;
    ks_decoder_init(&decoder, (ks_source){KS_STR("scenario"), text}, arena);
    int rc = ks_decode_value(out, &scenario_schema, &decoder, err);
    if (rc == KS_OK && !ks_json_at_end(&decoder.reader))
        return ks_fail(err, KS_EINVAL, "more than one value on a line");
    return rc;
}

ks_profile ks_spread_profile(ks_plugin_use *use, const ks_spread_args *args)
{
    *use = (ks_plugin_use){KS_STR("PodTopologySpread"), .weight = 2, .filters = true, .scores = true};
    return (ks_profile){
        .scheduler_name = KS_STR("default-scheduler"),
        .plugins = {use, 1},
        .spread = *args,
    };
}
