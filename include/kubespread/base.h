// SPDX-License-Identifier: Apache-2.0
/* What every other header builds on: strings, the allocator, errors.
 *
 * The library keeps no globals, does no I/O and reads no clock. Objects of different clusters may be
 * used from different threads at the same time; one cluster belongs to one thread at a time. */
#ifndef KUBESPREAD_BASE_H
#define KUBESPREAD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KS_API __attribute__((visibility("default")))
#define KS_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define KS_API
#define KS_PRINTF(format_at, args_at)
#endif

/* A string by pointer and length: not NUL-terminated, never owned. {NULL, 0} means "absent", which is
 * something else than an empty string (data set, len 0). */
typedef struct ks_str {
    const char *data;
    size_t len;
} ks_str;

#define KS_STR(literal) ((ks_str){"" literal, sizeof(literal) - 1})

/* Where the library gets its memory. `resize` is realloc with the old size told: ptr NULL allocates,
 * new_size 0 frees (and returns NULL). It may fail by returning NULL, which leaves the old block as it
 * was. It is called only from inside library calls, on the caller's thread. Wherever a function takes a
 * `const ks_allocator *`, NULL means malloc and free; otherwise the allocator must outlive the object. The
 * one exception is libyaml, which takes what it needs while it scans a YAML document from malloc. */
typedef struct ks_allocator {
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *ctx;
} ks_allocator;

/* Fallible functions return 0 or one of these. */
enum {
    KS_OK = 0,
    KS_ENOMEM = -1,    /* the allocator said no */
    KS_EINVAL = -2,    /* bad input; the error's message says what, where and which rule */
    KS_ELIMIT = -3,    /* input beyond a limit (depth, size, alias expansion) */
    KS_ENOTFOUND = -4, /* no such object */
    KS_ESTOPPED = -5,  /* a callback asked to stop */
};

#define KS_ERROR_MESSAGE_MAX 1024

/* An error, filled in by the function that fails and untouched by one that succeeds. Lives on the
 * caller's stack, owns nothing. `message` is one line, cut at a character boundary if too long. Where
 * an `err` parameter is documented, NULL is allowed. */
typedef struct ks_error {
    int code;
    uint32_t line, column; /* from 1; 0 where there is no text to point at */
    char message[KS_ERROR_MESSAGE_MAX];
} ks_error;

/* The library's version, "major.minor.patch", and the kube-scheduler release whose decisions it makes. */
KS_API const char *ks_version(void);
KS_API const char *ks_kubernetes_version(void);

#ifdef __cplusplus
}
#endif
#endif
