// SPDX-License-Identifier: Apache-2.0
/* A file's text in memory by mmap. Streams that cannot be mapped are first copied to an unlinked temporary
 * file, so that they, too, cost no memory of ours. */
#ifndef KS_CLI_MAPPING_H
#define KS_CLI_MAPPING_H

#include <kubespread/base.h>

typedef struct ks_mapping {
    ks_str text;
    size_t released; /* bytes from the beginning whose pages were given back */
} ks_mapping;

/* `name` is for messages. The descriptor stays the caller's and may be closed at once. */
int ks_mapping_open(ks_mapping *out, int fd, const char *name, ks_error *err);
/* The text before `offset` will hardly be needed again (it can be: it comes back from the file). */
void ks_mapping_release(ks_mapping *mapping, size_t offset);
void ks_mapping_close(ks_mapping *mapping);

/* Copies a pipe or device to its end; the new descriptor is the caller's to close. */
int ks_stream_spool(int *out_fd, size_t *out_size, int fd, const char *name, ks_error *err);

#endif
