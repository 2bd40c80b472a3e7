// SPDX-License-Identifier: Apache-2.0
/* The files of a folder, as kubectl picks them. */
#ifndef KS_CLI_FOLDER_H
#define KS_CLI_FOLDER_H

#include "cli/cli.h"

/* How far a folder is gone into. */
typedef enum ks_folder_reach { KS_FOLDER_ALONE, KS_FOLDER_RECURSIVE } ks_folder_reach;

/* Adds the paths of the regular files in a folder that end in .json, .yaml or .yml, in the order of their
 * names; those of its folders likewise if it is to be recursive, links to folders left aside. */
int ks_folder_list(ks_texts *out, ks_arena *arena, const char *folder, ks_folder_reach reach, ks_error *err);

/* Whether a path is a folder with folders in it. */
bool ks_folder_has_folders(const char *path);

#endif
