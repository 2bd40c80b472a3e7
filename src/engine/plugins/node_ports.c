// SPDX-License-Identifier: Apache-2.0
/* NodePorts: no two pods of a node may hold the same host port. */
#include "engine/host_port.h"
#include "engine/plugins/helpers.h"

typedef struct port_state {
    const ks_spec *spec;
    const ks_host_port **rivals; /* ports that must not be in use */
    size_t rivals_count;
} port_state;

static ks_wanted_port wanted_of(const ks_host_port *port)
{
    return (ks_wanted_port){port->port, port->protocol, port->ip};
}

static bool conflicts_with_any(const ks_pod_spec *spec, const ks_wanted_port *port)
{
    ks_wanted_port wanted;
    for (ks_port_iterator at = {0}; ks_port_next(&wanted, &at, spec);)
        if (ks_ports_conflict(&wanted, port))
            return true;
    return false;
}

static bool specs_conflict(const ks_pod_spec *a, const ks_pod_spec *b)
{
    ks_wanted_port wanted;
    for (ks_port_iterator at = {0}; ks_port_next(&wanted, &at, a);)
        if (conflicts_with_any(b, &wanted))
            return true;
    return false;
}

static void find_rivals(port_state *state, const ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->host_ports.rows.count; i++) {
        const ks_host_port *port = (const ks_host_port *)cluster->host_ports.rows.items[i];
        if (!port)
            continue;
        ks_wanted_port wanted = wanted_of(port);
        if (conflicts_with_any(&state->spec->spec, &wanted))
            state->rivals[state->rivals_count++] = port;
    }
}

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    if (cycle->spec->host_ports.count == 0)
        return KS_OK;
    size_t size = ks_table_count(&cycle->cluster->host_ports) * sizeof(ks_host_port *);
    port_state *made = ks_arena_get_zeroed(&cycle->arena, sizeof *made);
    const ks_host_port **rivals = ks_arena_get(&cycle->arena, size);
    if (!made || !rivals)
        return ks_fail_nomem(err);
    *made = (port_state){.spec = cycle->spec, .rivals = rivals};
    find_rivals(made, cycle->cluster);
    *state = made;
    out->code = KS_SUCCESS;
    return KS_OK;
}

static void filter(void *state, ks_nodeset *nodes)
{
    const port_state *ports = state;
    for (size_t i = 0; i < ports->rivals_count; i++)
        ks_nodeset_and_not(nodes, &ports->rivals[i]->nodes);
}

static ks_status taken(void)
{
    return (ks_status){KS_UNSCHEDULABLE, KS_STR("node(s) didn't have free ports for the requested pod ports"),
                       false};
}

static ks_status judge(const void *state, uint32_t node, size_t nth)
{
    (void)nth;
    const port_state *ports = state;
    for (size_t i = 0; i < ports->rivals_count; i++)
        if (ks_nodeset_has(&ports->rivals[i]->nodes, node))
            return taken();
    return (ks_status){.code = KS_SUCCESS};
}

/* ---- preemption's view ---- */

/* A pod that leaves frees its ports, also where another one shares them, as upstream has it. */
static bool is_freed(const ks_host_port *port, const ks_change *change)
{
    ks_wanted_port held;
    for (size_t i = 0; i < change->removed_count; i++)
        for (ks_port_iterator at = {0}; ks_port_next(&held, &at, &change->removed[i]->spec);)
            if (held.port == port->port && ks_str_eq(held.protocol, port->protocol) &&
                ks_str_eq(held.ip, port->ip))
                return true;
    return false;
}

static ks_status what_if(const void *state, uint32_t node, const ks_change *change, size_t nth)
{
    (void)nth;
    const port_state *ports = state;
    for (size_t i = 0; i < ports->rivals_count; i++)
        if (ks_nodeset_has(&ports->rivals[i]->nodes, node) && !is_freed(ports->rivals[i], change))
            return taken();
    for (size_t i = 0; i < change->added_count; i++)
        if (specs_conflict(&ports->spec->spec, &change->added[i]->spec))
            return taken();
    return (ks_status){.code = KS_SUCCESS};
}

/* ---- events ---- */

/* The pod that an event takes off its node, or off the one it was promised; NULL for other events. */
static const ks_pod *leaving_pod(const ks_object *before, const ks_object *after)
{
    if (!before || before->kind != KS_POD || ks_phase_is_over(before->pod.status.phase) ||
        (after && !ks_phase_is_over(after->pod.status.phase)))
        return NULL;
    bool placed = before->pod.spec.node_name.len || before->pod.status.nominated_node_name.len;
    return placed ? &before->pod : NULL;
}

static int hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err)
{
    (void)cluster;
    (void)err;
    const ks_pod *leaving = leaving_pod(before, after);
    if ((leaving && specs_conflict(&pending->spec, &leaving->spec)) || (!before && after->kind == KS_NODE))
        *out = KS_HINT_QUEUE;
    return KS_OK;
}

const ks_plugin ks_node_ports = {
    .name = "NodePorts",
    .pre_filter = pre_filter,
    .filter = filter,
    .judge = judge,
    .pre_score = ks_no_pre_score,
    .score = ks_no_score,
    .normalize = ks_no_score,
    .what_if = what_if,
    .hint = hint,
    .release = ks_no_release,
};
