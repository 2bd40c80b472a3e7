// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"

/* Domains with more nodes than this are kept as bits, too: from there on a few words are cheaper to merge
 * than the nodes one by one. */
enum { DOMAIN_SET_ABOVE = 64 };

/* ---- domains ---- */

void ks_domain_add_to(const ks_domain *domain, ks_nodeset *set)
{
    if (domain->set.nwords)
        ks_nodeset_or(set, &domain->set);
    else
        for (size_t i = 0; i < domain->nodes.count; i++)
            ks_nodeset_add(set, domain->nodes.items[i]);
}

void ks_domain_take_from(const ks_domain *domain, ks_nodeset *set)
{
    if (domain->set.nwords)
        ks_nodeset_and_not(set, &domain->set);
    else
        for (size_t i = 0; i < domain->nodes.count; i++)
            ks_nodeset_del(set, domain->nodes.items[i]);
}

bool ks_domain_intersects(const ks_domain *domain, const ks_nodeset *set)
{
    if (domain->set.nwords)
        return ks_nodeset_intersects(set, &domain->set);
    for (size_t i = 0; i < domain->nodes.count; i++)
        if (ks_nodeset_has(set, domain->nodes.items[i]))
            return true;
    return false;
}

static void free_domain(ks_cluster *cluster, ks_domain *domain)
{
    if (domain->value.len)
        ks_alloc_free(&cluster->counting, (char *)domain->value.data, domain->value.len);
    ks_vec_free(&domain->nodes, &cluster->counting);
    ks_nodeset_free(&domain->set, &cluster->counting);
    *domain = (ks_domain){0};
}

static bool value_is(const void *ctx, uint32_t id, const void *value)
{
    const ks_topology *topology = ctx;
    return ks_str_eq(topology->domains.items[id].value, *(const ks_str *)value);
}

static uint32_t find_domain(const ks_topology *topology, ks_str value)
{
    if (value.len == 0)
        return KS_DOMAIN_EMPTY_VALUE;
    return ks_index_find(&topology->by_value, ks_str_hash(value), value_is, topology, &value);
}

static bool reserve_domain(ks_cluster *cluster, ks_topology *topology)
{
    ks_alloc *alloc = &cluster->counting;
    size_t want = topology->domains.count + 1;
    if (want >= KS_NONE || !ks_vec_reserve(&topology->domains, alloc, want) ||
        !ks_vec_reserve(&topology->free_domains, alloc, want) ||
        !ks_index_reserve(&topology->by_value, alloc))
        return false;
    for (size_t i = 0; i < topology->counters.count; i++)
        if (!ks_counter_resize_domains(cluster, topology->counters.items[i], (uint32_t)want))
            return false;
    for (size_t i = 0; i < topology->tallies.count; i++)
        if (!ks_tally_resize_domains(topology->tallies.items[i], (uint32_t)want))
            return false;
    return true;
}

/* A domain without nodes, or KS_NONE on failure. */
static uint32_t make_domain(ks_cluster *cluster, ks_topology *topology, ks_str value)
{
    if (!reserve_domain(cluster, topology))
        return KS_NONE;
    char *copy = ks_alloc_get(&cluster->counting, value.len);
    if (!copy && value.len)
        return KS_NONE;
    if (value.len)
        memcpy(copy, value.data, value.len);
    uint32_t id = topology->free_domains.count ? topology->free_domains.items[--topology->free_domains.count]
                                               : (uint32_t)topology->domains.count++;
    topology->domains.items[id] = (ks_domain){.value = {copy ? copy : "", value.len}};
    if (value.len)
        ks_index_add(&topology->by_value, ks_str_hash(value), id);
    return id;
}

static void drop_domain(ks_cluster *cluster, ks_topology *topology, uint32_t id)
{
    ks_domain *domain = &topology->domains.items[id];
    ks_index_remove(&topology->by_value, ks_str_hash(domain->value), id);
    free_domain(cluster, domain);
    topology->free_domains.items[topology->free_domains.count++] = id;
}

/* ---- nodes ---- */

static bool reserve_member(ks_cluster *cluster, ks_domain *domain)
{
    size_t want = domain->nodes.count + 1;
    if (!ks_vec_reserve(&domain->nodes, &cluster->counting, want))
        return false;
    if (want <= DOMAIN_SET_ABOVE || domain->set.nwords)
        return true;
    if (!ks_nodeset_resize(&domain->set, &cluster->counting, cluster->node_cap))
        return false;
    for (size_t i = 0; i < domain->nodes.count; i++)
        ks_nodeset_add(&domain->set, domain->nodes.items[i]);
    return true;
}

bool ks_topology_reserve(ks_cluster *cluster, ks_topology *topology, const ks_labels *labels)
{
    ks_str value = ks_labels_get(labels, ks_topology_key(topology));
    if (!value.data)
        return true;
    uint32_t id = find_domain(topology, value);
    if (id == KS_NONE)
        id = make_domain(cluster, topology, value);
    return id != KS_NONE && reserve_member(cluster, &topology->domains.items[id]);
}

void ks_topology_reap(ks_cluster *cluster, ks_topology *topology)
{
    for (uint32_t id = KS_DOMAIN_EMPTY_VALUE + 1; id < topology->domains.count; id++) {
        const ks_domain *domain = &topology->domains.items[id];
        if (domain->value.len > 0 && domain->nodes.count == 0)
            drop_domain(cluster, topology, id);
    }
}

static void join_domain(ks_topology *topology, uint32_t node, uint32_t id)
{
    ks_domain *domain = &topology->domains.items[id];
    domain->nodes.items[domain->nodes.count++] = node;
    if (domain->set.nwords)
        ks_nodeset_add(&domain->set, node);
    topology->domain_of[node] = id;
    ks_nodeset_add(&topology->has, node);
}

static void leave_domain(ks_cluster *cluster, ks_topology *topology, uint32_t node)
{
    uint32_t id = topology->domain_of[node];
    ks_domain *domain = &topology->domains.items[id];
    ks_vec_remove_value(&domain->nodes, node);
    if (domain->set.nwords)
        ks_nodeset_del(&domain->set, node);
    ks_nodeset_del(&topology->has, node);
    topology->domain_of[node] = KS_DOMAIN_EMPTY_VALUE;
    if (domain->nodes.count == 0 && id != KS_DOMAIN_EMPTY_VALUE)
        drop_domain(cluster, topology, id);
}

void ks_topology_place(ks_cluster *cluster, ks_topology *topology, uint32_t node, const ks_labels *labels)
{
    ks_str value = ks_labels_get(labels, ks_topology_key(topology));
    uint32_t id = value.data ? find_domain(topology, value) : KS_NONE;
    bool had = ks_nodeset_has(&topology->has, node);
    if (had && topology->domain_of[node] == id)
        return;
    if (had)
        leave_domain(cluster, topology, node);
    if (value.data)
        join_domain(topology, node, id);
}

bool ks_topology_resize(ks_cluster *cluster, ks_topology *topology, uint32_t node_cap)
{
    ks_alloc *alloc = &cluster->counting;
    for (size_t i = 0; i < topology->domains.count; i++) {
        ks_nodeset *set = &topology->domains.items[i].set;
        if (set->nwords && !ks_nodeset_resize(set, alloc, node_cap))
            return false;
    }
    return ks_nodeset_resize(&topology->has, alloc, node_cap) &&
           ks_column_resize(&topology->domain_of, alloc, &topology->domain_of_cap, node_cap);
}

/* ---- topologies ---- */

static bool has_key(const ks_row *row, const void *key)
{
    return ks_str_eq(ks_topology_key((const ks_topology *)row), *(const ks_str *)key);
}

static void free_topology(ks_cluster *cluster, ks_topology *topology)
{
    ks_alloc *alloc = &cluster->counting;
    for (size_t i = 0; i < topology->domains.count; i++)
        free_domain(cluster, &topology->domains.items[i]);
    ks_vec_free(&topology->domains, alloc);
    ks_vec_free(&topology->free_domains, alloc);
    ks_vec_free(&topology->counters, alloc);
    ks_vec_free(&topology->tallies, alloc);
    ks_index_free(&topology->by_value, alloc);
    ks_nodeset_free(&topology->has, alloc);
    ks_alloc_free(alloc, topology->domain_of, topology->domain_of_cap * sizeof *topology->domain_of);
    ks_alloc_free(alloc, topology, sizeof *topology + topology->key_len);
}

static bool fill_topology(ks_cluster *cluster, ks_topology *topology)
{
    if (make_domain(cluster, topology, KS_STR("")) == KS_NONE ||
        !ks_topology_resize(cluster, topology, cluster->node_cap))
        return false;
    for (uint32_t i = ks_nodeset_next(&cluster->present, 0); i != KS_NODESET_END;
         i = ks_nodeset_next(&cluster->present, i + 1)) {
        const ks_node_row *node = (const ks_node_row *)cluster->nodes.rows.items[i];
        if (!ks_topology_reserve(cluster, topology, &node->node.metadata.labels))
            return false;
        ks_topology_place(cluster, topology, i, &node->node.metadata.labels);
    }
    return true;
}

static ks_topology *make_topology(ks_cluster *cluster, ks_str key)
{
    if (!ks_table_reserve(&cluster->topologies, &cluster->counting))
        return NULL;
    ks_topology *topology = ks_alloc_get_zeroed(&cluster->counting, sizeof *topology + key.len);
    if (!topology)
        return NULL;
    topology->key_len = key.len;
    memcpy(topology->key, key.data, key.len);
    if (!fill_topology(cluster, topology)) {
        free_topology(cluster, topology);
        return NULL;
    }
    ks_table_add(&cluster->topologies, &topology->row, ks_str_hash(key));
    return topology;
}

ks_topology *ks_topology_get(ks_cluster *cluster, ks_str key)
{
    ks_topology *topology =
        (ks_topology *)ks_table_find(&cluster->topologies, ks_str_hash(key), has_key, &key);
    if (!topology)
        topology = make_topology(cluster, key);
    if (topology)
        topology->row.refs++;
    return topology;
}

void ks_topology_unref(ks_cluster *cluster, ks_topology *topology)
{
    if (!topology || --topology->row.refs > 0)
        return;
    ks_table_remove(&cluster->topologies, &topology->row);
    free_topology(cluster, topology);
}
