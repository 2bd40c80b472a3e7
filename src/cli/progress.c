// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"
#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double patience_s = 0.5, refresh_s = 0.1;
enum { BAR = 20 };

const ks_progress_unit ks_progress_loading = {"loading", "MB", 1e6};
const ks_progress_unit ks_progress_placing = {"placing", "pods", 1};

double ks_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void ks_progress_begin(ks_progress *progress, const ks_progress_unit *unit, size_t total)
{
    *progress = (ks_progress){.unit = unit, .total = total};
    progress->terminal = isatty(STDERR_FILENO);
    progress->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (progress->terminal)
        progress->begun_s = progress->shown_s = ks_clock_s();
}

static void print_bar(const ks_progress *progress, double share)
{
    const char *full = progress->utf8 ? "█" : "#", *empty = progress->utf8 ? "░" : ".";
    for (int i = 0; i < BAR; i++)
        fputs(i < share * BAR ? full : empty, stderr);
}

/* Short enough for 80 columns: a line that wraps cannot be wiped. */
static void print_line(const ks_progress *progress, size_t done_, double taken_s)
{
    const ks_progress_unit *unit = progress->unit;
    double done = (double)done_, total = (double)progress->total;
    double rate = done / taken_s, share = total > 0 ? done / total : 1;
    double left_s = rate > 0 ? (total - done) / rate : 0;
    fprintf(stderr, "\r\033[K%s ", unit->verb);
    print_bar(progress, share);
    fprintf(stderr, " %.0f %%  %.0f/%.0f %s  %.0f %s/s  %.0f s left", 100 * share, done / unit->size,
            total / unit->size, unit->name, rate / unit->size, unit->name, left_s);
    fflush(stderr);
}

void ks_progress_show(ks_progress *progress, size_t done)
{
    if (!progress->terminal)
        return;
    double now = ks_clock_s(), taken_s = now - progress->begun_s;
    if (taken_s < patience_s || now - progress->shown_s < refresh_s)
        return;
    print_line(progress, done, taken_s);
    progress->visible = true;
    progress->shown_s = now;
}

void ks_progress_end(ks_progress *progress)
{
    if (!progress->visible)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->visible = false;
}
