// SPDX-License-Identifier: Apache-2.0
/* Workloads become pods, as their controllers make them: names, labels, owner references, tolerations and
 * affinity included. Each kind of workload is a row of extension points; what a controller would do over
 * and over in a cluster is `fill`: it looks at what is there and makes what is missing. */
#ifndef KS_SIM_EXPAND_H
#define KS_SIM_EXPAND_H

#include "sim/state.h"

struct ks_owner_kind {
    /* Fills in what the owner's pods look like and how many it wants, of `owner->object`, and says whom they
     * name as their controller. */
    int (*prepare)(ks_sim *sim, uint32_t owner, ks_error *err);
    /* Makes the pods that are missing now and may be made now. */
    int (*fill)(ks_sim *sim, uint32_t owner, ks_error *err);
    /* A pod of it is gone: what `fill` needs to know besides there being one less. May be NULL. */
    void (*lose)(ks_sim *sim, uint32_t owner, ks_str pod, ks_str node);
};

extern const ks_owner_kind ks_deployment_kind, ks_replica_set_kind, ks_replication_controller_kind,
    ks_stateful_set_kind, ks_daemon_set_kind, ks_job_kind; /* CronJobs, too */

/* An owner for each workload that was given and that makes pods of its own. */
int ks_expand_prepare(ks_sim *sim, ks_error *err);

/* ---- what the kinds share; strings and lists go to the owner's arena ---- */

/* What the owner's pods look like: a template's labels and spec, controlled by `controller`, an object of the
 * owner's namespace whose strings live as long as the sim. */
int ks_owner_set_pod(ks_sim *sim, uint32_t owner, const ks_pod_template *template_,
                     ks_owner_reference controller, ks_error *err);
/* The labels and one more, or with another value for it. */
bool ks_labels_with(ks_labels *out, const ks_labels *from, ks_str key, ks_str value, ks_arena *arena);
/* A text made of two. */
bool ks_join(ks_str *out, ks_str first, ks_str second, ks_arena *arena);
/* Applies the pod, which has its name, and counts it as made. */
int ks_owner_make(ks_sim *sim, uint32_t owner, const ks_pod *pod, ks_error *err);
/* The same under a name that begins with `prefix` and ends as the API server ends generateName. */
int ks_owner_make_named(ks_sim *sim, uint32_t owner, ks_pod *pod, ks_str prefix, ks_error *err);
/* Makes pods of `owner->pod` until as many are alive as are wanted. A `fill`. */
int ks_owner_make_missing(ks_sim *sim, uint32_t owner, ks_error *err);

/* Whether the ReplicaSet is the one of the Deployment's template. */
bool ks_replica_set_is_current(const ks_object *replica_set, const ks_object *deployment);

static inline int32_t ks_opt_or(ks_opt_i32 value, int32_t otherwise)
{
    return value.set ? value.value : otherwise;
}
static inline size_t ks_count_of(int32_t value)
{
    return value > 0 ? (size_t)value : 0;
}

#endif
