// SPDX-License-Identifier: Apache-2.0
#include "support/storage.h"
#include "support/unit.h"

static const ks_plugin_use uses[] = {{{"VolumeBinding", 13}, 0, true, false},
                                     {{"VolumeZone", 10}, 0, true, false},
                                     {{"DynamicResources", 16}, 0, true, false}};

void storage_begin(storage_bed *bed, size_t plugins, const ks_allocator *allocator)
{
    ks_profile profile = {.plugins = {(ks_plugin_use *)uses, plugins}};
    ks_cluster_options options = {.allocator = allocator, .profile = &profile, .gates = KS_GATES_DEFAULT};
    assert_int_equal(ks_cluster_new(&bed->cluster, &options, NULL), KS_OK);
    assert_int_equal(ks_cycle_new(&bed->cycle, bed->cluster, NULL), KS_OK);
}

void storage_end(storage_bed *bed)
{
    ks_cycle_free(bed->cycle);
    ks_cluster_free(bed->cluster);
}

int storage_decode(const char *text, ks_object_fn object, void *ctx, ks_error *err)
{
    return ks_decode((ks_source){KS_STR("text"), ks_str_of(text)}, NULL, object, ctx, err);
}

int storage_apply(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_cluster_apply(((storage_bed *)ctx)->cluster, object, err);
}

int storage_run(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_cycle_run(((storage_bed *)ctx)->cycle, &object->pod, err);
}

void storage_put(ks_buf *out, const ks_cycle *cycle)
{
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    ks_node_result first = ks_cycle_get_node(cycle, 0);
    if (summary.pre_filter != KS_SUCCESS) {
        assert_int_equal(first.code, KS_UNSCHEDULABLE_AND_UNRESOLVABLE);
        ks_buf_printf(out, "%.*s: %.*s", KS_STR_ARG(first.plugin), KS_STR_ARG(summary.message));
        return;
    }
    for (size_t i = 0; i < summary.nodes; i++) {
        ks_node_result node = ks_cycle_get_node(cycle, i);
        ks_buf_put_str(out, node.name);
        if (node.code != KS_SUCCESS)
            assert_int_equal(node.code, KS_UNSCHEDULABLE_AND_UNRESOLVABLE);
        ks_str reason;
        for (size_t nth = 0; node.code != KS_SUCCESS && (reason = ks_cycle_get_reason(cycle, i, nth)).data;
             nth++)
            ks_buf_printf(out, "%s%.*s", nth ? ", " : " ", KS_STR_ARG(reason));
        ks_buf_put_char(out, '\n');
    }
}

void storage_check(const char *name, const ks_cycle *cycle, const char *want)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf got;
    ks_buf_init(&got, &alloc);
    storage_put(&got, cycle);
    if (!ks_str_eq(ks_buf_str(&got), ks_str_of(want)))
        fail_msg("%s:\n%s\nwanted\n%s", name, got.data, want);
    ks_buf_free(&got);
}
