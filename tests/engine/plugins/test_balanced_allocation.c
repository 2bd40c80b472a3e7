// SPDX-License-Identifier: Apache-2.0
/* NodeResourcesBalancedAllocation: what the pod does to the balance of a node, by the standard deviation
 * of the fractions that are taken. */
#include "support/allotment.h"
#include "support/unit.h"
#include "util/str.h"

static ks_resource_weight three[] = {{{"cpu", 3}, 1}, {{"memory", 6}, 1}, {{"x.io/gpu", 8}, 1}};
static ks_resource_weight other[] = {{{"x.io/gpu", 8}, 1}, {{"ephemeral-storage", 17}, 1}};

/* One node "n" of 10 cpu, 10 GB, 10 GB of storage and 10 gpus, with one pod on it. */
typedef struct row {
    const char *name;
    ks_balanced_args args;
    const char *taken, *asked;
    const char *wanted; /* the score, "-" if there is none */
} row;

static const row rows[] = {
    /* 100 before, 100 - 10 behind it: 50 + (50 - 10) / 2 */
    {"unbalances an empty node", {{0}}, "'cpu':'0'", "'cpu':'2'", "70"},
    {"balances it", {{0}}, "'cpu':'4'", "'memory':'4G'", "85"},
    {"leaves it as it is", {{0}}, "'cpu':'4','memory':'4G'", "'cpu':'2','memory':'2G'", "75"},
    /* 95 and 85 before and behind: half of -10, taken off 25 */
    {"unbalances it further", {{0}}, "'cpu':'1'", "'cpu':'2'", "70"},
    {"as far as can be", {{0}}, "'cpu':'0'", "'cpu':'10'", "50"},
    {"fractions end at 1", {{0}}, "'cpu':'20'", "'memory':'1'", "75"},
    {"all requests of other pods are taken as they are", {{0}}, "", "'cpu':'2'", "70"},
    {"asks for nothing", {{0}}, "'cpu':'4'", "", "-"},
    {"asks for nothing that counts", {{0}}, "'cpu':'4'", "'ephemeral-storage':'1G','x.io/gpu':'1'", "-"},
    /* 100 before, 100 - 25 behind it */
    {"a scalar that is not asked for does not count",
     {{three, 3}},
     "'cpu':'0'",
     "'cpu':'5','x.io/gpu':'0'",
     "62"},
    /* fractions 0.5, 0, 0.5: deviation 0.2357, so 76 */
    {"a scalar that is asked for is the third", {{three, 3}}, "'cpu':'0'", "'cpu':'5','x.io/gpu':'5'", "63"},
    {"and balances", {{three, 3}}, "'cpu':'4','memory':'4G'", "'x.io/gpu':'4'", "84"},
    {"others than cpu and memory", {{other, 2}}, "'cpu':'9'", "'x.io/gpu':'4'", "65"},
    {"one resource is always balanced", {{other, 1}}, "'cpu':'9'", "'x.io/gpu':'4'", "75"},
};

static void scores(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        allotment a;
        allotment_begin(&a, NULL, &rows[i].args);
        allotment_apply(&a, allotment_node(&a, "n",
                                           "{'cpu':'10','memory':'10G','ephemeral-storage':'10G',"
                                           "'pods':'9','x.io/gpu':'10'}"));
        allotment_apply(&a, allotment_pod(&a, "there", "n", allotment_asks(&a, rows[i].taken)));
        ks_str got = ks_str_of(allotment_report(&a, allotment_asks(&a, rows[i].asked)));
        ks_str wanted = ks_str_of(rows[i].wanted);
        if (got.len < wanted.len + 1 || got.data[got.len - wanted.len - 1] != ' ' ||
            !ks_str_eq((ks_str){got.data + got.len - wanted.len, wanted.len}, wanted))
            fail_msg("%s: got \"%s\", want \"%s\"", rows[i].name, got.data, rows[i].wanted);
        allotment_end(&a);
    }
}

/* What a node has none of is left out; with two resources or fewer left the short formula holds. */
static void missing_resources_are_left_out(void **state)
{
    (void)state;
    allotment a;
    allotment_begin(&a, NULL, &(ks_balanced_args){{three, 3}});
    allotment_apply(&a, allotment_node(&a, "a", "{'cpu':'10','memory':'10G','pods':'9','x.io/gpu':'10'}"));
    allotment_apply(&a, allotment_node(&a, "b", "{'cpu':'10','memory':'10G','pods':'9'}"));
    allotment_apply(&a, allotment_node(&a, "c", "{'cpu':'10','pods':'9'}"));
    assert_string_equal(allotment_report(&a, allotment_asks(&a, "'cpu':'4'")), "a 78 65; b 78 65; c 60 75");
    allotment_end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores),
        cmocka_unit_test(missing_resources_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
