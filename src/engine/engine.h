// SPDX-License-Identifier: Apache-2.0
/* The engine: events come in (cluster.c), node sets and scores go out (cycle.c). In between the state
 * below is kept alive, so that no decision ever counts a pod again:
 *
 *   pod ── class {namespace, labels, controller} ── matchers {namespace, selector}: pods per node
 *     │                                                └─ counters {matcher, topology, inclusion}:
 *     └── node ── topology {key}: domain of each node        pods per domain, and their minimum
 *              └─ inclusion {keys, affinity, tolerations}: nodes that take part
 *
 * A pod event adds to or takes from the matchers of the pod's class and their counters. A node event
 * takes the node out of all counters and puts it back where it belongs now. Matchers, topologies,
 * inclusions and counters come into being when a constraint first asks for them and go with the last
 * plan that uses them (plan_cache.h).
 *
 * Functions that can fail do so before they change anything. */
#ifndef KS_ENGINE_ENGINE_H
#define KS_ENGINE_ENGINE_H

#include "engine/label_index.h"
#include "engine/resource.h"
#include "engine/table.h"
#include "model/selector.h"
#include "util/arena.h"
#include "util/nodeset.h"
#include "util/str.h"
#include <kubespread/cluster.h>

typedef struct ks_counter ks_counter;
typedef struct ks_matcher ks_matcher;
typedef struct ks_pod_row ks_pod_row;
typedef struct ks_stored ks_stored;

/* ---- who pods are ---- */

typedef KS_VEC(ks_stored *) ks_stored_list;

typedef struct ks_space { /* a namespace that something refers to */
    ks_row row;
    KS_VEC(struct ks_class *) classes;
    KS_VEC(ks_matcher *) matchers;
    ks_stored_list services;
    uint64_t workloads_version; /* counts changes of Services and controllers, for deduced selectors */
    size_t name_len;
    char name[];
} ks_space;

/* Pods that no selector can tell apart. */
typedef struct ks_class {
    ks_row row; /* refs: pods and plans */
    ks_arena arena;
    ks_space *space;
    ks_labels labels;
    ks_owner_reference controller; /* absent kind: none */
    size_t place;                  /* in its namespace's list */
    ks_pod_row *pods;
    KS_VEC(ks_matcher *) matchers;    /* those that match its labels */
    KS_VEC(struct ks_crowd *) crowds; /* the same for affinity.h */
} ks_class;

/* How a pod stands against others: spec.priority and preemptionPolicy, or its PriorityClass's. */
typedef struct ks_priority {
    int32_t value;
    bool never_preempts;
} ks_priority;

/* A pod's spec without its node name; pods of one template share it. */
typedef struct ks_spec {
    ks_row row; /* refs: pods and plans */
    ks_arena arena;
    ks_pod_spec spec;
    KS_LIST(struct ks_host_port *) host_ports; /* host_port.h */
    ks_priority priority; /* as of this version of the PriorityClasses; ask ks_spec_priority */
    uint64_t priority_version;
    ks_demand *demand;
} ks_spec;

enum {
    KS_POD_NAME,
    KS_POD_UID,
    KS_POD_CREATED,
    KS_POD_DELETED,
    KS_POD_PHASE,
    KS_POD_NOMINATED,
    KS_POD_STARTED,
    KS_POD_TEXTS
};

struct ks_pod_row {
    ks_row row;
    ks_class *class_;
    ks_spec *spec;
    struct ks_node_row *node;                 /* NULL: not bound */
    struct ks_carrier *carrier;               /* of its affinity terms, once it was bound; or NULL */
    ks_pod_row *next, **link;                 /* in its class */
    ks_pod_row *next_on_node, **link_on_node; /* if it occupies its node */
    bool occupies;                            /* bound and not over: it takes room on its node */
    bool counts;                              /* it occupies its node and is not terminating */
    uint16_t text_len[KS_POD_TEXTS];
    char text[]; /* the texts one after another; absent ones are empty */
};

/* ---- where they stand ---- */

typedef struct ks_node_row {
    ks_row row;   /* id: the node's bit in node sets and place in columns; refs: pods bound to it */
    bool present; /* false: only pods that name it are known */
    ks_arena arena;
    ks_pod_row *pods; /* that occupy it */
    ks_node node;     /* labels, taints, …; empty while not present */
    ks_str name;      /* name_text */
    char name_text[];
} ks_node_row;

typedef struct ks_domain {
    ks_str value;
    KS_VEC(uint32_t) nodes; /* that carry the label with this value */
    ks_nodeset set;         /* the same as bits once there are many; no words otherwise */
} ks_domain;

/* A topology key: which domain each node is in. Domain 0 is the empty value; nodes without the key stand
 * there, too, but for `has`: so does upstream under the system's default constraints. */
typedef struct ks_topology {
    ks_row row;          /* refs: inclusions, counters, plans */
    uint32_t *domain_of; /* by node */
    uint32_t domain_of_cap;
    ks_nodeset has;
    KS_VEC(ks_domain) domains;
    KS_VEC(uint32_t) free_domains;
    ks_index by_value;
    KS_VEC(ks_counter *) counters;
    KS_VEC(struct ks_tally *) tallies; /* affinity.h */
    size_t key_len;
    char key[];
} ks_topology;

/* Which nodes take part in counting. */
typedef struct ks_inclusion {
    ks_row row; /* refs: counters, plans */
    ks_arena arena;
    ks_topology **keys; /* a node must have all of them; sorted by id */
    size_t keys_count;
    bool honors_affinity, honors_taints;
    ks_required_affinity affinity;
    ks_tolerations tolerations;
    ks_nodeset nodes;
} ks_inclusion;

/* ---- what is counted ---- */

struct ks_matcher {
    ks_row row; /* refs: counters, plans */
    ks_arena arena;
    ks_space *space;
    ks_selector selector;
    bool counts;       /* false for the empty selector, which counts no pod though it matches all */
    uint32_t *on_node; /* by node: pods that count */
    uint32_t on_node_cap;
    uint32_t total;
    KS_VEC(ks_counter *) counters;
};

struct ks_counter {
    ks_row row; /* refs: plans */
    ks_matcher *matcher;
    ks_topology *topology;
    ks_inclusion *inclusion;
    uint32_t *matching; /* by domain: pods that count on nodes that take part */
    uint32_t *nodes;    /* by domain: nodes that take part; the domain exists if there are any */
    uint32_t matching_cap, nodes_cap;
    uint32_t existing;
    uint32_t *levels;   /* levels[n]: existing domains with n matching pods */
    uint32_t level_cap; /* above the matcher's total */
    uint32_t minimum;   /* the lowest level with a domain; 0 if no domain exists */
    /* Nodes in domains with at most `pass_limit` matching pods: kept alive for the limit last asked for. */
    ks_nodeset pass;
    int64_t pass_limit;
    bool pass_valid;
};

/* A Service, controller, Namespace, PriorityClass, PodDisruptionBudget, volume, claim or StorageClass as it
 * was given. */
struct ks_stored {
    ks_row row;
    ks_arena arena;
    ks_space *space;
    ks_object object;
    ks_selector selector; /* of a PodDisruptionBudget or claim; one that makes no sense matches nothing */
    /* volume.h: a claim's volume, a volume's claim, and the node a claim's volume is made for (with a
     * reference), by a placement; NULL otherwise. */
    ks_stored *partner;
    struct ks_node_row *selected;
};

struct ks_cluster {
    ks_alloc alloc;
    ks_alloc counting; /* for matchers, topologies, inclusions, counters and plans: what can be dropped */
    ks_arena arena;    /* the profile */
    ks_gates gates;
    ks_profile profile;
    size_t counter_bytes_max;
    uint32_t node_cap; /* every column and node set has room for so many */
    ks_nodeset present;
    ks_nodeset cordoned; /* spec.unschedulable */
    ks_table ratings, host_ports, images;
    uint64_t nodes_version;  /* counts changes of nodes' labels, taints and of which nodes there are */
    struct ks_zones *zones;  /* zone.h */
    uint64_t images_version; /* counts changes of nodes' images and of the number of nodes */
    ks_ledger ledger;
    ks_table spaces, classes, specs, pods, nodes, stored;
    ks_table topologies, inclusions, matchers, counters, plans;
    ks_table crowds, carriers, carried; /* affinity.h */
    ks_label_index crowd_index, carried_index;
    uint64_t carried_version;    /* counts terms that pods begin to carry, or carry no more */
    uint64_t namespaces_version; /* counts changes of Namespaces */
    size_t pods_pending;
    ks_stored_list priority_classes, budgets;       /* PodDisruptionBudgets */
    ks_stored_list volumes;                         /* PersistentVolumes */
    uint64_t priority_version;                      /* counts changes of PriorityClasses */
    int32_t priority_floor;                         /* no pod's priority is lower; it need not be that low */
    KS_VEC(uint32_t) nodes_by_name;                 /* present nodes' ids in the order of their names */
    struct ks_plan_head *plan_newest, *plan_oldest; /* by last use */
};

/* column.c */
/* Room for at least `want` numbers, the new ones 0. False on failure, which leaves the column as it was. */
bool ks_column_resize(uint32_t **column, ks_alloc *alloc, uint32_t *cap, uint32_t want);

/* space.c */
ks_space *ks_space_get(ks_cluster *cluster, ks_str name);        /* a new reference; NULL on failure */
ks_space *ks_space_find(const ks_cluster *cluster, ks_str name); /* NULL if nothing is there */
void ks_space_unref(ks_cluster *cluster, ks_space *space);
static inline ks_str ks_space_name(const ks_space *space)
{
    return (ks_str){space->name, space->name_len};
}
/* An absent or empty namespace is "default". */
ks_str ks_namespace_or_default(ks_str name);

/* class.c */
ks_class *ks_class_get(ks_cluster *cluster, const ks_object_meta *meta);
void ks_class_unref(ks_cluster *cluster, ks_class *class_);
/* The owner reference that says it is the controller, or NULL. */
const ks_owner_reference *ks_controller_of(const ks_object_meta *meta);

/* spec.c */
ks_spec *ks_spec_get(ks_cluster *cluster, const ks_pod_spec *spec);
void ks_spec_unref(ks_cluster *cluster, ks_spec *spec);

/* priority.c */
ks_priority ks_spec_priority(ks_cluster *cluster, ks_spec *spec);
/* PriorityClasses changed. */
void ks_priority_changed(ks_cluster *cluster);

/* pod.c */
ks_pod_row *ks_pod_find(const ks_cluster *cluster, ks_str namespace_, ks_str name);
static inline ks_pod_row *ks_pod_at(const ks_cluster *cluster, uint32_t id)
{
    return (ks_pod_row *)cluster->pods.rows.items[id];
}
/* The pod as an object, valid as long as the row. A pod that is applied again keeps its id, not its row. */
void ks_pod_view(ks_pod *out, const ks_pod_row *pod);
ks_str ks_pod_text(const ks_pod_row *pod, int which);
/* A pod that is not bound takes its place on a node, or leaves it again; only the former can fail, and does
 * so before it changes anything. */
int ks_pod_bind(ks_cluster *cluster, ks_pod_row *pod, ks_node_row *node, ks_error *err);
/* Sees to it that binding it, before anything else happens, cannot fail. */
bool ks_pod_reserve(ks_cluster *cluster, ks_pod_row *pod, ks_node_row *node);
void ks_pod_unbind(ks_cluster *cluster, ks_pod_row *pod);
int ks_pod_apply(ks_cluster *cluster, const ks_pod *pod, ks_error *err);
int ks_pod_delete(ks_cluster *cluster, ks_str namespace_, ks_str name, ks_error *err);
void ks_pods_free(ks_cluster *cluster);
/* Succeeded or Failed: kube-scheduler's informers leave such pods out. */
bool ks_phase_is_over(ks_str phase);

/* occupancy.c: what a pod takes up on its node, kept up to date as pods come and go. The pod is linked or
 * unlinked between reserve (which alone may fail) and the next event. */
bool ks_occupancy_reserve(ks_cluster *cluster, ks_pod_row *pod);
void ks_occupancy_add(ks_cluster *cluster, ks_pod_row *pod);
void ks_occupancy_sub(ks_cluster *cluster, ks_pod_row *pod);

/* node.c */
static inline ks_node_row *ks_node_at(const ks_cluster *cluster, uint32_t id)
{
    return (ks_node_row *)cluster->nodes.rows.items[id];
}
int ks_node_apply(ks_cluster *cluster, const ks_node *node, ks_error *err);
int ks_node_delete(ks_cluster *cluster, ks_str name, ks_error *err);
/* The row of a present node, or NULL. */
const ks_node_row *ks_node_find(const ks_cluster *cluster, ks_str name);
/* The row of a name, made if there is none, with a new reference; NULL on failure. */
ks_node_row *ks_node_get(ks_cluster *cluster, ks_str name);
void ks_node_unref(ks_cluster *cluster, ks_node_row *node);
void ks_nodes_free(ks_cluster *cluster);

/* stored.c: Services, controllers, Namespaces, PriorityClasses, PodDisruptionBudgets and storage */
int ks_stored_apply(ks_cluster *cluster, const ks_object *object, ks_error *err);
int ks_stored_delete(ks_cluster *cluster, ks_kind kind, ks_str namespace_, ks_str name, ks_error *err);
const ks_stored *ks_stored_find(const ks_cluster *cluster, ks_kind kind, ks_str namespace_, ks_str name);
void ks_stored_free(ks_cluster *cluster);

/* topology.c */
enum { KS_DOMAIN_EMPTY_VALUE = 0 };
ks_topology *ks_topology_get(ks_cluster *cluster, ks_str key);
void ks_topology_unref(ks_cluster *cluster, ks_topology *topology);
bool ks_topology_resize(ks_cluster *cluster, ks_topology *topology, uint32_t node_cap);
/* Room for a node's label in it and in its counters: the next place with these labels cannot fail. */
bool ks_topology_reserve(ks_cluster *cluster, ks_topology *topology, const ks_labels *labels);
/* Drops the domains that reserve made and place was not called for. */
void ks_topology_reap(ks_cluster *cluster, ks_topology *topology);
/* Puts a node where its labels say; without the key it has no place. */
void ks_topology_place(ks_cluster *cluster, ks_topology *topology, uint32_t node, const ks_labels *labels);
static inline ks_str ks_topology_key(const ks_topology *topology)
{
    return (ks_str){topology->key, topology->key_len};
}
/* Adds a domain's nodes to a set, or takes them out. */
void ks_domain_add_to(const ks_domain *domain, ks_nodeset *set);
void ks_domain_take_from(const ks_domain *domain, ks_nodeset *set);
bool ks_domain_intersects(const ks_domain *domain, const ks_nodeset *set);

/* inclusion.c */
ks_inclusion *ks_inclusion_get(ks_cluster *cluster, const ks_inclusion *like);
void ks_inclusion_unref(ks_cluster *cluster, ks_inclusion *inclusion);
/* Puts a node into the set or takes it out, as its labels and taints are now. */
void ks_inclusion_update(ks_inclusion *inclusion, const ks_node_row *node);
/* Why a present node takes no part, or KS_COUNTED; `detail` receives the key that is missing or the key
 * of the taint. */
ks_exclusion ks_inclusion_judge(const ks_inclusion *inclusion, const ks_node_row *node, ks_str *detail);

/* matcher.c */
ks_matcher *ks_matcher_get(ks_cluster *cluster, ks_str namespace_, const ks_selector *selector);
void ks_matcher_unref(ks_cluster *cluster, ks_matcher *matcher);
bool ks_matcher_matches_class(const ks_matcher *matcher, const ks_class *class_);
/* Room for one more pod in the matcher's counters. */
bool ks_matcher_reserve(ks_cluster *cluster, ks_matcher *matcher);
/* One pod more on a node (after ks_matcher_reserve), or one less. */
void ks_matcher_add(ks_matcher *matcher, uint32_t node);
void ks_matcher_sub(ks_matcher *matcher, uint32_t node);

/* counter.c */
ks_counter *ks_counter_get(ks_cluster *cluster, ks_matcher *matcher, ks_topology *topology,
                           ks_inclusion *inclusion);
void ks_counter_unref(ks_cluster *cluster, ks_counter *counter);
bool ks_counter_resize_domains(ks_cluster *cluster, ks_counter *counter, uint32_t domains);
bool ks_counter_reserve_levels(ks_cluster *cluster, ks_counter *counter, uint32_t pods);
/* Pods come to or leave a domain. */
void ks_counter_shift(ks_counter *counter, uint32_t domain, int64_t pods);
/* A node that takes part comes, with the pods on it, or leaves. */
void ks_counter_attach(ks_counter *counter, uint32_t node);
void ks_counter_detach(ks_counter *counter, uint32_t node);
/* The lowest number of matching pods over the existing domains but one; INT64_MAX if there is no other. */
int64_t ks_counter_minimum_without(const ks_counter *counter, uint32_t domain);
/* The nodes with the key whose domain has at most `limit` matching pods. Valid until the next change. */
const ks_nodeset *ks_counter_passing(ks_counter *counter, int64_t limit);

#endif
