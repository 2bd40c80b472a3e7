// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation.h"
#include "cli/output.h"
#include "cli/picture.h"
#include "cli/spread_json.h"

static void put_optional(ks_json_writer *w, const char *key, ks_str value)
{
    if (value.data)
        ks_json_put_member_string(w, key, value);
}

static void put_pod(ks_json_writer *w, const ks_evaluation *e)
{
    ks_json_put_key(w, KS_STR("pod"));
    ks_json_put_object(w);
    ks_json_put_member_string(w, "namespace", e->pod->metadata.namespace_);
    ks_json_put_member_string(w, "name", e->pod->metadata.name);
    if (e->pod->spec.node_name.len > 0)
        ks_json_put_member_string(w, "nodeName", e->pod->spec.node_name);
    ks_json_put_object_end(w);
}

static void put_summary(ks_json_writer *w, const ks_evaluation *e)
{
    ks_json_put_key(w, KS_STR("summary"));
    ks_json_put_object(w);
    ks_json_put_member_int(w, "nodes", (int64_t)e->summary.nodes);
    ks_json_put_member_int(w, "feasible", (int64_t)e->summary.feasible);
    ks_json_put_key(w, KS_STR("best"));
    ks_json_put_array(w);
    for (size_t i = 0; i < e->best; i++)
        ks_json_put_string(w, ks_cycle_get_node(e->cycle, e->order[i]).name);
    ks_json_put_array_end(w);
    ks_json_put_member_bool(w, "defaultConstraints", e->summary.defaulted);
    if (e->message.len > 0)
        ks_json_put_member_string(w, "message", ks_buf_str(&e->message));
    ks_json_put_object_end(w);
}

static void put_numbers(ks_json_writer *w, const ks_evaluation *e, size_t node, size_t constraint)
{
    ks_spread_constraint c = ks_cycle_get_constraint(e->cycle, constraint);
    ks_spread_numbers n = ks_cycle_get_numbers(e->cycle, node, constraint);
    ks_json_put_object(w);
    ks_json_put_member_string(w, "topologyKey", c.topology_key);
    if (n.has_key) {
        ks_json_put_member_string(w, "domain", n.domain);
        ks_json_put_member_int(w, "matching", n.matching);
        ks_json_put_member_int(w, "self", n.self);
    }
    if (n.has_key && c.hard) {
        ks_json_put_member_int(w, "minimum", n.minimum);
        ks_json_put_member_int(w, "skew", ks_spread_skew(n.matching, n.self, n.minimum));
        ks_json_put_member_int(w, "maxSkew", n.max_skew);
    }
    ks_json_put_member_bool(w, "counted", n.exclusion == KS_COUNTED);
    if (n.exclusion != KS_COUNTED) {
        ks_json_put_member_string(w, "exclusion", ks_str_of(ks_exclusion_name(n.exclusion)));
        put_optional(w, "detail", n.detail);
    }
    ks_json_put_object_end(w);
}

static void put_scores(ks_json_writer *w, const ks_evaluation *e, size_t node, int64_t total)
{
    ks_json_put_member_int(w, "score", total);
    ks_json_put_key(w, KS_STR("pluginScores"));
    ks_json_put_object(w);
    for (size_t i = 0; i < e->scorers.count; i++) {
        int64_t score = 0;
        ks_cycle_get_plugin_score(e->cycle, e->scorers.names[i], node, &score);
        ks_json_put_member_int(w, e->scorers.names[i], score);
    }
    ks_json_put_object_end(w);
}

/* All of them, where `reason` is only the first. */
static void put_reasons(ks_json_writer *w, const ks_evaluation *e, size_t node)
{
    ks_json_put_key(w, KS_STR("reasons"));
    ks_json_put_array(w);
    ks_str reason;
    for (size_t nth = 0; (reason = ks_cycle_get_reason(e->cycle, node, nth)).data; nth++)
        ks_json_put_string(w, reason);
    ks_json_put_array_end(w);
}

static void put_node(ks_json_writer *w, const ks_evaluation *e, size_t node)
{
    ks_node_result result = ks_cycle_get_node(e->cycle, node);
    ks_json_put_object(w);
    ks_json_put_member_string(w, "name", result.name);
    ks_json_put_member_string(w, "code", ks_str_of(ks_code_name(result.code)));
    if (result.code == KS_SUCCESS)
        put_scores(w, e, node, result.score);
    put_optional(w, "plugin", result.plugin);
    put_optional(w, "reason", result.reason);
    if (result.more_reasons)
        put_reasons(w, e, node);
    ks_json_put_key(w, KS_STR("constraints"));
    ks_json_put_array(w);
    for (size_t i = 0; i < e->summary.constraints; i++)
        put_numbers(w, e, node, i);
    ks_json_put_array_end(w);
    ks_json_put_object_end(w);
}

void ks_evaluation_describe(ks_json_writer *w, const void *evaluation)
{
    const ks_evaluation *e = evaluation;
    ks_json_put_object(w);
    ks_json_put_member_string(w, "apiVersion", KS_STR("kubespread/v1"));
    ks_json_put_member_string(w, "kind", KS_STR("Evaluation"));
    put_pod(w, e);
    put_summary(w, e);
    ks_json_put_key(w, KS_STR("constraints"));
    ks_json_put_array(w);
    for (size_t i = 0; i < e->summary.constraints; i++)
        ks_constraint_put(w, e->cycle, i);
    ks_json_put_array_end(w);
    ks_json_put_key(w, KS_STR("nodes"));
    ks_json_put_array(w);
    for (size_t rank = 0; rank < e->summary.nodes; rank++)
        put_node(w, e, e->order[rank]);
    ks_json_put_array_end(w);
    ks_json_put_object_end(w);
}
