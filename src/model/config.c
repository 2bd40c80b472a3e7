// SPDX-License-Identifier: Apache-2.0
#include "model/config_file.h"
#include "model/profile.h"

/* A configuration and all its memory; what the caller holds is its first member. */
typedef struct config_store {
    ks_config config;
    ks_alloc alloc;
    ks_arena arena;
} config_store;

static config_store *store_new(const ks_allocator *allocator)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, allocator);
    config_store *store = ks_alloc_get_zeroed(&alloc, sizeof *store);
    if (!store)
        return NULL;
    store->alloc = alloc;
    ks_arena_init(&store->arena, &store->alloc);
    return store;
}

void ks_config_free(ks_config *config)
{
    if (!config)
        return;
    config_store *store = (config_store *)config;
    ks_arena_free(&store->arena);
    ks_alloc alloc = store->alloc;
    ks_alloc_free(&alloc, store, sizeof *store);
}

const ks_profile *ks_config_profile(const ks_config *config, ks_str scheduler_name)
{
    if (scheduler_name.len == 0)
        scheduler_name = KS_STR("default-scheduler");
    for (size_t i = 0; i < config->profiles.count; i++)
        if (ks_str_eq(config->profiles.items[i].scheduler_name, scheduler_name))
            return &config->profiles.items[i];
    return NULL;
}

/* ---- what a file leaves out ---- */

static bool is_there(ks_str json)
{
    return json.data && !ks_str_eq(json, KS_STR("null"));
}

/* A weight beside a plugin that is disabled means nothing and must not make two lists differ. */
static void drop_disabled_weights(ks_file_plugins *plugins)
{
    for (size_t point = 0; point <= KS_POINT_COUNT; point++)
        for (size_t i = 0; i < plugins->points[point].disabled.count; i++)
            plugins->points[point].disabled.items[i].weight = 0;
}

/* A file without profiles has one, and the only profile needs no name. */
static void set_defaults(ks_config_file *file, const ks_config_meta *meta, ks_file_profile *only)
{
    if (file->profiles.count == 0) {
        file->profiles.items = only;
        file->profiles.count = 1;
    }
    ks_file_profile *first = &file->profiles.items[0];
    if (file->profiles.count == 1 && !first->scheduler_name.data)
        first->scheduler_name = KS_STR("default-scheduler");
    for (size_t i = 0; i < file->profiles.count; i++)
        drop_disabled_weights(&file->profiles.items[i].plugins);
    if (!is_there(meta->pod_initial_backoff_seconds))
        file->pod_initial_backoff_seconds = 1;
    if (!is_there(meta->pod_max_backoff_seconds))
        file->pod_max_backoff_seconds = 10;
}

/* ---- from a file's profiles to the caller's ---- */

static int put_profile(ks_profile *out, const ks_config_file *file, const ks_file_profile *from,
                       const ks_decoder *decoder, ks_arena *arena, ks_error *err)
{
    ks_profile draft = ks_profile_draft(file, from);
    if (!ks_profile_copy(out, &draft, arena))
        return ks_fail_nomem(err);
    return ks_profile_set_plugins(out, from, decoder, arena, err);
}

static int put_profiles(config_store *store, const ks_config_file *file, const ks_decoder *decoder,
                        ks_error *err)
{
    ks_config *config = &store->config;
    config->pod_initial_backoff_seconds = file->pod_initial_backoff_seconds;
    config->pod_max_backoff_seconds = file->pod_max_backoff_seconds;
    config->profiles.items = ks_arena_get(&store->arena, file->profiles.count * sizeof(ks_profile));
    if (!config->profiles.items)
        return ks_fail_nomem(err);
    for (size_t i = 0; i < file->profiles.count; i++) {
        int code = put_profile(&config->profiles.items[i], file, &file->profiles.items[i], decoder,
                               &store->arena, err);
        if (code != KS_OK)
            return code;
        config->profiles.count++;
    }
    return KS_OK;
}

int ks_config_default(ks_config **out, const ks_allocator *allocator, ks_error *err)
{
    config_store *store = store_new(allocator);
    if (!store)
        return ks_fail_nomem(err);
    ks_config_file file = {0};
    ks_file_profile only = {0};
    set_defaults(&file, &(ks_config_meta){0}, &only);
    int code = put_profiles(store, &file, NULL, err);
    if (code != KS_OK) {
        ks_config_free(&store->config);
        return code;
    }
    *out = &store->config;
    return KS_OK;
}

/* ---- plugin args ---- */

/* Args may say what they are, and then they must be that. */
static int check_args_meta(const ks_args_meta *meta, ks_str plugin, const ks_decoder *args, ks_error *err)
{
    if (meta->api_version.len && !ks_str_eq(meta->api_version, KS_STR(KS_CONFIG_API_VERSION)))
        return ks_decode_fail(err, KS_EINVAL, args, meta->api_version.data, KS_STR("apiVersion"),
                              "%s: must be \"" KS_CONFIG_API_VERSION "\"", KS_STR_QUOTED(meta->api_version));
    ks_str kind = meta->kind;
    if (kind.len == 0 || (kind.len == plugin.len + 4 && memcmp(kind.data, plugin.data, plugin.len) == 0 &&
                          memcmp(kind.data + plugin.len, "Args", 4) == 0))
        return KS_OK;
    return ks_decode_fail(err, KS_EINVAL, args, kind.data, KS_STR("kind"), "%s: must be \"%.*sArgs\"",
                          KS_STR_QUOTED(kind), KS_STR_ARG(plugin));
}

static int decode_args(ks_file_plugin_config *config, ks_str path, const ks_decoder *decoder, ks_error *err)
{
    config->kind = ks_args_kind_find(config->name);
    if (!config->kind || !is_there(config->args))
        return KS_OK;
    ks_decoder args = ks_decoder_of(decoder, config->args, path);
    config->decoded = ks_arena_get(decoder->arena, config->kind->schema->size);
    if (!config->decoded)
        return ks_fail_nomem(err);
    int code = ks_decode_value(config->decoded, config->kind->schema, &args, err);
    if (code == KS_OK)
        code = check_args_meta(config->decoded, config->name, &args, err);
    if (code == KS_OK && config->kind->set_defaults)
        config->kind->set_defaults(config->decoded);
    return code;
}

static int decode_profile_args(const ks_file_profile *profile, size_t at, const ks_decoder *decoder,
                               ks_error *err)
{
    ks_buf path;
    ks_buf_init(&path, decoder->arena->alloc);
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < profile->plugin_config.count; i++) {
        ks_buf_clear(&path);
        ks_buf_printf(&path, "profiles[%zu].pluginConfig[%zu].args", at, i);
        code = path.failed ? ks_fail_nomem(err)
                           : decode_args(&profile->plugin_config.items[i], ks_buf_str(&path), decoder, err);
    }
    ks_buf_free(&path);
    return code;
}

/* ---- a file ---- */

static int check_meta(const ks_config_meta *meta, const ks_decoder *decoder, ks_error *err)
{
    if (!ks_str_eq(meta->api_version, KS_STR(KS_CONFIG_API_VERSION)))
        return ks_decode_fail(err, KS_EINVAL, decoder, meta->api_version.data, KS_STR("apiVersion"),
                              "%s: must be \"" KS_CONFIG_API_VERSION "\"", KS_STR_QUOTED(meta->api_version));
    if (!ks_str_eq(meta->kind, KS_STR(KS_CONFIG_KIND)))
        return ks_decode_fail(err, KS_EINVAL, decoder, meta->kind.data, KS_STR("kind"),
                              "%s: must be \"" KS_CONFIG_KIND "\"", KS_STR_QUOTED(meta->kind));
    return KS_OK;
}

/* The one field whose type no schema knows, a floating point number. */
static int check_qps(ks_str qps, const ks_decoder *decoder, ks_error *err)
{
    ks_json reader;
    ks_json_init(&reader, qps);
    if (!is_there(qps) || ks_json_peek(&reader) == KS_JSON_NUMBER)
        return KS_OK;
    return ks_decode_fail(err, KS_EINVAL, decoder, qps.data, KS_STR("clientConnection.qps"),
                          "%.*s%s: must be a number", KS_STR_SHORT_ARG(qps));
}

static int decode_file(ks_config_file *file, const ks_config_meta *meta, ks_file_profile *only,
                       ks_decoder *decoder, ks_error *err)
{
    int code = ks_decode_value(file, &ks_config_file_schema, decoder, err);
    if (code == KS_OK)
        code = check_qps(file->client_connection.qps, decoder, err);
    for (size_t i = 0; code == KS_OK && i < file->profiles.count; i++)
        code = decode_profile_args(&file->profiles.items[i], i, decoder, err);
    if (code != KS_OK)
        return code;
    set_defaults(file, meta, only);
    return ks_config_file_check(file, decoder, err);
}

typedef struct reading {
    config_store *store;
    bool found;
} reading;

static int read_document(void *ctx, ks_decoder *decoder, ks_error *err)
{
    reading *reading = ctx;
    if (ks_json_peek(&decoder->reader) == KS_JSON_NULL) {
        ks_json_read_null(&decoder->reader);
        return KS_OK;
    }
    if (reading->found)
        return ks_decode_fail(err, KS_EINVAL, decoder, decoder->reader.at, (ks_str){0},
                              "a second document: there must be one " KS_CONFIG_KIND);
    reading->found = true;
    ks_decoder first_look = *decoder;
    ks_config_meta meta;
    ks_config_file file;
    ks_file_profile only = {0};
    int code = ks_decode_value(&meta, &ks_config_meta_schema, &first_look, err);
    if (code == KS_OK)
        code = check_meta(&meta, decoder, err);
    if (code == KS_OK)
        code = decode_file(&file, &meta, &only, decoder, err);
    return code == KS_OK ? put_profiles(reading->store, &file, decoder, err) : code;
}

int ks_config_decode(ks_config **out, ks_source source, const ks_allocator *allocator, ks_error *err)
{
    reading reading = {.store = store_new(allocator)};
    if (!reading.store)
        return ks_fail_nomem(err);
    int code = ks_documents_read(source, &reading.store->alloc, read_document, &reading, err);
    if (code == KS_OK && !reading.found)
        code = ks_fail(err, KS_EINVAL, "%.*s: empty: there must be one " KS_CONFIG_KIND,
                       KS_STR_ARG(source.name));
    if (code != KS_OK) {
        ks_config_free(&reading.store->config);
        return code;
    }
    *out = &reading.store->config;
    return KS_OK;
}
