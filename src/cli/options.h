// SPDX-License-Identifier: Apache-2.0
/* Reads a command line by a command's table of options. */
#ifndef KS_CLI_OPTIONS_H
#define KS_CLI_OPTIONS_H

#include "cli/command.h"

typedef enum ks_parsed {
    KS_PARSED,
    KS_PARSED_HELP,  /* help was asked for */
    KS_PARSED_FAULT, /* the complaint has been made */
} ks_parsed;

/* Fills `values` (the command's struct, with its defaults in it) and collects the operands. Strings point
 * into `args` or the program's arena. */
ks_parsed ks_options_parse(void *values, ks_texts *operands, ks_cli *cli, const ks_command *command,
                           char **args);

#endif
