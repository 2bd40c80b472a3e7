// SPDX-License-Identifier: Apache-2.0
/* kubespread-conform: reads one scenario a line on standard input and prints one answer a line, so that
 * what we decide can be laid beside what kube-scheduler decides. */
#include "support/scenario.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct session {
    ks_alloc alloc;
    ks_arena arena;
    ks_buf answer;
} session;

static int answer_line(session *s, ks_str line, ks_error *err)
{
    ks_scenario scenario;
    ks_arena_reset(&s->arena);
    ks_buf_clear(&s->answer);
    int rc = ks_scenario_decode(&scenario, line, &s->arena, err);
    if (rc == KS_OK)
        rc = ks_scenario_answer(&s->answer, &scenario, err);
    return rc;
}

static int answer_all(session *s, FILE *in, FILE *out)
{
    char *line = NULL;
    size_t cap = 0, number = 0;
    int rc = KS_OK;
    for (ssize_t len; rc == KS_OK && (len = getline(&line, &cap, in)) > 0;) {
        ks_error err;
        number++;
        rc = answer_line(s, (ks_str){line, (size_t)len}, &err);
        if (rc == KS_OK)
            fprintf(out, "%s\n", s->answer.data);
        else
            fprintf(stderr, "kubespread-conform: scenario %zu: %s\n", number, err.message);
    }
    free(line);
    return rc;
}

int main(void)
{
    session s;
    ks_alloc_init(&s.alloc, NULL);
    ks_arena_init(&s.arena, &s.alloc);
    ks_buf_init(&s.answer, &s.alloc);
    int rc = answer_all(&s, stdin, stdout);
    ks_buf_free(&s.answer);
    ks_arena_free(&s.arena);
    if (fflush(stdout) != 0)
        return 1;
    return rc == KS_OK ? 0 : 2;
}
