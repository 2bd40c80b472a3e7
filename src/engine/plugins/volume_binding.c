// SPDX-License-Identifier: Apache-2.0
/* VolumeBinding: a pod goes where its volumes can be used. Bound claims go by their volume's node affinity;
 * claims that wait for their first consumer need a free volume there, or a class that can make one.
 *
 * Storage capacity (CSIStorageCapacity) and volumes of drivers that were moved to CSI are not looked into:
 * the model has neither. */
#include "engine/plugins/helpers.h"
#include "engine/volume.h"
#include "model/schema.h"
#include <stdarg.h>
#include <stdio.h>

/* Why a node is refused, in upstream's order. */
enum { NODE_CONFLICT = 1, BIND_CONFLICT = 2, VOLUME_MISSING = 4 };
static const struct {
    int bit;
    const char *reason;
} reasons[] = {
    {NODE_CONFLICT, "node(s) didn't match PersistentVolume's node affinity"},
    {BIND_CONFLICT, "node(s) didn't find available persistent volumes to bind"},
    {VOLUME_MISSING, "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"},
};

typedef const ks_persistent_volume *volume_ref;

/* A claim that waits for its first consumer. */
typedef struct waiting_claim {
    const ks_stored *claim;
    volume_ref *suited; /* volumes that it could have, the smallest first; only that which is kept for it, if
                           there is such a one */
    size_t suited_count;
    volume_ref chosen; /* on the node that is looked at */
} waiting_claim;

typedef struct binding_state {
    const ks_cluster *cluster;
    volume_ref *bound; /* NULL: there is no such volume */
    size_t bound_count;
    waiting_claim *waiting; /* the smallest first */
    size_t waiting_count;
} binding_state;

/* ---- PreFilter ---- */

typedef struct gathering {
    ks_cycle *cycle;
    binding_state *state;
    ks_status *status; /* not a success: the pod is refused */
    bool immediate;    /* a claim should have been bound already, and is not */
} gathering;

static int refuse(const gathering *g, ks_error *err, const char *format, ...) KS_PRINTF(3, 4);
static int refuse(const gathering *g, ks_error *err, const char *format, ...)
{
    char text[KS_CLAIM_NAME_MAX * 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    g->status->code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
    return ks_arena_copy_str(&g->cycle->arena, &g->status->message, ks_str_of(text)) ? KS_OK
                                                                                     : ks_fail_nomem(err);
}

static bool is_owned_by(const ks_stored *claim, const ks_pod *pod)
{
    const ks_owner_reference *owner = ks_controller_of(&claim->object.metadata);
    return owner && ks_str_eq(owner->uid, pod->metadata.uid);
}

/* What is wrong with a claim as such. */
static int check_claim(const gathering *g, const ks_volume *volume, ks_str name, const ks_stored *stored,
                       ks_error *err)
{
    const ks_pod *pod = g->cycle->pod;
    ks_str namespace_ = ks_space_name(g->cycle->class_->space);
    bool ephemeral = !volume->claim_name.data;
    if (!stored && ephemeral)
        return refuse(g, err,
                      "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%.*s\"",
                      KS_STR_ARG(name));
    if (!stored)
        return refuse(g, err, "persistentvolumeclaim \"%.*s\" not found", KS_STR_ARG(name));
    const ks_persistent_volume_claim *claim = &stored->object.persistent_volume_claim;
    if (ks_str_eq(claim->status.phase, KS_STR("Lost")))
        return refuse(g, err,
                      "persistentvolumeclaim \"%.*s\" bound to non-existent persistentvolume \"%.*s\"",
                      KS_STR_ARG(name), KS_STR_ARG(claim->spec.volume_name));
    if (claim->metadata.deletion_timestamp.len)
        return refuse(g, err, "persistentvolumeclaim \"%.*s\" is being deleted", KS_STR_ARG(name));
    if (ephemeral && !is_owned_by(stored, pod))
        return refuse(g, err, "PVC %.*s/%.*s was not created for pod %.*s/%.*s (pod is not owner)",
                      KS_STR_ARG(namespace_), KS_STR_ARG(name), KS_STR_ARG(namespace_),
                      KS_STR_ARG(pod->metadata.name));
    return KS_OK;
}

/* Among what is there already, in the order of sizes; of equal ones the first stays first. */
static void insert_volume(waiting_claim *waiting, volume_ref volume)
{
    size_t at = waiting->suited_count++;
    for (; at > 0 && ks_persistent_volume_is_smaller(volume, waiting->suited[at - 1]); at--)
        waiting->suited[at] = waiting->suited[at - 1];
    waiting->suited[at] = volume;
}

static int find_suited(waiting_claim *waiting, ks_cycle *cycle, ks_error *err)
{
    const ks_stored_list *volumes = &cycle->cluster->volumes;
    waiting->suited = ks_arena_get(&cycle->arena, volumes->count * sizeof *waiting->suited);
    if (!waiting->suited)
        return ks_fail_nomem(err);
    for (size_t i = 0; i < volumes->count; i++) {
        bool prebound;
        if (!ks_persistent_volume_suits(volumes->items[i], waiting->claim, &prebound))
            continue;
        if (prebound) {
            waiting->suited[0] = &volumes->items[i]->object.persistent_volume;
            waiting->suited_count = 1;
            return KS_OK;
        }
        insert_volume(waiting, &volumes->items[i]->object.persistent_volume);
    }
    return KS_OK;
}

static int add_waiting(const gathering *g, const ks_stored *claim, ks_error *err)
{
    binding_state *state = g->state;
    waiting_claim waiting = {.claim = claim};
    int code = find_suited(&waiting, g->cycle, err);
    int64_t size = ks_claim_size(&claim->object.persistent_volume_claim);
    size_t at = state->waiting_count++;
    for (; at > 0 && size < ks_claim_size(&state->waiting[at - 1].claim->object.persistent_volume_claim);
         at--)
        state->waiting[at] = state->waiting[at - 1];
    state->waiting[at] = waiting;
    return code;
}

static int add_claim(gathering *g, const ks_volume *volume, ks_error *err)
{
    const ks_cluster *cluster = g->cycle->cluster;
    char buf[KS_CLAIM_NAME_MAX];
    ks_str name = ks_volume_claim_name(buf, volume, g->cycle->pod->metadata.name);
    const ks_stored *claim = ks_claim_find(cluster, ks_space_name(g->cycle->class_->space), name);
    int code = check_claim(g, volume, name, claim, err);
    if (code != KS_OK || g->status->code != KS_SUCCESS)
        return code;
    if (ks_claim_is_bound(claim))
        g->state->bound[g->state->bound_count++] = ks_persistent_volume_find(cluster, ks_claim_volume(claim));
    else if (ks_claim_waits(cluster, claim))
        return add_waiting(g, claim, err);
    else
        g->immediate = true;
    return KS_OK;
}

static int gather(gathering *g, size_t claims, ks_error *err)
{
    const ks_pod_spec *spec = &g->cycle->spec->spec;
    binding_state *state = g->state;
    state->bound = ks_arena_get(&g->cycle->arena, claims * sizeof *state->bound);
    state->waiting = ks_arena_get(&g->cycle->arena, claims * sizeof *state->waiting);
    if (!state->bound || !state->waiting)
        return ks_fail_nomem(err);
    for (size_t i = 0; i < spec->volumes.count; i++) {
        if (!ks_volume_is_claim(&spec->volumes.items[i]))
            continue;
        int code = add_claim(g, &spec->volumes.items[i], err);
        if (code != KS_OK || g->status->code != KS_SUCCESS)
            return code;
    }
    return g->immediate ? refuse(g, err, "pod has unbound immediate PersistentVolumeClaims") : KS_OK;
}

static size_t count_claims(const ks_pod_spec *spec)
{
    size_t count = 0;
    for (size_t i = 0; i < spec->volumes.count; i++)
        count += ks_volume_is_claim(&spec->volumes.items[i]);
    return count;
}

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    size_t claims = count_claims(&cycle->spec->spec);
    *out = (ks_status){.code = claims ? KS_SUCCESS : KS_SKIP};
    if (claims == 0)
        return KS_OK;
    binding_state *made = ks_arena_get_zeroed(&cycle->arena, sizeof *made);
    if (!made)
        return ks_fail_nomem(err);
    made->cluster = cycle->cluster;
    *state = made;
    gathering g = {.cycle = cycle, .state = made, .status = out};
    return gather(&g, claims, err);
}

/* ---- Filter ---- */

static int judge_bound(const binding_state *state, const ks_labels *node)
{
    for (size_t i = 0; i < state->bound_count; i++) {
        if (!state->bound[i])
            return VOLUME_MISSING;
        if (!ks_persistent_volume_reaches(state->bound[i], node))
            return NODE_CONFLICT;
    }
    return 0;
}

static bool is_chosen(const binding_state *state, size_t before, volume_ref volume)
{
    for (size_t i = 0; i < before; i++)
        if (state->waiting[i].chosen == volume)
            return true;
    return false;
}

static volume_ref choose(const binding_state *state, size_t which, const ks_labels *node)
{
    const waiting_claim *waiting = &state->waiting[which];
    for (size_t i = 0; i < waiting->suited_count; i++)
        if (!is_chosen(state, which, waiting->suited[i]) &&
            ks_persistent_volume_reaches(waiting->suited[i], node))
            return waiting->suited[i];
    return NULL;
}

static bool is_selected_elsewhere(const binding_state *state, ks_str node)
{
    for (size_t i = 0; i < state->waiting_count; i++) {
        ks_str selected = ks_claim_selected_node(state->waiting[i].claim);
        if (selected.data && !ks_str_eq(selected, node))
            return true;
    }
    return false;
}

/* The smallest claims choose first; those that find nothing must be such that a volume can be made. */
static bool can_bind(const binding_state *state, const ks_node_row *node)
{
    const ks_labels *labels = &node->node.metadata.labels;
    if (is_selected_elsewhere(state, node->name))
        return false;
    for (size_t i = 0; i < state->waiting_count; i++) {
        waiting_claim *waiting = &state->waiting[i];
        bool selected = ks_claim_selected_node(waiting->claim).data;
        waiting->chosen = selected ? NULL : choose(state, i, labels);
        if (!waiting->chosen && !ks_claim_can_be_provisioned(
                                    state->cluster, &waiting->claim->object.persistent_volume_claim, labels))
            return false;
    }
    return true;
}

static int judge_node(const binding_state *state, uint32_t id)
{
    const ks_node_row *node = ks_node_at(state->cluster, id);
    int found = judge_bound(state, &node->node.metadata.labels);
    return can_bind(state, node) ? found : found | BIND_CONFLICT;
}

static void filter(void *state, ks_nodeset *nodes)
{
    for (uint32_t i = ks_nodeset_next(nodes, 0); i != KS_NODESET_END; i = ks_nodeset_next(nodes, i + 1))
        if (judge_node(state, i) != 0)
            ks_nodeset_del(nodes, i);
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    int left = judge_node(state, node);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (!(left & reasons[i].bit))
            continue;
        left &= ~reasons[i].bit;
        if (nth-- == 0)
            return (ks_status){KS_UNSCHEDULABLE_AND_UNRESOLVABLE, ks_str_of(reasons[i].reason), left != 0};
    }
    return (ks_status){.code = KS_SUCCESS};
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)change;
    return judge(state, node, nth);
}

/* ---- hints ---- */

static bool same_topologies(const ks_storage_class *a, const ks_storage_class *b)
{
    return ks_schema_equal_list(&ks_topology_selector_term_schema, &a->allowed_topologies,
                                &b->allowed_topologies);
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
        helps = ks_pod_uses_claim(pending, &after->metadata);
    else if (after->kind == KS_STORAGE_CLASS)
        helps = !before || !same_topologies(&before->storage_class, &after->storage_class);
    else if (after->kind == KS_PERSISTENT_VOLUME)
        helps = true;
    else if (after->kind == KS_NODE)
        helps = !before || !ks_labels_equal(&before->metadata.labels, &after->metadata.labels);
    if (helps)
        *out = KS_HINT_QUEUE;
    return KS_OK;
}

const ks_plugin ks_volume_binding = {
    .name = "VolumeBinding",
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
