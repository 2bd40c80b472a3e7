// SPDX-License-Identifier: Apache-2.0
/* Pod affinity and anti-affinity, kept alive for the InterPodAffinity plugin. A term reads in two ways, and
 * each has its living tally of pods per domain:
 *
 *   a crowd: the pods that a term of the pod to come means. It comes into being when a plan first asks and
 *   goes with the last plan; a class knows the crowds that its pods belong to.
 *
 *   a carried term: the pods that have the term in their own spec. It lives as long as such a pod occupies
 *   a node; a carrier lists those of one class and spec.
 *
 * Terminating pods count in both, as upstream has it: all that occupy a node do. */
#ifndef KS_ENGINE_AFFINITY_H
#define KS_ENGINE_AFFINITY_H

#include "engine/engine.h"

/* ---- affinity_term.c: terms, compiled ---- */

typedef struct ks_affinity_term {
    ks_strs namespaces;             /* sorted, each once */
    ks_selector namespace_selector; /* of namespaces' labels; `nothing` where there is none */
    ks_selector selector;
    ks_str topology_key;
    int64_t weight; /* of a preferred term, below zero for anti-affinity; 0 for required ones */
} ks_affinity_term;

typedef KS_LIST(ks_affinity_term) ks_affinity_term_list;

/* In upstream's order. */
enum {
    KS_TERMS_AFFINITY,
    KS_TERMS_ANTI_AFFINITY,
    KS_TERMS_PREFERRED,
    KS_TERMS_PREFERRED_ANTI,
    KS_TERM_LISTS,
};

/* What a pod's spec says. A list with a selector that cannot be is empty and has a fault: upstream drops
 * it where the pod is there already, and refuses a pod to come. */
typedef struct ks_pod_terms {
    ks_affinity_term_list lists[KS_TERM_LISTS];
    ks_str faults[KS_TERM_LISTS]; /* "requiredAffinityTerms: …" */
} ks_pod_terms;

/* Whether there is anything to compile. */
bool ks_spec_has_pod_affinity(const ks_pod_spec *spec);
/* Namespaces default to the pod's own; matchLabelKeys and mismatchLabelKeys join the selectors as the API
 * server has them join when a pod is created. What is compiled borrows from spec, namespace and labels. */
int ks_pod_terms_compile(ks_pod_terms *out, const ks_pod_spec *spec, ks_str namespace_,
                         const ks_labels *labels, ks_arena *arena, ks_error *err);
/* Turns the namespace selector of a pod to come into the namespaces that it selects now. */
int ks_affinity_term_resolve(ks_affinity_term *term, const ks_cluster *cluster, ks_arena *arena,
                             ks_error *err);
/* Whether it means pods of that namespace, whose labels are given, and of those labels. */
bool ks_affinity_term_matches(const ks_affinity_term *term, ks_str namespace_,
                              const ks_labels *namespace_labels, const ks_labels *labels);
/* The same without a look at the namespace's labels. Upstream asks so for the terms of a pod to come, whose
 * namespace selectors are resolved; one that also matches no labels at all then means every namespace. */
bool ks_affinity_term_matches_bare(const ks_affinity_term *term, ks_str namespace_, const ks_labels *labels);
/* But for the topology key. */
bool ks_affinity_term_equal(const ks_affinity_term *a, const ks_affinity_term *b);
uint64_t ks_affinity_term_hash(const ks_affinity_term *term, uint64_t seed);
bool ks_affinity_term_copy(ks_affinity_term *to, const ks_affinity_term *from, ks_arena *arena);
uint64_t ks_affinity_term_bucket(const ks_affinity_term *term);
/* A namespace's labels; none if there is no such object. */
ks_labels ks_namespace_labels(const ks_cluster *cluster, ks_str name);

/* ---- tally.c: pods per domain ---- */

typedef struct ks_tally {
    ks_alloc *alloc;
    ks_topology *topology; /* with a reference */
    uint32_t *pods;        /* by domain */
    uint32_t pods_cap;
    uint64_t total;      /* on nodes that have the key */
    ks_nodeset occupied; /* nodes in domains with pods */
    size_t place;        /* in its topology's list */
} ks_tally;

/* On failure ks_tally_free is still due. */
bool ks_tally_init(ks_tally *tally, ks_cluster *cluster, ks_alloc *alloc, ks_str topology_key);
void ks_tally_free(ks_tally *tally, ks_cluster *cluster);
bool ks_tally_resize_domains(ks_tally *tally, uint32_t domains);
/* A pod more on a node, or one less; nothing happens on nodes without the key. */
void ks_tally_add(ks_tally *tally, uint32_t node);
void ks_tally_sub(ks_tally *tally, uint32_t node);
/* How many pods share the node's domain; 0 without the key. */
static inline int64_t ks_tally_at(const ks_tally *tally, uint32_t node)
{
    return ks_nodeset_has(&tally->topology->has, node) ? tally->pods[tally->topology->domain_of[node]] : 0;
}

/* ---- crowd.c ---- */

typedef struct ks_crowd {
    ks_row row; /* refs: plans */
    ks_arena arena;
    ks_affinity_term_list terms; /* a pod of the crowd matches all of them */
    ks_tally tally;
    uint64_t bucket;
} ks_crowd;

/* The terms must be resolved; at least one. A new reference, or NULL on failure. */
ks_crowd *ks_crowd_get(ks_cluster *cluster, const ks_affinity_term_list *terms, ks_str topology_key);
void ks_crowd_unref(ks_cluster *cluster, ks_crowd *crowd);
bool ks_crowd_matches(const ks_crowd *crowd, ks_str namespace_, const ks_labels *labels);
/* Fills in a new class's crowds. */
bool ks_class_find_crowds(ks_cluster *cluster, ks_class *class_);

/* ---- carrier.c ---- */

typedef struct ks_carried {
    ks_row row; /* refs: carriers */
    ks_arena arena;
    ks_affinity_term term; /* its weight is what each pod adds to a score */
    bool refuses;          /* required anti-affinity, which keeps pods away instead of scoring */
    ks_tally tally;
    uint64_t bucket;
} ks_carried;

typedef struct ks_carrier {
    ks_row row; /* refs: pods */
    const ks_class *class_;
    const ks_spec *spec;
    size_t count;
    ks_carried *terms[];
} ks_carrier;

/* *out is NULL for specs without terms. The caller's pod keeps class and spec for as long as the carrier. */
bool ks_carrier_get(ks_carrier **out, ks_cluster *cluster, const ks_class *class_, const ks_spec *spec);
void ks_carrier_unref(ks_cluster *cluster, ks_carrier *carrier);

/* ---- affinity.c: events ---- */

/* A pod comes to its node or leaves it. */
void ks_affinity_add_pod(ks_pod_row *pod);
void ks_affinity_sub_pod(ks_pod_row *pod);
/* Before a node's labels change, and after. */
void ks_affinity_lift_node(ks_cluster *cluster, const ks_node_row *node);
void ks_affinity_put_node(ks_cluster *cluster, const ks_node_row *node);
/* Room for so many nodes. */
bool ks_affinity_resize(ks_cluster *cluster, uint32_t node_cap);
void ks_affinity_free(ks_cluster *cluster);

#endif
