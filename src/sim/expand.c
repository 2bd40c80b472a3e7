// SPDX-License-Identifier: Apache-2.0
#include "sim/expand.h"
#include "sim/names.h"

/* ---- owners of what was given ---- */

static const ks_owner_kind *kind_of(const ks_sim *sim, ks_kind kind)
{
    switch (kind) {
    case KS_DEPLOYMENT:
        return &ks_deployment_kind;
    case KS_REPLICA_SET:
        return &ks_replica_set_kind;
    case KS_REPLICATION_CONTROLLER:
        return &ks_replication_controller_kind;
    case KS_STATEFUL_SET:
        return &ks_stateful_set_kind;
    case KS_DAEMON_SET:
        return &ks_daemon_set_kind;
    case KS_JOB:
        return &ks_job_kind;
    case KS_CRON_JOB:
        return sim->options.run_cron_jobs ? &ks_job_kind : NULL;
    default:
        return NULL;
    }
}

static const ks_labels *pod_labels_of(const ks_object *object)
{
    switch (object->kind) {
    case KS_REPLICATION_CONTROLLER:
        return &object->replication_controller.spec.template_.metadata.labels;
    case KS_JOB:
        return &object->job.spec.template_.metadata.labels;
    case KS_CRON_JOB:
        return &object->cron_job.spec.job_template.spec.template_.metadata.labels;
    default:
        return &object->workload.spec.template_.metadata.labels;
    }
}

/* The Deployment that a ReplicaSet belongs to, if it was given. */
static const ks_object *deployment_of(const ks_sim *sim, const ks_object *object)
{
    const ks_owner_reference *controller =
        object->kind == KS_REPLICA_SET ? ks_controller_of(&object->metadata) : NULL;
    if (!controller || !ks_str_eq(controller->kind, KS_STR("Deployment")))
        return NULL;
    const ks_object *deployment =
        ks_given_find(sim, KS_DEPLOYMENT, object->metadata.namespace_, controller->name);
    if (!deployment || (deployment->metadata.uid.len && controller->uid.len &&
                        !ks_str_eq(deployment->metadata.uid, controller->uid)))
        return NULL;
    return deployment;
}

static int add_owner(ks_sim *sim, const ks_object *object, const ks_owner_kind *how, ks_error *err)
{
    const ks_object_meta *meta = &object->metadata;
    ks_owner *owner = ks_owner_add(sim, object->kind, meta->namespace_, meta->name);
    if (!owner)
        return ks_fail_nomem(err);
    owner->object = object;
    owner->how = how;
    if (object->kind != KS_DEPLOYMENT)
        return KS_OK;
    /* ReplicaSets name it as their controller. */
    ks_controller controller = {
        .namespace_ = owner->namespace_, .kind = KS_STR("Deployment"), .name = owner->name, .uid = meta->uid};
    if (!ks_owner_add_controller(sim, (uint32_t)(sim->owners.count - 1), &controller))
        return ks_fail_nomem(err);
    return KS_OK;
}

static int add_owners(ks_sim *sim, ks_error *err)
{
    for (size_t i = 0; i < sim->given.count; i++) {
        const ks_object *object = &sim->given.items[i]->object;
        const ks_owner_kind *how = kind_of(sim, object->kind);
        if (!how || deployment_of(sim, object) ||
            !ks_sim_selects(sim, object->metadata.namespace_, pod_labels_of(object)))
            continue;
        int code = add_owner(sim, object, how, err);
        if (code != KS_OK)
            return code;
    }
    return KS_OK;
}

/* Pods of a Deployment's ReplicaSets are the Deployment's, those of its older templates as well. */
static int attach_replica_sets(ks_sim *sim, ks_error *err)
{
    for (size_t i = 0; i < sim->given.count; i++) {
        const ks_object *object = &sim->given.items[i]->object;
        if (!deployment_of(sim, object))
            continue;
        const ks_object_meta *meta = &object->metadata;
        uint32_t owner = ks_owner_by_controller(sim, meta->namespace_, ks_controller_of(meta));
        if (owner == KS_NONE)
            continue;
        ks_controller controller = {.namespace_ = meta->namespace_,
                                    .kind = KS_STR("ReplicaSet"),
                                    .name = meta->name,
                                    .uid = meta->uid};
        if (!ks_owner_add_controller(sim, owner, &controller))
            return ks_fail_nomem(err);
        if (ks_replica_set_is_current(object, sim->owners.items[owner]->object))
            sim->owners.items[owner]->replica_set = object;
    }
    return KS_OK;
}

int ks_expand_prepare(ks_sim *sim, ks_error *err)
{
    int code = add_owners(sim, err);
    if (code == KS_OK)
        code = attach_replica_sets(sim, err);
    for (uint32_t i = 0; code == KS_OK && i < sim->owners.count; i++)
        code = sim->owners.items[i]->how->prepare(sim, i, err);
    return code;
}

/* ---- texts and labels ---- */

bool ks_join(ks_str *out, ks_str first, ks_str second, ks_arena *arena)
{
    char *text = ks_arena_get(arena, first.len + second.len + 1);
    if (!text)
        return false;
    if (first.len)
        memcpy(text, first.data, first.len);
    if (second.len)
        memcpy(text + first.len, second.data, second.len);
    text[first.len + second.len] = '\0';
    *out = (ks_str){text, first.len + second.len};
    return true;
}

bool ks_labels_with(ks_labels *out, const ks_labels *from, ks_str key, ks_str value, ks_arena *arena)
{
    ks_label *items = ks_arena_get(arena, (from->count + 1) * sizeof *items);
    if (!items)
        return false;
    if (from->count)
        memcpy(items, from->items, from->count * sizeof *items);
    items[from->count] = (ks_label){key, value};
    *out = (ks_labels){items, from->count + 1};
    ks_labels_sort(out);
    return true;
}

/* ---- pods ---- */

static bool set_owner_reference(ks_owner *owner, ks_owner_reference controller)
{
    ks_owner_reference *reference = ks_arena_get(&owner->arena, sizeof *reference);
    if (!reference)
        return false;
    *reference = controller;
    reference->controller = (ks_opt_bool){.set = true, .value = true};
    owner->pod.metadata.owner_references.items = reference;
    owner->pod.metadata.owner_references.count = 1;
    return true;
}

int ks_owner_set_pod(ks_sim *sim, uint32_t index, const ks_pod_template *template_,
                     ks_owner_reference controller, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    owner->pod = (ks_pod){.metadata = {.namespace_ = owner->namespace_, .labels = template_->metadata.labels},
                          .spec = template_->spec};
    const ks_controller names = {.namespace_ = owner->namespace_,
                                 .kind = controller.kind,
                                 .name = controller.name,
                                 .uid = controller.uid};
    if (!set_owner_reference(owner, controller) || !ks_sim_admit(sim, &owner->pod.spec, &owner->arena))
        return ks_fail_nomem(err);
    bool known = ks_owner_by_controller(sim, owner->namespace_, &controller) == index;
    return known || ks_owner_add_controller(sim, index, &names) ? KS_OK : ks_fail_nomem(err);
}

/* The class of the owner's pods, found once where all have the same labels. */
static int find_class(ks_sim *sim, uint32_t index, const ks_pod *pod, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    bool alike = pod->metadata.labels.items == owner->pod.metadata.labels.items;
    if (alike && owner->class_)
        return KS_OK;
    ks_class *class_ = ks_class_get(sim->cluster, &pod->metadata);
    if (!class_ || !ks_owner_add_class(sim, index, class_)) {
        ks_class_unref(sim->cluster, class_);
        return ks_fail_nomem(err);
    }
    if (alike)
        owner->class_ = class_;
    else
        ks_class_unref(sim->cluster, class_);
    return KS_OK;
}

int ks_owner_make(ks_sim *sim, uint32_t index, const ks_pod *pod, ks_error *err)
{
    ks_object object = {.kind = KS_POD, .pod = *pod};
    int code = find_class(sim, index, pod, err);
    if (code == KS_OK)
        code = ks_sim_apply(sim, &object, err);
    if (code != KS_OK)
        return code;
    ks_owner *owner = sim->owners.items[index];
    owner->alive++;
    owner->made++;
    sim->made++;
    sim->pods += pod->spec.node_name.len == 0;
    sim->changed_ms = sim->now_ms;
    return KS_OK;
}

/* The name depends on the seed and the owner alone, whatever else is in the input. */
static uint64_t name_bits(const ks_sim *sim, ks_owner *owner, ks_str prefix)
{
    uint64_t hash = ks_hash_bytes(&owner->names, sizeof owner->names, sim->options.seed);
    owner->names++;
    hash = ks_hash_bytes(owner->namespace_.data, owner->namespace_.len, hash);
    return ks_hash_bytes(prefix.data, prefix.len, hash);
}

int ks_owner_make_named(ks_sim *sim, uint32_t index, ks_pod *pod, ks_str prefix, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    char name[KS_NAME_PREFIX_MAX + KS_NAME_SUFFIX];
    size_t len = prefix.len < KS_NAME_PREFIX_MAX ? prefix.len : KS_NAME_PREFIX_MAX;
    memcpy(name, prefix.data, len);
    pod->metadata.name = (ks_str){name, len + KS_NAME_SUFFIX};
    do
        ks_name_suffix(name + len, name_bits(sim, owner, prefix));
    while (ks_pod_find(sim->cluster, owner->namespace_, pod->metadata.name));
    int code = ks_owner_make(sim, index, pod, err);
    pod->metadata.name = (ks_str){0};
    return code;
}

int ks_owner_make_missing(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    ks_pod pod = owner->pod;
    int code = KS_OK;
    while (code == KS_OK && owner->alive < owner->wanted)
        code = ks_owner_make_named(sim, index, &pod, owner->pod.metadata.generate_name, err);
    return code;
}
