// SPDX-License-Identifier: Apache-2.0
#include "cli/capacity.h"
#include "cli/output.h"
#include "cli/spread_json.h"
#include "engine/fit_error.h"
#include <stdlib.h>

/* ---- by domain ---- */

static const ks_labels *labels_of(const ks_cluster *cluster, ks_str node)
{
    return &ks_node_find(cluster, node)->node.metadata.labels;
}

static int by_key_and_value(const void *a_, const void *b_)
{
    const ks_capacity_domain *a = a_, *b = b_;
    int order = ks_str_cmp(a->key, b->key);
    return order != 0 ? order : ks_str_cmp(a->value, b->value);
}

/* One row a node at first; equal ones are then sorted together and joined. */
static bool add_nodes(ks_capacity_report *r, const ks_cluster *cluster, ks_str key)
{
    for (size_t i = 0; i < r->summary.nodes; i++) {
        ks_capacity_node node = ks_capacity_get_node(r->capacity, i);
        ks_capacity_domain domain = {.key = key, .copies = node.copies, .nodes = 1};
        domain.value = ks_labels_get(labels_of(cluster, node.name), key);
        if (domain.value.data && !ks_vec_push(&r->domains, r->alloc, domain))
            return false;
    }
    return true;
}

static void join_domains(ks_capacity_report *r)
{
    size_t kept = 0;
    if (r->domains.count > 0)
        qsort(r->domains.items, r->domains.count, sizeof *r->domains.items, by_key_and_value);
    for (size_t i = 0; i < r->domains.count; i++) {
        ks_capacity_domain *last = kept > 0 ? &r->domains.items[kept - 1] : NULL;
        if (last && by_key_and_value(last, &r->domains.items[i]) == 0) {
            last->copies += r->domains.items[i].copies;
            last->nodes += r->domains.items[i].nodes;
        } else {
            r->domains.items[kept++] = r->domains.items[i];
        }
    }
    r->domains.count = kept;
}

/* Whether a constraint before the nth has its key. */
static bool is_repeated(const ks_cycle *cycle, size_t nth)
{
    for (size_t i = 0; i < nth; i++)
        if (ks_str_eq(ks_cycle_get_constraint(cycle, i).topology_key,
                      ks_cycle_get_constraint(cycle, nth).topology_key))
            return true;
    return false;
}

static bool fill_domains(ks_capacity_report *r, const ks_cluster *cluster)
{
    const ks_str zone = KS_STR("topology.kubernetes.io/zone");
    size_t constraints = ks_cycle_get_summary(r->cycle).constraints;
    bool ok = true, zoned = false;
    for (size_t i = 0; ok && i < constraints; i++) {
        ks_str key = ks_cycle_get_constraint(r->cycle, i).topology_key;
        zoned = zoned || ks_str_eq(key, zone);
        if (!ks_str_eq(key, KS_STR("kubernetes.io/hostname")) && !is_repeated(r->cycle, i))
            ok = add_nodes(r, cluster, key);
    }
    ok = ok && (zoned || add_nodes(r, cluster, zone));
    join_domains(r);
    return ok;
}

/* ---- all of it ---- */

/* Without what preemption would add: nothing is evicted for copies. */
static int compose_message(ks_capacity_report *r, ks_error *err)
{
    if (r->summary.limited)
        return KS_OK;
    ks_fit_error fit = {0};
    int code = ks_fit_error_fill(&fit, r->cycle, err);
    if (code == KS_OK)
        ks_fit_error_print(&r->message, &fit, r->cycle, (ks_str){0});
    ks_fit_error_free(&fit, &r->cycle->cluster->alloc);
    return code == KS_OK && r->message.failed ? ks_fail_nomem(err) : code;
}

int ks_capacity_report_fill(ks_capacity_report *r, const ks_capacity *capacity, ks_cluster *cluster,
                            ks_error *err)
{
    r->capacity = capacity;
    r->cycle = ks_capacity_get_cycle(capacity);
    r->summary = ks_capacity_get_summary(capacity);
    ks_buf_init(&r->message, r->alloc);
    for (size_t i = 0; i < r->summary.nodes; i++)
        r->used += ks_capacity_get_node(capacity, i).copies > 0;
    if (!fill_domains(r, cluster))
        return ks_fail_nomem(err);
    return compose_message(r, err);
}

void ks_capacity_report_free(ks_capacity_report *r)
{
    ks_vec_free(&r->domains, r->alloc);
    ks_buf_free(&r->message);
}

/* ---- for programs ---- */

static void put_template(ks_json_writer *w, const ks_capacity_report *r)
{
    ks_json_put_key(w, KS_STR("template"));
    ks_json_put_object(w);
    ks_json_put_member_string(w, "kind", ks_str_of(ks_kind_name(r->template_.kind)));
    ks_json_put_member_string(w, "namespace", r->namespace_);
    ks_json_put_member_string(w, "name", r->template_.name);
    ks_json_put_object_end(w);
}

static void put_nodes(ks_json_writer *w, const ks_capacity_report *r)
{
    ks_json_put_key(w, KS_STR("nodes"));
    ks_json_put_array(w);
    for (size_t i = 0; i < r->summary.nodes; i++) {
        ks_capacity_node node = ks_capacity_get_node(r->capacity, i);
        ks_node_result next = ks_cycle_get_node(r->cycle, i);
        ks_json_put_object(w);
        ks_json_put_member_string(w, "name", node.name);
        ks_json_put_member_int(w, "copies", (int64_t)node.copies);
        if (next.plugin.data)
            ks_json_put_member_string(w, "plugin", next.plugin);
        if (next.reason.data)
            ks_json_put_member_string(w, "reason", next.reason);
        ks_json_put_object_end(w);
    }
    ks_json_put_array_end(w);
}

static void put_domains(ks_json_writer *w, const ks_capacity_report *r)
{
    ks_json_put_key(w, KS_STR("domains"));
    ks_json_put_array(w);
    for (size_t i = 0; i < r->domains.count; i++) {
        const ks_capacity_domain *domain = &r->domains.items[i];
        ks_json_put_object(w);
        ks_json_put_member_string(w, "topologyKey", domain->key);
        ks_json_put_member_string(w, "value", domain->value);
        ks_json_put_member_int(w, "copies", (int64_t)domain->copies);
        ks_json_put_member_int(w, "nodes", (int64_t)domain->nodes);
        ks_json_put_object_end(w);
    }
    ks_json_put_array_end(w);
}

void ks_capacity_report_describe(ks_json_writer *w, const void *report)
{
    const ks_capacity_report *r = report;
    ks_json_put_object(w);
    ks_json_put_member_string(w, "apiVersion", KS_STR("kubespread/v1"));
    ks_json_put_member_string(w, "kind", KS_STR("Capacity"));
    put_template(w, r);
    ks_json_put_member_int(w, "copies", (int64_t)r->summary.copies);
    ks_json_put_member_bool(w, "limited", r->summary.limited);
    if (r->message.len > 0)
        ks_json_put_member_string(w, "message", ks_buf_str(&r->message));
    put_nodes(w, r);
    put_domains(w, r);
    ks_json_put_key(w, KS_STR("constraints"));
    ks_json_put_array(w);
    for (size_t i = 0; i < ks_cycle_get_summary(r->cycle).constraints; i++)
        ks_constraint_put(w, r->cycle, i);
    ks_json_put_array_end(w);
    ks_json_put_object_end(w);
}
