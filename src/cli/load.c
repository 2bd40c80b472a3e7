// SPDX-License-Identifier: Apache-2.0
#include "cli/load.h"
#include "model/schema.h"
#include "util/str.h"

void ks_loader_init(ks_loader *loader, ks_alloc *alloc)
{
    *loader = (ks_loader){0};
    ks_arena_init(&loader->arena, alloc);
}

void ks_loader_free(ks_loader *loader)
{
    ks_arena_free(&loader->arena);
}

static int keep_pod(ks_loader *loader, const ks_pod *pod, ks_error *err)
{
    loader->found = false;
    ks_arena_reset(&loader->arena);
    if (!ks_schema_copy(&ks_pod_schema, &loader->pod, pod, &loader->arena))
        return ks_fail_nomem(err);
    loader->found = true;
    return KS_OK;
}

static int take_pod(ks_loader *loader, const ks_object *object, ks_error *err)
{
    const ks_pod *pod = &object->pod;
    if (ks_str_eq(pod->metadata.name, loader->pod_name) &&
        ks_str_eq(pod->metadata.namespace_, loader->namespace_))
        return keep_pod(loader, pod, err);
    return loader->cluster ? ks_cluster_apply(loader->cluster, object, err) : KS_OK;
}

static int take(ks_loader *loader, const ks_object *object, ks_error *err)
{
    if (object->kind == KS_POD)
        return take_pod(loader, object, err);
    return loader->cluster ? ks_cluster_apply(loader->cluster, object, err) : KS_OK;
}

int ks_loader_take(void *loader_, const ks_object *object, ks_error *err)
{
    ks_loader *loader = loader_;
    loader->objects++;
    if (object->metadata.namespace_.len > 0 || !ks_kind_namespaced(object->kind))
        return take(loader, object, err);
    ks_object placed = *object;
    placed.metadata.namespace_ = loader->namespace_;
    return take(loader, &placed, err);
}
