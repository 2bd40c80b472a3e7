// SPDX-License-Identifier: Apache-2.0
/* Things that select pods by namespace and labels, found by what they may select: of a thousand terms in a
 * cluster only the few that ask for one of a pod's own labels are looked at. Each thing lies in one bucket,
 * by one label that it insists on; what it really selects is for its owner to say. */
#ifndef KS_ENGINE_LABEL_INDEX_H
#define KS_ENGINE_LABEL_INDEX_H

#include "engine/table.h"
#include "model/selector.h"

typedef struct ks_label_index {
    ks_table buckets;
} ks_label_index;

/* The bucket of a thing that selects in one namespace, or in any (NULL), by a selector. */
uint64_t ks_label_index_bucket(const ks_str *namespace_, const ks_selector *selector);
bool ks_label_index_add(ks_label_index *index, ks_alloc *alloc, uint64_t bucket, void *item);
/* Takes out an item that is there. */
void ks_label_index_remove(ks_label_index *index, ks_alloc *alloc, uint64_t bucket, const void *item);
/* Calls visit for all things that may select pods of this namespace and these labels; false ends it, and
 * is returned. */
bool ks_label_index_visit(const ks_label_index *index, ks_str namespace_, const ks_labels *labels,
                          bool (*visit)(void *ctx, void *item), void *ctx);
/* Nothing may be left in it. */
void ks_label_index_free(ks_label_index *index, ks_alloc *alloc);

#endif
