// SPDX-License-Identifier: Apache-2.0
#include "model/schema.h"
#include "model/selector.h"
#include "support/decoded.h"
#include "support/unit.h"

typedef struct tolerates_row {
    const char *name, *toleration, *taint;
    bool tolerates;
} tolerates_row;

#define GPU "{'key':'gpu','value':'a100','effect':'NoSchedule'}"
#define NUMBER "{'key':'sla','value':'5','effect':'NoSchedule'}"

static const tolerates_row tolerates_rows[] = {
    {"equal in all", "{'key':'gpu','operator':'Equal','value':'a100','effect':'NoSchedule'}", GPU, true},
    {"no operator means Equal", "{'key':'gpu','value':'a100'}", GPU, true},
    {"no effect means every effect", "{'key':'gpu','operator':'Exists'}", GPU, true},
    {"another value", "{'key':'gpu','value':'h100'}", GPU, false},
    {"no value", "{'key':'gpu'}", GPU, false},
    {"Exists does not look at the value", "{'key':'gpu','operator':'Exists','value':'x'}", GPU, true},
    {"another key", "{'key':'cpu','operator':'Exists'}", GPU, false},
    {"another effect", "{'key':'gpu','operator':'Exists','effect':'NoExecute'}", GPU, false},
    {"no key and Exists tolerates everything", "{'operator':'Exists'}", GPU, true},
    {"no key, Exists, another effect", "{'operator':'Exists','effect':'NoExecute'}", GPU, false},
    {"no key and Equal goes by the value", "{'value':'a100'}", GPU, true},
    {"nothing given, taint without value", "{}", "{'key':'gpu','effect':'NoSchedule'}", true},
    {"empty value equals an absent one", "{'key':'gpu','value':''}", "{'key':'gpu','effect':'NoSchedule'}",
     true},
    {"unknown operator", "{'key':'gpu','operator':'exists'}", GPU, false},
    {"Lt is off", "{'key':'sla','operator':'Lt','value':'9'}", NUMBER, false},
    {"Gt is off", "{'key':'sla','operator':'Gt','value':'1'}", NUMBER, false},
};

static void tolerates_as_the_api_does(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < sizeof tolerates_rows / sizeof *tolerates_rows; i++) {
        const tolerates_row *row = &tolerates_rows[i];
        ks_toleration toleration;
        ks_taint taint;
        decoded_read(&toleration, &ks_toleration_schema, &memory.arena, row->toleration);
        decoded_read(&taint, &ks_taint_schema, &memory.arena, row->taint);
        if (ks_toleration_tolerates(&toleration, &taint) != row->tolerates)
            fail_msg("%s: want %d", row->name, row->tolerates);
    }
    decoded_memory_free(&memory);
}

static void first_untolerated_taint_is_named(void **state)
{
    (void)state;
    ks_taint items[] = {
        {KS_STR("soft"), KS_STR("x"), KS_STR("PreferNoSchedule")},
        {KS_STR("gpu"), KS_STR("a100"), KS_STR("NoSchedule")},
        {KS_STR("gone"), {0}, KS_STR("NoExecute")},
        {KS_STR("odd"), {0}, KS_STR("Whatever")},
    };
    ks_taints taints = {items, 4};
    ks_toleration all = {.op = KS_STR("Exists")};
    ks_toleration gpu = {.key = KS_STR("gpu"), .op = KS_STR("Exists")};
    ks_toleration gone = {.key = KS_STR("gone"), .op = KS_STR("Exists"), .effect = KS_STR("NoExecute")};
    ks_toleration both[] = {gone, gpu};

    assert_ptr_equal(ks_untolerated_taint(&taints, &(ks_tolerations){0}), &items[1]);
    assert_ptr_equal(ks_untolerated_taint(&taints, &(ks_tolerations){&gpu, 1}), &items[2]);
    assert_ptr_equal(ks_untolerated_taint(&taints, &(ks_tolerations){&gone, 1}), &items[1]);
    assert_null(ks_untolerated_taint(&taints, &(ks_tolerations){both, 2}));
    assert_null(ks_untolerated_taint(&taints, &(ks_tolerations){&all, 1}));
    assert_null(ks_untolerated_taint(&(ks_taints){0}, &(ks_tolerations){0}));
    assert_null(ks_untolerated_taint(&(ks_taints){items, 1}, &(ks_tolerations){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerates_as_the_api_does),
        cmocka_unit_test(first_untolerated_taint_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
