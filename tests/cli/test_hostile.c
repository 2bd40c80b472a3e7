// SPDX-License-Identifier: Apache-2.0
/* Input made to hurt: each ends in one clear line and exit code 2, within a second and 100 MB. */
#include "program.h"

enum { MEMORY_MAX = 100 << 20, NESTED = 1000 * 1000 };
static const char example[] = KS_SOURCE_DIR "/examples/three-zones";
static const double seconds_max = 1.0;

typedef struct hostile {
    const char *name, *file;
    const char *text;
    const char *wanted; /* what the line has to say */
} hostile;

#define POD_JSON "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\""
#define POD_YAML "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n"
#define SPREAD_JSON                                                                                          \
    "\"topologyKey\":\"zone\",\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{\"matchLabels\":"

static const hostile texts[] = {
    {"truncated JSON", "x.json", POD_JSON, "x.json:1:"},
    {"truncated string", "x.json", "{\"apiVersion\":\"v1", "x.json:1:"},
    {"malformed JSON", "x.json", "{\"apiVersion\":\"v1\",}", "x.json:1:"},
    {"text behind JSON", "x.json", POD_JSON "}} trailing", "x.json:1:"},
    {"duplicate key in JSON", "x.json", POD_JSON ",\"name\":\"other\"}}", "\"name\""},
    {"invalid UTF-8 in JSON", "x.json", POD_JSON ",\"labels\":{\"app\":\"\xff\xfe\"}}}", "UTF-8"},
    {"overlong UTF-8 in JSON", "x.json", POD_JSON ",\"labels\":{\"app\":\"\xc0\xaf\"}}}", "UTF-8"},
    {"lone surrogate in JSON", "x.json", POD_JSON ",\"labels\":{\"app\":\"\\ud800\"}}}", "x.json:1:"},
    {"huge number in JSON", "x.json",
     POD_JSON "},\"spec\":{\"topologySpreadConstraints\":[{\"maxSkew\":99999999999999999999}]}}", "maxSkew"},
    {"huge exponent in JSON", "x.json",
     POD_JSON "},\"spec\":{\"topologySpreadConstraints\":[{\"maxSkew\":1e999999999}]}}", "maxSkew"},
    {"huge quantity", "x.json",
     POD_JSON "},\"spec\":{\"containers\":[{\"resources\":{\"requests\":{\"cpu\":\"1e999\"}}}]}}", "cpu"},
    {"wrong type", "x.json", POD_JSON ",\"labels\":[\"app\"]}}", "metadata.labels"},
    {"truncated YAML", "x.yaml", "apiVersion: v1\nkind: \"Pod", "x.yaml:"},
    {"malformed YAML", "x.yaml", "apiVersion: v1\nkind: [Pod\nmetadata: }", "x.yaml:"},
    {"tabs in YAML", "x.yaml", "apiVersion: v1\nmetadata:\n\tname: web\n", "x.yaml:"},
    {"duplicate key in YAML", "x.yaml", POD_YAML "  name: other\n", "\"name\""},
    {"invalid UTF-8 in YAML", "x.yaml", POD_YAML "  labels:\n    app: \"\xff\xfe\"\n", "UTF-8"},
    {"huge number in YAML", "x.yaml",
     POD_YAML "spec:\n  topologySpreadConstraints:\n  - maxSkew: 99999999999999999999\n", "maxSkew"},
    {"unknown alias", "x.yaml", POD_YAML "  labels: *nobody\n", "x.yaml:"},
    {"alias to itself", "x.yaml", "a: &a [*a]\n", "x.yaml:"},
    {"empty file", "x.yaml", "", "no objects passed to evaluate"},
    {"blanks only", "x.yaml", " \n\n", "no objects passed to evaluate"},
    {"comment only", "x.yaml", "# nothing\n", "no objects passed to evaluate"},
    {"empty documents", "x.yaml", "---\n---\n", "no objects passed to evaluate"},
    {"empty List", "x.json", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}",
     "no objects passed to evaluate"},
    {"only other kinds", "x.json",
     "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"web\"}}",
     "no objects passed to evaluate"},
    {"node without a name", "x.yaml", "---\napiVersion: v1\nkind: Node\nmetadata: {labels: {a: b}}\n",
     "x.yaml:2:1: metadata.name"},
    {"NUL byte escaped", "x.json", POD_JSON ",\"labels\":{\"app\\u0000\":\"web\"}}}", "\"app\\u0000\""},
};

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    return lines;
}

static bool has_control_characters(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if ((*c < ' ' && *c != '\n') || *c == 0x7F)
            return true;
    return false;
}

static void expect_line(const char *name, run r, const char *wanted)
{
    r.memory_max = MEMORY_MAX;
    outcome o = run_program(r);
    bool one_line = count_lines(o.err) == 1 && !has_control_characters(o.err);
    bool prefixed = strncmp(o.err, "kubespread: ", 12) == 0;
    if (o.code != 2 || *o.out || !one_line || !prefixed || !strstr(o.err, wanted))
        fail_msg("%s: exit %d, wanted 2 and one line with \"%s\"\n--- output\n%s--- errors\n%s", name, o.code,
                 wanted, o.out, o.err);
    if (!TESTS_SANITIZED && (o.cpu_s > seconds_max || o.rss_kb > MEMORY_MAX / 1024))
        fail_msg("%s: took %.2f s and %ld kB", name, o.cpu_s, o.rss_kb);
    outcome_free(&o);
}

static run evaluate(const char *file)
{
    return (run){.args = {"evaluate", "-f", file, "pod/web"}};
}

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(texts[i].file, texts[i].text);
        expect_line(texts[i].name, evaluate(texts[i].file), texts[i].wanted);
        run from_stdin = evaluate("-");
        from_stdin.input = texts[i].text;
        expect_line(texts[i].name, from_stdin, "");
        unlink(texts[i].file);
    }
}

/* `head`, then `unit` so many times. */
static char *repeat(const char *head, const char *unit, size_t times)
{
    size_t head_len = strlen(head), unit_len = strlen(unit);
    char *text = malloc(head_len + times * unit_len + 1);
    assert_non_null(text);
    memcpy(text, head, head_len);
    for (size_t i = 0; i < times; i++)
        memcpy(text + head_len + i * unit_len, unit, unit_len);
    text[head_len + times * unit_len] = '\0';
    return text;
}

static void expect_repeated(const char *name, const char *file, const char *head, const char *unit)
{
    char *text = repeat(head, unit, NESTED);
    write_text(file, text);
    expect_line(name, evaluate(file), file);
    free(text);
    unlink(file);
}

static void test_nesting(void **state)
{
    (void)state;
    expect_repeated("a million brackets", "x.json", "", "[");
    expect_repeated("a million objects", "x.json", "", "{\"a\":");
    expect_repeated("a million brackets in a skipped field", "x.json", "{\"kind\":\"Pod\",\"junk\":", "[");
    expect_repeated("a million Lists", "x.json", "", "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[");
    expect_repeated("a million brackets in YAML", "x.yaml", "a: ", "[");
    expect_repeated("a million braces in YAML", "x.yaml", "a: ", "{a: ");
    expect_repeated("a million dashes in YAML", "x.yaml", "a:\n", "- ");
    expect_repeated("a million question marks in YAML", "x.yaml", "", "? ");
    expect_repeated("a million brackets called YAML", "x.yaml", "", "[");
}

static void test_alias_bomb(void **state)
{
    (void)state;
    char text[4096] = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
    for (int i = 1; i < 12; i++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len,
                 "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    write_text("bomb.yaml", text);
    expect_line("alias bomb", evaluate("bomb.yaml"), "bomb.yaml:");
}

/* Ends in a fault only because what was merged is no object. */
static void test_merge_keys(void **state)
{
    (void)state;
    enum { TIMES = 400 * 1000 };
    char *list = repeat("a: &a {k: 0}\nb: {<<: [*a", ",*a", TIMES),
         *keys = repeat("a: &a {k: 0}\nb:\n", "  <<: *a\n", TIMES / 2);
    char *whole = repeat(list, "]}\n", 1);
    write_text("list.yaml", whole);
    write_text("keys.yaml", keys);
    expect_line("a long list to merge", evaluate("list.yaml"), "list.yaml:1:1: ");
    expect_line("many merge keys", evaluate("keys.yaml"), "keys.yaml:1:1: ");
    free(list);
    free(keys);
    free(whole);
}

/* A pod of so many labels, all of them in matchLabelKeys, backwards. */
static void write_many_labels(const char *path, int count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(POD_JSON ",\"labels\":{\"app\":\"web\"", file);
    for (int i = count; i > 0; i--)
        fprintf(file, ",\"k%d\":\"v\"", i);
    fputs("}},\"spec\":{\"topologySpreadConstraints\":[{\"maxSkew\":1," SPREAD_JSON
          "{}},\"matchLabelKeys\":[\"app\"",
          file);
    for (int i = count; i > 0; i--)
        fprintf(file, ",\"k%d\"", i);
    fputs("]}]}}", file);
    assert_int_equal(fclose(file), 0);
}

static void test_many_labels(void **state)
{
    (void)state;
    write_many_labels("many.json", 100 * 1000);
    outcome o = run_program((run){.args = {"evaluate", "-f", "many.json", "pod/web", "-o", "name"}});
    if (o.code != 1 || *o.err)
        fail_msg("exit %d, wanted 1: %s", o.code, o.err);
    if (!TESTS_SANITIZED && (o.cpu_s > seconds_max || o.rss_kb > MEMORY_MAX / 1024))
        fail_msg("took %.2f s and %ld kB", o.cpu_s, o.rss_kb);
    outcome_free(&o);
}

/* Faults that the cluster finds have their place as those of the text have. */
static void test_long_name(void **state)
{
    (void)state;
    char *head = repeat("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"", "x", 70 * 1000);
    char *text = repeat(head, "\"},\"spec\":{\"nodeName\":\"n\"}}", 1);
    write_text("long.json", text);
    expect_line("a name of 70,000 bytes", evaluate("long.json"), "long.json:1:1: ");
    free(head);
    free(text);
}

/* The API server refuses such selectors, so the pod is refused in its words. */
static void expect_selector(const char *name, const char *key, const char *value, const char *wanted)
{
    char text[2048];
    snprintf(text, sizeof text,
             POD_JSON "},\"spec\":{\"topologySpreadConstraints\":[{\"maxSkew\":1," SPREAD_JSON
                      "{\"%s\":\"%s\"}}}]}}",
             key, value);
    write_text("label.json", text);
    expect_line(name, evaluate("label.json"), wanted);
}

static void test_labels(void **state)
{
    (void)state;
    char *long_name = repeat("", "x", 64), *long_prefix = repeat("", "x", 254);
    char prefixed[300];
    snprintf(prefixed, sizeof prefixed, "%s/app", long_prefix);
    expect_selector("label key beyond 63", long_name, "web", "63");
    expect_selector("label prefix beyond 253", prefixed, "web", "253");
    expect_selector("label value beyond 63", "app", long_name, "63");
    free(long_name);
    free(long_prefix);
}

static void test_places(void **state)
{
    (void)state;
    expect_line("missing file", evaluate("nowhere.yaml"), "nowhere.yaml: No such file or directory");
    expect_line("empty name", evaluate("./"), "./: no files in this folder");
    expect_line("/dev/null", evaluate("/dev/null"), "no objects passed to evaluate");
    expect_line("/dev/zero never ends", evaluate("/dev/zero"), "/dev/zero: has a NUL byte");
    expect_line("standard input twice", (run){.args = {"evaluate", "-f-,-", "pod/web"}},
                "standard input can be read only once");
    assert_int_equal(mkdir("folder", 0700), 0);
    write_text("folder/notes.txt", "not YAML: [");
    expect_line("folder without files", evaluate("folder"), "folder: no files in this folder");
    assert_int_equal(mkfifo("folder/pipe.yaml", 0600), 0);
    expect_line("pipe in a folder", evaluate("folder"), "folder/pipe.yaml: in a folder");
    assert_int_equal(symlink("loop.yaml", "loop.yaml"), 0);
    expect_line("link to itself", evaluate("loop.yaml"), "loop.yaml: ");
    expect_line("missing configuration",
                (run){.args = {"evaluate", "-f", "/dev/null", "--config", "none.yaml", "pod/web"}},
                "none.yaml: No such file or directory");
}

static void test_pipe(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        alarm(30); /* nobody may ever read */
        int fd = open("pipe", O_WRONLY);
        _exit(write(fd, POD_JSON, sizeof POD_JSON - 1) > 0 ? 0 : 1);
    }
    expect_line("truncated JSON from a pipe", evaluate("pipe"), "pipe:1:");
    waitpid(writer, NULL, 0);
}

/* Wherever memory runs out, it is said and nothing crashes. */
static void test_little_memory(void **state)
{
    (void)state;
    if (TESTS_SANITIZED)
        skip();
    size_t refused = 0;
    for (size_t limit = 3 << 20; limit <= 16 << 20; limit += 64 << 10) {
        outcome o = run_program(
            (run){.args = {"evaluate", "-f", example, "pod/web-6", "-o", "json"}, .memory_max = limit});
        /* 127: not even the dynamic loader could work. */
        if (o.code == 2 && !strstr(o.err, "emory"))
            fail_msg("with %zu bytes: %s", limit, o.err);
        if (o.code != 0 && o.code != 2 && o.code != 127)
            fail_msg("with %zu bytes: exit %d: %s", limit, o.code, o.err);
        refused += o.code == 2;
        outcome_free(&o);
    }
    assert_true(refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_texts, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_nesting, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_alias_bomb, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_merge_keys, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_many_labels, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_long_name, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_labels, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_places, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_pipe, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_little_memory, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
