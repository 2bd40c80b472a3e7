// SPDX-License-Identifier: Apache-2.0
/* Resources: what pods ask for, what nodes have, and what is taken.
 *
 *   spec ── demand {amounts}: what pods of the spec ask for, shared by all specs that ask for the same
 *             └─ scalars {name}: extended resources, hugepages and their like, a column a piece
 *   node ── usage: allocatable and requested of the resources that every node has
 *
 * The ledger holds it all and a log of the nodes whose usage changed, so that whatever is worked out from
 * it (plugins/node_resources/) follows by looking at those nodes alone. */
#ifndef KS_ENGINE_RESOURCE_H
#define KS_ENGINE_RESOURCE_H

#include "engine/table.h"
#include "util/str.h"
#include <kubespread/cluster.h>

/* ---- what a spec asks for: requests.c ---- */

__extension__ typedef __int128 ks_int128;

/* An exact amount; quantities are added up before they are rounded. */
typedef struct ks_request {
    bool set; /* something asks for the resource, be it for 0 of it */
    ks_int128 billionths;
} ks_request;

typedef struct ks_request_rule {
    bool skips_pod_level; /* spec.resources is not looked at */
    bool fills_missing;   /* containers without a request for cpu or memory count 100m and 200 MiB */
} ks_request_rule;

/* A pod's request for one resource: containers and sidecars together or the largest of the steps that its
 * init containers take, whichever is more; replaced by the pod's own request if there is one; with
 * overhead. What a resize in progress says in the status is not in the model. */
ks_request ks_request_of(const ks_pod_spec *spec, ks_str name, ks_request_rule rule);
/* Whether spec.resources.requests has a resource that may stand there. */
bool ks_request_is_pod_level(const ks_pod_spec *spec);
/* As the scheduler counts the resource: cpu in thousandths, others in whole units, rounded up; INT64_MAX
 * where it would not fit. */
int64_t ks_request_amount(ks_request request, ks_str name);
/* The same of a resource in a list; 0 if it is not there. */
int64_t ks_resources_amount(const ks_resources *list, ks_str name);
/* The names of all resources in a spec's requests, in rising order: the first one behind `after`, or
 * absent. Begin with an absent one. */
ks_str ks_request_next_name(const ks_pod_spec *spec, ks_str after);

/* Extended resources have a domain in front that is not Kubernetes' own. */
bool ks_resource_is_extended(ks_str name);
/* Whether the scheduler counts a resource apart from the ones below. */
bool ks_resource_is_scalar(ks_str name);

/* ---- what every node has ---- */

enum { KS_PODS, KS_CPU, KS_MEMORY, KS_STORAGE, KS_BASE_RESOURCES };
/* "pods", "cpu", "memory", "ephemeral-storage"; and back, KS_BASE_RESOURCES if it is none of them. */
ks_str ks_base_resource_name(int base);
int ks_base_resource_find(ks_str name);

typedef struct ks_amounts {
    int64_t of[KS_BASE_RESOURCES];
} ks_amounts;

/* kube-scheduler lets amounts that exceed 64 bits wrap around. */
static inline int64_t ks_wrapping_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static inline int64_t ks_wrapping_sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

typedef struct ks_usage {
    ks_amounts allocatable, requested;
    ks_amounts nonzero; /* requested, with the missing requests for cpu and memory filled in */
} ks_usage;

/* ---- the ledger ---- */

typedef struct ks_scalar_usage {
    int64_t allocatable, requested;
} ks_scalar_usage;

typedef struct ks_scalar {
    ks_row row;             /* refs: demands */
    bool extended;          /* it may be ignored by configuration */
    ks_scalar_usage *usage; /* by node */
    uint32_t usage_cap;
    size_t name_len;
    char refusal[]; /* "Insufficient " and the name, which is how it is refused */
} ks_scalar;
ks_str ks_scalar_name(const ks_scalar *scalar);
ks_str ks_scalar_refusal(const ks_scalar *scalar);

typedef struct ks_scalar_demand {
    ks_scalar *scalar;
    int64_t asked, scored;
} ks_scalar_demand;

/* What a pod asks for, in the ways that the scheduler looks at it. */
typedef struct ks_demand {
    ks_row row;         /* refs: specs */
    ks_amounts asked;   /* one of KS_PODS */
    ks_amounts nonzero; /* what it adds to the usage of that name */
    /* What NodeResourcesFit scores with: missing requests filled in, pod-level ones not looked at, since
     * upstream's scorer never learns that there are any. */
    ks_amounts scored;
    struct ks_outlook *outlook; /* plugins/node_resources/outlook.h; NULL while nobody asks */
    size_t scalars_count;
    ks_scalar_demand scalars[]; /* by name */
} ks_demand;

typedef struct ks_ledger {
    ks_usage *usage; /* by node */
    uint32_t usage_cap;
    /* The nodes whose usage changed, as a ring: changes from `begin` on are still there. */
    uint32_t *changes;
    uint32_t changes_cap; /* a power of two */
    uint64_t changes_begin, changes_end;
    ks_table demands, scalars;
} ks_ledger;

/* The node of a change that is still there. */
static inline uint32_t ks_ledger_changed(const ks_ledger *ledger, uint64_t change)
{
    return ledger->changes[change & (ledger->changes_cap - 1)];
}

/* Room for so many nodes. */
bool ks_ledger_resize(ks_cluster *cluster, uint32_t node_cap);
void ks_ledger_free(ks_cluster *cluster);
/* A pod comes to a node, which need not be present, or leaves it. */
void ks_ledger_add(ks_cluster *cluster, uint32_t node, const ks_demand *demand);
void ks_ledger_sub(ks_cluster *cluster, uint32_t node, const ks_demand *demand);
/* A node is now what it says; a node that is gone has nothing. */
void ks_ledger_set_node(ks_cluster *cluster, uint32_t node, const ks_node *now);

/* demand.c */
ks_demand *ks_demand_get(ks_cluster *cluster, const ks_pod_spec *spec); /* a new reference */
void ks_demand_unref(ks_cluster *cluster, ks_demand *demand);

#endif
