// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/text.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

void ks_cli_init(ks_cli *cli)
{
    *cli = (ks_cli){0};
    ks_alloc_init(&cli->alloc, NULL);
    ks_arena_init(&cli->arena, &cli->alloc);
    ks_buf_init(&cli->out, &cli->alloc);
}

void ks_cli_free(ks_cli *cli)
{
    ks_buf_free(&cli->out);
    ks_arena_free(&cli->arena);
}

bool ks_write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

/* One write a line, so that lines of several processes do not mix. Standard error is the last resort: if it
 * fails, there is nobody to tell. */
static void complain(ks_cli *cli, ks_str message)
{
    ks_buf line;
    ks_buf_init(&line, &cli->alloc);
    ks_buf_put_str(&line, KS_STR("kubespread: "));
    ks_text_put(&line, message);
    ks_buf_put_char(&line, '\n');
    if (line.failed)
        (void)ks_write_all(STDERR_FILENO, "kubespread: out of memory\n", 26);
    else
        (void)ks_write_all(STDERR_FILENO, line.data, line.len);
    ks_buf_free(&line);
}

ks_exit ks_cli_fail(ks_cli *cli, const char *format, ...)
{
    char message[2 * KS_ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    complain(cli, ks_str_of(message));
    return KS_EXIT_ERROR;
}

ks_exit ks_cli_fail_nomem(ks_cli *cli)
{
    return ks_cli_fail(cli, "out of memory");
}

ks_exit ks_cli_flush(ks_cli *cli, ks_exit code)
{
    if (cli->out.failed)
        return ks_cli_fail_nomem(cli);
    if (ks_write_all(STDOUT_FILENO, cli->out.data, cli->out.len))
        return code;
    /* Whoever closed the pipe ("| head -1") has seen enough and wants no complaint. */
    if (errno == EPIPE)
        return KS_EXIT_ERROR;
    return ks_cli_fail(cli, "standard output: %s", strerror(errno));
}

bool ks_texts_push(ks_texts *texts, ks_arena *arena, const char *text)
{
    if (texts->count == texts->cap && !ks_arena_grow(arena, &texts->items, &texts->cap, sizeof *texts->items))
        return false;
    texts->items[texts->count++] = text;
    return true;
}
