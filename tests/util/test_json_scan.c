// SPDX-License-Identifier: Apache-2.0
/* The scans by words and by SSE2 against the one by bytes, over every length, place and stopping byte. */
#include "support/unit.h"
#include "util/json_scan.h"
#include <stdlib.h>

typedef const char *(*scan_fn)(const char *p, const char *end);

typedef struct scan_row {
    const char *name;
    scan_fn scan, by_bytes;
    char filler; /* a byte that the scan passes */
} scan_row;

static const scan_row scan_rows[] = {
    {"plain by words", ks_scan_plain_words, ks_scan_plain_bytes, 'a'},
    {"blanks by words", ks_scan_blanks_words, ks_scan_blanks_bytes, ' '},
#if defined(__SSE2__)
    {"plain by SSE2", ks_scan_plain_sse2, ks_scan_plain_bytes, 'a'},
    {"blanks by SSE2", ks_scan_blanks_sse2, ks_scan_blanks_bytes, ' '},
#endif
    {"plain", ks_scan_plain, ks_scan_plain_bytes, 'a'},
    {"blanks", ks_scan_blanks, ks_scan_blanks_bytes, ' '},
};

/* A text of exactly `len` bytes on the heap, so that a sanitizer sees any byte read beyond it. */
static void check(const scan_row *row, size_t len, size_t at, int byte)
{
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, row->filler, len);
    text[at] = (char)byte;
    const char *found = row->scan(text, text + len), *expected = row->by_bytes(text, text + len);
    if (found != expected)
        fail_msg("%s: byte 0x%02x at %zu of %zu: stopped at %td", row->name, (unsigned)byte, at, len,
                 found - text);
    free(text);
}

static void scans_agree_on_every_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scan_rows / sizeof *scan_rows; i++)
        for (int byte = 0; byte < 256; byte++)
            for (size_t at = 0; at < 41; at++) {
                check(&scan_rows[i], 41, at, byte);
                check(&scan_rows[i], at + 1, at, byte);
            }
}

/* Neighbours of a stopping byte must not hide it, however subtraction borrows. */
static void scans_agree_on_random_bytes(void **state)
{
    (void)state;
    static const unsigned char alphabet[] = {'a', ' ',  '!',  '"',  '#',  '[',  '\\', ']',
                                             0,   0x1F, 0x7F, 0x80, 0xA2, 0xDC, 0xFF};
    uint64_t random = 1;
    char text[48];
    for (int round = 0; round < 200000; round++) {
        for (size_t i = 0; i < sizeof text; i++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            text[i] = random >> 60 < 13 ? 'a' : (char)alphabet[(random >> 33) % sizeof alphabet];
        }
        for (size_t i = 0; i < sizeof scan_rows / sizeof *scan_rows; i++)
            assert_ptr_equal(scan_rows[i].scan(text, text + sizeof text),
                             scan_rows[i].by_bytes(text, text + sizeof text));
    }
}

typedef struct space_row {
    const char *name, *text;
    size_t end;
} space_row;

static const space_row space_rows[] = {
    {"nothing", "", 0},
    {"no space", "x ", 0},
    {"one blank", " x", 1},
    {"only blanks", "   ", 3},
    {"kubectl's indentation", "\n                    \"a\"", 21},
    {"DOS and tabs", "\r\n\t\t \tx", 6},
    {"several lines", "\n\n  \n    x", 9},
    {"other control characters are none", " \n \fx", 3},
};

static void passes_white_space(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof space_rows / sizeof *space_rows; i++) {
        const char *text = space_rows[i].text;
        if ((size_t)(ks_scan_space(text, text + strlen(text)) - text) != space_rows[i].end)
            fail_msg("%s", space_rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_agree_on_every_byte),
        cmocka_unit_test(scans_agree_on_random_bytes),
        cmocka_unit_test(passes_white_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
