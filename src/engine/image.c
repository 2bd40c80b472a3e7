// SPDX-License-Identifier: Apache-2.0
#include "engine/image.h"

static bool has_name(const ks_row *row, const void *key)
{
    const ks_image *image = (const ks_image *)row;
    return ks_str_eq((ks_str){image->name, image->name_len}, *(const ks_str *)key);
}

static ks_image *find_image(const ks_cluster *cluster, ks_str name)
{
    return (ks_image *)ks_table_find(&cluster->images, ks_str_hash(name), has_name, &name);
}

const ks_image *ks_image_find(const ks_cluster *cluster, ks_str name)
{
    return find_image(cluster, name);
}

static ks_image *make_image(ks_cluster *cluster, ks_str name)
{
    if (!ks_table_reserve(&cluster->images, &cluster->alloc))
        return NULL;
    ks_image *image = ks_alloc_get_zeroed(&cluster->alloc, sizeof *image + name.len);
    if (!image)
        return NULL;
    if (name.len)
        memcpy(image->name, name.data, name.len);
    image->name_len = name.len;
    ks_table_add(&cluster->images, &image->row, ks_str_hash(name));
    return image;
}

static void free_image(ks_cluster *cluster, ks_image *image)
{
    ks_vec_free(&image->holders, &cluster->alloc);
    ks_alloc_free(&cluster->alloc, image, sizeof *image + image->name_len);
}

static void drop_if_unused(ks_cluster *cluster, ks_image *image)
{
    if (!image || image->holders.count > 0)
        return;
    ks_table_remove(&cluster->images, &image->row);
    free_image(cluster, image);
}

void ks_images_free(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->images.rows.count; i++)
        if (cluster->images.rows.items[i])
            free_image(cluster, (ks_image *)cluster->images.rows.items[i]);
    ks_table_free(&cluster->images, &cluster->alloc);
}

/* ---- nodes come and go ---- */

/* Where the node stands among the holders, or would. Nodes mostly come in rising order. */
static size_t place_of(const ks_image *image, uint32_t node)
{
    size_t low = 0, high = image->holders.count;
    if (high > 0 && image->holders.items[high - 1].node < node)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->holders.items[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool holds(const ks_image *image, size_t place, uint32_t node)
{
    return place < image->holders.count && image->holders.items[place].node == node;
}

/* Of a name that a node gives twice the later size counts. */
static void add_holder(ks_image *image, uint32_t node, int64_t size_bytes)
{
    size_t place = place_of(image, node);
    ks_image_holder *at = image->holders.items + place;
    if (!holds(image, place, node)) {
        memmove(at + 1, at, (image->holders.count - place) * sizeof *at);
        image->holders.count++;
    }
    *at = (ks_image_holder){node, size_bytes};
}

static void del_holder(ks_image *image, uint32_t node)
{
    size_t place = place_of(image, node);
    if (!holds(image, place, node))
        return;
    ks_image_holder *at = image->holders.items + place;
    image->holders.count--;
    memmove(at, at + 1, (image->holders.count - place) * sizeof *at);
}

static bool reserve_name(ks_cluster *cluster, ks_str name)
{
    ks_image *image = find_image(cluster, name);
    if (!image && !(image = make_image(cluster, name)))
        return false;
    return ks_vec_reserve(&image->holders, &cluster->alloc, image->holders.count + 1);
}

bool ks_images_reserve(ks_cluster *cluster, const ks_node *node)
{
    for (size_t i = 0; i < node->status.images.count; i++) {
        const ks_strs *names = &node->status.images.items[i].names;
        for (size_t n = 0; n < names->count; n++)
            if (!reserve_name(cluster, names->items[n]))
                return false;
    }
    return true;
}

void ks_images_settle(ks_cluster *cluster, const ks_node *node)
{
    for (size_t i = 0; i < node->status.images.count; i++) {
        const ks_strs *names = &node->status.images.items[i].names;
        for (size_t n = 0; n < names->count; n++)
            drop_if_unused(cluster, find_image(cluster, names->items[n]));
    }
}

static bool same_images(const ks_node *a, const ks_node *b)
{
    if (a->status.images.count != b->status.images.count)
        return false;
    for (size_t i = 0; i < a->status.images.count; i++) {
        const ks_container_image *x = &a->status.images.items[i], *y = &b->status.images.items[i];
        if (x->size_bytes != y->size_bytes || x->names.count != y->names.count)
            return false;
        for (size_t n = 0; n < x->names.count; n++)
            if (!ks_str_eq(x->names.items[n], y->names.items[n]))
                return false;
    }
    return true;
}

void ks_images_move(ks_cluster *cluster, uint32_t id, const ks_node *before, const ks_node *after)
{
    if (same_images(before, after))
        return;
    cluster->images_version++;
    for (size_t i = 0; i < before->status.images.count; i++) {
        const ks_strs *names = &before->status.images.items[i].names;
        for (size_t n = 0; n < names->count; n++)
            if (find_image(cluster, names->items[n]))
                del_holder(find_image(cluster, names->items[n]), id);
    }
    for (size_t i = 0; i < after->status.images.count; i++) {
        const ks_container_image *image = &after->status.images.items[i];
        for (size_t n = 0; n < image->names.count; n++)
            add_holder(find_image(cluster, image->names.items[n]), id, image->size_bytes);
    }
    ks_images_settle(cluster, before);
}
