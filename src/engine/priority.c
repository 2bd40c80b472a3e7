// SPDX-License-Identifier: Apache-2.0
/* Pod priorities. The API server's admission writes them into pods; pods from files may only name their
 * PriorityClass, so the same is worked out here. */
#include "engine/engine.h"

/* The classes that every cluster has. */
static const ks_priority_class system_classes[] = {
    {.metadata.name = {"system-cluster-critical", 23}, .value = 2000000000},
    {.metadata.name = {"system-node-critical", 20}, .value = 2000001000},
};

static const ks_priority_class *find_class(const ks_cluster *cluster, ks_str name)
{
    const ks_stored *stored = ks_stored_find(cluster, KS_PRIORITY_CLASS, KS_STR(""), name);
    if (stored)
        return &stored->object.priority_class;
    for (size_t i = 0; i < sizeof system_classes / sizeof *system_classes; i++)
        if (ks_str_eq(system_classes[i].metadata.name, name))
            return &system_classes[i];
    return NULL;
}

/* Of several global defaults, the one of lowest value is taken. */
static const ks_priority_class *default_class(const ks_cluster *cluster)
{
    const ks_priority_class *found = NULL;
    for (size_t i = 0; i < cluster->priority_classes.count; i++) {
        const ks_priority_class *class_ = &cluster->priority_classes.items[i]->object.priority_class;
        if (class_->global_default && (!found || class_->value < found->value))
            found = class_;
    }
    return found;
}

static ks_priority work_out(const ks_cluster *cluster, const ks_pod_spec *spec)
{
    const ks_priority_class *class_ = spec->priority_class_name.len
                                          ? find_class(cluster, spec->priority_class_name)
                                          : default_class(cluster);
    ks_str policy = spec->preemption_policy;
    if (policy.len == 0 && class_)
        policy = class_->preemption_policy;
    ks_priority priority = {.never_preempts = ks_str_eq(policy, KS_STR("Never"))};
    if (spec->priority.set)
        priority.value = spec->priority.value;
    else if (class_)
        priority.value = class_->value;
    return priority;
}

ks_priority ks_spec_priority(ks_cluster *cluster, ks_spec *spec)
{
    if (spec->priority_version != cluster->priority_version) {
        spec->priority = work_out(cluster, &spec->spec);
        spec->priority_version = cluster->priority_version;
        if (spec->priority.value < cluster->priority_floor)
            cluster->priority_floor = spec->priority.value;
    }
    return spec->priority;
}

void ks_priority_changed(ks_cluster *cluster)
{
    cluster->priority_version++;
    cluster->priority_floor = INT32_MAX;
    for (size_t i = 0; i < cluster->specs.rows.count; i++)
        if (cluster->specs.rows.items[i])
            ks_spec_priority(cluster, (ks_spec *)cluster->specs.rows.items[i]);
}
