// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_cache.h"

/* Plans also keep their class and spec, which the limit on counters' bytes does not see. */
enum { PLANS_MAX = 1 << 18 };

/* Leaves the plan as if it had just been made. */
static void release_plan(ks_cluster *cluster, ks_plan_head *plan)
{
    plan->kind->release(cluster, plan);
    ks_arena_free(&plan->arena);
    memset((char *)plan + sizeof *plan, 0, plan->kind->size - sizeof *plan);
    plan->compiled = false;
}

static int compile_plan(ks_cluster *cluster, ks_plan_head *plan, ks_error *err)
{
    int code = plan->kind->compile(cluster, plan, err);
    if (code != KS_OK)
        release_plan(cluster, plan);
    plan->compiled = code == KS_OK;
    return code;
}

static void unlink_plan(ks_cluster *cluster, ks_plan_head *plan)
{
    *(plan->newer ? &plan->newer->older : &cluster->plan_newest) = plan->older;
    *(plan->older ? &plan->older->newer : &cluster->plan_oldest) = plan->newer;
}

static void link_newest(ks_cluster *cluster, ks_plan_head *plan)
{
    plan->newer = NULL;
    plan->older = cluster->plan_newest;
    *(plan->older ? &plan->older->newer : &cluster->plan_oldest) = plan;
    cluster->plan_newest = plan;
}

static void free_plan(ks_cluster *cluster, ks_plan_head *plan)
{
    release_plan(cluster, plan);
    ks_class_unref(cluster, plan->class_);
    ks_spec_unref(cluster, plan->spec);
    ks_alloc_free(&cluster->counting, plan, plan->kind->size);
}

static void drop_plan(ks_cluster *cluster, ks_plan_head *plan)
{
    unlink_plan(cluster, plan);
    ks_table_remove(&cluster->plans, &plan->row);
    free_plan(cluster, plan);
}

/* Keeps the counters within their limit; plans that a cycle still reads stay. */
static void drop_idle(ks_cluster *cluster)
{
    ks_plan_head *plan = cluster->plan_oldest;
    while (plan && (cluster->counting.bytes > cluster->counter_bytes_max ||
                    ks_table_count(&cluster->plans) > PLANS_MAX)) {
        ks_plan_head *newer = plan->newer;
        if (plan->row.refs == 0)
            drop_plan(cluster, plan);
        plan = newer;
    }
}

static uint64_t hash_plan(const ks_plan_head *like)
{
    const void *parts[] = {like->kind, like->class_, like->spec};
    return ks_hash_bytes(parts, sizeof parts, 0);
}

static bool is_like(const ks_row *row, const void *wanted)
{
    const ks_plan_head *a = (const ks_plan_head *)row, *b = wanted;
    return a->kind == b->kind && a->class_ == b->class_ && a->spec == b->spec;
}

static ks_plan_head *make_plan(ks_cluster *cluster, const ks_plan_head *like, uint64_t hash)
{
    if (!ks_table_reserve(&cluster->plans, &cluster->counting))
        return NULL;
    ks_plan_head *plan = ks_alloc_get_zeroed(&cluster->counting, like->kind->size);
    if (!plan)
        return NULL;
    *plan = *like;
    ks_arena_init(&plan->arena, &cluster->counting);
    if (plan->class_)
        plan->class_->row.refs++;
    plan->spec->row.refs++;
    ks_table_add(&cluster->plans, &plan->row, hash);
    link_newest(cluster, plan);
    return plan;
}

static int refresh_plan(ks_cluster *cluster, ks_plan_head *plan, ks_error *err)
{
    if (plan->compiled && (!plan->kind->is_stale || !plan->kind->is_stale(cluster, plan)))
        return KS_OK;
    if (plan->compiled)
        release_plan(cluster, plan);
    return compile_plan(cluster, plan, err);
}

int ks_plan_cache_get(ks_plan_head **out, ks_cluster *cluster, const ks_plan_kind *kind, ks_class *class_,
                      ks_spec *spec, ks_error *err)
{
    ks_plan_head like = {.kind = kind, .class_ = kind->by_class ? class_ : NULL, .spec = spec};
    uint64_t hash = hash_plan(&like);
    ks_plan_head *plan = (ks_plan_head *)ks_table_find(&cluster->plans, hash, is_like, &like);
    if (!plan && !(plan = make_plan(cluster, &like, hash)))
        return ks_fail_nomem(err);
    int code = refresh_plan(cluster, plan, err);
    if (code != KS_OK && plan->row.refs == 0)
        drop_plan(cluster, plan);
    if (code != KS_OK)
        return code;
    if (plan->newer) {
        unlink_plan(cluster, plan);
        link_newest(cluster, plan);
    }
    plan->row.refs++;
    drop_idle(cluster);
    *out = plan;
    return KS_OK;
}

void ks_plan_cache_unref(ks_plan_head *plan)
{
    if (plan)
        plan->row.refs--;
}

void ks_plan_cache_free(ks_cluster *cluster)
{
    while (cluster->plan_newest)
        drop_plan(cluster, cluster->plan_newest);
    ks_table_free(&cluster->plans, &cluster->counting);
}
