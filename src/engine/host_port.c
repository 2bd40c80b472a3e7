// SPDX-License-Identifier: Apache-2.0
#include "engine/host_port.h"

#define ANY_ADDRESS "0.0.0.0"

/* ---- what pods ask for ---- */

/* Init containers come first, as in kube-scheduler. */
static const ks_container *container_at(const ks_pod_spec *spec, size_t at)
{
    size_t before = spec->init_containers.count;
    if (at < before)
        return &spec->init_containers.items[at];
    return at - before < spec->containers.count ? &spec->containers.items[at - before] : NULL;
}

static bool keeps_running(const ks_pod_spec *spec, size_t at)
{
    return at >= spec->init_containers.count ||
           ks_str_eq(spec->init_containers.items[at].restart_policy, KS_STR("Always"));
}

static ks_wanted_port wanted_port(const ks_container_port *port)
{
    return (ks_wanted_port){
        .port = port->host_port,
        .protocol = port->protocol.len ? port->protocol : KS_STR("TCP"),
        .ip = port->host_ip.len ? port->host_ip : KS_STR(ANY_ADDRESS),
    };
}

bool ks_port_next(ks_wanted_port *out, ks_port_iterator *at, const ks_pod_spec *spec)
{
    for (const ks_container *container; (container = container_at(spec, at->container)); at->container++) {
        while (keeps_running(spec, at->container) && at->port < container->ports.count) {
            const ks_container_port *port = &container->ports.items[at->port++];
            if (port->host_port <= 0)
                continue;
            *out = wanted_port(port);
            return true;
        }
        at->port = 0;
    }
    return false;
}

bool ks_ports_conflict(const ks_wanted_port *a, const ks_wanted_port *b)
{
    return a->port == b->port && ks_str_eq(a->protocol, b->protocol) &&
           (ks_str_eq(a->ip, b->ip) || ks_str_eq(a->ip, KS_STR(ANY_ADDRESS)) ||
            ks_str_eq(b->ip, KS_STR(ANY_ADDRESS)));
}

/* ---- ports come and go with specs ---- */

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_host_port *a = (const ks_host_port *)row;
    const ks_wanted_port *b = wanted;
    return a->port == b->port && ks_str_eq(a->protocol, b->protocol) && ks_str_eq(a->ip, b->ip);
}

static size_t size_of(const ks_host_port *port)
{
    return sizeof *port + port->protocol.len + port->ip.len;
}

static ks_host_port *make_port(ks_cluster *cluster, const ks_wanted_port *wanted, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->host_ports, &cluster->alloc))
        return NULL;
    size_t size = sizeof(ks_host_port) + wanted->protocol.len + wanted->ip.len;
    ks_host_port *port = ks_alloc_get_zeroed(&cluster->alloc, size);
    if (!port)
        return NULL;
    if (!ks_nodeset_resize(&port->nodes, &cluster->alloc, cluster->node_cap)) {
        ks_alloc_free(&cluster->alloc, port, size);
        return NULL;
    }
    port->port = wanted->port;
    memcpy(port->text, wanted->protocol.data, wanted->protocol.len);
    memcpy(port->text + wanted->protocol.len, wanted->ip.data, wanted->ip.len);
    port->protocol = (ks_str){port->text, wanted->protocol.len};
    port->ip = (ks_str){port->text + wanted->protocol.len, wanted->ip.len};
    ks_table_add(&cluster->host_ports, &port->row, hash);
    return port;
}

static ks_host_port *get_port(ks_cluster *cluster, const ks_wanted_port *wanted)
{
    uint64_t hash = ks_hash_bytes(wanted->ip.data, wanted->ip.len, (uint64_t)wanted->port);
    hash = ks_hash_bytes(wanted->protocol.data, wanted->protocol.len, hash);
    ks_host_port *port = (ks_host_port *)ks_table_find(&cluster->host_ports, hash, is_like, wanted);
    if (!port)
        port = make_port(cluster, wanted, hash);
    if (port)
        port->row.refs++;
    return port;
}

static void unref_port(ks_cluster *cluster, ks_host_port *port)
{
    if (--port->row.refs > 0)
        return;
    ks_table_remove(&cluster->host_ports, &port->row);
    ks_nodeset_free(&port->nodes, &cluster->alloc);
    ks_alloc_free(&cluster->alloc, port, size_of(port));
}

bool ks_spec_take_ports(ks_cluster *cluster, ks_spec *spec)
{
    size_t count = 0;
    ks_wanted_port wanted;
    for (ks_port_iterator at = {0}; ks_port_next(&wanted, &at, &spec->spec);)
        count++;
    if (count == 0)
        return true;
    spec->host_ports.items = ks_arena_get(&spec->arena, count * sizeof(ks_host_port *));
    if (!spec->host_ports.items)
        return false;
    for (ks_port_iterator at = {0}; ks_port_next(&wanted, &at, &spec->spec);) {
        ks_host_port *port = get_port(cluster, &wanted);
        if (!port)
            return false;
        spec->host_ports.items[spec->host_ports.count++] = port;
    }
    return true;
}

void ks_spec_drop_ports(ks_cluster *cluster, ks_spec *spec)
{
    for (size_t i = 0; i < spec->host_ports.count; i++)
        unref_port(cluster, spec->host_ports.items[i]);
    spec->host_ports.count = 0;
}

/* ---- who holds them ---- */

bool ks_host_ports_resize(ks_cluster *cluster, uint32_t node_cap)
{
    for (size_t i = 0; i < cluster->host_ports.rows.count; i++) {
        ks_host_port *port = (ks_host_port *)cluster->host_ports.rows.items[i];
        if (port && !ks_nodeset_resize(&port->nodes, &cluster->alloc, node_cap))
            return false;
    }
    return true;
}

void ks_host_ports_add(const ks_pod_row *pod)
{
    for (size_t i = 0; i < pod->spec->host_ports.count; i++)
        ks_nodeset_add(&pod->spec->host_ports.items[i]->nodes, pod->node->row.id);
}

void ks_host_ports_sub(const ks_pod_row *pod)
{
    if (pod->spec->host_ports.count == 0)
        return;
    for (size_t i = 0; i < pod->spec->host_ports.count; i++)
        ks_nodeset_del(&pod->spec->host_ports.items[i]->nodes, pod->node->row.id);
    /* Pods that were bound by hand may share a port. */
    for (const ks_pod_row *other = pod->node->pods; other; other = other->next_on_node)
        ks_host_ports_add(other);
}
