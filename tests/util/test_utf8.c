// SPDX-License-Identifier: Apache-2.0
#include "support/unit.h"
#include "util/str.h"
#include "util/utf8.h"

static const struct {
    const char *name;
    ks_str text;
    uint32_t rune;
    size_t len;
} rows[] = {
    {"NUL", {"\0", 1}, 0, 1},
    {"ASCII", {"a!", 2}, 'a', 1},
    {"last of one byte", {"\x7f", 1}, 0x7F, 1},
    {"first of two", {"\xc2\x80", 2}, 0x80, 2},
    {"last of two", {"\xdf\xbf", 2}, 0x7FF, 2},
    {"first of three", {"\xe0\xa0\x80", 3}, 0x800, 3},
    {"before the surrogates", {"\xed\x9f\xbf", 3}, 0xD7FF, 3},
    {"behind the surrogates", {"\xee\x80\x80", 3}, 0xE000, 3},
    {"last of three", {"\xef\xbf\xbf", 3}, 0xFFFF, 3},
    {"first of four", {"\xf0\x90\x80\x80", 4}, 0x10000, 4},
    {"last of all", {"\xf4\x8f\xbf\xbf", 4}, 0x10FFFF, 4},
    {"a continuation alone", {"\x80", 1}, KS_RUNE_NONE, 1},
    {"overlong in two", {"\xc1\xbf", 2}, KS_RUNE_NONE, 1},
    {"overlong in three", {"\xe0\x9f\xbf", 3}, KS_RUNE_NONE, 1},
    {"overlong in four", {"\xf0\x8f\xbf\xbf", 4}, KS_RUNE_NONE, 1},
    {"first surrogate", {"\xed\xa0\x80", 3}, KS_RUNE_NONE, 1},
    {"last surrogate", {"\xed\xbf\xbf", 3}, KS_RUNE_NONE, 1},
    {"beyond Unicode", {"\xf4\x90\x80\x80", 4}, KS_RUNE_NONE, 1},
    {"no lead byte", {"\xf5\x80\x80\x80", 4}, KS_RUNE_NONE, 1},
    {"two cut short", {"\xc3", 1}, KS_RUNE_NONE, 1},
    {"three cut short", {"\xe2\x82", 2}, KS_RUNE_NONE, 1},
    {"four cut short", {"\xf0\x9f\x98", 3}, KS_RUNE_NONE, 1},
    {"second byte plain", {"\xc3(", 2}, KS_RUNE_NONE, 1},
    {"third byte plain", {"\xe2\x82(", 3}, KS_RUNE_NONE, 1},
    {"fourth byte plain", {"\xf0\x9f\x98(", 4}, KS_RUNE_NONE, 1},
};

static void decodes_what_is_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len;
        uint32_t rune = ks_utf8_decode(rows[i].text, &len);
        size_t valid = ks_utf8_length(rows[i].text.data, rows[i].text.data + rows[i].text.len);
        if (rune != rows[i].rune || len != rows[i].len || valid != (rune == KS_RUNE_NONE ? 0 : len))
            fail_msg("%s: %x of %zu bytes, length %zu", rows[i].name, rune, len, valid);
    }
}

static void puts_what_it_decodes(void **state)
{
    (void)state;
    for (uint32_t rune = 0; rune <= 0x10FFFF; rune++) {
        char bytes[4];
        size_t put = ks_utf8_put(bytes, rune), len;
        bool surrogate = rune >= 0xD800 && rune < 0xE000;
        uint32_t read = ks_utf8_decode((ks_str){bytes, put}, &len);
        if (read != (surrogate ? KS_RUNE_NONE : rune) || len != (surrogate ? 1 : put))
            fail_msg("%x", rune);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_what_is_valid),
        cmocka_unit_test(puts_what_it_decodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
