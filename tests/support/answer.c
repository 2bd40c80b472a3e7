// SPDX-License-Identifier: Apache-2.0
#include "support/scenario.h"
#include "util/json.h"
#include <stdio.h>

/* ---- the cluster ---- */

/* Where each kind's objects are in a scenario. */
static const struct {
    ks_kind kind;
    size_t offset, size; /* of the list, of one item */
} lists[] = {
    {KS_NAMESPACE, offsetof(ks_scenario, namespaces), sizeof(ks_namespace)},
    {KS_NODE, offsetof(ks_scenario, nodes), sizeof(ks_node)},
    {KS_POD, offsetof(ks_scenario, pods), sizeof(ks_pod)},
    {KS_SERVICE, offsetof(ks_scenario, services), sizeof(ks_service)},
    {KS_REPLICATION_CONTROLLER, offsetof(ks_scenario, replication_controllers),
     sizeof(ks_replication_controller)},
    {KS_REPLICA_SET, offsetof(ks_scenario, replica_sets), sizeof(ks_workload)},
    {KS_STATEFUL_SET, offsetof(ks_scenario, stateful_sets), sizeof(ks_workload)},
};

static int fill_cluster(ks_cluster *cluster, const ks_scenario *scenario, ks_error *err)
{
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        KS_LIST(char) list; /* all lists have this layout, whatever their items */
        memcpy(&list, (const char *)scenario + lists[l].offset, sizeof list);
        for (size_t i = 0; i < list.count; i++) {
            ks_object object = {.kind = lists[l].kind};
            memcpy(&object.metadata, list.items + i * lists[l].size, lists[l].size);
            int rc = ks_cluster_apply(cluster, &object, err);
            if (rc)
                return rc;
        }
    }
    return KS_OK;
}

/* ---- one part of the answer ---- */

static void put_code(ks_json_writer *w, const char *key, ks_code code, ks_str message)
{
    char text[KS_ERROR_MESSAGE_MAX];
    if (code == KS_SUCCESS || code == KS_SKIP)
        snprintf(text, sizeof text, "%s", ks_code_name(KS_SUCCESS));
    else
        snprintf(text, sizeof text, "%s: %.*s", ks_code_name(code), KS_STR_ARG(message));
    ks_json_put_key(w, ks_str_of(key));
    ks_json_put_string(w, ks_str_of(text));
}

static void put_int(ks_json_writer *w, ks_str key, int64_t value)
{
    ks_json_put_key(w, key);
    ks_json_put_int(w, value);
}

static void put_str(ks_json_writer *w, ks_str key, ks_str value)
{
    ks_json_put_key(w, key);
    ks_json_put_string(w, value);
}

static void put_constraint(ks_json_writer *w, const ks_cycle *cycle, size_t index)
{
    ks_spread_constraint c = ks_cycle_get_constraint(cycle, index);
    ks_json_put_object(w);
    put_str(w, KS_STR("topologyKey"), c.topology_key);
    put_str(w, KS_STR("selector"), c.selector);
    put_int(w, KS_STR("maxSkew"), c.max_skew);
    put_int(w, KS_STR("minDomains"), c.min_domains);
    put_int(w, KS_STR("minMatch"), c.minimum);
    ks_json_put_key(w, KS_STR("counts"));
    ks_json_put_object(w);
    for (size_t d = 0; d < c.domains; d++) {
        ks_spread_domain domain = ks_cycle_get_domain(cycle, index, d);
        put_int(w, domain.value, domain.matching);
    }
    ks_json_put_object_end(w);
    ks_json_put_object_end(w);
}

static size_t count_hard(const ks_cycle *cycle, size_t constraints)
{
    size_t hard = 0;
    while (hard < constraints && ks_cycle_get_constraint(cycle, hard).hard)
        hard++;
    return hard;
}

static void put_constraints(ks_json_writer *w, const ks_cycle *cycle, size_t constraints)
{
    size_t hard = count_hard(cycle, constraints);
    if (hard == 0)
        return;
    ks_json_put_key(w, KS_STR("constraints"));
    ks_json_put_array(w);
    for (size_t i = 0; i < hard; i++)
        put_constraint(w, cycle, i);
    ks_json_put_array_end(w);
}

/* All reasons of the plugin that refuses the node. */
static void put_reasons(ks_json_writer *w, const ks_cycle *cycle, size_t node)
{
    char text[KS_ERROR_MESSAGE_MAX] = "";
    size_t len = 0;
    ks_str reason;
    for (size_t i = 0; (reason = ks_cycle_get_reason(cycle, node, i)).data && len < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%.*s", i ? ", " : "", KS_STR_ARG(reason));
    put_str(w, KS_STR("reason"), ks_str_of(text));
}

static void put_verdicts(ks_json_writer *w, const ks_cycle *cycle, size_t nodes)
{
    ks_json_put_key(w, KS_STR("filter"));
    ks_json_put_object(w);
    for (size_t i = 0; i < nodes; i++) {
        ks_node_result node = ks_cycle_get_node(cycle, i);
        ks_json_put_key(w, node.name);
        ks_json_put_object(w);
        put_str(w, KS_STR("code"), ks_str_of(ks_code_name(node.code)));
        if (node.code != KS_SUCCESS) {
            put_str(w, KS_STR("plugin"), node.plugin);
            put_reasons(w, cycle, i);
        }
        ks_json_put_object_end(w);
    }
    ks_json_put_object_end(w);
}

static void put_plugin_scores(ks_json_writer *w, const ks_cycle *cycle, const ks_profile *profile,
                              size_t node)
{
    for (size_t i = 0; i < profile->plugins.count; i++) {
        int64_t score;
        if (ks_cycle_get_plugin_score(cycle, profile->plugins.items[i].name.data, node, &score))
            put_int(w, profile->plugins.items[i].name, score);
    }
}

static void put_scores(ks_json_writer *w, const ks_cycle *cycle, const ks_profile *profile, size_t nodes)
{
    ks_json_put_key(w, KS_STR("scores"));
    ks_json_put_object(w);
    for (size_t i = 0; i < nodes; i++) {
        ks_node_result node = ks_cycle_get_node(cycle, i);
        if (node.code != KS_SUCCESS)
            continue;
        ks_json_put_key(w, node.name);
        ks_json_put_object(w);
        put_plugin_scores(w, cycle, profile, i);
        put_int(w, KS_STR("total"), node.score);
        ks_json_put_object_end(w);
    }
    ks_json_put_object_end(w);
}

static void put_cycle(ks_json_writer *w, const ks_cycle *cycle, const ks_profile *profile)
{
    ks_cycle_summary summary = ks_cycle_get_summary(cycle);
    bool filtered = summary.pre_filter == KS_SUCCESS;
    ks_json_put_object(w);
    put_code(w, "preFilter", summary.pre_filter, summary.message);
    if (filtered)
        put_constraints(w, cycle, summary.constraints);
    put_verdicts(w, cycle, filtered ? summary.nodes : 0);
    if (filtered && summary.feasible > 0) {
        put_code(w, "preScore", summary.pre_score, summary.message);
        if (summary.pre_score != KS_ERROR)
            put_scores(w, cycle, profile, summary.nodes);
    }
    ks_json_put_object_end(w);
}

static int answer_in(ks_json_writer *w, ks_cluster *cluster, const ks_profile *profile,
                     const ks_scenario *scenario, ks_error *err)
{
    int rc = fill_cluster(cluster, scenario, err);
    if (rc)
        return rc;
    ks_cycle *cycle = NULL;
    rc = ks_cycle_new(&cycle, cluster, err);
    if (rc)
        return rc;
    rc = ks_cycle_run(cycle, &scenario->pod, err);
    if (rc == KS_OK)
        put_cycle(w, cycle, profile);
    ks_cycle_free(cycle);
    return rc;
}

/* What a profile decides, in a cluster of its own. */
static int put_part(ks_json_writer *w, ks_str name, const ks_profile *profile, const ks_scenario *scenario,
                    ks_error *err)
{
    ks_cluster_options options = {.profile = profile, .gates = KS_GATES_DEFAULT};
    ks_cluster *cluster = NULL;
    int rc = ks_cluster_new(&cluster, &options, err);
    if (rc)
        return rc;
    ks_json_put_key(w, name);
    rc = answer_in(w, cluster, profile, scenario, err);
    ks_cluster_free(cluster);
    return rc;
}

static int put_spread(ks_json_writer *w, const ks_scenario *scenario, ks_error *err)
{
    ks_plugin_use use;
    ks_profile profile = ks_spread_profile(&use, &scenario->config);
    return put_part(w, KS_STR("spread"), &profile, scenario, err);
}

static int put_all(ks_json_writer *w, const ks_scenario *scenario, ks_error *err)
{
    ks_config *config = NULL;
    int rc = ks_config_default(&config, NULL, err);
    if (rc)
        return rc;
    ks_profile profile = config->profiles.items[0];
    profile.spread = scenario->config;
    rc = put_part(w, KS_STR("all"), &profile, scenario, err);
    ks_config_free(config);
    return rc;
}

/* ---- the whole ---- */

static void put_fault(void *ctx, ks_str fault)
{
    ks_json_put_string(ctx, fault);
}

static void ignore_fault(void *ctx, ks_str fault)
{
    (void)ctx;
    (void)fault;
}

static int put_faults(ks_json_writer *w, const ks_pod *pod, ks_error *err)
{
    size_t count;
    int rc = ks_pod_validate(&count, pod, KS_GATES_DEFAULT, NULL, ignore_fault, NULL, err);
    if (rc || count == 0)
        return rc;
    ks_json_put_key(w, KS_STR("invalid"));
    ks_json_put_array(w);
    rc = ks_pod_validate(&count, pod, KS_GATES_DEFAULT, NULL, put_fault, w, err);
    ks_json_put_array_end(w);
    return rc;
}

int ks_scenario_answer(ks_buf *out, const ks_scenario *scenario, ks_error *err)
{
    ks_json_writer w;
    ks_json_writer_init(&w, out, 0);
    ks_json_put_object(&w);
    put_str(&w, KS_STR("name"), scenario->name);
    int rc = put_faults(&w, &scenario->pod, err);
    if (rc == KS_OK)
        rc = put_spread(&w, scenario, err);
    if (rc == KS_OK)
        rc = put_all(&w, scenario, err);
    ks_json_put_object_end(&w);
    if (rc == KS_OK && out->failed)
        return ks_fail_nomem(err);
    return rc;
}
