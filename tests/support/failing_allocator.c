// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include <assert.h>
#include <stdlib.h>

failing_allocator failing_allocator_make(void)
{
    return (failing_allocator){0};
}

void failing_allocator_refill(failing_allocator *failing)
{
    failing->fail_at = 0;
    failing->failed = false;
}

static bool fails_now(failing_allocator *failing)
{
    if (failing->failed && failing->stays_empty)
        return true;
    if (failing->fail_at == 0 || --failing->fail_at > 0)
        return false;
    failing->failed = true;
    return true;
}

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    failing_allocator *failing = ctx;
    assert(ptr || old_size == 0);
    if (new_size == 0) {
        free(ptr);
        failing->bytes -= old_size;
        return NULL;
    }
    /* A block that shrinks is asked for, too: an allocator may say no to that. */
    failing->calls++;
    if (fails_now(failing))
        return NULL;
    void *moved = realloc(ptr, new_size);
    if (!moved)
        abort();
    failing->bytes += new_size - old_size;
    return moved;
}

ks_allocator failing_allocator_get(failing_allocator *failing)
{
    return (ks_allocator){.resize = resize, .ctx = failing};
}
