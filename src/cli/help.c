// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/table.h"

static const ks_style plain = {0};

static void put_commands(ks_buf *out)
{
    ks_text_table table;
    ks_text_table_init(&table, out->alloc, 2);
    table.indent = 2;
    const ks_command *command;
    for (size_t i = 0; (command = ks_command_at(i)); i++) {
        ks_text_table_put(&table, KS_TONE_PLAIN, ks_str_of(command->name));
        ks_text_table_put(&table, KS_TONE_PLAIN, ks_str_of(command->summary));
    }
    ks_text_table_print(&table, &plain, out);
    ks_text_table_free(&table);
}

static void put_program_help(ks_buf *out)
{
    ks_buf_put_str(out, KS_STR("kubespread places pods exactly as kube-scheduler does, spread included, "
                               "and says why.\n\n"
                               "Usage:\n  kubespread COMMAND [FLAGS]\n\nCommands:\n"));
    put_commands(out);
    ks_buf_put_str(out, KS_STR("\n\"kubespread COMMAND --help\" tells more about one of them.\n"
                               "Exit codes: 0 yes, 1 no (a pod fits nowhere), 2 error.\n"));
}

/* "  -o, --output FORMAT", help indented behind the widest. */
static void put_option(ks_text_table *table, const ks_option *option)
{
    char letter[8] = "    ";
    if (option->letter)
        memcpy(letter, (char[]){'-', option->letter, ',', ' ', '\0'}, 5);
    ks_text_table_printf(table, KS_TONE_PLAIN, "%s--%s%s%s", letter, option->name,
                         option->argument ? " " : "", option->argument ? option->argument : "");
    ks_text_table_put(table, KS_TONE_PLAIN, ks_str_of(option->help));
}

static void put_options(ks_buf *out, const ks_command *command)
{
    static const ks_option help = {.name = "help", .letter = 'h', .help = "this text"};
    ks_text_table table;
    ks_text_table_init(&table, out->alloc, 2);
    table.indent = 2;
    for (size_t i = 0; i < command->option_count; i++)
        put_option(&table, &command->options[i]);
    put_option(&table, &help);
    ks_text_table_print(&table, &plain, out);
    ks_text_table_free(&table);
}

static void put_command_help(ks_buf *out, const ks_command *command)
{
    ks_buf_printf(out, "%s.\n\nUsage:\n  kubespread %s%s%s%s\n", command->summary, command->name,
                  command->option_count > 0 ? " [FLAGS]" : "", command->operands ? " " : "",
                  command->operands ? command->operands : "");
    if (command->details)
        ks_buf_printf(out, "\n%s", command->details);
    if (command->examples)
        ks_buf_printf(out, "\nExamples:\n%s", command->examples);
    ks_buf_put_str(out, KS_STR("\nFlags:\n"));
    put_options(out, command);
}

void ks_help_print(ks_buf *out, const ks_command *command)
{
    if (command)
        put_command_help(out, command);
    else
        put_program_help(out);
}

static ks_exit run(ks_cli *cli, const void *values, const ks_texts *operands)
{
    (void)values;
    if (operands->count > 1)
        return ks_cli_fail(cli, "\"%s\": help takes at most one command", operands->items[1]);
    const ks_command *command = NULL;
    if (operands->count == 1) {
        command = ks_command_find(cli, operands->items[0]);
        if (!command)
            return KS_EXIT_ERROR;
    }
    ks_help_print(&cli->out, command);
    return KS_EXIT_OK;
}

const ks_command ks_help_command = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "Show the commands, or what one of them does",
    .examples = "  kubespread help evaluate\n",
    .run = run,
};
