// SPDX-License-Identifier: Apache-2.0
/* Host ports in use: for each protocol, port and address the nodes on which a pod holds it. */
#ifndef KS_ENGINE_HOST_PORT_H
#define KS_ENGINE_HOST_PORT_H

#include "engine/engine.h"

typedef struct ks_host_port {
    ks_row row; /* refs: specs that ask for it */
    int32_t port;
    ks_str protocol, ip; /* into `text`; never empty */
    ks_nodeset nodes;
    char text[];
} ks_host_port;

/* A port that a container asks for. */
typedef struct ks_wanted_port {
    int32_t port;
    ks_str protocol, ip; /* TCP and 0.0.0.0 where nothing is said */
} ks_wanted_port;

/* The host ports of a pod, one after another: begin with a zeroed iterator. Init containers have theirs
 * only if they keep running beside the others. False behind the last one. */
typedef struct ks_port_iterator {
    size_t container, port;
} ks_port_iterator;
bool ks_port_next(ks_wanted_port *out, ks_port_iterator *at, const ks_pod_spec *spec);
/* The same port, and one address is that of the other or stands for all. */
bool ks_ports_conflict(const ks_wanted_port *a, const ks_wanted_port *b);

/* Gives a new spec its ports, or takes them back. */
bool ks_spec_take_ports(ks_cluster *cluster, ks_spec *spec);
void ks_spec_drop_ports(ks_cluster *cluster, ks_spec *spec);

/* Room for `node_cap` nodes. */
bool ks_host_ports_resize(ks_cluster *cluster, uint32_t node_cap);
/* A pod has come to its node and is on the node's list, or has left it and is not. */
void ks_host_ports_add(const ks_pod_row *pod);
void ks_host_ports_sub(const ks_pod_row *pod);

#endif
