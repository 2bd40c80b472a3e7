// SPDX-License-Identifier: Apache-2.0
/* A command as data: its options, its help, the function that does it. Flags are written as for kubectl:
 * "-o json", "-ojson", "-o=json", "--output json", "--output=json", short switches together, flags and
 * operands in any order, "--" before operands that begin with a dash. */
#ifndef KS_CLI_COMMAND_H
#define KS_CLI_COMMAND_H

#include "cli/cli.h"

typedef enum ks_option_type {
    KS_OPTION_SWITCH, /* bool */
    KS_OPTION_TEXT,   /* const char * */
    KS_OPTION_NUMBER, /* uint64_t */
    KS_OPTION_LIST,   /* ks_texts: repeatable, and several at once with commas */
    KS_OPTION_CHOICE, /* int: the place of the word in `choices` */
} ks_option_type;

typedef struct ks_option {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    ks_option_type type;
    size_t offset;              /* of its value in the command's struct of values */
    const char *argument;       /* what help calls its argument; NULL for switches */
    const char *const *choices; /* NULL-terminated */
    const char *help;
} ks_option;

typedef struct ks_command ks_command;
struct ks_command {
    const char *name;
    const char *operands; /* as usage shows them */
    const char *summary;  /* one line */
    const char *details;  /* NULL: the summary says it all */
    const char *examples; /* lines; NULL: none */
    const ks_option *options;
    size_t option_count;
    const void *defaults; /* values before the command line is read */
    size_t values_size;   /* of the struct that the options' offsets reach into */
    ks_exit (*run)(ks_cli *cli, const void *values, const ks_texts *operands);
};

extern const ks_command ks_schedule_command, ks_capacity_command, ks_evaluate_command, ks_version_command,
    ks_help_command;

/* The commands in the order of the help, from 0; NULL behind the last. */
const ks_command *ks_command_at(size_t i);
/* NULL if there is none; then the complaint, with the nearest name, has been made. */
const ks_command *ks_command_find(ks_cli *cli, const char *name);

/* Reads the arguments behind the command's name (NULL-terminated), then runs it or shows its help. */
ks_exit ks_command_run(ks_cli *cli, const ks_command *command, char **args);

/* Help for one command; for the program if it is NULL. */
void ks_help_print(ks_buf *out, const ks_command *command);

#endif
