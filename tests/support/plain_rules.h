// SPDX-License-Identifier: Apache-2.0
/* Selectors, node affinity and tolerations in their plainest form, sharing no code with src/model. */
#ifndef TESTS_SUPPORT_PLAIN_RULES_H
#define TESTS_SUPPORT_PLAIN_RULES_H

#include "util/arena.h"
#include <kubespread/model.h>

/* All requirements must hold; a label of a map is "key In [value]". */
typedef struct plain_selector {
    bool nothing; /* matches no labels at all */
    ks_selector_requirement *items;
    size_t count;
} plain_selector;

/* False if the selector cannot be. NULL gives one that matches nothing. */
bool plain_selector_make(plain_selector *out, const ks_label_selector *from, ks_arena *arena);
/* Adds key=value. */
void plain_selector_require(plain_selector *selector, ks_label label, ks_arena *arena);
/* Adds another's requirements, unless that one matches nothing. */
void plain_selector_append(plain_selector *selector, const plain_selector *more, ks_arena *arena);
bool plain_selector_matches(const plain_selector *selector, const ks_labels *labels);
bool plain_selector_is_empty(const plain_selector *selector);

/* The label's value in *value, or false. */
bool plain_label(const ks_labels *labels, ks_str key, ks_str *value);

/* The pod's nodeSelector and required node affinity. */
bool plain_affinity_matches(const ks_pod_spec *spec, const ks_node *node);
/* The first NoSchedule or NoExecute taint that the pod does not tolerate, or NULL. */
const ks_taint *plain_untolerated(const ks_pod_spec *spec, const ks_node *node);

#endif
