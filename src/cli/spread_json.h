// SPDX-License-Identifier: Apache-2.0
/* Spread constraints in results for programs. */
#ifndef KS_CLI_SPREAD_JSON_H
#define KS_CLI_SPREAD_JSON_H

#include "util/json.h"
#include <kubespread/cluster.h>

/* A constraint of a cycle that has run, with its domains. */
void ks_constraint_put(ks_json_writer *w, const ks_cycle *cycle, size_t constraint);

#endif
