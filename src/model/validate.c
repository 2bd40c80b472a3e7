// SPDX-License-Identifier: Apache-2.0
#include "model/fault.h"
#include "model/selector.h"
#include "util/index.h"

static bool is_do_not_schedule(ks_str action)
{
    return ks_str_eq(action, KS_STR("DoNotSchedule"));
}

static bool is_action(ks_str action)
{
    return is_do_not_schedule(action) || ks_str_eq(action, KS_STR("ScheduleAnyway"));
}

static bool is_policy(ks_str policy)
{
    return ks_str_eq(policy, KS_STR("Honor")) || ks_str_eq(policy, KS_STR("Ignore"));
}

static void put_fault_action(ks_faults *faults, ks_str action)
{
    ks_fault_not_supported(faults, ".whenUnsatisfiable", ks_show_enum(action),
                           "\"DoNotSchedule\", \"ScheduleAnyway\"");
}

/* ---- constraints of the same kind: equal topologyKey and whenUnsatisfiable ---- */

static uint64_t kind_hash(const ks_topology_spread_constraint *constraint)
{
    return ks_hash_bytes(constraint->when_unsatisfiable.data, constraint->when_unsatisfiable.len,
                         ks_str_hash(constraint->topology_key));
}

static bool kind_equal(const void *ctx, uint32_t row, const void *key)
{
    const ks_topology_spread_constraints *constraints = ctx;
    const ks_topology_spread_constraint *a = &constraints->items[row], *b = key;
    return ks_str_eq(a->topology_key, b->topology_key) &&
           ks_str_eq(a->when_unsatisfiable, b->when_unsatisfiable);
}

static bool mark_repeated(bool *repeated, size_t at, const ks_topology_spread_constraints *constraints,
                          ks_index *seen, ks_alloc *alloc)
{
    const ks_topology_spread_constraint *constraint = &constraints->items[at];
    uint64_t hash = kind_hash(constraint);
    repeated[at] = ks_index_find(seen, hash, kind_equal, constraints, constraint) != KS_NONE;
    if (repeated[at])
        return true;
    if (!ks_index_reserve(seen, alloc))
        return false;
    ks_index_add(seen, hash, (uint32_t)at);
    return true;
}

typedef enum direction { FORWARDS, BACKWARDS } direction;

/* Which constraints come behind one of their kind, going through them in that direction; there must be
 * some. Freed by the caller; NULL for want of memory. */
static bool *find_repeated(const ks_topology_spread_constraints *constraints, direction direction,
                           ks_alloc *alloc)
{
    size_t count = constraints->count;
    bool *repeated = ks_alloc_get(alloc, count * sizeof *repeated);
    if (!repeated)
        return NULL;
    ks_index seen = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = mark_repeated(repeated, direction == FORWARDS ? i : count - 1 - i, constraints, &seen, alloc);
    ks_index_free(&seen, alloc);
    if (ok)
        return repeated;
    ks_alloc_free(alloc, repeated, count * sizeof *repeated);
    return NULL;
}

static void put_fault_repeated(ks_faults *faults, const char *field,
                               const ks_topology_spread_constraint *constraint)
{
    ks_buf kind;
    ks_buf_init(&kind, faults->text.alloc);
    ks_buf_put_char(&kind, '{');
    ks_buf_put_str(&kind, constraint->topology_key);
    ks_buf_put_str(&kind, KS_STR(", "));
    ks_buf_put_str(&kind, constraint->when_unsatisfiable);
    ks_buf_put_char(&kind, '}');
    if (kind.failed)
        ks_faults_fail(faults);
    else
        ks_fault_duplicate(faults, field, ks_show_string(ks_buf_str(&kind)));
    ks_buf_free(&kind);
}

/* ---- label selectors ---- */

static void check_values(ks_faults *faults, const ks_selector_requirement *requirement)
{
    if (ks_str_eq(requirement->op, KS_STR("In")) || ks_str_eq(requirement->op, KS_STR("NotIn"))) {
        if (requirement->values.count == 0)
            ks_fault_required(faults, ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        return;
    }
    if (ks_str_eq(requirement->op, KS_STR("Exists")) || ks_str_eq(requirement->op, KS_STR("DoesNotExist"))) {
        if (requirement->values.count > 0)
            ks_fault_forbidden(faults, ".values",
                               "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        return;
    }
    ks_fault_invalid(faults, ".operator", ks_show_enum(requirement->op), "not a valid selector operator");
}

static void check_expression(ks_faults *faults, const ks_selector_requirement *requirement)
{
    check_values(faults, requirement);
    ks_fault_label_key(faults, ".key", requirement->key);
    for (size_t i = 0; i < requirement->values.count; i++) {
        size_t mark = ks_faults_enter(faults, ".values[%zu]", i);
        ks_fault_label_value(faults, "", requirement->values.items[i]);
        ks_faults_leave(faults, mark);
    }
}

static void check_selector(ks_faults *faults, const ks_label_selector *selector)
{
    if (!selector)
        return;
    size_t mark = ks_faults_enter(faults, ".labelSelector");
    for (size_t i = 0; i < selector->match_labels.count; i++) {
        ks_fault_label_key(faults, ".matchLabels", selector->match_labels.items[i].key);
        ks_fault_label_value(faults, ".matchLabels", selector->match_labels.items[i].value);
    }
    for (size_t i = 0; i < selector->match_expressions.count; i++) {
        size_t inner = ks_faults_enter(faults, ".matchExpressions[%zu]", i);
        check_expression(faults, &selector->match_expressions.items[i]);
        ks_faults_leave(faults, inner);
    }
    ks_faults_leave(faults, mark);
}

/* ---- matchLabelKeys ---- */

static bool string_equal(const void *ctx, uint32_t row, const void *key)
{
    const ks_strs *strings = ctx;
    return ks_str_eq(strings->items[row], *(const ks_str *)key);
}

/* From each key to the last place where it stands. */
static bool index_keys(ks_index *index, const ks_strs *keys, ks_alloc *alloc)
{
    for (size_t i = keys->count; i-- > 0;) {
        uint64_t hash = ks_str_hash(keys->items[i]);
        if (ks_index_find(index, hash, string_equal, keys, &keys->items[i]) != KS_NONE)
            continue;
        if (!ks_index_reserve(index, alloc))
            return false;
        ks_index_add(index, hash, (uint32_t)i);
    }
    return true;
}

/* The API server joins matchLabelKeys to the selector as expressions before it looks for keys given twice,
 * so it complains only of an expression whose key came before, in matchLabels or another expression; and
 * its path lacks the field's name. */
static void check_overlap(ks_faults *faults, const ks_strs *keys, const ks_label_selector *selector,
                          const ks_index *index, bool *seen)
{
    for (size_t i = 0; i < keys->count; i++)
        seen[i] = ks_labels_get(&selector->match_labels, keys->items[i]).data;
    for (size_t i = 0; i < selector->match_expressions.count; i++) {
        ks_str key = selector->match_expressions.items[i].key;
        uint32_t at = ks_index_find(index, ks_str_hash(key), string_equal, keys, &key);
        if (at == KS_NONE)
            continue;
        if (seen[at]) {
            size_t mark = ks_faults_enter(faults, "[%u]", (unsigned)at);
            ks_fault_invalid(faults, "", ks_show_string(key),
                             "exists in both matchLabelKeys and labelSelector");
            ks_faults_leave(faults, mark);
        }
        seen[at] = true;
    }
}

static void check_match_label_keys(ks_faults *faults, const ks_topology_spread_constraint *constraint)
{
    const ks_strs *keys = &constraint->match_label_keys;
    ks_alloc *alloc = faults->text.alloc;
    if (keys->count == 0)
        return;
    if (!constraint->label_selector) {
        ks_fault_forbidden(faults, ".matchLabelKeys", "must not be specified when labelSelector is not set");
        return;
    }
    for (size_t i = 0; i < keys->count; i++) {
        size_t mark = ks_faults_enter(faults, ".matchLabelKeys[%zu]", i);
        ks_fault_label_key(faults, "", keys->items[i]);
        ks_faults_leave(faults, mark);
    }
    ks_index index = {0};
    bool *seen = ks_alloc_get(alloc, keys->count * sizeof *seen);
    if (seen && index_keys(&index, keys, alloc))
        check_overlap(faults, keys, constraint->label_selector, &index, seen);
    else
        ks_faults_fail(faults);
    ks_alloc_free(alloc, seen, keys->count * sizeof *seen);
    ks_index_free(&index, alloc);
}

/* ---- a pod's constraints ---- */

static void check_min_domains(ks_faults *faults, ks_opt_i32 min_domains, ks_str action)
{
    if (!min_domains.set)
        return;
    if (min_domains.value <= 0)
        ks_fault_invalid(faults, ".minDomains", ks_show_int(min_domains.value), "must be greater than zero");
    if (is_do_not_schedule(action))
        return;
    ks_buf rule;
    ks_buf_init(&rule, faults->text.alloc);
    ks_buf_put_str(&rule, KS_STR("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "));
    ks_buf_put_str(&rule, action);
    if (rule.failed)
        ks_faults_fail(faults);
    else
        ks_fault_invalid(faults, ".minDomains", ks_show_int(min_domains.value), rule.data);
    ks_buf_free(&rule);
}

static void check_policy(ks_faults *faults, const char *field, ks_str policy)
{
    if (policy.data && !is_policy(policy))
        ks_fault_not_supported(faults, field, ks_show_enum(policy), "\"Honor\", \"Ignore\"");
}

static void check_constraint(ks_faults *faults, const ks_topology_spread_constraint *constraint,
                             bool repeated, ks_gates gates)
{
    if (constraint->max_skew <= 0)
        ks_fault_invalid(faults, ".maxSkew", ks_show_int(constraint->max_skew), "must be greater than zero");
    if (constraint->topology_key.len == 0)
        ks_fault_required(faults, ".topologyKey", "can not be empty");
    if (!is_action(constraint->when_unsatisfiable))
        put_fault_action(faults, constraint->when_unsatisfiable);
    if (repeated)
        put_fault_repeated(faults, ".{topologyKey, whenUnsatisfiable}", constraint);
    check_min_domains(faults, constraint->min_domains, constraint->when_unsatisfiable);
    if (gates & KS_GATE_NODE_INCLUSION_POLICY) {
        check_policy(faults, ".nodeAffinityPolicy", constraint->node_affinity_policy);
        check_policy(faults, ".nodeTaintsPolicy", constraint->node_taints_policy);
    }
    if (gates & KS_GATE_MATCH_LABEL_KEYS)
        check_match_label_keys(faults, constraint);
    check_selector(faults, constraint->label_selector);
}

static void check_pod(ks_faults *faults, const ks_topology_spread_constraints *constraints, ks_gates gates)
{
    ks_alloc *alloc = faults->text.alloc;
    bool *repeated = find_repeated(constraints, BACKWARDS, alloc);
    if (!repeated) {
        ks_faults_fail(faults);
        return;
    }
    for (size_t i = 0; i < constraints->count; i++) {
        size_t mark = ks_faults_enter(faults, "spec.topologySpreadConstraints[%zu]", i);
        check_constraint(faults, &constraints->items[i], repeated[i], gates);
        ks_faults_leave(faults, mark);
    }
    ks_alloc_free(alloc, repeated, constraints->count * sizeof *repeated);
}

int ks_pod_validate(size_t *count, const ks_pod *pod, ks_gates gates, const ks_allocator *allocator,
                    ks_fault_fn fault, void *ctx, ks_error *err)
{
    const ks_topology_spread_constraints *constraints = &pod->spec.topology_spread_constraints;
    *count = 0;
    if (constraints->count == 0 || !(gates & KS_GATE_POD_TOPOLOGY_SPREAD))
        return KS_OK;
    ks_alloc alloc;
    ks_alloc_init(&alloc, allocator);
    ks_faults faults;
    ks_faults_init(&faults, &alloc, fault, ctx);
    check_pod(&faults, constraints, gates);
    *count = faults.count;
    return ks_faults_finish(&faults, err);
}

/* ---- PodTopologySpreadArgs ---- */

static void check_defaulting_type(ks_faults *faults, const ks_spread_args *args)
{
    bool system = args->defaulting_type.len == 0 || ks_str_eq(args->defaulting_type, KS_STR("System"));
    ks_shown shown = ks_show_enum(system ? KS_STR("System") : args->defaulting_type);
    if (!system && !ks_str_eq(args->defaulting_type, KS_STR("List")))
        ks_fault_not_supported(faults, ".defaultingType", shown, "\"System\", \"List\"");
    else if (system && args->default_constraints.count > 0)
        ks_fault_invalid(faults, ".defaultingType", shown, "when .defaultConstraints are not empty");
}

/* By other rules than a pod's: the topology key must be a label key, and there is no selector, since each
 * pod's own is deduced. */
static void check_default_constraint(ks_faults *faults, const ks_topology_spread_constraint *constraint,
                                     bool repeated)
{
    if (constraint->max_skew <= 0)
        ks_fault_invalid(faults, ".maxSkew", ks_show_int(constraint->max_skew),
                         "not in valid range (0, inf)");
    if (constraint->topology_key.len == 0)
        ks_fault_required(faults, ".topologyKey", "can not be empty");
    else
        ks_fault_label_key(faults, ".topologyKey", constraint->topology_key);
    if (constraint->when_unsatisfiable.len == 0)
        ks_fault_required(faults, ".whenUnsatisfiable", "can not be empty");
    else if (!is_action(constraint->when_unsatisfiable))
        put_fault_action(faults, constraint->when_unsatisfiable);
    if (constraint->label_selector)
        ks_fault_forbidden(faults, ".labelSelector",
                           "constraint must not define a selector, as they deduced for each pod");
    if (repeated)
        put_fault_repeated(faults, "", constraint);
}

static void check_default_constraints(ks_faults *faults, const ks_topology_spread_constraints *constraints)
{
    ks_alloc *alloc = faults->text.alloc;
    if (constraints->count == 0)
        return;
    bool *repeated = find_repeated(constraints, FORWARDS, alloc);
    if (!repeated) {
        ks_faults_fail(faults);
        return;
    }
    for (size_t i = 0; i < constraints->count; i++) {
        size_t mark = ks_faults_enter(faults, ".defaultConstraints[%zu]", i);
        check_default_constraint(faults, &constraints->items[i], repeated[i]);
        ks_faults_leave(faults, mark);
    }
    ks_alloc_free(alloc, repeated, constraints->count * sizeof *repeated);
}

int ks_spread_args_validate(size_t *count, const ks_spread_args *args, ks_str path,
                            const ks_allocator *allocator, ks_fault_fn fault, void *ctx, ks_error *err)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, allocator);
    ks_faults faults;
    ks_faults_init(&faults, &alloc, fault, ctx);
    ks_buf_put_str(&faults.path, path);
    check_defaulting_type(&faults, args);
    check_default_constraints(&faults, &args->default_constraints);
    *count = faults.count;
    return ks_faults_finish(&faults, err);
}
