// SPDX-License-Identifier: Apache-2.0
#include "model/selector.h"
#include "support/unit.h"
#include <stdio.h>

#define A10 "aaaaaaaaaa"
#define A50 A10 A10 A10 A10 A10
#define A250 A50 A50 A50 A50 A50

#define NAME_REGEX "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define NAME_RULE                                                                                            \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " \
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" NAME_REGEX "')"
#define NAME_SHAPE "name part " NAME_RULE
#define NAME_EMPTY "name part must be non-empty"
#define NAME_LONG "name part must be no more than 63 bytes"
#define PREFIX_EMPTY "prefix part must be non-empty"
#define PREFIX_LONG "prefix part must be no more than 253 bytes"
#define PREFIX_SHAPE                                                                                         \
    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " \
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "        \
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define KEY_SHAPE                                                                                            \
    "a valid label key " NAME_RULE                                                                           \
    " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
#define VALUE_LONG "must be no more than 63 bytes"
#define VALUE_SHAPE                                                                                          \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and "     \
    "must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex " \
    "used for validation is '(" NAME_REGEX ")?')"

typedef struct rule_row {
    const char *name;
    ks_str text;
    const char *faults[KS_LABEL_FAULTS_MAX];
} rule_row;

#define TEXT(literal)                                                                                        \
    {                                                                                                        \
        "" literal, sizeof(literal) - 1                                                                      \
    }

static const rule_row keys[] = {
    {"plain", TEXT("app"), {0}},
    {"all characters", TEXT("aZ0-_.9"), {0}},
    {"one character", TEXT("a"), {0}},
    {"with prefix", TEXT("topology.kubernetes.io/zone"), {0}},
    {"prefix of one label", TEXT("a/b"), {0}},
    {"dashes in the prefix", TEXT("a--b.c-d/e"), {0}},
    {"63 bytes", TEXT(A50 A10 "aaa"), {0}},
    {"64 bytes", TEXT(A50 A10 "aaaa"), {NAME_LONG}},
    {"prefix of 253 bytes", TEXT(A250 "aaa/a"), {0}},
    {"prefix of 254 bytes", TEXT(A250 "aaaa/a"), {PREFIX_LONG}},
    {"empty", TEXT(""), {NAME_EMPTY, NAME_SHAPE}},
    {"absent", {NULL, 0}, {NAME_EMPTY, NAME_SHAPE}},
    {"blank inside", TEXT("bad key!"), {NAME_SHAPE}},
    {"begins with a dash", TEXT("-a"), {NAME_SHAPE}},
    {"ends with a dot", TEXT("a."), {NAME_SHAPE}},
    {"ends with a newline", TEXT("a\n"), {NAME_SHAPE}},
    {"not ASCII", TEXT("caf\xc3\xa9"), {NAME_SHAPE}},
    {"NUL inside", TEXT("a\0b"), {NAME_SHAPE}},
    {"long and ends badly", TEXT(A50 A10 "aaa-"), {NAME_LONG, NAME_SHAPE}},
    {"empty prefix", TEXT("/a"), {PREFIX_EMPTY}},
    {"empty name", TEXT("a/"), {NAME_EMPTY, NAME_SHAPE}},
    {"only a slash", TEXT("/"), {PREFIX_EMPTY, NAME_EMPTY, NAME_SHAPE}},
    {"two slashes", TEXT("a/b/c"), {KEY_SHAPE}},
    {"two slashes and nothing", TEXT("//"), {KEY_SHAPE}},
    {"upper case prefix", TEXT("Example.com/a"), {PREFIX_SHAPE}},
    {"underscore in the prefix", TEXT("a_b/c"), {PREFIX_SHAPE}},
    {"prefix begins with a dot", TEXT(".a/b"), {PREFIX_SHAPE}},
    {"prefix ends with a dot", TEXT("a./b"), {PREFIX_SHAPE}},
    {"two dots in the prefix", TEXT("a..b/c"), {PREFIX_SHAPE}},
    {"dash before a dot", TEXT("a-.b/c"), {PREFIX_SHAPE}},
    {"dash behind a dot", TEXT("a.-b/c"), {PREFIX_SHAPE}},
    {"all that can be wrong",
     TEXT(A250 "AAAA/" A50 A10 "aaa-"),
     {PREFIX_LONG, PREFIX_SHAPE, NAME_LONG, NAME_SHAPE}},
};

static const rule_row values[] = {
    {"plain", TEXT("web"), {0}},
    {"empty", TEXT(""), {0}},
    {"absent", {NULL, 0}, {0}},
    {"all characters", TEXT("aZ0-_.9"), {0}},
    {"63 bytes", TEXT(A50 A10 "aaa"), {0}},
    {"64 bytes", TEXT(A50 A10 "aaaa"), {VALUE_LONG}},
    {"a slash", TEXT("a/b"), {VALUE_SHAPE}},
    {"blank inside", TEXT("bad value!"), {VALUE_SHAPE}},
    {"ends with a dash", TEXT("a-"), {VALUE_SHAPE}},
    {"long and begins badly", TEXT("_" A50 A10 "aaa"), {VALUE_LONG, VALUE_SHAPE}},
};

typedef size_t (*rule_fn)(const char *faults[KS_LABEL_FAULTS_MAX], ks_str text);

static void check_row(const rule_row *row, rule_fn rule)
{
    const char *faults[KS_LABEL_FAULTS_MAX];
    size_t want = 0;
    while (want < KS_LABEL_FAULTS_MAX && row->faults[want])
        want++;
    size_t count = rule(faults, row->text);
    if (count != want || rule(NULL, row->text) != want)
        fail_msg("%s: %zu faults, want %zu", row->name, count, want);
    for (size_t i = 0; i < count; i++)
        if (strcmp(faults[i], row->faults[i]) != 0)
            fail_msg("%s: \"%s\", want \"%s\"", row->name, faults[i], row->faults[i]);
}

static void keys_are_held_to_the_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        check_row(&keys[i], ks_label_key_faults);
}

static void values_are_held_to_the_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_row(&values[i], ks_label_value_faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_held_to_the_rules),
        cmocka_unit_test(values_are_held_to_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
