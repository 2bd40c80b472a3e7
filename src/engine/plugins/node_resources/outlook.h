// SPDX-License-Identifier: Apache-2.0
/* NodeResourcesFit and NodeResourcesBalancedAllocation. An outlook is how every node suits one demand:
 * whether it fits, and both plugins' scores. It is made when a pod with that demand is first asked about
 * and then follows the ledger's log: what a cycle costs is the nodes that changed since the last one. All
 * specs with the same demand share it through their plans; it goes with the last of these. */
#ifndef KS_ENGINE_PLUGINS_NODE_RESOURCES_OUTLOOK_H
#define KS_ENGINE_PLUGINS_NODE_RESOURCES_OUTLOOK_H

#include "engine/plan_cache.h"
#include "engine/plugin.h"

/* A resource that a score looks at. */
typedef struct ks_lane {
    int base;                /* one of those that every node has … */
    const ks_scalar *scalar; /* … or this one, if not NULL */
    int64_t asked, weight;
} ks_lane;
typedef KS_LIST(ks_lane) ks_lanes;

typedef struct ks_outlook ks_outlook;
typedef int64_t (*ks_strategy)(const ks_outlook *outlook, const ks_usage *usage, uint32_t node);

struct ks_outlook {
    uint32_t refs; /* plans */
    ks_demand *demand;
    const ks_fit_args *args;
    ks_arena arena;
    KS_LIST(ks_scalar_demand) checked; /* the scalars that filtering does not ignore */
    ks_strategy strategy;
    ks_lanes fit_lanes, balanced_lanes;
    /* As of change `seen` of the ledger's log, for nodes below `cap`. Scores are 0 to 100. */
    ks_nodeset fits;
    uint8_t *fit_scores, *balanced_scores; /* one block of memory, which begins with the former */
    uint32_t cap;
    uint64_t seen;
    bool filled;
};

/* A plugin's state in a cycle: both have the same. */
typedef struct ks_outlook_state {
    ks_plan_head *plan;
    ks_outlook *outlook;
    const ks_cluster *cluster;
} ks_outlook_state;

/* outlook.c */
/* The outlook for the cycle's pod, up to date. */
int ks_outlook_begin(void **state, ks_cycle *cycle, ks_error *err);
void ks_outlook_release(ks_cluster *cluster, void *state);
/* Fills in a plugin's scores from its column. */
void ks_outlook_read(const ks_outlook_state *state, const uint8_t *column, double *scores);
/* Scores are whole already; neither plugin normalises them. */
void ks_outlook_normalize(void *state, const ks_nodeset *nodes, double *scores);

/* scoring.c */
ks_strategy ks_strategy_find(ks_str type);
/* The resources of a score's list that count for a demand, with the amounts that the plugin
 * scores with, in the arena. */
bool ks_lanes_for_fit(ks_lanes *out, const ks_outlook *outlook, const ks_resource_weights *list,
                      ks_arena *arena);
bool ks_lanes_for_balanced(ks_lanes *out, const ks_outlook *outlook, const ks_resource_weights *list,
                           ks_arena *arena);
int64_t ks_balanced_score(const ks_outlook *outlook, const ks_usage *usage, uint32_t node);

/* hints.c */
int ks_fit_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
                const ks_object *after, ks_error *err);

#endif
