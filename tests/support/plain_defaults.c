// SPDX-License-Identifier: Apache-2.0
#include "support/plain_defaults.h"
#include "support/random.h"
#include "util/str.h"

static ks_str namespace_of(const ks_object_meta *meta)
{
    return meta->namespace_.len ? meta->namespace_ : KS_STR("default");
}

bool plain_same_namespace(const ks_object_meta *a, const ks_object_meta *b)
{
    return ks_str_eq(namespace_of(a), namespace_of(b));
}

bool plain_is_system(const ks_spread_args *args)
{
    return !ks_str_eq(args->defaulting_type, KS_STR("List"));
}

ks_topology_spread_constraints plain_default_constraints(const ks_spread_args *args, ks_arena *arena)
{
    if (!plain_is_system(args))
        return args->default_constraints;
    ks_topology_spread_constraints system = {random_take(arena, 2 * sizeof *system.items), 2};
    system.items[0] = (ks_topology_spread_constraint){.topology_key = KS_STR("kubernetes.io/hostname"),
                                                      .max_skew = 3,
                                                      .when_unsatisfiable = KS_STR("ScheduleAnyway")};
    system.items[1] = (ks_topology_spread_constraint){.topology_key = KS_STR("topology.kubernetes.io/zone"),
                                                      .max_skew = 5,
                                                      .when_unsatisfiable = KS_STR("ScheduleAnyway")};
    return system;
}

static plain_selector selector_of_map(const ks_labels *map, ks_arena *arena)
{
    plain_selector selector = {0};
    for (size_t i = 0; i < map->count; i++)
        plain_selector_require(&selector, map->items[i], arena);
    return selector;
}

/* All Services that select the pod join in; one without a selector selects nothing. */
static plain_selector selector_of_services(const plain_cluster *cluster, const ks_pod *pod, ks_arena *arena)
{
    plain_selector all = {0};
    for (size_t i = 0; i < cluster->of[KS_SERVICE].count; i++) {
        const ks_service *service = &cluster->of[KS_SERVICE].items[i]->service;
        plain_selector one = selector_of_map(&service->spec.selector, arena);
        if (service->spec.selector.items && plain_same_namespace(&service->metadata, &pod->metadata) &&
            plain_selector_matches(&one, &pod->metadata.labels))
            plain_selector_append(&all, &one, arena);
    }
    return all;
}

static const ks_owner_reference *controller_of(const ks_pod *pod)
{
    for (size_t i = 0; i < pod->metadata.owner_references.count; i++) {
        const ks_owner_reference *owner = &pod->metadata.owner_references.items[i];
        if (owner->controller.set && owner->controller.value)
            return owner;
    }
    return NULL;
}

static const ks_object *find_owner(const plain_cluster *cluster, ks_kind kind, const ks_pod *pod, ks_str name)
{
    for (size_t i = 0; i < cluster->of[kind].count; i++) {
        const ks_object *object = cluster->of[kind].items[i];
        if (ks_str_eq(object->metadata.name, name) && plain_same_namespace(&object->metadata, &pod->metadata))
            return object;
    }
    return NULL;
}

static ks_kind kind_of_owner(const ks_owner_reference *owner)
{
    if (ks_str_eq(owner->api_version, KS_STR("v1")))
        return ks_str_eq(owner->kind, KS_STR("ReplicationController")) ? KS_REPLICATION_CONTROLLER
                                                                       : KS_KIND_NONE;
    if (!ks_str_eq(owner->api_version, KS_STR("apps/v1")))
        return KS_KIND_NONE;
    if (ks_str_eq(owner->kind, KS_STR("ReplicaSet")))
        return KS_REPLICA_SET;
    return ks_str_eq(owner->kind, KS_STR("StatefulSet")) ? KS_STATEFUL_SET : KS_KIND_NONE;
}

static bool map_has(const ks_labels *map, ks_str key)
{
    ks_str value;
    return plain_label(map, key, &value);
}

/* A ReplicationController's map is merged into the Services': of a key in both, its value stands. */
static plain_selector merge_controller(const plain_selector *services, const ks_labels *map, ks_arena *arena)
{
    plain_selector merged = selector_of_map(map, arena);
    for (size_t i = 0; i < services->count; i++) {
        plain_selector one = {.items = &services->items[i], .count = 1};
        if (!map_has(map, services->items[i].key))
            plain_selector_append(&merged, &one, arena);
    }
    return merged;
}

plain_selector plain_default_selector(const plain_cluster *cluster, const ks_pod *pod, ks_arena *arena)
{
    plain_selector selector = selector_of_services(cluster, pod, arena);
    const ks_owner_reference *owner = controller_of(pod);
    ks_kind kind = owner ? kind_of_owner(owner) : KS_KIND_NONE;
    const ks_object *object = kind ? find_owner(cluster, kind, pod, owner->name) : NULL;
    if (!object)
        return selector;
    if (kind == KS_REPLICATION_CONTROLLER)
        return merge_controller(&selector, &object->replication_controller.spec.selector, arena);
    plain_selector own;
    if (plain_selector_make(&own, object->workload.spec.selector, arena))
        plain_selector_append(&selector, &own, arena);
    return selector;
}
