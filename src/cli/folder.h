// SPDX-License-Identifier: Apache-2.0
/* The files of a folder, as kubectl picks them. */
#ifndef KS_CLI_FOLDER_H
#define KS_CLI_FOLDER_H

#include "cli/cli.h"

/* Adds the paths of the regular files in a folder that end in .json, .yaml or .yml, in the order of their
 * names; those of its folders likewise if `recursive`, links to folders left aside. */
int ks_folder_list(ks_texts *out, ks_arena *arena, const char *folder, bool recursive, ks_error *err);

#endif
