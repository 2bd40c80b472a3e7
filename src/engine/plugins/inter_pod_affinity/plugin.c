// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/inter_pod_affinity/plan.h"

const ks_plugin ks_inter_pod_affinity = {
    .name = "InterPodAffinity",
    .pre_filter = ks_affinity_pre_filter,
    .filter = ks_affinity_filter,
    .judge = ks_affinity_judge,
    .pre_score = ks_affinity_pre_score,
    .score = ks_affinity_score,
    .normalize = ks_affinity_normalize,
    .what_if = ks_affinity_what_if,
    .hint = ks_affinity_hint,
    .release = ks_affinity_release,
};
