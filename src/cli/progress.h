// SPDX-License-Identifier: Apache-2.0
/* One line on a terminal's standard error while something takes long; nothing if it does not, or if
 * standard error is no terminal. */
#ifndef KS_CLI_PROGRESS_H
#define KS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ks_progress {
    bool terminal, visible;
    double begun_s, shown_s;
    size_t total_bytes;
} ks_progress;

void ks_progress_begin(ks_progress *progress, size_t total_bytes);
void ks_progress_show(ks_progress *progress, size_t done_bytes);
/* Wipes the line. */
void ks_progress_end(ks_progress *progress);

#endif
