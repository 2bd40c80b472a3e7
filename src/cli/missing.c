// SPDX-License-Identifier: Apache-2.0
#include "cli/missing.h"
#include "cli/nearest.h"
#include <sys/stat.h>

enum { NAME_MAX_LEN = 253 }; /* of an object, as the API server has it */

typedef struct search {
    ks_cli *cli;
    const ks_setup *setup;
    ks_str name;
    ks_texts namespaces; /* that have a pod of this name, each once */
    ks_nearest nearest;  /* among the pods of the namespace asked for */
    char best[NAME_MAX_LEN + 1];
} search;

bool ks_operand_is_file(const char *operand)
{
    struct stat stat_;
    return stat(operand, &stat_) == 0 && !S_ISDIR(stat_.st_mode);
}

static int note_namespace(search *s, ks_str namespace_, ks_error *err)
{
    for (size_t i = 0; i < s->namespaces.count; i++)
        if (ks_str_eq(ks_str_of(s->namespaces.items[i]), namespace_))
            return KS_OK;
    char *copy = ks_arena_get(&s->cli->arena, namespace_.len + 1);
    if (!copy)
        return ks_fail_nomem(err);
    memcpy(copy, namespace_.data, namespace_.len);
    copy[namespace_.len] = '\0';
    return ks_texts_push(&s->namespaces, &s->cli->arena, copy) ? KS_OK : ks_fail_nomem(err);
}

static void offer_name(search *s, ks_str name)
{
    char word[NAME_MAX_LEN + 1] = {0};
    if (name.len == 0 || name.len > NAME_MAX_LEN)
        return;
    memcpy(word, name.data, name.len);
    ks_nearest_offer(&s->nearest, word);
    if (s->nearest.best != word)
        return;
    memcpy(s->best, word, sizeof word);
    s->nearest.best = s->best;
}

static int take(void *ctx, const ks_object *object, ks_error *err)
{
    search *s = ctx;
    if (object->kind != KS_POD)
        return KS_OK;
    ks_str namespace_ = object->metadata.namespace_;
    if (namespace_.len == 0)
        namespace_ = s->setup->namespace_;
    if (ks_str_eq(object->metadata.name, s->name))
        return note_namespace(s, namespace_, err);
    if (ks_str_eq(namespace_, s->setup->namespace_))
        offer_name(s, object->metadata.name);
    return KS_OK;
}

/* The first folder of -f that has folders in it which were not read; NULL if there is none. */
static const char *folder_unread(const ks_common_values *values)
{
    for (size_t i = 0; !values->recursive && i < values->filenames.count; i++)
        if (ks_folder_has_folders(values->filenames.items[i]))
            return values->filenames.items[i];
    return NULL;
}

static void put_hint(const search *s, const ks_common_values *values, ks_buf *out)
{
    const char *folder = folder_unread(values);
    if (s->namespaces.count > 0) {
        ks_buf_put_str(out, KS_STR(": there is one in "));
        for (size_t i = 0; i < s->namespaces.count; i++)
            ks_buf_printf(out, "%s\"%s\"", i ? ", " : "", s->namespaces.items[i]);
    } else if (ks_operand_is_file(s->nearest.typed)) {
        ks_buf_printf(out, ": did you mean -f %s?", s->nearest.typed);
    } else if (s->nearest.best) {
        ks_buf_printf(out, ": did you mean \"%s\"?", s->nearest.best);
    } else if (folder) {
        ks_buf_printf(out, ": the folders in \"%s\" are read only with -R", folder);
    }
}

int ks_pod_missing(ks_cli *cli, const ks_setup *setup, const ks_common_values *values, ks_str name,
                   ks_error *err)
{
    search s = {.cli = cli, .setup = setup, .name = name};
    ks_nearest_init(&s.nearest, name.data);
    int code = ks_inputs_decode(&setup->inputs, take, &s, err);
    if (code != KS_OK)
        return code;
    ks_buf hint;
    ks_buf_init(&hint, &cli->alloc);
    put_hint(&s, values, &hint);
    code = hint.failed
               ? ks_fail_nomem(err)
               : ks_fail(err, KS_ENOTFOUND, "pod \"%.*s\" not found in namespace \"%.*s\"%.*s",
                         KS_STR_ARG(name), KS_STR_ARG(setup->namespace_), KS_STR_ARG(ks_buf_str(&hint)));
    ks_buf_free(&hint);
    return code;
}
