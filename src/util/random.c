// SPDX-License-Identifier: Apache-2.0
#include "util/random.h"
#include <assert.h>

/* SplitMix64 (Steele, Lea, Flood, 2014): one multiplication chain a number, any seed will do. */
uint64_t ks_random_next(ks_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Multiplies instead of dividing (Lemire, 2019); the numbers that would favour some results are redrawn. */
uint32_t ks_random_below(ks_random *random, uint32_t bound)
{
    assert(bound > 0);
    uint32_t excess = (uint32_t)-bound % bound;
    uint64_t product;
    do
        product = (ks_random_next(random) >> 32) * bound;
    while ((uint32_t)product < excess);
    return (uint32_t)(product >> 32);
}
