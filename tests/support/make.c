// SPDX-License-Identifier: Apache-2.0
#include "support/make.h"
#include "support/random.h"
#include "util/str.h"

static ks_str cut(ks_str *rest, char at)
{
    const char *end = memchr(rest->data, at, rest->len);
    size_t len = end ? (size_t)(end - rest->data) : rest->len;
    ks_str part = {rest->data, len};
    size_t past = len + (end != NULL);
    *rest = (ks_str){rest->data + past, rest->len - past};
    return part;
}

static size_t count_parts(const char *text)
{
    size_t parts = *text != '\0';
    for (; *text; text++)
        parts += *text == ',';
    return parts;
}

ks_labels make_labels(ks_arena *arena, const char *text)
{
    ks_labels labels = {0};
    if (!text)
        return labels;
    labels.items = random_take(arena, count_parts(text) * sizeof *labels.items);
    for (ks_str rest = ks_str_of(text); rest.len;) {
        ks_str value = cut(&rest, ','), key = cut(&value, '=');
        labels.items[labels.count++] = (ks_label){key, value};
    }
    return labels;
}

const ks_label_selector *make_selector(ks_arena *arena, const char *labels)
{
    if (!labels)
        return NULL;
    ks_label_selector *selector = random_take(arena, sizeof *selector);
    selector->match_labels = make_labels(arena, labels);
    return selector;
}

static ks_taints make_taints(ks_arena *arena, const char *text)
{
    ks_taints taints = {.items = random_take(arena, count_parts(text) * sizeof *taints.items)};
    for (ks_str rest = ks_str_of(text); rest.len;) {
        ks_str effect = cut(&rest, ','), value = cut(&effect, ':'), key = cut(&value, '=');
        taints.items[taints.count++] = (ks_taint){key, value, effect};
    }
    return taints;
}

ks_object make_node(ks_arena *arena, const char *name, const char *labels, const char *taints)
{
    ks_object object = {.kind = KS_NODE};
    object.node = (ks_node){.metadata = {.name = ks_str_of(name), .labels = make_labels(arena, labels)}};
    if (taints)
        object.node.spec.taints = make_taints(arena, taints);
    return object;
}

ks_object make_pod(ks_arena *arena, const char *name, const char *labels, const char *node)
{
    ks_object object = {.kind = KS_POD};
    object.pod = (ks_pod){.metadata = {.name = ks_str_of(name),
                                       .namespace_ = KS_STR("default"),
                                       .uid = ks_str_of(name),
                                       .labels = make_labels(arena, labels)},
                          .spec.node_name = ks_str_of(node)};
    return object;
}

void make_constraints(ks_pod *pod, ks_arena *arena, const made_constraint *constraints)
{
    size_t count = 0;
    while (constraints[count].key)
        count++;
    ks_topology_spread_constraints *list = &pod->spec.topology_spread_constraints;
    list->items = random_take(arena, count * sizeof *list->items);
    list->count = count;
    for (size_t i = 0; i < count; i++) {
        const made_constraint *from = &constraints[i];
        bool hard = ks_str_eq(ks_str_of(from->when), KS_STR("hard"));
        list->items[i] = (ks_topology_spread_constraint){
            .max_skew = from->max_skew ? from->max_skew : 1,
            .topology_key = ks_str_of(from->key),
            .when_unsatisfiable = hard ? KS_STR("DoNotSchedule") : KS_STR("ScheduleAnyway"),
            .label_selector = make_selector(arena, from->selector),
            .node_taints_policy = ks_str_of(from->taints_policy),
        };
    }
}

ks_profile make_spread_profile(ks_plugin_use *plugin)
{
    *plugin = (ks_plugin_use){KS_STR("PodTopologySpread"), 2, true, true};
    return (ks_profile){.plugins = {plugin, 1}};
}
