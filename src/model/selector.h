// SPDX-License-Identifier: Apache-2.0
/* Label selectors, node selectors and tolerations, compiled once and matched often. */
#ifndef KS_MODEL_SELECTOR_H
#define KS_MODEL_SELECTOR_H

#include "util/arena.h"
#include "util/str.h"
#include <kubespread/model.h>

typedef enum ks_operator {
    KS_OP_IN,
    KS_OP_NOT_IN,
    KS_OP_EXISTS,
    KS_OP_DOES_NOT_EXIST,
    KS_OP_GT,
    KS_OP_LT,
} ks_operator;

typedef struct ks_requirement {
    ks_str key;
    ks_operator op;
    bool exact;     /* In, written key=value: means the same as In with one value, and prints so */
    ks_strs values; /* sorted, each once */
} ks_requirement;

/* All requirements must hold. `nothing` matches no labels at all; no requirements match any. Requirements
 * are sorted by key, then operator, then values, so that equal selectors compare equal.
 *
 * A selector that was compiled borrows its strings from what it was compiled of; ks_selector_copy gives
 * one that stands on its own. */
typedef struct ks_selector {
    bool nothing;
    KS_LIST(ks_requirement) requirements;
} ks_selector;

/* As the API machinery makes a selector of a LabelSelector: NULL matches nothing, an empty one
 * everything. A requirement that cannot be (unknown operator, In without values, Exists with some,
 * malformed key or value) is KS_EINVAL with the API machinery's message. */
int ks_selector_compile(ks_selector *out, const ks_label_selector *from, ks_arena *arena, ks_error *err);
/* key=value for each label; an absent or empty map gives a selector that matches everything. */
int ks_selector_from_labels(ks_selector *out, const ks_labels *labels, ks_arena *arena, ks_error *err);
/* Adds `more`'s requirements to `selector`, equal ones once. Neither may be `nothing`. */
int ks_selector_merge(ks_selector *selector, const ks_selector *more, ks_arena *arena, ks_error *err);
bool ks_selector_matches(const ks_selector *selector, const ks_labels *labels);
/* No requirements and not `nothing`. */
bool ks_selector_empty(const ks_selector *selector);
bool ks_selector_equal(const ks_selector *a, const ks_selector *b);
uint64_t ks_selector_hash(const ks_selector *selector, uint64_t seed);
bool ks_selector_copy(ks_selector *to, const ks_selector *from, ks_arena *arena);
/* As kubectl and the scheduler write it: "app=web,tier in (a,b),!old". */
void ks_selector_print(ks_buf *buf, const ks_selector *selector);

/* A pod's nodeSelector and required node affinity. Terms that do not parse match no node, as in the
 * scheduler. Either part may be absent. */
typedef struct ks_required_affinity {
    ks_labels node_selector;
    const ks_node_selector *node_affinity;
} ks_required_affinity;

ks_required_affinity ks_required_affinity_of(const ks_pod_spec *spec);
bool ks_required_affinity_matches(const ks_required_affinity *affinity, ks_str node_name,
                                  const ks_labels *node_labels);

/* One term by itself, as preferred ones are weighed. */
bool ks_node_selector_term_matches(const ks_node_selector_term *term, ks_str node_name,
                                   const ks_labels *node_labels);

bool ks_toleration_tolerates(const ks_toleration *toleration, const ks_taint *taint);
/* The first NoSchedule or NoExecute taint that no toleration covers, or NULL. */
const ks_taint *ks_untolerated_taint(const ks_taints *taints, const ks_tolerations *tolerations);

/* The API machinery's rules for label keys and values. Returns how many are broken (0: fine) and fills in
 * its message for each, in its order; the messages are static. `faults` may be NULL to only count. */
enum { KS_LABEL_FAULTS_MAX = 4 };
size_t ks_label_key_faults(const char *faults[KS_LABEL_FAULTS_MAX], ks_str key);
size_t ks_label_value_faults(const char *faults[KS_LABEL_FAULTS_MAX], ks_str value);

#endif
