// SPDX-License-Identifier: Apache-2.0
/* Simulations from texts, and what came of them as text. Whatever goes wrong ends the program with a
 * message. */
#ifndef TESTS_SUPPORT_SIMULATION_H
#define TESTS_SUPPORT_SIMULATION_H

#include "sim/sim.h"
#include "util/str.h"

typedef struct simulation {
    ks_alloc alloc;
    ks_buf text;
    ks_sim *sim;
} simulation;

/* options NULL: kube-scheduler's default profile and seed 0. */
void simulation_begin(simulation *s, const ks_sim_options *options);
void simulation_end(simulation *s);

/* YAML or JSON. */
void simulation_take(simulation *s, const char *text);
/* A file below the repository's root. */
void simulation_take_file(simulation *s, const char *path);
void simulation_run(simulation *s);

/* These are valid until the next one. */

/* Placements, unplaced pods, evictions and workloads with their domains, a line each. */
const char *simulation_results(simulation *s);
/* Every pod of the cluster by name: labels, controller, node. What the simulator makes up is shown as "*"
 * (suffixes) and "#" (hashes). */
const char *simulation_pods(simulation *s);
/* The pods' names and nodes alone: "web-0 node1, web-1 -". */
const char *simulation_where(simulation *s);

#endif
