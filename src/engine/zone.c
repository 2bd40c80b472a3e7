// SPDX-License-Identifier: Apache-2.0
#include "engine/zone.h"

/* What tells zones apart. Absent and empty parts are the same. */
typedef struct zone_key {
    ks_str region, zone;
} zone_key;

/* While zones are numbered: a key for each. */
typedef struct numbering {
    KS_VEC(zone_key) keys;
    ks_index index;
} numbering;

static ks_str label_or(const ks_labels *labels, ks_str key, ks_str other)
{
    ks_str value = ks_labels_get(labels, key);
    return value.data ? value : ks_labels_get(labels, other);
}

/* The older labels go first, as in GetZoneKey of Kubernetes' component helpers. */
static zone_key key_of(const ks_labels *labels)
{
    return (zone_key){label_or(labels, KS_STR("failure-domain.beta.kubernetes.io/region"),
                               KS_STR("topology.kubernetes.io/region")),
                      label_or(labels, KS_STR("failure-domain.beta.kubernetes.io/zone"),
                               KS_STR("topology.kubernetes.io/zone"))};
}

static bool key_is(const void *ctx, uint32_t row, const void *wanted)
{
    const zone_key *a = &((const numbering *)ctx)->keys.items[row], *b = wanted;
    return ks_str_eq(a->region, b->region) && ks_str_eq(a->zone, b->zone);
}

/* The key's number, from 1; KS_NONE on want of memory. */
static uint32_t number_of(numbering *n, const zone_key *key, ks_alloc *alloc)
{
    if (key->region.len == 0 && key->zone.len == 0)
        return KS_ZONE_NONE;
    uint64_t hash = ks_hash_bytes(key->zone.data, key->zone.len, ks_str_hash(key->region));
    uint32_t row = ks_index_find(&n->index, hash, key_is, n, key);
    if (row != KS_NONE)
        return row + 1;
    if (!ks_index_reserve(&n->index, alloc) || !ks_vec_push(&n->keys, alloc, *key))
        return KS_NONE;
    ks_index_add(&n->index, hash, (uint32_t)n->keys.count - 1);
    return (uint32_t)n->keys.count;
}

static bool number_zones(ks_zones *zones, ks_cluster *cluster)
{
    ks_alloc *alloc = &cluster->alloc;
    numbering n = {0};
    bool ok = true;
    memset(zones->zone_of, 0, zones->cap * sizeof *zones->zone_of);
    for (uint32_t i = ks_nodeset_next(&cluster->present, 0); ok && i != KS_NODESET_END;
         i = ks_nodeset_next(&cluster->present, i + 1)) {
        zone_key key = key_of(&ks_node_at(cluster, i)->node.metadata.labels);
        zones->zone_of[i] = number_of(&n, &key, alloc);
        ok = zones->zone_of[i] != KS_NONE;
    }
    zones->count = (uint32_t)n.keys.count + 1;
    ks_vec_free(&n.keys, alloc);
    ks_index_free(&n.index, alloc);
    return ok;
}

const ks_zones *ks_zones_get(ks_cluster *cluster)
{
    if (!cluster->zones) {
        cluster->zones = ks_alloc_get_zeroed(&cluster->alloc, sizeof *cluster->zones);
        if (!cluster->zones)
            return NULL;
        cluster->zones->version = UINT64_MAX;
    }
    ks_zones *zones = cluster->zones;
    _Static_assert(KS_ZONE_NONE == 0, "columns are zeroed");
    if (zones->version == cluster->nodes_version)
        return zones;
    zones->version = UINT64_MAX;
    if (!ks_column_resize(&zones->zone_of, &cluster->alloc, &zones->cap, cluster->node_cap) ||
        !number_zones(zones, cluster))
        return NULL;
    zones->version = cluster->nodes_version;
    return zones;
}

void ks_zones_free(ks_cluster *cluster)
{
    ks_zones *zones = cluster->zones;
    if (!zones)
        return;
    ks_alloc_free(&cluster->alloc, zones->zone_of, zones->cap * sizeof *zones->zone_of);
    ks_alloc_free(&cluster->alloc, zones, sizeof *zones);
}
