// SPDX-License-Identifier: Apache-2.0
/* Memory and errors for every other room. Nothing in util/ knows what a pod is.
 *
 * ks_alloc wraps the caller's allocator, counts what is held and is the one way to memory in the library
 * (libyaml, which the YAML reader calls, has its own: malloc); objects keep a pointer to their cluster's or
 * their call's. */
#ifndef KS_UTIL_ALLOC_H
#define KS_UTIL_ALLOC_H

#include <kubespread/base.h>
#include <stdarg.h>

typedef struct ks_alloc {
    ks_allocator allocator;
    size_t bytes; /* held now */
} ks_alloc;

/* allocator NULL: malloc and free. */
void ks_alloc_init(ks_alloc *alloc, const ks_allocator *allocator);
/* NULL on failure; size 0 gives NULL. */
void *ks_alloc_get(ks_alloc *alloc, size_t size);
void *ks_alloc_get_zeroed(ks_alloc *alloc, size_t size);
void *ks_alloc_resize(ks_alloc *alloc, void *ptr, size_t old_size, size_t new_size);
/* ptr may be NULL. */
void ks_alloc_free(ks_alloc *alloc, void *ptr, size_t size);

/* Fill in `err` (which may be NULL) and yield `code`, so that a fault is one statement:
 *   return ks_fail(err, KS_EINVAL, "%.*s: must be positive", …);
 * Macros, so that the compiler sees that what comes back is not 0. */
#define ks_fail(err, code, ...) (ks_error_set((err), (code), __VA_ARGS__), (code))
#define ks_fail_nomem(err) ks_fail((err), KS_ENOMEM, "out of memory")
/* Puts "context: " before the message that is there. */
#define ks_fail_wrap(err, code, ...) (ks_error_wrap((err), (code), __VA_ARGS__), (code))

void ks_error_set(ks_error *err, int code, const char *format, ...) KS_PRINTF(3, 4);
void ks_error_wrap(ks_error *err, int code, const char *format, ...) KS_PRINTF(3, 4);

#endif
