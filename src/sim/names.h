// SPDX-License-Identifier: Apache-2.0
/* Names as Kubernetes makes them up: letters and digits that form no words. */
#ifndef KS_SIM_NAMES_H
#define KS_SIM_NAMES_H

#include "util/str.h"
#include <kubespread/model.h>

enum {
    KS_NAME_SUFFIX = 5,       /* characters that the API server puts behind a generateName */
    KS_NAME_PREFIX_MAX = 58,  /* what it keeps of that */
    KS_OBJECT_NAME_MAX = 253, /* of any object's name */
    KS_TEMPLATE_HASH_MAX = 10,
};

/* Five characters from these bits. */
void ks_name_suffix(char out[KS_NAME_SUFFIX], uint64_t bits);
/* The value of pod-template-hash and the like: equal templates have equal hashes. Not the hash that
 * Kubernetes computes, which depends on how Go prints the whole API type. Returns its length. */
size_t ks_template_hash(char out[KS_TEMPLATE_HASH_MAX], const ks_pod_template *template_);

#endif
