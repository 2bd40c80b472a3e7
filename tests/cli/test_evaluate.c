// SPDX-License-Identifier: Apache-2.0
/* What `evaluate` shows. */
#include "shown.h"

#define EXAMPLE "examples/three-zones"

static const shown rows[] = {
    {"table.txt", {"-f", EXAMPLE, "pod/web-6"}, 0, NULL, NULL},
    {"wide.txt", {"-f", EXAMPLE, "pod/web-6", "-o", "wide"}, 0, NULL, NULL},
    {"result.json", {"-f", EXAMPLE, "pod/web-6", "-o", "json"}, 0, NULL, NULL},
    {"result.yaml", {"-f", EXAMPLE, "pod/web-6", "-o", "yaml"}, 0, NULL, NULL},
    {"name.txt", {"-f", EXAMPLE, "pod/web-6", "-o", "name"}, 0, NULL, NULL},
    {"no-headers.txt", {"-f", EXAMPLE, "pod/web-6", "--no-headers"}, 0, NULL, NULL},
    {"color.txt", {"-f", EXAMPLE, "pod/web-6", "--color=always"}, 0, NULL, NULL},
    {"ascii.txt", {"-f", EXAMPLE, "pod/web-6"}, 0, "C", NULL},
    {"running-pod.txt", {"-f", EXAMPLE, "pod/web-1"}, 0, NULL, NULL},
    {"defaults.txt", {"-f", EXAMPLE, "pod/cache-4"}, 0, NULL, NULL},
    {"default-list.txt",
     {"-f", EXAMPLE, "pod/cache-4", "--config", "tests/cli/input/default-list.yaml"},
     0,
     NULL,
     NULL},
    {"no-defaults.txt",
     {"-f", EXAMPLE, "pod/cache-4", "--config", "tests/cli/input/no-defaults.yaml"},
     0,
     NULL,
     NULL},
    {"profile.txt",
     {"-f", EXAMPLE, "-f", "tests/cli/input/profile-pod.yaml", "--config", "tests/cli/input/profiles.yaml",
      "po/own"},
     0,
     NULL,
     NULL},
    {"gate-off.txt",
     {"-f", EXAMPLE, "pod/web-6", "--feature-gates", "PodTopologySpread=false"},
     0,
     NULL,
     NULL},
    {"policy-gate-off.txt",
     {"-f", EXAMPLE, "pod/web-6", "--feature-gates=NodeInclusionPolicyInPodTopologySpread=false"},
     0,
     NULL,
     NULL},
    {"no-constraints.txt", {"-f", EXAMPLE, "-f", "tests/cli/input/lone-pod.yaml", "pod/lone"}, 0, NULL, NULL},
    {"nothing-fits.txt", {"-f", EXAMPLE, "-f", "tests/cli/input/stuck-pod.yaml", "pod/stuck"}, 1, NULL, NULL},
    {"nothing-fits.json",
     {"-f", EXAMPLE, "-f", "tests/cli/input/stuck-pod.yaml", "pod/stuck", "-ojson"},
     1,
     NULL,
     NULL},
    {"nothing-fits-name.txt",
     {"-f", EXAMPLE, "-f", "tests/cli/input/stuck-pod.yaml", "pod/stuck", "-oname"},
     1,
     NULL,
     NULL},
    {"plugin-off.txt",
     {"-f", EXAMPLE, "pod/web-6", "--config", "tests/cli/input/spread-off.yaml"},
     0,
     NULL,
     NULL},
    {"no-selector.txt", {"-f", "tests/cli/input/odd-pods.yaml", "pod/no-selector"}, 0, NULL, NULL},
    {"not-itself.txt", {"-f", "tests/cli/input/odd-pods.yaml", "pod/not-itself"}, 0, NULL, NULL},
    {"terminating.txt", {"-f", "tests/cli/input/odd-pods.yaml", "pod/terminating"}, 0, NULL, NULL},
    {"waiting-to-end.txt", {"-f", "tests/cli/input/odd-pods.yaml", "pod/waiting-to-end"}, 0, NULL, NULL},
    {"no-nodes.txt", {"-f", "tests/cli/input/stuck-pod.yaml", "pod/stuck"}, 1, NULL, NULL},
    {"many-domains.txt", {"-f", "tests/cli/input/many-domains.yaml", "pod/web"}, 0, NULL, NULL},
    {"affinity-wide.txt",
     {"-f", EXAMPLE, "-f", "tests/cli/input/affinity-pod.yaml", "pod/picky", "-o", "wide"},
     0,
     NULL,
     NULL},
    {"escaped.txt", {"-f", "tests/cli/input/escapes.json", "pod/web", "-owide"}, 0, NULL, NULL},
};

static void test_shown(void **state)
{
    (void)state;
    expect_shown("evaluate", rows, sizeof rows / sizeof *rows);
}

/* ---- the same, said in another way ---- */

static void expect_same(const char *name, const char *file, run r)
{
    char path[512];
    snprintf(path, sizeof path, "tests/cli/expected/%s", file);
    char *expected = read_path(path);
    expect(name, r, 0, expected, "");
    free(expected);
}

static void test_ways_to_say_it(void **state)
{
    (void)state;
    static const shown ways[] = {
        {"pods/NAME", {"-f", EXAMPLE, "pods/web-6", "-oname"}, 0, NULL, NULL},
        {"po/NAME", {"-f", EXAMPLE, "po/web-6", "-o=name"}, 0, NULL, NULL},
        {"pod NAME", {"-f", EXAMPLE, "pod", "web-6", "--output", "name"}, 0, NULL, NULL},
        {"NAME", {"-f", EXAMPLE, "web-6", "--output=name"}, 0, NULL, NULL},
        {"flags last", {"web-6", "-o", "name", "-fexamples/three-zones"}, 0, NULL, NULL},
        {"dashes before the operand",
         {"-f=examples/three-zones", "-oname", "--", "pod/web-6"},
         0,
         NULL,
         NULL},
        {"namespace told", {"-f", EXAMPLE, "--namespace", "default", "web-6", "-oname"}, 0, NULL, NULL},
        {"switches together", {"-Rf", EXAMPLE, "web-6", "-oname"}, 0, NULL, NULL},
        {"switch off again", {"-R", "--recursive=false", "-f", EXAMPLE, "web-6", "-oname"}, 0, NULL, NULL},
        {"folder twice: objects replaced by themselves",
         {"-f", "examples/three-zones,examples/three-zones", "web-6", "-oname"},
         0,
         NULL,
         NULL},
        {"files one by one",
         {"-f", "examples/three-zones/pending-pod.yaml,examples/three-zones/web-pods.yaml", "-f",
          "examples/three-zones/nodes.yaml,examples/three-zones/cache-pods.yaml", "web-6", "-oname"},
         0,
         NULL,
         NULL},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        expect_same(ways[i].file, "name.txt", shown_run("evaluate", &ways[i]));
}

static void test_stdin(void **state)
{
    (void)state;
    char *pods = read_path("examples/three-zones/web-pods.yaml");
    expect_same("objects from standard input", "name.txt",
                (run){.args = {"evaluate", "-f", "examples/three-zones/nodes.yaml", "-f", "-", "-f",
                               "examples/three-zones/pending-pod.yaml,examples/three-zones/cache-pods.yaml",
                               "web-6", "-oname"},
                      .input = pods});
    free(pods);
}

/* ---- small clusters ---- */

#define NODE(name, zone)                                                                                     \
    "apiVersion: v1\nkind: Node\nmetadata: {name: " name ", labels: {zone: " zone "}}\n"                     \
    "status: {allocatable: {pods: 110}}\n---\n"
#define SPREAD                                                                                               \
    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "         \
    "labelSelector: {matchLabels: {app: web}}}]"
#define POD(name, more, spec)                                                                                \
    "apiVersion: v1\nkind: Pod\nmetadata: {name: " name more ", labels: {app: web}}\nspec: {" spec "}\n---"  \
    "\n"
#define NODES NODE("n1", "a") NODE("n2", "b")

typedef struct small {
    const char *name, *input;
    const char *args[6];
    int code;
    const char *out, *err;
} small;

static const small smalls[] = {
    {"an even cluster takes the pod anywhere",
     NODES POD("web", "", SPREAD),
     {"pod/web", "-oname"},
     0,
     "node/n1\nnode/n2\n",
     ""},
    {"the pod itself does not count where it runs",
     NODES POD("web", "", SPREAD ", nodeName: n1"),
     {"pod/web", "-oname"},
     0,
     "node/n1\nnode/n2\n",
     ""},
    {"another one does",
     NODES POD("old", "", "nodeName: n1") POD("web", "", SPREAD),
     {"pod/web", "-oname"},
     0,
     "node/n2\n",
     ""},
    {"a later object replaces an earlier one",
     NODES POD("old", "", "nodeName: n1") POD("web", "", SPREAD) POD("old", "", "nodeName: n2"),
     {"pod/web", "-oname"},
     0,
     "node/n1\n",
     ""},
    {"a later pod replaces an earlier one",
     NODES POD("old", "", "nodeName: n1") POD("web", "", SPREAD) POD("web", "", ""),
     {"pod/web", "-oname"},
     0,
     "node/n1\nnode/n2\n",
     ""},
    {"objects without a namespace are in that of -n",
     NODES POD("old", "", "nodeName: n1") POD("web", "", SPREAD),
     {"pod/web", "-oname", "-n", "shop"},
     0,
     "node/n2\n",
     ""},
    {"other namespaces do not count",
     NODES POD("old", ", namespace: default", "nodeName: n1") POD("web", ", namespace: shop", SPREAD),
     {"pod/web", "-oname", "-n", "shop"},
     0,
     "node/n1\nnode/n2\n",
     ""},
    {"an unknown pod",
     NODES POD("web", "", SPREAD),
     {"pod/wbe"},
     2,
     "",
     "kubespread: pod \"wbe\" not found in namespace \"default\": did you mean \"web\"?\n"},
    {"an unknown pod, nothing like another",
     NODES POD("web", "", SPREAD),
     {"pod/database"},
     2,
     "",
     "kubespread: pod \"database\" not found in namespace \"default\"\n"},
    {"a pod of another namespace",
     NODES POD("web", ", namespace: shop", SPREAD),
     {"pod/web"},
     2,
     "",
     "kubespread: pod \"web\" not found in namespace \"default\": there is one in \"shop\"\n"},
    {"a pod of several other namespaces, each named once",
     NODES POD("web", ", namespace: shop", SPREAD) POD("web", ", namespace: test", "")
         POD("web", ", namespace: shop", ""),
     {"pod/web"},
     2,
     "",
     "kubespread: pod \"web\" not found in namespace \"default\": there is one in \"shop\", \"test\"\n"},
    {"no profile for the pod's scheduler",
     NODES POD("web", "", "schedulerName: mine"),
     {"pod/web", "--config", "tests/cli/input/no-defaults.yaml"},
     2,
     "",
     "kubespread: pod/web: spec.schedulerName: \"mine\": must be a profile of "
     "tests/cli/input/no-defaults.yaml\n"},
    {"an invalid pod, in the API server's words",
     NODES POD("web", "",
               "topologySpreadConstraints: [{maxSkew: 0, topologyKey: '', whenUnsatisfiable: Never}]"),
     {"pod/web"},
     2,
     "",
     "kubespread: pod/web: spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than "
     "zero\n"
     "kubespread: pod/web: spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty\n"
     "kubespread: pod/web: spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "
     "\"Never\": "
     "supported values: \"DoNotSchedule\", \"ScheduleAnyway\"\n"},
};

static void test_small_clusters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++) {
        run r = {.args = {"evaluate", "-f", "-"}, .input = smalls[i].input};
        memcpy(r.args + 3, smalls[i].args, sizeof smalls[i].args);
        expect(smalls[i].name, r, smalls[i].code, smalls[i].out, smalls[i].err);
    }
}

/* ---- folders and pipes ---- */

static void test_folders(void **state)
{
    (void)state;
    assert_int_equal(mkdir("all", 0700), 0);
    assert_int_equal(mkdir("all/deep", 0700), 0);
    write_text("all/1-nodes.yml", NODES);
    write_text("all/2-pod.yaml", POD("web", "", SPREAD));
    write_text("all/notes.txt", "neither JSON nor YAML: [");
    write_text("all/deep/old.yaml", POD("old", "", "nodeName: n1"));
    run flat = {.args = {"evaluate", "-f", "all", "pod/web", "-oname"}};
    run deep = {.args = {"evaluate", "-f", "all", "pod/web", "-oname", "--recursive"}};
    expect("the folder alone", flat, 0, "node/n1\nnode/n2\n", "");
    expect("with its folders", deep, 0, "node/n2\n", "");
    run missed = {.args = {"evaluate", "-f", "all", "pod/old", "-oname"}};
    expect("a pod in a folder that was not gone into", missed, 2, "",
           "kubespread: pod \"old\" not found in namespace \"default\": the folders in \"all\" are read only "
           "with -R\n");
    write_text("all/deep/older.json", "{\"apiVersion\":\"v1\",\"kind\":");
    outcome o = run_program(deep);
    assert_int_equal(o.code, 2);
    assert_int_equal(strncmp(o.err, "kubespread: all/deep/older.json:1:", 34), 0);
    outcome_free(&o);
}

static void test_pipes(void **state)
{
    (void)state;
    static const char text[] = NODES POD("web", "", SPREAD);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        alarm(30); /* nobody may ever read */
        int fd = open("pipe", O_WRONLY);
        _exit(write(fd, text, sizeof text - 1) > 0 ? 0 : 1);
    }
    expect("a named pipe", (run){.args = {"evaluate", "-f", "pipe", "pod/web", "-oname"}}, 0,
           "node/n1\nnode/n2\n", "");
    waitpid(writer, NULL, 0);
}

/* Some hundred MB of pods do not mean some hundred MB of memory. */
static void test_memory_of_large_files(void **state)
{
    (void)state;
    enum { PODS = 20000, PADDING = 8000 };
    if (TESTS_SANITIZED)
        skip();
    FILE *file = fopen("large.json", "w");
    assert_non_null(file);
    char *padding = calloc(1, PADDING + 1);
    assert_non_null(padding);
    memset(padding, 'x', PADDING);
    fputs("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[", file);
    for (int i = 0; i < PODS; i++)
        fprintf(file,
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web-%d\",\"annotations\":"
                "{\"note\":\"%s\"}},\"spec\":{\"nodeName\":\"n1\"}},\n",
                i, padding);
    fputs("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"},"
          "\"status\":{\"allocatable\":{\"pods\":\"30000\"}}}]}\n",
          file);
    free(padding);
    assert_int_equal(fclose(file), 0);
    outcome o = run_program((run){.args = {"evaluate", "-f", "large.json", "web-7", "-oname"}});
    assert_string_equal(o.err, "");
    assert_string_equal(o.out, "node/n1\n");
    if (o.rss_kb > 64 * 1024)
        fail_msg("160 MB took %ld kB", o.rss_kb);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_ways_to_say_it),
        cmocka_unit_test(test_stdin),
        cmocka_unit_test(test_small_clusters),
        cmocka_unit_test_setup_teardown(test_folders, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_pipes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_memory_of_large_files, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, enter_source, NULL);
}
