// SPDX-License-Identifier: Apache-2.0
/* Commands, flags and help: everything before a cluster is read. */
#include "program.h"
#include <kubespread/base.h>

#define HELP_LINE "\"kubespread evaluate --help\" lists them\n"

typedef struct complaint {
    const char *name;
    const char *args[8];
    const char *err;
} complaint;

static const complaint complaints[] = {
    {"unknown command with a near one",
     {"evalaute"},
     "kubespread: unknown command \"evalaute\": did you mean \"evaluate\"?\n"},
    {"the beginning of a command",
     {"eval"},
     "kubespread: unknown command \"eval\": did you mean \"evaluate\"?\n"},
    {"unknown command with none near",
     {"teleport"},
     "kubespread: unknown command \"teleport\": \"kubespread help\" lists them\n"},
    {"empty command", {""}, "kubespread: unknown command \"\": \"kubespread help\" lists them\n"},
    {"help of an unknown command",
     {"help", "versoin"},
     "kubespread: unknown command \"versoin\": did you mean \"version\"?\n"},
    {"help of two commands",
     {"help", "version", "evaluate"},
     "kubespread: \"evaluate\": help takes at most one command\n"},
    {"flag before the command",
     {"-n", "web", "evaluate"},
     "kubespread: unknown flag \"-n\": flags come after the command, see \"kubespread help\"\n"},
    {"operand for version", {"version", "now"}, "kubespread: \"now\": version takes no operands\n"},
    {"unknown long flag with a near one",
     {"evaluate", "--outptu=json"},
     "kubespread: unknown flag \"--outptu\": did you mean \"--output\"?\n"},
    {"the beginning of a flag",
     {"evaluate", "--name", "web"},
     "kubespread: unknown flag \"--name\": did you mean \"--namespace\"?\n"},
    {"unknown long flag with none near",
     {"evaluate", "--zebra"},
     "kubespread: unknown flag \"--zebra\": " HELP_LINE},
    {"unknown short flag", {"evaluate", "-Rz"}, "kubespread: unknown flag \"-z\" in \"-Rz\": " HELP_LINE},
    {"flag without its argument",
     {"evaluate", "pod/web", "--output"},
     "kubespread: flag \"--output\" needs an argument: --output FORMAT\n"},
    {"short flag without its argument",
     {"evaluate", "pod/web", "-f"},
     "kubespread: flag \"--filename\" needs an argument: --filename FILE\n"},
    {"word that is no choice",
     {"evaluate", "-oxml"},
     "kubespread: --output: \"xml\": must be one of table, wide, json, yaml, name\n"},
    {"switch with a value that is none",
     {"evaluate", "--recursive=perhaps"},
     "kubespread: --recursive: \"perhaps\": must be true or false\n"},
    {"empty file name in a list",
     {"evaluate", "-f", "a.yaml,,b.yaml"},
     "kubespread: --filename: \"a.yaml,,b.yaml\": must not have an empty FILE\n"},
    {"control characters in an argument",
     {"evaluate", "--\033[31m"},
     "kubespread: unknown flag \"--\\u001b[31m\": " HELP_LINE},
    {"no pod", {"evaluate", "-f", "x.yaml"}, "kubespread: which pod? name it as pod/NAME\n"},
    {"no file", {"evaluate", "pod/web"}, "kubespread: which cluster? name its files with -f FILE\n"},
    {"another type",
     {"evaluate", "deployment/web"},
     "kubespread: \"deployment/web\": only pods can be evaluated: must be pod/NAME\n"},
    {"another type, apart",
     {"evaluate", "deployment", "web"},
     "kubespread: \"deployment\": only pods can be evaluated: must be pod/NAME\n"},
    {"two names", {"evaluate", "a", "b"}, "kubespread: \"b\": one pod at a time\n"},
    {"a file without -f",
     {"evaluate", "-f", "nodes.yaml", "/dev/null", "web"},
     "kubespread: \"/dev/null\": must be pod/NAME: did you mean -f /dev/null?\n"},
    {"a file without -f, behind the pod",
     {"evaluate", "-f", "nodes.yaml", "web", "/dev/null"},
     "kubespread: \"/dev/null\": must be pod/NAME: did you mean -f /dev/null?\n"},
    {"a flag that only ends like another",
     {"evaluate", "--kubeconfig", "x"},
     "kubespread: unknown flag \"--kubeconfig\": " HELP_LINE},
    {"type without a name", {"evaluate", "pod"}, "kubespread: \"pod\": must be pod/NAME\n"},
    {"empty name", {"evaluate", "pod/"}, "kubespread: \"pod/\": must be pod/NAME\n"},
    {"two pods", {"evaluate", "pod/a", "pod/b"}, "kubespread: \"pod/b\": one pod at a time\n"},
    {"two pods, apart", {"evaluate", "pod", "a", "b"}, "kubespread: \"b\": one pod at a time\n"},
    {"schedule: no file", {"schedule"}, "kubespread: which cluster? name its files with -f FILE\n"},
    {"schedule: operand",
     {"schedule", "-f", "x.yaml", "pod/web"},
     "kubespread: \"pod/web\": schedule takes no operands: -l chooses pods\n"},
    {"schedule: seed that is no number",
     {"schedule", "--seed", "-1"},
     "kubespread: --seed: \"-1\": must be a whole number from 0 to 18446744073709551615\n"},
    {"schedule: seed that is too large",
     {"schedule", "--seed=18446744073709551616"},
     "kubespread: --seed: \"18446744073709551616\": must be a whole number from 0 to 18446744073709551615\n"},
    {"schedule: empty seed",
     {"schedule", "--seed="},
     "kubespread: --seed: \"\": must be a whole number from 0 to 18446744073709551615\n"},
    {"schedule: verbose for programs",
     {"schedule", "-v", "-ojson"},
     "kubespread: --verbose: explains only with -o table or -o wide\n"},
    {"capacity: no template",
     {"capacity", "-f", "/dev/null"},
     "kubespread: copies of what? name a file with a pod or workload, or kind/NAME of the input\n"},
    {"capacity: neither a file nor kind/NAME",
     {"capacity", "-f", "/dev/null", "service/web"},
     "kubespread: \"service/web\": must be a file with a pod or workload, or kind/NAME of the input\n"},
    {"capacity: two templates",
     {"capacity", "-f", "/dev/null", "pod/a", "pod/b"},
     "kubespread: \"pod/b\": one template at a time\n"},
    {"empty namespace",
     {"evaluate", "-n", "", "pod/a"},
     "kubespread: --namespace: \"\": must not be empty\n"},
};

static void test_complaints(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++) {
        run r = {0};
        memcpy(r.args, complaints[i].args, sizeof complaints[i].args);
        expect(complaints[i].name, r, 2, "", complaints[i].err);
    }
}

static void test_version(void **state)
{
    (void)state;
    char text[256], json[256], yaml[256];
    snprintf(text, sizeof text, "kubespread %s, decides as kube-scheduler %s\n", ks_version(),
             ks_kubernetes_version());
    snprintf(json, sizeof json, "{\n    \"version\": \"%s\",\n    \"kubernetesVersion\": \"%s\"\n}\n",
             ks_version(), ks_kubernetes_version());
    snprintf(yaml, sizeof yaml, "version: \"%s\"\nkubernetesVersion: %s\n", ks_version(),
             ks_kubernetes_version());
    expect("version", (run){.args = {"version"}}, 0, text, "");
    expect("--version", (run){.args = {"--version"}}, 0, text, "");
    expect("-o json", (run){.args = {"version", "-o", "json"}}, 0, json, "");
    expect("--output=json", (run){.args = {"version", "--output=json"}}, 0, json, "");
    expect("-o=json", (run){.args = {"version", "-o=json"}}, 0, json, "");
    expect("-oyaml", (run){.args = {"version", "-oyaml"}}, 0, yaml, "");
}

static void test_program_help(void **state)
{
    (void)state;
    static const char *const text =
        "kubespread places pods exactly as kube-scheduler does, spread included, and says why.\n"
        "\n"
        "Usage:\n"
        "  kubespread COMMAND [FLAGS]\n"
        "\n"
        "Commands:\n"
        "  schedule   Place pending pods and missing replicas as kube-scheduler would, without a cluster\n"
        "  evaluate   Show on which nodes a pod may go, how they score, and why\n"
        "  capacity   Show how many more copies of a pod fit, where they go, and what stops the next\n"
        "  help       Show the commands, or what one of them does\n"
        "  version    Show this program's version and that of the scheduler it decides as\n"
        "\n"
        "\"kubespread COMMAND --help\" tells more about one of them.\n"
        "Exit codes: 0 yes, 1 no (a pod fits nowhere), 2 error.\n";
    expect("no arguments", (run){0}, 0, text, "");
    expect("help", (run){.args = {"help"}}, 0, text, "");
    expect("--help", (run){.args = {"--help"}}, 0, text, "");
    expect("-h", (run){.args = {"-h"}}, 0, text, "");
}

static void test_command_help(void **state)
{
    (void)state;
    static const char *const text = "Show this program's version and that of the scheduler it decides as.\n"
                                    "\n"
                                    "Usage:\n"
                                    "  kubespread version [FLAGS]\n"
                                    "\n"
                                    "Examples:\n"
                                    "  kubespread version\n"
                                    "  kubespread version -o json\n"
                                    "\n"
                                    "Flags:\n"
                                    "  -o, --output FORMAT   text (default), json or yaml\n"
                                    "  -h, --help            this text\n";
    expect("help version", (run){.args = {"help", "version"}}, 0, text, "");
    expect("version --help", (run){.args = {"version", "--help"}}, 0, text, "");
    expect("version -h", (run){.args = {"version", "-h"}}, 0, text, "");
}

/* Help of every command is the same by either way and fits a terminal. */
static void test_help_width(void **state)
{
    (void)state;
    static const char *const names[] = {"schedule", "evaluate", "capacity", "help", "version"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        outcome o = run_program((run){.args = {"help", names[i]}});
        assert_int_equal(o.code, 0);
        assert_non_null(strstr(o.out, "\nUsage:\n"));
        for (const char *line = o.out; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 100)
                fail_msg("help %s: over 100 columns: %.*s", names[i], (int)strcspn(line, "\n"), line);
        expect(names[i], (run){.args = {names[i], "--help"}}, 0, o.out, "");
        outcome_free(&o);
    }
}

static void test_output_that_cannot_be_written(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    expect("full disk", (run){.args = {"help"}, .stdout_fd = full}, 2, "",
           "kubespread: standard output: No space left on device\n");
    close(full);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    expect("closed pipe", (run){.args = {"help"}, .stdout_fd = ends[1]}, 2, "", "");
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complaints),   cmocka_unit_test(test_version),
        cmocka_unit_test(test_program_help), cmocka_unit_test(test_command_help),
        cmocka_unit_test(test_help_width),   cmocka_unit_test(test_output_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
