// SPDX-License-Identifier: Apache-2.0
#include "support/file.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

_Noreturn void ks_test_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

static char *join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        ks_test_die("out of memory");
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

char *ks_test_path(const char *relative)
{
    return join(KS_SOURCE_DIR "/tests", relative);
}

ks_test_file ks_test_file_read(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0)
        ks_test_die("%s: %s", path, strerror(errno));
    long size = ftell(stream);
    rewind(stream);
    ks_test_file file = {.data = malloc((size_t)size + 1), .len = (size_t)size};
    if (!file.data || fread(file.data, 1, file.len, stream) != file.len)
        ks_test_die("%s: cannot be read", path);
    file.data[file.len] = '\0';
    fclose(stream);
    return file;
}

void ks_test_file_write(const char *path, ks_str text)
{
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(text.data, 1, text.len, stream) != text.len || fclose(stream) != 0)
        ks_test_die("%s: %s", path, strerror(errno));
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t len = strlen(text), suffix_len = strlen(suffix);
    return len >= suffix_len && strcmp(text + len - suffix_len, suffix) == 0;
}

static void find_below(ks_test_files *files, const char *folder, const char *suffix);

/* Takes over `path`. */
static void visit(ks_test_files *files, char *path, const char *suffix)
{
    struct stat status;
    if (stat(path, &status) != 0)
        ks_test_die("%s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        find_below(files, path, suffix);
    if (S_ISDIR(status.st_mode) || !has_suffix(path, suffix)) {
        free(path);
        return;
    }
    char **paths = realloc(files->paths, (files->count + 1) * sizeof *paths);
    if (!paths)
        ks_test_die("out of memory");
    files->paths = paths;
    files->paths[files->count++] = path;
}

static void find_below(ks_test_files *files, const char *folder, const char *suffix)
{
    DIR *dir = opendir(folder);
    if (!dir)
        ks_test_die("%s: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] != '.')
            visit(files, join(folder, entry->d_name), suffix);
    }
    closedir(dir);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

ks_test_files ks_test_files_find(const char *folder, const char *suffix)
{
    ks_test_files files = {0};
    find_below(&files, folder, suffix);
    if (files.count)
        qsort(files.paths, files.count, sizeof *files.paths, by_path);
    return files;
}

void ks_test_files_free(ks_test_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (ks_test_files){0};
}

bool ks_test_line_next(ks_str *line, ks_str *text)
{
    if (text->len == 0)
        return false;
    const char *end = memchr(text->data, '\n', text->len);
    line->data = text->data;
    line->len = end ? (size_t)(end - text->data) : text->len;
    size_t taken = line->len + (end ? 1 : 0);
    text->data += taken;
    text->len -= taken;
    return true;
}
