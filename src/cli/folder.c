// SPDX-License-Identifier: Apache-2.0
#include "cli/folder.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 64 };

typedef struct walk {
    ks_texts *out;
    ks_arena *arena;
    ks_folder_reach reach;
    unsigned depth;
} walk;

static int list(walk *w, const char *folder, ks_error *err);

static bool has_suffix(const char *name)
{
    static const char *const suffixes[] = {".json", ".yaml", ".yml"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

static const char *join(ks_arena *arena, const char *folder, const char *name)
{
    size_t folder_len = strlen(folder), size = folder_len + strlen(name) + 2;
    bool slash = folder_len > 0 && folder[folder_len - 1] != '/';
    char *path = ks_arena_get(arena, size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, slash ? "/" : "", name);
    return path;
}

static int take_file(walk *w, const char *path, ks_error *err)
{
    struct stat stat_;
    if (stat(path, &stat_) < 0)
        return ks_fail(err, KS_EINVAL, "%s: %s", path, strerror(errno));
    if (S_ISDIR(stat_.st_mode))
        return KS_OK;
    /* Reading a pipe that nobody writes to would never end, and nobody asked for this one by name. */
    if (!S_ISREG(stat_.st_mode))
        return ks_fail(err, KS_EINVAL, "%s: in a folder: must be a regular file", path);
    return ks_texts_push(w->out, w->arena, path) ? KS_OK : ks_fail_nomem(err);
}

static int take(walk *w, const char *folder, const char *name, ks_error *err)
{
    const char *path = join(w->arena, folder, name);
    if (!path)
        return ks_fail_nomem(err);
    struct stat stat_;
    if (w->reach == KS_FOLDER_RECURSIVE && lstat(path, &stat_) == 0 && S_ISDIR(stat_.st_mode))
        return list(w, path, err);
    return has_suffix(name) ? take_file(w, path, err) : KS_OK;
}

static int skip_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* By bytes, whatever the locale, so that the order of objects is the same everywhere. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int list(walk *w, const char *folder, ks_error *err)
{
    if (w->depth == DEPTH_MAX)
        return ks_fail(err, KS_ELIMIT, "%s: folders in folders: must be at most %d deep", folder, DEPTH_MAX);
    struct dirent **entries;
    int count = scandir(folder, &entries, skip_dots, by_name);
    if (count < 0)
        return ks_fail(err, KS_EINVAL, "%s: %s", folder, strerror(errno));
    int code = KS_OK;
    w->depth++;
    for (int i = 0; i < count; i++) {
        if (code == KS_OK)
            code = take(w, folder, entries[i]->d_name, err);
        free(entries[i]);
    }
    w->depth--;
    free(entries);
    return code;
}

int ks_folder_list(ks_texts *out, ks_arena *arena, const char *folder, ks_folder_reach reach, ks_error *err)
{
    walk w = {.out = out, .arena = arena, .reach = reach};
    size_t before = out->count;
    int code = list(&w, folder, err);
    if (code == KS_OK && out->count == before)
        return ks_fail(err, KS_EINVAL, "%s: no files in this folder that end in .json, .yaml or .yml",
                       folder);
    return code;
}

static bool is_folder_at(const char *path, const char *name)
{
    char joined[PATH_MAX];
    struct stat stat_;
    int len = snprintf(joined, sizeof joined, "%s/%s", path, name);
    return len > 0 && (size_t)len < sizeof joined && lstat(joined, &stat_) == 0 && S_ISDIR(stat_.st_mode);
}

bool ks_folder_has_folders(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    bool found = false;
    for (const struct dirent *entry; !found && (entry = readdir(folder));)
        found = skip_dots(entry) && is_folder_at(path, entry->d_name);
    closedir(folder);
    return found;
}
