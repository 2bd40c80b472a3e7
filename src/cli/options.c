// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"
#include "cli/nearest.h"
#include <inttypes.h>

typedef struct parser {
    ks_cli *cli;
    const ks_command *command;
    char *values;
    ks_texts *operands;
    char **next; /* the argument after the one at hand */
} parser;

static const ks_option *find_name(const ks_command *command, const char *name, size_t len)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (strlen(command->options[i].name) == len && memcmp(command->options[i].name, name, len) == 0)
            return &command->options[i];
    return NULL;
}

static const ks_option *find_letter(const ks_command *command, char letter)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    return NULL;
}

static ks_parsed fail_unknown(parser *p, const char *typed)
{
    ks_nearest nearest;
    ks_nearest_init(&nearest, typed);
    for (size_t i = 0; i < p->command->option_count; i++)
        ks_nearest_offer(&nearest, p->command->options[i].name);
    ks_nearest_offer(&nearest, "help");
    if (nearest.best)
        ks_cli_fail(p->cli, "unknown flag \"--%s\": did you mean \"--%s\"?", typed, nearest.best);
    else
        ks_cli_fail(p->cli, "unknown flag \"--%s\": \"kubespread %s --help\" lists them", typed,
                    p->command->name);
    return KS_PARSED_FAULT;
}

static ks_parsed set_switch(parser *p, const ks_option *option, const char *text)
{
    bool *value = (bool *)(p->values + option->offset);
    if (!text || strcmp(text, "true") == 0) {
        *value = true;
        return KS_PARSED;
    }
    if (strcmp(text, "false") == 0) {
        *value = false;
        return KS_PARSED;
    }
    ks_cli_fail(p->cli, "--%s: \"%s\": must be true or false", option->name, text);
    return KS_PARSED_FAULT;
}

static ks_parsed set_list(parser *p, const ks_option *option, const char *text)
{
    ks_texts *list = (ks_texts *)(p->values + option->offset);
    for (const char *begin = text;; begin++) {
        size_t len = strcspn(begin, ",");
        if (len == 0) {
            ks_cli_fail(p->cli, "--%s: \"%s\": must not have an empty %s", option->name, text,
                        option->argument);
            return KS_PARSED_FAULT;
        }
        ks_str item;
        if (!ks_arena_copy_str(&p->cli->arena, &item, (ks_str){begin, len}) ||
            !ks_texts_push(list, &p->cli->arena, item.data)) {
            ks_cli_fail_nomem(p->cli);
            return KS_PARSED_FAULT;
        }
        begin += len;
        if (*begin == '\0')
            return KS_PARSED;
    }
}

static ks_parsed set_choice(parser *p, const ks_option *option, const char *text)
{
    ks_buf words;
    ks_buf_init(&words, &p->cli->alloc);
    for (int i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            *(int *)(p->values + option->offset) = i;
            ks_buf_free(&words);
            return KS_PARSED;
        }
        ks_buf_printf(&words, "%s%s", i ? ", " : "", option->choices[i]);
    }
    ks_cli_fail(p->cli, "--%s: \"%s\": must be one of %s", option->name, text,
                words.data ? words.data : "the choices");
    ks_buf_free(&words);
    return KS_PARSED_FAULT;
}

static ks_parsed set_number(parser *p, const ks_option *option, const char *text)
{
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
            break;
    if (*at != '\0' || at == text) {
        ks_cli_fail(p->cli, "--%s: \"%s\": must be a whole number from 0 to %" PRIu64, option->name, text,
                    UINT64_MAX);
        return KS_PARSED_FAULT;
    }
    *(uint64_t *)(p->values + option->offset) = value;
    return KS_PARSED;
}

static ks_parsed set_value(parser *p, const ks_option *option, const char *text)
{
    switch (option->type) {
    case KS_OPTION_SWITCH:
        return set_switch(p, option, text);
    case KS_OPTION_LIST:
        return set_list(p, option, text);
    case KS_OPTION_CHOICE:
        return set_choice(p, option, text);
    case KS_OPTION_NUMBER:
        return set_number(p, option, text);
    default:
        *(const char **)(p->values + option->offset) = text;
        return KS_PARSED;
    }
}

/* `text` NULL: nothing was attached to the flag, so its argument is what comes next. */
static ks_parsed set_option(parser *p, const ks_option *option, const char *text)
{
    if (!text && option->type != KS_OPTION_SWITCH) {
        text = *p->next;
        if (!text) {
            ks_cli_fail(p->cli, "flag \"--%s\" needs an argument: --%s %s", option->name, option->name,
                        option->argument);
            return KS_PARSED_FAULT;
        }
        p->next++;
    }
    return set_value(p, option, text);
}

static ks_parsed parse_long(parser *p, const char *name)
{
    const char *equals = strchr(name, '=');
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    if (!equals && strcmp(name, "help") == 0)
        return KS_PARSED_HELP;
    const ks_option *option = find_name(p->command, name, len);
    if (option)
        return set_option(p, option, equals ? equals + 1 : NULL);
    ks_str typed;
    if (!ks_arena_copy_str(&p->cli->arena, &typed, (ks_str){name, len})) {
        ks_cli_fail_nomem(p->cli);
        return KS_PARSED_FAULT;
    }
    return fail_unknown(p, typed.data);
}

/* "-Rf FILE": switches one after the other; the first option that takes an argument takes the rest. */
static ks_parsed parse_letters(parser *p, const char *letters)
{
    for (const char *at = letters; *at; at++) {
        const ks_option *option = find_letter(p->command, *at);
        if (!option && *at == 'h')
            return KS_PARSED_HELP;
        if (!option) {
            ks_cli_fail(p->cli, "unknown flag \"-%c\" in \"-%s\": \"kubespread %s --help\" lists them", *at,
                        letters, p->command->name);
            return KS_PARSED_FAULT;
        }
        bool attached = at[1] == '=';
        if (option->type != KS_OPTION_SWITCH || attached)
            return set_option(p, option, attached ? at + 2 : at[1] ? at + 1 : NULL);
        ks_parsed parsed = set_switch(p, option, NULL);
        if (parsed != KS_PARSED)
            return parsed;
    }
    return KS_PARSED;
}

static ks_parsed parse_operand(parser *p, const char *text)
{
    if (ks_texts_push(p->operands, &p->cli->arena, text))
        return KS_PARSED;
    ks_cli_fail_nomem(p->cli);
    return KS_PARSED_FAULT;
}

static ks_parsed parse_argument(parser *p, const char *arg)
{
    if (strncmp(arg, "--", 2) == 0)
        return parse_long(p, arg + 2);
    if (arg[0] == '-' && arg[1] != '\0')
        return parse_letters(p, arg + 1);
    return parse_operand(p, arg);
}

ks_parsed ks_options_parse(void *values, ks_texts *operands, ks_cli *cli, const ks_command *command,
                           char **args)
{
    parser p = {.cli = cli, .command = command, .values = values, .operands = operands, .next = args};
    bool flags = true;
    ks_parsed parsed = KS_PARSED;
    while (parsed == KS_PARSED && *p.next) {
        const char *arg = *p.next++;
        if (flags && strcmp(arg, "--") == 0)
            flags = false;
        else
            parsed = flags ? parse_argument(&p, arg) : parse_operand(&p, arg);
    }
    return parsed;
}
