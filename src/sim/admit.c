// SPDX-License-Identifier: Apache-2.0
#include "sim/admit.h"
#include "util/str.h"

/* ---- requests ---- */

static bool has_resource(const ks_resources *resources, ks_str name)
{
    for (size_t i = 0; i < resources->count; i++)
        if (ks_str_eq(resources->items[i].name, name))
            return true;
    return false;
}

static size_t count_missing(const ks_resource_requirements *resources)
{
    size_t missing = 0;
    for (size_t i = 0; i < resources->limits.count; i++)
        missing += !has_resource(&resources->requests, resources->limits.items[i].name);
    return missing;
}

/* Both lists are sorted by name, and so is what they make. */
static bool fill_requests(ks_resource_requirements *resources, ks_arena *arena)
{
    size_t missing = count_missing(resources);
    if (missing == 0)
        return true;
    const ks_resources requests = resources->requests, limits = resources->limits;
    ks_resource *merged = ks_arena_get(arena, (requests.count + missing) * sizeof *merged);
    if (!merged)
        return false;
    size_t count = 0, next = 0;
    for (size_t i = 0; i < limits.count; i++) {
        if (has_resource(&requests, limits.items[i].name))
            continue;
        while (next < requests.count && ks_str_cmp(requests.items[next].name, limits.items[i].name) < 0)
            merged[count++] = requests.items[next++];
        merged[count++] = limits.items[i];
    }
    while (next < requests.count)
        merged[count++] = requests.items[next++];
    resources->requests = (ks_resources){merged, count};
    return true;
}

static bool is_requested(const ks_pod_spec *spec, ks_str name)
{
    for (size_t i = 0; i < spec->containers.count; i++)
        if (has_resource(&spec->containers.items[i].resources.requests, name))
            return true;
    for (size_t i = 0; i < spec->init_containers.count; i++)
        if (has_resource(&spec->init_containers.items[i].resources.requests, name))
            return true;
    return false;
}

/* Pod-level requests default to the pod-level limits for what no container requests. What containers do
 * request is summed up by whoever reads the spec. */
static bool fill_pod_requests(ks_pod_spec *spec, ks_arena *arena)
{
    if (!spec->resources || count_missing(spec->resources) == 0)
        return true;
    ks_resource_requirements *own = ks_arena_get(arena, sizeof *own);
    ks_resource *open = ks_arena_get(arena, spec->resources->limits.count * sizeof *open);
    if (!own || !open)
        return false;
    ks_resource_requirements filled = {.requests = spec->resources->requests, .limits = {open, 0}};
    for (size_t i = 0; i < spec->resources->limits.count; i++)
        if (!is_requested(spec, spec->resources->limits.items[i].name))
            open[filled.limits.count++] = spec->resources->limits.items[i];
    if (!fill_requests(&filled, arena))
        return false;
    *own = (ks_resource_requirements){.requests = filled.requests, .limits = spec->resources->limits};
    spec->resources = own;
    return true;
}

/* ---- ports ---- */

static bool has_open_port(const ks_container *container)
{
    for (size_t i = 0; i < container->ports.count; i++)
        if (container->ports.items[i].host_port == 0)
            return true;
    return false;
}

static bool fill_ports(ks_container *container, ks_arena *arena)
{
    if (!has_open_port(container))
        return true;
    ks_container_port *ports = ks_arena_get(arena, container->ports.count * sizeof *ports);
    if (!ports)
        return false;
    for (size_t i = 0; i < container->ports.count; i++) {
        ports[i] = container->ports.items[i];
        if (ports[i].host_port == 0)
            ports[i].host_port = ports[i].container_port;
    }
    container->ports.items = ports;
    return true;
}

/* ---- containers ---- */

typedef struct containers {
    ks_container *items;
    size_t count;
} containers;

static bool is_complete(const containers *list, bool host_network)
{
    for (size_t i = 0; i < list->count; i++)
        if (count_missing(&list->items[i].resources) > 0 || (host_network && has_open_port(&list->items[i])))
            return false;
    return true;
}

static bool fill_containers(containers *list, bool host_network, ks_arena *arena)
{
    if (is_complete(list, host_network))
        return true;
    ks_container *own = ks_arena_get(arena, list->count * sizeof *own);
    if (!own)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        own[i] = list->items[i];
        if (!fill_requests(&own[i].resources, arena) || (host_network && !fill_ports(&own[i], arena)))
            return false;
    }
    list->items = own;
    return true;
}

/* ---- tolerations ---- */

static bool tolerates(const ks_tolerations *tolerations, ks_str key)
{
    for (size_t i = 0; i < tolerations->count; i++) {
        const ks_toleration *toleration = &tolerations->items[i];
        if ((toleration->key.len == 0 || ks_str_eq(toleration->key, key)) &&
            (toleration->effect.len == 0 || ks_str_eq(toleration->effect, KS_STR("NoExecute"))))
            return true;
    }
    return false;
}

static bool fill_tolerations(ks_tolerations *tolerations, ks_arena *arena)
{
    static const ks_str keys[] = {
        {"node.kubernetes.io/not-ready", sizeof "node.kubernetes.io/not-ready" - 1},
        {"node.kubernetes.io/unreachable", sizeof "node.kubernetes.io/unreachable" - 1},
    };
    if (tolerates(tolerations, keys[0]) && tolerates(tolerations, keys[1]))
        return true;
    ks_toleration *own = ks_arena_get(arena, (tolerations->count + 2) * sizeof *own);
    if (!own)
        return false;
    size_t count = tolerations->count;
    if (count)
        memcpy(own, tolerations->items, count * sizeof *own);
    for (size_t i = 0; i < 2; i++)
        if (!tolerates(tolerations, keys[i]))
            own[count++] =
                (ks_toleration){.key = keys[i], .op = KS_STR("Exists"), .effect = KS_STR("NoExecute")};
    *tolerations = (ks_tolerations){own, count};
    return true;
}

bool ks_admit(ks_pod_spec *spec, ks_arena *arena)
{
    containers main = {spec->containers.items, spec->containers.count};
    containers init = {spec->init_containers.items, spec->init_containers.count};
    if (!fill_containers(&main, spec->host_network, arena) ||
        !fill_containers(&init, spec->host_network, arena) || !fill_tolerations(&spec->tolerations, arena))
        return false;
    spec->containers.items = main.items;
    spec->init_containers.items = init.items;
    return fill_pod_requests(spec, arena);
}
