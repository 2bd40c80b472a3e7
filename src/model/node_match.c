// SPDX-License-Identifier: Apache-2.0
#include "model/requirement.h"

ks_required_affinity ks_required_affinity_of(const ks_pod_spec *spec)
{
    const ks_node_affinity *affinity = spec->affinity ? spec->affinity->node_affinity : NULL;
    return (ks_required_affinity){.node_selector = spec->node_selector,
                                  .node_affinity = affinity ? affinity->required : NULL};
}

/* What does not parse matches nothing, so the costly check is left for what would match. */
static bool expression_matches(const ks_selector_requirement *expression, const ks_labels *labels)
{
    ks_requirement requirement = {.key = expression->key, .values = expression->values};
    return ks_operator_parse(&requirement.op, expression->op) &&
           ks_requirement_matches(&requirement, labels) && ks_requirement_valid(&requirement);
}

static bool expressions_match(const ks_selector_requirements *expressions, const ks_labels *labels)
{
    for (size_t i = 0; i < expressions->count; i++)
        if (!expression_matches(&expressions->items[i], labels))
            return false;
    return true;
}

/* The only field that a node has is its name; any other reads as empty. A node without a name has no
 * fields at all, and then what is asked of them does not count, as long as it parses. */
static bool field_matches(const ks_selector_requirement *expression, ks_str node_name)
{
    bool in = ks_str_eq(expression->op, KS_STR("In"));
    if ((!in && !ks_str_eq(expression->op, KS_STR("NotIn"))) || expression->values.count != 1)
        return false;
    if (node_name.len == 0)
        return true;
    ks_str value = ks_str_eq(expression->key, KS_STR("metadata.name")) ? node_name : KS_STR("");
    return ks_str_eq(value, expression->values.items[0]) == in;
}

static bool fields_match(const ks_selector_requirements *expressions, ks_str node_name)
{
    for (size_t i = 0; i < expressions->count; i++)
        if (!field_matches(&expressions->items[i], node_name))
            return false;
    return true;
}

static bool term_matches(const ks_node_selector_term *term, ks_str node_name, const ks_labels *node_labels)
{
    if (term->match_expressions.count == 0 && term->match_fields.count == 0)
        return false;
    return expressions_match(&term->match_expressions, node_labels) &&
           fields_match(&term->match_fields, node_name);
}

static bool has_labels(const ks_labels *labels, const ks_labels *wanted)
{
    for (size_t i = 0; i < wanted->count; i++) {
        ks_str value = ks_labels_get(labels, wanted->items[i].key);
        if (!value.data || !ks_str_eq(value, wanted->items[i].value))
            return false;
    }
    return true;
}

bool ks_required_affinity_matches(const ks_required_affinity *affinity, ks_str node_name,
                                  const ks_labels *node_labels)
{
    if (!has_labels(node_labels, &affinity->node_selector))
        return false;
    const ks_node_selector *selector = affinity->node_affinity;
    if (!selector)
        return true;
    for (size_t i = 0; i < selector->node_selector_terms.count; i++)
        if (term_matches(&selector->node_selector_terms.items[i], node_name, node_labels))
            return true;
    return false;
}
