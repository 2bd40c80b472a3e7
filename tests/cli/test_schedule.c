// SPDX-License-Identifier: Apache-2.0
/* What `schedule` shows. */
#include "shown.h"

#define SHOP "-f", "examples/shop", "-n", "shop"
#define INPUT "tests/cli/input/"
#define NO_PLACE                                                                                             \
    "kubespread: pod/checkout-54b74f489b-42qdl of deployment/checkout: 0/12 nodes are available: 2 node(s) " \
    "didn't match pod topology spread constraints, 3 node(s) had untolerated taint(s), 7 node(s) didn't "    \
    "match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/12 nodes are "           \
    "available: 10 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming "    \
    "pod.\n"

static const shown rows[] = {
    {"schedule.txt", {SHOP}, 1, NULL, NULL},
    {"schedule-wide.txt", {SHOP, "-o", "wide"}, 1, NULL, NULL},
    {"schedule-color.txt", {SHOP, "--color", "always"}, 1, NULL, NULL},
    {"schedule-ascii.txt", {SHOP}, 1, "C", NULL},
    {"schedule-verbose.txt", {SHOP, "-v", "-l", "app in (checkout,orders-db)"}, 1, NULL, NULL},
    {"schedule-seed.txt", {SHOP, "--seed", "7", "--no-headers"}, 1, NULL, NULL},
    {"schedule-name.txt", {SHOP, "-o", "name"}, 1, NULL, NO_PLACE},
    {"schedule-selector.txt", {SHOP, "-l", "app!=checkout", "--no-headers"}, 0, NULL, NULL},
    {"schedule-all-namespaces.txt", {"-f", "examples/shop", "-A", "-l", "app=catalog"}, 0, NULL, NULL},
    {"schedule-elsewhere.txt", {"-f", "examples/shop"}, 0, NULL, NULL},
    {"schedule-nothing.txt", {"-f", "examples/shop/1-nodes.yaml", "-A"}, 0, NULL, NULL},
    {"schedule-pods.json", {"-f", INPUT "as-written.yaml", "-o", "json", "--cron-jobs"}, 0, NULL, NULL},
    {"schedule-pods.yaml", {"-f", INPUT "as-written.yaml", "-o", "yaml", "--cron-jobs"}, 0, NULL, NULL},
    {"schedule-preemption.txt", {"-f", INPUT "preemption.yaml"}, 1, NULL, NULL},
    {"schedule-preemption-verbose.txt", {"-f", INPUT "preemption.yaml", "-v", "--no-headers"}, 1, NULL, NULL},
    {"schedule-many.txt", {"-f", INPUT "many-workloads.yaml"}, 1, NULL, NULL},
    {"schedule-many-even.txt", {"-f", INPUT "many-workloads.yaml", "-l", "tier=small"}, 0, NULL, NULL},
    {"schedule-three-zones.txt", {"-f", "examples/three-zones"}, 0, NULL, NULL},
    {"schedule-profile.txt", {SHOP, "--config", INPUT "no-defaults.yaml", "-lapp=catalog"}, 0, NULL, NULL},
};

static void test_shown(void **state)
{
    (void)state;
    expect_shown("schedule", rows, sizeof rows / sizeof *rows);
}

/* ---- the same seed gives the same bytes, another one other ties ---- */

static char *output_of(const char *seed)
{
    outcome o = run_program((run){.args = {"schedule", SHOP, "--seed", seed, "-o", "wide"}});
    assert_int_equal(o.code, 1);
    free(o.err);
    return o.out;
}

static void test_seed(void **state)
{
    (void)state;
    char *one = output_of("42"), *again = output_of("42"), *other = output_of("43");
    assert_string_equal(one, again);
    assert_string_not_equal(one, other);
    free(one);
    free(again);
    free(other);
}

/* The time is never the same twice, so it is told only if somebody asks, or looks on. */
static void test_timing(void **state)
{
    (void)state;
    outcome o = run_program((run){.args = {"schedule", SHOP, "--timing"}});
    char *with = strstr(o.out, "18 of 19 pods placed on 12 nodes, 1 without a place in ");
    assert_non_null(with);
    assert_non_null(strstr(with, " ms ("));
    outcome_free(&o);
}

/* What is printed can be given back: everything stands where it was put. */
static void test_output_is_input(void **state)
{
    (void)state;
    outcome first = run_program((run){.args = {"schedule", SHOP, "-o", "yaml", "-lapp!=checkout"}});
    assert_int_equal(first.code, 0);
    outcome second =
        run_program((run){.args = {"schedule", "-f", "examples/shop/1-nodes.yaml", "-f", "-", "-n", "shop"},
                          .input = first.out});
    assert_string_equal(second.out,
                        "Nothing to schedule in namespace shop: no pod is pending and no replica missing.\n");
    assert_int_equal(second.code, 0);
    outcome_free(&first);
    outcome_free(&second);
}

/* ---- -l ---- */

typedef struct query {
    const char *text;
    const char *names; /* of the pods that are placed, by name */
} query;

#define LABELLED(name, labels)                                                                               \
    "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " name ", labels: {" labels "}}\n"                     \
    "spec: {containers: [{name: c, image: i}]}\n"

static const char labelled[] =
    "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {pods: 110}}\n" LABELLED(
        "p1", "app: web, env: qa") LABELLED("p2", "app: web, env: prod")
        LABELLED("p3", "app: db, example.com/x: ''") LABELLED("p4", "");

static const query queries[] = {
    {"", "pod/p1\npod/p2\npod/p3\npod/p4\n"},
    {"app=web", "pod/p1\npod/p2\n"},
    {" app == web , env = qa ", "pod/p1\n"},
    {"app!=web", "pod/p3\npod/p4\n"},
    {"app", "pod/p1\npod/p2\npod/p3\n"},
    {"!app", "pod/p4\n"},
    {"env in (qa,prod)", "pod/p1\npod/p2\n"},
    {"env in (qa),app in (web, db)", "pod/p1\n"},
    {"env notin (qa)", "pod/p2\npod/p3\npod/p4\n"},
    {"app,env notin (qa, prod)", "pod/p3\n"},
    {"example.com/x=", "pod/p3\n"},
    {"app=none", ""},
    {"in=in", ""},
};

static void test_queries(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        expect(queries[i].text,
               (run){.args = {"schedule", "-f", "-", "-oname", "-l", queries[i].text}, .input = labelled}, 0,
               queries[i].names, "");
}

static const query bad_queries[] = {
    {"=web", "every part must begin with a label's key, or with ! and a key"},
    {"app=web,", "every part must begin with a label's key, or with ! and a key"},
    {"!", "every part must begin with a label's key, or with ! and a key"},
    {"app in", "in and notin must be followed by values in parentheses: key in (a,b)"},
    {"app in (web", "values must end with a parenthesis: key in (a,b)"},
    {"app like web", "must compare with =, ==, !=, in or notin"},
    {"app=web env=qa", "parts must be separated by commas"},
    {"size>3", "parts must be separated by commas"},
};

static void test_bad_queries(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_queries / sizeof *bad_queries; i++) {
        char err[512];
        snprintf(err, sizeof err, "kubespread: --selector: \"%s\": %s\n", bad_queries[i].text,
                 bad_queries[i].names);
        expect(bad_queries[i].text,
               (run){.args = {"schedule", "-f", "-", "-l", bad_queries[i].text}, .input = labelled}, 2, "",
               err);
    }
}

/* ---- what is refused ---- */

typedef struct refused {
    const char *name, *input;
    const char *args[4];
    const char *err;
} refused;

#define SPREAD(skew)                                                                                         \
    "{topologySpreadConstraints: [{maxSkew: " skew ", topologyKey: zone, whenUnsatisfiable: "                \
    "DoNotSchedule}]}"
#define DEPLOYMENT(spec)                                                                                     \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"                                         \
    "spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: " spec     \
    "}}\n"

static const refused refusals[] = {
    {"a template that the API server would refuse",
     DEPLOYMENT(SPREAD("0")),
     {NULL},
     "kubespread: deployment/web: spec.template.spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: "
     "must be greater than zero\n"},
    {"a job template of a cron job likewise",
     "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: night}\nspec: {jobTemplate: {spec: {template: "
     "{spec: " SPREAD("-1") "}}}}\n",
     {NULL},
     "kubespread: cronjob/night: "
     "spec.jobTemplate.spec.template.spec.topologySpreadConstraints[0].maxSkew: Invalid value: -1: must be "
     "greater than zero\n"},
    {"no objects",
     "",
     {NULL},
     "kubespread: no objects passed to schedule: the input has none of a known kind\n"},
    {"a profile without a configuration",
     DEPLOYMENT("{}"),
     {"--scheduler", "mine"},
     "kubespread: --scheduler: \"mine\": needs a --config with its profile\n"},
    {"no such profile",
     DEPLOYMENT("{}"),
     {"--scheduler=mine", "--config", "tests/cli/input/no-defaults.yaml"},
     "kubespread: --scheduler: \"mine\": must be a profile of the --config\n"},
    {"an unknown gate", DEPLOYMENT("{}"), {"--feature-gates", "Teleport=maybe"}, NULL},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        run r = {.args = {"schedule", "-f", "-"}, .input = refusals[i].input};
        memcpy(r.args + 3, refusals[i].args, sizeof refusals[i].args);
        outcome o = run_program(r);
        if (o.code != 2 || *o.out || (refusals[i].err && strcmp(o.err, refusals[i].err) != 0))
            fail_msg("%s: exit %d\n%s%s", refusals[i].name, o.code, o.out, o.err);
        outcome_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown),    cmocka_unit_test(test_seed),
        cmocka_unit_test(test_timing),   cmocka_unit_test(test_output_is_input),
        cmocka_unit_test(test_queries),  cmocka_unit_test(test_bad_queries),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, enter_source, NULL);
}
