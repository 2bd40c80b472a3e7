// SPDX-License-Identifier: Apache-2.0
#include "model/kinds.h"
#include "util/sort.h"

typedef struct kind_row {
    const char *name, *list, *api_version;
    const ks_schema *schema;
    bool namespaced;
} kind_row;

static const kind_row kinds[KS_KIND_COUNT] = {
    [KS_KIND_NONE] = {"", "", "", NULL, false},
    [KS_POD] = {"Pod", "PodList", "v1", &ks_pod_schema, true},
    [KS_NODE] = {"Node", "NodeList", "v1", &ks_node_schema, false},
    [KS_NAMESPACE] = {"Namespace", "NamespaceList", "v1", &ks_namespace_schema, false},
    [KS_SERVICE] = {"Service", "ServiceList", "v1", &ks_service_schema, true},
    [KS_REPLICATION_CONTROLLER] = {"ReplicationController", "ReplicationControllerList", "v1",
                                   &ks_replication_controller_schema, true},
    [KS_REPLICA_SET] = {"ReplicaSet", "ReplicaSetList", "apps/v1", &ks_workload_schema, true},
    [KS_STATEFUL_SET] = {"StatefulSet", "StatefulSetList", "apps/v1", &ks_workload_schema, true},
    [KS_DEPLOYMENT] = {"Deployment", "DeploymentList", "apps/v1", &ks_workload_schema, true},
    [KS_DAEMON_SET] = {"DaemonSet", "DaemonSetList", "apps/v1", &ks_workload_schema, true},
    [KS_JOB] = {"Job", "JobList", "batch/v1", &ks_job_schema, true},
    [KS_CRON_JOB] = {"CronJob", "CronJobList", "batch/v1", &ks_cron_job_schema, true},
    [KS_PRIORITY_CLASS] = {"PriorityClass", "PriorityClassList", "scheduling.k8s.io/v1",
                           &ks_priority_class_schema, false},
    [KS_POD_DISRUPTION_BUDGET] = {"PodDisruptionBudget", "PodDisruptionBudgetList", "policy/v1",
                                  &ks_pod_disruption_budget_schema, true},
    [KS_PERSISTENT_VOLUME] = {"PersistentVolume", "PersistentVolumeList", "v1", &ks_persistent_volume_schema,
                              false},
    [KS_PERSISTENT_VOLUME_CLAIM] = {"PersistentVolumeClaim", "PersistentVolumeClaimList", "v1",
                                    &ks_persistent_volume_claim_schema, true},
    [KS_STORAGE_CLASS] = {"StorageClass", "StorageClassList", "storage.k8s.io/v1", &ks_storage_class_schema,
                          false},
};

static const kind_row *row_of(ks_kind kind)
{
    return &kinds[kind < KS_KIND_COUNT ? kind : KS_KIND_NONE];
}

const char *ks_kind_name(ks_kind kind)
{
    return row_of(kind)->name;
}

bool ks_kind_namespaced(ks_kind kind)
{
    return row_of(kind)->namespaced;
}

const ks_schema *ks_kind_schema(ks_kind kind)
{
    return row_of(kind)->schema;
}

static bool is(ks_json_string string, const char *text)
{
    return ks_json_string_is(string, ks_str_of(text));
}

ks_kind ks_kind_read(ks_json_string api_version, ks_json_string kind)
{
    for (ks_kind k = KS_KIND_NONE + 1; k < KS_KIND_COUNT; k++)
        if (is(kind, kinds[k].name))
            return is(api_version, kinds[k].api_version) ? k : KS_KIND_NONE;
    return KS_KIND_NONE;
}

ks_kind ks_kind_read_list(ks_json_string api_version, ks_json_string list_kind)
{
    for (ks_kind k = KS_KIND_NONE + 1; k < KS_KIND_COUNT; k++)
        if (is(list_kind, kinds[k].list))
            return is(api_version, kinds[k].api_version) ? k : KS_KIND_NONE;
    return KS_KIND_NONE;
}

ks_kind ks_kind_of(ks_str api_version, ks_str kind)
{
    return ks_kind_read((ks_json_string){.raw = api_version}, (ks_json_string){.raw = kind});
}

/* ---- maps ---- */

/* Where `key` would go, behind one that equals it. */
static size_t place_of(const ks_labels *labels, ks_str key)
{
    size_t low = 0, count = labels->count;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (ks_str_cmp(labels->items[middle].key, key) <= 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static int compare_keys(const void *a, const void *b)
{
    return ks_str_cmp(((const ks_label *)a)->key, ((const ks_label *)b)->key);
}

void ks_labels_sort(ks_labels *labels)
{
    size_t count = 0;
    ks_sort(labels->items, labels->count, sizeof *labels->items, compare_keys);
    for (size_t i = 0; i < labels->count; i++) {
        bool again = count > 0 && ks_str_eq(labels->items[count - 1].key, labels->items[i].key);
        labels->items[again ? count - 1 : count++] = labels->items[i];
    }
    labels->count = count;
}

ks_str ks_labels_get(const ks_labels *labels, ks_str key)
{
    size_t at = place_of(labels, key);
    if (at == 0 || !ks_str_eq(labels->items[at - 1].key, key))
        return (ks_str){0};
    return labels->items[at - 1].value;
}
