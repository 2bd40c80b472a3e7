// SPDX-License-Identifier: Apache-2.0
/* Which of the nodes that passed gets the pod. */
#ifndef KS_ENGINE_HOST_H
#define KS_ENGINE_HOST_H

#include "util/nodeset.h"
#include "util/random.h"

/* The node of highest total; among equals one by chance, each as likely. totals NULL: all are equal. The
 * set must not be empty. */
uint32_t ks_host_select(const ks_nodeset *nodes, const double *totals, ks_random *random);

#endif
