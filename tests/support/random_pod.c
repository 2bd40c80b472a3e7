// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"
#include "support/random_words.h"
#include "util/str.h"

/* ---- which nodes a pod wants ---- */

static void random_node_selector(ks_labels *out, random_source *random, ks_arena *arena)
{
    *out = (ks_labels){.items = random_take(arena, sizeof *out->items), .count = 1};
    out->items[0] = random_node_label(random);
}

static ks_strs one_value(ks_arena *arena, ks_str value)
{
    ks_strs values = {.items = random_take(arena, sizeof *values.items), .count = 1};
    values.items[0] = value;
    return values;
}

static ks_selector_requirement random_node_requirement(random_source *random, ks_arena *arena)
{
    static const ks_str ops[] = {{"In", 2}, {"NotIn", 5}, {"Exists", 6}, {"DoesNotExist", 12},
                                 {"Gt", 2}, {"Lt", 2},    {"Near", 4}};
    uint32_t op = random_below(random, random_chance(random, 5) ? 7 : 6);
    ks_label label = random_node_label(random);
    ks_selector_requirement requirement = {.key = label.key, .op = ops[op]};
    if (op < 2)
        requirement.values = one_value(arena, label.value);
    if (op >= 4) {
        requirement.key = RANDOM_RACK;
        requirement.values = one_value(arena, random_chance(random, 90) ? KS_STR("2") : KS_STR("two"));
    }
    return requirement;
}

static ks_selector_requirement random_field(random_source *random, ks_arena *arena)
{
    bool in = random_chance(random, 60);
    return (ks_selector_requirement){
        .key = KS_STR("metadata.name"),
        .op = in ? KS_STR("In") : KS_STR("NotIn"),
        .values = one_value(arena, random_name(arena, "node-%04u", random_below(random, 6)))};
}

static void random_term(ks_node_selector_term *term, random_source *random, ks_arena *arena)
{
    term->match_expressions.count = random_below(random, 3);
    if (term->match_expressions.count) {
        term->match_expressions.items =
            random_take(arena, term->match_expressions.count * sizeof(ks_selector_requirement));
        for (size_t i = 0; i < term->match_expressions.count; i++)
            term->match_expressions.items[i] = random_node_requirement(random, arena);
    }
    if (random_chance(random, 20)) {
        term->match_fields.items = random_take(arena, sizeof(ks_selector_requirement));
        term->match_fields.count = 1;
        term->match_fields.items[0] = random_field(random, arena);
    }
}

static const ks_affinity *random_affinity(random_source *random, ks_arena *arena)
{
    ks_affinity *affinity = random_take(arena, sizeof *affinity);
    ks_node_affinity *node_affinity = random_take(arena, sizeof *node_affinity);
    ks_node_selector *required = random_take(arena, sizeof *required);
    affinity->node_affinity = node_affinity;
    node_affinity->required = required;
    required->node_selector_terms.count = random_chance(random, 95) ? 1 + random_below(random, 2) : 0;
    required->node_selector_terms.items =
        random_take(arena, required->node_selector_terms.count * sizeof(ks_node_selector_term));
    for (size_t i = 0; i < required->node_selector_terms.count; i++)
        random_term(&required->node_selector_terms.items[i], random, arena);
    return affinity;
}

static void random_tolerations(ks_tolerations *out, random_source *random, ks_arena *arena)
{
    out->count = 1 + random_below(random, 2);
    out->items = random_take(arena, out->count * sizeof *out->items);
    for (size_t i = 0; i < out->count; i++)
        out->items[i] = random_toleration(random);
}

/* ---- constraints ---- */

static ks_str random_policy(random_source *random)
{
    static const ks_str policies[] = {{NULL, 0}, {"Honor", 5}, {"Ignore", 6}};
    return policies[random_below(random, 3)];
}

/* Everything but the selector. */
static ks_topology_spread_constraint random_constraint(random_source *random)
{
    const ks_str keys[] = {RANDOM_ZONE, RANDOM_HOSTNAME, RANDOM_ZONE, RANDOM_RACK, RANDOM_REGION};
    bool hard = random_chance(random, 50);
    ks_topology_spread_constraint constraint = {
        .max_skew = (int32_t)(1 + random_below(random, 1 + random_below(random, 3))),
        .topology_key = keys[random_below(random, 5)],
        .when_unsatisfiable = hard ? KS_STR("DoNotSchedule") : KS_STR("ScheduleAnyway"),
        .node_affinity_policy = random_policy(random),
        .node_taints_policy = random_policy(random),
    };
    if (hard && random_chance(random, 30))
        constraint.min_domains = (ks_opt_i32){true, (int32_t)(1 + random_below(random, 5))};
    return constraint;
}

static bool is_taken(const ks_topology_spread_constraints *list, const ks_topology_spread_constraint *new)
{
    for (size_t i = 0; i < list->count; i++)
        if (ks_str_eq(list->items[i].topology_key, new->topology_key) &&
            ks_str_eq(list->items[i].when_unsatisfiable, new->when_unsatisfiable))
            return true;
    return false;
}

void random_default_constraints(ks_topology_spread_constraints *out, random_source *random, ks_arena *arena)
{
    *out = (ks_topology_spread_constraints){.items = random_take(arena, 4 * sizeof *out->items)};
    uint32_t wanted = 1 + random_below(random, random_chance(random, 20) ? 4 : 2);
    for (uint32_t i = 0; i < wanted; i++) {
        ks_topology_spread_constraint constraint = random_constraint(random);
        if (!is_taken(out, &constraint))
            out->items[out->count++] = constraint;
    }
}

void random_constraints(ks_topology_spread_constraints *out, random_source *random, ks_arena *arena)
{
    static const ks_str keys[] = {{"track", 5}, {"tier", 4}, {"none", 4}};
    random_default_constraints(out, random, arena);
    for (size_t i = 0; i < out->count; i++) {
        out->items[i].label_selector = random_selector(random, arena);
        if (random_chance(random, 20))
            out->items[i].match_label_keys = random_some_words(random, arena, keys, 3);
    }
}

static void random_spec(ks_pod_spec *out, random_source *random, ks_arena *arena)
{
    if (random_chance(random, 20))
        random_node_selector(&out->node_selector, random, arena);
    if (random_chance(random, 20))
        out->affinity = random_affinity(random, arena);
    if (random_chance(random, 50))
        random_tolerations(&out->tolerations, random, arena);
    if (random_chance(random, 70))
        random_constraints(&out->topology_spread_constraints, random, arena);
    if (random_chance(random, 40))
        random_pod_affinity(out, random, arena);
}

/* ---- who owns a pod ---- */

static void random_owners(ks_object_meta *meta, random_source *random, ks_arena *arena)
{
    static const ks_str versions[] = {{"v1", 2}, {"apps/v1", 7}, {"apps/v1", 7}, {"apps/v1beta1", 12}};
    static const ks_str kinds[] = {
        {"ReplicationController", 21}, {"ReplicaSet", 10}, {"StatefulSet", 11}, {"ReplicaSet", 10}};
    meta->owner_references.count = random_below(random, 3);
    if (meta->owner_references.count == 0)
        return;
    meta->owner_references.items =
        random_take(arena, meta->owner_references.count * sizeof *meta->owner_references.items);
    for (size_t i = 0; i < meta->owner_references.count; i++) {
        uint32_t kind = random_below(random, 10) % 4;
        meta->owner_references.items[i] =
            (ks_owner_reference){.api_version = versions[kind],
                                 .kind = kinds[kind],
                                 .name = random_name(arena, "work-%u", random_below(random, 3)),
                                 .controller = {random_chance(random, 90), random_chance(random, 70)}};
    }
}

void random_pod(ks_pod *out, ks_arena *arena, const pod_recipe *recipe)
{
    static const ks_str phases[] = {
        {NULL, 0}, {"Pending", 7}, {"Running", 7}, {"Succeeded", 9}, {"Failed", 6}};
    *out = (ks_pod){0};
    out->metadata.name = random_name(arena, "pod-%u", recipe->slot / 2);
    out->metadata.namespace_ = random_namespace(recipe->slot);
    out->metadata.uid = random_name(arena, "uid-%u", recipe->slot);
    if (recipe->terminating)
        out->metadata.deletion_timestamp = KS_STR("2026-01-01T00:00:00Z");
    out->status.phase = phases[recipe->phase];
    if (recipe->node)
        out->spec.node_name = random_name(arena, "node-%04u", recipe->node - 1);

    random_source random = random_seed(UINT64_C(4) << 32 | recipe->labels);
    random_pod_labels(&out->metadata.labels, &random, arena);
    random = random_seed(UINT64_C(5) << 32 | recipe->owner);
    random_owners(&out->metadata, &random, arena);
    random = random_seed(UINT64_C(6) << 32 | recipe->spec);
    random_spec(&out->spec, &random, arena);
}
