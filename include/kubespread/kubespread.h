// SPDX-License-Identifier: Apache-2.0
/* The whole library. Decode objects (decode.h), apply them to a cluster and run cycles (cluster.h);
 * examples/embed.c does it in a page. */
#ifndef KUBESPREAD_H
#define KUBESPREAD_H

#include <kubespread/cluster.h>
#include <kubespread/validate.h>

#endif
