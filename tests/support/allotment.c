// SPDX-License-Identifier: Apache-2.0
#include "support/allotment.h"
#include "support/unit.h"
#include "util/str.h"
#include <stdio.h>

void allotment_begin(allotment *a, const ks_fit_args *fit, const ks_balanced_args *balanced)
{
    ks_plugin_use uses[] = {{KS_STR("NodeResourcesFit"), 1, true, true},
                            {KS_STR("NodeResourcesBalancedAllocation"), 1, false, true}};
    ks_profile profile = {.plugins = {uses, sizeof uses / sizeof *uses}};
    if (fit)
        profile.fit = *fit;
    if (balanced)
        profile.balanced = *balanced;
    ks_cluster_options options = {.profile = &profile, .gates = KS_GATES_DEFAULT};
    decoded_memory_init(&a->memory, NULL);
    ks_buf_init(&a->text, &a->memory.alloc);
    assert_int_equal(ks_cluster_new(&a->cluster, &options, NULL), KS_OK);
    assert_int_equal(ks_cycle_new(&a->cycle, a->cluster, NULL), KS_OK);
}

void allotment_end(allotment *a)
{
    ks_cycle_free(a->cycle);
    ks_cluster_free(a->cluster);
    ks_buf_free(&a->text);
    decoded_memory_free(&a->memory);
}

static const char *format(allotment *a, const char *before, const char *middle, const char *after)
{
    ks_str text;
    ks_buf_clear(&a->text);
    ks_buf_printf(&a->text, "%s%s%s", before, middle, after);
    assert_true(ks_arena_copy_str(&a->memory.arena, &text, ks_buf_str(&a->text)));
    return text.data;
}

ks_object allotment_node(allotment *a, const char *name, const char *allocatable)
{
    ks_object object = {.kind = KS_NODE};
    decoded_read(&object.node, &ks_node_schema, &a->memory.arena,
                 format(a, "{'status':{'allocatable':", allocatable, "}}"));
    object.node.metadata.name = ks_str_of(name);
    return object;
}

ks_object allotment_pod(allotment *a, const char *name, const char *node, const char *spec)
{
    ks_object object = {.kind = KS_POD};
    decoded_read(&object.pod.spec, &ks_pod_spec_schema, &a->memory.arena, format(a, "{", spec, "}"));
    object.pod.metadata.name = object.pod.metadata.uid = ks_str_of(name);
    object.pod.spec.node_name = ks_str_of(node);
    return object;
}

const char *allotment_asks(allotment *a, const char *requests)
{
    return format(a, "'containers':[{'name':'c','resources':{'requests':{", requests, "}}}]");
}

void allotment_apply(allotment *a, ks_object object)
{
    ks_error err = {0};
    if (ks_cluster_apply(a->cluster, &object, &err) != KS_OK)
        fail_msg("%s", err.message);
}

void allotment_run(allotment *a, const ks_pod *pod)
{
    ks_error err = {0};
    if (ks_cycle_run(a->cycle, pod, &err) != KS_OK)
        fail_msg("%s", err.message);
}

static void print_score(allotment *a, const char *plugin, size_t node)
{
    int64_t score;
    if (ks_cycle_get_plugin_score(a->cycle, plugin, node, &score))
        ks_buf_printf(&a->text, " %lld", (long long)score);
    else
        ks_buf_put_str(&a->text, KS_STR(" -"));
}

static void print_reasons(allotment *a, size_t node, ks_code code)
{
    ks_buf_put_str(&a->text, code == KS_UNSCHEDULABLE ? KS_STR(" U ") : KS_STR(" N "));
    ks_str reason = ks_cycle_get_reason(a->cycle, node, 0);
    for (size_t nth = 1; reason.data; reason = ks_cycle_get_reason(a->cycle, node, nth++))
        ks_buf_printf(&a->text, "%s%.*s", nth > 1 ? ", " : "", KS_STR_ARG(reason));
}

const char *allotment_report(allotment *a, const char *spec)
{
    ks_object pod = allotment_pod(a, "pending", NULL, spec);
    allotment_run(a, &pod.pod);
    ks_buf_clear(&a->text);
    for (size_t i = 0; i < ks_cycle_get_summary(a->cycle).nodes; i++) {
        ks_node_result node = ks_cycle_get_node(a->cycle, i);
        ks_buf_printf(&a->text, "%s%.*s", i ? "; " : "", KS_STR_ARG(node.name));
        if (node.code != KS_SUCCESS) {
            print_reasons(a, i, node.code);
            continue;
        }
        print_score(a, "NodeResourcesFit", i);
        print_score(a, "NodeResourcesBalancedAllocation", i);
    }
    return a->text.data;
}
