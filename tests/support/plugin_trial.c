// SPDX-License-Identifier: Apache-2.0
#include "support/plugin_trial.h"
#include "support/unit.h"
#include "util/str.h"
#include <inttypes.h>
#include <stdio.h>

void plugin_trial_begin(plugin_trial *t, const char *plugin, const ks_profile *profile,
                        const ks_allocator *allocator)
{
    *t = (plugin_trial){.plugin = plugin};
    decoded_memory_init(&t->memory, NULL);
    ks_plugin_use use = {.name = ks_str_of(plugin), .weight = 1, .filters = true, .scores = true};
    ks_profile own = profile ? *profile : (ks_profile){0};
    own.plugins.items = &use;
    own.plugins.count = 1;
    ks_cluster_options options = {.profile = &own, .gates = KS_GATES_DEFAULT, .allocator = allocator};
    ks_error err;
    assert_int_equal(ks_cluster_new(&t->cluster, &options, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&t->cycle, t->cluster, &err), KS_OK);
}

void plugin_trial_end(plugin_trial *t)
{
    ks_cycle_free(t->cycle);
    ks_cluster_free(t->cluster);
    decoded_memory_free(&t->memory);
}

ks_object plugin_trial_object(plugin_trial *t, ks_kind kind, const char *json)
{
    ks_object object = {.kind = kind};
    decoded_read(&object.metadata, ks_kind_schema(kind), &t->memory.arena, json);
    return object;
}

void plugin_trial_apply(plugin_trial *t, ks_kind kind, const char *json)
{
    ks_object object = plugin_trial_object(t, kind, json);
    ks_error err;
    if (ks_cluster_apply(t->cluster, &object, &err) != KS_OK)
        fail_msg("%s", err.message);
}

static size_t put_node(plugin_trial *t, size_t len, const ks_node_result *result, size_t node, bool scored)
{
    char *at = t->text + len;
    size_t room = sizeof t->text - len;
    int64_t score = result->score;
    int put;
    if (result->code != KS_SUCCESS)
        put = snprintf(at, room, "%.*s: %s: %.*s", KS_STR_ARG(result->name), ks_code_name(result->code),
                       KS_STR_ARG(ks_cycle_get_reason(t->cycle, node, 0)));
    else if (scored)
        put = snprintf(at, room, "%.*s: %" PRId64, KS_STR_ARG(result->name), score);
    else
        put = snprintf(at, room, "%.*s: fits", KS_STR_ARG(result->name));
    assert_true(put > 0 && (size_t)put < room);
    return len + (size_t)put;
}

/* The only plugin's score is the total, wherever either comes from. */
static bool is_scored(const plugin_trial *t, const ks_node_result *result, size_t node)
{
    int64_t score;
    if (result->code != KS_SUCCESS || !ks_cycle_get_plugin_score(t->cycle, t->plugin, node, &score))
        return false;
    assert_int_equal(score, result->score);
    return true;
}

const char *plugin_trial_run(plugin_trial *t, const char *pod)
{
    ks_object object = plugin_trial_object(t, KS_POD, pod);
    ks_error err;
    if (ks_cycle_run(t->cycle, &object.pod, &err) != KS_OK)
        fail_msg("%s", err.message);
    ks_cycle_summary summary = ks_cycle_get_summary(t->cycle);
    ks_code code = summary.pre_filter != KS_SUCCESS ? summary.pre_filter : summary.pre_score;
    if (code != KS_SUCCESS && code != KS_SKIP) {
        snprintf(t->text, sizeof t->text, "%s: %.*s", ks_code_name(code), KS_STR_ARG(summary.message));
        return t->text;
    }
    size_t len = 0;
    t->text[0] = '\0';
    for (size_t i = 0; i < summary.nodes; i++) {
        ks_node_result result = ks_cycle_get_node(t->cycle, i);
        if (i > 0)
            len += (size_t)snprintf(t->text + len, sizeof t->text - len, "; ");
        len = put_node(t, len, &result, i, is_scored(t, &result, i));
    }
    return t->text;
}

const char *plugin_trial_what_if(plugin_trial *t, size_t node, const char *added, const char *removed)
{
    ks_object come, gone;
    const ks_pod *coming[1], *going[1];
    ks_what_if change = {.added = coming, .removed = going};
    if (added) {
        come = plugin_trial_object(t, KS_POD, added);
        coming[change.added_count++] = &come.pod;
    }
    if (removed) {
        gone = plugin_trial_object(t, KS_POD, removed);
        going[change.removed_count++] = &gone.pod;
    }
    ks_node_result result;
    ks_error err;
    assert_int_equal(ks_cycle_what_if(&result, t->cycle, node, &change, &err), KS_OK);
    if (result.code == KS_SUCCESS)
        return "fits";
    snprintf(t->text, sizeof t->text, "%s: %.*s", ks_code_name(result.code), KS_STR_ARG(result.reason));
    return t->text;
}

const char *plugin_trial_hint(plugin_trial *t, const char *pending, ks_kind kind, const char *before,
                              const char *after)
{
    ks_object pod = plugin_trial_object(t, KS_POD, pending), was = {0}, is = {0};
    if (before)
        was = plugin_trial_object(t, kind, before);
    if (after)
        is = plugin_trial_object(t, kind, after);
    ks_hint hint;
    ks_error err;
    if (ks_cluster_hint(&hint, t->cluster, &pod.pod, before ? &was : NULL, after ? &is : NULL, &err) != KS_OK)
        fail_msg("%s", err.message);
    return hint == KS_HINT_QUEUE ? "queue" : "skip";
}

void plugin_trial_expect(const char *row, const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0)
        fail_msg("%s:\n  got    %s\n  wanted %s", row, got, wanted);
}
