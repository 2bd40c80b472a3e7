// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"
#include "support/random_words.h"

static const ks_str spaces[] = {{"default", 7}, {"prod", 4}, {"space-2", 7}};

static ks_pod_affinity_term random_pod_term(random_source *random, ks_arena *arena)
{
    static const ks_str label_keys[] = {{"track", 5}, {"tier", 4}, {"none", 4}};
    const ks_str keys[] = {RANDOM_ZONE, RANDOM_HOSTNAME, RANDOM_HOSTNAME, RANDOM_RACK, RANDOM_REGION};
    ks_pod_affinity_term term = {.topology_key = random_word(random, keys, 5),
                                 .label_selector = random_selector(random, arena)};
    if (random_chance(random, 20))
        term.namespaces = random_some_words(random, arena, spaces, 3);
    if (random_chance(random, 20))
        term.namespace_selector = random_selector(random, arena);
    if (random_chance(random, 10))
        term.match_label_keys = random_some_words(random, arena, label_keys, 3);
    if (random_chance(random, 10))
        term.mismatch_label_keys = random_some_words(random, arena, label_keys, 3);
    return term;
}

static const ks_pod_affinity *random_terms(random_source *random, ks_arena *arena, uint32_t required_percent)
{
    ks_pod_affinity *affinity = random_take(arena, sizeof *affinity);
    if (random_chance(random, required_percent)) {
        affinity->required.count = 1 + (random_below(random, 4) == 0);
        affinity->required.items =
            random_take(arena, affinity->required.count * sizeof *affinity->required.items);
    }
    if (random_chance(random, 50)) {
        affinity->preferred.count = 1 + random_below(random, 2);
        affinity->preferred.items =
            random_take(arena, affinity->preferred.count * sizeof *affinity->preferred.items);
    }
    for (size_t i = 0; i < affinity->required.count; i++)
        affinity->required.items[i] = random_pod_term(random, arena);
    for (size_t i = 0; i < affinity->preferred.count; i++)
        affinity->preferred.items[i] = (ks_weighted_pod_affinity_term){
            (int32_t)(1 + random_below(random, 100)), random_pod_term(random, arena)};
    return affinity;
}

void random_pod_affinity(ks_pod_spec *spec, random_source *random, ks_arena *arena)
{
    ks_affinity *affinity = random_take(arena, sizeof *affinity);
    if (spec->affinity)
        *affinity = *spec->affinity;
    bool anti = random_chance(random, 50);
    if (anti || random_chance(random, 20))
        affinity->pod_anti_affinity = random_terms(random, arena, 40);
    if (!anti || random_chance(random, 20))
        affinity->pod_affinity = random_terms(random, arena, 50);
    spec->affinity = affinity;
}
