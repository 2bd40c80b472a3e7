// SPDX-License-Identifier: Apache-2.0
/* Which pods are there at the start, and whose they are. Pods of one class have one controller and the same
 * labels, so that their owner is sought once a class. */
#include "model/schema.h"
#include "sim/state.h"

bool ks_pod_is_pending(const ks_pod_row *pod)
{
    return !pod->node && !ks_pod_text(pod, KS_POD_DELETED).len &&
           !ks_phase_is_over(ks_pod_text(pod, KS_POD_PHASE));
}

/* ReplicaSets and ReplicationControllers take pods for their own that nobody controls. */
static uint32_t find_adopter(const ks_sim *sim, const ks_class *class_)
{
    for (uint32_t i = 0; i < sim->owners.count; i++) {
        const ks_owner *owner = sim->owners.items[i];
        if (ks_str_eq(owner->namespace_, ks_space_name(class_->space)) &&
            ks_selector_matches(&owner->adopts, &class_->labels))
            return i;
    }
    return KS_NONE;
}

static uint32_t find_owner(const ks_sim *sim, const ks_class *class_)
{
    if (!class_->controller.kind.data)
        return find_adopter(sim, class_);
    return ks_owner_by_controller(sim, ks_space_name(class_->space), &class_->controller);
}

/* The node that a DaemonSet's pending pod is meant for: required node affinity names it. */
static ks_str target_of(const ks_pod_spec *spec)
{
    const ks_node_affinity *affinity = spec->affinity ? spec->affinity->node_affinity : NULL;
    if (!affinity || !affinity->required || affinity->required->node_selector_terms.count != 1)
        return (ks_str){0};
    const ks_selector_requirements *fields = &affinity->required->node_selector_terms.items[0].match_fields;
    if (fields->count != 1 || fields->items[0].values.count != 1)
        return (ks_str){0};
    return fields->items[0].values.items[0];
}

static void cover_node(const ks_sim *sim, ks_owner *owner, const ks_pod_row *pod)
{
    if (pod->node) {
        if (pod->node->present)
            ks_nodeset_add(&owner->covered, pod->node->row.id);
        return;
    }
    const ks_node_row *target = ks_node_find(sim->cluster, target_of(&pod->spec->spec));
    if (target)
        ks_nodeset_add(&owner->covered, target->row.id);
}

static void cover_index(ks_owner *owner, const ks_pod_row *pod)
{
    ks_str text = ks_labels_get(&pod->class_->labels, KS_JOB_INDEX_LABEL);
    int64_t index;
    if (ks_str_to_int(&index, text) == KS_INT_FINE && index >= 0 &&
        index < (int64_t)owner->covered.nwords * 64)
        ks_nodeset_add(&owner->covered, (uint32_t)index);
}

static void cover(const ks_sim *sim, ks_owner *owner, const ks_pod_row *pod)
{
    if (owner->covered.words && owner->kind == KS_DAEMON_SET)
        cover_node(sim, owner, pod);
    else if (owner->covered.words)
        cover_index(owner, pod);
}

/* Pods that ran to their end count for Jobs only. */
static void count_pod(const ks_sim *sim, ks_owner *owner, const ks_pod_row *pod)
{
    bool succeeded = ks_str_eq(ks_pod_text(pod, KS_POD_PHASE), KS_STR("Succeeded"));
    bool job = owner->kind == KS_JOB || owner->kind == KS_CRON_JOB;
    if (succeeded && job) {
        owner->succeeded++;
        cover(sim, owner, pod);
    }
    if (!pod->counts && !ks_pod_is_pending(pod))
        return;
    owner->existing++;
    owner->alive++;
    cover(sim, owner, pod);
}

int ks_census_take(ks_sim *sim, ks_error *err)
{
    for (size_t i = 0; i < sim->cluster->classes.rows.count; i++) {
        ks_class *class_ = (ks_class *)sim->cluster->classes.rows.items[i];
        uint32_t owner = class_ ? find_owner(sim, class_) : KS_NONE;
        if (owner == KS_NONE)
            continue;
        if (!ks_owner_add_class(sim, owner, class_))
            return ks_fail_nomem(err);
        for (const ks_pod_row *pod = class_->pods; pod; pod = pod->next)
            count_pod(sim, sim->owners.items[owner], pod);
    }
    return KS_OK;
}

/* ---- pods without an owner ---- */

static int add_group(ks_sim *sim, const ks_pod_row *pod, ks_error *err)
{
    const ks_owner_reference *controller = &pod->class_->controller;
    ks_kind kind = ks_kind_of(controller->api_version, controller->kind);
    ks_str name = kind == KS_KIND_NONE ? ks_pod_text(pod, KS_POD_NAME) : controller->name;
    ks_owner *owner =
        ks_owner_add(sim, kind == KS_KIND_NONE ? KS_POD : kind, ks_space_name(pod->class_->space), name);
    if (!owner || !ks_owner_add_class(sim, (uint32_t)(sim->owners.count - 1), pod->class_))
        return ks_fail_nomem(err);
    ks_pod view;
    ks_pod_view(&view, pod);
    return ks_schema_copy(&ks_pod_schema, &owner->pod, &view, &owner->arena) ? KS_OK : ks_fail_nomem(err);
}

int ks_census_group(ks_sim *sim, ks_error *err)
{
    for (size_t i = 0; i < sim->cluster->pods.rows.count; i++) {
        const ks_pod_row *pod = (const ks_pod_row *)sim->cluster->pods.rows.items[i];
        if (!pod || !ks_pod_is_pending(pod))
            continue;
        sim->pods++;
        if (ks_owner_of_class(sim, pod->class_) == KS_NONE) {
            int code = add_group(sim, pod, err);
            if (code != KS_OK)
                return code;
        }
        ks_owner *owner = sim->owners.items[ks_owner_of_class(sim, pod->class_)];
        if (owner->object)
            continue;
        owner->wanted++;
        owner->existing++;
        owner->alive++;
    }
    return KS_OK;
}
