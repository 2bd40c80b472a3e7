// SPDX-License-Identifier: Apache-2.0
#include "support/trial.h"
#include "support/compare.h"
#include <stdio.h>
#include <stdlib.h>

static void must(int rc, const ks_error *err)
{
    if (rc == KS_OK)
        return;
    fprintf(stderr, "unexpected error %d: %s\n", rc, err->message);
    abort();
}

void trial_prepare(trial *t, const trial_options *options)
{
    *t = (trial){
        .plugin = {.name = KS_STR("PodTopologySpread"), .weight = 2, .filters = true, .scores = true}};
    world_init(&t->world, options->seed, &options->size);
    ks_alloc_init(&t->alloc, NULL);
    ks_arena_init(&t->arena, &t->alloc);
    ks_arena_init(&t->setup, &t->alloc);
    ks_buf_init(&t->differences, &t->alloc);
    t->defaults.defaulting_type = options->list_defaults ? KS_STR("List") : KS_STR("System");
    if (options->list_defaults) {
        random_source random = random_seed(options->seed);
        random_default_constraints(&t->defaults.default_constraints, &random, &t->setup);
    }
    t->plain = (plain_cluster){.gates = options->gates, .defaults = &t->defaults, .weight = t->plugin.weight};
    t->profile = (ks_profile){.plugins = {&t->plugin, 1}, .spread = t->defaults};
    t->options = (ks_cluster_options){.allocator = options->allocator,
                                      .profile = &t->profile,
                                      .gates = options->gates,
                                      .counter_bytes_max = options->counter_bytes_max};
}

void trial_begin(trial *t, const trial_options *options)
{
    ks_error err = {0};
    trial_prepare(t, options);
    must(ks_cluster_new(&t->cluster, &t->options, &err), &err);
    must(ks_cycle_new(&t->cycle, t->cluster, &err), &err);
}

void trial_end(trial *t)
{
    ks_cycle_free(t->cycle);
    ks_cluster_free(t->cluster);
    world_free(&t->world);
    ks_buf_free(&t->differences);
    ks_arena_free(&t->arena);
    ks_arena_free(&t->setup);
}

static const char *compare(trial *t, const ks_pod *pod, plain_result *plain)
{
    ks_error err = {0};
    world_view(&t->world, &t->plain);
    plain_run(plain, &t->plain, pod, &t->arena);
    ks_buf_clear(&t->differences);
    if (ks_cycle_run(t->cycle, pod, &err) != KS_OK)
        ks_buf_printf(&t->differences, "the cycle failed: %s\n", err.message);
    else
        compare_cycle(&t->differences, t->cycle, plain);
    return ks_buf_str(&t->differences).data;
}

const char *trial_compare(trial *t, const ks_pod *pod, plain_result *plain)
{
    ks_arena_reset(&t->arena);
    return compare(t, pod, plain);
}

const char *trial_compare_pending(trial *t, plain_result *plain)
{
    ks_pod pod;
    ks_arena_reset(&t->arena);
    world_pending(&t->world, &pod, &t->arena);
    return compare(t, &pod, plain);
}
