// SPDX-License-Identifier: Apache-2.0
#include "engine/label_index.h"

typedef struct bucket {
    ks_row row;
    KS_VEC(void *) items;
} bucket;

static bool has_hash(const ks_row *row, const void *hash)
{
    return row->hash == *(const uint64_t *)hash;
}

static bucket *find_bucket(const ks_label_index *index, uint64_t hash)
{
    return (bucket *)ks_table_find(&index->buckets, hash, has_hash, &hash);
}

/* ---- which bucket ---- */

static uint64_t hash_str(ks_str text, uint64_t seed)
{
    return ks_hash_bytes(text.data, text.len, ks_hash_bytes(&text.len, sizeof text.len, seed));
}

/* NULL: any namespace, any label. */
static uint64_t hash_bucket(const ks_str *namespace_, const ks_label *label)
{
    uint64_t hash = namespace_ ? hash_str(*namespace_, 1) : 0;
    return label ? hash_str(label->value, hash_str(label->key, hash)) : hash;
}

uint64_t ks_label_index_bucket(const ks_str *namespace_, const ks_selector *selector)
{
    for (size_t i = 0; i < selector->requirements.count; i++) {
        const ks_requirement *requirement = &selector->requirements.items[i];
        if (requirement->op == KS_OP_IN && requirement->values.count == 1)
            return hash_bucket(namespace_, &(ks_label){requirement->key, requirement->values.items[0]});
    }
    return hash_bucket(namespace_, NULL);
}

/* ---- in and out ---- */

static bucket *make_bucket(ks_label_index *index, ks_alloc *alloc, uint64_t hash)
{
    if (!ks_table_reserve(&index->buckets, alloc))
        return NULL;
    bucket *made = ks_alloc_get_zeroed(alloc, sizeof *made);
    if (made)
        ks_table_add(&index->buckets, &made->row, hash);
    return made;
}

static void drop_if_empty(ks_label_index *index, ks_alloc *alloc, bucket *of)
{
    if (of->items.count > 0)
        return;
    ks_table_remove(&index->buckets, &of->row);
    ks_vec_free(&of->items, alloc);
    ks_alloc_free(alloc, of, sizeof *of);
}

bool ks_label_index_add(ks_label_index *index, ks_alloc *alloc, uint64_t hash, void *item)
{
    bucket *to = find_bucket(index, hash);
    if (!to && !(to = make_bucket(index, alloc, hash)))
        return false;
    bool ok = ks_vec_push(&to->items, alloc, item);
    drop_if_empty(index, alloc, to);
    return ok;
}

void ks_label_index_remove(ks_label_index *index, ks_alloc *alloc, uint64_t hash, const void *item)
{
    bucket *from = find_bucket(index, hash);
    ks_vec_remove_value(&from->items, item);
    drop_if_empty(index, alloc, from);
}

/* ---- looking ---- */

static bool visit_bucket(const ks_label_index *index, uint64_t hash, bool (*visit)(void *, void *), void *ctx)
{
    const bucket *in = find_bucket(index, hash);
    for (size_t i = 0; in && i < in->items.count; i++)
        if (!visit(ctx, in->items.items[i]))
            return false;
    return true;
}

static bool visit_labels(const ks_label_index *index, const ks_str *namespace_, const ks_labels *labels,
                         bool (*visit)(void *, void *), void *ctx)
{
    if (!visit_bucket(index, hash_bucket(namespace_, NULL), visit, ctx))
        return false;
    for (size_t i = 0; i < labels->count; i++)
        if (!visit_bucket(index, hash_bucket(namespace_, &labels->items[i]), visit, ctx))
            return false;
    return true;
}

bool ks_label_index_visit(const ks_label_index *index, ks_str namespace_, const ks_labels *labels,
                          bool (*visit)(void *ctx, void *item), void *ctx)
{
    if (ks_table_count(&index->buckets) == 0)
        return true;
    return visit_labels(index, &namespace_, labels, visit, ctx) &&
           visit_labels(index, NULL, labels, visit, ctx);
}

void ks_label_index_free(ks_label_index *index, ks_alloc *alloc)
{
    ks_table_free(&index->buckets, alloc);
}
