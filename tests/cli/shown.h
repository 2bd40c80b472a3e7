// SPDX-License-Identifier: Apache-2.0
/* What a command shows, whole. The expected outputs are files in tests/cli/expected; KS_UPDATE_CASES=1 writes
 * them anew: look at the change before you believe it. */
#ifndef KS_TESTS_CLI_SHOWN_H
#define KS_TESTS_CLI_SHOWN_H

#include "program.h"

typedef struct shown {
    const char *file; /* of the expected output; also the row's name */
    const char *args[10];
    int code;
    const char *locale;
    const char *err; /* what standard error has; NULL: nothing */
} shown;

static inline run shown_run(const char *command, const shown *row)
{
    run r = {.args = {command}, .locale = row->locale};
    memcpy(r.args + 1, row->args, sizeof row->args);
    return r;
}

static inline void shown_update(const char *path, run r)
{
    outcome o = run_program(r);
    write_text(path, o.out);
    outcome_free(&o);
}

static inline void expect_shown(const char *command, const shown *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "tests/cli/expected/%s", rows[i].file);
        run r = shown_run(command, &rows[i]);
        if (getenv("KS_UPDATE_CASES"))
            shown_update(path, r);
        char *expected = read_path(path);
        expect(rows[i].file, r, rows[i].code, expected, rows[i].err ? rows[i].err : "");
        free(expected);
    }
}

#endif
