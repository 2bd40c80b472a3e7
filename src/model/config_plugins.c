// SPDX-License-Identifier: Apache-2.0
#include "model/config_file.h"
#include "model/quote.h"
#include <stdio.h>

#define BIT(point) (1u << KS_POINT_##point)

/* kube-scheduler's own plugins, those of the default profile first and in its order, each with the
 * extension points that it implements and its default weight. */
static const struct {
    const char *name;
    uint32_t points;
    int32_t weight;
} registry[] = {
    {"SchedulingGates", BIT(PRE_ENQUEUE), 0},
    {"PrioritySort", BIT(QUEUE_SORT), 0},
    {"NodeUnschedulable", BIT(FILTER), 0},
    {"NodeName", BIT(FILTER), 0},
    {"TaintToleration", BIT(FILTER) | BIT(PRE_SCORE) | BIT(SCORE), 3},
    {"NodeAffinity", BIT(PRE_FILTER) | BIT(FILTER) | BIT(PRE_SCORE) | BIT(SCORE), 2},
    {"NodePorts", BIT(PRE_FILTER) | BIT(FILTER), 0},
    {"NodeResourcesFit", BIT(PRE_FILTER) | BIT(FILTER) | BIT(PRE_SCORE) | BIT(SCORE) | BIT(PLACEMENT_SCORE),
     1},
    {"VolumeRestrictions", BIT(PRE_FILTER) | BIT(FILTER), 0},
    {"NodeVolumeLimits", BIT(PRE_FILTER) | BIT(FILTER), 0},
    {"VolumeBinding",
     BIT(PRE_FILTER) | BIT(FILTER) | BIT(RESERVE) | BIT(PRE_BIND) | BIT(PRE_SCORE) | BIT(SCORE), 0},
    {"VolumeZone", BIT(PRE_FILTER) | BIT(FILTER), 0},
    {"PodTopologySpread", BIT(PRE_FILTER) | BIT(FILTER) | BIT(PRE_SCORE) | BIT(SCORE), 2},
    {"InterPodAffinity", BIT(PRE_FILTER) | BIT(FILTER) | BIT(PRE_SCORE) | BIT(SCORE), 2},
    {"DynamicResources",
     BIT(PRE_ENQUEUE) | BIT(PRE_FILTER) | BIT(FILTER) | BIT(POST_FILTER) | BIT(SCORE) | BIT(RESERVE) |
         BIT(PRE_BIND),
     2},
    {"DefaultPreemption", BIT(POST_FILTER) | BIT(PRE_ENQUEUE), 0},
    {"NodeResourcesBalancedAllocation", BIT(PRE_SCORE) | BIT(SCORE), 1},
    {"ImageLocality", BIT(SCORE), 1},
    {"DefaultBinder", BIT(BIND), 0},
    {"NodeDeclaredFeatures", BIT(PRE_FILTER) | BIT(FILTER), 0},
    {"GangScheduling", BIT(PRE_ENQUEUE) | BIT(PERMIT), 0},
    {"TopologyPlacementGenerator", BIT(PLACEMENT_GENERATE), 0},
    {"PodGroupPodsCount", BIT(PLACEMENT_SCORE), 0},
    {"SelectorSpread", BIT(PRE_SCORE) | BIT(SCORE), 0},
};
enum {
    PLUGIN_COUNT = sizeof registry / sizeof *registry,
    /* The last four are used only where a profile enables them: three are behind gates that are off, and
     * SelectorSpread is kube-scheduler's from before there were default constraints. */
    DEFAULT_COUNT = PLUGIN_COUNT - 4,
    UNKNOWN = -1,
};
_Static_assert(PLUGIN_COUNT <= 32, "sets of plugins are 32 bits");

static const char *const point_types[KS_POINT_COUNT] = {
    [KS_POINT_PRE_FILTER] = "PreFilterPlugin",
    [KS_POINT_FILTER] = "FilterPlugin",
    [KS_POINT_POST_FILTER] = "PostFilterPlugin",
    [KS_POINT_RESERVE] = "ReservePlugin",
    [KS_POINT_PRE_SCORE] = "PreScorePlugin",
    [KS_POINT_SCORE] = "ScorePlugin",
    [KS_POINT_PRE_BIND] = "PreBindPlugin",
    [KS_POINT_BIND] = "BindPlugin",
    [KS_POINT_POST_BIND] = "PostBindPlugin",
    [KS_POINT_PERMIT] = "PermitPlugin",
    [KS_POINT_PRE_ENQUEUE] = "PreEnqueuePlugin",
    [KS_POINT_QUEUE_SORT] = "QueueSortPlugin",
    [KS_POINT_PLACEMENT_GENERATE] = "PlacementGeneratePlugin",
    [KS_POINT_PLACEMENT_SCORE] = "PlacementScorePlugin",
};

static int find_plugin(ks_str name)
{
    for (int id = 0; id < PLUGIN_COUNT; id++)
        if (ks_str_eq(name, ks_str_of(registry[id].name)))
            return id;
    return UNKNOWN;
}

/* Plugins of the registry in an order, each at most once. */
typedef struct plugin_list {
    int ids[PLUGIN_COUNT];
    size_t count;
    uint32_t set;
} plugin_list;

static bool list_has(const plugin_list *list, int id)
{
    return list->set >> id & 1;
}

static void list_push(plugin_list *list, int id)
{
    list->ids[list->count++] = id;
    list->set |= 1u << id;
}

static void list_push_new(plugin_list *list, const plugin_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        if (!list_has(list, more->ids[i]))
            list_push(list, more->ids[i]);
}

/* What is being resolved, and where its faults are reported. */
typedef struct resolver {
    const ks_file_profile *profile;
    const ks_decoder *decoder;
    ks_arena *arena;
    ks_error *err;
    bool has_default_constraints; /* the operator's */
    ks_file_plugin *multi;        /* multiPoint merged with the default profile */
    size_t multi_count;
    plugin_list points[KS_POINT_COUNT];
} resolver;

static const ks_file_plugin_set *set_of(const resolver *r, size_t point)
{
    return &r->profile->plugins.points[point];
}

/* `at`: the name that is at fault, quoted in the message. */
static int fail(const resolver *r, ks_str at, const char *before, const char *behind)
{
    ks_buf quoted;
    ks_buf_init(&quoted, r->arena->alloc);
    ks_quote_go(&quoted, at);
    int code = quoted.failed
                   ? ks_fail_nomem(r->err)
                   : ks_decode_fail(r->err, KS_EINVAL, r->decoder, at.data, (ks_str){0},
                                    KS_PROFILE_FAILED "%s %s %s", KS_STR_ARG(r->profile->scheduler_name),
                                    before, quoted.data, behind);
    ks_buf_free(&quoted);
    return code;
}

static int fail_unknown(const resolver *r, size_t point, ks_str name)
{
    return fail(r, name, point_types[point], "does not exist");
}

static int fail_repeated(const resolver *r, size_t point, ks_str name)
{
    char behind[64];
    snprintf(behind, sizeof behind, "already registered as \"%s\"", point_types[point]);
    return fail(r, name, "plugin", behind);
}

static int fail_foreign(const resolver *r, size_t point, ks_str name)
{
    char behind[64];
    snprintf(behind, sizeof behind, "does not extend %s plugin", point_types[point]);
    return fail(r, name, "plugin", behind);
}

/* What a disabled list names; `all` is its "*". */
typedef struct disabled_set {
    uint32_t set;
    bool all;
} disabled_set;

static disabled_set disabled_of(const ks_file_plugin_set *set)
{
    disabled_set disabled = {0};
    for (size_t i = 0; i < set->disabled.count; i++) {
        int id = find_plugin(set->disabled.items[i].name);
        if (id != UNKNOWN)
            disabled.set |= 1u << id;
        disabled.all |= ks_str_eq(set->disabled.items[i].name, KS_STR("*"));
    }
    return disabled;
}

/* ---- multiPoint ---- */

static void push_multi(resolver *r, ks_file_plugin plugin)
{
    r->multi[r->multi_count++] = plugin;
}

/* For each plugin of the default profile the place of its last mention in the enabled list; -1 if there is
 * none, or if it is disabled and so has no place of its own any more. */
static void find_overrides(ptrdiff_t overrides[DEFAULT_COUNT], const ks_file_plugin_set *set,
                           disabled_set disabled)
{
    for (size_t id = 0; id < DEFAULT_COUNT; id++)
        overrides[id] = -1;
    for (size_t i = 0; i < set->enabled.count; i++) {
        int id = find_plugin(set->enabled.items[i].name);
        if (id != UNKNOWN && id < DEFAULT_COUNT && !disabled.all && !(disabled.set >> id & 1))
            overrides[id] = (ptrdiff_t)i;
    }
}

/* A default plugin that is enabled once more takes its new weight and keeps its place, unless it is
 * disabled as well; what is left of the enabled list comes behind, also what stands there twice. */
static int merge_multi(resolver *r)
{
    const ks_file_plugin_set *set = set_of(r, KS_POINT_MULTI);
    r->multi = ks_arena_get(r->arena, (DEFAULT_COUNT + set->enabled.count) * sizeof *r->multi);
    if (!r->multi)
        return ks_fail_nomem(r->err);
    disabled_set disabled = disabled_of(set);
    ptrdiff_t overrides[DEFAULT_COUNT];
    find_overrides(overrides, set, disabled);
    for (size_t id = 0; !disabled.all && id < DEFAULT_COUNT; id++) {
        if (overrides[id] >= 0)
            push_multi(r, set->enabled.items[overrides[id]]);
        else if (!(disabled.set >> id & 1))
            push_multi(r, (ks_file_plugin){ks_str_of(registry[id].name), registry[id].weight});
    }
    for (size_t i = 0; i < set->enabled.count; i++) {
        int id = find_plugin(set->enabled.items[i].name);
        if (id == UNKNOWN || id >= DEFAULT_COUNT || overrides[id] != (ptrdiff_t)i)
            push_multi(r, set->enabled.items[i]);
    }
    return KS_OK;
}

/* ---- each extension point ---- */

static int enable_at_point(resolver *r, size_t point)
{
    const ks_file_plugin_set *set = set_of(r, point);
    for (size_t i = 0; i < set->enabled.count; i++) {
        ks_str name = set->enabled.items[i].name;
        int id = find_plugin(name);
        if (id == UNKNOWN)
            return fail_unknown(r, point, name);
        if (!(registry[id].points >> point & 1))
            return fail_foreign(r, point, name);
        if (list_has(&r->points[point], id))
            return fail_repeated(r, point, name);
        list_push(&r->points[point], id);
    }
    return KS_OK;
}

/* The plugins that multiPoint brings to a point: those that the point enables by itself, and the others. */
static int split_multi(const resolver *r, size_t point, uint32_t *overridden, plugin_list *others)
{
    uint32_t disabled = disabled_of(set_of(r, point)).set;
    for (size_t i = 0; i < r->multi_count; i++) {
        ks_str name = r->multi[i].name;
        int id = find_plugin(name);
        if (id == UNKNOWN)
            return fail_unknown(r, point, name);
        if (!(registry[id].points >> point & 1) || (disabled >> id & 1))
            continue;
        if (list_has(&r->points[point], id)) {
            *overridden |= 1u << id;
            continue;
        }
        if (list_has(others, id))
            return fail_repeated(r, point, name);
        list_push(others, id);
    }
    return KS_OK;
}

/* First the point's own plugins that multiPoint has too, then the rest of multiPoint, then the rest of the
 * point's own. */
static int expand_multi(resolver *r, size_t point)
{
    if (disabled_of(set_of(r, point)).all)
        return KS_OK;
    uint32_t overridden = 0;
    plugin_list others = {0}, order = {0};
    const plugin_list *own = &r->points[point];
    int code = split_multi(r, point, &overridden, &others);
    if (code != KS_OK)
        return code;
    for (size_t i = 0; i < own->count; i++)
        if (overridden >> own->ids[i] & 1)
            list_push(&order, own->ids[i]);
    list_push_new(&order, &others);
    list_push_new(&order, own);
    r->points[point] = order;
    return KS_OK;
}

/* The sum of the largest scores must fit 64 bits. With weights of 32 bits it always does, but as
 * kube-scheduler reckons it, a sum below zero leaves no room for the next plugin either. */
static int check_weights(const resolver *r, size_t point, const char *what)
{
    const ks_file_plugin_set *own = set_of(r, point);
    uint32_t seen = 0;
    int64_t total = 0;
    for (size_t i = 0; i < own->enabled.count + r->multi_count; i++) {
        const ks_file_plugin *plugin =
            i < own->enabled.count ? &own->enabled.items[i] : &r->multi[i - own->enabled.count];
        int id = find_plugin(plugin->name);
        if (id == UNKNOWN || !(registry[id].points >> point & 1) || (seen >> id & 1))
            continue;
        if (total < 0)
            return ks_decode_fail(r->err, KS_EINVAL, r->decoder, plugin->name.data, (ks_str){0},
                                  KS_PROFILE_FAILED "%s: total score of Score plugins could overflow",
                                  KS_STR_ARG(r->profile->scheduler_name), what);
        seen |= 1u << id;
        total += plugin->weight ? plugin->weight : 1;
    }
    return KS_OK;
}

static int check_counts(const resolver *r)
{
    ks_str name = r->profile->scheduler_name;
    size_t sorters = r->points[KS_POINT_QUEUE_SORT].count;
    if (sorters != 1)
        return ks_decode_fail(r->err, KS_EINVAL, r->decoder, NULL, (ks_str){0},
                              KS_PROFILE_FAILED
                              "only one queue sort plugin required for profile with scheduler "
                              "name \"%.*s\", but got %zu",
                              KS_STR_ARG(name), KS_STR_ARG(name), sorters);
    if (r->points[KS_POINT_BIND].count == 0)
        return ks_decode_fail(r->err, KS_EINVAL, r->decoder, NULL, (ks_str){0},
                              KS_PROFILE_FAILED
                              "at least one bind plugin is needed for profile with scheduler "
                              "name \"%.*s\"",
                              KS_STR_ARG(name), KS_STR_ARG(name));
    return KS_OK;
}

/* ---- what plugins ask of their profile ---- */

/* The name as it is written there; absent if it is not. */
static ks_str find_name(const ks_file_plugin *plugins, size_t count, ks_str name)
{
    for (size_t i = 0; i < count; i++)
        if (ks_str_eq(plugins[i].name, name))
            return plugins[i].name;
    return (ks_str){0};
}

static ks_str find_enabled(const resolver *r, ks_str name)
{
    ks_str found = find_name(r->multi, r->multi_count, name);
    for (size_t point = 0; point < KS_POINT_COUNT && !found.data; point++)
        found = find_name(set_of(r, point)->enabled.items, set_of(r, point)->enabled.count, name);
    return found;
}

static int make_plugins(const resolver *r)
{
    if (!r->decoder || !find_enabled(r, KS_STR("NodeResourcesFit")).data)
        return KS_OK;
    return ks_config_fit_args_check(r->profile, r->decoder, r->err);
}

static bool scores(const resolver *r, const char *name)
{
    return list_has(&r->points[KS_POINT_SCORE], find_plugin(ks_str_of(name)));
}

/* The table of the KEP "Default Even Pod Spreading": two priorities for the same end need each other's
 * consent. */
static int check_selector_spread(const resolver *r)
{
    if (!scores(r, "SelectorSpread"))
        return KS_OK;
    const char *rule = NULL;
    if (!scores(r, "PodTopologySpread"))
        rule = "needs PodTopologySpread, which does not score in this profile";
    else if (r->has_default_constraints)
        rule = "does not go with PodTopologySpread's defaultConstraints: enable one of them, or leave "
               "defaultConstraints empty";
    return rule ? fail(r, find_enabled(r, KS_STR("SelectorSpread")), "plugin", rule) : KS_OK;
}

static int resolve(resolver *r)
{
    int code = merge_multi(r);
    if (code == KS_OK)
        code = make_plugins(r);
    for (size_t point = 0; code == KS_OK && point < KS_POINT_COUNT; point++)
        code = enable_at_point(r, point);
    for (size_t point = 0; code == KS_OK && point < KS_POINT_COUNT; point++)
        code = expand_multi(r, point);
    if (code == KS_OK)
        code = check_counts(r);
    if (code == KS_OK)
        code = check_weights(r, KS_POINT_SCORE, "score plugins");
    if (code == KS_OK)
        code = check_weights(r, KS_POINT_PLACEMENT_SCORE, "placement score plugins");
    return code == KS_OK ? check_selector_spread(r) : code;
}

/* ---- what comes out ---- */

/* The score point's own weight goes before multiPoint's; none means 1. */
static int32_t weight_of(const resolver *r, ks_str name)
{
    const ks_file_plugin_set *set = set_of(r, KS_POINT_SCORE);
    for (size_t i = 0; i < set->enabled.count; i++)
        if (ks_str_eq(set->enabled.items[i].name, name))
            return set->enabled.items[i].weight ? set->enabled.items[i].weight : 1;
    for (size_t i = 0; i < r->multi_count; i++)
        if (ks_str_eq(r->multi[i].name, name))
            return r->multi[i].weight ? r->multi[i].weight : 1;
    return 1;
}

/* In the order of the filters, since the first that refuses a node is the one that is named; in what order
 * plugins score never shows. */
static plugin_list running_order(const resolver *r)
{
    plugin_list order = r->points[KS_POINT_FILTER];
    list_push_new(&order, &r->points[KS_POINT_SCORE]);
    for (size_t point = 0; point < KS_POINT_COUNT; point++)
        list_push_new(&order, &r->points[point]);
    return order;
}

static int put_plugins(ks_profile *out, const resolver *r)
{
    plugin_list order = running_order(r);
    out->plugins.items = ks_arena_get(r->arena, order.count * sizeof *out->plugins.items);
    if (!out->plugins.items)
        return ks_fail_nomem(r->err);
    for (size_t i = 0; i < order.count; i++) {
        int id = order.ids[i];
        ks_str name = ks_str_of(registry[id].name);
        bool scores = list_has(&r->points[KS_POINT_SCORE], id);
        out->plugins.items[out->plugins.count++] =
            (ks_plugin_use){.name = name,
                            .weight = scores ? weight_of(r, name) : 0,
                            .filters = list_has(&r->points[KS_POINT_FILTER], id),
                            .scores = scores};
    }
    return KS_OK;
}

int ks_profile_set_plugins(ks_profile *out, const ks_file_profile *from, const ks_decoder *decoder,
                           ks_arena *arena, ks_error *err)
{
    resolver r = {.profile = from,
                  .decoder = decoder,
                  .arena = arena,
                  .err = err,
                  .has_default_constraints = out->spread.default_constraints.count > 0};
    int code = resolve(&r);
    return code == KS_OK ? put_plugins(out, &r) : code;
}
