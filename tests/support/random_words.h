// SPDX-License-Identifier: Apache-2.0
/* What random.c and random_pod.c share: the words that nodes and pods have in common. */
#ifndef TESTS_SUPPORT_RANDOM_WORDS_H
#define TESTS_SUPPORT_RANDOM_WORDS_H

#include "support/random.h"

#define RANDOM_DISK KS_STR("disk")
#define RANDOM_HOSTNAME KS_STR("kubernetes.io/hostname")
#define RANDOM_RACK KS_STR("rack")
#define RANDOM_REGION KS_STR("topology.kubernetes.io/region")
#define RANDOM_ZONE KS_STR("topology.kubernetes.io/zone")

ks_str random_word(random_source *random, const ks_str *words, uint32_t count);
ks_strs random_some_words(random_source *random, ks_arena *arena, const ks_str *words, uint32_t count);
/* Absent, "default" and "prod" in turn: the first two are the same. */
ks_str random_namespace(uint32_t slot);
ks_toleration random_toleration(random_source *random);
/* A label that some nodes have. */
ks_label random_node_label(random_source *random);

#endif
