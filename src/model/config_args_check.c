// SPDX-License-Identifier: Apache-2.0
/* Plugins' args, found fault with in kube-scheduler's order and words. */
#include "model/config_args.h"
#include "model/quote.h"
#include "model/requirement.h"
#include <stdio.h>

enum {
    CANDIDATES_PERCENT_MAX = 100,
    HARD_POD_AFFINITY_WEIGHT_MAX = 100,
    RESOURCE_WEIGHT_MAX = 100,
    UTILIZATION_MAX = 100,
    SHAPE_SCORE_MAX = 10,
};

void ks_spread_args_check(ks_faults *faults, const void *args)
{
    const ks_spread_args *spread = &((const ks_file_spread_args *)args)->spread;
    ks_alloc *alloc = faults->text.alloc;
    size_t count;
    if (ks_spread_args_validate(&count, spread, ks_buf_str(&faults->path), &alloc->allocator, faults->report,
                                faults->ctx, NULL) == KS_OK)
        faults->count += count;
    else
        ks_faults_fail(faults);
}

void ks_preemption_args_check(ks_faults *faults, const void *args)
{
    const ks_file_preemption_args *preemption = args;
    int32_t percentage = preemption->min_candidate_nodes_percentage.value;
    int32_t absolute = preemption->min_candidate_nodes_absolute.value;
    if (percentage < 0 || percentage > CANDIDATES_PERCENT_MAX)
        ks_fault_invalid(faults, ".minCandidateNodesPercentage", ks_show_int(percentage),
                         "not in valid range [0, 100]");
    if (absolute < 0)
        ks_fault_invalid(faults, ".minCandidateNodesAbsolute", ks_show_int(absolute),
                         "not in valid range [0, inf)");
    if (percentage != 0 || absolute != 0)
        return;
    ks_fault_invalid(faults, ".minCandidateNodesPercentage", ks_show_int(percentage),
                     "cannot be zero at the same time as minCandidateNodesAbsolute");
    ks_fault_invalid(faults, ".minCandidateNodesAbsolute", ks_show_int(absolute),
                     "cannot be zero at the same time as minCandidateNodesPercentage");
}

void ks_pod_affinity_args_check(ks_faults *faults, const void *args)
{
    int32_t weight = ((const ks_file_pod_affinity_args *)args)->hard_pod_affinity_weight.value;
    if (weight < 0 || weight > HARD_POD_AFFINITY_WEIGHT_MAX)
        ks_fault_invalid(faults, ".hardPodAffinityWeight", ks_show_int(weight),
                         "not in valid range [0, 100]");
}

/* ---- node affinity ---- */

static void check_expression(ks_faults *faults, const ks_selector_requirement *expression)
{
    ks_requirement requirement = {.key = expression->key, .values = expression->values};
    if (!ks_operator_parse(&requirement.op, expression->op)) {
        ks_fault_not_supported(faults, ".operator", ks_show_enum(expression->op),
                               "\"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"");
        return;
    }
    ks_buf text;
    ks_buf_init(&text, faults->text.alloc);
    for (size_t nth = 0; ks_requirement_explain_nth(&text, &requirement, nth); nth++) {
        if (text.failed)
            ks_faults_fail(faults);
        else
            ks_fault_text(faults, ks_buf_str(&text));
        ks_buf_clear(&text);
    }
    ks_buf_free(&text);
}

static void check_field(ks_faults *faults, const ks_selector_requirement *expression)
{
    if (!ks_str_eq(expression->op, KS_STR("In")) && !ks_str_eq(expression->op, KS_STR("NotIn"))) {
        ks_fault_not_supported(faults, ".operator", ks_show_enum(expression->op), "\"In\", \"NotIn\"");
        return;
    }
    if (expression->values.count == 1)
        return;
    ks_buf values;
    ks_buf_init(&values, faults->text.alloc);
    ks_quote_json_list(&values, expression->values.items, expression->values.count);
    if (values.failed)
        ks_faults_fail(faults);
    else
        ks_fault_invalid(faults, ".values", ks_show_raw(ks_buf_str(&values)), "must have one element");
    ks_buf_free(&values);
}

void ks_node_selector_term_check(ks_faults *faults, const ks_node_selector_term *term)
{
    for (size_t i = 0; i < term->match_expressions.count; i++) {
        size_t mark = ks_faults_enter(faults, ".matchExpressions[%zu]", i);
        check_expression(faults, &term->match_expressions.items[i]);
        ks_faults_leave(faults, mark);
    }
    for (size_t i = 0; i < term->match_fields.count; i++) {
        size_t mark = ks_faults_enter(faults, ".matchFields[%zu]", i);
        check_field(faults, &term->match_fields.items[i]);
        ks_faults_leave(faults, mark);
    }
}

static void check_required(ks_faults *faults, const ks_node_selector *required)
{
    size_t top = ks_faults_enter(faults, ".requiredDuringSchedulingIgnoredDuringExecution");
    for (size_t i = 0; i < required->node_selector_terms.count; i++) {
        size_t mark = ks_faults_enter(faults, ".nodeSelectorTerms[%zu]", i);
        ks_node_selector_term_check(faults, &required->node_selector_terms.items[i]);
        ks_faults_leave(faults, mark);
    }
    ks_faults_leave(faults, top);
}

/* A term of weight 0 counts for nothing and is not even looked at. */
static void check_preferred(ks_faults *faults, const ks_node_affinity *affinity)
{
    for (size_t i = 0; i < affinity->preferred.count; i++) {
        const ks_preferred_scheduling_term *term = &affinity->preferred.items[i];
        size_t mark = ks_faults_enter(faults, ".preferredDuringSchedulingIgnoredDuringExecution[%zu]", i);
        if (term->weight != 0)
            ks_node_selector_term_check(faults, &term->preference);
        ks_faults_leave(faults, mark);
    }
}

void ks_node_affinity_args_check(ks_faults *faults, const void *args)
{
    const ks_node_affinity *added = ((const ks_file_node_affinity_args *)args)->args.added_affinity;
    if (!added)
        return;
    size_t mark = ks_faults_enter(faults, ".addedAffinity");
    if (added->required)
        check_required(faults, added->required);
    check_preferred(faults, added);
    ks_faults_leave(faults, mark);
}

/* ---- resources ---- */

static bool named_before(const ks_resource_weights *resources, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (ks_str_eq(resources->items[i].name, resources->items[at].name))
            return true;
    return false;
}

void ks_balanced_args_check(ks_faults *faults, const void *args)
{
    const ks_resource_weights *resources = &((const ks_file_balanced_args *)args)->resources;
    for (size_t i = 0; i < resources->count; i++) {
        size_t mark = ks_faults_enter(faults, ".resources[%zu]", i);
        if (named_before(resources, i))
            ks_fault_duplicate(faults, ".name", ks_show_string(resources->items[i].name));
        if (resources->items[i].weight != 1)
            ks_fault_invalid(faults, ".weight", ks_show_int(resources->items[i].weight), "must be 1");
        ks_faults_leave(faults, mark);
    }
}

static void check_weights(ks_faults *faults, const ks_resource_weights *resources)
{
    ks_buf rule;
    ks_buf_init(&rule, faults->text.alloc);
    for (size_t i = 0; i < resources->count; i++) {
        const ks_resource_weight *resource = &resources->items[i];
        if (resource->weight > 0 && resource->weight <= RESOURCE_WEIGHT_MAX)
            continue;
        ks_buf_clear(&rule);
        ks_buf_printf(&rule, "resource weight of %.*s not in valid range (0, 100]",
                      KS_STR_ARG(resource->name));
        size_t mark = ks_faults_enter(faults, ".resources[%zu]", i);
        if (rule.failed)
            ks_faults_fail(faults);
        else
            ks_fault_invalid(faults, ".weight", ks_show_int(resource->weight), rule.data);
        ks_faults_leave(faults, mark);
    }
    ks_buf_free(&rule);
}

static void check_rising(ks_faults *faults, const ks_shape_point *points, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (points[i - 1].utilization < points[i].utilization)
            continue;
        size_t mark = ks_faults_enter(faults, "[%zu]", i);
        ks_fault_invalid(faults, ".utilization", ks_show_int(points[i].utilization),
                         "values must be sorted in increasing order");
        ks_faults_leave(faults, mark);
        return;
    }
}

static void check_shape(ks_faults *faults, const ks_shape_point *points, size_t count)
{
    if (count == 0)
        ks_fault_required(faults, "", "at least one point must be specified");
    check_rising(faults, points, count);
    for (size_t i = 0; i < count; i++) {
        size_t mark = ks_faults_enter(faults, "[%zu]", i);
        if (points[i].utilization < 0 || points[i].utilization > UTILIZATION_MAX)
            ks_fault_invalid(faults, ".utilization", ks_show_int(points[i].utilization),
                             "not in valid range [0, 100]");
        if (points[i].score < 0 || points[i].score > SHAPE_SCORE_MAX)
            ks_fault_invalid(faults, ".score", ks_show_int(points[i].score), "not in valid range [0, 10]");
        ks_faults_leave(faults, mark);
    }
}

static void check_strategy(ks_faults *faults, const ks_file_scoring_strategy *strategy)
{
    bool by_shape = ks_str_eq(strategy->type, KS_STR("RequestedToCapacityRatio"));
    const ks_file_capacity_ratio *ratio = strategy->requested_to_capacity_ratio;
    if (!by_shape && !ks_str_eq(strategy->type, KS_STR("LeastAllocated")) &&
        !ks_str_eq(strategy->type, KS_STR("MostAllocated")))
        ks_fault_not_supported(faults, ".type", ks_show_enum(strategy->type),
                               "\"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\"");
    check_weights(faults, &strategy->resources);
    if (by_shape && !ratio)
        ks_fault_required(faults, ".requestedToCapacityRatio",
                          "must be specified when type is RequestedToCapacityRatio");
    if (!by_shape && ratio)
        ks_fault_forbidden(faults, ".requestedToCapacityRatio",
                           "must be nil when type is not RequestedToCapacityRatio");
    if (!by_shape || !ratio)
        return;
    size_t mark = ks_faults_enter(faults, ".requestedToCapacityRatio.shape");
    check_shape(faults, ratio->shape.items, ratio->shape.count);
    ks_faults_leave(faults, mark);
}

static void check_group(ks_faults *faults, ks_str group)
{
    if (group.len && memchr(group.data, '/', group.len))
        ks_fault_invalid(faults, "", ks_show_string(group), "resource group name can't contain '/'");
    ks_fault_label_key(faults, "", group);
}

void ks_fit_args_check(ks_faults *faults, const void *args)
{
    const ks_file_fit_args *fit = args;
    for (size_t i = 0; i < fit->ignored_resources.count; i++) {
        size_t mark = ks_faults_enter(faults, ".ignoredResources[%zu]", i);
        ks_fault_label_key(faults, "", fit->ignored_resources.items[i]);
        ks_faults_leave(faults, mark);
    }
    for (size_t i = 0; i < fit->ignored_resource_groups.count; i++) {
        size_t mark = ks_faults_enter(faults, ".ignoredResourceGroups[%zu]", i);
        check_group(faults, fit->ignored_resource_groups.items[i]);
        ks_faults_leave(faults, mark);
    }
    if (!fit->scoring_strategy)
        return;
    size_t mark = ks_faults_enter(faults, ".scoringStrategy");
    check_strategy(faults, fit->scoring_strategy);
    ks_faults_leave(faults, mark);
}

/* ---- volumes ---- */

/* The points as Go shows them, which has no names of its own for their fields. */
static void report_shape(ks_faults *faults, const ks_shape_point *points, size_t count)
{
    ks_buf shown;
    ks_buf_init(&shown, faults->text.alloc);
    ks_buf_put_char(&shown, '[');
    for (size_t i = 0; i < count; i++)
        ks_buf_printf(&shown, "%s{\"Utilization\":%d,\"Score\":%d}", i ? "," : "", (int)points[i].utilization,
                      (int)points[i].score);
    ks_buf_put_char(&shown, ']');
    if (shown.failed)
        ks_faults_fail(faults);
    else
        ks_fault_invalid(faults, ".shape", ks_show_raw(ks_buf_str(&shown)),
                         "unexpected field `shape`, remove it or turn on the feature gate "
                         "StorageCapacityScoring");
    ks_buf_free(&shown);
}

void ks_volume_binding_args_check(ks_faults *faults, const void *args)
{
    const ks_file_volume_binding_args *volumes = args;
    if (volumes->bind_timeout_seconds < 0)
        ks_fault_invalid(faults, ".bindTimeoutSeconds", ks_show_int(volumes->bind_timeout_seconds),
                         "invalid BindTimeoutSeconds, should not be a negative value");
    if (volumes->shape.items)
        report_shape(faults, volumes->shape.items, volumes->shape.count);
}
