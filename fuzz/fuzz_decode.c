// SPDX-License-Identifier: Apache-2.0
/* Objects from texts.
 *
 * - Maps are sorted with each key once, quantities are canonical, offsets rise and lie in the source.
 * - A copy equals what it was made of and hashes alike.
 * - A second run finds the same objects; with an allocator that fails on the way it ends in KS_ENOMEM,
 *   having found the first of them.
 * - A fault is one line that points into the source, and no memory is kept. */
#include "model/schema.h"
#include <kubespread/decode.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct seen {
    ks_str text;
    size_t count, offset;
    uint64_t hash;   /* of all objects */
    uint64_t *after; /* of the objects up to each; NULL: not asked for */
    size_t after_max;
} seen;

static void check_labels(const ks_labels *labels)
{
    CHECK(labels->items || labels->count == 0);
    for (size_t i = 1; i < labels->count; i++)
        CHECK(ks_str_cmp(labels->items[i - 1].key, labels->items[i].key) < 0);
    for (size_t i = 0; i < labels->count; i++)
        CHECK(ks_str_eq(ks_labels_get(labels, labels->items[i].key), labels->items[i].value));
}

static void check_resources(const ks_resources *resources)
{
    for (size_t i = 0; i < resources->count; i++) {
        ks_quantity q = resources->items[i].quantity;
        CHECK(q.scale >= -9 && q.scale <= 0 && (q.scale == 0 || q.value % 10 != 0));
        CHECK(i == 0 || ks_str_cmp(resources->items[i - 1].name, resources->items[i].name) < 0);
    }
}

static void check_pod(const ks_pod *pod)
{
    check_labels(&pod->spec.node_selector);
    check_resources(&pod->spec.overhead);
    for (size_t i = 0; i < pod->spec.containers.count; i++) {
        check_resources(&pod->spec.containers.items[i].resources.requests);
        check_resources(&pod->spec.containers.items[i].resources.limits);
    }
}

static void check_copy(const ks_object *object)
{
    const ks_schema *schema = ks_kind_schema(object->kind);
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena;
    ks_arena_init(&arena, &alloc);
    ks_object copy;
    CHECK(ks_schema_copy(schema, &copy.metadata, &object->metadata, &arena));
    CHECK(ks_schema_equal(schema, &copy.metadata, &object->metadata));
    CHECK(ks_schema_hash(schema, &copy.metadata, 0) == ks_schema_hash(schema, &object->metadata, 0));
    ks_arena_free(&arena);
    CHECK(alloc.bytes == 0);
}

static int look(void *ctx, const ks_object *object, ks_error *err)
{
    (void)err;
    seen *s = ctx;
    CHECK(object->kind > KS_KIND_NONE && object->kind < KS_KIND_COUNT);
    CHECK(object->offset <= s->text.len && object->offset >= s->offset);
    s->offset = object->offset;
    check_labels(&object->metadata.labels);
    if (object->kind == KS_POD)
        check_pod(&object->pod);
    check_copy(object);
    s->hash = ks_schema_hash(ks_kind_schema(object->kind), &object->metadata, s->hash);
    if (s->after && s->count < s->after_max)
        s->after[s->count] = s->hash;
    s->count++;
    return 0;
}

static void check_again(ks_str text, const seen *first, int wanted)
{
    seen again = {.text = text};
    CHECK(ks_decode((ks_source){KS_STR("fuzz"), text}, NULL, look, &again, NULL) == wanted);
    CHECK(again.count == first->count && again.hash == first->hash);
}

/* Fails once, at the n-th call that asks for memory. */
typedef struct failing {
    size_t bytes, fail_at;
    bool failed;
} failing;

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    failing *f = ctx;
    if (new_size > 0 && f->fail_at > 0 && --f->fail_at == 0) {
        f->failed = true;
        return NULL;
    }
    f->bytes += new_size - old_size;
    if (new_size > 0)
        return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static void check_want_of_memory(ks_str text, const seen *first, size_t fail_at, int wanted)
{
    failing f = {.fail_at = fail_at};
    ks_allocator allocator = {resize, &f};
    seen part = {.text = text};
    int rc = ks_decode((ks_source){KS_STR("fuzz"), text}, &allocator, look, &part, NULL);
    CHECK(f.bytes == 0);
    CHECK(rc == (f.failed ? KS_ENOMEM : wanted));
    CHECK(part.count <= first->count);
    if (part.count > 0 && part.count <= first->after_max)
        CHECK(part.hash == first->after[part.count - 1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { AFTER_MAX = 16, FAILURES = 4 };
    uint64_t after[AFTER_MAX];
    ks_str text = {(const char *)data, size};
    seen first = {.text = text, .after = after, .after_max = AFTER_MAX};
    ks_error err = {0};
    int rc = ks_decode((ks_source){KS_STR("fuzz"), text}, NULL, look, &first, &err);
    CHECK(rc == 0 || rc == KS_EINVAL || rc == KS_ELIMIT);
    if (rc)
        CHECK(rc == err.code && err.line > 0 && err.column > 0 && !strchr(err.message, '\n'));
    check_again(text, &first, rc);
    for (size_t i = 1; i <= FAILURES; i++)
        check_want_of_memory(text, &first, i + size % 7, rc);
    return 0;
}
