// SPDX-License-Identifier: Apache-2.0
/* Which pods belong together where the pod itself does not say: deduced from Services and controllers, for
 * default constraints and for SelectorSpread. */
#ifndef KS_ENGINE_DEDUCE_H
#define KS_ENGINE_DEDUCE_H

#include "engine/engine.h"

/* The selector of the Services that select pods of the class and of the controller that owns them; an
 * empty one if there is nothing to deduce from. A controller's selector that does not compile is left out,
 * as upstream does. It holds until the namespace's workloads_version changes, and borrows from the arena
 * and from the stored objects. */
int ks_deduce_selector(ks_selector *out, const ks_cluster *cluster, const ks_class *class_, ks_arena *arena,
                       ks_error *err);

#endif
