// SPDX-License-Identifier: Apache-2.0
/* What the API server makes of a pod's spec. */
#include "sim/admit.h"
#include "support/decoded.h"
#include "support/dump.h"
#include "support/unit.h"
#include "util/str.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Of a node that is not ready or not reachable. */
#define TOLERATIONS                                                                                          \
    "'tolerations':[{'effect':'NoExecute','key':'node.kubernetes.io/not-ready','operator':'Exists'},"        \
    "{'effect':'NoExecute','key':'node.kubernetes.io/unreachable','operator':'Exists'}]"
#define TOLERANT "'tolerations':[{'operator':'Exists'}]"

static const struct {
    const char *name, *spec, *wanted;
} rows[] = {
    {"tolerations", "{'hostNetwork':true}", "{'hostNetwork':true," TOLERATIONS "}"},
    {"a toleration of everything is enough", "{" TOLERANT "}", "{" TOLERANT "}"},
    {"one of the two is there",
     "{'tolerations':[{'effect':'NoExecute','key':'node.kubernetes.io/unreachable','operator':'Exists'}]}",
     "{'tolerations':[{'effect':'NoExecute','key':'node.kubernetes.io/unreachable','operator':'Exists'},"
     "{'effect':'NoExecute','key':'node.kubernetes.io/not-ready','operator':'Exists'}]}"},
    {"a toleration of another effect is not", "{'tolerations':[{'effect':'NoSchedule','operator':'Exists'}]}",
     "{'tolerations':[{'effect':'NoSchedule','operator':'Exists'},"
     "{'effect':'NoExecute','key':'node.kubernetes.io/not-ready','operator':'Exists'},"
     "{'effect':'NoExecute','key':'node.kubernetes.io/unreachable','operator':'Exists'}]}"},
    {"requests from limits, each that is missing",
     "{'containers':[{'name':'a','resources':{'limits':{'cpu':'2','gpu':'1','memory':'3'},"
     "'requests':{'disk':'7','gpu':'0','zip':'5'}}},{'name':'b'}]," TOLERANT "}",
     "{'containers':[{'name':'a','resources':{'limits':{'cpu':'2','gpu':'1','memory':'3'},"
     "'requests':{'cpu':'2','disk':'7','gpu':'0','memory':'3','zip':'5'}}},{'name':'b'}]," TOLERANT "}"},
    {"of init containers as well", "{'initContainers':[{'resources':{'limits':{'cpu':'2'}}}]," TOLERANT "}",
     "{'initContainers':[{'resources':{'limits':{'cpu':'2'},'requests':{'cpu':'2'}}}]," TOLERANT "}"},
    {"of the whole pod, but for what a container requests",
     "{'containers':[{'resources':{'requests':{'cpu':'1'}}}],"
     "'resources':{'limits':{'cpu':'2','memory':'3'}}," TOLERANT "}",
     "{'containers':[{'resources':{'requests':{'cpu':'1'}}}],"
     "'resources':{'limits':{'cpu':'2','memory':'3'},'requests':{'memory':'3'}}," TOLERANT "}"},
    {"ports in the host's network",
     "{'containers':[{'ports':[{'containerPort':80},{'containerPort':81,'hostPort':9}]}],"
     "'hostNetwork':true," TOLERANT "}",
     "{'containers':[{'ports':[{'containerPort':80,'hostPort':80},{'containerPort':81,'hostPort':9}]}],"
     "'hostNetwork':true," TOLERANT "}"},
    {"ports in a network of its own", "{'containers':[{'ports':[{'containerPort':80}]}]," TOLERANT "}",
     "{'containers':[{'ports':[{'containerPort':80}]}]," TOLERANT "}"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        decoded_memory memory;
        decoded_memory_init(&memory, NULL);
        ks_buf got;
        ks_buf_init(&got, &memory.alloc);
        ks_pod_spec spec, wanted;
        decoded_read(&spec, &ks_pod_spec_schema, &memory.arena, rows[i].spec);
        decoded_read(&wanted, &ks_pod_spec_schema, &memory.arena, rows[i].wanted);
        assert_true(ks_admit(&spec, &memory.arena));
        dump_struct(&got, &ks_pod_spec_schema, &spec);
        if (!ks_schema_equal(&ks_pod_spec_schema, &spec, &wanted))
            fail_msg("%s:\nwanted %s\ngot    %.*s", rows[i].name, rows[i].wanted,
                     KS_STR_ARG(ks_buf_str(&got)));
        ks_buf_free(&got);
        decoded_memory_free(&memory);
    }
}

/* What was admitted once stays as it is, and costs nothing. */
static void test_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        decoded_memory memory;
        decoded_memory_init(&memory, NULL);
        ks_pod_spec spec;
        decoded_read(&spec, &ks_pod_spec_schema, &memory.arena, rows[i].spec);
        assert_true(ks_admit(&spec, &memory.arena));
        ks_pod_spec again = spec;
        assert_true(ks_admit(&again, &memory.arena));
        assert_true(ks_schema_equal(&ks_pod_spec_schema, &again, &spec));
        assert_ptr_equal(again.tolerations.items, spec.tolerations.items);
        assert_ptr_equal(again.containers.items, spec.containers.items);
        decoded_memory_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
