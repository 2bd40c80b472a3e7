// SPDX-License-Identifier: Apache-2.0
/* Which nodes have which container images, by every name an image goes by. */
#ifndef KS_ENGINE_IMAGE_H
#define KS_ENGINE_IMAGE_H

#include "engine/engine.h"

typedef struct ks_image_holder {
    uint32_t node;
    int64_t size_bytes; /* as this node reports it */
} ks_image_holder;

typedef struct ks_image {
    ks_row row;
    KS_VEC(ks_image_holder) holders; /* sorted by node */
    size_t name_len;
    char name[];
} ks_image;

/* NULL if no node has it. */
const ks_image *ks_image_find(const ks_cluster *cluster, ks_str name);

/* Room for a node with these images: the next ks_images_move of it cannot fail. What is made for it and
 * then not used goes with ks_images_settle. */
bool ks_images_reserve(ks_cluster *cluster, const ks_node *node);
/* A node's images are those of `after` instead of those of `before`; either may be an empty node. */
void ks_images_move(ks_cluster *cluster, uint32_t id, const ks_node *before, const ks_node *after);
void ks_images_settle(ks_cluster *cluster, const ks_node *node);
void ks_images_free(ks_cluster *cluster);

#endif
