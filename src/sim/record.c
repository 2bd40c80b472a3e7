// SPDX-License-Identifier: Apache-2.0
/* What the scheduler says of pods, kept for the results. */
#include "engine/plugin.h"
#include "sim/state.h"
#include <stdlib.h>

/* ---- texts ---- */

static bool is_text(const void *ctx, uint32_t row, const void *text)
{
    return ks_str_eq(((const ks_sim *)ctx)->texts.items[row], *(const ks_str *)text);
}

bool ks_sim_intern(ks_str *out, ks_sim *sim, ks_str text)
{
    uint64_t hash = ks_str_hash(text);
    uint32_t row = ks_index_find(&sim->texts_by_hash, hash, is_text, sim, &text);
    if (row == KS_NONE) {
        ks_str copy;
        if (!ks_index_reserve(&sim->texts_by_hash, &sim->alloc) ||
            !ks_arena_copy_str(&sim->arena, &copy, text) || !ks_vec_push(&sim->texts, &sim->alloc, copy))
            return false;
        row = (uint32_t)(sim->texts.count - 1);
        ks_index_add(&sim->texts_by_hash, hash, row);
    }
    *out = sim->texts.items[row];
    return true;
}

/* ---- pods by name ---- */

typedef struct pod_key {
    ks_str namespace_, name;
} pod_key;

static pod_key key_of(const ks_pod *pod)
{
    return (pod_key){ks_namespace_or_default(pod->metadata.namespace_), pod->metadata.name};
}

static uint64_t hash_key(const pod_key *key)
{
    return ks_hash_bytes(key->name.data, key->name.len, ks_str_hash(key->namespace_));
}

static bool is_placement(const void *ctx, uint32_t row, const void *wanted)
{
    const ks_sim_placement *placement = &((const ks_sim *)ctx)->placements.items[row];
    const pod_key *key = wanted;
    return !placement->evicted && ks_str_eq(placement->name, key->name) &&
           ks_str_eq(placement->namespace_, key->namespace_);
}

static bool is_refusal(const void *ctx, uint32_t row, const void *wanted)
{
    const ks_refusal *refusal = &((const ks_sim *)ctx)->refusals.items[row];
    const pod_key *key = wanted;
    return ks_str_eq(refusal->name, key->name) && ks_str_eq(refusal->namespace_, key->namespace_);
}

static ks_refusal *find_refusal(const ks_sim *sim, const pod_key *key)
{
    uint32_t row = ks_index_find(&sim->refusals_by_name, hash_key(key), is_refusal, sim, key);
    return row == KS_NONE ? NULL : &sim->refusals.items[row];
}

static bool copy_key(pod_key *out, ks_sim *sim, const pod_key *key)
{
    return ks_sim_intern(&out->namespace_, sim, key->namespace_) &&
           ks_arena_copy_str(&sim->arena, &out->name, key->name);
}

/* The owner of a pod that the scheduler has just looked at. */
static uint32_t owner_of(const ks_sim *sim, const ks_pod *pod)
{
    const ks_pod_row *row = ks_pod_find(sim->cluster, pod->metadata.namespace_, pod->metadata.name);
    return row ? ks_owner_of_class(sim, row->class_) : KS_NONE;
}

static int report(ks_sim *sim, const ks_decision *decision, const ks_sim_placement *placement, ks_error *err)
{
    const ks_sim_watcher *watcher = &sim->options.watcher;
    if (watcher->decided)
        watcher->decided(watcher->ctx, decision->pod, decision->cycle, placement, decision->message);
    if (watcher->progress &&
        watcher->progress(watcher->ctx, sim->placed + (placement != NULL), sim->pods) != 0)
        return ks_fail(err, KS_ESTOPPED, "stopped after %zu of %zu pods", sim->placed, sim->pods);
    return KS_OK;
}

/* ---- the sink ---- */

static bool reserve_placement(ks_sim *sim)
{
    return ks_vec_reserve(&sim->placements, &sim->alloc, sim->placements.count + 1) &&
           ks_index_reserve(&sim->placements_by_name, &sim->alloc);
}

static int on_placed(void *ctx, const ks_decision *decision, ks_error *err)
{
    ks_sim *sim = ctx;
    pod_key key = key_of(decision->pod), own;
    uint32_t owner = owner_of(sim, decision->pod);
    ks_sim_placement placement = {
        .score = decision->score,
        .feasible = decision->feasible,
        .workload = owner,
        .clock_ms = sim->now_ms,
    };
    if (!reserve_placement(sim) || !copy_key(&own, sim, &key) ||
        !ks_sim_intern(&placement.node, sim, decision->node))
        return ks_fail_nomem(err);
    placement.namespace_ = own.namespace_;
    placement.name = own.name;
    int code = report(sim, decision, &placement, err);
    if (code != KS_OK)
        return code;
    ks_index_add(&sim->placements_by_name, hash_key(&key), (uint32_t)sim->placements.count);
    sim->placements.items[sim->placements.count++] = placement;
    sim->owners.items[owner]->placed++;
    sim->placed++;
    return KS_OK;
}

static int refuse(ks_sim *sim, const ks_decision *decision, ks_str reason, ks_error *err)
{
    pod_key key = key_of(decision->pod), own;
    ks_refusal *refusal = find_refusal(sim, &key);
    ks_str message;
    if (!ks_sim_intern(&message, sim, decision->message))
        return ks_fail_nomem(err);
    if (!refusal) {
        if (!ks_index_reserve(&sim->refusals_by_name, &sim->alloc) || !copy_key(&own, sim, &key) ||
            !ks_vec_push(&sim->refusals, &sim->alloc,
                         (ks_refusal){.namespace_ = own.namespace_, .name = own.name}))
            return ks_fail_nomem(err);
        refusal = &sim->refusals.items[sim->refusals.count - 1];
        ks_index_add(&sim->refusals_by_name, hash_key(&key), (uint32_t)(sim->refusals.count - 1));
    }
    refusal->reason = reason;
    refusal->message = message;
    refusal->attempts = decision->attempts;
    return report(sim, decision, NULL, err);
}

static int on_unschedulable(void *ctx, const ks_decision *decision, ks_error *err)
{
    return refuse(ctx, decision, decision->failed ? KS_STR("SchedulerError") : KS_STR("Unschedulable"), err);
}

static int on_gated(void *ctx, const ks_decision *decision, ks_error *err)
{
    return refuse(ctx, decision, KS_STR("SchedulingGated"), err);
}

static bool reserve_evictions(ks_sim *sim, size_t count)
{
    return ks_vec_reserve(&sim->evictions, &sim->alloc, sim->evictions.count + count) &&
           ks_vec_reserve(&sim->lost, &sim->alloc, sim->lost.count + count);
}

/* Whether the victim was placed in this run. */
static bool mark_evicted(ks_sim *sim, const pod_key *key)
{
    uint32_t row = ks_index_find(&sim->placements_by_name, hash_key(key), is_placement, sim, key);
    if (row == KS_NONE)
        return false;
    ks_sim_placement *placement = &sim->placements.items[row];
    placement->evicted = true;
    sim->placed--;
    sim->owners.items[placement->workload]->placed--;
    return true;
}

/* Who misses a victim. Pods that nobody makes are counted where they pended, not where they stood before. */
static uint32_t loser_of(const ks_sim *sim, const ks_pod *victim, bool was_placed)
{
    uint32_t owner = owner_of(sim, victim);
    bool counted = owner != KS_NONE && (was_placed || sim->owners.items[owner]->object);
    return counted ? owner : KS_NONE;
}

static int evict(ks_sim *sim, const ks_decision *decision, const ks_pod *victim, ks_error *err)
{
    pod_key key = key_of(victim), by = key_of(decision->pod), own;
    ks_sim_eviction eviction = {.clock_ms = sim->now_ms};
    if (!copy_key(&own, sim, &key) || !ks_sim_intern(&eviction.node, sim, decision->node) ||
        !ks_sim_intern(&eviction.for_namespace, sim, by.namespace_) ||
        !ks_sim_intern(&eviction.for_name, sim, by.name))
        return ks_fail_nomem(err);
    eviction.namespace_ = own.namespace_;
    eviction.name = own.name;
    sim->evictions.items[sim->evictions.count++] = eviction;
    uint32_t loser = loser_of(sim, victim, mark_evicted(sim, &key));
    sim->lost.items[sim->lost.count++] = (ks_lost){loser, eviction.name, eviction.node};
    return KS_OK;
}

static int on_preempting(void *ctx, const ks_decision *decision, ks_error *err)
{
    ks_sim *sim = ctx;
    int code = refuse(sim, decision, KS_STR("Unschedulable"), err);
    if (code == KS_OK && !reserve_evictions(sim, decision->victims_count))
        code = ks_fail_nomem(err);
    for (size_t i = 0; code == KS_OK && i < decision->victims_count; i++)
        code = evict(sim, decision, decision->victims[i], err);
    return code;
}

const ks_sink ks_sim_sink = {
    .placed = on_placed,
    .unschedulable = on_unschedulable,
    .preempting = on_preempting,
    .gated = on_gated,
};

ks_str ks_record_message(const ks_sim *sim, ks_str namespace_, ks_str name)
{
    pod_key key = {namespace_, name};
    const ks_refusal *refusal = find_refusal(sim, &key);
    return refusal ? refusal->message : (ks_str){0};
}

/* ---- in the end ---- */

static int compare_unplaced(const void *a, const void *b)
{
    const ks_sim_unplaced *one = a, *other = b;
    int order = ks_str_cmp(one->namespace_, other->namespace_);
    return order != 0 ? order : ks_str_cmp(one->name, other->name);
}

/* A pod of another scheduler's was never tried. */
static int explain_untried(ks_sim_unplaced *out, ks_sim *sim, const ks_pod_row *pod, ks_error *err)
{
    ks_buf buf;
    ks_buf_init(&buf, &sim->alloc);
    ks_buf_printf(&buf, "spec.schedulerName: \"%.*s\": left to that scheduler",
                  KS_STR_ARG(pod->spec->spec.scheduler_name));
    bool ok = !buf.failed && ks_sim_intern(&out->message, sim, ks_buf_str(&buf));
    ks_buf_free(&buf);
    out->reason = KS_STR("OtherScheduler");
    return ok ? KS_OK : ks_fail_nomem(err);
}

static int list_unplaced(ks_sim *sim, const ks_pod_row *pod, ks_error *err)
{
    pod_key key = {ks_space_name(pod->class_->space), ks_pod_text(pod, KS_POD_NAME)}, own;
    ks_sim_unplaced unplaced = {.workload = ks_owner_of_class(sim, pod->class_)};
    const ks_refusal *refusal = find_refusal(sim, &key);
    if (refusal) {
        own = (pod_key){refusal->namespace_, refusal->name};
        unplaced.reason = refusal->reason;
        unplaced.message = refusal->message;
        unplaced.attempts = refusal->attempts;
    } else if (!copy_key(&own, sim, &key) || explain_untried(&unplaced, sim, pod, err) != KS_OK) {
        return ks_fail_nomem(err);
    }
    unplaced.namespace_ = own.namespace_;
    unplaced.name = own.name;
    sim->owners.items[unplaced.workload]->unplaced++;
    return ks_vec_push(&sim->unplaced, &sim->alloc, unplaced) ? KS_OK : ks_fail_nomem(err);
}

int ks_record_unplaced(ks_sim *sim, ks_error *err)
{
    for (size_t i = 0; i < sim->cluster->pods.rows.count; i++) {
        const ks_pod_row *pod = (const ks_pod_row *)sim->cluster->pods.rows.items[i];
        if (!pod || !ks_pod_is_pending(pod))
            continue;
        int code = list_unplaced(sim, pod, err);
        if (code != KS_OK)
            return code;
    }
    if (sim->unplaced.count > 1)
        qsort(sim->unplaced.items, sim->unplaced.count, sizeof *sim->unplaced.items, compare_unplaced);
    return KS_OK;
}
