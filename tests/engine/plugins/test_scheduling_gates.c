// SPDX-License-Identifier: Apache-2.0
#include "engine/plugins/scheduling_gates.h"
#include "support/decoded.h"
#include "support/unit.h"

static void gated_pods_say_what_they_wait_for(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bool gated;
        const char *why;
    } rows[] = {
        {"{}", false, "waiting for scheduling gates: []"},
        {"{'schedulingGates':[]}", false, "waiting for scheduling gates: []"},
        {"{'schedulingGates':[{'name':'a/b'}]}", true, "waiting for scheduling gates: [a/b]"},
        {"{'schedulingGates':[{'name':'a'},{'name':'b'}]}", true, "waiting for scheduling gates: [a b]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        decoded_memory memory;
        ks_pod_spec spec;
        ks_buf buf;
        decoded_memory_init(&memory, NULL);
        ks_buf_init(&buf, &memory.alloc);
        decoded_read(&spec, &ks_pod_spec_schema, &memory.arena, rows[i].spec);
        ks_pod_gates_print(&buf, &spec);
        assert_int_equal(ks_pod_is_gated(&spec), rows[i].gated);
        assert_string_equal(buf.data, rows[i].why);
        ks_buf_free(&buf);
        decoded_memory_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gated_pods_say_what_they_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
