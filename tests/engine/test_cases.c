// SPDX-License-Identifier: Apache-2.0
/* Runs every case file below tests/cases and compares the whole result with the one written in it.
 * KS_UPDATE_CASES=1 writes the results into the files instead: look at the change before you believe it. */
#include "support/case.h"
#include "support/diff.h"
#include "support/file.h"
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static void update(const char *path, ks_str text, const ks_case *c, ks_str result)
{
    ks_alloc alloc;
    ks_buf all;
    ks_alloc_init(&alloc, NULL);
    ks_buf_init(&all, &alloc);
    ks_buf_put(&all, text.data, (size_t)(c->expect.data - text.data));
    ks_buf_put_str(&all, result);
    ks_test_file_write(path, ks_buf_str(&all));
    ks_buf_free(&all);
}

static bool as_expected(const char *path, ks_buf *diff)
{
    ks_test_file file = ks_test_file_read(path);
    ks_str text = {file.data, file.len};
    ks_case c = ks_case_parse(path, text);
    ks_buf result;
    ks_buf_init(&result, diff->alloc);
    ks_case_run(&result, &c);
    bool same = ks_str_eq(c.expect, ks_buf_str(&result));
    if (!same && getenv("KS_UPDATE_CASES"))
        update(path, text, &c, ks_buf_str(&result));
    else if (!same)
        ks_diff_put(diff, c.expect, ks_buf_str(&result));
    ks_buf_free(&result);
    free(file.data);
    return same || getenv("KS_UPDATE_CASES");
}

static void run_case(void **state)
{
    const char *path = *state;
    ks_alloc alloc;
    ks_buf diff;
    ks_alloc_init(&alloc, NULL);
    ks_buf_init(&diff, &alloc);
    bool same = as_expected(path, &diff);
    if (!same)
        print_error("%s: - expected, + got\n%s", path, diff.data);
    ks_buf_free(&diff);
    assert_true(same);
}

static void a_difference_is_shown(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_buf diff;
    ks_alloc_init(&alloc, NULL);
    ks_buf_init(&diff, &alloc);
    ks_diff_put(&diff, KS_STR("a\nb\nc\n"), KS_STR("a\nx\nc\nd\n"));
    assert_string_equal(diff.data, "  a\n- b\n+ x\n  c\n+ d\n");
    ks_buf_free(&diff);
}

/* The name of a case in the test's output: its path below tests/cases. */
static const char *name_of(const char *path, const char *folder)
{
    return path + strlen(folder) + 1;
}

int main(void)
{
    char *folder = ks_test_path("cases");
    ks_test_files files = ks_test_files_find(folder, ".txt");
    struct CMUnitTest *tests = calloc(files.count + 1, sizeof *tests);
    if (!tests || files.count == 0)
        ks_test_die("%s: no case files", folder);
    tests[0] = (struct CMUnitTest)cmocka_unit_test(a_difference_is_shown);
    for (size_t i = 0; i < files.count; i++)
        tests[i + 1] = (struct CMUnitTest){
            .name = name_of(files.paths[i], folder), .test_func = run_case, .initial_state = files.paths[i]};
    int failed = _cmocka_run_group_tests("cases", tests, files.count + 1, NULL, NULL);
    free(tests);
    ks_test_files_free(&files);
    free(folder);
    return failed;
}
