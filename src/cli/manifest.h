// SPDX-License-Identifier: Apache-2.0
/* Objects as they were written. The model has the fields that scheduling needs; whoever gives a pod back to
 * kubectl must give back all of it, so its text is kept beside. */
#ifndef KS_CLI_MANIFEST_H
#define KS_CLI_MANIFEST_H

#include "util/arena.h"
#include "util/index.h"
#include "util/json.h"
#include "util/vec.h"
#include <kubespread/model.h>

typedef struct ks_manifest {
    ks_kind kind;
    ks_str namespace_, name, json;
} ks_manifest;

typedef struct ks_manifests {
    ks_alloc *alloc;
    ks_arena arena;
    KS_VEC(ks_manifest) items;
    ks_index by_name;
} ks_manifests;

void ks_manifests_init(ks_manifests *manifests, ks_alloc *alloc);
void ks_manifests_free(ks_manifests *manifests);

/* Keeps the text of a decoded object that is a pod or makes pods, in place of an older one of the same kind,
 * namespace and name. Other objects are left aside. */
int ks_manifests_keep(ks_manifests *manifests, const ks_object *object, ks_error *err);

/* The workload that a pod was made by; kind KS_POD if nobody made it. */
typedef struct ks_maker {
    ks_kind kind;
    ks_str namespace_, name;
} ks_maker;

/* The pod as a manifest that can be applied: its own text, or its maker's template, on the node. What only an
 * API server fills in is left out. */
void ks_manifests_put_pod(ks_json_writer *w, const ks_manifests *manifests, const ks_pod *pod,
                          const ks_maker *maker);

#endif
