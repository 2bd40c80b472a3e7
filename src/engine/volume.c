// SPDX-License-Identifier: Apache-2.0
#include "engine/volume.h"
#include "model/requirement.h"
#include <kubespread/decode.h>
#include <stdio.h>

/* ---- a pod's claims ---- */

bool ks_volume_is_claim(const ks_volume *volume)
{
    return volume->claim_name.data || volume->ephemeral;
}

ks_str ks_volume_claim_name(char buf[KS_CLAIM_NAME_MAX], const ks_volume *volume, ks_str pod_name)
{
    if (volume->claim_name.data)
        return volume->claim_name;
    int len = snprintf(buf, KS_CLAIM_NAME_MAX, "%.*s-%.*s", KS_STR_ARG(pod_name), KS_STR_ARG(volume->name));
    return (ks_str){buf, (size_t)len < KS_CLAIM_NAME_MAX ? (size_t)len : KS_CLAIM_NAME_MAX - 1};
}

static bool same_namespace(const ks_object_meta *a, const ks_object_meta *b)
{
    return ks_str_eq(ks_namespace_or_default(a->namespace_), ks_namespace_or_default(b->namespace_));
}

bool ks_pod_names_claim(const ks_pod *pod, const ks_object_meta *claim)
{
    for (size_t i = 0; i < pod->spec.volumes.count; i++) {
        ks_str name = pod->spec.volumes.items[i].claim_name;
        if (name.data && ks_str_eq(name, claim->name))
            return same_namespace(&pod->metadata, claim);
    }
    return false;
}

bool ks_pod_uses_claim(const ks_pod *pod, const ks_object_meta *claim)
{
    char buf[KS_CLAIM_NAME_MAX];
    for (size_t i = 0; i < pod->spec.volumes.count; i++) {
        const ks_volume *volume = &pod->spec.volumes.items[i];
        if (ks_volume_is_claim(volume) &&
            ks_str_eq(ks_volume_claim_name(buf, volume, pod->metadata.name), claim->name))
            return same_namespace(&pod->metadata, claim);
    }
    return false;
}

ks_stored *ks_claim_find(const ks_cluster *cluster, ks_str namespace_, ks_str name)
{
    return (ks_stored *)ks_stored_find(cluster, KS_PERSISTENT_VOLUME_CLAIM, namespace_, name);
}

const ks_persistent_volume *ks_persistent_volume_find(const ks_cluster *cluster, ks_str name)
{
    const ks_stored *stored = ks_stored_find(cluster, KS_PERSISTENT_VOLUME, (ks_str){0}, name);
    return stored ? &stored->object.persistent_volume : NULL;
}

const ks_storage_class *ks_storage_class_find(const ks_cluster *cluster, ks_str name)
{
    const ks_stored *stored = ks_stored_find(cluster, KS_STORAGE_CLASS, (ks_str){0}, name);
    return stored ? &stored->object.storage_class : NULL;
}

/* ---- claims ---- */

/* The annotation is older than the field and goes first, on claims and volumes alike. */
ks_str ks_claim_class(const ks_persistent_volume_claim *claim)
{
    return claim->annotations.storage_class.data ? claim->annotations.storage_class
                                                 : claim->spec.storage_class_name;
}

static ks_str class_of_volume(const ks_persistent_volume *volume)
{
    return volume->annotations.storage_class.data ? volume->annotations.storage_class
                                                  : volume->spec.storage_class_name;
}

bool ks_claim_is_bound(const ks_stored *stored)
{
    const ks_persistent_volume_claim *claim = &stored->object.persistent_volume_claim;
    bool completed =
        claim->annotations.bind_completed.data || ks_str_eq(claim->status.phase, KS_STR("Bound"));
    return stored->partner || (claim->spec.volume_name.len && completed);
}

ks_str ks_claim_volume(const ks_stored *stored)
{
    if (stored->partner)
        return stored->partner->object.metadata.name;
    ks_str name = stored->object.persistent_volume_claim.spec.volume_name;
    return name.len ? name : (ks_str){0};
}

bool ks_claim_waits(const ks_cluster *cluster, const ks_stored *stored)
{
    const ks_persistent_volume_claim *claim = &stored->object.persistent_volume_claim;
    ks_str name = ks_claim_class(claim);
    const ks_storage_class *class_ = name.len ? ks_storage_class_find(cluster, name) : NULL;
    return class_ && !ks_claim_is_bound(stored) && claim->spec.volume_name.len == 0 &&
           ks_str_eq(class_->volume_binding_mode, KS_STR("WaitForFirstConsumer"));
}

ks_str ks_claim_selected_node(const ks_stored *stored)
{
    return stored->selected ? stored->selected->name
                            : stored->object.persistent_volume_claim.annotations.selected_node;
}

/* ---- sizes ---- */

static int64_t storage_of(const ks_resources *resources)
{
    for (size_t i = 0; i < resources->count; i++)
        if (ks_str_eq(resources->items[i].name, KS_STR("storage")))
            return ks_quantity_scaled(resources->items[i].quantity, 0);
    return 0;
}

int64_t ks_claim_size(const ks_persistent_volume_claim *claim)
{
    return storage_of(&claim->spec.resources.requests);
}

bool ks_persistent_volume_is_smaller(const ks_persistent_volume *a, const ks_persistent_volume *b)
{
    int64_t size_a = storage_of(&a->spec.capacity), size_b = storage_of(&b->spec.capacity);
    return size_a != size_b ? size_a < size_b : ks_str_cmp(a->metadata.name, b->metadata.name) < 0;
}

/* ---- where ---- */

/* The node's name is left out, as upstream does: by its labels alone it is found or not. */
bool ks_persistent_volume_reaches(const ks_persistent_volume *volume, const ks_labels *node)
{
    ks_required_affinity affinity = {.node_affinity = volume->spec.node_affinity};
    return ks_required_affinity_matches(&affinity, (ks_str){0}, node);
}

static bool term_allows(const ks_topology_selector_term *term, const ks_labels *node)
{
    for (size_t i = 0; i < term->match_label_expressions.count; i++) {
        const ks_topology_selector_requirement *from = &term->match_label_expressions.items[i];
        ks_requirement requirement = {.key = from->key, .op = KS_OP_IN, .values = from->values};
        if (!ks_requirement_matches(&requirement, node) || !ks_requirement_valid(&requirement))
            return false;
    }
    return term->match_label_expressions.count > 0;
}

static bool class_allows(const ks_storage_class *class_, const ks_labels *node)
{
    for (size_t i = 0; i < class_->allowed_topologies.count; i++)
        if (term_allows(&class_->allowed_topologies.items[i], node))
            return true;
    return class_->allowed_topologies.count == 0;
}

bool ks_claim_can_be_provisioned(const ks_cluster *cluster, const ks_persistent_volume_claim *claim,
                                 const ks_labels *node)
{
    const ks_storage_class *class_ = ks_storage_class_find(cluster, ks_claim_class(claim));
    return class_ && class_->provisioner.len &&
           !ks_str_eq(class_->provisioner, KS_STR("kubernetes.io/no-provisioner")) &&
           class_allows(class_, node);
}

/* ---- which volume for which claim ---- */

static ks_str mode_or_default(ks_str mode)
{
    return mode.data ? mode : KS_STR("Filesystem");
}

static bool has_modes(const ks_strs *modes, const ks_strs *wanted)
{
    for (size_t i = 0; i < wanted->count; i++) {
        bool found = false;
        for (size_t j = 0; j < modes->count && !found; j++)
            found = ks_str_eq(modes->items[j], wanted->items[i]);
        if (!found)
            return false;
    }
    return true;
}

static bool is_kept_for(const ks_stored *volume, const ks_stored *claim)
{
    const ks_claim_reference *ref = volume->object.persistent_volume.spec.claim_ref;
    const ks_object_meta *meta = &claim->object.metadata;
    if (volume->partner)
        return volume->partner == claim;
    return ref && ks_str_eq(ref->name, meta->name) &&
           ks_str_eq(ks_namespace_or_default(ref->namespace_), ks_namespace_or_default(meta->namespace_)) &&
           (ref->uid.len == 0 || ks_str_eq(ref->uid, meta->uid));
}

/* What is asked of any volume, also of one that is kept for the claim. */
static bool is_fit(const ks_persistent_volume *volume, const ks_persistent_volume_claim *claim)
{
    return storage_of(&volume->spec.capacity) >= ks_claim_size(claim) &&
           ks_str_eq(mode_or_default(volume->spec.volume_mode), mode_or_default(claim->spec.volume_mode)) &&
           ks_str_eq(volume->spec.volume_attributes_class_name, claim->spec.volume_attributes_class_name) &&
           volume->metadata.deletion_timestamp.len == 0;
}

static bool is_free_for(const ks_persistent_volume *volume, const ks_stored *stored)
{
    const ks_persistent_volume_claim *claim = &stored->object.persistent_volume_claim;
    bool available = !volume->status.phase.data || ks_str_eq(volume->status.phase, KS_STR("Available"));
    return available && ks_str_eq(class_of_volume(volume), ks_claim_class(claim)) &&
           has_modes(&volume->spec.access_modes, &claim->spec.access_modes) &&
           (!claim->spec.selector || ks_selector_matches(&stored->selector, &volume->metadata.labels));
}

bool ks_persistent_volume_suits(const ks_stored *stored, const ks_stored *claim, bool *prebound)
{
    const ks_persistent_volume *volume = &stored->object.persistent_volume;
    *prebound = is_kept_for(stored, claim);
    if (!*prebound && (volume->spec.claim_ref || stored->partner))
        return false;
    return is_fit(volume, &claim->object.persistent_volume_claim) &&
           (*prebound || is_free_for(volume, claim));
}

/* ---- placements ---- */

/* The volume that the claim gets on the node, or NULL. */
static ks_stored *match(const ks_cluster *cluster, const ks_stored *claim, const ks_labels *node)
{
    ks_stored *best = NULL;
    for (size_t i = 0; i < cluster->volumes.count; i++) {
        ks_stored *stored = cluster->volumes.items[i];
        const ks_persistent_volume *volume = &stored->object.persistent_volume;
        bool prebound;
        if (!ks_persistent_volume_suits(stored, claim, &prebound))
            continue;
        bool reaches = ks_persistent_volume_reaches(volume, node);
        if (prebound)
            return reaches ? stored : NULL;
        if (reaches && (!best || ks_persistent_volume_is_smaller(volume, &best->object.persistent_volume)))
            best = stored;
    }
    return best;
}

typedef void (*claim_fn)(ks_cluster *cluster, ks_stored *claim, void *ctx);

static void each_claim(ks_cluster *cluster, const ks_pod_row *pod, claim_fn visit, void *ctx)
{
    const ks_pod_spec *spec = &pod->spec->spec;
    char buf[KS_CLAIM_NAME_MAX];
    for (size_t i = 0; i < spec->volumes.count; i++) {
        const ks_volume *volume = &spec->volumes.items[i];
        if (!ks_volume_is_claim(volume))
            continue;
        ks_str name = ks_volume_claim_name(buf, volume, ks_pod_text(pod, KS_POD_NAME));
        ks_stored *claim = ks_claim_find(cluster, ks_space_name(pod->class_->space), name);
        if (claim)
            visit(cluster, claim, ctx);
    }
}

static void pick_smallest(ks_cluster *cluster, ks_stored *claim, void *ctx)
{
    ks_stored **smallest = ctx;
    if (ks_claim_selected_node(claim).data || !ks_claim_waits(cluster, claim))
        return;
    if (!*smallest || ks_claim_size(&claim->object.persistent_volume_claim) <
                          ks_claim_size(&(*smallest)->object.persistent_volume_claim))
        *smallest = claim;
}

/* The smallest claims choose first, so that they take the smallest volumes that will do. */
void ks_volumes_assume(ks_cluster *cluster, const ks_pod_row *pod)
{
    for (;;) {
        ks_stored *claim = NULL;
        each_claim(cluster, pod, pick_smallest, &claim);
        if (!claim)
            return;
        ks_stored *volume = match(cluster, claim, &pod->node->node.metadata.labels);
        if (volume) {
            volume->partner = claim;
            claim->partner = volume;
        } else {
            claim->selected = pod->node;
            pod->node->row.refs++;
        }
    }
}

static void forget_claim(ks_cluster *cluster, ks_stored *claim, void *ctx)
{
    (void)ctx;
    ks_volumes_release(cluster, claim);
}

void ks_volumes_forget(ks_cluster *cluster, const ks_pod_row *pod)
{
    each_claim(cluster, pod, forget_claim, NULL);
}

void ks_volumes_release(ks_cluster *cluster, ks_stored *stored)
{
    if (stored->partner)
        stored->partner->partner = NULL;
    ks_node_unref(cluster, stored->selected);
    stored->partner = NULL;
    stored->selected = NULL;
}
