// SPDX-License-Identifier: Apache-2.0
/* Objects by hand, from short texts: labels as "app=web,tier=a", "" for an empty map, NULL for none. */
#ifndef TESTS_SUPPORT_MAKE_H
#define TESTS_SUPPORT_MAKE_H

#include "util/arena.h"
#include <kubespread/cluster.h>

/* Keys must be given in order. */
ks_labels make_labels(ks_arena *arena, const char *text);
/* NULL: no selector, which matches nothing. */
const ks_label_selector *make_selector(ks_arena *arena, const char *labels);

/* Taints as "key=value:Effect,…"; NULL: none. */
ks_object make_node(ks_arena *arena, const char *name, const char *labels, const char *taints);
/* node NULL: not bound. The uid is the name. */
ks_object make_pod(ks_arena *arena, const char *name, const char *labels, const char *node);

typedef struct made_constraint {
    const char *key, *when; /* when: "hard" or "soft"; key NULL ends a list */
    const char *selector;   /* as for make_selector */
    int32_t max_skew;       /* 0: 1 */
    const char *taints_policy;
} made_constraint;
/* Gives a pod constraints, up to a key of NULL. */
void make_constraints(ks_pod *pod, ks_arena *arena, const made_constraint *constraints);

/* A profile of PodTopologySpread alone, with kube-scheduler's weight; `plugin` must outlive its use. */
ks_profile make_spread_profile(ks_plugin_use *plugin);

#endif
