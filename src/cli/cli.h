// SPDX-License-Identifier: Apache-2.0
/* The program: what the user typed comes in, text goes out. Each command is a table of options and a
 * function in a file of its own; computing (through the library) and showing (tables, JSON, YAML) are kept
 * apart. Only this room does I/O.
 *
 * A command writes into one buffer, which main.c sends to standard output at the end; complaints go to
 * standard error at once, one line each. */
#ifndef KS_CLI_CLI_H
#define KS_CLI_CLI_H

#include "util/arena.h"
#include "util/str.h"

typedef enum ks_exit {
    KS_EXIT_OK = 0,
    KS_EXIT_NO = 1, /* the answer is no: the pod fits nowhere */
    KS_EXIT_ERROR = 2,
} ks_exit;

/* One run of the program. Memory from `arena` lives until it ends. */
typedef struct ks_cli {
    ks_alloc alloc;
    ks_arena arena;
    ks_buf out;
} ks_cli;

void ks_cli_init(ks_cli *cli);
void ks_cli_free(ks_cli *cli);

/* Prints "kubespread: …" to standard error, control characters escaped, and returns KS_EXIT_ERROR. */
ks_exit ks_cli_fail(ks_cli *cli, const char *format, ...) KS_PRINTF(2, 3);
ks_exit ks_cli_fail_nomem(ks_cli *cli);

/* Sends what was written to standard output. The exit code, or KS_EXIT_ERROR if that failed. */
ks_exit ks_cli_flush(ks_cli *cli, ks_exit code);

/* Writes all of it, however many calls that takes. False with errno set if it could not. */
bool ks_write_all(int fd, const char *data, size_t len);

/* A growing list of strings in an arena. */
typedef struct ks_texts {
    const char **items;
    size_t count, cap;
} ks_texts;

bool ks_texts_push(ks_texts *texts, ks_arena *arena, const char *text);

#endif
