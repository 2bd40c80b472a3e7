// SPDX-License-Identifier: Apache-2.0
/* Feeds files, or every file of a folder, to a fuzz target once each: keeps the corpus honest where there
 * is no libFuzzer. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int fail(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
}

static int run_stream(FILE *stream)
{
    if (fseek(stream, 0, SEEK_END) != 0)
        return -1;
    long size = ftell(stream);
    if (size < 0 || fseek(stream, 0, SEEK_SET) != 0)
        return -1;
    /* Exactly as large as the input, so that a read past its end is caught. */
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    if (!data)
        return -1;
    bool complete = fread(data, 1, (size_t)size, stream) == (size_t)size;
    if (complete)
        LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return complete ? 0 : -1;
}

static int run_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return fail(path);
    int result = run_stream(stream);
    if (result != 0)
        fail(path);
    fclose(stream);
    return result;
}

static int run_folder(DIR *folder, const char *path, size_t *count)
{
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.')
            continue;
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (run_file(file) != 0)
            return -1;
        ++*count;
    }
    return 0;
}

static int run_path(const char *path, size_t *count)
{
    DIR *folder = opendir(path);
    if (!folder) {
        if (errno != ENOTDIR)
            return fail(path);
        ++*count;
        return run_file(path);
    }
    int result = run_folder(folder, path, count);
    closedir(folder);
    return result;
}

int main(int argc, char **argv)
{
    size_t count = 0;
    for (int i = 1; i < argc; i++)
        if (run_path(argv[i], &count) != 0)
            return 1;
    printf("%zu inputs replayed\n", count);
    return count == 0;
}
