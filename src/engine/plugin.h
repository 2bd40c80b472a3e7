// SPDX-License-Identifier: Apache-2.0
/* The extension points of a scheduling cycle. They take whole node sets: a filter narrows a set, a score
 * fills a column. Why a node was refused is worked out only when somebody asks (`judge`).
 *
 * Fallible ones return 0 or a negative code (want of memory); what a plugin thinks of the pod is a
 * ks_status. Messages live as long as the cycle's run. */
#ifndef KS_ENGINE_PLUGIN_H
#define KS_ENGINE_PLUGIN_H

#include "engine/engine.h"

typedef struct ks_status {
    ks_code code;
    ks_str message;
    bool more; /* there are further reasons: ask `judge` for the next one */
} ks_status;

/* Pods that come to a node or leave it, as in ks_what_if; `rows` where they are stored ones, so that what is
 * known of their class and spec need not be worked out again. */
typedef struct ks_change {
    const ks_pod *const *added, *const *removed;
    size_t added_count, removed_count;
    const ks_pod_row *const *added_rows, *const *removed_rows; /* NULL: not known */
} ks_change;

typedef struct ks_plugin {
    const char *name;
    /* `state` is the plugin's own for this cycle, in the cycle's arena. */
    int (*pre_filter)(ks_status *out, void **state, ks_cycle *cycle, ks_error *err);
    /* Optional, upstream's PreFilterResult: takes out nodes that are not worth a look and says whether there
     * may be any such; no filter sees them, and they are refused in the framework's words. */
    bool (*narrow)(const void *state, ks_nodeset *nodes);
    void (*filter)(void *state, ks_nodeset *nodes);
    /* Why the node was refused: the nth reason, from 0. */
    ks_status (*judge)(const void *state, uint32_t node, size_t nth);
    int (*pre_score)(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err);
    /* Optional: whether all nodes have the same normalised score, which then needs no column. */
    bool (*uniform)(const void *state, double *score);
    /* Scores are whole numbers, kept in doubles since those are worked through several at a time; the ones
     * of other nodes may be anything. */
    void (*score)(void *state, const ks_nodeset *nodes, double *scores);
    void (*normalize)(void *state, const ks_nodeset *nodes, double *scores);
    /* What `judge` would say if pods came or went; preemption's view. */
    ks_status (*what_if)(const void *state, uint32_t node, const ks_change *change, size_t nth);
    /* Whether an event may make a pod fit that this plugin refused. */
    int (*hint)(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err);
    /* Gives back what the state holds outside the arena. */
    void (*release)(ks_cluster *cluster, void *state);
} ks_plugin;

/* All plugins there are, in the order of kube-scheduler's default profile; ends with NULL. */
extern const ks_plugin *const ks_plugins[];
const ks_plugin *ks_plugin_find(ks_str name);

extern const ks_plugin ks_node_resources_fit;
extern const ks_plugin ks_node_unschedulable, ks_node_name, ks_taint_toleration, ks_node_affinity_plugin,
    ks_node_ports, ks_image_locality;
extern const ks_plugin ks_pod_topology_spread;
extern const ks_plugin ks_selector_spread; /* not in the default profile */
extern const ks_plugin ks_volume_binding, ks_volume_zone, ks_dynamic_resources;
extern const ks_plugin ks_inter_pod_affinity;
extern const ks_plugin ks_node_resources_balanced_allocation;

/* A plugin at work in a cycle. */
typedef struct ks_plugin_run {
    const ks_plugin *plugin;
    ks_plugin_use use;
    void *state;
    bool filters, scores; /* it did not skip */
    bool uniform;         /* it gives every node `same` and has no column */
    double same;
    double *column; /* by node, normalised but not weighted, if it scored */
} ks_plugin_run;

/* What filtering says of a node if pods came or went, and who says so if it is a refusal. */
typedef struct ks_verdict {
    uint32_t node;
    ks_change change; /* valid as long as the run */
    size_t run;
    ks_status status; /* with the first reason */
} ks_verdict;

struct ks_cycle {
    ks_cluster *cluster;
    ks_arena arena; /* of one run */
    bool ran;
    const ks_pod *pod; /* while it runs */
    ks_class *class_;  /* the pod's, with references */
    ks_spec *spec;
    KS_VEC(ks_plugin_run) runs;
    ks_status pre_filter, pre_score;
    ks_str failed_plugin; /* whose pre_filter or pre_score it was, where that is not a success */
    ks_nodeset feasible;
    /* Where plugins ruled nodes out before filtering: those left, the first such plugin, what is said of the
     * others. Absent otherwise. */
    ks_nodeset narrowed;
    ks_str narrowed_by, narrowed_reason;
    KS_VEC(ks_verdict)
    overrulings;               /* of nodes that pods are nominated to, by rising node; they stand before
                                  what the plugins say */
    double *total;             /* by node; NULL if no plugin scored */
    ks_spread_domain *listing; /* the domains of constraint `listed`, with room for any of this run */
    size_t listing_cap, listing_count, listed;
};

/* attempt.c: the nth reason of a refusal, from 0. */
ks_status ks_verdict_reason(const ks_cycle *cycle, const ks_verdict *verdict, size_t nth);

#endif
