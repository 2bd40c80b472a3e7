// SPDX-License-Identifier: Apache-2.0
/* KubeSchedulerConfiguration as it stands in a file, before defaults are filled in and plugins merged.
 * All fields of the API are here, so that a file is held to their names and types; those that nothing
 * reads yet are dropped after that. Everything borrows from the decoder. */
#ifndef KS_MODEL_CONFIG_FILE_H
#define KS_MODEL_CONFIG_FILE_H

#include "model/config_args.h"
#include "model/decode.h"
#include <kubespread/config.h>

#define KS_CONFIG_API_VERSION "kubescheduler.config.k8s.io/v1"
#define KS_CONFIG_KIND "KubeSchedulerConfiguration"
/* Before what kube-scheduler finds only when it starts. Takes the scheduler name by KS_STR_ARG. */
#define KS_PROFILE_FAILED "creating profile for scheduler name %.*s: "

/* Extension points, in the order in which kube-scheduler sets them up (and finds fault with them). */
typedef enum ks_point {
    KS_POINT_PRE_FILTER,
    KS_POINT_FILTER,
    KS_POINT_POST_FILTER,
    KS_POINT_RESERVE,
    KS_POINT_PRE_SCORE,
    KS_POINT_SCORE,
    KS_POINT_PRE_BIND,
    KS_POINT_BIND,
    KS_POINT_POST_BIND,
    KS_POINT_PERMIT,
    KS_POINT_PRE_ENQUEUE,
    KS_POINT_QUEUE_SORT,
    KS_POINT_PLACEMENT_GENERATE,
    KS_POINT_PLACEMENT_SCORE,
    KS_POINT_COUNT,
    KS_POINT_MULTI = KS_POINT_COUNT, /* not a point: stands for all that a plugin implements */
} ks_point;

typedef struct ks_file_plugin {
    ks_str name;
    int32_t weight; /* 0: not given */
} ks_file_plugin;

typedef struct ks_file_plugin_set {
    KS_LIST(ks_file_plugin) enabled, disabled;
} ks_file_plugin_set;

typedef struct ks_file_plugins {
    ks_file_plugin_set points[KS_POINT_COUNT + 1]; /* multiPoint last */
} ks_file_plugins;

typedef struct ks_file_plugin_config {
    ks_str name;
    ks_str args;              /* JSON, to be decoded by the plugin's own schema */
    const ks_args_kind *kind; /* NULL: nobody's to decode */
    void *decoded;            /* by the kind's schema, defaults filled in; NULL without args */
} ks_file_plugin_config;

typedef struct ks_file_profile {
    ks_str scheduler_name;
    ks_opt_i32 percentage_of_nodes_to_score;
    ks_file_plugins plugins;
    KS_LIST(ks_file_plugin_config) plugin_config;
} ks_file_profile;

typedef struct ks_file_leader_election {
    ks_opt_bool leader_elect;
    ks_str lease_duration, renew_deadline, retry_period;
    ks_str resource_lock, resource_name, resource_namespace;
} ks_file_leader_election;

typedef struct ks_file_client_connection {
    ks_str kubeconfig, accept_content_types, content_type;
    ks_str qps; /* JSON */
    int32_t burst;
} ks_file_client_connection;

typedef struct ks_file_tls {
    bool insecure;
    ks_str server_name, cert_file, key_file, ca_file, cert_data, key_data, ca_data;
} ks_file_tls;

typedef struct ks_file_managed_resource {
    ks_str name;
    bool ignored_by_scheduler;
} ks_file_managed_resource;

typedef struct ks_file_extender {
    ks_str url_prefix, filter_verb, preempt_verb, prioritize_verb, bind_verb, http_timeout;
    int64_t weight;
    bool enable_https, node_cache_capable, ignorable;
    const ks_file_tls *tls_config;
    KS_LIST(ks_file_managed_resource) managed_resources;
} ks_file_extender;

typedef struct ks_config_file {
    ks_str api_version, kind;
    ks_opt_i32 parallelism, percentage_of_nodes_to_score;
    int64_t pod_initial_backoff_seconds, pod_max_backoff_seconds;
    ks_opt_bool enable_profiling, enable_contention_profiling;
    bool delay_cache_until_active;
    ks_file_leader_election leader_election;
    ks_file_client_connection client_connection;
    KS_LIST(ks_file_profile) profiles;
    KS_LIST(ks_file_extender) extenders;
} ks_config_file;

/* What is looked at before all else: is this a configuration, and is a number there that is not 0 if it is
 * left out? */
typedef struct ks_config_meta {
    ks_str api_version, kind;
    ks_str pod_initial_backoff_seconds, pod_max_backoff_seconds; /* JSON */
} ks_config_meta;

extern const ks_schema ks_config_meta_schema; /* not strict */
extern const ks_schema ks_config_file_schema;

/* Checks a file as kube-scheduler does, defaults filled in and plugins' args decoded. As many faults
 * as fit are in the one message. */
int ks_config_file_check(const ks_config_file *file, const ks_decoder *decoder, ks_error *err);
/* The same for NodeResourcesFit's args, which kube-scheduler checks only where a profile has the plugin,
 * when it makes it. */
int ks_config_fit_args_check(const ks_file_profile *profile, const ks_decoder *decoder, ks_error *err);

/* A profile's plugins, merged with the defaults as kube-scheduler merges them when it starts. A fault's
 * place is looked for in the decoder's text; it may be NULL if the profile leaves all to the defaults. */
int ks_profile_set_plugins(ks_profile *out, const ks_file_profile *from, const ks_decoder *decoder,
                           ks_arena *arena, ks_error *err);

/* The rest of a profile: what plugins' args say, and the defaults of what they leave out. It borrows from
 * the file. */
ks_profile ks_profile_draft(const ks_config_file *file, const ks_file_profile *from);

#endif
