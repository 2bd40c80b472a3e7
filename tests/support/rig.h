// SPDX-License-Identifier: Apache-2.0
/* A scheduler on a virtual clock, driven by a script and answering with a transcript, so that a table of
 * cases reads like a story.
 *
 *   node NAME [cpu=N] [zone=Z] [taint=KEY]
 *   pod NAME [app=A] [cpu=N] [prio=N] [class=C] [policy=Never] [on=NODE] [start=HH:MM] [deleted] [gate=G]
 *            [spread=zone] [nominated=NODE] [scheduler=S] [phase=P] [tolerate=KEY] [claim=C]
 *   budget NAME allowed=N app=A
 *   class NAME value=N [default] [policy=Never]
 *   delete KIND NAME          KIND as above
 *   forget NAME               a binding failed
 *   run                       steps until nothing is to be tried now
 *   wait MS                   the clock runs so long, with steps when backoffs end
 *   flush                     as wait, up to the end of the pool's patience
 *
 * A line comes out for each decision:
 *
 *   0 a → n1 (2 fit)
 *   1000 b refused: 0/1 nodes are available: … [NodeResourcesFit]
 *   1000 c preempts d e on n1
 *   0 g gated: … */
#ifndef TESTS_SUPPORT_RIG_H
#define TESTS_SUPPORT_RIG_H

#include "util/arena.h"
#include "util/str.h"
#include <kubespread/scheduler.h>

typedef struct rig {
    ks_alloc alloc;
    ks_arena arena;
    ks_buf transcript;
    ks_cluster *cluster;
    ks_scheduler *scheduler;
    int64_t now_ms;
    bool brief; /* no sentences in the transcript */
} rig;

void rig_begin(rig *r, const ks_scheduler_options *options);
void rig_end(rig *r);
/* Carries out a script; a mistake in it ends the test. */
void rig_play(rig *r, const char *script);
/* The transcript so far must be this, and begins anew. */
void rig_assert(rig *r, const char *wanted);

typedef struct rig_row {
    const char *name, *script, *wanted;
} rig_row;
/* Plays each row on a rig of its own, whose victims are deleted at once. What comes out is brief: without
 * sentences and numbers. */
void rig_check(const rig_row *rows, size_t count);
/* The same with all that is said. */
void rig_check_whole(const rig_row *rows, size_t count);

#endif
