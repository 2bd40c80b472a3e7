// SPDX-License-Identifier: Apache-2.0
/* StatefulSets: pods with ordinals, made one after the other unless the set says Parallel.
 *
 * A claim of a volumeClaimTemplate that is in the cluster binds its pod as it would there. One that is not is
 * taken to be provisioned wherever the pod goes: nobody in a simulation makes volumes. */
#include "sim/expand.h"
#include "sim/names.h"
#include <stdio.h>
#include <stdlib.h>

static int prepare(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    const ks_workload *set = &owner->object->workload;
    owner->wanted = ks_count_of(ks_opt_or(set->spec.replicas, 1));
    owner->next = set->spec.first_ordinal;
    owner->ordered = !ks_str_eq(set->spec.pod_management_policy, KS_STR("Parallel"));
    char hash[KS_TEMPLATE_HASH_MAX];
    ks_str suffix = {hash, ks_template_hash(hash, &set->spec.template_)};
    ks_pod_template template_ = set->spec.template_;
    ks_labels *labels = &template_.metadata.labels;
    ks_str revision;
    if (!ks_join(&owner->pod.metadata.generate_name, owner->name, KS_STR("-"), &owner->arena) ||
        !ks_join(&revision, owner->pod.metadata.generate_name, suffix, &owner->arena) ||
        !ks_labels_with(labels, labels, KS_STR("controller-revision-hash"), revision, &owner->arena))
        return ks_fail_nomem(err);
    ks_str prefix = owner->pod.metadata.generate_name;
    ks_owner_reference reference = {.api_version = KS_STR("apps/v1"),
                                    .kind = KS_STR("StatefulSet"),
                                    .name = owner->name,
                                    .uid = set->metadata.uid};
    int code = ks_owner_set_pod(sim, index, &template_, reference, err);
    owner->pod.metadata.generate_name = prefix;
    return code;
}

static bool is_claim_template(const ks_workload *set, ks_str name)
{
    for (size_t i = 0; i < set->spec.volume_claim_templates.count; i++)
        if (ks_str_eq(set->spec.volume_claim_templates.items[i].name, name))
            return true;
    return false;
}

/* Volumes of claim templates come instead of the pod template's of the same name. */
static bool add_claims(ks_pod *pod, const ks_sim *sim, const ks_workload *set, ks_arena *arena)
{
    size_t templates = set->spec.volume_claim_templates.count, count = 0;
    if (templates == 0)
        return true;
    ks_volume *volumes = ks_arena_get(arena, (pod->spec.volumes.count + templates) * sizeof *volumes);
    if (!volumes)
        return false;
    for (size_t i = 0; i < pod->spec.volumes.count; i++)
        if (!is_claim_template(set, pod->spec.volumes.items[i].name))
            volumes[count++] = pod->spec.volumes.items[i];
    for (size_t i = 0; i < templates; i++) {
        ks_str name = set->spec.volume_claim_templates.items[i].name, claim;
        if (!ks_join(&claim, name, KS_STR("-"), arena) || !ks_join(&claim, claim, pod->metadata.name, arena))
            return false;
        if (ks_stored_find(sim->cluster, KS_PERSISTENT_VOLUME_CLAIM, pod->metadata.namespace_, claim))
            volumes[count++] = (ks_volume){.name = name, .claim_name = claim};
    }
    pod->spec.volumes.items = volumes;
    pod->spec.volumes.count = count;
    return true;
}

/* The pod of an ordinal; its strings are in the scratch arena. */
static bool make_pod(ks_pod *out, ks_sim *sim, const ks_owner *owner, int64_t ordinal)
{
    ks_arena *arena = &sim->scratch;
    ks_arena_reset(arena);
    char digits[24];
    ks_str number = {digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)ordinal)};
    *out = owner->pod;
    ks_labels *labels = &out->metadata.labels;
    if (!ks_join(&out->metadata.name, owner->pod.metadata.generate_name, number, arena))
        return false;
    number.data = out->metadata.name.data + owner->pod.metadata.generate_name.len;
    return ks_labels_with(labels, labels, KS_STR("apps.kubernetes.io/pod-index"), number, arena) &&
           ks_labels_with(labels, labels, KS_STR("statefulset.kubernetes.io/pod-name"), out->metadata.name,
                          arena) &&
           add_claims(out, sim, &owner->object->workload, arena);
}

/* One that ran to its end is made anew under the same name. */
static const ks_pod_row *find_living(const ks_sim *sim, const ks_owner *owner, ks_str name)
{
    const ks_pod_row *pod = ks_pod_find(sim->cluster, owner->namespace_, name);
    return pod && !ks_phase_is_over(ks_pod_text(pod, KS_POD_PHASE)) ? pod : NULL;
}

static int fill(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    int64_t end = (int64_t)owner->object->workload.spec.first_ordinal + (int64_t)owner->wanted;
    for (int64_t ordinal = owner->next; ordinal < end; ordinal++) {
        ks_pod pod;
        if (!make_pod(&pod, sim, owner, ordinal))
            return ks_fail_nomem(err);
        const ks_pod_row *found = find_living(sim, owner, pod.metadata.name);
        int code = found ? KS_OK : ks_owner_make(sim, index, &pod, err);
        if (code != KS_OK)
            return code;
        found = find_living(sim, owner, pod.metadata.name);
        if (owner->ordered && !found->node)
            return KS_OK;
        owner->next = ordinal + 1;
    }
    return KS_OK;
}

static void lose(ks_sim *sim, uint32_t index, ks_str pod, ks_str node)
{
    (void)node;
    ks_owner *owner = sim->owners.items[index];
    char digits[24] = "";
    size_t prefix = owner->pod.metadata.generate_name.len;
    if (pod.len <= prefix || pod.len - prefix >= sizeof digits)
        return;
    memcpy(digits, pod.data + prefix, pod.len - prefix);
    long ordinal = strtol(digits, NULL, 10);
    if (ordinal >= owner->object->workload.spec.first_ordinal && ordinal < owner->next)
        owner->next = ordinal;
}

const ks_owner_kind ks_stateful_set_kind = {prepare, fill, lose};
