// SPDX-License-Identifier: Apache-2.0
/* A spread constraint's domains as bars. */
#ifndef KS_CLI_PICTURE_H
#define KS_CLI_PICTURE_H

#include "cli/style.h"
#include <kubespread/cluster.h>

typedef enum ks_picture_kind {
    KS_PICTURE_NEXT, /* what one more pod meets: pods + self - minimum = skew, by domain */
    KS_PICTURE_NOW,  /* how the pods stand, and their skew */
} ks_picture_kind;

typedef struct ks_picture {
    ks_alloc *alloc;
    const ks_style *style;
    const ks_cycle *cycle; /* has run */
    ks_picture_kind kind;
    size_t indent;
    bool no_selector; /* which pods count is known or does not matter */
} ks_picture;

/* A heading, the domains, and what takes no part. Want of memory marks `out` as failed. */
void ks_picture_print(const ks_picture *picture, size_t constraint, ks_buf *out);
/* The hard constraints and a legend, if spread constraints refuse any node; else nothing. */
void ks_picture_print_refusing(const ks_picture *picture, ks_buf *out);
/* What the numbers of KS_PICTURE_NEXT mean, in a line. */
void ks_picture_print_legend(const ks_picture *picture, ks_buf *out);

/* matching + self - minimum: what a hard constraint compares with maxSkew. */
static inline int64_t ks_spread_skew(int64_t matching, int64_t self, int64_t minimum)
{
    return matching + self - minimum;
}
/* "s" unless there is one. */
static inline const char *ks_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

#endif
