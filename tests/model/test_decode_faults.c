// SPDX-License-Identifier: Apache-2.0
/* Texts that are refused: the whole message, place included. */
#include "support/sanitizer.h"
#include "support/transcript.h"
#include "support/unit.h"
#include <stdlib.h>
#include <time.h>

#define POD(name) "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'}}"
#define BARE(name) "{'metadata':{'name':'" name "'}}"

/* ---- faults ---- */

#define IN_POD(inside) "{'apiVersion':'v1','kind':'Pod'," inside "}"
#define IN_SPEC(inside) IN_POD("'spec':{" inside "}")

static const transcript_row faults[] = {
    /* what is not an object */
    {"scalar", "5", "x:1:1: 5: must be an object"},
    {"array", "[]", "x:1:1: […]: must be an object"},
    {"string in a list", "{'kind':'List','apiVersion':'v1','items':[" POD("a") ",'b']}",
     "Pod /a@42\nx:1:100: items[1]: 'b': must be an object"},
    {"items that are none", "{'kind':'List','apiVersion':'v1','items':{'a':1}}",
     "x:1:42: items: {…}: must be a list"},
    {"no kind", "{'apiVersion':'v1'}", "x:1:1: kind: must be set: every object has an apiVersion and a kind"},
    {"no apiVersion", "\n {'kind':'Pod'}",
     "x:2:2: apiVersion: must be set: every object has an apiVersion and a kind"},
    {"null for a kind", "{'apiVersion':'v1','kind':null}",
     "x:1:1: kind: must be set: every object has an apiVersion and a kind"},
    {"number for a kind", "{'apiVersion':'v1','kind':5}", "x:1:27: kind: 5: must be a string"},
    {"no kind in a List", "{'kind':'List','apiVersion':'v1','items':[" POD("a") "," BARE("b") "]}",
     "Pod /a@42\nx:1:100: items[1].kind: must be set: every object has an apiVersion and a kind"},
    {"no kind in a List, kind at the end", "{'apiVersion':'v1','items':[" BARE("b") "],'kind':'List'}",
     "x:1:29: items[0].kind: must be set: every object has an apiVersion and a kind"},
    {"a list without a kind", "{'apiVersion':'v1','items':[" POD("a") "]}",
     "Pod /a@28\nx:1:1: kind: must be set: every object has an apiVersion and a kind"},
    {"no apiVersion in a typed list", "{'kind':'PodList','apiVersion':'v1','items':[{'kind':'Pod'}]}",
     "x:1:46: items[0].apiVersion: must be set: every object has an apiVersion and a kind"},
    {"empty YAML map", "{}", "x:1:1: kind: must be set: every object has an apiVersion and a kind"},

    /* types */
    {"string for an integer", IN_SPEC("'priority':'5'"), "x:1:52: spec.priority: '5': must be an integer"},
    {"fraction", IN_SPEC("'priority':1.0"), "x:1:52: spec.priority: 1.0: must be an integer"},
    {"exponent", IN_SPEC("'priority':1e3"), "x:1:52: spec.priority: 1e3: must be an integer"},
    {"beyond 32 bits", IN_SPEC("'priority':2147483648"),
     "x:1:52: spec.priority: 2147483648: must fit a signed 32-bit integer"},
    {"below 32 bits", IN_SPEC("'priority':-2147483649"),
     "x:1:52: spec.priority: -2147483649: must fit a signed 32-bit integer"},
    {"beyond 64 bits", IN_SPEC("'priority':99999999999999999999"),
     "x:1:52: spec.priority: 99999999999999999999: must fit a signed 64-bit integer"},
    {"integer for a string", IN_POD("'metadata':{'name':123}"),
     "x:1:52: metadata.name: 123: must be a string"},
    {"string for a boolean", IN_SPEC("'hostNetwork':'yes'"),
     "x:1:55: spec.hostNetwork: 'yes': must be true or false"},
    {"list for an object", IN_POD("'spec':[1]"), "x:1:40: spec: […]: must be an object"},
    {"object for a list", IN_SPEC("'containers':{}"), "x:1:54: spec.containers: {…}: must be a list"},
    {"string for an object in a list", IN_SPEC("'containers':[{},'x']"),
     "x:1:58: spec.containers[1]: 'x': must be an object"},
    {"list for a map", IN_POD("'metadata':{'labels':['app']}"),
     "x:1:54: metadata.labels: […]: must be an object"},
    {"number in a map", IN_POD("'metadata':{'labels':{'app':1}}"),
     "x:1:61: metadata.labels[app]: 1: must be a string"},
    {"number in a list of strings",
     IN_SPEC("'topologySpreadConstraints':[{'maxSkew':1},{'matchLabelKeys':['a',true]}]"),
     "x:1:107: spec.topologySpreadConstraints[1].matchLabelKeys[1]: true: must be a string"},
    {"string for a pointer", IN_SPEC("'affinity':'x'"), "x:1:52: spec.affinity: 'x': must be an object"},
    {"a percentage that is none",
     "{'apiVersion':'apps/v1','kind':'Deployment','spec':{'strategy':{'rollingUpdate':{'maxSurge':'5'}}}}",
     "x:1:93: spec.strategy.rollingUpdate.maxSurge: '5': must be an integer or a percentage, such as '25%'"},
    {"a percentage below zero",
     "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','spec':{'minAvailable':'-5%'}}",
     "x:1:79: spec.minAvailable: '-5%': must be an integer or a percentage, such as '25%'"},

    /* quantities and timestamps */
    {"quantity's suffix", IN_SPEC("'containers':[{'resources':{'requests':{'cpu':'1x','memory':'1'}}}]"),
     "x:1:87: spec.containers[0].resources.requests[cpu]: '1x': quantities must match the regular expression "
     "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
    {"quantity overflows", IN_SPEC("'overhead':{'cpu':'1e999'}"),
     "x:1:59: spec.overhead[cpu]: '1e999': overflow: must fit a signed 64-bit integer in units of its last "
     "digit"},
    {"quantity is a boolean", IN_SPEC("'overhead':{'cpu':true}"),
     "x:1:59: spec.overhead[cpu]: true: must be a quantity, such as 500m or '1.5Gi'"},
    {"timestamp", IN_POD("'metadata':{'deletionTimestamp':'yesterday'}"),
     "x:1:65: metadata.deletionTimestamp: 'yesterday': must be an RFC 3339 time, such as "
     "2006-01-02T15:04:05Z"},
    {"no leap year", IN_POD("'metadata':{'creationTimestamp':'2023-02-29T00:00:00Z'}"),
     "x:1:65: metadata.creationTimestamp: '2023-02-29T00:00:00Z': must be an RFC 3339 time, such as "
     "2006-01-02T15:04:05Z"},
    {"no zone", IN_POD("'metadata':{'creationTimestamp':'2023-02-28T00:00:00'}"),
     "x:1:65: metadata.creationTimestamp: '2023-02-28T00:00:00': must be an RFC 3339 time, such as "
     "2006-01-02T15:04:05Z"},

    /* given twice */
    {"field twice", IN_SPEC("'nodeName':'a','nodeName':'a'"),
     "x:1:56: spec.nodeName: 'nodeName': must not be given twice"},
    {"field twice, once escaped", IN_SPEC("'nodeName':'a','node\\u004eame':null"),
     "x:1:56: spec.nodeName: 'node\\u004eame': must not be given twice"},
    {"kind twice", IN_POD("'kind':'Pod'"), "x:1:33: kind: 'kind': must not be given twice"},
    {"metadata twice", IN_POD("'metadata':{},'spec':{},'metadata':{}"),
     "x:1:57: metadata: 'metadata': must not be given twice"},
    {"items twice", "{'kind':'List','apiVersion':'v1','items':[],'items':[]}",
     "x:1:45: items: 'items': must not be given twice"},
    {"label twice", IN_POD("'metadata':{'labels':{'a':'1','b':'2','a':'3'}}"),
     "x:1:71: metadata.labels[a]: 'a': must not be given twice"},
    {"label twice, once escaped", IN_POD("'metadata':{'labels':{'b':'1','\\u0062':'2'}}"),
     "x:1:63: metadata.labels[\\u0062]: '\\u0062': must not be given twice"},
    {"resource twice", IN_SPEC("'overhead':{'cpu':1,'a':1,'cpu':1}"),
     "x:1:67: spec.overhead[cpu]: 'cpu': must not be given twice"},

    /* labels */
    {"label key", IN_POD("'metadata':{'labels':{'a/b/c':'x'}}"),
     "x:1:55: metadata.labels: 'a/b/c': a valid label key must consist of alphanumeric characters, '-', '_' "
     "or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
     "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional "
     "DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"},
    {"label value too long",
     IN_POD(
         "'metadata':{'labels':{'app':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}}"),
     "x:1:61: metadata.labels[app]: "
     "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': must be no more than 63 bytes"},
    {"label key too long",
     IN_POD("'metadata':{'labels':{'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa':''}}"),
     "x:1:55: metadata.labels: "
     "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…': name part must be no more than 63 "
     "bytes"},
    {"label of a template",
     "{'apiVersion':'batch/v1','kind':'Job','spec':{'template':{'metadata':{'labels':{'':'x'}}}}}",
     "x:1:81: spec.template.metadata.labels: '': name part must be non-empty"},

    /* grammar */
    {"cut short", "{'apiVersion':'v1','kind':'Pod','metadata':{'name'",
     "x:1:51: metadata: unexpected end of the text"},
    {"cut in the head", "{'apiVersion':'v1','ki", "x:1:20: unterminated string"},
    {"comma at the end", IN_SPEC("'nodeName':'a',"), "x:1:56: spec: expected a key in double quotes"},
    {"two commas in what is skipped", IN_SPEC("'x':[1,,2]"), "x:1:48: spec.x: expected a value"},
    {"cut in a map", "{'apiVersion':'v1','kind':'Pod','metadata':{'labels':{'a':",
     "x:1:59: metadata.labels[a]: unexpected end of the text"},
    {"cut in resources", "{'apiVersion':'v1','kind':'Pod','spec':{'overhead':{'cpu':",
     "x:1:59: spec.overhead[cpu]: unexpected end of the text"},
    {"cut in a list of objects", "{'apiVersion':'v1','kind':'Pod','spec':{'containers':[{}",
     "x:1:57: spec.containers: unexpected end of the text"},
    {"malformed boolean", IN_SPEC("'hostNetwork':tru"), "x:1:55: spec.hostNetwork: expected a value"},
    {"malformed number", IN_SPEC("'priority':01"),
     "x:1:52: spec.priority: numbers must not begin with a needless 0"},
    {"malformed number for a quantity", IN_SPEC("'overhead':{'cpu':1.}"),
     "x:1:61: spec.overhead[cpu]: a decimal point must be followed by a digit"},
    {"malformed null", IN_SPEC("'affinity':nul"), "x:1:52: spec.affinity: expected a value"},
    {"malformed item of strings", IN_SPEC("'topologySpreadConstraints':[{'matchLabelKeys':['a' 'b']}]"),
     "x:1:93: spec.topologySpreadConstraints[0].matchLabelKeys: expected ',' or ']'"},
    {"invalid UTF-8", IN_POD("'metadata':{'name':'\xff'}"), "x:1:53: metadata.name: invalid UTF-8"},
    {"text behind", POD("a") "x", "Pod /a@0\nx:1:57: expected a value"},
    {"number at the end", POD("a") " 5", "Pod /a@0\nx:1:58: 5: must be an object"},
    {"flow YAML is not JSON", "{a: b}", "x:1:2: expected a key in double quotes"},
    {"separator in the middle of a line", POD("a") " ---",
     "Pod /a@0\nx:1:59: '-' must be followed by a digit"},

    /* places in YAML */
    {"YAML: type", "apiVersion: v1\nkind: Pod\nspec:\n  topologySpreadConstraints:\n  - maxSkew: two\n",
     "x:5:14: spec.topologySpreadConstraints[0].maxSkew: 'two': must be an integer"},
    {"YAML: label key", "apiVersion: v1\nkind: Pod\nmetadata:\n  # é\n  labels: {é: x, app: 1.0}\n",
     "x:5:12: metadata.labels: 'é': name part must consist of alphanumeric characters, '-', '_' or '.', and "
     "must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex "
     "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"},
    {"YAML: behind characters of many bytes", "apiVersion: v1\nkind: Pod\nmetadata: {x: 日本, name: 1}\n",
     "x:3:25: metadata.name: 1: must be a string"},
    {"YAML: second document", "---\napiVersion: v1\nkind: Pod\n---\nkind: Pod\n",
     "Pod /@4\nx:5:1: apiVersion: must be set: every object has an apiVersion and a kind"},
    {"YAML: in an alias", "x: &x {name: 5}\napiVersion: v1\nkind: Pod\nmetadata: *x\n",
     "x:4:11: metadata.name: 5: must be a string"},
    {"YAML: in a merge", "x: &x {name: 5}\napiVersion: v1\nkind: Pod\nmetadata: {uid: u, <<: *x}\n",
     "x:4:20: metadata.name: 5: must be a string"},
    {"YAML behind JSON", POD("a") "\n---\nkind: [\n",
     "Pod /a@0\nx:4:1: did not find expected node content, while parsing a flow node"},
    {"YAML with a byte order mark", "\xEF\xBB\xBFkind: 1\n", "x:1:7: kind: 1: must be a string"},
    {"JSON with a byte order mark", "\xEF\xBB\xBF{'kind':1}", "x:1:9: kind: 1: must be a string"},
    {"UTF-16", "\xFF\xFE{", "x:1:1: UTF-16 text: must be UTF-8"},
    {"UTF-16, the other way round", "\xFE\xFF", "x:1:1: UTF-16 text: must be UTF-8"},
};

static void test_faults(void **state)
{
    (void)state;
    transcript_check(faults, COUNT(faults), false);
}

static void test_position_is_told(void **state)
{
    (void)state;
    ks_error err = {0};
    ks_source source = {KS_STR("web.yaml"), KS_STR("kind: Pod\napiVersion: 5\n")};
    transcript none = {0};
    assert_int_equal(ks_decode(source, NULL, transcript_note, &none, &err), KS_EINVAL);
    assert_string_equal(err.message, "web.yaml:2:13: apiVersion: 5: must be a string");
    assert_int_equal(err.code, KS_EINVAL);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 13);
    source.name = (ks_str){0};
    assert_int_equal(ks_decode(source, NULL, transcript_note, &none, &err), KS_EINVAL);
    assert_string_equal(err.message, "2:13: apiVersion: 5: must be a string");
    assert_int_equal(ks_decode(source, NULL, transcript_note, &none, NULL), KS_EINVAL);
}

/* ---- too much ---- */

typedef struct flood {
    const char *name, *begin, *piece, *end;
    size_t times;
    int code;
    const char *wanted;
} flood;

static const flood floods[] = {
    {"brackets in JSON", "[", "[", "", 1000000, KS_EINVAL, "x:1:1: […]: must be an object"},
    {"objects in JSON", "", "{\"a\":", "", 1000000, KS_ELIMIT, "x:1:2561: nested more than 512 levels deep"},
    {"brackets in what is skipped", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"x\":", "[", "", 1000000,
     KS_ELIMIT, "x:1:548: x: nested more than 512 levels deep"},
    {"Lists in Lists", "", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[", "", 100000, KS_ELIMIT,
     NULL},
    {"brackets in YAML", "kind: ", "[", "", 1000000, KS_ELIMIT, "x:1:518: nested more than 512 levels deep"},
    {"a long number", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"priority\":", "9", "}}", 1000000,
     KS_EINVAL,
     "x:1:52: spec.priority: 9999999999999999999999999999999999999999999999999999999999999999…: must fit a "
     "signed 64-bit integer"},
    {"a long quantity", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"overhead\":{\"cpu\":\"", "9",
     "\"}}}", 1000000, KS_EINVAL,
     "x:1:59: spec.overhead[cpu]: \"9999999999999999999999999999999999999999999999999999999999999999…\": "
     "overflow: must fit a signed 64-bit integer in units of its last digit"},
    {"a long key", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"labels\":{\"", "é", "\":1}}}",
     1000000, KS_EINVAL, NULL},
    {"one label a million times",
     "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"labels\":{\"a\":\"\"", ",\"a\":\"\"", "}}}",
     300000, KS_EINVAL, "x:1:62: metadata.labels[a]: \"a\": must not be given twice"},
};

static ks_str make_flood(const flood *f)
{
    size_t begin = strlen(f->begin), piece = strlen(f->piece), end = strlen(f->end);
    char *text = malloc(begin + piece * f->times + end);
    memcpy(text, f->begin, begin);
    for (size_t i = 0; i < f->times; i++)
        memcpy(text + begin + i * piece, f->piece, piece);
    memcpy(text + begin + piece * f->times, f->end, end);
    return (ks_str){text, begin + piece * f->times + end};
}

static void check_flood(const flood *f)
{
    const double seconds_max = TESTS_SANITIZED ? 10 : 1;
    ks_str text = make_flood(f);
    transcript none = {0};
    ks_error err = {0};
    clock_t begin = clock();
    int rc = ks_decode((ks_source){KS_STR("x"), text}, NULL, transcript_note, &none, &err);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    free((char *)text.data);
    if (rc != f->code || (f->wanted && strcmp(err.message, f->wanted) != 0) || seconds > seconds_max)
        fail_msg("%s: %d %s, %.2f s", f->name, rc, err.message, seconds);
}

static void test_floods(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(floods); i++)
        check_flood(&floods[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_position_is_told),
        cmocka_unit_test(test_floods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
