// SPDX-License-Identifier: Apache-2.0
#include "support/plain_rules.h"
#include "support/random.h"
#include "util/str.h"
#include <errno.h>
#include <stdlib.h>

static bool is(ks_str text, const char *word)
{
    return ks_str_eq(text, ks_str_of(word));
}

bool plain_label(const ks_labels *labels, ks_str key, ks_str *value)
{
    for (size_t i = 0; i < labels->count; i++)
        if (ks_str_eq(labels->items[i].key, key)) {
            *value = labels->items[i].value;
            return true;
        }
    return false;
}

/* ---- selectors ---- */

static void push(plain_selector *selector, ks_selector_requirement requirement, ks_arena *arena)
{
    ks_selector_requirement *grown = random_take(arena, (selector->count + 1) * sizeof *grown);
    for (size_t i = 0; i < selector->count; i++)
        grown[i] = selector->items[i];
    grown[selector->count++] = requirement;
    selector->items = grown;
}

void plain_selector_require(plain_selector *selector, ks_label label, ks_arena *arena)
{
    ks_str *value = random_take(arena, sizeof *value);
    *value = label.value;
    push(selector, (ks_selector_requirement){label.key, KS_STR("In"), {value, 1}}, arena);
}

void plain_selector_append(plain_selector *selector, const plain_selector *more, ks_arena *arena)
{
    for (size_t i = 0; !more->nothing && i < more->count; i++)
        push(selector, more->items[i], arena);
}

/* The tests' vocabulary has one kind of malformed word: with a space in it. */
static bool is_well_formed(ks_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.data[i] == ' ')
            return false;
    return true;
}

static bool can_be(const ks_selector_requirement *requirement)
{
    if (!is_well_formed(requirement->key))
        return false;
    if (is(requirement->op, "In") || is(requirement->op, "NotIn"))
        return requirement->values.count > 0;
    if (is(requirement->op, "Exists") || is(requirement->op, "DoesNotExist"))
        return requirement->values.count == 0;
    return false;
}

bool plain_selector_make(plain_selector *out, const ks_label_selector *from, ks_arena *arena)
{
    *out = (plain_selector){.nothing = !from};
    if (!from)
        return true;
    for (size_t i = 0; i < from->match_labels.count; i++)
        plain_selector_require(out, from->match_labels.items[i], arena);
    for (size_t i = 0; i < from->match_expressions.count; i++) {
        if (!can_be(&from->match_expressions.items[i]))
            return false;
        push(out, from->match_expressions.items[i], arena);
    }
    return true;
}

static bool has_word(const ks_strs *words, ks_str word)
{
    for (size_t i = 0; i < words->count; i++)
        if (ks_str_eq(words->items[i], word))
            return true;
    return false;
}

static bool parse_integer(ks_str text, long long *out)
{
    char copy[32] = "", *end;
    if (text.len == 0 || text.len >= sizeof copy)
        return false;
    memcpy(copy, text.data, text.len);
    errno = 0;
    *out = strtoll(copy, &end, 10);
    return *end == '\0' && errno == 0;
}

static bool requirement_holds(const ks_selector_requirement *requirement, const ks_labels *labels)
{
    ks_str value = {0};
    bool has = plain_label(labels, requirement->key, &value);
    if (is(requirement->op, "In"))
        return has && has_word(&requirement->values, value);
    if (is(requirement->op, "NotIn"))
        return !has || !has_word(&requirement->values, value);
    if (is(requirement->op, "Exists"))
        return has;
    if (is(requirement->op, "DoesNotExist"))
        return !has;
    long long left, right;
    if (!has || !parse_integer(value, &left) || !parse_integer(requirement->values.items[0], &right))
        return false;
    return is(requirement->op, "Gt") ? left > right : left < right;
}

bool plain_selector_matches(const plain_selector *selector, const ks_labels *labels)
{
    if (selector->nothing)
        return false;
    for (size_t i = 0; i < selector->count; i++)
        if (!requirement_holds(&selector->items[i], labels))
            return false;
    return true;
}

bool plain_selector_is_empty(const plain_selector *selector)
{
    return !selector->nothing && selector->count == 0;
}

/* ---- nodes that a pod may go to ---- */

static bool node_requirement_can_be(const ks_selector_requirement *requirement)
{
    if (!is(requirement->op, "Gt") && !is(requirement->op, "Lt"))
        return can_be(requirement);
    long long number;
    return requirement->values.count == 1 && parse_integer(requirement->values.items[0], &number);
}

/* metadata.name In or NotIn one name is all that fields may say. */
static bool field_holds(const ks_selector_requirement *requirement, const ks_node *node)
{
    bool same = ks_str_eq(requirement->values.items[0], node->metadata.name);
    return is(requirement->op, "In") ? same : !same;
}

/* A term that says nothing, or says one thing that cannot be, matches no node. */
static bool term_matches(const ks_node_selector_term *term, const ks_node *node)
{
    if (term->match_expressions.count + term->match_fields.count == 0)
        return false;
    for (size_t i = 0; i < term->match_expressions.count; i++)
        if (!node_requirement_can_be(&term->match_expressions.items[i]) ||
            !requirement_holds(&term->match_expressions.items[i], &node->metadata.labels))
            return false;
    for (size_t i = 0; i < term->match_fields.count; i++)
        if (!field_holds(&term->match_fields.items[i], node))
            return false;
    return true;
}

bool plain_affinity_matches(const ks_pod_spec *spec, const ks_node *node)
{
    for (size_t i = 0; i < spec->node_selector.count; i++) {
        ks_str value = {0};
        if (!plain_label(&node->metadata.labels, spec->node_selector.items[i].key, &value) ||
            !ks_str_eq(value, spec->node_selector.items[i].value))
            return false;
    }
    if (!spec->affinity || !spec->affinity->node_affinity || !spec->affinity->node_affinity->required)
        return true;
    const ks_node_selector *required = spec->affinity->node_affinity->required;
    for (size_t i = 0; i < required->node_selector_terms.count; i++)
        if (term_matches(&required->node_selector_terms.items[i], node))
            return true;
    return false;
}

/* Lt and Gt are behind an alpha gate that is off. */
static bool tolerates(const ks_toleration *toleration, const ks_taint *taint)
{
    if (toleration->effect.len > 0 && !ks_str_eq(toleration->effect, taint->effect))
        return false;
    if (toleration->key.len > 0 && !ks_str_eq(toleration->key, taint->key))
        return false;
    if (is(toleration->op, "Exists"))
        return true;
    return (is(toleration->op, "") || is(toleration->op, "Equal")) &&
           ks_str_eq(toleration->value, taint->value);
}

const ks_taint *plain_untolerated(const ks_pod_spec *spec, const ks_node *node)
{
    for (size_t i = 0; i < node->spec.taints.count; i++) {
        const ks_taint *taint = &node->spec.taints.items[i];
        if (!is(taint->effect, "NoSchedule") && !is(taint->effect, "NoExecute"))
            continue;
        bool tolerated = false;
        for (size_t t = 0; t < spec->tolerations.count; t++)
            tolerated |= tolerates(&spec->tolerations.items[t], taint);
        if (!tolerated)
            return taint;
    }
    return NULL;
}
