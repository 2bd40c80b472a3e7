// SPDX-License-Identifier: Apache-2.0
#include "model/config_file.h"

/* Every table in the order of the fields' names, which decoding likes best. */

static const ks_field plugin_fields[] = {
    KS_FIELD("name", STRING, ks_file_plugin, name, NULL),
    KS_FIELD("weight", I32, ks_file_plugin, weight, NULL),
};
static const ks_schema plugin_schema = KS_SCHEMA(ks_file_plugin, plugin_fields);

static const ks_field plugin_set_fields[] = {
    KS_FIELD("disabled", LIST, ks_file_plugin_set, disabled, &plugin_schema),
    KS_FIELD("enabled", LIST, ks_file_plugin_set, enabled, &plugin_schema),
};
static const ks_schema plugin_set_schema = KS_SCHEMA(ks_file_plugin_set, plugin_set_fields);

#define POINT(json_name, point)                                                                              \
    KS_FIELD(json_name, STRUCT, ks_file_plugins, points[KS_POINT_##point], &plugin_set_schema)
static const ks_field plugins_fields[] = {
    POINT("bind", BIND),
    POINT("filter", FILTER),
    POINT("multiPoint", MULTI),
    POINT("permit", PERMIT),
    POINT("placementGenerate", PLACEMENT_GENERATE),
    POINT("placementScore", PLACEMENT_SCORE),
    POINT("postBind", POST_BIND),
    POINT("postFilter", POST_FILTER),
    POINT("preBind", PRE_BIND),
    POINT("preEnqueue", PRE_ENQUEUE),
    POINT("preFilter", PRE_FILTER),
    POINT("preScore", PRE_SCORE),
    POINT("queueSort", QUEUE_SORT),
    POINT("reserve", RESERVE),
    POINT("score", SCORE),
};
static const ks_schema plugins_schema = KS_SCHEMA(ks_file_plugins, plugins_fields);

static const ks_field plugin_config_fields[] = {
    KS_FIELD("args", RAW, ks_file_plugin_config, args, NULL),
    KS_FIELD("name", STRING, ks_file_plugin_config, name, NULL),
};
static const ks_schema plugin_config_schema = KS_SCHEMA(ks_file_plugin_config, plugin_config_fields);

static const ks_field profile_fields[] = {
    KS_FIELD("percentageOfNodesToScore", OPT_I32, ks_file_profile, percentage_of_nodes_to_score, NULL),
    KS_FIELD("pluginConfig", LIST, ks_file_profile, plugin_config, &plugin_config_schema),
    KS_FIELD("plugins", STRUCT, ks_file_profile, plugins, &plugins_schema),
    KS_FIELD("schedulerName", STRING, ks_file_profile, scheduler_name, NULL),
};
static const ks_schema profile_schema = KS_SCHEMA(ks_file_profile, profile_fields);

static const ks_field leader_election_fields[] = {
    KS_FIELD("leaderElect", OPT_BOOL, ks_file_leader_election, leader_elect, NULL),
    KS_FIELD("leaseDuration", STRING, ks_file_leader_election, lease_duration, NULL),
    KS_FIELD("renewDeadline", STRING, ks_file_leader_election, renew_deadline, NULL),
    KS_FIELD("resourceLock", STRING, ks_file_leader_election, resource_lock, NULL),
    KS_FIELD("resourceName", STRING, ks_file_leader_election, resource_name, NULL),
    KS_FIELD("resourceNamespace", STRING, ks_file_leader_election, resource_namespace, NULL),
    KS_FIELD("retryPeriod", STRING, ks_file_leader_election, retry_period, NULL),
};
static const ks_schema leader_election_schema = KS_SCHEMA(ks_file_leader_election, leader_election_fields);

static const ks_field client_connection_fields[] = {
    KS_FIELD("acceptContentTypes", STRING, ks_file_client_connection, accept_content_types, NULL),
    KS_FIELD("burst", I32, ks_file_client_connection, burst, NULL),
    KS_FIELD("contentType", STRING, ks_file_client_connection, content_type, NULL),
    KS_FIELD("kubeconfig", STRING, ks_file_client_connection, kubeconfig, NULL),
    KS_FIELD("qps", RAW, ks_file_client_connection, qps, NULL),
};
static const ks_schema client_connection_schema =
    KS_SCHEMA(ks_file_client_connection, client_connection_fields);

static const ks_field tls_fields[] = {
    KS_FIELD("caData", STRING, ks_file_tls, ca_data, NULL),
    KS_FIELD("caFile", STRING, ks_file_tls, ca_file, NULL),
    KS_FIELD("certData", STRING, ks_file_tls, cert_data, NULL),
    KS_FIELD("certFile", STRING, ks_file_tls, cert_file, NULL),
    KS_FIELD("insecure", BOOL, ks_file_tls, insecure, NULL),
    KS_FIELD("keyData", STRING, ks_file_tls, key_data, NULL),
    KS_FIELD("keyFile", STRING, ks_file_tls, key_file, NULL),
    KS_FIELD("serverName", STRING, ks_file_tls, server_name, NULL),
};
static const ks_schema tls_schema = KS_SCHEMA(ks_file_tls, tls_fields);

static const ks_field managed_resource_fields[] = {
    KS_FIELD("ignoredByScheduler", BOOL, ks_file_managed_resource, ignored_by_scheduler, NULL),
    KS_FIELD("name", STRING, ks_file_managed_resource, name, NULL),
};
static const ks_schema managed_resource_schema = KS_SCHEMA(ks_file_managed_resource, managed_resource_fields);

static const ks_field extender_fields[] = {
    KS_FIELD("bindVerb", STRING, ks_file_extender, bind_verb, NULL),
    KS_FIELD("enableHTTPS", BOOL, ks_file_extender, enable_https, NULL),
    KS_FIELD("filterVerb", STRING, ks_file_extender, filter_verb, NULL),
    KS_FIELD("httpTimeout", STRING, ks_file_extender, http_timeout, NULL),
    KS_FIELD("ignorable", BOOL, ks_file_extender, ignorable, NULL),
    KS_FIELD("managedResources", LIST, ks_file_extender, managed_resources, &managed_resource_schema),
    KS_FIELD("nodeCacheCapable", BOOL, ks_file_extender, node_cache_capable, NULL),
    KS_FIELD("preemptVerb", STRING, ks_file_extender, preempt_verb, NULL),
    KS_FIELD("prioritizeVerb", STRING, ks_file_extender, prioritize_verb, NULL),
    KS_FIELD("tlsConfig", POINTER, ks_file_extender, tls_config, &tls_schema),
    KS_FIELD("urlPrefix", STRING, ks_file_extender, url_prefix, NULL),
    KS_FIELD("weight", I64, ks_file_extender, weight, NULL),
};
static const ks_schema extender_schema = KS_SCHEMA(ks_file_extender, extender_fields);

static const ks_field file_fields[] = {
    KS_FIELD("apiVersion", STRING, ks_config_file, api_version, NULL),
    KS_FIELD("clientConnection", STRUCT, ks_config_file, client_connection, &client_connection_schema),
    KS_FIELD("delayCacheUntilActive", BOOL, ks_config_file, delay_cache_until_active, NULL),
    KS_FIELD("enableContentionProfiling", OPT_BOOL, ks_config_file, enable_contention_profiling, NULL),
    KS_FIELD("enableProfiling", OPT_BOOL, ks_config_file, enable_profiling, NULL),
    KS_FIELD("extenders", LIST, ks_config_file, extenders, &extender_schema),
    KS_FIELD("kind", STRING, ks_config_file, kind, NULL),
    KS_FIELD("leaderElection", STRUCT, ks_config_file, leader_election, &leader_election_schema),
    KS_FIELD("parallelism", OPT_I32, ks_config_file, parallelism, NULL),
    KS_FIELD("percentageOfNodesToScore", OPT_I32, ks_config_file, percentage_of_nodes_to_score, NULL),
    KS_FIELD("podInitialBackoffSeconds", I64, ks_config_file, pod_initial_backoff_seconds, NULL),
    KS_FIELD("podMaxBackoffSeconds", I64, ks_config_file, pod_max_backoff_seconds, NULL),
    KS_FIELD("profiles", LIST, ks_config_file, profiles, &profile_schema),
};
const ks_schema ks_config_file_schema = KS_SCHEMA_STRICT(ks_config_file, file_fields);

static const ks_field meta_fields[] = {
    KS_FIELD("apiVersion", STRING, ks_config_meta, api_version, NULL),
    KS_FIELD("kind", STRING, ks_config_meta, kind, NULL),
    KS_FIELD("podInitialBackoffSeconds", RAW, ks_config_meta, pod_initial_backoff_seconds, NULL),
    KS_FIELD("podMaxBackoffSeconds", RAW, ks_config_meta, pod_max_backoff_seconds, NULL),
};
const ks_schema ks_config_meta_schema = KS_SCHEMA(ks_config_meta, meta_fields);
