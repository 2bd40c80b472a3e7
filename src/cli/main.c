// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

/* A standard stream that came closed would be taken by the next file opened, and our output would go
 * there. /dev/null opened for reading keeps the place and still refuses what is written. */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            _exit(KS_EXIT_ERROR);
}

/* Input is mapped: a file that is cut short while it is read ends in this signal, not in a failed read. */
static void on_bus_error(int signal)
{
    static const char message[] = "kubespread: an input file was cut short while it was read\n";
    (void)signal;
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(KS_EXIT_ERROR);
}

static ks_exit dispatch(ks_cli *cli, char **args)
{
    const char *name = args[0];
    if (!name || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        ks_help_print(&cli->out, NULL);
        return KS_EXIT_OK;
    }
    if (strcmp(name, "--version") == 0)
        return ks_command_run(cli, &ks_version_command, args + 1);
    if (name[0] == '-')
        return ks_cli_fail(cli, "unknown flag \"%s\": flags come after the command, see \"kubespread help\"",
                           name);
    const ks_command *command = ks_command_find(cli, name);
    return command ? ks_command_run(cli, command, args + 1) : KS_EXIT_ERROR;
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, reported as such */
    signal(SIGBUS, on_bus_error);
    ks_cli cli;
    ks_cli_init(&cli);
    ks_exit code = dispatch(&cli, argc > 0 ? argv + 1 : argv);
    code = ks_cli_flush(&cli, code);
    ks_cli_free(&cli);
    return (int)code;
}
