// SPDX-License-Identifier: Apache-2.0
#include "engine/deduce.h"

/* Adds `more` to the map; a key that is there already takes the new value. */
static bool merge_labels(ks_labels *map, const ks_labels *more, ks_arena *arena)
{
    ks_label *items = ks_arena_get(arena, (map->count + more->count) * sizeof *items);
    if (!items)
        return false;
    if (map->count)
        memcpy(items, map->items, map->count * sizeof *items);
    if (more->count)
        memcpy(items + map->count, more->items, more->count * sizeof *items);
    map->items = items;
    map->count += more->count;
    ks_labels_sort(map);
    return true;
}

/* An absent selector of a Service selects nothing, not everything. */
static bool service_selects(const ks_service *service, const ks_labels *pod_labels)
{
    const ks_labels *selector = &service->spec.selector;
    for (size_t i = 0; i < selector->count; i++) {
        ks_str value = ks_labels_get(pod_labels, selector->items[i].key);
        if (!value.data || !ks_str_eq(value, selector->items[i].value))
            return false;
    }
    return selector->items != NULL;
}

static bool merge_services(ks_labels *map, const ks_class *class_, ks_arena *arena)
{
    for (size_t i = 0; i < class_->space->services.count; i++) {
        const ks_service *service = &class_->space->services.items[i]->object.service;
        if (service_selects(service, &class_->labels) && !merge_labels(map, &service->spec.selector, arena))
            return false;
    }
    return true;
}

static const ks_stored *controller_of(const ks_cluster *cluster, const ks_class *class_)
{
    static const ks_kind kinds[] = {KS_REPLICATION_CONTROLLER, KS_REPLICA_SET, KS_STATEFUL_SET};
    const ks_owner_reference *owner = &class_->controller;
    ks_kind kind = ks_kind_of(owner->api_version, owner->kind);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kind == kinds[i])
            return ks_stored_find(cluster, kind, ks_space_name(class_->space), owner->name);
    return NULL;
}

int ks_deduce_selector(ks_selector *out, const ks_cluster *cluster, const ks_class *class_, ks_arena *arena,
                       ks_error *err)
{
    ks_labels map = {0};
    const ks_stored *controller = controller_of(cluster, class_);
    bool by_labels = controller && controller->object.kind == KS_REPLICATION_CONTROLLER;
    if (!merge_services(&map, class_, arena) ||
        (by_labels && !merge_labels(&map, &controller->object.replication_controller.spec.selector, arena)))
        return ks_fail_nomem(err);
    int code = ks_selector_from_labels(out, &map, arena, err);
    if (code != KS_OK || !controller || by_labels)
        return code;
    ks_selector more;
    code = ks_selector_compile(&more, controller->object.workload.spec.selector, arena, err);
    if (code == KS_EINVAL || (code == KS_OK && more.nothing))
        return KS_OK;
    return code == KS_OK ? ks_selector_merge(out, &more, arena, err) : code;
}
