// SPDX-License-Identifier: Apache-2.0
#include "model/selector.h"

enum { NAME_BYTES_MAX = 63, PREFIX_BYTES_MAX = 253 };

#define NAME_REGEX "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define NAME_RULE                                                                                            \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " \
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" NAME_REGEX "')"
#define SUBDOMAIN_REGEX "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"

static const char key_shape[] = "a valid label key " NAME_RULE
                                " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
static const char prefix_empty[] = "prefix part must be non-empty";
static const char prefix_long[] = "prefix part must be no more than 253 bytes";
static const char prefix_shape[] =
    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '" SUBDOMAIN_REGEX "')";
static const char name_empty[] = "name part must be non-empty";
static const char name_long[] = "name part must be no more than 63 bytes";
static const char name_shape[] = "name part " NAME_RULE;
static const char value_long[] = "must be no more than 63 bytes";
static const char value_shape[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(" NAME_REGEX ")?')";

typedef struct fault_list {
    const char **faults;
    size_t count;
} fault_list;

static void add(fault_list *list, const char *fault)
{
    if (list->faults)
        list->faults[list->count] = fault;
    list->count++;
}

static bool is_lower_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_alphanumeric(char c)
{
    return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z');
}

/* NAME_REGEX. */
static bool is_name(ks_str s)
{
    if (s.len == 0 || !is_alphanumeric(s.data[0]) || !is_alphanumeric(s.data[s.len - 1]))
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if (!is_alphanumeric(c) && c != '-' && c != '_' && c != '.')
            return false;
    }
    return true;
}

/* SUBDOMAIN_REGEX: labels of lower case letters, digits and inner dashes, joined by single dots. */
static bool is_subdomain(ks_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if (is_lower_or_digit(c))
            continue;
        if ((c != '-' && c != '.') || i == 0 || i + 1 == s.len)
            return false;
        char before = s.data[i - 1], after = s.data[i + 1];
        if (c == '.' && !(is_lower_or_digit(before) && is_lower_or_digit(after)))
            return false;
    }
    return s.len > 0;
}

static void check_prefix(fault_list *list, ks_str prefix)
{
    if (prefix.len == 0) {
        add(list, prefix_empty);
        return;
    }
    if (prefix.len > PREFIX_BYTES_MAX)
        add(list, prefix_long);
    if (!is_subdomain(prefix))
        add(list, prefix_shape);
}

size_t ks_label_key_faults(const char *faults[KS_LABEL_FAULTS_MAX], ks_str key)
{
    fault_list list = {.faults = faults};
    ks_str name = key;
    const char *slash = key.len ? memchr(key.data, '/', key.len) : NULL;
    if (slash) {
        size_t prefix_len = (size_t)(slash - key.data);
        name = (ks_str){slash + 1, key.len - prefix_len - 1};
        if (name.len && memchr(name.data, '/', name.len)) {
            add(&list, key_shape);
            return list.count;
        }
        check_prefix(&list, (ks_str){key.data, prefix_len});
    }
    if (name.len == 0)
        add(&list, name_empty);
    else if (name.len > NAME_BYTES_MAX)
        add(&list, name_long);
    if (!is_name(name))
        add(&list, name_shape);
    return list.count;
}

size_t ks_label_value_faults(const char *faults[KS_LABEL_FAULTS_MAX], ks_str value)
{
    fault_list list = {.faults = faults};
    if (value.len > NAME_BYTES_MAX)
        add(&list, value_long);
    if (value.len && !is_name(value))
        add(&list, value_shape);
    return list.count;
}
