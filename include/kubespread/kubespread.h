// SPDX-License-Identifier: Apache-2.0
/* The whole library. Decode objects (decode.h), apply them to a cluster and run cycles (cluster.h) or the
 * whole scheduling loop (scheduler.h); examples/embed.c does the former in a page. */
#ifndef KUBESPREAD_H
#define KUBESPREAD_H

#include <kubespread/scheduler.h>
#include <kubespread/validate.h>

#endif
