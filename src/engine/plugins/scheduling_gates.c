// SPDX-License-Identifier: Apache-2.0
/* SchedulingGates: a pod with gates is not tried before the last one is lifted. It decides before the queue,
 * so it is no part of a cycle. */
#include "engine/plugins/scheduling_gates.h"

bool ks_pod_is_gated(const ks_pod_spec *spec)
{
    return spec->scheduling_gates.count > 0;
}

void ks_pod_gates_print(ks_buf *buf, const ks_pod_spec *spec)
{
    ks_buf_printf(buf, "waiting for scheduling gates: [");
    for (size_t i = 0; i < spec->scheduling_gates.count; i++) {
        ks_buf_put_str(buf, i ? KS_STR(" ") : KS_STR(""));
        ks_buf_put_str(buf, spec->scheduling_gates.items[i].name);
    }
    ks_buf_put_char(buf, ']');
}
