// SPDX-License-Identifier: Apache-2.0
/* What pods ask for: the sums of the resources' documentation (containers, init containers, sidecars,
 * overhead, pod-level resources), exact to the billionth before they are rounded up; and which names the
 * scheduler counts. */
#include "engine/engine.h"
#include "support/decoded.h"
#include "support/unit.h"

#define GI "1073741824"
#define NOTHING "asked cpu=0 memory=0 ephemeral-storage=0"

typedef struct spec_row {
    const char *name, *spec, *wanted;
} spec_row;

static const spec_row spec_rows[] = {
    {"no containers", "{}", NOTHING "; nonzero cpu=0 memory=0; scored cpu=0 memory=0 ephemeral-storage=0"},
    {"a container that asks for nothing counts for scoring", "{'containers':[{'name':'a'}]}",
     NOTHING "; nonzero cpu=100 memory=209715200; scored cpu=100 memory=209715200 ephemeral-storage=0"},
    {"a request for 0 is a request",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'0','memory':'0'}}}]}",
     NOTHING "; nonzero cpu=0 memory=0; scored cpu=0 memory=0 ephemeral-storage=0"},
    {"containers add up, each missing request is filled in",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'200m','ephemeral-storage':'1Gi'}}},"
     "{'name':'b','resources':{'requests':{'memory':'1Gi'}}}]}",
     "asked cpu=200 memory=" GI " ephemeral-storage=" GI "; nonzero cpu=300 memory=1283457024; "
     "scored cpu=300 memory=1283457024 ephemeral-storage=" GI},
    {"limits do not count", "{'containers':[{'name':'a','resources':{'limits':{'cpu':'2','memory':'1Gi'}}}]}",
     NOTHING "; nonzero cpu=100 memory=209715200; scored cpu=100 memory=209715200 ephemeral-storage=0"},
    {"amounts are added before they are rounded",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'400u','memory':'400m'}}},"
     "{'name':'b','resources':{'requests':{'cpu':'600u','memory':'500m'}}}]}",
     "asked cpu=1 memory=1 ephemeral-storage=0; nonzero cpu=1 memory=1; "
     "scored cpu=1 memory=1 ephemeral-storage=0"},
    {"the largest init container, if it is more than the containers",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'2','memory':'1G'}}},"
     "{'name':'b','resources':{'requests':{'cpu':'1','memory':'1G'}}}],"
     "'initContainers':[{'name':'i','resources':{'requests':{'cpu':'2','memory':'1G'}}},"
     "{'name':'j','resources':{'requests':{'cpu':'2','memory':'3G'}}}]}",
     "asked cpu=3000 memory=3000000000 ephemeral-storage=0; nonzero cpu=3000 memory=3000000000; "
     "scored cpu=3000 memory=3000000000 ephemeral-storage=0"},
    {"a sidecar stays beside the containers",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'1','memory':'1G'}}}],"
     "'initContainers':[{'name':'s','restartPolicy':'Always',"
     "'resources':{'requests':{'cpu':'500m','memory':'1G'}}}]}",
     "asked cpu=1500 memory=2000000000 ephemeral-storage=0; nonzero cpu=1500 memory=2000000000; "
     "scored cpu=1500 memory=2000000000 ephemeral-storage=0"},
    {"an init container runs beside the sidecars before it, not those behind it",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'1','memory':'1'}}}],'initContainers':["
     "{'name':'s','restartPolicy':'Always','resources':{'requests':{'cpu':'100m','memory':'1'}}},"
     "{'name':'i','resources':{'requests':{'cpu':'3','memory':'1'}}},"
     "{'name':'t','restartPolicy':'Always','resources':{'requests':{'cpu':'200m','memory':'1'}}}]}",
     "asked cpu=3100 memory=3 ephemeral-storage=0; nonzero cpu=3100 memory=3; "
     "scored cpu=3100 memory=3 ephemeral-storage=0"},
    {"overhead comes on top",
     "{'overhead':{'cpu':'250m','memory':'120Mi'},"
     "'containers':[{'name':'a','resources':{'requests':{'cpu':'1'}}}]}",
     "asked cpu=1250 memory=125829120 ephemeral-storage=0; nonzero cpu=1250 memory=335544320; "
     "scored cpu=1250 memory=335544320 ephemeral-storage=0"},
    {"pod-level requests stand for the containers', but not where NodeResourcesFit scores",
     "{'resources':{'requests':{'cpu':'4','memory':'4Gi'}},"
     "'containers':[{'name':'a','resources':{'requests':{'cpu':'1','memory':'1Gi'}}}]}",
     "asked cpu=4000 memory=4294967296 ephemeral-storage=0; nonzero cpu=4000 memory=4294967296; "
     "scored cpu=1000 memory=" GI " ephemeral-storage=0"},
    {"with pod-level requests only what nobody asks for is filled in",
     "{'resources':{'requests':{'memory':'4Gi'}},'containers':[{'name':'a'},{'name':'b'}]}",
     "asked cpu=0 memory=4294967296 ephemeral-storage=0; nonzero cpu=200 memory=4294967296; "
     "scored cpu=200 memory=419430400 ephemeral-storage=0"},
    {"a pod-level request of one resource leaves the containers' of another",
     "{'resources':{'requests':{'cpu':'2'}},"
     "'containers':[{'name':'a','resources':{'requests':{'memory':'1Gi'}}},{'name':'b'}]}",
     "asked cpu=2000 memory=" GI " ephemeral-storage=0; nonzero cpu=2000 memory=" GI "; "
     "scored cpu=200 memory=1283457024 ephemeral-storage=0"},
    {"only cpu, memory and hugepages may be pod-level",
     "{'resources':{'requests':{'ephemeral-storage':'1Gi','example.com/gpu':'1','hugepages-2Mi':'4Mi'}},"
     "'containers':[{'name':'a','resources':{'requests':{'cpu':'1','memory':'1'}}}]}",
     "asked cpu=1000 memory=1 ephemeral-storage=0; nonzero cpu=1000 memory=1; "
     "scored cpu=1000 memory=1 ephemeral-storage=0; hugepages-2Mi 4194304 0"},
    {"pod-level limits are no requests", "{'resources':{'limits':{'cpu':'2'}},'containers':[{'name':'a'}]}",
     NOTHING "; nonzero cpu=100 memory=209715200; scored cpu=100 memory=209715200 ephemeral-storage=0"},
    {"scalars by name, those of 0 and unknown names left out",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'1','memory':'1',"
     "'example.com/gpu':'2','hugepages-2Mi':'2Mi','attachable-volumes-x':'1','zero.io/x':'0',"
     "'kubernetes.io/batch':'3','unknown':'7','requests.example.com/a':'1'}}},"
     "{'name':'b','resources':{'requests':{'cpu':'0','memory':'0','example.com/gpu':'1'}}}]}",
     "asked cpu=1000 memory=1 ephemeral-storage=0; nonzero cpu=1000 memory=1; "
     "scored cpu=1000 memory=1 ephemeral-storage=0; attachable-volumes-x 1 1; example.com/gpu 3 3; "
     "hugepages-2Mi 2097152 2097152; kubernetes.io/batch 3 3"},
    {"what does not fit 64 bits stays at their end",
     "{'containers':[{'name':'a','resources':{'requests':{'cpu':'9E','memory':'8E'}}},"
     "{'name':'b','resources':{'requests':{'cpu':'1','memory':'8E'}}}]}",
     "asked cpu=9223372036854775807 memory=9223372036854775807 ephemeral-storage=0; "
     "nonzero cpu=9223372036854775807 memory=9223372036854775807; "
     "scored cpu=9223372036854775807 memory=9223372036854775807 ephemeral-storage=0"},
};

static void print_amounts(ks_buf *buf, const char *title, const ks_amounts *amounts)
{
    ks_buf_printf(buf, "%s cpu=%lld memory=%lld ephemeral-storage=%lld", title,
                  (long long)amounts->of[KS_CPU], (long long)amounts->of[KS_MEMORY],
                  (long long)amounts->of[KS_STORAGE]);
}

static void print_demand(ks_buf *buf, const ks_demand *demand)
{
    print_amounts(buf, "asked", &demand->asked);
    ks_buf_printf(buf, "; nonzero cpu=%lld memory=%lld; ", (long long)demand->nonzero.of[KS_CPU],
                  (long long)demand->nonzero.of[KS_MEMORY]);
    print_amounts(buf, "scored", &demand->scored);
    for (size_t i = 0; i < demand->scalars_count; i++)
        ks_buf_printf(buf, "; %.*s %lld %lld", KS_STR_ARG(ks_scalar_name(demand->scalars[i].scalar)),
                      (long long)demand->scalars[i].asked, (long long)demand->scalars[i].scored);
}

/* ---- fixtures ---- */

typedef struct fixture {
    decoded_memory memory;
    ks_cluster *cluster;
} fixture;

static int setup(void **state)
{
    static fixture f;
    decoded_memory_init(&f.memory, NULL);
    assert_int_equal(ks_cluster_new(&f.cluster, NULL, NULL), KS_OK);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    ks_cluster_free(f->cluster);
    decoded_memory_free(&f->memory);
    return 0;
}

static ks_demand *get(fixture *f, const char *json)
{
    ks_pod_spec spec;
    decoded_read(&spec, &ks_pod_spec_schema, &f->memory.arena, json);
    ks_demand *demand = ks_demand_get(f->cluster, &spec);
    assert_non_null(demand);
    return demand;
}

/* ---- tests ---- */

static void specs_become_demands(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof spec_rows / sizeof *spec_rows; i++) {
        ks_buf got;
        ks_buf_init(&got, &f->memory.alloc);
        ks_demand *demand = get(f, spec_rows[i].spec);
        print_demand(&got, demand);
        ks_demand_unref(f->cluster, demand);
        if (!ks_str_eq(ks_buf_str(&got), ks_str_of(spec_rows[i].wanted)))
            fail_msg("%s:\n  got  %s\n  want %s", spec_rows[i].name, got.data, spec_rows[i].wanted);
        ks_buf_free(&got);
    }
}

static void equal_demands_are_one(void **state)
{
    fixture *f = *state;
    ks_demand *a = get(f, "{'containers':[{'name':'a','resources':{'requests':{'cpu':'1','memory':'1Gi',"
                          "'example.com/gpu':'1'}}}]}");
    ks_demand *b = get(f, "{'priority':3,'containers':[{'name':'x','image':'y','resources':{'requests':"
                          "{'cpu':'1000m','memory':'1024Mi','example.com/gpu':'1'}}}]}");
    ks_demand *other = get(f, "{'containers':[{'name':'a','resources':{'requests':{'cpu':'1',"
                              "'memory':'1Gi','example.com/gpu':'2'}}}]}");
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, other);
    assert_ptr_equal(a->scalars[0].scalar, other->scalars[0].scalar);
    ks_demand_unref(f->cluster, a);
    ks_demand_unref(f->cluster, b);
    ks_demand_unref(f->cluster, other);
    assert_int_equal(ks_table_count(&f->cluster->ledger.demands), 0);
    assert_int_equal(ks_table_count(&f->cluster->ledger.scalars), 0);
}

static void names_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool extended, scalar;
    } rows[] = {
        {"example.com/gpu", true, true},
        {"cpu", false, false},
        {"unknown", false, false},
        {"", false, false},
        {"hugepages-1Gi", false, true},
        {"attachable-volumes-aws-ebs", false, true},
        {"kubernetes.io/x", false, true},
        {"pod.alpha.kubernetes.io/opaque", false, true},
        {"requests.example.com/gpu", false, false},
        {"example.com/not valid", false, false},
        {"Example.com/upper-case-domain", false, false},
        {"/no-domain", false, false},
        {"example.com/", false, false},
        {"a/b/c", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ks_resource_is_extended(ks_str_of(rows[i].name)) != rows[i].extended ||
            ks_resource_is_scalar(ks_str_of(rows[i].name)) != rows[i].scalar)
            fail_msg("\"%s\"", rows[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(specs_become_demands, setup, teardown),
        cmocka_unit_test_setup_teardown(equal_demands_are_one, setup, teardown),
        cmocka_unit_test(names_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
