// SPDX-License-Identifier: Apache-2.0
/* What the API server would say of a pod's spread constraints, in its own words. */
#ifndef KUBESPREAD_VALIDATE_H
#define KUBESPREAD_VALIDATE_H

#include <kubespread/config.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called with each fault, complete with its field path:
 *   spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero
 * The string is NUL-terminated and valid until the callback returns. Where a callback is asked for, NULL
 * means that the number of faults is enough. */
typedef void (*ks_fault_fn)(void *ctx, ks_str fault);

/* Reports every fault of a pod's topologySpreadConstraints in the API server's order. Fields behind a
 * gate that is off are not looked at, as the API server drops them. `count` receives the number of
 * faults; the return is not 0 only for want of memory. */
KS_API int ks_pod_validate(size_t *count, const ks_pod *pod, ks_gates gates, const ks_allocator *allocator,
                           ks_fault_fn fault, void *ctx, ks_error *err);

/* The same for PodTopologySpreadArgs, as kube-scheduler checks them; `path` comes before each field path
 * ("profiles[0].pluginConfig[0].args") and may be absent. */
KS_API int ks_spread_args_validate(size_t *count, const ks_spread_args *args, ks_str path,
                                   const ks_allocator *allocator, ks_fault_fn fault, void *ctx,
                                   ks_error *err);

#ifdef __cplusplus
}
#endif
#endif
