// SPDX-License-Identifier: Apache-2.0
#include "cli/yaml.h"
#include "util/json.h"
#include <assert.h>

typedef struct printer {
    ks_json in;
    ks_buf *out;
} printer;

/* Where a value stands decides how it begins: behind "key:", behind "- ", or at the beginning. */
typedef enum place { PLACE_TOP, PLACE_KEY, PLACE_ITEM } place;

static void put_value(printer *p, size_t indent, place where);

static void put_indent(printer *p, size_t indent)
{
    for (size_t i = 0; i < indent; i++)
        ks_buf_put_char(p->out, ' ');
}

/* ASCII's alone, whatever the locale. */
static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_letter(char c)
{
    return to_lower(c) >= 'a' && to_lower(c) <= 'z';
}

static bool is_plain_inside(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '/';
}

static bool equals_ignoring_case(ks_str text, const char *word)
{
    if (strlen(word) != text.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (to_lower(text.data[i]) != word[i])
            return false;
    return true;
}

/* Words that YAML 1.1 readers take for something else than text. */
static bool is_reserved(ks_str text)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (equals_ignoring_case(text, words[i]))
            return true;
    return false;
}

/* Letters first, then what can neither end a scalar nor begin another thing; all else is quoted. */
static bool is_plain(ks_str raw)
{
    if (raw.len == 0 || !is_letter(raw.data[0]) || is_reserved(raw))
        return false;
    for (size_t i = 0; i < raw.len; i++)
        if (!is_plain_inside(raw.data[i]))
            return false;
    return true;
}

/* JSON's double-quoted strings are YAML's, escapes included. */
static void put_string(printer *p, ks_json_string string)
{
    if (!string.escaped && is_plain(string.raw)) {
        ks_buf_put_str(p->out, string.raw);
        return;
    }
    ks_buf_put_char(p->out, '"');
    ks_buf_put_str(p->out, string.raw);
    ks_buf_put_char(p->out, '"');
}

static void put_scalar(printer *p, ks_json_type type)
{
    ks_json_string string;
    ks_str number;
    bool truth;
    if (type == KS_JSON_STRING && ks_json_read_string(&p->in, &string))
        put_string(p, string);
    else if (type == KS_JSON_NUMBER && ks_json_read_number(&p->in, &number))
        ks_buf_put_str(p->out, number);
    else if ((type == KS_JSON_TRUE || type == KS_JSON_FALSE) && ks_json_read_bool(&p->in, &truth))
        ks_buf_put_str(p->out, truth ? KS_STR("true") : KS_STR("false"));
    else if (type == KS_JSON_NULL && ks_json_read_null(&p->in))
        ks_buf_put_str(p->out, KS_STR("null"));
    ks_buf_put_char(p->out, '\n');
}

/* The first member of an item shares the dash's line. */
static void put_members(printer *p, size_t indent, place where)
{
    ks_json_string key;
    bool first = true;
    ks_json_begin_object(&p->in);
    while (ks_json_next_key(&p->in, &key)) {
        if (first && where == PLACE_KEY)
            ks_buf_put_char(p->out, '\n');
        if (!first || where != PLACE_ITEM)
            put_indent(p, indent);
        first = false;
        put_string(p, key);
        ks_buf_put_char(p->out, ':');
        put_value(p, indent, PLACE_KEY);
    }
    if (first)
        ks_buf_put_str(p->out, where == PLACE_KEY ? KS_STR(" {}\n") : KS_STR("{}\n"));
}

/* Lists stand as deep as the key that they belong to, as kubectl prints them. */
static void put_items(printer *p, size_t indent, place where)
{
    bool first = true;
    ks_json_begin_array(&p->in);
    while (ks_json_next_item(&p->in)) {
        if (first && where == PLACE_KEY)
            ks_buf_put_char(p->out, '\n');
        if (!first || where != PLACE_ITEM)
            put_indent(p, indent);
        first = false;
        ks_buf_put_str(p->out, KS_STR("- "));
        put_value(p, indent + 2, PLACE_ITEM);
    }
    if (first)
        ks_buf_put_str(p->out, where == PLACE_KEY ? KS_STR(" []\n") : KS_STR("[]\n"));
}

static void put_value(printer *p, size_t indent, place where)
{
    ks_json_type type = ks_json_peek(&p->in);
    if (type == KS_JSON_OBJECT) {
        put_members(p, where == PLACE_KEY ? indent + 2 : indent, where);
    } else if (type == KS_JSON_ARRAY) {
        put_items(p, indent, where);
    } else {
        if (where == PLACE_KEY)
            ks_buf_put_char(p->out, ' ');
        put_scalar(p, type);
    }
}

void ks_yaml_put_json(ks_buf *out, ks_str json)
{
    printer p = {.out = out};
    ks_json_init(&p.in, json);
    put_value(&p, 0, PLACE_TOP);
    assert(ks_json_at_end(&p.in));
}
