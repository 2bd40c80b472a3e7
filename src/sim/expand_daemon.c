// SPDX-License-Identifier: Apache-2.0
/* DaemonSets: a pod for each node that the template's node selector, affinity and tolerations admit. Each
 * pod is bound to its node by node affinity, and the scheduler places it as any other. */
#include "sim/expand.h"
#include "sim/names.h"

#define TOLERATES(name, when)                                                                                \
    {                                                                                                        \
        .key = {(name), sizeof(name) - 1}, .op = {"Exists", 6}, .effect = {(when), sizeof(when) - 1 }        \
    }

/* What the controller lets its pods tolerate; the last one only in the host's network. */
static const ks_toleration standard[] = {
    TOLERATES("node.kubernetes.io/not-ready", "NoExecute"),
    TOLERATES("node.kubernetes.io/unreachable", "NoExecute"),
    TOLERATES("node.kubernetes.io/disk-pressure", "NoSchedule"),
    TOLERATES("node.kubernetes.io/memory-pressure", "NoSchedule"),
    TOLERATES("node.kubernetes.io/pid-pressure", "NoSchedule"),
    TOLERATES("node.kubernetes.io/unschedulable", "NoSchedule"),
    TOLERATES("node.kubernetes.io/network-unavailable", "NoSchedule"),
};
#define STANDARD (sizeof standard / sizeof *standard)

static bool is_same(const ks_toleration *a, const ks_toleration *b)
{
    return ks_str_eq(a->key, b->key) && ks_str_eq(a->op, b->op) && ks_str_eq(a->value, b->value) &&
           ks_str_eq(a->effect, b->effect);
}

static bool is_listed(const ks_tolerations *list, const ks_toleration *toleration)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_same(&list->items[i], toleration))
            return true;
    return false;
}

static bool add_tolerations(ks_pod_spec *spec, ks_arena *arena)
{
    const ks_tolerations from = spec->tolerations;
    ks_toleration *items = ks_arena_get(arena, (from.count + STANDARD) * sizeof *items);
    if (!items)
        return false;
    size_t count = from.count;
    if (count)
        memcpy(items, from.items, count * sizeof *items);
    for (size_t i = 0; i < STANDARD - (spec->host_network ? 0 : 1); i++)
        if (!is_listed(&from, &standard[i]))
            items[count++] = standard[i];
    spec->tolerations = (ks_tolerations){items, count};
    return true;
}

/* ---- nodes ---- */

static const ks_node_row *node_at(const ks_sim *sim, size_t place)
{
    uint32_t id = sim->cluster->nodes_by_name.items[place];
    return (const ks_node_row *)sim->cluster->nodes.rows.items[id];
}

static bool fits(const ks_owner *owner, const ks_node_row *node)
{
    const ks_pod_spec *spec = &owner->pod.spec;
    ks_required_affinity affinity = ks_required_affinity_of(spec);
    return (spec->node_name.len == 0 || ks_str_eq(spec->node_name, node->name)) &&
           ks_required_affinity_matches(&affinity, node->name, &node->node.metadata.labels) &&
           !ks_untolerated_taint(&node->node.spec.taints, &spec->tolerations);
}

static int prepare(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    const ks_workload *set = &owner->object->workload;
    ks_pod_template template_ = set->spec.template_;
    ks_labels *labels = &template_.metadata.labels;
    char text[KS_TEMPLATE_HASH_MAX];
    ks_str hash = {text, ks_template_hash(text, &template_)}, prefix;
    if (!ks_join(&prefix, owner->name, KS_STR("-"), &owner->arena) ||
        !ks_arena_copy_str(&owner->arena, &hash, hash) ||
        !ks_labels_with(labels, labels, KS_STR("controller-revision-hash"), hash, &owner->arena) ||
        !add_tolerations(&template_.spec, &owner->arena) ||
        !ks_nodeset_resize(&owner->covered, &sim->alloc, sim->cluster->node_cap))
        return ks_fail_nomem(err);
    ks_owner_reference reference = {.api_version = KS_STR("apps/v1"),
                                    .kind = KS_STR("DaemonSet"),
                                    .name = owner->name,
                                    .uid = set->metadata.uid};
    int code = ks_owner_set_pod(sim, index, &template_, reference, err);
    owner->pod.metadata.generate_name = prefix;
    for (size_t i = 0; code == KS_OK && i < sim->cluster->nodes_by_name.count; i++)
        owner->wanted += fits(owner, node_at(sim, i));
    return code;
}

/* ---- pods ---- */

/* Everything that it takes to require one node. */
typedef struct required_node {
    ks_str name;
    ks_selector_requirement field;
    ks_node_selector_term term;
    ks_node_selector selector;
    ks_node_affinity node_affinity;
    ks_affinity affinity;
} required_node;

/* The template's required terms have been asked by `fits`; the node's name takes their place. */
static void require_node(ks_pod_spec *spec, required_node *out, ks_str name)
{
    *out = (required_node){
        .name = name,
        .field = {.key = KS_STR("metadata.name"), .op = KS_STR("In"), .values = {&out->name, 1}},
        .term = {.match_fields = {&out->field, 1}},
        .selector = {.node_selector_terms = {&out->term, 1}},
    };
    if (spec->affinity)
        out->affinity = *spec->affinity;
    if (out->affinity.node_affinity)
        out->node_affinity = *out->affinity.node_affinity;
    out->node_affinity.required = &out->selector;
    out->affinity.node_affinity = &out->node_affinity;
    spec->affinity = &out->affinity;
}

static int fill(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    for (size_t i = 0; i < sim->cluster->nodes_by_name.count; i++) {
        const ks_node_row *node = node_at(sim, i);
        if (ks_nodeset_has(&owner->covered, node->row.id) || !fits(owner, node))
            continue;
        ks_pod pod = owner->pod;
        required_node required;
        require_node(&pod.spec, &required, node->name);
        int code = ks_owner_make_named(sim, index, &pod, owner->pod.metadata.generate_name, err);
        if (code != KS_OK)
            return code;
        ks_nodeset_add(&owner->covered, node->row.id);
    }
    return KS_OK;
}

static void lose(ks_sim *sim, uint32_t index, ks_str pod, ks_str name)
{
    (void)pod;
    const ks_node_row *node = ks_node_find(sim->cluster, name);
    if (node)
        ks_nodeset_del(&sim->owners.items[index]->covered, node->row.id);
}

const ks_owner_kind ks_daemon_set_kind = {prepare, fill, lose};
