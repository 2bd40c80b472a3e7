// SPDX-License-Identifier: Apache-2.0
/* VolumeZone: a bound volume that is labelled with a zone or region is used there. This is how zones were
 * told before volumes had a node affinity. */
#include "engine/plugins/helpers.h"
#include "engine/volume.h"
#include "model/schema.h"
#include <ctype.h>

#define DELIMITER KS_STR("__")

/* The labels of volumes, and where a node may have the same in its newer form. */
static const struct {
    ks_str key, newer;
} topology_labels[] = {
    {{"failure-domain.beta.kubernetes.io/zone", 38}, {"topology.kubernetes.io/zone", 27}},
    {{"failure-domain.beta.kubernetes.io/region", 40}, {"topology.kubernetes.io/region", 29}},
    {{"topology.kubernetes.io/zone", 27}, {"topology.kubernetes.io/zone", 27}},
    {{"topology.kubernetes.io/region", 29}, {"topology.kubernetes.io/region", 29}},
};
enum { LABELS = sizeof topology_labels / sizeof *topology_labels };

/* A label that the node must share: its value is one zone of "a__b__c". */
typedef struct zone_demand {
    size_t label; /* in topology_labels */
    ks_str zones;
} zone_demand;

typedef struct zone_state {
    const ks_cluster *cluster;
    zone_demand *demands;
    size_t count;
} zone_state;

/* ---- lists of zones ---- */

static ks_str trim(ks_str text)
{
    while (text.len && isspace((unsigned char)text.data[0]))
        text = (ks_str){text.data + 1, text.len - 1};
    while (text.len && isspace((unsigned char)text.data[text.len - 1]))
        text.len--;
    return text;
}

/* Takes the next zone off the list; false behind the last one. */
static bool next_zone(ks_str *zone, ks_str *left)
{
    if (!left->data)
        return false;
    size_t at = 0;
    while (at + DELIMITER.len <= left->len && memcmp(left->data + at, DELIMITER.data, DELIMITER.len) != 0)
        at++;
    bool last = at + DELIMITER.len > left->len;
    *zone = trim((ks_str){left->data, last ? left->len : at});
    size_t taken = at + DELIMITER.len;
    *left = last ? (ks_str){0} : (ks_str){left->data + taken, left->len - taken};
    return true;
}

/* Upstream does not look at lists with a zone that is empty. */
static bool is_list(ks_str zones)
{
    ks_str zone;
    while (next_zone(&zone, &zones))
        if (zone.len == 0)
            return false;
    return true;
}

static bool has_zone(ks_str zones, ks_str wanted)
{
    ks_str zone;
    while (next_zone(&zone, &zones))
        if (ks_str_eq(zone, wanted))
            return true;
    return false;
}

/* ---- PreFilter ---- */

static int refuse(ks_status *out, ks_cycle *cycle, const char *what, ks_str name, ks_error *err)
{
    ks_buf buf;
    ks_buf_init(&buf, &cycle->cluster->alloc);
    ks_buf_printf(&buf, "%s \"%.*s\" not found", what, KS_STR_ARG(name));
    bool ok = !buf.failed && ks_arena_copy_str(&cycle->arena, &out->message, ks_buf_str(&buf));
    ks_buf_free(&buf);
    out->code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
    return ok ? KS_OK : ks_fail_nomem(err);
}

/* A claim without a volume: only one that waits for its first consumer is no obstacle. */
static int check_unbound(ks_status *out, ks_cycle *cycle, const ks_persistent_volume_claim *claim,
                         ks_error *err)
{
    ks_str name = ks_claim_class(claim);
    const ks_storage_class *class_ = name.len ? ks_storage_class_find(cycle->cluster, name) : NULL;
    if (class_ && ks_str_eq(class_->volume_binding_mode, KS_STR("WaitForFirstConsumer")))
        return KS_OK;
    if (name.len && !class_)
        return refuse(out, cycle, "storageclass.storage.k8s.io", name, err);
    out->code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
    out->message = class_ ? KS_STR("PersistentVolume had no name")
                          : KS_STR("PersistentVolumeClaim had no pv name and storageClass name");
    return KS_OK;
}

static void add_volume(zone_state *state, const ks_persistent_volume *volume)
{
    for (size_t i = 0; i < LABELS; i++) {
        ks_str zones = ks_labels_get(&volume->metadata.labels, topology_labels[i].key);
        if (zones.data && is_list(zones))
            state->demands[state->count++] = (zone_demand){i, zones};
    }
}

static int add_claim(ks_status *out, zone_state *state, ks_cycle *cycle, ks_str name, ks_error *err)
{
    if (name.len == 0) {
        *out = (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, KS_STR("PersistentVolumeClaim had no name"),
                           false};
        return KS_OK;
    }
    const ks_stored *stored = ks_claim_find(cycle->cluster, ks_space_name(cycle->class_->space), name);
    if (!stored)
        return refuse(out, cycle, "persistentvolumeclaim", name, err);
    ks_str volume_name = ks_claim_volume(stored);
    if (!volume_name.data)
        return check_unbound(out, cycle, &stored->object.persistent_volume_claim, err);
    const ks_persistent_volume *volume = ks_persistent_volume_find(cycle->cluster, volume_name);
    if (!volume)
        return refuse(out, cycle, "persistentvolume", volume_name, err);
    add_volume(state, volume);
    return KS_OK;
}

static int gather(ks_status *out, zone_state *state, ks_cycle *cycle, ks_error *err)
{
    const ks_pod_spec *spec = &cycle->spec->spec;
    state->demands = ks_arena_get(&cycle->arena, spec->volumes.count * LABELS * sizeof *state->demands);
    if (!state->demands)
        return ks_fail_nomem(err);
    for (size_t i = 0; i < spec->volumes.count; i++) {
        if (!spec->volumes.items[i].claim_name.data)
            continue;
        int code = add_claim(out, state, cycle, spec->volumes.items[i].claim_name, err);
        if (code != KS_OK || out->code != KS_SUCCESS)
            return code;
    }
    return KS_OK;
}

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    if (cycle->spec->spec.volumes.count == 0)
        return KS_OK;
    zone_state *made = ks_arena_get_zeroed(&cycle->arena, sizeof *made);
    if (!made)
        return ks_fail_nomem(err);
    made->cluster = cycle->cluster;
    *state = made;
    out->code = KS_SUCCESS;
    int code = gather(out, made, cycle, err);
    if (code == KS_OK && out->code == KS_SUCCESS && made->count == 0)
        out->code = KS_SKIP;
    return code;
}

/* ---- Filter ---- */

static bool has_any_label(const ks_labels *node)
{
    for (size_t i = 0; i < LABELS; i++)
        if (ks_labels_get(node, topology_labels[i].key).data)
            return true;
    return false;
}

/* A node without any such label is in a cluster of one zone: it takes every volume. */
static bool passes(const zone_state *state, uint32_t id)
{
    const ks_labels *node = &ks_node_at(state->cluster, id)->node.metadata.labels;
    if (!has_any_label(node))
        return true;
    for (size_t i = 0; i < state->count; i++) {
        const zone_demand *demand = &state->demands[i];
        ks_str value = ks_labels_get(node, topology_labels[demand->label].key);
        if (!value.data)
            value = ks_labels_get(node, topology_labels[demand->label].newer);
        if (!value.data || !has_zone(demand->zones, value))
            return false;
    }
    return true;
}

static void filter(void *state, ks_nodeset *nodes)
{
    for (uint32_t i = ks_nodeset_next(nodes, 0); i != KS_NODESET_END; i = ks_nodeset_next(nodes, i + 1))
        if (!passes(state, i))
            ks_nodeset_del(nodes, i);
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth;
    if (passes(state, node))
        return (ks_status){.code = KS_SUCCESS};
    return (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, KS_STR("node(s) had no available volume zone"),
                       false};
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)change;
    return judge(state, node, nth);
}

/* ---- hints ---- */

static bool same_zones(const ks_labels *a, const ks_labels *b)
{
    for (size_t i = 0; i < LABELS; i++) {
        ks_str x = ks_labels_get(a, topology_labels[i].key), y = ks_labels_get(b, topology_labels[i].key);
        if (!x.data || !y.data ? x.data != y.data : !ks_str_eq(x, y))
            return false;
    }
    return true;
}

static int hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err)
{
    (void)cluster;
    (void)err;
    if (!after)
        return KS_OK;
    bool helps = false;
    if (after->kind == KS_PERSISTENT_VOLUME_CLAIM)
        helps = ks_pod_names_claim(pending, &after->metadata);
    else if (after->kind == KS_STORAGE_CLASS)
        helps =
            !before && ks_str_eq(after->storage_class.volume_binding_mode, KS_STR("WaitForFirstConsumer"));
    else if (after->kind == KS_PERSISTENT_VOLUME)
        helps = !before || !same_zones(&before->metadata.labels, &after->metadata.labels);
    else if (after->kind == KS_NODE)
        helps = !before || !ks_labels_equal(&before->metadata.labels, &after->metadata.labels);
    if (helps)
        *out = KS_HINT_QUEUE;
    return KS_OK;
}

const ks_plugin ks_volume_zone = {
    .name = "VolumeZone",
    .pre_filter = pre_filter,
    .filter = filter,
    .judge = judge,
    .pre_score = ks_no_pre_score,
    .score = ks_no_score,
    .normalize = ks_no_score,
    .what_if = what_if,
    .hint = hint,
    .release = ks_no_release,
};
