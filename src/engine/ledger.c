// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include <assert.h>

/* ---- room ---- */

static bool resize_scalar(ks_cluster *cluster, ks_scalar *scalar, uint32_t cap)
{
    if (cap <= scalar->usage_cap)
        return true;
    size_t old_size = scalar->usage_cap * sizeof *scalar->usage, size = cap * sizeof *scalar->usage;
    ks_scalar_usage *usage = ks_alloc_resize(&cluster->alloc, scalar->usage, old_size, size);
    if (!usage)
        return false;
    memset(usage + scalar->usage_cap, 0, size - old_size);
    scalar->usage = usage;
    scalar->usage_cap = cap;
    return true;
}

static bool resize_usage(ks_cluster *cluster, uint32_t cap)
{
    ks_ledger *ledger = &cluster->ledger;
    if (cap <= ledger->usage_cap)
        return true;
    size_t old_size = ledger->usage_cap * sizeof *ledger->usage, size = cap * sizeof *ledger->usage;
    ks_usage *usage = ks_alloc_resize(&cluster->alloc, ledger->usage, old_size, size);
    if (!usage)
        return false;
    memset(usage + ledger->usage_cap, 0, size - old_size);
    ledger->usage = usage;
    ledger->usage_cap = cap;
    return true;
}

bool ks_ledger_resize(ks_cluster *cluster, uint32_t cap)
{
    assert((cap & (cap - 1)) == 0);
    ks_ledger *ledger = &cluster->ledger;
    for (size_t i = 0; i < ledger->scalars.rows.count; i++) {
        ks_scalar *scalar = (ks_scalar *)ledger->scalars.rows.items[i];
        if (scalar && !resize_scalar(cluster, scalar, cap))
            return false;
    }
    if (!resize_usage(cluster, cap) ||
        !ks_column_resize(&ledger->changes, &cluster->alloc, &ledger->changes_cap, cap))
        return false;
    /* In a ring of another size the changes are no longer where they were. */
    ledger->changes_begin = ledger->changes_end;
    return true;
}

void ks_ledger_free(ks_cluster *cluster)
{
    ks_ledger *ledger = &cluster->ledger;
    ks_alloc_free(&cluster->alloc, ledger->usage, ledger->usage_cap * sizeof *ledger->usage);
    ks_alloc_free(&cluster->alloc, ledger->changes, ledger->changes_cap * sizeof *ledger->changes);
    ks_table_free(&ledger->demands, &cluster->alloc);
    ks_table_free(&ledger->scalars, &cluster->alloc);
}

/* ---- events ---- */

static void note_change(ks_ledger *ledger, uint32_t node)
{
    ledger->changes[ledger->changes_end++ & (ledger->changes_cap - 1)] = node;
    if (ledger->changes_end - ledger->changes_begin > ledger->changes_cap)
        ledger->changes_begin++;
}

void ks_ledger_add(ks_cluster *cluster, uint32_t node, const ks_demand *demand)
{
    ks_usage *usage = &cluster->ledger.usage[node];
    for (int base = 0; base < KS_BASE_RESOURCES; base++) {
        usage->requested.of[base] = ks_wrapping_add(usage->requested.of[base], demand->asked.of[base]);
        usage->nonzero.of[base] = ks_wrapping_add(usage->nonzero.of[base], demand->nonzero.of[base]);
    }
    for (size_t i = 0; i < demand->scalars_count; i++) {
        int64_t *requested = &demand->scalars[i].scalar->usage[node].requested;
        *requested = ks_wrapping_add(*requested, demand->scalars[i].asked);
    }
    note_change(&cluster->ledger, node);
}

void ks_ledger_sub(ks_cluster *cluster, uint32_t node, const ks_demand *demand)
{
    ks_usage *usage = &cluster->ledger.usage[node];
    for (int base = 0; base < KS_BASE_RESOURCES; base++) {
        usage->requested.of[base] = ks_wrapping_sub(usage->requested.of[base], demand->asked.of[base]);
        usage->nonzero.of[base] = ks_wrapping_sub(usage->nonzero.of[base], demand->nonzero.of[base]);
    }
    for (size_t i = 0; i < demand->scalars_count; i++) {
        int64_t *requested = &demand->scalars[i].scalar->usage[node].requested;
        *requested = ks_wrapping_sub(*requested, demand->scalars[i].asked);
    }
    note_change(&cluster->ledger, node);
}

void ks_ledger_set_node(ks_cluster *cluster, uint32_t node, const ks_node *now)
{
    ks_ledger *ledger = &cluster->ledger;
    const ks_resources *allocatable = &now->status.allocatable;
    for (int base = 0; base < KS_BASE_RESOURCES; base++)
        ledger->usage[node].allocatable.of[base] =
            ks_resources_amount(allocatable, ks_base_resource_name(base));
    for (size_t i = 0; i < ledger->scalars.rows.count; i++) {
        ks_scalar *scalar = (ks_scalar *)ledger->scalars.rows.items[i];
        if (scalar)
            scalar->usage[node].allocatable = ks_resources_amount(allocatable, ks_scalar_name(scalar));
    }
    note_change(ledger, node);
}
