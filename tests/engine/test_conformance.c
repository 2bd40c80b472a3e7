// SPDX-License-Identifier: Apache-2.0
/* Every conformance case, answered by the code of kubespread-conform and compared with what kube-scheduler
 * answered: validation errors, hard constraints with their counts, each node's verdict, each score. */
#include "support/file.h"
#include "support/scenario.h"
#include <jansson.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct fixture {
    ks_alloc alloc;
    ks_arena arena;
    ks_buf answer;
} fixture;

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- what has to agree; each returns the first thing that does not, or NULL ---- */

static bool list_has(const json_t *list, const json_t *wanted)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        if (json_equal(item, wanted))
            return true;
    }
    return false;
}

static const char *differ_invalid(const json_t *want, const json_t *got)
{
    const json_t *wanted = json_object_get(want, "invalid"), *faults = json_object_get(got, "invalid");
    if (json_array_size(wanted) != json_array_size(faults))
        return "number of validation errors";
    size_t i;
    json_t *fault;
    json_array_foreach(wanted, i, fault)
    {
        if (!list_has(faults, fault))
            return "validation errors";
    }
    return NULL;
}

static const char *differ_constraints(const json_t *want, const json_t *got)
{
    static const char *const keys[] = {"topologyKey", "maxSkew", "minDomains", "counts", "minMatch"};
    const json_t *wanted = json_object_get(want, "constraints"), *ours = json_object_get(got, "constraints");
    if (json_array_size(wanted) != json_array_size(ours))
        return "number of constraints";
    for (size_t i = 0; i < json_array_size(wanted); i++) {
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            if (!json_equal(json_object_get(json_array_get(wanted, i), keys[k]),
                            json_object_get(json_array_get(ours, i), keys[k])))
                return keys[k];
        }
    }
    return NULL;
}

static bool verdicts_agree(const json_t *want, const json_t *got)
{
    if (strcmp(text_of(want, "code"), "PreFilterResult") == 0)
        return strcmp(text_of(got, "code"), "Success") != 0;
    return strcmp(text_of(want, "code"), text_of(got, "code")) == 0 &&
           strcmp(text_of(want, "plugin"), text_of(got, "plugin")) == 0 &&
           strcmp(text_of(want, "reason"), text_of(got, "reason")) == 0;
}

static const char *differ_filter(json_t *want, json_t *got)
{
    json_t *wanted = json_object_get(want, "filter"), *ours = json_object_get(got, "filter");
    if (json_object_size(wanted) != json_object_size(ours))
        return "number of nodes";
    const char *node;
    json_t *verdict;
    json_object_foreach(wanted, node, verdict)
    {
        const json_t *our_verdict = json_object_get(ours, node);
        if (!our_verdict || !verdicts_agree(verdict, our_verdict))
            return node;
    }
    return NULL;
}

static const char *differ_scores(const json_t *want, const json_t *got)
{
    const json_t *wanted = json_object_get(want, "scores"), *ours = json_object_get(got, "scores");
    if (json_object_size(wanted) == 0 && json_object_size(ours) == 0)
        return NULL;
    return json_equal(wanted, ours) ? NULL : "scores";
}

static bool pre_filter_agrees(const json_t *want, const json_t *got)
{
    const char *wanted = text_of(want, "preFilter"), *ours = text_of(got, "preFilter");
    size_t len = strcspn(wanted, ":");
    return len == strcspn(ours, ":") && memcmp(wanted, ours, len) == 0;
}

static const char *differ_part(json_t *want, json_t *got)
{
    if (!pre_filter_agrees(want, got))
        return "preFilter";
    const char *why = differ_constraints(want, got);
    if (!why)
        why = differ_filter(want, got);
    return why ? why : differ_scores(want, got);
}

static const char *differ(json_t *want, json_t *got)
{
    const char *why = differ_invalid(want, got);
    if (why || json_object_get(want, "invalid"))
        return why;
    why = differ_part(json_object_get(want, "spread"), json_object_get(got, "spread"));
    return why ? why : differ_part(json_object_get(want, "all"), json_object_get(got, "all"));
}

/* ---- running ---- */

static json_t *answer(fixture *f, const json_t *scenario)
{
    char *text = json_dumps(scenario, JSON_COMPACT);
    ks_scenario decoded;
    ks_error err;
    ks_arena_reset(&f->arena);
    ks_buf_clear(&f->answer);
    int rc = ks_scenario_decode(&decoded, ks_str_of(text), &f->arena, &err);
    if (rc == KS_OK)
        rc = ks_scenario_answer(&f->answer, &decoded, &err);
    if (rc != KS_OK)
        ks_test_die("%s: %s", text_of(scenario, "name"), err.message);
    free(text);
    return json_loadb(f->answer.data, f->answer.len, 0, NULL);
}

static void show(const char *name, const char *why, const json_t *want, const json_t *got)
{
    char *wanted = json_dumps(want, JSON_COMPACT | JSON_SORT_KEYS);
    char *ours = json_dumps(got, JSON_COMPACT | JSON_SORT_KEYS);
    print_error("%s: %s differ\n  want %s\n  got  %s\n", name, why, wanted, ours ? ours : "no JSON");
    free(wanted);
    free(ours);
}

static bool case_agrees(fixture *f, ks_str line)
{
    json_t *row = json_loadb(line.data, line.len, 0, NULL);
    if (!row)
        ks_test_die("not JSON: %.80s", line.data);
    const json_t *scenario = json_object_get(row, "scenario");
    json_t *want = json_object_get(row, "expect"), *got = answer(f, scenario);
    const char *why = got ? differ(want, got) : "answers";
    if (why) {
        json_object_del(want, "all");
        show(text_of(scenario, "name"), why, want, got);
    }
    json_decref(row);
    json_decref(got);
    return !why;
}

static void check_file(fixture *f, const char *name, size_t cases)
{
    char *path = ks_test_path(name);
    ks_test_file file = ks_test_file_read(path);
    ks_str text = {file.data, file.len}, line;
    size_t seen = 0, agreed = 0;
    for (; ks_test_line_next(&line, &text); seen++)
        agreed += case_agrees(f, line);
    free(file.data);
    free(path);
    assert_int_equal(seen, cases);
    assert_int_equal(agreed, cases);
}

static void plain(void **state)
{
    check_file(*state, "conformance/plain.jsonl", 300);
}

static void hard(void **state)
{
    check_file(*state, "conformance/hard.jsonl", 300);
}

static void large(void **state)
{
    check_file(*state, "conformance/large.jsonl", 8);
}

static void invalid(void **state)
{
    check_file(*state, "conformance/invalid.jsonl", 200);
}

/* ---- that the comparison sees what it should ---- */

/* JSON written with ' for ", which reads better in C. */
static json_t *parse_quoted(const char *text)
{
    char *copy = strdup(text);
    for (char *at = copy; *at; at++) {
        if (*at == '\'')
            *at = '"';
    }
    json_t *value = json_loads(copy, 0, NULL);
    free(copy);
    assert_non_null(value);
    return value;
}

#define PART(constraints, filter, scores)                                                                    \
    "{'preFilter':'Success','constraints':[" constraints "],'filter':{" filter "},'scores':{" scores "}}"
#define SAME PART(ZONE, FITS, SCORE)
#define SPREAD(constraints, filter, scores) "{'all':" SAME ",'spread':" PART(constraints, filter, scores) "}"
#define ALL(constraints, filter, scores) "{'spread':" SAME ",'all':" PART(constraints, filter, scores) "}"
#define ZONE "{'topologyKey':'zone','maxSkew':1,'minDomains':1,'counts':{'a':0},'minMatch':0}"
#define FITS "'n1':{'code':'Success'}"
#define SCORE "'n1':{'PodTopologySpread':200,'total':200}"

static void a_difference_is_seen(void **state)
{
    (void)state;
    static const struct {
        const char *name, *got, *why;
    } rows[] = {
        {"the same", SPREAD(ZONE, FITS, SCORE), NULL},
        {"refused by validation", "{'invalid':['x']}", "number of validation errors"},
        {"an error", "{'spread':{'preFilter':'Error: x'}}", "preFilter"},
        {"no constraint", SPREAD("", FITS, SCORE), "number of constraints"},
        {"another skew", SPREAD("{'topologyKey':'zone','maxSkew':2}", FITS, SCORE), "maxSkew"},
        {"another verdict", SPREAD(ZONE, "'n1':{'code':'Unschedulable'}", SCORE), "n1"},
        {"another node", SPREAD(ZONE, "'n2':{'code':'Success'}", SCORE), "n1"},
        {"no node", SPREAD(ZONE, "", SCORE), "number of nodes"},
        {"another score", SPREAD(ZONE, FITS, "'n1':{'PodTopologySpread':198,'total':198}"), "scores"},
        {"skipped scoring", SPREAD(ZONE, FITS, "'n1':{'total':0}"), "scores"},
        {"no scores", SPREAD(ZONE, FITS, ""), "scores"},
        {"no whole profile", "{'spread':" SAME "}", "preFilter"},
        {"another verdict of all", ALL(ZONE, "'n1':{'code':'Unschedulable'}", SCORE), "n1"},
        {"another total", ALL(ZONE, FITS, "'n1':{'PodTopologySpread':200,'total':201}"), "scores"},
    };
    json_t *want = parse_quoted(SPREAD(ZONE, FITS, SCORE));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *got = parse_quoted(rows[i].got);
        const char *why = differ(want, got);
        if (!why != !rows[i].why || (why && strcmp(why, rows[i].why) != 0))
            fail_msg("%s: want %s, got %s", rows[i].name, rows[i].why ? rows[i].why : "no difference",
                     why ? why : "no difference");
        json_decref(got);
    }
    json_decref(want);
}

static int set_up(void **state)
{
    static fixture f;
    ks_alloc_init(&f.alloc, NULL);
    ks_arena_init(&f.arena, &f.alloc);
    ks_buf_init(&f.answer, &f.alloc);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ks_buf_free(&f->answer);
    ks_arena_free(&f->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_is_seen),
        cmocka_unit_test(plain),
        cmocka_unit_test(hard),
        cmocka_unit_test(large),
        cmocka_unit_test(invalid),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
