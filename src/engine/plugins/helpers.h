// SPDX-License-Identifier: Apache-2.0
/* What several plugins have in common. */
#ifndef KS_ENGINE_PLUGINS_HELPERS_H
#define KS_ENGINE_PLUGINS_HELPERS_H

#include "engine/plugin.h"

enum { KS_SCORE_MAX = 100 };

/* For extension points at which a plugin has nothing to do. */
int ks_no_pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err);
void ks_no_score(void *state, const ks_nodeset *nodes, double *scores);
void ks_no_release(ks_cluster *cluster, void *state);
void ks_no_filter(void *state, ks_nodeset *nodes);
ks_status ks_no_judge(const void *state, uint32_t node, size_t nth);
ks_status ks_no_what_if(const void *state, uint32_t node, const ks_change *change, size_t nth);
int ks_no_hint(ks_hint *out, ks_cluster *cluster, const ks_pod *pending, const ks_object *before,
               const ks_object *after, ks_error *err);

/* Brings scores between 0 and the highest of `nodes` to 0..100 in whole numbers, in all of the column's
 * `count` places; the other way round if `reverse`. */
void ks_scores_normalize(double *scores, uint32_t count, const ks_nodeset *nodes, bool reverse);

/* By uid where both have one, otherwise by name. */
bool ks_pods_are_same(const ks_pod *a, const ks_pod *b);
/* An event that gives the pending pod itself another number of tolerations: they can only be added. */
bool ks_event_adds_toleration(const ks_pod *pending, const ks_object *before, const ks_object *after);

#endif
