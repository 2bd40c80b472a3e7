// SPDX-License-Identifier: Apache-2.0
/* One plugin on its own in a cluster made by hand, its answers as text. Objects are JSON between single
 * quotes, as in decoded.h. */
#ifndef TESTS_SUPPORT_PLUGIN_TRIAL_H
#define TESTS_SUPPORT_PLUGIN_TRIAL_H

#include "support/decoded.h"
#include <kubespread/cluster.h>

typedef struct plugin_trial {
    const char *plugin;
    decoded_memory memory;
    ks_cluster *cluster;
    ks_cycle *cycle;
    char text[2048]; /* the last answer */
} plugin_trial;

/* `t` must stay where it is. `profile` has the plugin's args, NULL: the defaults; `allocator` NULL: malloc.
 */
void plugin_trial_begin(plugin_trial *t, const char *plugin, const ks_profile *profile,
                        const ks_allocator *allocator);
void plugin_trial_end(plugin_trial *t);

ks_object plugin_trial_object(plugin_trial *t, ks_kind kind, const char *json);
void plugin_trial_apply(plugin_trial *t, ks_kind kind, const char *json);

/* What becomes of the pod, node by node in the order of names: "a: 100; b: Unschedulable: why". The score is
 * the plugin's own, with weight 1; "fits" where it does not score. The whole pod refused or in error reads
 * "UnschedulableAndUnresolvable: why". */
const char *plugin_trial_run(plugin_trial *t, const char *pod);
/* The same of one node, had a pod come or gone; either may be NULL. After plugin_trial_run. */
const char *plugin_trial_what_if(plugin_trial *t, size_t node, const char *added, const char *removed);
/* Whether an event is worth another try: "queue" or "skip". before or after may be NULL. */
const char *plugin_trial_hint(plugin_trial *t, const char *pending, ks_kind kind, const char *before,
                              const char *after);

/* Fails the test with the row's name if the texts differ. */
void plugin_trial_expect(const char *row, const char *got, const char *wanted);

/* A node's JSON from what is inside its parts, and a pod's. */
#define NODE(name, labels, spec, status)                                                                     \
    "{'metadata':{'name':'" name "','labels':{" labels "}},'spec':{" spec "},'status':{" status "}}"
#define POD(name, spec) "{'metadata':{'name':'" name "','uid':'" name "'},'spec':{" spec "}}"

#endif
