// SPDX-License-Identifier: Apache-2.0
#include "cli/mapping.h"
#include "cli/cli.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RELEASE_STEP = 8 << 20, SPOOL_BLOCK = 64 << 10 };

static int fail_errno(ks_error *err, const char *name)
{
    return ks_fail(err, KS_EINVAL, "%s: %s", name, strerror(errno));
}

int ks_mapping_open(ks_mapping *out, int fd, const char *name, ks_error *err)
{
    *out = (ks_mapping){.text = KS_STR("")};
    struct stat stat;
    if (fstat(fd, &stat) < 0)
        return fail_errno(err, name);
    if (stat.st_size == 0)
        return KS_OK;
    size_t size = (size_t)stat.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return fail_errno(err, name);
    (void)madvise(data, size, MADV_SEQUENTIAL);
    out->text = (ks_str){data, size};
    return KS_OK;
}

void ks_mapping_release(ks_mapping *mapping, size_t offset)
{
    if (offset < mapping->released + RELEASE_STEP || offset > mapping->text.len)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t end = offset / page * page;
    (void)madvise((char *)mapping->text.data + mapping->released, end - mapping->released, MADV_DONTNEED);
    mapping->released = end;
}

void ks_mapping_close(ks_mapping *mapping)
{
    if (mapping->text.len > 0)
        munmap((char *)mapping->text.data, mapping->text.len);
    *mapping = (ks_mapping){0};
}

static int open_temporary(ks_error *err)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/kubespread.XXXXXX", folder && folder[0] ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0)
        return fail_errno(err, path);
    unlink(path);
    return fd;
}

/* Text has no NUL, while /dev/zero and its like have one soon and would never end. */
static int copy_stream(int to, size_t *size, int from, const char *name, ks_error *err)
{
    char block[SPOOL_BLOCK];
    for (;;) {
        ssize_t n = read(from, block, sizeof block);
        if (n == 0)
            return KS_OK;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_errno(err, name);
        if (memchr(block, '\0', (size_t)n))
            return ks_fail(err, KS_EINVAL, "%s: has a NUL byte: must be JSON or YAML text", name);
        if (!ks_write_all(to, block, (size_t)n))
            return ks_fail(err, KS_EINVAL, "%s: temporary copy: %s", name, strerror(errno));
        *size += (size_t)n;
    }
}

int ks_stream_spool(int *out_fd, size_t *out_size, int fd, const char *name, ks_error *err)
{
    int temporary = open_temporary(err);
    if (temporary < 0)
        return temporary;
    *out_size = 0;
    int code = copy_stream(temporary, out_size, fd, name, err);
    if (code != KS_OK) {
        close(temporary);
        return code;
    }
    *out_fd = temporary;
    return KS_OK;
}
