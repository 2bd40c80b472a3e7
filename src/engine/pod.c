// SPDX-License-Identifier: Apache-2.0
/* Pod events. */
#include "engine/affinity.h"
#include "engine/volume.h"
#include <assert.h>

typedef struct pod_key {
    ks_str namespace_, name;
} pod_key;

ks_str ks_pod_text(const ks_pod_row *pod, int which)
{
    const char *text = pod->text;
    for (int i = 0; i < which; i++)
        text += pod->text_len[i];
    return pod->text_len[which] ? (ks_str){text, pod->text_len[which]} : (ks_str){0};
}

static size_t row_size(const ks_pod_row *pod)
{
    size_t size = sizeof *pod;
    for (int i = 0; i < KS_POD_TEXTS; i++)
        size += pod->text_len[i];
    return size;
}

static uint64_t hash_key(const pod_key *key)
{
    return ks_hash_bytes(key->name.data, key->name.len, ks_str_hash(key->namespace_));
}

static bool has_key(const ks_row *row, const void *wanted)
{
    const ks_pod_row *pod = (const ks_pod_row *)row;
    const pod_key *key = wanted;
    return ks_str_eq(ks_pod_text(pod, KS_POD_NAME), key->name) &&
           ks_str_eq(ks_space_name(pod->class_->space), key->namespace_);
}

static ks_pod_row *find_pod(const ks_cluster *cluster, const pod_key *key)
{
    return (ks_pod_row *)ks_table_find(&cluster->pods, hash_key(key), has_key, key);
}

static int not_found(const pod_key *key, ks_error *err)
{
    return ks_fail(err, KS_ENOTFOUND, "pod \"%.*s/%.*s\" not found", KS_STR_ARG(key->namespace_),
                   KS_STR_ARG(key->name));
}

/* ---- counting ---- */

static uint32_t node_of(const ks_pod_row *pod)
{
    assert(pod->node); /* only bound pods count */
    return pod->node->row.id;
}

static bool reserve_counts(ks_cluster *cluster, ks_pod_row *pod)
{
    if (pod->occupies && !ks_occupancy_reserve(cluster, pod))
        return false;
    for (size_t i = 0; pod->counts && i < pod->class_->matchers.count; i++)
        if (!ks_matcher_reserve(cluster, pod->class_->matchers.items[i]))
            return false;
    return true;
}

static void link_pod(ks_cluster *cluster, ks_pod_row *pod)
{
    ks_class *class_ = pod->class_;
    pod->next = class_->pods;
    pod->link = &class_->pods;
    if (pod->next)
        pod->next->link = &pod->next;
    class_->pods = pod;
    cluster->pods_pending += !pod->node;
    if (pod->occupies)
        ks_occupancy_add(cluster, pod);
    for (size_t i = 0; pod->counts && i < class_->matchers.count; i++)
        ks_matcher_add(class_->matchers.items[i], node_of(pod));
}

static void unlink_pod(ks_cluster *cluster, ks_pod_row *pod)
{
    ks_class *class_ = pod->class_;
    for (size_t i = 0; pod->counts && i < class_->matchers.count; i++)
        ks_matcher_sub(class_->matchers.items[i], node_of(pod));
    if (pod->occupies)
        ks_occupancy_sub(cluster, pod);
    cluster->pods_pending -= !pod->node;
    *pod->link = pod->next;
    if (pod->next)
        pod->next->link = pod->link;
}

/* ---- rows ---- */

static void free_row(ks_cluster *cluster, ks_pod_row *pod)
{
    ks_carrier_unref(cluster, pod->carrier);
    ks_class_unref(cluster, pod->class_);
    ks_spec_unref(cluster, pod->spec);
    ks_node_unref(cluster, pod->node);
    ks_alloc_free(&cluster->alloc, pod, row_size(pod));
}

bool ks_phase_is_over(ks_str phase)
{
    return ks_str_eq(phase, KS_STR("Succeeded")) || ks_str_eq(phase, KS_STR("Failed"));
}

static ks_pod_row *make_row(ks_cluster *cluster, const ks_pod *pod)
{
    const ks_str texts[KS_POD_TEXTS] = {
        [KS_POD_NAME] = pod->metadata.name,
        [KS_POD_UID] = pod->metadata.uid,
        [KS_POD_CREATED] = pod->metadata.creation_timestamp,
        [KS_POD_DELETED] = pod->metadata.deletion_timestamp,
        [KS_POD_PHASE] = pod->status.phase,
        [KS_POD_NOMINATED] = pod->status.nominated_node_name,
        [KS_POD_STARTED] = pod->status.start_time,
    };
    size_t size = sizeof(ks_pod_row);
    for (int i = 0; i < KS_POD_TEXTS; i++)
        size += texts[i].len;
    ks_pod_row *row = ks_alloc_get(&cluster->alloc, size);
    if (!row)
        return NULL;
    *row = (ks_pod_row){0};
    char *at = row->text;
    for (int i = 0; i < KS_POD_TEXTS; i++) {
        if (texts[i].len)
            memcpy(at, texts[i].data, texts[i].len);
        at += texts[i].len;
        row->text_len[i] = (uint16_t)texts[i].len;
    }
    return row;
}

static void set_node(ks_pod_row *pod, ks_node_row *node)
{
    pod->node = node;
    pod->occupies = node && !ks_phase_is_over(ks_pod_text(pod, KS_POD_PHASE));
    pod->counts = pod->occupies && pod->text_len[KS_POD_DELETED] == 0;
}

static bool fill_row(ks_cluster *cluster, ks_pod_row *row, const ks_pod *pod)
{
    row->class_ = ks_class_get(cluster, &pod->metadata);
    row->spec = ks_spec_get(cluster, &pod->spec);
    if (!row->class_ || !row->spec)
        return false;
    if (pod->spec.node_name.len && !(row->node = ks_node_get(cluster, pod->spec.node_name)))
        return false;
    set_node(row, row->node);
    return reserve_counts(cluster, row) && ks_table_reserve(&cluster->pods, &cluster->alloc);
}

static int check_texts(const ks_pod *pod, ks_error *err)
{
    if (pod->metadata.name.len == 0)
        return ks_fail(err, KS_EINVAL, "metadata.name: \"\": a pod must have a name");
    const struct {
        const char *path;
        ks_str text;
    } texts[] = {
        {"metadata.name", pod->metadata.name},
        {"metadata.uid", pod->metadata.uid},
        {"metadata.creationTimestamp", pod->metadata.creation_timestamp},
        {"metadata.deletionTimestamp", pod->metadata.deletion_timestamp},
        {"status.phase", pod->status.phase},
        {"status.nominatedNodeName", pod->status.nominated_node_name},
        {"status.startTime", pod->status.start_time},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text.len > UINT16_MAX)
            return ks_fail(err, KS_ELIMIT, "%s: %s: must be at most %d bytes", texts[i].path,
                           KS_STR_QUOTED(texts[i].text), UINT16_MAX);
    return KS_OK;
}

int ks_pod_apply(ks_cluster *cluster, const ks_pod *pod, ks_error *err)
{
    int code = check_texts(pod, err);
    if (code != KS_OK)
        return code;
    ks_pod_row *row = make_row(cluster, pod);
    if (!row)
        return ks_fail_nomem(err);
    if (!fill_row(cluster, row, pod)) {
        free_row(cluster, row);
        return ks_fail_nomem(err);
    }
    pod_key key = {ks_namespace_or_default(pod->metadata.namespace_), pod->metadata.name};
    ks_pod_row *old = find_pod(cluster, &key);
    if (old) {
        unlink_pod(cluster, old);
        ks_table_remove(&cluster->pods, &old->row);
    }
    ks_table_add(&cluster->pods, &row->row, hash_key(&key));
    link_pod(cluster, row);
    if (old)
        free_row(cluster, old);
    return KS_OK;
}

static void remove_pod(ks_cluster *cluster, ks_pod_row *pod)
{
    unlink_pod(cluster, pod);
    ks_table_remove(&cluster->pods, &pod->row);
    free_row(cluster, pod);
}

int ks_pod_delete(ks_cluster *cluster, ks_str namespace_, ks_str name, ks_error *err)
{
    pod_key key = {ks_namespace_or_default(namespace_), name};
    ks_pod_row *pod = find_pod(cluster, &key);
    if (!pod)
        return not_found(&key, err);
    remove_pod(cluster, pod);
    return KS_OK;
}

void ks_pods_free(ks_cluster *cluster)
{
    for (size_t i = 0; i < cluster->pods.rows.count; i++)
        if (cluster->pods.rows.items[i])
            remove_pod(cluster, (ks_pod_row *)cluster->pods.rows.items[i]);
    ks_table_free(&cluster->pods, &cluster->alloc);
}

/* ---- placements ---- */

bool ks_pod_reserve(ks_cluster *cluster, ks_pod_row *pod, ks_node_row *node)
{
    set_node(pod, node);
    bool ok = reserve_counts(cluster, pod);
    set_node(pod, NULL);
    return ok;
}

int ks_pod_bind(ks_cluster *cluster, ks_pod_row *pod, ks_node_row *node, ks_error *err)
{
    unlink_pod(cluster, pod);
    set_node(pod, node);
    bool ok = reserve_counts(cluster, pod);
    if (ok)
        node->row.refs++;
    else
        set_node(pod, NULL);
    link_pod(cluster, pod);
    if (ok)
        ks_volumes_assume(cluster, pod);
    return ok ? KS_OK : ks_fail_nomem(err);
}

void ks_pod_unbind(ks_cluster *cluster, ks_pod_row *pod)
{
    ks_node_row *node = pod->node;
    ks_volumes_forget(cluster, pod);
    unlink_pod(cluster, pod);
    set_node(pod, NULL);
    link_pod(cluster, pod);
    ks_node_unref(cluster, node);
}

/* ---- reading ---- */

ks_pod_row *ks_pod_find(const ks_cluster *cluster, ks_str namespace_, ks_str name)
{
    pod_key key = {ks_namespace_or_default(namespace_), name};
    return find_pod(cluster, &key);
}

void ks_pod_view(ks_pod *out, const ks_pod_row *pod)
{
    *out = (ks_pod){
        .metadata =
            {
                .name = ks_pod_text(pod, KS_POD_NAME),
                .namespace_ = ks_space_name(pod->class_->space),
                .uid = ks_pod_text(pod, KS_POD_UID),
                .creation_timestamp = ks_pod_text(pod, KS_POD_CREATED),
                .deletion_timestamp = ks_pod_text(pod, KS_POD_DELETED),
                .labels = pod->class_->labels,
            },
        .spec = pod->spec->spec,
        .status = {.phase = ks_pod_text(pod, KS_POD_PHASE),
                   .nominated_node_name = ks_pod_text(pod, KS_POD_NOMINATED),
                   .start_time = ks_pod_text(pod, KS_POD_STARTED)},
    };
    if (pod->class_->controller.kind.data) {
        out->metadata.owner_references.items = &pod->class_->controller;
        out->metadata.owner_references.count = 1;
    }
    if (pod->node)
        out->spec.node_name = pod->node->name;
}

int ks_cluster_get_pod(ks_pod *out, const ks_cluster *cluster, ks_str namespace_, ks_str name, ks_error *err)
{
    pod_key key = {ks_namespace_or_default(namespace_), name};
    const ks_pod_row *pod = find_pod(cluster, &key);
    if (!pod)
        return not_found(&key, err);
    ks_pod_view(out, pod);
    return KS_OK;
}
