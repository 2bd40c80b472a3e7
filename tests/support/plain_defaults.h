// SPDX-License-Identifier: Apache-2.0
/* What stands in for a pod that has no constraints of its own. */
#ifndef TESTS_SUPPORT_PLAIN_DEFAULTS_H
#define TESTS_SUPPORT_PLAIN_DEFAULTS_H

#include "support/plain_model.h"

bool plain_is_system(const ks_spread_args *args);
ks_topology_spread_constraints plain_default_constraints(const ks_spread_args *args, ks_arena *arena);
/* Deduced from the Services that select the pod and from its controller; empty if nothing is deduced. */
plain_selector plain_default_selector(const plain_cluster *cluster, const ks_pod *pod, ks_arena *arena);

/* An absent namespace is "default". */
bool plain_same_namespace(const ks_object_meta *a, const ks_object_meta *b);

#endif
