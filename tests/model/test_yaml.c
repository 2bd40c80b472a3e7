// SPDX-License-Identifier: Apache-2.0
/* YAML to JSON. What scalars become and how merges go was compared with sigs.k8s.io/yaml v1.6.0. */
#include "model/yaml.h"
#include "model/yaml_scalar.h"
#include "support/failing_allocator.h"
#include "support/sanitizer.h"
#include "support/unit.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* All documents, a line each, or the message. The text is copied to where a read past its end shows. */
static int convert(ks_buf *out, ks_str text, ks_alloc *alloc, ks_error *err)
{
    ks_yaml *yaml;
    int rc = ks_yaml_new(&yaml, (ks_source){KS_STR("x.yaml"), text}, 0, alloc, err);
    if (rc)
        return rc;
    bool more;
    while ((rc = ks_yaml_next(&more, yaml, err)) == 0 && more) {
        ks_buf_put_str(out, ks_yaml_json(yaml));
        ks_buf_put_char(out, '\n');
    }
    ks_yaml_free(yaml);
    return rc;
}

/* Members that a merge overrides leave blanks behind, which mean nothing. */
static void drop_blanks(ks_buf *json)
{
    size_t len = 0;
    bool quoted = false;
    for (size_t i = 0; i < json->len; i++) {
        if (json->data[i] == '"' && (i == 0 || json->data[i - 1] != '\\'))
            quoted = !quoted;
        if (quoted || json->data[i] != ' ')
            json->data[len++] = json->data[i];
    }
    json->len = len;
}

typedef struct row {
    const char *name, *yaml;
    const char *wanted; /* JSON, a line a document, or the message */
} row;

static void check_row(const row *r)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf out;
    ks_buf_init(&out, &alloc);
    size_t len = strlen(r->yaml);
    char *text = malloc(len ? len : 1);
    memcpy(text, r->yaml, len);
    ks_error err;
    if (convert(&out, (ks_str){text, len}, &alloc, &err) == 0)
        drop_blanks(&out);
    else
        ks_buf_put_str(&out, ks_str_of(err.message));
    free(text);
    if (!ks_str_eq(ks_buf_str(&out), ks_str_of(r->wanted)))
        fail_msg("%s\n--- found\n%.*s\n--- wanted\n%s", r->name, KS_STR_ARG(ks_buf_str(&out)), r->wanted);
    ks_buf_free(&out);
    assert_int_equal(alloc.bytes, 0);
}

#define CHECK_ROWS(rows)                                                                                     \
    for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)                                               \
    check_row(&(rows)[i])

/* ---- scalars ---- */

static const row scalars[] = {
    {"words", "[y, Y, yes, Yes, YES, true, True, TRUE, on, On, ON]",
     "[true,true,true,true,true,true,true,true,true,true,true]\n"},
    {"words for no", "[n, N, no, No, NO, false, False, FALSE, off, Off, OFF]",
     "[false,false,false,false,false,false,false,false,false,false,false]\n"},
    {"nulls", "[~, null, Null, NULL, ]", "[null,null,null,null]\n"},
    {"a value left out", "a:\nb: 1", "{\"a\":null,\"b\":1}\n"},
    {"other spellings are strings", "[yES, tRUE, nULL, oN, nil, none]",
     "[\"yES\",\"tRUE\",\"nULL\",\"oN\",\"nil\",\"none\"]\n"},
    {"quoted words are strings", "['yes', \"null\", '', \"1\", '~']",
     "[\"yes\",\"null\",\"\",\"1\",\"~\"]\n"},
    {"block scalars are strings", "a: |\n  1\nb: >-\n  yes\n  no\n", "{\"a\":\"1\\n\",\"b\":\"yes no\"}\n"},
    {"decimal", "[0, 1, -1, +1, 12345, -0]", "[0,1,-1,1,12345,0]\n"},
    {"octal", "[0777, 0o17, 0O17, -010]", "[511,15,15,-8]\n"},
    {"hexadecimal", "[0x1F, 0X1f, -0xA, +0xA]", "[31,31,-10,10]\n"},
    {"binary", "[0b101, 0B1, -0b11, 0b-11, 0b+1]", "[5,1,-3,-3,1]\n"},
    {"not octal, hence a float", "[08, 09.5]", "[8,9.5]\n"},
    {"underscores", "[1_000, 0x_f, 1_0.5_0, -_1]", "[1000,15,10.5,-1]\n"},
    {"underscores that make a string", "[_1, ._5, _]", "[\"_1\",\"._5\",\"_\"]\n"},
    {"prefixes alone", "[0x, 0b, 0o, 0x_, +, .]", "[\"0x\",\"0b\",\"0o\",\"0x_\",\"+\",\".\"]\n"},
    {"64 bits", "[9223372036854775807, -9223372036854775808, 18446744073709551615]",
     "[9223372036854775807,-9223372036854775808,18446744073709551615]\n"},
    {"beyond 64 bits", "[18446744073709551616, -9223372036854775809, 100000000000000000000000]",
     "[18446744073709552000,-9223372036854776000,1e+23]\n"},
    {"hexadecimal beyond 64 bits", "0x10000000000000000", "\"0x10000000000000000\"\n"},
    {"floats", "[0.1, 1.5, -2.50, .5, +.5, 1., 1e3, 1E3, 1e+3, 1.5e-3]",
     "[0.1,1.5,-2.5,0.5,0.5,1,1000,1000,1000,0.0015]\n"},
    {"floats as Go writes them",
     "[1e20, 1e21, 1e-6, 1e-7, 123456789.125, -0.0, 5e-324, 1.7976931348623157e308]",
     "[100000000000000000000,1e+21,0.000001,1e-7,123456789.125,-0,5e-324,1.7976931348623157e+308]\n"},
    {"floats round to a double", "[0.1000000000000000000001, 1.00000000000000012, 2.5000000000000001e3]",
     "[0.1,1.0000000000000002,2500]\n"},
    {"beyond a double", "[1e400, -1e400]", "[\"1e400\",\"-1e400\"]\n"},
    {"nearly floats", "[1e, e1, 1.2.3, 1e5.5, 1-1, --1, .e1, 1_e]",
     "[\"1e\",\"e1\",\"1.2.3\",\"1e5.5\",\"1-1\",\"--1\",\".e1\",\"1_e\"]\n"},
    {"base 60 is a string", "[1:20, 190:20:30.15]", "[\"1:20\",\"190:20:30.15\"]\n"},
    {"timestamps are strings", "[2001-12-14, 2001-12-14t21:59:43.10-05:00, 2024-05-01T10:00:00Z]",
     "[\"2001-12-14\",\"2001-12-14t21:59:43.10-05:00\",\"2024-05-01T10:00:00Z\"]\n"},
    {"quantities are strings", "[100m, 1.5Gi, 2k]", "[\"100m\",\"1.5Gi\",\"2k\"]\n"},
    {"not finite", "a: .inf", "x.yaml:1:4: \".inf\": must be a finite number"},
    {"not a number", "- 1\n- .NaN", "x.yaml:2:3: \".NaN\": must be a finite number"},
    {"escapes", "\"a\\tb\\u00e9\\0\\x41\\\"\"", "\"a\\tbé\\u0000A\\\"\"\n"},
    {"beyond ASCII", "[é, 日本, 😀]", "[\"é\",\"日本\",\"😀\"]\n"},
};

static const row tagged[] = {
    {"str", "[!!str 1, !!str yes, !!str ]", "[\"1\",\"yes\",\"\"]\n"},
    {"int", "[!!int 1, !!int \"0x10\"]", "[1,16]\n"},
    {"float", "[!!float 1, !!float 1.5]", "[1,1.5]\n"},
    {"bool and null", "[!!bool \"yes\", !!null '']", "[true,null]\n"},
    {"no tag in particular", "[! 1, ! \"1\", ! x]", "[\"1\",\"1\",\"x\"]\n"},
    {"somebody's own", "[!foo 1, !<tag:example.com,2000:x> yes]", "[\"1\",\"yes\"]\n"},
    {"timestamp", "!!timestamp 2001-12-14", "\"2001-12-14\"\n"},
    {"on collections", "{a: !!map {b: !!seq [1]}, c: !!set {d: ~}}",
     "{\"a\":{\"b\":[1]},\"c\":{\"d\":null}}\n"},
    {"int that is none", "a: !!int x", "x.yaml:1:4: \"x\": must be an integer, as its tag !!int says"},
    {"int that is a float", "a: !!int 1.5", "x.yaml:1:4: \"1.5\": must be an integer, as its tag !!int says"},
    {"float that is none", "a: !!float x", "x.yaml:1:4: \"x\": must be a number, as its tag !!float says"},
    {"bool that is none", "a: !!bool 1", "x.yaml:1:4: \"1\": must be a boolean, as its tag !!bool says"},
    {"null that is none", "a: !!null x", "x.yaml:1:4: \"x\": must be null, as its tag !!null says"},
    {"binary", "a: !!binary aGk=", "x.yaml:1:4: \"aGk=\": the tag !!binary is not supported"},
};

/* ---- collections ---- */

static const row collections[] = {
    {"nothing", "", ""},
    {"blanks and comments", "  \n# nothing\n", ""},
    {"an empty document", "---\n", "null\n"},
    {"documents", "a: 1\n---\nb: 2\n...\n---\n- c\n", "{\"a\":1}\n{\"b\":2}\n[\"c\"]\n"},
    {"anchors end with their document", "a: &x 1\n---\nb: *x\n",
     "{\"a\":1}\nx.yaml:3:4: \"x\": unknown anchor"},
    {"block and flow", "a:\n- b: {c: [1, {}], d: []}\n- e\n",
     "{\"a\":[{\"b\":{\"c\":[1,{}],\"d\":[]}},\"e\"]}\n"},
    {"keys that are no strings", "{1: a, 0x10: b, true: c, off: d, 1.5: e, 1e3: f, 1e6: g, 1e-5: h, .inf: i}",
     "{\"1\":\"a\",\"16\":\"b\",\"true\":\"c\",\"false\":\"d\",\"1.5\":\"e\",\"1000\":\"f\",\"1e+06\":\"g\","
     "\"1e-05\":\"h\",\".inf\":\"i\"}\n"},
    {"a key has the digits of a 32-bit float", "{0.1: a, 123456789.0: b, 1e300: c, -0.5: d}",
     "{\"0.1\":\"a\",\"1.2345679e+08\":\"b\",\".inf\":\"c\",\"-0.5\":\"d\"}\n"},
    {"null for a key", "{~: 1}", "x.yaml:1:2: \"~\": a key must be a string, number or boolean"},
    {"a list for a key", "? [a]\n: 1", "x.yaml:1:3: a key must be a string, number or boolean"},
    {"a map for a key", "{{a: 1}: 1}", "x.yaml:1:2: a key must be a string, number or boolean"},
    {"key given twice", "a: 1\nb: 2\na: 3\n", "x.yaml:3:1: \"a\": the key must not be given twice"},
    {"key given twice, differently written", "{1: a, \"1\": b}",
     "x.yaml:1:8: \"1\": the key must not be given twice"},
    {"key given twice, deep down", "x:\n- y: {é: 1, z: 2, é: 3}\n",
     "x.yaml:2:19: \"é\": the key must not be given twice"},
    {"key given twice among many",
     "{a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, i: 0, j: 0, k: 0, l: 0, m: 0, n: 0, o: 0, p: 0, "
     "q: 0, r: 0, a: 1}",
     "x.yaml:1:110: \"a\": the key must not be given twice"},
    {"the same key side by side", "- {a: 1}\n- {a: 1, b: {a: 1}}\n",
     "[{\"a\":1},{\"a\":1,\"b\":{\"a\":1}}]\n"},
};

static const row aliases[] = {
    {"scalar", "a: &x 1\nb: *x\n", "{\"a\":1,\"b\":1}\n"},
    {"collection", "- &x {a: [1]}\n- *x\n- *x\n", "[{\"a\":[1]},{\"a\":[1]},{\"a\":[1]}]\n"},
    {"of an alias", "- &x 1\n- &y [*x]\n- *y\n", "[1,[1],[1]]\n"},
    {"the last anchor of a name", "- &x 1\n- *x\n- &x 2\n- *x\n", "[1,1,2,2]\n"},
    {"as a key", "a: &x k\n*x : 1\n", "{\"a\":\"k\",\"k\":1}\n"},
    {"number as a key", "a: &x 5\n*x : 1\n", "{\"a\":5,\"5\":1}\n"},
    {"of a key", "&x k: 1\nb: *x\n", "{\"k\":1,\"b\":\"k\"}\n"},
    {"list as a key", "a: &x [1]\n*x : 1\n", "x.yaml:2:1: \"x\": a key must be a string, number or boolean"},
    {"unknown", "a: *x\n", "x.yaml:1:4: \"x\": unknown anchor"},
    {"of itself", "a: &x [*x]\n", "x.yaml:1:8: \"x\": the anchor's value must not contain itself"},
    {"of itself, an older one by its name", "- &x 1\n- &x {a: *x}\n",
     "x.yaml:2:10: \"x\": the anchor's value must not contain itself"},
};

/* As in Kubernetes: whichever comes later wins, and the first of a list. */
static const row merges[] = {
    {"before", "a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n",
     "{\"a\":{\"p\":1,\"q\":2},\"b\":{\"p\":1,\"q\":3}}\n"},
    {"behind", "a: &x {p: 1, q: 2}\nb: {q: 3, <<: *x}\n",
     "{\"a\":{\"p\":1,\"q\":2},\"b\":{\"p\":1,\"q\":2}}\n"},
    {"twice", "- &x {p: 1}\n- &y {p: 2}\n- {<<: *x, <<: *y}\n", "[{\"p\":1},{\"p\":2},{\"p\":2}]\n"},
    {"list", "- &x {p: 1}\n- &y {p: 2, q: 2}\n- {<<: [*x, *y, {q: 3, r: 3}]}\n",
     "[{\"p\":1},{\"p\":2,\"q\":2},{\"r\":3,\"q\":2,\"p\":1}]\n"},
    {"inline", "{<<: {a: 1}, b: 2}", "{\"a\":1,\"b\":2}\n"},
    {"nested", "{<<: {<<: {a: 1}, b: 2}, c: 3}", "{\"a\":1,\"b\":2,\"c\":3}\n"},
    {"nothing", "{<<: {}, <<: []}", "{}\n"},
    {"by its tag", "{!!merge \"<<\": {a: 1}}", "{\"a\":1}\n"},
    {"quoted, a key like any other", "{\"<<\": {a: 1}}", "{\"<<\":{\"a\":1}}\n"},
    {"as a value", "[<<]", "[\"<<\"]\n"},
    {"anchor inside", "- {<<: &x {a: &y 1}, b: *y}\n- *x\n", "[{\"a\":1,\"b\":1},{\"a\":1}]\n"},
    {"anchor inside what is overridden", "- &x {a: 1}\n- {a: &y 5, <<: *x, b: *y}\n",
     "[{\"a\":1},{\"a\":1,\"b\":5}]\n"},
    {"escaped keys", "- &x {\"a\\n\": 1}\n- {<<: *x, \"a\\x0a\": 2}\n", "[{\"a\\n\":1},{\"a\\n\":2}]\n"},
    {"scalar", "{<<: 1}", "x.yaml:1:2: a merge key's value must be a map or a list of maps"},
    {"list of scalars", "{<<: [1]}", "x.yaml:1:2: a merge key's value must be a map or a list of maps"},
    {"alias of a list", "- &x [{a: 1}]\n- {<<: *x}\n",
     "x.yaml:2:8: \"x\": a merge key's value must be a map or a list of maps"},
    {"key given twice beside a merge", "- &x {a: 1}\n- {b: 1, <<: *x, b: 2}\n",
     "x.yaml:2:18: \"b\": the key must not be given twice"},
};

static const row malformed[] = {
    {"tab", "a:\n\tb: 1\n",
     "x.yaml:2:1: found character that cannot start any token, while scanning for the next token"},
    {"bracket left open", "a: [1, 2\n",
     "x.yaml:2:1: did not find expected ',' or ']', while parsing a flow sequence"},
    {"quote left open", "a: \"b\n",
     "x.yaml:2:1: found unexpected end of stream, while scanning a quoted scalar"},
    {"indentation", "a: 1\n b: 2\n", "x.yaml:2:3: mapping values are not allowed in this context"},
    {"invalid UTF-8", "a: 1\nb: \xff\n", "x.yaml:2:4: invalid leading UTF-8 octet"},
    {"cut UTF-8", "a: é\nb: \xc3\n", "x.yaml:2:5: invalid trailing UTF-8 octet"},
    {"overlong UTF-8", "a: \xc0\xaf\n", "x.yaml:1:4: invalid length of a UTF-8 sequence"},
    {"control character", "a: \x01\n", "x.yaml:1:4: control characters are not allowed"},
    {"surrogate", "a: \"\\ud800\"\n",
     "x.yaml:1:7: found invalid Unicode character escape code, while parsing a quoted scalar"},
};

static void test_scalars(void **state)
{
    (void)state;
    CHECK_ROWS(scalars);
    CHECK_ROWS(tagged);
}

static void test_collections(void **state)
{
    (void)state;
    CHECK_ROWS(collections);
}

static void test_aliases(void **state)
{
    (void)state;
    CHECK_ROWS(aliases);
}

static void test_merges(void **state)
{
    (void)state;
    CHECK_ROWS(merges);
}

static void test_malformed(void **state)
{
    (void)state;
    CHECK_ROWS(malformed);
}

/* A comma for a point must not change a number. Without such a locale on the machine there is nothing to
 * see, but for the C one. */
static void test_floats_in_any_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++)
        if (setlocale(LC_NUMERIC, locales[i])) {
            ks_yaml_scalar scalar = ks_yaml_resolve(KS_STR("12.5e-3"));
            assert_int_equal(scalar.type, KS_YAML_FLOAT);
            assert_string_equal(scalar.text, "0.0125");
        }
    setlocale(LC_NUMERIC, "C");
}

/* ---- too much ---- */

static ks_str repeat(const char *begin, const char *piece, size_t times)
{
    size_t len = strlen(piece), first = strlen(begin);
    char *text = malloc(first + len * times);
    memcpy(text, begin, first);
    for (size_t i = 0; i < times; i++)
        memcpy(text + first + i * len, piece, len);
    return (ks_str){text, first + len * times};
}

static ks_str alias_bomb(void)
{
    static char text[4096];
    size_t len = (size_t)snprintf(text, sizeof text, "a: &a [x,x,x,x,x,x,x,x,x,x]\n");
    for (int name = 'b'; name <= 'o'; name++)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", name, name, name - 1,
                                name - 1, name - 1, name - 1, name - 1, name - 1, name - 1, name - 1,
                                name - 1, name - 1);
    char *copy = malloc(len);
    memcpy(copy, text, len);
    return (ks_str){copy, len};
}

static ks_str merge_bomb(void)
{
    static char text[8192];
    size_t len = (size_t)snprintf(text, sizeof text, "- &a {x: aaaaaaaaaaaaaaaaaaaaaaaaaaaa}\n");
    for (int name = 'b'; name <= 't'; name++)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "- &%c {<<: *%c, 1: *%c, 2: *%c, 3: *%c, 4: *%c}\n", name, name - 1, name - 1,
                                name - 1, name - 1, name - 1);
    char *copy = malloc(len);
    memcpy(copy, text, len);
    return (ks_str){copy, len};
}

static void check_refused(const char *name, ks_str text, const char *wanted)
{
    const double seconds_max = TESTS_SANITIZED ? 10 : 1;
    failing_allocator counting = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&counting);
    ks_alloc alloc;
    ks_alloc_init(&alloc, &allocator);
    ks_buf out;
    ks_buf_init(&out, &alloc);
    ks_error err = {0};
    clock_t begin = clock();
    int rc = convert(&out, text, &alloc, &err);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ks_buf_free(&out);
    free((char *)text.data);
    if (rc != KS_ELIMIT || strcmp(err.message, wanted) != 0 || seconds > seconds_max || counting.bytes)
        fail_msg("%s: %d %s, %.2f s, %zu bytes kept", name, rc, err.message, seconds, counting.bytes);
}

static void test_too_much(void **state)
{
    (void)state;
    enum { MILLION = 1000 * 1000 };
    check_refused("a million [", repeat("", "[", MILLION), "x.yaml:1:513: nested more than 512 levels deep");
    check_refused("a million [ below a key", repeat("a: ", "[", MILLION),
                  "x.yaml:1:515: nested more than 512 levels deep");
    check_refused("a million [, one a line", repeat("a: ", "[\n", MILLION),
                  "x.yaml:512:1: nested more than 512 levels deep");
    check_refused("a million {", repeat("a: ", "{a: ", MILLION),
                  "x.yaml:1:2048: nested more than 512 levels deep");
    check_refused("a million -", repeat("", "- ", MILLION),
                  "x.yaml:1:1025: nested more than 512 levels deep");
    check_refused("alias bomb", alias_bomb(), "x.yaml:7:8: aliases must not expand to more than 8 MiB");
    check_refused("merge bomb", merge_bomb(), "x.yaml:9:11: aliases must not expand to more than 8 MiB");
}

static void test_as_deep_as_allowed(void **state)
{
    (void)state;
    enum { DEPTH = 512 };
    char yaml[2 * DEPTH + 1] = {0}, json[2 * DEPTH + 2] = {0};
    memset(yaml, '[', DEPTH);
    memset(yaml + DEPTH, ']', DEPTH);
    memcpy(json, yaml, sizeof yaml);
    json[2 * DEPTH] = '\n';
    check_row(&(row){"512 levels", yaml, json});
}

/* ---- want of memory ---- */

static const char sweep_text[] =
    "base: &base {app: web, tier: &t front}\n"
    "list: [1, 2.5, yes, ~, \"x\\ty\", *t]\n"
    "merged: {app: other, <<: [*base, {zone: a}], 1: x}\n"
    "many: {a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, i: 0, j: 0, k: 0, l: 0, m: 0, n: 0, o: 0, "
    "p: 0, q: 0}\n"
    "---\n"
    "again: *base\n";

static void test_failing_allocations(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        failing_allocator failing = failing_allocator_make();
        failing.fail_at = n;
        ks_allocator allocator = failing_allocator_get(&failing);
        ks_alloc alloc;
        ks_alloc_init(&alloc, &allocator);
        ks_alloc outside;
        ks_alloc_init(&outside, NULL);
        ks_buf out;
        ks_buf_init(&out, &outside);
        ks_error err = {0};
        int rc = convert(&out, ks_str_of(sweep_text), &alloc, &err);
        ks_buf_free(&out);
        assert_int_equal(failing.bytes, 0);
        if (!failing.failed) {
            assert_int_equal(rc, KS_EINVAL); /* the anchor of another document */
            break;
        }
        assert_int_equal(rc, KS_ENOMEM);
        assert_string_equal(err.message, "out of memory");
    }
    assert_true(failures > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_collections),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_merges),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_floats_in_any_locale),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_as_deep_as_allowed),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
