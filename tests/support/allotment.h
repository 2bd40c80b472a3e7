// SPDX-License-Identifier: Apache-2.0
/* A cluster whose plugins are the two of node resources, told of in lines of JSON: nodes by what they have,
 * pods by their specs. What a cycle finds comes out as one line of text. */
#ifndef TESTS_SUPPORT_ALLOTMENT_H
#define TESTS_SUPPORT_ALLOTMENT_H

#include "support/decoded.h"
#include <kubespread/cluster.h>

typedef struct allotment {
    decoded_memory memory;
    ks_cluster *cluster;
    ks_cycle *cycle;
    ks_buf text;
} allotment;

/* args NULL: the defaults. The weights are 1. */
void allotment_begin(allotment *a, const ks_fit_args *fit, const ks_balanced_args *balanced);
void allotment_end(allotment *a);

/* "{'cpu':'2','memory':'4Gi','pods':'10'}" */
ks_object allotment_node(allotment *a, const char *name, const char *allocatable);
/* A spec without its braces: "'containers':[…]". node NULL: not bound. The uid is the name. */
ks_object allotment_pod(allotment *a, const char *name, const char *node, const char *spec);
/* A container's part of a spec, with these requests: "'cpu':'1','memory':'1Gi'". */
const char *allotment_asks(allotment *a, const char *requests);
void allotment_apply(allotment *a, ks_object object);
void allotment_run(allotment *a, const ks_pod *pod);

/* Runs a cycle for a pod with that spec. Node by node, in the order of their names: "a 50 75" for the two
 * scores of one that fits ("-" where a plugin does not score), "b U Too many pods, Insufficient cpu" for one
 * that does not, with N instead of U where evicting pods would not help. Valid until the next call. */
const char *allotment_report(allotment *a, const char *spec);

#endif
