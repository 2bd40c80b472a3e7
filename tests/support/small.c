// SPDX-License-Identifier: Apache-2.0
#include "support/small.h"
#include "support/unit.h"
#include "util/str.h"

void small_begin(small *s, int32_t weight, size_t counter_bytes_max)
{
    ks_error err = {0};
    ks_plugin_use plugin;
    ks_profile profile = make_spread_profile(&plugin);
    plugin.weight = weight;
    ks_cluster_options options = {
        .profile = &profile, .gates = KS_GATES_DEFAULT, .counter_bytes_max = counter_bytes_max};
    assert_int_equal(ks_cluster_new(&s->cluster, &options, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&s->cycle, s->cluster, &err), KS_OK);
}

int small_setup(void **state)
{
    static small s;
    ks_alloc_init(&s.alloc, NULL);
    ks_arena_init(&s.arena, &s.alloc);
    small_begin(&s, 2, 0);
    *state = &s;
    return 0;
}

void small_end(small *s)
{
    ks_cycle_free(s->cycle);
    ks_cluster_free(s->cluster);
}

int small_teardown(void **state)
{
    small *s = *state;
    small_end(s);
    ks_arena_free(&s->arena);
    return 0;
}

void small_apply(small *s, ks_object object)
{
    ks_error err = {0};
    if (ks_cluster_apply(s->cluster, &object, &err) != KS_OK)
        fail_msg("%s", err.message);
}

void small_delete(small *s, ks_kind kind, const char *namespace_, const char *name)
{
    ks_error err = {0};
    if (ks_cluster_delete(s->cluster, kind, ks_str_of(namespace_), ks_str_of(name), &err) != KS_OK)
        fail_msg("%s", err.message);
}

ks_cycle_summary small_run(small *s, const ks_pod *pod)
{
    ks_error err = {0};
    if (ks_cycle_run(s->cycle, pod, &err) != KS_OK)
        fail_msg("%s", err.message);
    return ks_cycle_get_summary(s->cycle);
}

ks_object small_web_pod(small *s, const char *when, int32_t max_skew)
{
    ks_object pod = make_pod(&s->arena, "pending", "app=web", NULL);
    const made_constraint constraints[] = {{"zone", when, "app=web", max_skew, NULL}, {0}};
    make_constraints(&pod.pod, &s->arena, constraints);
    return pod;
}

static const char *codes(small *s, char *out)
{
    static const char letters[] = {[KS_SUCCESS] = 'S',
                                   [KS_ERROR] = 'E',
                                   [KS_UNSCHEDULABLE] = 'U',
                                   [KS_UNSCHEDULABLE_AND_UNRESOLVABLE] = 'N'};
    size_t nodes = ks_cycle_get_summary(s->cycle).nodes;
    for (size_t i = 0; i < nodes; i++)
        out[i] = letters[ks_cycle_get_node(s->cycle, i).code];
    out[nodes] = '\0';
    return out;
}

void small_assert_codes(small *s, const ks_pod *pod, const char *wanted)
{
    char word[64];
    small_run(s, pod);
    assert_string_equal(codes(s, word), wanted);
}

void small_assert_text(ks_str text, const char *wanted)
{
    if (!ks_str_eq(text, ks_str_of(wanted)))
        fail_msg("\"%.*s\", wanted \"%s\"", KS_STR_ARG(text), wanted);
}
