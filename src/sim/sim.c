// SPDX-License-Identifier: Apache-2.0
#include "sim/sim.h"
#include "sim/admit.h"
#include "sim/expand.h"

enum {
    MAX_BACKOFF_MS = 10000,
    /* A workload whose pods are evicted again and again gives up after so many for each that it wants. */
    REPLACEMENTS_MAX = 10,
};

/* ---- coming and going ---- */

static int make_cluster(ks_sim *sim, ks_error *err)
{
    const ks_sim_options *options = &sim->options;
    const ks_cluster_options cluster = {
        .allocator = options->allocator, .profile = options->profile, .gates = options->gates};
    int code = ks_selector_compile(&sim->selector, options->selector, &sim->arena, err);
    if (!options->selector)
        sim->selector = (ks_selector){0};
    return code == KS_OK ? ks_cluster_new(&sim->cluster, &cluster, err) : code;
}

int ks_sim_new(ks_sim **out, const ks_sim_options *options, ks_error *err)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, options->allocator);
    ks_sim *sim = ks_alloc_get_zeroed(&alloc, sizeof *sim);
    if (!sim)
        return ks_fail_nomem(err);
    sim->alloc = alloc;
    sim->options = *options;
    ks_arena_init(&sim->arena, &sim->alloc);
    ks_arena_init(&sim->scratch, &sim->alloc);
    int code = make_cluster(sim, err);
    if (code != KS_OK) {
        ks_sim_free(sim);
        return code;
    }
    *out = sim;
    return KS_OK;
}

void ks_sim_free(ks_sim *sim)
{
    if (!sim)
        return;
    ks_cycle_free(sim->cycle);
    ks_scheduler_free(sim->scheduler);
    ks_owners_free(sim);
    ks_given_free(sim);
    ks_cluster_free(sim->cluster);
    ks_vec_free(&sim->placements, &sim->alloc);
    ks_vec_free(&sim->refusals, &sim->alloc);
    ks_vec_free(&sim->unplaced, &sim->alloc);
    ks_vec_free(&sim->evictions, &sim->alloc);
    ks_vec_free(&sim->lost, &sim->alloc);
    ks_vec_free(&sim->texts, &sim->alloc);
    ks_index_free(&sim->placements_by_name, &sim->alloc);
    ks_index_free(&sim->refusals_by_name, &sim->alloc);
    ks_index_free(&sim->texts_by_hash, &sim->alloc);
    ks_arena_free(&sim->arena);
    ks_arena_free(&sim->scratch);
    ks_alloc alloc = sim->alloc;
    ks_alloc_free(&alloc, sim, sizeof *sim);
}

/* ---- taking objects in ---- */

bool ks_sim_admit(const ks_sim *sim, ks_pod_spec *spec, ks_arena *arena)
{
    if (!sim->options.profile)
        spec->scheduler_name = (ks_str){0};
    return ks_admit(spec, arena);
}

int ks_sim_apply(ks_sim *sim, const ks_object *object, ks_error *err)
{
    if (sim->scheduler)
        return ks_scheduler_apply(sim->scheduler, object, sim->now_ms, err);
    return ks_cluster_apply(sim->cluster, object, err);
}

/* Pods that are not to be scheduled stay out, also if they were given before as ones that were. */
static int leave_out(ks_sim *sim, const ks_pod *pod, ks_error *err)
{
    const ks_object_meta *meta = &pod->metadata;
    if (!ks_pod_find(sim->cluster, ks_namespace_or_default(meta->namespace_), meta->name))
        return KS_OK;
    return ks_cluster_delete(sim->cluster, KS_POD, meta->namespace_, meta->name, err);
}

static int take_pod(ks_sim *sim, const ks_pod *pod, ks_error *err)
{
    const ks_object_meta *meta = &pod->metadata;
    if (pod->spec.node_name.len == 0 && !ks_sim_selects(sim, meta->namespace_, &meta->labels))
        return leave_out(sim, pod, err);
    ks_object admitted = {.kind = KS_POD, .pod = *pod};
    ks_arena_reset(&sim->scratch);
    if (!ks_sim_admit(sim, &admitted.pod.spec, &sim->scratch))
        return ks_fail_nomem(err);
    return ks_cluster_apply(sim->cluster, &admitted, err);
}

int ks_sim_take(void *ctx, const ks_object *object, ks_error *err)
{
    ks_sim *sim = ctx;
    int code = KS_OK;
    switch (object->kind) {
    case KS_POD:
        return take_pod(sim, &object->pod, err);
    case KS_DEPLOYMENT:
    case KS_REPLICA_SET:
    case KS_REPLICATION_CONTROLLER:
    case KS_STATEFUL_SET:
    case KS_DAEMON_SET:
    case KS_JOB:
    case KS_CRON_JOB:
        code = ks_given_keep(sim, object, err);
        break;
    default:
        break;
    }
    return code == KS_OK ? ks_cluster_apply(sim->cluster, object, err) : code;
}

/* ---- the run ---- */

static int make_scheduler(ks_sim *sim, ks_error *err)
{
    const ks_scheduler_options options = {
        .seed = sim->options.seed,
        .percentage_of_nodes_to_score = sim->cluster->profile.percentage_of_nodes_to_score,
        .max_backoff_ms = MAX_BACKOFF_MS,
        .deletes_victims = true,
        .sink = &ks_sim_sink,
        .sink_ctx = sim,
    };
    return ks_scheduler_new(&sim->scheduler, sim->cluster, &options, sim->now_ms, err);
}

static int fill_owner(ks_sim *sim, uint32_t owner, ks_error *err)
{
    const ks_owner_kind *how = sim->owners.items[owner]->how;
    return how ? how->fill(sim, owner, err) : KS_OK;
}

static int start(ks_sim *sim, ks_error *err)
{
    int code = ks_expand_prepare(sim, err);
    if (code == KS_OK)
        code = ks_census_take(sim, err);
    if (code == KS_OK)
        code = ks_census_group(sim, err);
    if (code == KS_OK)
        code = make_scheduler(sim, err);
    for (uint32_t i = 0; code == KS_OK && i < sim->owners.count; i++)
        code = fill_owner(sim, i, err);
    return code;
}

static int replace_lost(ks_sim *sim, const ks_lost *lost, ks_error *err)
{
    if (lost->owner == KS_NONE)
        return KS_OK;
    ks_owner *owner = sim->owners.items[lost->owner];
    owner->alive--;
    if (!owner->how)
        return KS_OK;
    if (owner->replaced >= REPLACEMENTS_MAX * owner->wanted) {
        owner->how = NULL;
        return KS_OK;
    }
    owner->replaced++;
    if (owner->how->lose)
        owner->how->lose(sim, lost->owner, lost->name, lost->node);
    return fill_owner(sim, lost->owner, err);
}

/* What controllers do once they have seen the step: pods that were evicted are made again, and a StatefulSet
 * goes on to its next pod. */
static int react(ks_sim *sim, ks_step step, ks_error *err)
{
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < sim->lost.count; i++)
        code = replace_lost(sim, &sim->lost.items[i], err);
    sim->lost.count = 0;
    if (code != KS_OK || step != KS_STEP_PLACED)
        return code;
    uint32_t owner = (uint32_t)sim->placements.items[sim->placements.count - 1].workload;
    return sim->owners.items[owner]->ordered ? fill_owner(sim, owner, err) : KS_OK;
}

/* Pods that an event may help are tried again when their backoff ends, which is never later than the longest
 * backoff behind the event. Whoever comes later saw nothing new, and would come for ever. */
int ks_sim_loop(ks_sim *sim, ks_error *err)
{
    for (;;) {
        int64_t next = ks_scheduler_next_time(sim->scheduler);
        if (next == KS_TIME_NEVER || next > sim->changed_ms + MAX_BACKOFF_MS)
            return KS_OK;
        if (next > sim->now_ms)
            sim->now_ms = next;
        ks_step step;
        int code = ks_scheduler_step(&step, sim->scheduler, sim->now_ms, err);
        if (code != KS_OK || step == KS_STEP_IDLE)
            return code;
        if (step != KS_STEP_UNSCHEDULABLE)
            sim->changed_ms = sim->now_ms;
        code = react(sim, step, err);
        if (code != KS_OK)
            return code;
    }
}

int ks_sim_run(ks_sim *sim, ks_error *err)
{
    if (sim->ran)
        return ks_fail(err, KS_EINVAL, "the simulation has run already");
    sim->ran = true;
    int code = start(sim, err);
    if (code == KS_OK)
        code = ks_sim_loop(sim, err);
    return code == KS_OK ? ks_record_unplaced(sim, err) : code;
}
