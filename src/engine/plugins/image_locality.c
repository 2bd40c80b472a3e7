// SPDX-License-Identifier: Apache-2.0
/* ImageLocality: nodes that have the pod's images already are a little better, the more so the larger the
 * images are; an image that few nodes have counts for less, lest its pods crowd there. */
#include "engine/image.h"
#include "engine/plan_cache.h"
#include "engine/plugins/helpers.h"

#define MIB (INT64_C(1) << 20)
#define SIZE_MIN (23 * MIB)
#define SIZE_MAX_OF_CONTAINER (1000 * MIB)

typedef struct image_plan {
    ks_plan_head head;
    ks_strs names;    /* of the images of containers and volumes, with their tags */
    uint64_t version; /* of the cluster's images when the scores were worked out; 0: never */
    uint8_t *scores;  /* by node */
    uint32_t cap;
    bool any; /* some node has some of the images */
} image_plan;

typedef struct image_state {
    image_plan *plan; /* NULL: no node has any image at all */
    uint32_t nodes;   /* length of columns */
} image_state;

/* ---- names ---- */

static bool has_tag(ks_str name)
{
    for (size_t i = name.len; i-- > 0 && name.data[i] != '/';)
        if (name.data[i] == ':')
            return true;
    return false;
}

static bool copy_name(ks_str *out, ks_str name, ks_plan_head *head)
{
    static const char latest[] = ":latest";
    if (has_tag(name))
        return ks_arena_copy_str(&head->arena, out, name);
    char *text = ks_arena_get(&head->arena, name.len + sizeof latest);
    if (!text)
        return false;
    if (name.len)
        memcpy(text, name.data, name.len);
    memcpy(text + name.len, latest, sizeof latest);
    *out = (ks_str){text, name.len + sizeof latest - 1};
    return true;
}

static bool add_name(ks_strs *names, ks_str name, ks_plan_head *head)
{
    return copy_name(&names->items[names->count++], name, head);
}

static int compile_plan(ks_cluster *cluster, ks_plan_head *head, ks_error *err)
{
    (void)cluster;
    const ks_pod_spec *spec = &head->spec->spec;
    ks_strs *names = &((image_plan *)head)->names;
    size_t count = spec->init_containers.count + spec->containers.count + spec->volumes.count;
    names->items = ks_arena_get(&head->arena, count * sizeof *names->items);
    bool ok = names->items;
    for (size_t i = 0; ok && i < spec->init_containers.count; i++)
        ok = add_name(names, spec->init_containers.items[i].image, head);
    for (size_t i = 0; ok && i < spec->containers.count; i++)
        ok = add_name(names, spec->containers.items[i].image, head);
    for (size_t i = 0; ok && i < spec->volumes.count; i++)
        if (spec->volumes.items[i].image.data)
            ok = add_name(names, spec->volumes.items[i].image, head);
    return ok ? KS_OK : ks_fail_nomem(err);
}

static void release_plan(ks_cluster *cluster, ks_plan_head *head)
{
    image_plan *plan = (image_plan *)head;
    ks_alloc_free(&cluster->counting, plan->scores, plan->cap);
}

static const ks_plan_kind kind = {
    .size = sizeof(image_plan),
    .compile = compile_plan,
    .release = release_plan,
};

/* ---- the numbers ---- */

static void add_image(int64_t *sums, const ks_image *image, size_t nodes)
{
    double spread = (double)image->holders.count / (double)nodes;
    for (size_t i = 0; i < image->holders.count; i++)
        sums[image->holders.items[i].node] += (int64_t)((double)image->holders.items[i].size_bytes * spread);
}

static uint8_t score_of(int64_t sum, size_t containers)
{
    int64_t most = SIZE_MAX_OF_CONTAINER * (int64_t)containers;
    if (sum < SIZE_MIN)
        sum = SIZE_MIN;
    else if (sum > most)
        sum = most;
    return (uint8_t)(KS_SCORE_MAX * (sum - SIZE_MIN) / (most - SIZE_MIN));
}

static bool reserve_scores(image_plan *plan, ks_cluster *cluster)
{
    if (plan->cap >= cluster->node_cap)
        return true;
    uint8_t *grown = ks_alloc_resize(&cluster->counting, plan->scores, plan->cap, cluster->node_cap);
    if (!grown)
        return false;
    plan->scores = grown;
    plan->cap = cluster->node_cap;
    return true;
}

static bool find_any(const image_plan *plan, const ks_cluster *cluster)
{
    for (size_t i = 0; i < plan->names.count; i++)
        if (ks_image_find(cluster, plan->names.items[i]))
            return true;
    return false;
}

static int work_out(image_plan *plan, ks_cycle *cycle, ks_error *err)
{
    ks_cluster *cluster = cycle->cluster;
    const ks_pod_spec *spec = &plan->head.spec->spec;
    plan->any = find_any(plan, cluster);
    plan->version = cluster->images_version;
    if (!plan->any)
        return KS_OK;
    plan->version = 0;
    int64_t *sums = ks_arena_get_zeroed(&cycle->arena, cluster->node_cap * sizeof *sums);
    if (!sums || !reserve_scores(plan, cluster))
        return ks_fail_nomem(err);
    for (size_t i = 0; i < plan->names.count; i++) {
        const ks_image *image = ks_image_find(cluster, plan->names.items[i]);
        if (image)
            add_image(sums, image, cluster->nodes_by_name.count);
    }
    for (uint32_t i = 0; i < cluster->node_cap; i++)
        plan->scores[i] = score_of(sums[i], spec->init_containers.count + spec->containers.count);
    plan->version = cluster->images_version;
    return KS_OK;
}

/* ---- extension points ---- */

static int pre_filter(ks_status *out, void **state, ks_cycle *cycle, ks_error *err)
{
    *out = (ks_status){.code = KS_SKIP};
    image_state *made = ks_arena_get_zeroed(&cycle->arena, sizeof *made);
    if (!made)
        return ks_fail_nomem(err);
    *state = made;
    made->nodes = (uint32_t)cycle->cluster->nodes.rows.count;
    if (ks_table_count(&cycle->cluster->images) == 0)
        return KS_OK;
    ks_plan_head *head;
    int code = ks_plan_cache_get(&head, cycle->cluster, &kind, cycle->class_, cycle->spec, err);
    if (code == KS_OK)
        made->plan = (image_plan *)head;
    return code;
}

static void release(ks_cluster *cluster, void *state)
{
    (void)cluster;
    if (state && ((image_state *)state)->plan)
        ks_plan_cache_unref(&((image_state *)state)->plan->head);
}

static int pre_score(ks_status *out, void *state, ks_cycle *cycle, const ks_nodeset *nodes, ks_error *err)
{
    (void)nodes;
    *out = (ks_status){.code = KS_SUCCESS};
    image_plan *plan = ((image_state *)state)->plan;
    if (!plan || plan->version == cycle->cluster->images_version)
        return KS_OK;
    return work_out(plan, cycle, err);
}

static bool uniform(const void *state, double *score)
{
    const image_plan *plan = ((const image_state *)state)->plan;
    *score = 0;
    return !plan || !plan->any;
}

static void score(void *state, const ks_nodeset *nodes, double *scores)
{
    (void)nodes;
    const image_state *images = state;
    const uint8_t *from = images->plan->scores;
    for (uint32_t i = 0; i < images->nodes; i++)
        scores[i] = from[i];
}

const ks_plugin ks_image_locality = {
    .name = "ImageLocality",
    .pre_filter = pre_filter,
    .filter = ks_no_filter,
    .judge = ks_no_judge,
    .pre_score = pre_score,
    .uniform = uniform,
    .score = score,
    .normalize = ks_no_score,
    .what_if = ks_no_what_if,
    .hint = ks_no_hint,
    .release = release,
};
