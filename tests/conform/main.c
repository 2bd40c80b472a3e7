// SPDX-License-Identifier: Apache-2.0
/* kubespread-conform: reads one scenario a line on standard input and prints one answer a line, so that
 * what we decide can be laid beside what kube-scheduler decides. */
#include "support/scenario.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct work {
    ks_alloc alloc;
    ks_arena arena;
    ks_buf answer;
} work;

static int answer_line(work *w, ks_str line, ks_error *err)
{
    ks_scenario scenario;
    ks_arena_reset(&w->arena);
    ks_buf_clear(&w->answer);
    int rc = ks_scenario_decode(&scenario, line, &w->arena, err);
    if (rc == KS_OK)
        rc = ks_scenario_answer(&w->answer, &scenario, err);
    return rc;
}

static int answer_all(work *w, FILE *in, FILE *out)
{
    char *line = NULL;
    size_t cap = 0, number = 0;
    int rc = KS_OK;
    for (ssize_t len; rc == KS_OK && (len = getline(&line, &cap, in)) > 0;) {
        ks_error err;
        number++;
        rc = answer_line(w, (ks_str){line, (size_t)len}, &err);
        if (rc == KS_OK)
            fprintf(out, "%s\n", w->answer.data);
        else
            fprintf(stderr, "kubespread-conform: scenario %zu: %s\n", number, err.message);
    }
    free(line);
    return rc;
}

int main(void)
{
    work w;
    ks_alloc_init(&w.alloc, NULL);
    ks_arena_init(&w.arena, &w.alloc);
    ks_buf_init(&w.answer, &w.alloc);
    int rc = answer_all(&w, stdin, stdout);
    ks_buf_free(&w.answer);
    ks_arena_free(&w.arena);
    if (fflush(stdout) != 0)
        return 1;
    return rc == KS_OK ? 0 : 2;
}
