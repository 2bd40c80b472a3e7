// SPDX-License-Identifier: Apache-2.0
#include "model/config_file.h"
#include "model/fault.h"
#include "model/quote.h"
#include "util/index.h"

enum { PERCENT_MAX = 100 };

/* How the file calls the extension points that kube-scheduler looks through for plugins that are gone. */
static const char *const point_fields[KS_POINT_COUNT] = {
    [KS_POINT_PRE_ENQUEUE] = "preEnqueue",
    [KS_POINT_QUEUE_SORT] = "queueSort",
    [KS_POINT_PRE_FILTER] = "preFilter",
    [KS_POINT_FILTER] = "filter",
    [KS_POINT_POST_FILTER] = "postFilter",
    [KS_POINT_PRE_SCORE] = "preScore",
    [KS_POINT_SCORE] = "score",
    [KS_POINT_RESERVE] = "reserve",
    [KS_POINT_PERMIT] = "permit",
    [KS_POINT_PRE_BIND] = "preBind",
    [KS_POINT_BIND] = "bind",
    [KS_POINT_POST_BIND] = "postBind",
};

static void check_percentage(ks_faults *faults, ks_opt_i32 percentage)
{
    if (percentage.set && (percentage.value < 0 || percentage.value > PERCENT_MAX))
        ks_fault_invalid(faults, ".percentageOfNodesToScore", ks_show_int(percentage.value),
                         "not in valid range [0-100]");
}

/* ---- plugins that were there once ---- */

static void check_not_removed(ks_faults *faults, ks_str plugin)
{
    static const char *const removed[] = {"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"};
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (ks_str_eq(plugin, ks_str_of(removed[i])))
            ks_fault_invalid(faults, "", ks_show_string(plugin),
                             "was invalid in version \"v1\" (KubeSchedulerConfiguration is version "
                             "\"" KS_CONFIG_API_VERSION "\")");
}

static void check_plugin_sets(ks_faults *faults, const ks_file_plugins *plugins)
{
    for (size_t point = 0; point < KS_POINT_COUNT; point++) {
        const ks_file_plugin_set *set = &plugins->points[point];
        for (size_t i = 0; point_fields[point] && i < set->enabled.count; i++) {
            size_t mark = ks_faults_enter(faults, ".plugins.%s.enabled[%zu]", point_fields[point], i);
            check_not_removed(faults, set->enabled.items[i].name);
            ks_faults_leave(faults, mark);
        }
    }
}

/* ---- names that may stand only once ---- */

/* A set of names, which are those of the rows of some list. */
typedef struct name_set {
    ks_index index;
    ks_str (*name_of)(const void *list, uint32_t row);
    const void *list;
} name_set;

static bool name_equal(const void *ctx, uint32_t row, const void *key)
{
    const name_set *set = ctx;
    return ks_str_eq(set->name_of(set->list, row), *(const ks_str *)key);
}

/* Whether the row's name was there already; it is afterwards. */
static bool name_repeats(name_set *set, uint32_t row, ks_faults *faults)
{
    ks_str name = set->name_of(set->list, row);
    uint64_t hash = ks_str_hash(name);
    if (ks_index_find(&set->index, hash, name_equal, set, &name) != KS_NONE)
        return true;
    if (ks_index_reserve(&set->index, faults->text.alloc))
        ks_index_add(&set->index, hash, row);
    else
        ks_faults_fail(faults);
    return false;
}

static ks_str plugin_config_name(const void *list, uint32_t row)
{
    return ((const ks_file_profile *)list)->plugin_config.items[row].name;
}

static ks_str profile_name(const void *list, uint32_t row)
{
    return ((const ks_config_file *)list)->profiles.items[row].scheduler_name;
}

/* ---- profiles ---- */

static void check_args(ks_faults *faults, const ks_file_plugin_config *config)
{
    if (!config->decoded || !config->kind->check)
        return;
    size_t mark = ks_faults_enter(faults, ".args");
    config->kind->check(faults, config->decoded);
    ks_faults_leave(faults, mark);
}

static void check_plugin_configs(ks_faults *faults, const ks_file_profile *profile)
{
    name_set names = {.name_of = plugin_config_name, .list = profile};
    for (size_t i = 0; i < profile->plugin_config.count; i++) {
        ks_str name = profile->plugin_config.items[i].name;
        size_t mark = ks_faults_enter(faults, ".pluginConfig[%zu]", i);
        if (name_repeats(&names, (uint32_t)i, faults))
            ks_fault_duplicate(faults, "", ks_show_string(name));
        check_not_removed(faults, name);
        check_args(faults, &profile->plugin_config.items[i]);
        ks_faults_leave(faults, mark);
    }
    ks_index_free(&names.index, faults->text.alloc);
}

static void check_profiles(ks_faults *faults, const ks_config_file *file)
{
    name_set names = {.name_of = profile_name, .list = file};
    for (size_t i = 0; i < file->profiles.count; i++) {
        const ks_file_profile *profile = &file->profiles.items[i];
        size_t mark = ks_faults_enter(faults, "profiles[%zu]", i);
        if (profile->scheduler_name.len == 0)
            ks_fault_required(faults, ".schedulerName", "");
        check_percentage(faults, profile->percentage_of_nodes_to_score);
        check_plugin_sets(faults, &profile->plugins);
        check_plugin_configs(faults, profile);
        if (name_repeats(&names, (uint32_t)i, faults))
            ks_fault_duplicate(faults, ".schedulerName", ks_show_string(profile->scheduler_name));
        ks_faults_leave(faults, mark);
    }
    ks_index_free(&names.index, faults->text.alloc);
}

/* ---- queueSort, which all profiles share ---- */

static bool plugins_equal(const ks_file_plugin *a, size_t a_count, const ks_file_plugin *b, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (!ks_str_eq(a[i].name, b[i].name) || a[i].weight != b[i].weight)
            return false;
    return true;
}

static bool sets_equal(const ks_file_plugin_set *a, const ks_file_plugin_set *b)
{
    return plugins_equal(a->enabled.items, a->enabled.count, b->enabled.items, b->enabled.count) &&
           plugins_equal(a->disabled.items, a->disabled.count, b->disabled.items, b->disabled.count);
}

static void put_plugins(ks_buf *buf, const ks_file_plugin *plugins, size_t count)
{
    ks_buf_put_str(buf, count ? KS_STR("[") : KS_STR("null"));
    for (size_t i = 0; i < count; i++) {
        ks_buf_put_str(buf, i == 0 ? KS_STR("{\"Name\":") : KS_STR(",{\"Name\":"));
        ks_quote_json(buf, plugins[i].name);
        ks_buf_printf(buf, ",\"Weight\":%d}", (int)plugins[i].weight);
    }
    ks_buf_put_str(buf, count ? KS_STR("]") : KS_STR(""));
}

static void report_other_queue_sort(ks_faults *faults, const ks_file_plugin_set *set)
{
    ks_buf shown;
    ks_buf_init(&shown, faults->text.alloc);
    ks_buf_put_str(&shown, KS_STR("{\"Enabled\":"));
    put_plugins(&shown, set->enabled.items, set->enabled.count);
    ks_buf_put_str(&shown, KS_STR(",\"Disabled\":"));
    put_plugins(&shown, set->disabled.items, set->disabled.count);
    ks_buf_put_char(&shown, '}');
    if (shown.failed)
        ks_faults_fail(faults);
    else
        ks_fault_invalid(faults, ".plugins.queueSort", ks_show_raw(ks_buf_str(&shown)),
                         "must be the same for all profiles");
    ks_buf_free(&shown);
}

static void check_queue_sort(ks_faults *faults, const ks_config_file *file)
{
    const ks_file_plugin_set *first = &file->profiles.items[0].plugins.points[KS_POINT_QUEUE_SORT];
    if (first->enabled.count > 1)
        ks_fault_invalid(faults, "profiles[0].plugins.queueSort.Enabled",
                         ks_show_int((int64_t)first->enabled.count),
                         "only one queue sort plugin can be enabled");
    for (size_t i = 1; i < file->profiles.count; i++) {
        const ks_file_plugin_set *set = &file->profiles.items[i].plugins.points[KS_POINT_QUEUE_SORT];
        if (sets_equal(first, set))
            continue;
        size_t mark = ks_faults_enter(faults, "profiles[%zu]", i);
        report_other_queue_sort(faults, set);
        ks_faults_leave(faults, mark);
    }
}

/* ---- the whole file ---- */

static void check_backoff(ks_faults *faults, int64_t initial, int64_t max)
{
    if (initial <= 0)
        ks_fault_invalid(faults, ".podInitialBackoffSeconds", ks_show_int(initial), "must be greater than 0");
    if (max < initial)
        ks_fault_invalid(faults, ".podMaxBackoffSeconds", ks_show_int(max),
                         "must be greater than or equal to PodInitialBackoffSeconds");
}

static void check_file(ks_faults *faults, const void *what)
{
    const ks_config_file *file = what;
    if (file->client_connection.burst < 0)
        ks_fault_invalid(faults, ".clientConnection.burst", ks_show_int(file->client_connection.burst),
                         "must be non-negative");
    if (file->parallelism.set && file->parallelism.value <= 0)
        ks_fault_invalid(faults, ".parallelism", ks_show_int(file->parallelism.value),
                         "should be an integer value greater than zero");
    check_profiles(faults, file);
    check_queue_sort(faults, file);
    check_percentage(faults, file->percentage_of_nodes_to_score);
    check_backoff(faults, file->pod_initial_backoff_seconds, file->pod_max_backoff_seconds);
}

/* Faults side by side, as kube-scheduler prints several. */
typedef struct fault_line {
    ks_buf text;
    size_t count;
} fault_line;

static void join_fault(void *ctx, ks_str fault)
{
    fault_line *line = ctx;
    ks_buf_put_str(&line->text, line->count++ ? KS_STR(", ") : KS_STR(""));
    ks_buf_put_str(&line->text, fault);
}

typedef void (*check_fn)(ks_faults *faults, const void *what);

/* `before` stands before the faults. */
static int check(check_fn run, const void *what, ks_str before, const ks_decoder *decoder, ks_error *err)
{
    ks_alloc *alloc = decoder->arena->alloc;
    fault_line line = {0};
    ks_buf_init(&line.text, alloc);
    ks_faults faults;
    ks_faults_init(&faults, alloc, join_fault, &line);
    run(&faults, what);
    int code = ks_faults_finish(&faults, err);
    if (code == KS_OK && line.text.failed)
        code = ks_fail_nomem(err);
    if (code == KS_OK && line.count > 0) {
        bool several = line.count > 1;
        code = ks_decode_fail(err, KS_EINVAL, decoder, NULL, (ks_str){0}, "%.*s%s%s%s", KS_STR_ARG(before),
                              several ? "[" : "", line.text.data, several ? "]" : "");
    }
    ks_buf_free(&line.text);
    return code;
}

int ks_config_file_check(const ks_config_file *file, const ks_decoder *decoder, ks_error *err)
{
    return check(check_file, file, (ks_str){0}, decoder, err);
}

int ks_config_fit_args_check(const ks_file_profile *profile, const ks_decoder *decoder, ks_error *err)
{
    for (size_t i = 0; i < profile->plugin_config.count; i++) {
        const ks_file_plugin_config *config = &profile->plugin_config.items[i];
        if (!config->decoded || !ks_str_eq(config->name, KS_STR("NodeResourcesFit")))
            continue;
        ks_buf before;
        ks_buf_init(&before, decoder->arena->alloc);
        ks_buf_printf(&before, KS_PROFILE_FAILED "initializing plugin \"NodeResourcesFit\": ",
                      KS_STR_ARG(profile->scheduler_name));
        int code = before.failed
                       ? ks_fail_nomem(err)
                       : check(ks_fit_args_check, config->decoded, ks_buf_str(&before), decoder, err);
        ks_buf_free(&before);
        return code;
    }
    return KS_OK;
}
