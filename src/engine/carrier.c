// SPDX-License-Identifier: Apache-2.0
#include "engine/affinity.h"

/* ---- carried terms ---- */

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_carried *a = (const ks_carried *)row, *b = wanted;
    return a->refuses == b->refuses && ks_str_eq(a->term.topology_key, b->term.topology_key) &&
           ks_affinity_term_equal(&a->term, &b->term);
}

static uint64_t hash_carried(const ks_carried *like)
{
    return ks_affinity_term_hash(&like->term, ks_str_hash(like->term.topology_key) + like->refuses);
}

static void free_carried(ks_cluster *cluster, ks_carried *carried)
{
    ks_tally_free(&carried->tally, cluster);
    ks_arena_free(&carried->arena);
    ks_alloc_free(&cluster->alloc, carried, sizeof *carried);
}

static bool fill_carried(ks_cluster *cluster, ks_carried *carried, const ks_carried *like)
{
    carried->refuses = like->refuses;
    if (!ks_tally_init(&carried->tally, cluster, &cluster->alloc, like->term.topology_key) ||
        !ks_affinity_term_copy(&carried->term, &like->term, &carried->arena))
        return false;
    carried->bucket = ks_affinity_term_bucket(&carried->term);
    return ks_label_index_add(&cluster->carried_index, &cluster->alloc, carried->bucket, carried);
}

static ks_carried *make_carried(ks_cluster *cluster, const ks_carried *like, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->carried, &cluster->alloc))
        return NULL;
    ks_carried *carried = ks_alloc_get_zeroed(&cluster->alloc, sizeof *carried);
    if (!carried)
        return NULL;
    ks_arena_init(&carried->arena, &cluster->alloc);
    if (!fill_carried(cluster, carried, like)) {
        free_carried(cluster, carried);
        return NULL;
    }
    ks_table_add(&cluster->carried, &carried->row, hash);
    cluster->carried_version++;
    return carried;
}

static ks_carried *get_carried(ks_cluster *cluster, const ks_carried *like)
{
    uint64_t hash = hash_carried(like);
    ks_carried *carried = (ks_carried *)ks_table_find(&cluster->carried, hash, is_like, like);
    if (!carried)
        carried = make_carried(cluster, like, hash);
    if (carried)
        carried->row.refs++;
    return carried;
}

static void unref_carried(ks_cluster *cluster, ks_carried *carried)
{
    if (--carried->row.refs > 0)
        return;
    ks_table_remove(&cluster->carried, &carried->row);
    ks_label_index_remove(&cluster->carried_index, &cluster->alloc, carried->bucket, carried);
    cluster->carried_version++;
    free_carried(cluster, carried);
}

/* ---- carriers ---- */

typedef struct carrier_key {
    const ks_class *class_;
    const ks_spec *spec;
} carrier_key;

static bool has_key(const ks_row *row, const void *wanted)
{
    const ks_carrier *carrier = (const ks_carrier *)row;
    const carrier_key *key = wanted;
    return carrier->class_ == key->class_ && carrier->spec == key->spec;
}

static size_t carrier_size(size_t terms)
{
    return sizeof(ks_carrier) + terms * sizeof(ks_carried *);
}

static void free_carrier(ks_cluster *cluster, ks_carrier *carrier, size_t room)
{
    for (size_t i = 0; i < carrier->count; i++)
        unref_carried(cluster, carrier->terms[i]);
    ks_alloc_free(&cluster->alloc, carrier, carrier_size(room));
}

/* What a list does to pods that its terms match. */
static bool has_effect(const ks_cluster *cluster, int which)
{
    return which != KS_TERMS_AFFINITY || cluster->profile.inter_pod_affinity.hard_pod_affinity_weight > 0;
}

static bool add_terms(ks_cluster *cluster, ks_carrier *carrier, const ks_pod_terms *terms, int which)
{
    if (!has_effect(cluster, which))
        return true;
    for (size_t i = 0; i < terms->lists[which].count; i++) {
        ks_carried like = {.term = terms->lists[which].items[i], .refuses = which == KS_TERMS_ANTI_AFFINITY};
        if (which == KS_TERMS_AFFINITY)
            like.term.weight = cluster->profile.inter_pod_affinity.hard_pod_affinity_weight;
        ks_carried *carried = get_carried(cluster, &like);
        if (!carried)
            return false;
        carrier->terms[carrier->count++] = carried;
    }
    return true;
}

static size_t count_terms(const ks_cluster *cluster, const ks_pod_terms *terms)
{
    size_t count = 0;
    for (int i = 0; i < KS_TERM_LISTS; i++)
        count += has_effect(cluster, i) ? terms->lists[i].count : 0;
    return count;
}

static ks_carrier *fill_carrier(ks_cluster *cluster, const carrier_key *key, const ks_pod_terms *terms)
{
    size_t count = count_terms(cluster, terms);
    ks_carrier *carrier = ks_alloc_get_zeroed(&cluster->alloc, carrier_size(count));
    if (!carrier)
        return NULL;
    carrier->class_ = key->class_;
    carrier->spec = key->spec;
    for (int i = 0; i < KS_TERM_LISTS; i++)
        if (!add_terms(cluster, carrier, terms, i)) {
            free_carrier(cluster, carrier, count);
            return NULL;
        }
    return carrier;
}

static uint64_t hash_key(const carrier_key *key)
{
    return ks_hash_bytes(key, sizeof *key, 0);
}

static ks_carrier *make_carrier(ks_cluster *cluster, const carrier_key *key)
{
    if (!ks_table_reserve(&cluster->carriers, &cluster->alloc))
        return NULL;
    ks_arena arena;
    ks_arena_init(&arena, &cluster->alloc);
    ks_pod_terms terms;
    ks_carrier *carrier = NULL;
    if (ks_pod_terms_compile(&terms, &key->spec->spec, ks_space_name(key->class_->space),
                             &key->class_->labels, &arena, NULL) == KS_OK)
        carrier = fill_carrier(cluster, key, &terms);
    ks_arena_free(&arena);
    if (carrier)
        ks_table_add(&cluster->carriers, &carrier->row, hash_key(key));
    return carrier;
}

bool ks_carrier_get(ks_carrier **out, ks_cluster *cluster, const ks_class *class_, const ks_spec *spec)
{
    *out = NULL;
    if (!ks_spec_has_pod_affinity(&spec->spec))
        return true;
    carrier_key key = {class_, spec};
    ks_carrier *carrier = (ks_carrier *)ks_table_find(&cluster->carriers, hash_key(&key), has_key, &key);
    if (!carrier)
        carrier = make_carrier(cluster, &key);
    if (carrier)
        carrier->row.refs++;
    *out = carrier;
    return carrier;
}

void ks_carrier_unref(ks_cluster *cluster, ks_carrier *carrier)
{
    if (!carrier || --carrier->row.refs > 0)
        return;
    ks_table_remove(&cluster->carriers, &carrier->row);
    free_carrier(cluster, carrier, carrier->count);
}
