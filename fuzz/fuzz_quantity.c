// SPDX-License-Identifier: Apache-2.0
/* Quantities: what is accepted is in canonical form, means the same when it is written in another way, and
 * scales without contradicting itself. */
#include "util/str.h"
#include <inttypes.h>
#include <kubespread/decode.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_same(const char *text, ks_quantity wanted)
{
    ks_quantity found;
    CHECK(ks_quantity_parse(&found, ks_str_of(text), NULL) == 0);
    CHECK(found.value == wanted.value && found.scale == wanted.scale);
}

static void check_other_ways(ks_quantity q)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRId64 "e%d", q.value, q.scale);
    check_same(text, q);
    snprintf(text, sizeof text, "%" PRId64 "00000000000000000000e%d", q.value, q.scale - 20);
    check_same(text, q);
    uint64_t magnitude = q.value < 0 ? 0 - (uint64_t)q.value : (uint64_t)q.value, unit = 1;
    for (int8_t i = q.scale; i < 0; i++)
        unit *= 10;
    snprintf(text, sizeof text, "%s%" PRIu64 ".%0*" PRIu64, q.value < 0 ? "-" : "", magnitude / unit,
             -q.scale + (q.scale == 0), magnitude % unit);
    check_same(text, q);
}

/* Away from zero, so never nearer to it than the exact amount, and less than one unit further. */
static void check_scaled(ks_quantity q)
{
    CHECK(ks_quantity_scaled(q, q.scale) == q.value);
    for (int scale = -9; scale <= 0; scale++) {
        int64_t fine = ks_quantity_scaled(q, scale), coarse = ks_quantity_scaled(q, scale + 1);
        CHECK((fine > 0) == (q.value > 0) && (fine < 0) == (q.value < 0));
        if (fine == INT64_MAX || fine == INT64_MIN)
            continue;
        CHECK(coarse == fine / 10 + (fine % 10 > 0) - (fine % 10 < 0));
    }
}

static void check_sign(ks_str text, ks_quantity q)
{
    char *negated = malloc(text.len + 1);
    if (!negated || text.data[0] == '-' || text.data[0] == '+') {
        free(negated);
        return;
    }
    negated[0] = '-';
    memcpy(negated + 1, text.data, text.len);
    ks_quantity found;
    CHECK(ks_quantity_parse(&found, (ks_str){negated, text.len + 1}, NULL) == 0);
    CHECK(found.value == -q.value && found.scale == q.scale);
    free(negated);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ks_str text = {(const char *)data, size};
    ks_quantity q;
    ks_error err;
    if (ks_quantity_parse(&q, text, &err) != 0) {
        CHECK(err.code == KS_EINVAL && strlen(err.message) > 0 && !strchr(err.message, '\n'));
        return 0;
    }
    CHECK(q.scale >= -9 && q.scale <= 0);
    CHECK(q.scale == 0 || q.value % 10 != 0);
    check_other_ways(q);
    check_scaled(q);
    check_sign(text, q);
    return 0;
}
