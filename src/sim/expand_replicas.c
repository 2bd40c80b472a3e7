// SPDX-License-Identifier: Apache-2.0
/* Deployments, ReplicaSets and ReplicationControllers: so many pods that are all alike. */
#include "model/schema.h"
#include "sim/expand.h"
#include "sim/names.h"

#define HASH_LABEL KS_STR("pod-template-hash")

/* Pods are called like their controller, a dash and what the API server puts behind it. */
static int set_prefix(ks_owner *owner, ks_str controller, ks_error *err)
{
    bool ok = ks_join(&owner->pod.metadata.generate_name, controller, KS_STR("-"), &owner->arena);
    return ok ? KS_OK : ks_fail_nomem(err);
}

/* A selector that cannot be matches no pod; so it is for the scheduler. */
static int compile_adopts(ks_owner *owner, const ks_label_selector *selector, ks_error *err)
{
    int code = ks_selector_compile(&owner->adopts, selector, &owner->arena, err);
    if (code == KS_EINVAL) {
        owner->adopts = (ks_selector){.nothing = true};
        return KS_OK;
    }
    return code;
}

static int set_controlled_pod(ks_sim *sim, uint32_t index, const ks_object *controller,
                              const ks_pod_template *template_, ks_error *err)
{
    ks_owner_reference reference = {
        .api_version = controller->kind == KS_REPLICA_SET ? KS_STR("apps/v1") : KS_STR("v1"),
        .kind = ks_str_of(ks_kind_name(controller->kind)),
        .name = controller->metadata.name,
        .uid = controller->metadata.uid,
    };
    int code = ks_owner_set_pod(sim, index, template_, reference, err);
    return code == KS_OK ? set_prefix(sim->owners.items[index], controller->metadata.name, err) : code;
}

/* ---- ReplicaSet ---- */

static int prepare_replica_set(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    const ks_workload *set = &owner->object->workload;
    owner->wanted = ks_count_of(ks_opt_or(set->spec.replicas, 1));
    int code = compile_adopts(owner, set->spec.selector, err);
    if (code != KS_OK)
        return code;
    return set_controlled_pod(sim, index, owner->object, &set->spec.template_, err);
}

const ks_owner_kind ks_replica_set_kind = {prepare_replica_set, ks_owner_make_missing, NULL};

/* ---- ReplicationController ---- */

static int prepare_replication_controller(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    const ks_replication_controller *controller = &owner->object->replication_controller;
    owner->wanted = ks_count_of(ks_opt_or(controller->spec.replicas, 1));
    const ks_labels *labels = controller->spec.selector.count > 0
                                  ? &controller->spec.selector
                                  : &controller->spec.template_.metadata.labels;
    if (labels->count > 0 && ks_selector_from_labels(&owner->adopts, labels, &owner->arena, err) == KS_ENOMEM)
        return KS_ENOMEM;
    return set_controlled_pod(sim, index, owner->object, &controller->spec.template_, err);
}

const ks_owner_kind ks_replication_controller_kind = {prepare_replication_controller, ks_owner_make_missing,
                                                      NULL};

/* ---- Deployment ---- */

/* Whether two label maps are the same but for pod-template-hash. */
static bool same_labels(const ks_labels *with_hash, const ks_labels *without)
{
    size_t at = 0;
    for (size_t i = 0; i < with_hash->count; i++) {
        const ks_label *label = &with_hash->items[i];
        if (ks_str_eq(label->key, HASH_LABEL))
            continue;
        if (at == without->count || !ks_str_eq(label->key, without->items[at].key) ||
            !ks_str_eq(label->value, without->items[at].value))
            return false;
        at++;
    }
    return at == without->count;
}

bool ks_replica_set_is_current(const ks_object *replica_set, const ks_object *deployment)
{
    const ks_pod_template *own = &replica_set->workload.spec.template_;
    const ks_pod_template *wanted = &deployment->workload.spec.template_;
    return same_labels(&own->metadata.labels, &wanted->metadata.labels) &&
           ks_schema_equal(&ks_pod_spec_schema, &own->spec, &wanted->spec);
}

/* The ReplicaSet that the Deployment's controller would make, but for its owner reference. */
static bool make_replica_set(ks_object *out, ks_owner *owner)
{
    const ks_workload *deployment = &owner->object->workload;
    char text[1 + KS_TEMPLATE_HASH_MAX] = "-";
    ks_str suffix = {text, 1 + ks_template_hash(text + 1, &deployment->spec.template_)};
    ks_str name = owner->name, hash;
    if (name.len > KS_OBJECT_NAME_MAX - suffix.len)
        name.len = KS_OBJECT_NAME_MAX - suffix.len;
    *out = (ks_object){.kind = KS_REPLICA_SET, .workload = *deployment};
    ks_label_selector *selector = ks_arena_get_zeroed(&owner->arena, sizeof *selector);
    if (!selector || !ks_join(&out->metadata.name, name, suffix, &owner->arena))
        return false;
    hash = (ks_str){out->metadata.name.data + name.len + 1, suffix.len - 1};
    if (deployment->spec.selector)
        *selector = *deployment->spec.selector;
    out->metadata.uid = (ks_str){0};
    out->workload.spec.selector = selector;
    ks_labels *labels = &out->workload.spec.template_.metadata.labels;
    if (!ks_labels_with(labels, labels, HASH_LABEL, hash, &owner->arena) ||
        !ks_labels_with(&selector->match_labels, &selector->match_labels, HASH_LABEL, hash, &owner->arena))
        return false;
    out->metadata.labels = *labels;
    return true;
}

static int apply_replica_set(ks_sim *sim, ks_owner *owner, const ks_object **out, ks_error *err)
{
    ks_object *made = ks_arena_get(&owner->arena, sizeof *made);
    if (!made || !make_replica_set(made, owner))
        return ks_fail_nomem(err);
    ks_owner_reference reference = {
        .api_version = KS_STR("apps/v1"),
        .kind = KS_STR("Deployment"),
        .name = owner->name,
        .uid = owner->object->metadata.uid,
        .controller = {.set = true, .value = true},
    };
    made->metadata.owner_references.items = &reference;
    made->metadata.owner_references.count = 1;
    int code = ks_sim_apply(sim, made, err);
    made->metadata.owner_references.count = 0; /* nobody asks for it any more */
    *out = made;
    return code;
}

static int prepare_deployment(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    owner->wanted = ks_count_of(ks_opt_or(owner->object->workload.spec.replicas, 1));
    const ks_object *replica_set = owner->replica_set;
    int code = replica_set ? KS_OK : apply_replica_set(sim, owner, &replica_set, err);
    if (code != KS_OK)
        return code;
    return set_controlled_pod(sim, index, replica_set, &replica_set->workload.spec.template_, err);
}

const ks_owner_kind ks_deployment_kind = {prepare_deployment, ks_owner_make_missing, NULL};
