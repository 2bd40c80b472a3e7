// SPDX-License-Identifier: Apache-2.0
#include "model/selector.h"

/* The operators Lt and Gt tolerate nothing: their gate (TaintTolerationComparisonOperators) is off in the
 * Kubernetes release that is followed. */
bool ks_toleration_tolerates(const ks_toleration *toleration, const ks_taint *taint)
{
    if (toleration->effect.len && !ks_str_eq(toleration->effect, taint->effect))
        return false;
    if (toleration->key.len && !ks_str_eq(toleration->key, taint->key))
        return false;
    if (toleration->op.len == 0 || ks_str_eq(toleration->op, KS_STR("Equal")))
        return ks_str_eq(toleration->value, taint->value);
    return ks_str_eq(toleration->op, KS_STR("Exists"));
}

static bool keeps_pods_off(const ks_taint *taint)
{
    return ks_str_eq(taint->effect, KS_STR("NoSchedule")) || ks_str_eq(taint->effect, KS_STR("NoExecute"));
}

static bool is_tolerated(const ks_taint *taint, const ks_tolerations *tolerations)
{
    for (size_t i = 0; i < tolerations->count; i++)
        if (ks_toleration_tolerates(&tolerations->items[i], taint))
            return true;
    return false;
}

const ks_taint *ks_untolerated_taint(const ks_taints *taints, const ks_tolerations *tolerations)
{
    for (size_t i = 0; i < taints->count; i++)
        if (keeps_pods_off(&taints->items[i]) && !is_tolerated(&taints->items[i], tolerations))
            return &taints->items[i];
    return NULL;
}
