// SPDX-License-Identifier: Apache-2.0
#include "support/unit.h"
#include "util/str.h"
#include <kubespread/model.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
    const char *api_version, *kind;
    ks_kind wanted;
    bool namespaced;
} kinds[] = {
    {"v1", "Pod", KS_POD, true},
    {"v1", "Node", KS_NODE, false},
    {"v1", "Namespace", KS_NAMESPACE, false},
    {"v1", "Service", KS_SERVICE, true},
    {"v1", "ReplicationController", KS_REPLICATION_CONTROLLER, true},
    {"apps/v1", "ReplicaSet", KS_REPLICA_SET, true},
    {"apps/v1", "StatefulSet", KS_STATEFUL_SET, true},
    {"apps/v1", "Deployment", KS_DEPLOYMENT, true},
    {"apps/v1", "DaemonSet", KS_DAEMON_SET, true},
    {"batch/v1", "Job", KS_JOB, true},
    {"batch/v1", "CronJob", KS_CRON_JOB, true},
    {"scheduling.k8s.io/v1", "PriorityClass", KS_PRIORITY_CLASS, false},
    {"policy/v1", "PodDisruptionBudget", KS_POD_DISRUPTION_BUDGET, true},
    {"v1", "PersistentVolume", KS_PERSISTENT_VOLUME, false},
    {"v1", "PersistentVolumeClaim", KS_PERSISTENT_VOLUME_CLAIM, true},
    {"storage.k8s.io/v1", "StorageClass", KS_STORAGE_CLASS, false},
};

static const struct {
    const char *api_version, *kind;
} others[] = {
    {"v1", "Secret"},
    {"v2", "Pod"},
    {"apps/v1", "Pod"},
    {"example.com/v1", "Node"},
    {"apps/v1beta1", "Deployment"},
    {"v1", "pod"},
    {"v1", ""},
    {"", "Pod"},
    {NULL, "Pod"},
    {"v1", NULL},
    {"v1", "PodList"},
    {NULL, NULL},
};

static void test_kinds(void **state)
{
    (void)state;
    assert_int_equal(COUNT(kinds), KS_KIND_COUNT - 1);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        ks_kind found = ks_kind_of(ks_str_of(kinds[i].api_version), ks_str_of(kinds[i].kind));
        assert_int_equal(found, kinds[i].wanted);
        assert_string_equal(ks_kind_name(found), kinds[i].kind);
        assert_int_equal(ks_kind_namespaced(found), kinds[i].namespaced);
    }
}

static void test_other_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++)
        assert_int_equal(ks_kind_of(ks_str_of(others[i].api_version), ks_str_of(others[i].kind)),
                         KS_KIND_NONE);
    assert_string_equal(ks_kind_name(KS_KIND_NONE), "");
    assert_string_equal(ks_kind_name(KS_KIND_COUNT), "");
    assert_false(ks_kind_namespaced(KS_KIND_NONE));
}

/* ---- maps ---- */

typedef struct sort_row {
    const char *name;
    const char *given[6], *sorted[6]; /* key, value; one letter each */
} sort_row;

static const sort_row sorts[] = {
    {"nothing", {0}, {0}},
    {"one", {"a1"}, {"a1"}},
    {"in order", {"a1", "b2", "c3"}, {"a1", "b2", "c3"}},
    {"backwards", {"c3", "b2", "a1"}, {"a1", "b2", "c3"}},
    {"mixed", {"b2", "d4", "a1", "c3"}, {"a1", "b2", "c3", "d4"}},
    {"the last one wins", {"a1", "b2", "a3"}, {"a3", "b2"}},
    {"the last one wins, side by side", {"b1", "b2", "b3", "a0"}, {"a0", "b3"}},
};

static ks_labels fill(ks_label *items, const char *const *pairs)
{
    ks_labels labels = {items, 0};
    for (; labels.count < 6 && pairs[labels.count]; labels.count++) {
        const char *pair = pairs[labels.count];
        items[labels.count] = (ks_label){{pair, 1}, {pair + 1, 1}};
    }
    return labels;
}

static void test_sort(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sorts); i++) {
        ks_label items[6] = {0}, wanted_items[6] = {0};
        ks_labels labels = fill(items, sorts[i].given), wanted = fill(wanted_items, sorts[i].sorted);
        ks_labels_sort(&labels);
        if (labels.count != wanted.count)
            fail_msg("%s: %zu labels", sorts[i].name, labels.count);
        for (size_t j = 0; j < labels.count; j++)
            if (!ks_str_eq(labels.items[j].key, wanted.items[j].key) ||
                !ks_str_eq(labels.items[j].value, wanted.items[j].value))
                fail_msg("%s: label %zu", sorts[i].name, j);
    }
}

static void test_get(void **state)
{
    (void)state;
    ks_label items[] = {{KS_STR("a"), KS_STR("1")}, {KS_STR("ab"), KS_STR("")}, {KS_STR("b"), KS_STR("2")}};
    ks_labels labels = {items, COUNT(items)}, absent = {0};
    assert_true(ks_str_eq(ks_labels_get(&labels, KS_STR("a")), KS_STR("1")));
    assert_true(ks_str_eq(ks_labels_get(&labels, KS_STR("b")), KS_STR("2")));
    ks_str empty = ks_labels_get(&labels, KS_STR("ab"));
    assert_true(empty.data && empty.len == 0);
    static const char *const missing[] = {"", "A", "aa", "abc", "c"};
    for (size_t i = 0; i < COUNT(missing); i++)
        assert_null(ks_labels_get(&labels, ks_str_of(missing[i])).data);
    assert_null(ks_labels_get(&absent, KS_STR("a")).data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_get),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
