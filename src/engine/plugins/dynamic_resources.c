// SPDX-License-Identifier: Apache-2.0
/* DynamicResources: pods that claim devices. Allocating devices is not done here, so such pods are left
 * pending and told why, rather than placed where they could not run. */
#include "engine/plugins/helpers.h"

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    (void)state;
    *out = (ks_status){.code = KS_SKIP};
    const ks_pod_spec *spec = &cycle->spec->spec;
    if (spec->resource_claims.count == 0)
        return KS_OK;
    ks_buf buf;
    ks_buf_init(&buf, &cycle->cluster->alloc);
    ks_buf_printf(&buf, "pod claims devices (\"%.*s\"), which kubespread cannot allocate",
                  KS_STR_ARG(spec->resource_claims.items[0].name));
    bool ok = !buf.failed && ks_arena_copy_str(&cycle->arena, &out->message, ks_buf_str(&buf));
    ks_buf_free(&buf);
    out->code = KS_UNSCHEDULABLE_AND_UNRESOLVABLE;
    return ok ? KS_OK : ks_fail_nomem(err);
}

const ks_plugin ks_dynamic_resources = {
    .name = "DynamicResources",
    .pre_filter = pre_filter,
    .filter = ks_no_filter,
    .judge = ks_no_judge,
    .pre_score = ks_no_pre_score,
    .score = ks_no_score,
    .normalize = ks_no_score,
    .what_if = ks_no_what_if,
    .hint = ks_no_hint,
    .release = ks_no_release,
};
