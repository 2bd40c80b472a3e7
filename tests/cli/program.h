// SPDX-License-Identifier: Apache-2.0
/* Runs the built program as a user would and catches all that it says. */
#ifndef KS_TESTS_CLI_PROGRAM_H
#define KS_TESTS_CLI_PROGRAM_H

#include "support/sanitizer.h"
#include "support/unit.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS_MAX = 16 };

typedef struct outcome {
    int code; /* the exit code; -1 if a signal ended it */
    char *out, *err;
    double cpu_s;
    long rss_kb;
} outcome;

typedef struct run {
    const char *args[ARGS_MAX];
    const char *input;  /* what standard input has; NULL: nothing */
    int stdout_fd;      /* where output goes instead of being caught; 0: caught */
    size_t memory_max;  /* address space in bytes; 0: no limit */
    const char *locale; /* NULL: C.UTF-8 */
} run;

static inline char *read_all(int fd)
{
    struct stat stat_;
    assert_int_equal(fstat(fd, &stat_), 0);
    char *text = calloc(1, (size_t)stat_.st_size + 1);
    assert_non_null(text);
    assert_int_equal(pread(fd, text, (size_t)stat_.st_size, 0), stat_.st_size);
    return text;
}

static inline char *read_path(const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        fail_msg("%s cannot be opened", path);
    char *text = read_all(fd);
    close(fd);
    return text;
}

static inline int memory_file(const char *text)
{
    int fd = memfd_create("kubespread-test", 0);
    assert_true(fd >= 0);
    if (text && *text)
        assert_int_equal(pwrite(fd, text, strlen(text), 0), (ssize_t)strlen(text));
    return fd;
}

static inline void exec_program(const run *r, int in, int out, int err)
{
    const char *argv[ARGS_MAX + 2] = {"kubespread"};
    memcpy(argv + 1, r->args, sizeof r->args);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    setenv("LC_ALL", r->locale ? r->locale : "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    /* Sanitizers reserve address space of their own. */
    if (r->memory_max && !TESTS_SANITIZED)
        setrlimit(RLIMIT_AS, &(struct rlimit){r->memory_max, r->memory_max});
    execv(KS_PROGRAM, (char *const *)argv);
    _exit(127);
}

static inline outcome run_program(run r)
{
    int in = memory_file(r.input), out = r.stdout_fd ? r.stdout_fd : memory_file(NULL);
    int err = memory_file(NULL);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        exec_program(&r, in, out, err);
    int status;
    struct rusage usage;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    outcome o = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, .err = read_all(err)};
    o.out = r.stdout_fd ? calloc(1, 1) : read_all(out);
    o.cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
              1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    o.rss_kb = usage.ru_maxrss;
    close(in);
    close(err);
    if (!r.stdout_fd)
        close(out);
    return o;
}

static inline void outcome_free(outcome *o)
{
    free(o->out);
    free(o->err);
}

/* Runs it and compares all that it did. */
static inline void expect(const char *name, run r, int code, const char *out, const char *err)
{
    outcome o = run_program(r);
    if (o.code != code || strcmp(o.out, out) != 0 || strcmp(o.err, err) != 0)
        fail_msg("%s: exit %d\n--- output\n%s--- errors\n%s--- wanted: exit %d\n--- output\n%s--- errors\n%s",
                 name, o.code, o.out, o.err, code, out, err);
    outcome_free(&o);
}

/* ---- a folder for the test's files ---- */

static inline int remove_entry(const char *path, const struct stat *stat_, int type, struct FTW *ftw)
{
    (void)stat_, (void)type, (void)ftw;
    return remove(path);
}

/* cmocka setup: where tests without a folder of their own run. */
static inline int enter_source(void **state)
{
    (void)state;
    return chdir(KS_SOURCE_DIR);
}

/* cmocka setup and teardown: the folder is the state, and the place where the test runs, so that messages
 * have short names in them. */
static inline int enter_folder(void **state)
{
    char path[] = "/tmp/kubespread-test.XXXXXX";
    if (!mkdtemp(path) || chdir(path) < 0)
        return -1;
    *state = strdup(path);
    return *state ? 0 : -1;
}

static inline int leave_folder(void **state)
{
    int code = chdir(KS_SOURCE_DIR) == 0 ? nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
    free(*state);
    return code;
}

static inline void write_bytes(const char *path, const void *data, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    for (size_t done = 0; done < len;) {
        ssize_t n = write(fd, (const char *)data + done, len - done);
        assert_true(n > 0);
        done += (size_t)n;
    }
    close(fd);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

#endif
