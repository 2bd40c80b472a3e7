// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/pod_topology_spread/plan.h"

const ks_plugin ks_pod_topology_spread = {
    .name = "PodTopologySpread",
    .pre_filter = ks_spread_pre_filter,
    .filter = ks_spread_filter,
    .judge = ks_spread_judge,
    .pre_score = ks_spread_pre_score,
    .score = ks_spread_score,
    .normalize = ks_spread_normalize,
    .what_if = ks_spread_what_if,
    .hint = ks_spread_hint,
    .release = ks_spread_release,
};
