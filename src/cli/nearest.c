// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest.h"
#include <string.h>

enum { WORD_MAX = 64, WRONG_MAX = 3 };

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t min = a < b ? a : b;
    return min < c ? min : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that lead from a to b (optimal string
 * alignment). */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t d[WORD_MAX + 1][WORD_MAX + 1];
    for (size_t i = 0; i <= a_len; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= b_len; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        for (size_t j = 1; j <= b_len; j++) {
            size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, replaced);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    }
    return d[a_len][b_len];
}

void ks_nearest_init(ks_nearest *nearest, const char *typed)
{
    /* A quarter of the letters may be wrong and one more, but not many: --kubeconfig does not mean --config.
     */
    size_t wrong = strlen(typed) / 4 + 1;
    *nearest = (ks_nearest){.typed = typed, .distance = (wrong < WRONG_MAX ? wrong : WRONG_MAX) + 1};
}

void ks_nearest_offer(ks_nearest *nearest, const char *word)
{
    size_t typed_len = strlen(nearest->typed), word_len = strlen(word);
    if (typed_len > WORD_MAX || word_len > WORD_MAX)
        return;
    /* What was typed may be the beginning of the word, as in --name for --namespace. */
    bool prefix = typed_len > 1 && strncmp(nearest->typed, word, typed_len) == 0;
    size_t d = prefix ? 1 : distance(nearest->typed, typed_len, word, word_len);
    if (d >= nearest->distance || d >= word_len)
        return;
    nearest->best = word;
    nearest->distance = d;
}
