// SPDX-License-Identifier: Apache-2.0
#include "engine/plugin.h"

const ks_plugin *const ks_plugins[] = {
    &ks_node_unschedulable,   &ks_node_name,         &ks_taint_toleration,
    &ks_node_affinity_plugin, &ks_node_ports,        &ks_node_resources_fit,
    &ks_volume_binding,       &ks_volume_zone,       &ks_pod_topology_spread,
    &ks_inter_pod_affinity,   &ks_dynamic_resources, &ks_node_resources_balanced_allocation,
    &ks_image_locality,       &ks_selector_spread,   NULL,
};

const ks_plugin *ks_plugin_find(ks_str name)
{
    for (size_t i = 0; ks_plugins[i]; i++)
        if (ks_str_eq(ks_str_of(ks_plugins[i]->name), name))
            return ks_plugins[i];
    return NULL;
}
