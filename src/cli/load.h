// SPDX-License-Identifier: Apache-2.0
/* Fills a cluster from input and keeps one pod of it aside. */
#ifndef KS_CLI_LOAD_H
#define KS_CLI_LOAD_H

#include "util/arena.h"
#include <kubespread/cluster.h>

/* The pod that is asked for never enters the cluster: were it there and bound, it would be counted. Of
 * several of that name the last one is kept. */
typedef struct ks_loader {
    ks_str namespace_; /* of the pod, and of objects that name none */
    ks_str pod_name;
    ks_cluster *cluster; /* NULL: only the pod is looked for */
    ks_arena arena;      /* the pod's */
    ks_pod pod;
    bool found;
    size_t objects;
} ks_loader;

/* The caller fills in namespace_ and pod_name, and `cluster` if objects are to go there. */
void ks_loader_init(ks_loader *loader, ks_alloc *alloc);
void ks_loader_free(ks_loader *loader);

/* A ks_object_fn; the loader is its ctx. */
int ks_loader_take(void *loader, const ks_object *object, ks_error *err);

#endif
