// SPDX-License-Identifier: Apache-2.0
/* What `capacity` shows. */
#include "shown.h"

#define SHOP "-f", "examples/shop", "-n", "shop"
#define TEMPLATE "tests/cli/input/capacity-template.yaml"

static const shown rows[] = {
    {"capacity.txt", {SHOP, "deployment/storefront"}, 0, NULL, NULL},
    {"capacity-color.txt", {SHOP, "deployment/storefront", "--color=always"}, 0, NULL, NULL},
    {"capacity-ascii.txt", {SHOP, "deployment/storefront"}, 0, "C", NULL},
    {"capacity.json", {SHOP, "sts/orders-db", "-o", "json"}, 0, NULL, NULL},
    {"capacity.yaml", {SHOP, "sts/orders-db", "-o", "yaml"}, 0, NULL, NULL},
    {"capacity-none.txt", {SHOP, "deploy/checkout"}, 1, NULL, NULL},
    {"capacity-none.json", {SHOP, "deploy/checkout", "-ojson"}, 1, NULL, NULL},
    {"capacity-running-only.txt", {SHOP, "deploy/checkout", "--running-only"}, 0, NULL, NULL},
    {"capacity-file.txt", {SHOP, TEMPLATE}, 0, NULL, NULL},
    {"capacity-limit.txt", {SHOP, TEMPLATE, "--limit", "4", "--no-headers"}, 0, NULL, NULL},
    {"capacity-limited.txt", {SHOP, TEMPLATE, "--limit", "1"}, 0, NULL, NULL},
    {"capacity-pod.txt", {"-f", "examples/three-zones", "pod/web-6"}, 0, NULL, NULL},
    {"capacity-no-nodes.txt", {"-f", "/dev/null", TEMPLATE}, 1, NULL, NULL},
};

static void test_shown(void **state)
{
    (void)state;
    expect_shown("capacity", rows, sizeof rows / sizeof *rows);
}

/* ---- small clusters ---- */

#define NODE                                                                                                 \
    "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, pods: 10}}\n---\n"
#define SPEC(cpu) "spec: {containers: [{name: c, image: i, resources: {requests: {cpu: " cpu "}}}]}"
#define POD(name, cpu) "apiVersion: v1\nkind: Pod\nmetadata: {name: " name "}\n" SPEC(cpu) "\n---\n"

typedef struct small {
    const char *name, *input;
    const char *args[6];
    int code;
    const char *out, *err;
} small;

static const small smalls[] = {
    {"a pending pod takes its place first",
     NODE POD("web", "1"),
     {"pod/web", "--no-headers"},
     0,
     "n1   3\n",
     ""},
    {"or is left aside",
     NODE POD("web", "1"),
     {"pod/web", "--no-headers", "--running-only"},
     0,
     "n1   4\n",
     ""},
    {"none fits", NODE POD("web", "8"), {"pod/web", "--no-headers"}, 1, "", ""},
    {"a cron job's pod",
     NODE
     "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: night}\nspec: {jobTemplate: {spec: {template: "
     "{" SPEC("2") "}}}}\n",
     {"cj/night", "--no-headers"},
     0,
     "n1   2\n",
     ""},
    {"no such workload",
     NODE POD("web", "1"),
     {"deploy/web"},
     2,
     "",
     "kubespread: deployment \"web\" not found in namespace \"default\"\n"},
    {"another namespace",
     NODE POD("web", "1"),
     {"pod/wbe", "-n", "shop"},
     2,
     "",
     "kubespread: pod \"wbe\" not found in namespace \"shop\"\n"},
    {"a template file without one",
     NODE POD("web", "1"),
     {"examples/shop/1-nodes.yaml"},
     2,
     "",
     "kubespread: \"examples/shop/1-nodes.yaml\": must have a pod or a workload\n"},
    {"an invalid template",
     NODE "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {topologySpreadConstraints: [{maxSkew: 0, "
          "topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}\n",
     {"pod/web"},
     2,
     "",
     "kubespread: pod/web: spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than "
     "zero\n"},
};

static void test_small_clusters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++) {
        run r = {.args = {"capacity", "-f", "-"}, .input = smalls[i].input};
        memcpy(r.args + 3, smalls[i].args, sizeof smalls[i].args);
        expect(smalls[i].name, r, smalls[i].code, smalls[i].out, smalls[i].err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_small_clusters),
    };
    return cmocka_run_group_tests(tests, enter_source, NULL);
}
