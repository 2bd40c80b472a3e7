// SPDX-License-Identifier: Apache-2.0
#include "support/case.h"
#include "support/file.h"
#include <stdio.h>

enum { WORDS_MAX = 16, SORTS_MAX = 16 };

/* A row's words fill one of these: labels, taints, and what else a pod can be. */
typedef struct row {
    ks_str name;
    ks_label labels[WORDS_MAX];
    ks_taint taints[WORDS_MAX];
    size_t label_count, taint_count;
    ks_str namespace_, deletion_timestamp, phase;
} row;

typedef struct filler {
    ks_cluster *cluster;
    const ks_case *c;
    row sorts[SORTS_MAX]; /* of pods */
    size_t sort_count;
    unsigned pods;
} filler;

static bool next_word(ks_str *word, ks_str *line)
{
    while (line->len && *line->data == ' ') {
        line->data++;
        line->len--;
    }
    const char *end = line->len ? memchr(line->data, ' ', line->len) : NULL;
    *word = (ks_str){line->data, end ? (size_t)(end - line->data) : line->len};
    line->data += word->len;
    line->len -= word->len;
    return word->len > 0;
}

/* Cuts text at the first `mark`: what comes before it stays, what comes after is returned; absent if there
 * is no mark. */
static ks_str cut(ks_str *text, char mark)
{
    const char *at = text->len ? memchr(text->data, mark, text->len) : NULL;
    if (!at)
        return (ks_str){0};
    ks_str rest = {at + 1, text->len - (size_t)(at + 1 - text->data)};
    text->len = (size_t)(at - text->data);
    return rest;
}

static void apply(filler *f, const ks_object *object)
{
    ks_error err;
    if (ks_cluster_apply(f->cluster, object, &err))
        ks_test_die("%s: %s", f->c->path, err.message);
}

/* key=value is a label, key=value:Effect a taint. */
static void read_pair(row *r, ks_str word)
{
    ks_str effect = cut(&word, ':'), value = cut(&word, '=');
    if (!value.data)
        value = KS_STR("");
    if (effect.data)
        r->taints[r->taint_count++] = (ks_taint){word, value, effect};
    else
        r->labels[r->label_count++] = (ks_label){word, value};
}

static void read_word(const filler *f, row *r, ks_str word)
{
    if (r->label_count == WORDS_MAX || r->taint_count == WORDS_MAX)
        ks_test_die("%s: %.*s: too many words", f->c->path, KS_STR_ARG(r->name));
    if (memchr(word.data, '=', word.len) || memchr(word.data, ':', word.len))
        read_pair(r, word);
    else if (word.data[0] == '@')
        r->namespace_ = (ks_str){word.data + 1, word.len - 1};
    else if (ks_str_eq(word, KS_STR("terminating")))
        r->deletion_timestamp = KS_STR("2026-01-01T00:00:00Z");
    else if (ks_str_eq(word, KS_STR("Succeeded")) || ks_str_eq(word, KS_STR("Failed")))
        r->phase = word;
    else
        ks_test_die("%s: \"%.*s\": neither a label nor a taint nor a word for a pod", f->c->path,
                    KS_STR_ARG(word));
}

static row read_row(const filler *f, ks_str line)
{
    row r = {0};
    ks_str word;
    next_word(&r.name, &line);
    while (next_word(&word, &line))
        read_word(f, &r, word);
    ks_labels labels = {r.labels, r.label_count};
    ks_labels_sort(&labels);
    return r;
}

static void read_sorts(filler *f)
{
    ks_str text = f->c->pods, line;
    while (ks_test_line_next(&line, &text)) {
        if (line.len == 0)
            continue;
        if (f->sort_count == SORTS_MAX)
            ks_test_die("%s: too many rows in \"pods\"", f->c->path);
        f->sorts[f->sort_count++] = read_row(f, line);
    }
}

static row *sort_of(filler *f, ks_str name)
{
    for (size_t i = 0; i < f->sort_count; i++) {
        if (ks_str_eq(f->sorts[i].name, name))
            return &f->sorts[i];
    }
    ks_test_die("%s: \"%.*s\": no such row in \"pods\"", f->c->path, KS_STR_ARG(name));
}

static void add_pod(filler *f, ks_str node, ks_str sort)
{
    row *r = sort_of(f, sort);
    char name[128];
    snprintf(name, sizeof name, "%.*s-%u", KS_STR_ARG(sort), ++f->pods);
    ks_object object = {.kind = KS_POD,
                        .pod = {.metadata = {.name = ks_str_of(name),
                                             .namespace_ = r->namespace_,
                                             .deletion_timestamp = r->deletion_timestamp,
                                             .labels = {r->labels, r->label_count}},
                                .spec = {.node_name = node},
                                .status = {.phase = r->phase}}};
    apply(f, &object);
}

static void add_node(filler *f, ks_str line)
{
    ks_str pods = cut(&line, '|'), sort;
    row r = read_row(f, line);
    ks_object object = {.kind = KS_NODE,
                        .node = {.metadata = {.name = r.name, .labels = {r.labels, r.label_count}},
                                 .spec = {.taints = {r.taints, r.taint_count}}}};
    apply(f, &object);
    while (next_word(&sort, &pods))
        add_pod(f, r.name, sort);
}

static int add_object(void *ctx, const ks_object *object, ks_error *err)
{
    (void)err;
    apply(ctx, object);
    return 0;
}

void ks_case_fill(ks_cluster *cluster, const ks_case *c)
{
    filler f = {.cluster = cluster, .c = c};
    ks_str text = c->nodes, line;
    ks_error err;
    read_sorts(&f);
    while (ks_test_line_next(&line, &text)) {
        if (line.len)
            add_node(&f, line);
    }
    ks_source objects = {KS_STR("objects"), c->objects};
    if (c->objects.data && ks_decode(objects, NULL, add_object, &f, &err))
        ks_test_die("%s: %s", c->path, err.message);
}
