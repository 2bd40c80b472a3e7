// SPDX-License-Identifier: Apache-2.0
/* An allocator that counts what is held and fails when told, for tests that want to see every failure. */
#ifndef TESTS_SUPPORT_FAILING_ALLOCATOR_H
#define TESTS_SUPPORT_FAILING_ALLOCATOR_H

#include <kubespread/base.h>

typedef struct failing_allocator {
    size_t bytes;     /* held now; 0 at the end means no leak */
    size_t calls;     /* allocations and growths so far, failed ones too */
    size_t fail_at;   /* 1: the next one fails, 2: the one behind it, …; 0: none */
    bool stays_empty; /* once one has failed, all later ones do until failing_allocator_refill */
    bool failed;      /* one has failed since failing_allocator_refill */
} failing_allocator;

failing_allocator failing_allocator_make(void);
/* Hands out memory again. */
void failing_allocator_refill(failing_allocator *failing);
/* `failing` must stay where it is for as long as the result is used. */
ks_allocator failing_allocator_get(failing_allocator *failing);

#endif
