// SPDX-License-Identifier: Apache-2.0
#include "engine/resource.h"
#include "model/selector.h"

static const char *const base_names[KS_BASE_RESOURCES] = {
    [KS_PODS] = "pods",
    [KS_CPU] = "cpu",
    [KS_MEMORY] = "memory",
    [KS_STORAGE] = "ephemeral-storage",
};

ks_str ks_base_resource_name(int base)
{
    return ks_str_of(base_names[base]);
}

int ks_base_resource_find(ks_str name)
{
    int base = 0;
    while (base < KS_BASE_RESOURCES && !ks_str_eq(name, ks_str_of(base_names[base])))
        base++;
    return base;
}

/* ---- names ---- */

static bool starts_with(ks_str text, ks_str prefix)
{
    return text.len >= prefix.len && memcmp(text.data, prefix.data, prefix.len) == 0;
}

static bool contains(ks_str text, ks_str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (memcmp(text.data + i, part.data, part.len) == 0)
            return true;
    return false;
}

static bool is_prefixed_native(ks_str name)
{
    return contains(name, KS_STR("kubernetes.io/"));
}

/* Its name must be good for a quota, where "requests." comes before it. */
static bool is_quota_name(ks_str name)
{
    static const char prefix[] = "requests.";
    char quota[sizeof prefix + 253 + 1 + 63]; /* the longest qualified name and more */
    size_t prefix_len = sizeof prefix - 1;
    if (prefix_len + name.len > sizeof quota)
        return false;
    memcpy(quota, prefix, prefix_len);
    memcpy(quota + prefix_len, name.data, name.len);
    return ks_label_key_faults(NULL, (ks_str){quota, prefix_len + name.len}) == 0;
}

bool ks_resource_is_extended(ks_str name)
{
    return contains(name, KS_STR("/")) && !is_prefixed_native(name) &&
           !starts_with(name, KS_STR("requests.")) && is_quota_name(name);
}

bool ks_resource_is_scalar(ks_str name)
{
    return starts_with(name, KS_STR("hugepages-")) || starts_with(name, KS_STR("attachable-volumes-")) ||
           is_prefixed_native(name) || ks_resource_is_extended(name);
}

/* ---- amounts ---- */

enum { BILLIONTHS = 1000000000, BILLIONTHS_A_MILLI = 1000000 };

static ks_int128 billionths_of(ks_quantity quantity)
{
    ks_int128 amount = quantity.value;
    for (int scale = -9; scale < quantity.scale; scale++)
        amount *= 10;
    return amount;
}

static ks_request find_in(const ks_resources *list, ks_str name)
{
    for (size_t i = 0; i < list->count; i++)
        if (ks_str_eq(list->items[i].name, name))
            return (ks_request){true, billionths_of(list->items[i].quantity)};
    return (ks_request){0};
}

static void add_to(ks_request *sum, ks_request more)
{
    sum->set = sum->set || more.set;
    sum->billionths += more.billionths;
}

static void raise_to(ks_request *most, ks_request other)
{
    if (other.set && (!most->set || other.billionths > most->billionths))
        *most = other;
}

int64_t ks_request_amount(ks_request request, ks_str name)
{
    int unit = ks_str_eq(name, KS_STR("cpu")) ? BILLIONTHS_A_MILLI : BILLIONTHS;
    ks_int128 amount = request.billionths / unit, rest = request.billionths % unit;
    amount += (rest > 0) - (rest < 0);
    if (amount > INT64_MAX)
        return INT64_MAX;
    return amount < INT64_MIN ? INT64_MIN : (int64_t)amount;
}

int64_t ks_resources_amount(const ks_resources *list, ks_str name)
{
    return ks_request_amount(find_in(list, name), name);
}

/* ---- a pod's ---- */

/* What a container without a request counts for, so that pods that ask for nothing do not pile up. */
static ks_request fallback_for(ks_str name)
{
    if (ks_str_eq(name, KS_STR("cpu")))
        return (ks_request){true, (ks_int128)100 * BILLIONTHS_A_MILLI};
    if (ks_str_eq(name, KS_STR("memory")))
        return (ks_request){true, (ks_int128)(200 << 20) * BILLIONTHS};
    return (ks_request){0};
}

static ks_request of_container(const ks_container *container, ks_str name, ks_request_rule rule)
{
    ks_request request = find_in(&container->resources.requests, name);
    return request.set || !rule.fills_missing ? request : fallback_for(name);
}

/* Init containers run one after another, each beside the sidecars started before it; sidecars stay. */
static ks_request of_containers(const ks_pod_spec *spec, ks_str name, ks_request_rule rule)
{
    ks_request total = {0}, sidecars = {0}, starting = {0};
    for (size_t i = 0; i < spec->containers.count; i++)
        add_to(&total, of_container(&spec->containers.items[i], name, rule));
    for (size_t i = 0; i < spec->init_containers.count; i++) {
        const ks_container *container = &spec->init_containers.items[i];
        ks_request step = of_container(container, name, rule);
        if (ks_str_eq(container->restart_policy, KS_STR("Always"))) {
            add_to(&total, step);
            add_to(&sidecars, step);
            step = sidecars;
        } else {
            add_to(&step, sidecars);
        }
        raise_to(&starting, step);
    }
    raise_to(&total, starting);
    return total;
}

static bool may_be_pod_level(ks_str name)
{
    return ks_str_eq(name, KS_STR("cpu")) || ks_str_eq(name, KS_STR("memory")) ||
           starts_with(name, KS_STR("hugepages-"));
}

bool ks_request_is_pod_level(const ks_pod_spec *spec)
{
    for (size_t i = 0; spec->resources && i < spec->resources->requests.count; i++)
        if (may_be_pod_level(spec->resources->requests.items[i].name))
            return true;
    return false;
}

ks_request ks_request_of(const ks_pod_spec *spec, ks_str name, ks_request_rule rule)
{
    ks_request request = of_containers(spec, name, rule);
    if (spec->resources && !rule.skips_pod_level && may_be_pod_level(name)) {
        ks_request whole = find_in(&spec->resources->requests, name);
        if (whole.set)
            request = whole;
    }
    add_to(&request, find_in(&spec->overhead, name));
    return request;
}

/* ---- which ones ---- */

static void take_nearest(ks_str *nearest, const ks_resources *list, ks_str after)
{
    for (size_t i = 0; i < list->count; i++) {
        ks_str name = list->items[i].name;
        if (after.data && ks_str_cmp(name, after) <= 0)
            continue;
        if (!nearest->data || ks_str_cmp(name, *nearest) < 0)
            *nearest = name;
    }
}

ks_str ks_request_next_name(const ks_pod_spec *spec, ks_str after)
{
    ks_str nearest = {0};
    for (size_t i = 0; i < spec->containers.count; i++)
        take_nearest(&nearest, &spec->containers.items[i].resources.requests, after);
    for (size_t i = 0; i < spec->init_containers.count; i++)
        take_nearest(&nearest, &spec->init_containers.items[i].resources.requests, after);
    if (spec->resources)
        take_nearest(&nearest, &spec->resources->requests, after);
    take_nearest(&nearest, &spec->overhead, after);
    return nearest;
}
