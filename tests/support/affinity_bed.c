// SPDX-License-Identifier: Apache-2.0
#include "support/affinity_bed.h"
#include "support/unit.h"
#include "util/str.h"
#include <stdio.h>

void affinity_begin(affinity_bed *bed, ks_inter_pod_affinity_args args)
{
    ks_error err = {0};
    ks_plugin_use plugin = {KS_STR("InterPodAffinity"), 2, true, true};
    ks_profile profile = {.plugins = {&plugin, 1}, .inter_pod_affinity = args};
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    assert_int_equal(ks_cluster_new(&bed->cluster, &options, &err), KS_OK);
    assert_int_equal(ks_cycle_new(&bed->cycle, bed->cluster, &err), KS_OK);
}

void affinity_end(affinity_bed *bed)
{
    ks_cycle_free(bed->cycle);
    ks_cluster_free(bed->cluster);
}

void affinity_decode(const char *text, ks_object_fn visit, void *ctx)
{
    ks_error err = {0};
    ks_source source = {KS_STR("test"), ks_str_of(text)};
    if (ks_decode(source, NULL, visit, ctx, &err) != KS_OK)
        fail_msg("%s", err.message);
}

static int apply_object(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_cluster_apply(((affinity_bed *)ctx)->cluster, object, err);
}

static int run_pod(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_cycle_run(((affinity_bed *)ctx)->cycle, &object->pod, err);
}

/* ---- results in short ---- */

static const char *word_for(const ks_node_result *node)
{
    static const struct {
        const char *reason, *word;
        ks_code code;
    } words[] = {
        {"node(s) didn't match pod affinity rules", "affinity", KS_UNSCHEDULABLE_AND_UNRESOLVABLE},
        {"node(s) didn't match pod anti-affinity rules", "anti", KS_UNSCHEDULABLE},
        {"node(s) didn't satisfy existing pods anti-affinity rules", "existing", KS_UNSCHEDULABLE},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ks_str_eq(node->reason, ks_str_of(words[i].reason)) && node->code == words[i].code)
            return words[i].word;
    return node->code == KS_SUCCESS ? "ok" : ks_code_name(node->code);
}

/* "a=200 b=ok c=anti": a score, a pass where the plugin does not score, or why not. */
static void result(char *out, size_t size, const affinity_bed *bed)
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ks_cycle_get_summary(bed->cycle).nodes; i++) {
        ks_node_result node = ks_cycle_get_node(bed->cycle, i);
        int64_t score;
        at += (size_t)snprintf(out + at, size - at, "%s%.*s=", i ? " " : "", KS_STR_ARG(node.name));
        if (ks_cycle_get_plugin_score(bed->cycle, "InterPodAffinity", i, &score))
            at += (size_t)snprintf(out + at, size - at, "%d", (int)score);
        else
            at += (size_t)snprintf(out + at, size - at, "%s", word_for(&node));
    }
}

void affinity_apply(affinity_bed *bed, const char *objects)
{
    affinity_decode(objects, apply_object, bed);
}

void affinity_run(affinity_bed *bed, const char *pod)
{
    affinity_decode(pod, run_pod, bed);
}

void affinity_check(affinity_bed *bed, const char *name, const char *pod, const char *wanted)
{
    char got[512];
    affinity_run(bed, pod);
    result(got, sizeof got, bed);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s: %s, wanted %s", name, got, wanted);
}

void affinity_check_examples(const affinity_example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        affinity_bed bed;
        affinity_begin(&bed, (ks_inter_pod_affinity_args){1, false});
        affinity_apply(&bed, examples[i].objects);
        affinity_check(&bed, examples[i].name, examples[i].incoming, examples[i].wanted);
        affinity_end(&bed);
    }
}
