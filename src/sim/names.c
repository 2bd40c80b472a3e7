// SPDX-License-Identifier: Apache-2.0
#include "sim/names.h"
#include "model/schema.h"
#include <stdio.h>

/* No vowels, nor what could be taken for one. */
static const char alphabet[] = "bcdfghjklmnpqrstvwxz2456789";
enum { LETTERS = sizeof alphabet - 1 };

void ks_name_suffix(char out[KS_NAME_SUFFIX], uint64_t bits)
{
    for (size_t i = 0; i < KS_NAME_SUFFIX; i++) {
        out[i] = alphabet[bits % LETTERS];
        bits /= LETTERS;
    }
}

size_t ks_template_hash(char out[KS_TEMPLATE_HASH_MAX], const ks_pod_template *template_)
{
    uint64_t hash = ks_labels_hash(&template_->metadata.labels, 0);
    hash = ks_schema_hash(&ks_pod_spec_schema, &template_->spec, hash);
    char digits[KS_TEMPLATE_HASH_MAX + 1];
    int count = snprintf(digits, sizeof digits, "%u", (unsigned)(uint32_t)hash);
    for (int i = 0; i < count; i++)
        out[i] = alphabet[(unsigned char)digits[i] % LETTERS];
    return (size_t)count;
}
