// SPDX-License-Identifier: Apache-2.0
/* Clusters with storage, as texts, and a cycle of the plugins that look at it. */
#ifndef TESTS_SUPPORT_STORAGE_H
#define TESTS_SUPPORT_STORAGE_H

#include "util/str.h"
#include <kubespread/cluster.h>

/* Objects, with --- before each, so that { does not make it JSON. */

#define NODE(name, labels)                                                                                   \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: {" labels "}}}\n"
#define CLASS(name, more)                                                                                    \
    "---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " name "}, " more "}\n"
#define WAITS "volumeBindingMode: WaitForFirstConsumer"
#define CLAIM_META(name, meta, spec)                                                                         \
    "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " name meta "}, spec: {" spec "}}"  \
    "\n"
#define CLAIM(name, spec) CLAIM_META(name, "", spec)
#define BOUND(name, volume)                                                                                  \
    CLAIM_META(name, ", annotations: {pv.kubernetes.io/bind-completed: 'yes'}", "volumeName: " volume)
#define SIZE(size) "resources: {requests: {storage: " size "}}"
#define VOLUME(name, meta, spec)                                                                             \
    "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: " name meta "}, spec: {" spec "}}\n"
#define CAPACITY(size) "capacity: {storage: " size "}"
#define ON(key, value)                                                                                       \
    "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: " key                           \
    ", operator: In, values: [" value "]}]}]}}"

#define POD(name, spec)                                                                                      \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", uid: u}, spec: {" spec "}}\n"
#define USES(claim) "{name: " claim ", persistentVolumeClaim: {claimName: " claim "}}"
#define WITH(claim) POD("pending", "volumes: [" USES(claim) "]")
#define EPHEMERAL POD("pending", "volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {}}}}]")

#define THREE NODE("a", "host: a, zone: z1") NODE("b", "host: b, zone: z1") NODE("c", "host: c, zone: z2")

#define CONFLICT "node(s) didn't match PersistentVolume's node affinity"
#define NO_VOLUME "node(s) didn't find available persistent volumes to bind"
#define MISSING "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
#define NO_ZONE "node(s) had no available volume zone"

typedef struct storage_bed {
    ks_cluster *cluster;
    ks_cycle *cycle;
} storage_bed;

/* VolumeBinding, VolumeZone and DynamicResources, or the first so many of them. */
void storage_begin(storage_bed *bed, size_t plugins, const ks_allocator *allocator);
void storage_end(storage_bed *bed);

/* Hands each object of a text to a function; the next two are such, with a storage_bed. */
int storage_decode(const char *text, ks_object_fn object, void *ctx, ks_error *err);
int storage_apply(void *ctx, const ks_object *object, ks_error *err);
int storage_run(void *ctx, const ks_object *object, ks_error *err);

/* What the cycle found: "plugin: reason" where the pod is refused as a whole, else a line for each node, its
 * name and the reasons why it is refused. */
void storage_put(ks_buf *out, const ks_cycle *cycle);
/* Ends the test if it found something else. */
void storage_check(const char *name, const ks_cycle *cycle, const char *want);

#endif
