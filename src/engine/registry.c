// SPDX-License-Identifier: Apache-2.0
#include "engine/plugin.h"

const ks_plugin *const ks_plugins[] = {
    &ks_pod_topology_spread,
    NULL,
};

const ks_plugin *ks_plugin_find(ks_str name)
{
    for (size_t i = 0; ks_plugins[i]; i++)
        if (ks_str_eq(ks_str_of(ks_plugins[i]->name), name))
            return ks_plugins[i];
    return NULL;
}
