// SPDX-License-Identifier: Apache-2.0
#include "cli/scores.h"
#include "engine/plugin.h"

static bool find_feasible(const ks_cycle *cycle, size_t *node)
{
    size_t nodes = ks_cycle_get_summary(cycle).nodes;
    for (*node = 0; *node < nodes; ++*node)
        if (ks_cycle_get_node(cycle, *node).code == KS_SUCCESS)
            return true;
    return false;
}

ks_scorers ks_scorers_of(const ks_cycle *cycle)
{
    ks_scorers scorers = {.count = 0};
    size_t node;
    int64_t score;
    if (!find_feasible(cycle, &node))
        return scorers;
    for (size_t i = 0; ks_plugins[i] && scorers.count < KS_SCORERS_MAX; i++)
        if (ks_cycle_get_plugin_score(cycle, ks_plugins[i]->name, node, &score))
            scorers.names[scorers.count++] = ks_plugins[i]->name;
    return scorers;
}
