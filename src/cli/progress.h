// SPDX-License-Identifier: Apache-2.0
/* One line on a terminal's standard error while something takes long; nothing if it does not, or if
 * standard error is no terminal. */
#ifndef KS_CLI_PROGRESS_H
#define KS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* What is going on, and in what it is measured. */
typedef struct ks_progress_unit {
    const char *verb, *name;
    double size; /* what is counted, of one unit */
} ks_progress_unit;
extern const ks_progress_unit ks_progress_loading, ks_progress_placing;

typedef struct ks_progress {
    const ks_progress_unit *unit;
    bool terminal, visible, utf8;
    double begun_s, shown_s;
    size_t total; /* may change on the way */
} ks_progress;

void ks_progress_begin(ks_progress *progress, const ks_progress_unit *unit, size_t total);
void ks_progress_show(ks_progress *progress, size_t done);
/* Wipes the line. */
void ks_progress_end(ks_progress *progress);

/* A clock that never runs backwards. */
double ks_clock_s(void);

#endif
