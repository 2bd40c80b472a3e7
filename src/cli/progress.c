// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double patience_s = 0.5, refresh_s = 0.1;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void ks_progress_begin(ks_progress *progress, size_t total_bytes)
{
    *progress = (ks_progress){.total_bytes = total_bytes};
    progress->terminal = isatty(STDERR_FILENO);
    if (progress->terminal)
        progress->begun_s = progress->shown_s = now_s();
}

static void print_line(const ks_progress *progress, size_t done_bytes, double taken_s)
{
    const double mb = 1e6;
    double done = (double)done_bytes, total = (double)progress->total_bytes;
    double rate = done / taken_s;
    double left_s = rate > 0 ? (total - done) / rate : 0;
    fprintf(stderr, "\r\033[Kkubespread: loading %.0f of %.0f MB (%.0f %%), %.0f MB/s, %.0f s left",
            done / mb, total / mb, total > 0 ? 100 * done / total : 100, rate / mb, left_s);
    fflush(stderr);
}

void ks_progress_show(ks_progress *progress, size_t done_bytes)
{
    if (!progress->terminal)
        return;
    double now = now_s(), taken_s = now - progress->begun_s;
    if (taken_s < patience_s || now - progress->shown_s < refresh_s)
        return;
    print_line(progress, done_bytes, taken_s);
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
