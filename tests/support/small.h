// SPDX-License-Identifier: Apache-2.0
/* A small cluster by hand, whose only plugin is PodTopologySpread, with short ways to say things. */
#ifndef TESTS_SUPPORT_SMALL_H
#define TESTS_SUPPORT_SMALL_H

#include "support/make.h"

typedef struct small {
    ks_alloc alloc;
    ks_arena arena;
    ks_cluster *cluster;
    ks_cycle *cycle;
} small;

/* cmocka's: *state is a small. */
int small_setup(void **state);
int small_teardown(void **state);
/* Cluster and cycle anew, with another weight and limit. */
void small_begin(small *s, int32_t weight, size_t counter_bytes_max);
void small_end(small *s);

/* Each of these ends the test on an error. */
void small_apply(small *s, ks_object object);
void small_delete(small *s, ks_kind kind, const char *namespace_, const char *name);
ks_cycle_summary small_run(small *s, const ks_pod *pod);
/* Runs a cycle; a letter for each node's code: S(uccess), U(nschedulable), N (and unresolvable), E(rror). */
void small_assert_codes(small *s, const ks_pod *pod, const char *wanted);
void small_assert_text(ks_str text, const char *wanted);

/* "pending", with app=web and a constraint on the key "zone" for app=web. */
ks_object small_web_pod(small *s, const char *when, int32_t max_skew);

#endif
