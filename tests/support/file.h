// SPDX-License-Identifier: Apache-2.0
/* What the tests share: files and folders of test data, scenarios, case files, and what comes of them.
 * Memory here is malloc's, and a test that cannot read its data aborts with a message. */
#ifndef KS_TESTS_SUPPORT_FILE_H
#define KS_TESTS_SUPPORT_FILE_H

#include "util/str.h"

/* The path of something below tests/. Free it with free(). */
char *ks_test_path(const char *relative);

/* A whole file, NUL-terminated. Free data with free(). */
typedef struct ks_test_file {
    char *data;
    size_t len;
} ks_test_file;
ks_test_file ks_test_file_read(const char *path);
void ks_test_file_write(const char *path, ks_str text);

/* The files below a folder, at any depth, whose names end so, sorted by path. */
typedef struct ks_test_files {
    char **paths;
    size_t count;
} ks_test_files;
ks_test_files ks_test_files_find(const char *folder, const char *suffix);
void ks_test_files_free(ks_test_files *files);

/* Takes the next line off a text, without its line break; false at the end. */
bool ks_test_line_next(ks_str *line, ks_str *text);

/* Prints a message and aborts. */
_Noreturn void ks_test_die(const char *format, ...) KS_PRINTF(1, 2);

#endif
