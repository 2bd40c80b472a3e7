// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/options.h"

static const ks_command *const commands[] = {&ks_schedule_command, &ks_evaluate_command, &ks_capacity_command,
                                             &ks_help_command, &ks_version_command};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

const ks_command *ks_command_at(size_t i)
{
    return i < COMMAND_COUNT ? commands[i] : NULL;
}

const ks_command *ks_command_find(ks_cli *cli, const char *name)
{
    ks_nearest nearest;
    ks_nearest_init(&nearest, name);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        ks_nearest_offer(&nearest, commands[i]->name);
    }
    if (nearest.best)
        ks_cli_fail(cli, "unknown command \"%s\": did you mean \"%s\"?", name, nearest.best);
    else
        ks_cli_fail(cli, "unknown command \"%s\": \"kubespread help\" lists them", name);
    return NULL;
}

ks_exit ks_command_run(ks_cli *cli, const ks_command *command, char **args)
{
    void *values = NULL;
    if (command->values_size > 0) {
        values = ks_arena_get(&cli->arena, command->values_size);
        if (!values)
            return ks_cli_fail_nomem(cli);
        memcpy(values, command->defaults, command->values_size);
    }
    ks_texts operands = {0};
    switch (ks_options_parse(values, &operands, cli, command, args)) {
    case KS_PARSED:
        return command->run(cli, values, &operands);
    case KS_PARSED_HELP:
        ks_help_print(&cli->out, command);
        return KS_EXIT_OK;
    default:
        return KS_EXIT_ERROR;
    }
}
