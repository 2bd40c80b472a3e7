// SPDX-License-Identifier: Apache-2.0
/* Volumes, claims and storage classes: which claims a pod has, where a volume can be used, and which volume
 * a claim would get. For VolumeBinding and VolumeZone.
 *
 * Here nobody binds claims: what a placement means for claims that wait for their first consumer is
 * remembered beside the objects (ks_stored.partner and .selected), until the objects themselves say so. */
#ifndef KS_ENGINE_VOLUME_H
#define KS_ENGINE_VOLUME_H

#include "engine/engine.h"

enum { KS_CLAIM_NAME_MAX = 1024 };

/* Whether the volume is a claim, given or to be made for the pod. */
bool ks_volume_is_claim(const ks_volume *volume);
/* The claim's name; that of an ephemeral volume is put together in `buf`, and cut if it does not fit. */
ks_str ks_volume_claim_name(char buf[KS_CLAIM_NAME_MAX], const ks_volume *volume, ks_str pod_name);

/* Whether the pod has that claim among its volumes: by name, or also as one that is made for it. */
bool ks_pod_names_claim(const ks_pod *pod, const ks_object_meta *claim);
bool ks_pod_uses_claim(const ks_pod *pod, const ks_object_meta *claim);

/* NULL if there is none. */
ks_stored *ks_claim_find(const ks_cluster *cluster, ks_str namespace_, ks_str name);
const ks_persistent_volume *ks_persistent_volume_find(const ks_cluster *cluster, ks_str name);
const ks_storage_class *ks_storage_class_find(const ks_cluster *cluster, ks_str name);

ks_str ks_claim_class(const ks_persistent_volume_claim *claim);
/* Bound for good, or by a placement here. */
bool ks_claim_is_bound(const ks_stored *claim);
/* The name of the volume that it is bound to, or shall be; absent if there is none. */
ks_str ks_claim_volume(const ks_stored *claim);
/* Not bound, and not before a pod that uses it has its place. */
bool ks_claim_waits(const ks_cluster *cluster, const ks_stored *claim);
/* The node that a volume is being made for; absent if there is none. */
ks_str ks_claim_selected_node(const ks_stored *claim);
int64_t ks_claim_size(const ks_persistent_volume_claim *claim);

/* Whether a volume can be used on a node with these labels. */
bool ks_persistent_volume_reaches(const ks_persistent_volume *volume, const ks_labels *node);
/* Whether a claim could have a volume, on whatever node: `prebound` says that it is kept for the claim. */
bool ks_persistent_volume_suits(const ks_stored *volume, const ks_stored *claim, bool *prebound);
/* Whether the smaller of two volumes is the first one; of equal ones, that with the lesser name. */
bool ks_persistent_volume_is_smaller(const ks_persistent_volume *a, const ks_persistent_volume *b);
/* Whether a volume can be made for the claim on a node with these labels. */
bool ks_claim_can_be_provisioned(const ks_cluster *cluster, const ks_persistent_volume_claim *claim,
                                 const ks_labels *node);

/* A pod has its place on its node, and its waiting claims with it; or it leaves the place again. */
void ks_volumes_assume(ks_cluster *cluster, const ks_pod_row *pod);
void ks_volumes_forget(ks_cluster *cluster, const ks_pod_row *pod);
/* An object is about to go: nothing is remembered beside it, nor beside its partner. */
void ks_volumes_release(ks_cluster *cluster, ks_stored *stored);

#endif
