// SPDX-License-Identifier: Apache-2.0
#include "util/alloc.h"
#include "util/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *resize_with_libc(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

void ks_alloc_init(ks_alloc *alloc, const ks_allocator *allocator)
{
    *alloc = (ks_alloc){.allocator = allocator ? *allocator : (ks_allocator){.resize = resize_with_libc}};
}

void *ks_alloc_resize(ks_alloc *alloc, void *ptr, size_t old_size, size_t new_size)
{
    if (!ptr && new_size == 0)
        return NULL;
    void *moved = alloc->allocator.resize(alloc->allocator.ctx, ptr, old_size, new_size);
    if (moved || new_size == 0)
        alloc->bytes += new_size - old_size;
    return moved;
}

void *ks_alloc_get(ks_alloc *alloc, size_t size)
{
    return ks_alloc_resize(alloc, NULL, 0, size);
}

void *ks_alloc_get_zeroed(ks_alloc *alloc, size_t size)
{
    void *ptr = ks_alloc_get(alloc, size);
    if (ptr)
        memset(ptr, 0, size);
    return ptr;
}

void ks_alloc_free(ks_alloc *alloc, void *ptr, size_t size)
{
    if (ptr)
        ks_alloc_resize(alloc, ptr, size, 0);
}

/* Takes off what is left of a character that was cut in two. */
static void drop_cut_character(char *message, size_t len)
{
    while (len > 0 && ks_utf8_continues(message[len - 1]))
        len--;
    if (len > 0 && (unsigned char)message[len - 1] >= 0xC0)
        len--;
    message[len] = '\0';
}

/* A message is one line of whole characters, and what it quotes must not reach a terminal as a command:
 * each control character becomes a blank. */
static void tidy_message(char *message)
{
    size_t len = strlen(message), kept = 0, step;
    if (len == KS_ERROR_MESSAGE_MAX - 1)
        drop_cut_character(message, len);
    len = strlen(message);
    for (size_t i = 0; i < len; i += step) {
        uint32_t rune = ks_utf8_decode((ks_str){message + i, len - i}, &step);
        bool control = ks_rune_is_control(rune);
        if (control)
            message[kept] = ' ';
        else
            memmove(message + kept, message + i, step);
        kept += control ? 1 : step;
    }
    message[kept] = '\0';
}

void ks_error_set(ks_error *err, int code, const char *format, ...)
{
    if (!err)
        return;
    va_list args;
    va_start(args, format);
    *err = (ks_error){.code = code};
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    tidy_message(err->message);
}

void ks_error_wrap(ks_error *err, int code, const char *format, ...)
{
    if (!err)
        return;
    char cause[KS_ERROR_MESSAGE_MAX];
    memcpy(cause, err->message, sizeof cause);
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message - 2, format, args);
    va_end(args);
    size_t used = strlen(err->message), len = strlen(cause);
    if (used == sizeof err->message - 3) {
        drop_cut_character(err->message, used);
        used = strlen(err->message);
    }
    memcpy(err->message + used, ": ", 2);
    used += 2;
    if (len > sizeof err->message - 1 - used)
        len = sizeof err->message - 1 - used;
    memcpy(err->message + used, cause, len);
    err->message[used + len] = '\0';
    tidy_message(err->message);
    err->code = code;
}
