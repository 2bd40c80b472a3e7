// SPDX-License-Identifier: Apache-2.0
/* What a simulation keeps: the objects that it was given, the owners that pods belong to, and what became of
 * the pods. Pods themselves are in the cluster only. */
#ifndef KS_SIM_STATE_H
#define KS_SIM_STATE_H

#include "engine/engine.h"
#include "sim/sim.h"
#include "util/vec.h"

typedef struct ks_owner_kind ks_owner_kind;

/* A workload of the input as it was given. */
typedef struct ks_given {
    ks_arena arena;
    ks_object object;
} ks_given;

/* Whom pods belong to: a workload, or pending pods that look alike and whose workload was not given. */
typedef struct ks_owner {
    ks_arena arena;
    const ks_owner_kind *how; /* NULL: it makes no pods */
    const ks_object *object;  /* a ks_given's; NULL if there is none */
    ks_kind kind;
    ks_str namespace_, name;
    ks_pod pod;                   /* what its pods look like, but for what tells them apart */
    ks_class *class_;             /* of its pods, where all are of one; with a reference */
    ks_selector adopts;           /* pods without a controller that it takes for its own */
    const ks_object *replica_set; /* Deployment: the one of its template, if it was given */
    size_t wanted, existing, made, placed, unplaced;
    size_t alive;       /* pods in the cluster that count towards `wanted` */
    size_t succeeded;   /* pods that ran to their end */
    size_t replaced;    /* evicted pods that new ones were made for */
    uint64_t names;     /* tried for its pods so far */
    int64_t next;       /* StatefulSet: ordinals below are there; one past the last may exceed 31 bits */
    bool ordered;       /* StatefulSet: a pod is made only once the one before it has a place */
    ks_nodeset covered; /* DaemonSet: nodes that have their pod; Indexed Job: indexes that have */
} ks_owner;

/* Whom pods name as their controller, and the owner that they belong to thereby: a Deployment's pods name a
 * ReplicaSet. */
typedef struct ks_controller {
    ks_str namespace_, kind, name, uid;
    uint32_t owner;
} ks_controller;

/* The last refusal of a pod. */
typedef struct ks_refusal {
    ks_str namespace_, name, reason, message;
    size_t attempts;
} ks_refusal;

/* A pod that was evicted in the last step. */
typedef struct ks_lost {
    uint32_t owner; /* KS_NONE: nobody makes another one */
    ks_str name, node;
} ks_lost;

struct ks_sim {
    ks_alloc alloc;
    ks_arena arena;   /* results' strings */
    ks_arena scratch; /* of one pod */
    ks_sim_options options;
    ks_selector selector; /* of the pods to schedule */
    ks_cluster *cluster;
    ks_scheduler *scheduler; /* from the run on */
    ks_cycle *cycle;         /* of ks_sim_look */
    bool ran;
    int64_t now_ms, changed_ms; /* the virtual clock, and when something last changed */

    KS_VEC(ks_given *) given;
    ks_index given_by_name;
    KS_VEC(ks_owner *) owners;
    KS_VEC(ks_controller) controllers;
    ks_index controllers_by_name;
    KS_VEC(uint32_t) owner_of_class; /* by class id; KS_NONE: unknown */
    KS_VEC(ks_class *) classes;      /* with references, so that ids stay theirs */

    KS_VEC(ks_sim_placement) placements;
    ks_index placements_by_name; /* a pod that is placed again replaces its older entry */
    KS_VEC(ks_refusal) refusals;
    ks_index refusals_by_name;
    KS_VEC(ks_sim_unplaced) unplaced;
    KS_VEC(ks_sim_eviction) evictions;
    KS_VEC(ks_lost) lost;
    KS_VEC(ks_str) texts;
    ks_index texts_by_hash;
    size_t pods, made, placed;
};

/* The index of an Indexed Job's pod. */
#define KS_JOB_INDEX_LABEL KS_STR("batch.kubernetes.io/job-completion-index")

/* given.c */
/* Keeps a copy, in place of an older one of the same kind, namespace and name. */
int ks_given_keep(ks_sim *sim, const ks_object *object, ks_error *err);
const ks_object *ks_given_find(const ks_sim *sim, ks_kind kind, ks_str namespace_, ks_str name);
void ks_given_free(ks_sim *sim);

/* owner.c */
/* A new owner at the end of the list; NULL on failure. */
ks_owner *ks_owner_add(ks_sim *sim, ks_kind kind, ks_str namespace_, ks_str name);
void ks_owners_free(ks_sim *sim);
/* Pods that name this controller belong to the owner. The strings must live as long as the sim. */
bool ks_owner_add_controller(ks_sim *sim, uint32_t owner, const ks_controller *controller);
/* The owner of pods that name this controller, or KS_NONE. */
uint32_t ks_owner_by_controller(const ks_sim *sim, ks_str namespace_, const ks_owner_reference *controller);
/* Pods of the class belong to the owner. */
bool ks_owner_add_class(ks_sim *sim, uint32_t owner, ks_class *class_);
uint32_t ks_owner_of_class(const ks_sim *sim, const ks_class *class_);
/* Whether pods with these labels are to be scheduled. */
bool ks_sim_selects(const ks_sim *sim, ks_str namespace_, const ks_labels *labels);

/* census.c */
/* Not bound, not over and not terminating. */
bool ks_pod_is_pending(const ks_pod_row *pod);
/* Counts the pods that are there at the start for their owners. */
int ks_census_take(ks_sim *sim, ks_error *err);
/* Owners for pending pods that have none. */
int ks_census_group(ks_sim *sim, ks_error *err);

/* record.c */
/* One copy of a text for all who say the same. */
bool ks_sim_intern(ks_str *out, ks_sim *sim, ks_str text);
extern const ks_sink ks_sim_sink;
/* Why the pod was refused last; absent if it never was. */
ks_str ks_record_message(const ks_sim *sim, ks_str namespace_, ks_str name);
/* Lists what is pending in the end. */
int ks_record_unplaced(ks_sim *sim, ks_error *err);

/* sim.c */
/* What the API server makes of a pod. Without a profile of its own the simulation schedules pods of any
 * scheduler's name. */
bool ks_sim_admit(const ks_sim *sim, ks_pod_spec *spec, ks_arena *arena);
/* Applies an object to the cluster, through the scheduler once there is one. */
int ks_sim_apply(ks_sim *sim, const ks_object *object, ks_error *err);
/* Runs the loop until nothing can change any more. */
int ks_sim_loop(ks_sim *sim, ks_error *err);

#endif
