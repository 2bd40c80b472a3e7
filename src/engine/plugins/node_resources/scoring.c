// SPDX-License-Identifier: Apache-2.0
/* How nodes are rated by what would be left or taken. A resource that a node has none of is left out of
 * its rating. */
#include "engine/plugins/node_resources/outlook.h"
#include <math.h>

enum { SCORE_MAX = 100, SHAPE_SCORE_MAX = 10 };

/* ---- lanes ---- */

static const ks_resource_weight default_weights[] = {
    {{"cpu", 3}, 1},
    {{"memory", 6}, 1},
};

static const ks_scalar_demand *find_scalar(const ks_demand *demand, ks_str name)
{
    for (size_t i = 0; i < demand->scalars_count; i++)
        if (ks_str_eq(ks_scalar_name(demand->scalars[i].scalar), name))
            return &demand->scalars[i];
    return NULL;
}

/* A scalar that the pod does not ask for does not count, nor does what is no resource of nodes. */
static bool fill_lane(ks_lane *lane, const ks_demand *demand, const ks_amounts *amounts,
                      const ks_resource_weight *use)
{
    int base = ks_base_resource_find(use->name);
    if (base == KS_PODS)
        return false;
    *lane = (ks_lane){.base = base, .weight = use->weight};
    if (base < KS_BASE_RESOURCES) {
        lane->asked = amounts->of[base];
        return true;
    }
    const ks_scalar_demand *scalar = find_scalar(demand, use->name);
    if (!scalar)
        return false;
    lane->scalar = scalar->scalar;
    lane->asked = amounts == &demand->scored ? scalar->scored : scalar->asked;
    return lane->asked != 0;
}

static bool fill_lanes(ks_lanes *out, const ks_demand *demand, const ks_amounts *amounts,
                       const ks_resource_weights *list, ks_arena *arena)
{
    const ks_resource_weight *uses = list->count ? list->items : default_weights;
    size_t count = list->count ? list->count : sizeof default_weights / sizeof *default_weights;
    out->items = ks_arena_get(arena, count * sizeof *out->items);
    out->count = 0;
    for (size_t i = 0; out->items && i < count; i++)
        out->count += fill_lane(&out->items[out->count], demand, amounts, &uses[i]);
    return out->items != NULL;
}

bool ks_lanes_for_fit(ks_lanes *out, const ks_outlook *outlook, const ks_resource_weights *list,
                      ks_arena *arena)
{
    return fill_lanes(out, outlook->demand, &outlook->demand->scored, list, arena);
}

bool ks_lanes_for_balanced(ks_lanes *out, const ks_outlook *outlook, const ks_resource_weights *list,
                           ks_arena *arena)
{
    return fill_lanes(out, outlook->demand, &outlook->demand->asked, list, arena);
}

static inline int64_t allocatable_of(const ks_lane *lane, const ks_usage *usage, uint32_t node)
{
    return lane->scalar ? lane->scalar->usage[node].allocatable : usage->allocatable.of[lane->base];
}

/* With the missing requests of other pods filled in, and the pod's own added. */
static inline int64_t requested_of(const ks_lane *lane, const ks_usage *usage, uint32_t node)
{
    int64_t requested = lane->scalar ? lane->scalar->usage[node].requested : usage->nonzero.of[lane->base];
    return ks_wrapping_add(requested, lane->asked);
}

/* ---- NodeResourcesFit ---- */

/* part x 100 / whole, without the fraction. Doubles are exact as long as the dividend is below 2^53, and
 * divide several times faster than 64-bit integers. */
static inline int64_t percent_of(int64_t part, int64_t whole)
{
    const uint64_t limit = (UINT64_C(1) << 53) / SCORE_MAX;
    if ((uint64_t)part <= limit && (uint64_t)whole <= limit)
        return (int64_t)((double)(part * SCORE_MAX) / (double)whole);
    return (int64_t)((ks_int128)part * SCORE_MAX / whole);
}

static int64_t least_allocated(const ks_outlook *outlook, const ks_usage *usage, uint32_t node)
{
    int64_t score = 0, weights = 0;
    for (size_t i = 0; i < outlook->fit_lanes.count; i++) {
        const ks_lane *lane = &outlook->fit_lanes.items[i];
        int64_t allocatable = allocatable_of(lane, usage, node);
        if (allocatable == 0)
            continue;
        int64_t requested = requested_of(lane, usage, node);
        if (requested <= allocatable)
            score += percent_of(ks_wrapping_sub(allocatable, requested), allocatable) * lane->weight;
        weights += lane->weight;
    }
    return weights ? score / weights : 0;
}

static int64_t most_allocated(const ks_outlook *outlook, const ks_usage *usage, uint32_t node)
{
    int64_t score = 0, weights = 0;
    for (size_t i = 0; i < outlook->fit_lanes.count; i++) {
        const ks_lane *lane = &outlook->fit_lanes.items[i];
        int64_t allocatable = allocatable_of(lane, usage, node);
        if (allocatable == 0)
            continue;
        int64_t requested = requested_of(lane, usage, node);
        /* It may be more: pods that ask for nothing count for something here. */
        score += (requested > allocatable ? SCORE_MAX : percent_of(requested, allocatable)) * lane->weight;
        weights += lane->weight;
    }
    return weights ? score / weights : 0;
}

/* The broken line through the points of the shape, flat before the first and behind the last. */
static int64_t shape_score(const ks_fit_args *args, int64_t utilization)
{
    const int64_t scale = SCORE_MAX / SHAPE_SCORE_MAX;
    const ks_shape_point *points = args->shape.items;
    size_t i = 0;
    while (i < args->shape.count && utilization > points[i].utilization)
        i++;
    if (args->shape.count == 0)
        return 0;
    if (i == 0)
        return points[0].score * scale;
    if (i == args->shape.count)
        return points[i - 1].score * scale;
    int64_t rise = (points[i].score - points[i - 1].score) * scale;
    int64_t run = points[i].utilization - points[i - 1].utilization;
    return points[i - 1].score * scale + rise * (utilization - points[i - 1].utilization) / run;
}

/* Unlike with the others, resources that score nothing do not weigh. */
static int64_t requested_to_capacity_ratio(const ks_outlook *outlook, const ks_usage *usage, uint32_t node)
{
    int64_t score = 0, weights = 0;
    for (size_t i = 0; i < outlook->fit_lanes.count; i++) {
        const ks_lane *lane = &outlook->fit_lanes.items[i];
        int64_t allocatable = allocatable_of(lane, usage, node);
        if (allocatable == 0)
            continue;
        int64_t requested = requested_of(lane, usage, node);
        int64_t utilization = requested > allocatable ? 100 : percent_of(requested, allocatable);
        int64_t lane_score = shape_score(outlook->args, utilization);
        if (lane_score <= 0)
            continue;
        score += lane_score * lane->weight;
        weights += lane->weight;
    }
    return weights ? (int64_t)round((double)score / (double)weights) : 0;
}

ks_strategy ks_strategy_find(ks_str type)
{
    if (ks_str_eq(type, KS_STR("MostAllocated")))
        return most_allocated;
    if (ks_str_eq(type, KS_STR("RequestedToCapacityRatio")))
        return requested_to_capacity_ratio;
    return least_allocated;
}

/* ---- NodeResourcesBalancedAllocation ---- */

/* How much of a resource would be taken, with `pods` of the pods in question added (none or one). */
static inline double fraction_of(const ks_lane *lane, const ks_usage *usage, uint32_t node, int64_t pods)
{
    int64_t requested = lane->scalar ? lane->scalar->usage[node].requested : usage->requested.of[lane->base];
    requested = ks_wrapping_add(requested, pods * lane->asked);
    double fraction = (double)requested / (double)allocatable_of(lane, usage, node);
    return fraction > 1 ? 1 : fraction;
}

static double deviation(const ks_lanes *lanes, const ks_usage *usage, uint32_t node, int64_t pods,
                        double mean, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < lanes->count; i++) {
        if (allocatable_of(&lanes->items[i], usage, node) == 0)
            continue;
        double off = fraction_of(&lanes->items[i], usage, node, pods) - mean;
        sum += off * off;
    }
    return sqrt(sum / (double)count);
}

/* 100 where all fractions are equal, down to 50 where they could not differ more. */
static inline int64_t balance(const ks_lanes *lanes, const ks_usage *usage, uint32_t node, int64_t pods)
{
    double total = 0, last = 0, before_last = 0, off = 0;
    size_t count = 0;
    for (size_t i = 0; i < lanes->count; i++) {
        if (allocatable_of(&lanes->items[i], usage, node) == 0)
            continue;
        before_last = last;
        last = fraction_of(&lanes->items[i], usage, node, pods);
        total += last;
        count++;
    }
    if (count == 2) /* upstream's short cut, which rounds otherwise than the long way */
        off = fabs((before_last - last) / 2);
    else if (count > 2)
        off = deviation(lanes, usage, node, pods, total / (double)count, count);
    return (int64_t)((1 - off) * SCORE_MAX);
}

/* What the pod does to the balance: 75 if nothing, more if it is evened out. */
int64_t ks_balanced_score(const ks_outlook *outlook, const ks_usage *usage, uint32_t node)
{
    const ks_lanes *lanes = &outlook->balanced_lanes;
    int64_t with = balance(lanes, usage, node, 1), without = balance(lanes, usage, node, 0);
    return SCORE_MAX / 2 + (SCORE_MAX / 2 + with - without) / 2;
}
