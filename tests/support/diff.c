// SPDX-License-Identifier: Apache-2.0
#include "support/diff.h"
#include "support/file.h"
#include <stdlib.h>

typedef struct lines {
    ks_str *items;
    size_t count;
} lines;

static lines split(ks_str text)
{
    lines all = {.items = malloc((text.len + 1) * sizeof *all.items)};
    if (!all.items)
        ks_test_die("out of memory");
    while (ks_test_line_next(&all.items[all.count], &text))
        all.count++;
    return all;
}

/* common[i * (b->count + 1) + j]: the longest common subsequence of a from i on and b from j on. */
static unsigned *common_table(const lines *a, const lines *b)
{
    size_t width = b->count + 1;
    unsigned *common = calloc((a->count + 1) * width, sizeof *common);
    if (!common)
        ks_test_die("out of memory");
    for (size_t i = a->count; i-- > 0;) {
        for (size_t j = b->count; j-- > 0;) {
            unsigned down = common[(i + 1) * width + j], right = common[i * width + j + 1];
            if (ks_str_eq(a->items[i], b->items[j]))
                common[i * width + j] = common[(i + 1) * width + j + 1] + 1;
            else
                common[i * width + j] = down > right ? down : right;
        }
    }
    return common;
}

static void put_line(ks_buf *out, char mark, ks_str line)
{
    ks_buf_printf(out, "%c %.*s\n", mark, KS_STR_ARG(line));
}

void ks_diff_put(ks_buf *out, ks_str want, ks_str got)
{
    lines a = split(want), b = split(got);
    unsigned *common = common_table(&a, &b);
    size_t width = b.count + 1, i = 0, j = 0;
    while (i < a.count || j < b.count) {
        if (i < a.count && j < b.count && ks_str_eq(a.items[i], b.items[j])) {
            put_line(out, ' ', a.items[i++]);
            j++;
        } else if (j == b.count ||
                   (i < a.count && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
            put_line(out, '-', a.items[i++]);
        } else {
            put_line(out, '+', b.items[j++]);
        }
    }
    free(common);
    free(a.items);
    free(b.items);
}
