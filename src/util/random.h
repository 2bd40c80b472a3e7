// SPDX-License-Identifier: Apache-2.0
/* Seeded randomness for choices that must be fair and the same in every run of one seed. */
#ifndef KS_UTIL_RANDOM_H
#define KS_UTIL_RANDOM_H

#include <stdint.h>

typedef struct ks_random {
    uint64_t state;
} ks_random;

static inline ks_random ks_random_seed(uint64_t seed)
{
    return (ks_random){seed};
}
uint64_t ks_random_next(ks_random *random);
/* 0..bound-1, each as likely as the others; bound must not be 0. */
uint32_t ks_random_below(ks_random *random, uint32_t bound);

#endif
