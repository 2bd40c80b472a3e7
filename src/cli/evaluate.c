// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/evaluation.h"
#include "cli/input.h"
#include "cli/load.h"
#include "cli/output.h"
#include <kubespread/validate.h>

typedef enum format { FORMAT_TABLE, FORMAT_WIDE, FORMAT_JSON, FORMAT_YAML, FORMAT_NAME } format;
static const char *const formats[] = {"table", "wide", "json", "yaml", "name", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};

typedef struct options {
    ks_texts filenames;
    bool recursive;
    const char *namespace_;
    const char *config;
    const char *feature_gates;
    int format;
    bool no_headers;
    int color;
} options;

/* Everything that one evaluation holds; freed by inquiry_free whatever was reached. */
typedef struct inquiry {
    ks_cli *cli;
    const options *options;
    ks_gates gates;
    ks_config *config;         /* NULL: no --config */
    const ks_profile *profile; /* NULL: the default one */
    ks_inputs inputs;
    ks_loader loader;
    ks_cluster *cluster;
    ks_cycle *cycle;
    ks_evaluation evaluation;
} inquiry;

static void inquiry_free(inquiry *q)
{
    ks_evaluation_free(&q->evaluation);
    ks_cycle_free(q->cycle);
    ks_cluster_free(q->cluster);
    ks_loader_free(&q->loader);
    ks_inputs_free(&q->inputs);
    ks_config_free(q->config);
}

/* ---- the command line ---- */

static bool is_pod_type(ks_str type)
{
    return ks_str_eq(type, KS_STR("pod")) || ks_str_eq(type, KS_STR("pods")) || ks_str_eq(type, KS_STR("po"));
}

/* "pod/NAME", "pod NAME", or NAME alone, as kubectl takes them. */
static int parse_pod_name(ks_str *out, const ks_texts *operands, ks_error *err)
{
    if (operands->count == 0)
        return ks_fail(err, KS_EINVAL, "which pod? name it as pod/NAME");
    ks_str first = ks_str_of(operands->items[0]);
    const char *slash = strchr(first.data, '/');
    ks_str type = {first.data, slash ? (size_t)(slash - first.data) : first.len};
    bool separate = !slash && operands->count > 1;
    if ((slash || separate) && !is_pod_type(type))
        return ks_fail(err, KS_EINVAL, "\"%s\": only pods can be evaluated: must be pod/NAME", first.data);
    size_t taken = separate ? 2 : 1;
    if (operands->count > taken)
        return ks_fail(err, KS_EINVAL, "\"%s\": one pod at a time", operands->items[taken]);
    *out = slash ? ks_str_of(slash + 1) : ks_str_of(operands->items[separate]);
    if (out->len == 0 || strchr(out->data, '/') || (!slash && !separate && is_pod_type(first)))
        return ks_fail(err, KS_EINVAL, "\"%s\": must be pod/NAME", first.data);
    return KS_OK;
}

static int decode_config(void *ctx, ks_source source, ks_error *err)
{
    return ks_config_decode(ctx, source, NULL, err);
}

static int read_config(inquiry *q, ks_error *err)
{
    if (!q->options->config)
        return KS_OK;
    ks_inputs file;
    ks_inputs_init(&file, &q->cli->alloc, &q->cli->arena);
    int code = ks_input_with_text(&file, q->options->config, decode_config, &q->config, err);
    ks_inputs_free(&file);
    return code;
}

static int read_options(inquiry *q, const ks_texts *operands, ks_error *err)
{
    int code = parse_pod_name(&q->loader.pod_name, operands, err);
    if (code != KS_OK)
        return code;
    q->loader.namespace_ = ks_str_of(q->options->namespace_);
    if (q->loader.namespace_.len == 0)
        return ks_fail(err, KS_EINVAL, "--namespace: \"\": must not be empty");
    if (q->options->filenames.count == 0)
        return ks_fail(err, KS_EINVAL, "which cluster? name its files with -f FILE");
    ks_str gates = ks_str_of(q->options->feature_gates);
    if (gates.data && ks_gates_parse(&q->gates, gates, err) != KS_OK)
        return ks_fail_wrap(err, KS_EINVAL, "--feature-gates");
    return read_config(q, err);
}

/* ---- the cluster ---- */

static int open_inputs(inquiry *q, ks_error *err)
{
    const ks_texts *paths = &q->options->filenames;
    ks_folder_reach reach = q->options->recursive ? KS_FOLDER_RECURSIVE : KS_FOLDER_ALONE;
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < paths->count; i++)
        code = ks_inputs_add(&q->inputs, paths->items[i], reach, err);
    return code;
}

static int fail_not_found(const ks_loader *loader, ks_error *err)
{
    if (loader->objects == 0)
        return ks_fail(err, KS_EINVAL, "no objects passed to evaluate: the input has none of a known kind");
    if (loader->elsewhere.data)
        return ks_fail(
            err, KS_ENOTFOUND, "pod \"%.*s\" not found in namespace \"%.*s\": there is one in \"%.*s\"",
            KS_STR_ARG(loader->pod_name), KS_STR_ARG(loader->namespace_), KS_STR_ARG(loader->elsewhere));
    return ks_fail(err, KS_ENOTFOUND, "pod \"%.*s\" not found in namespace \"%.*s\"",
                   KS_STR_ARG(loader->pod_name), KS_STR_ARG(loader->namespace_));
}

static int decode_inputs(inquiry *q, ks_error *err)
{
    int code = ks_inputs_decode(&q->inputs, ks_loader_take, &q->loader, err);
    if (code != KS_OK)
        return code;
    return q->loader.found ? KS_OK : fail_not_found(&q->loader, err);
}

static int check_profile(const inquiry *q, ks_error *err)
{
    ks_str name = q->loader.pod.spec.scheduler_name;
    if (!q->config || ks_config_profile(q->config, name))
        return KS_OK;
    return ks_fail(err, KS_EINVAL, "pod/%.*s: spec.schedulerName: \"%.*s\": must be a profile of %s",
                   KS_STR_ARG(q->loader.pod_name), KS_STR_ARG(name.len ? name : KS_STR("default-scheduler")),
                   q->options->config);
}

/* Which profile the pod asks for is known only once it was read, and the cluster needs the profile first:
 * where there are several, the input is read for the pod alone before it is read for the cluster. Without
 * --config the pod's scheduler is taken to be set up as kube-scheduler is by default. */
static int choose_profile(inquiry *q, ks_error *err)
{
    if (!q->config)
        return KS_OK;
    q->profile = &q->config->profiles.items[0];
    if (q->config->profiles.count == 1)
        return KS_OK;
    int code = decode_inputs(q, err);
    if (code == KS_OK)
        code = check_profile(q, err);
    if (code == KS_OK)
        q->profile = ks_config_profile(q->config, q->loader.pod.spec.scheduler_name);
    return code;
}

static int load_cluster(inquiry *q, ks_error *err)
{
    int code = open_inputs(q, err);
    if (code == KS_OK)
        code = choose_profile(q, err);
    if (code != KS_OK)
        return code;
    ks_cluster_options cluster = {.profile = q->profile, .gates = q->gates};
    code = ks_cluster_new(&q->cluster, &cluster, err);
    if (code != KS_OK)
        return code;
    q->loader.cluster = q->cluster;
    code = decode_inputs(q, err);
    return code == KS_OK ? check_profile(q, err) : code;
}

/* ---- the pod ---- */

static void report_fault(void *ctx, ks_str fault)
{
    inquiry *q = ctx;
    ks_cli_fail(q->cli, "pod/%.*s: %.*s", KS_STR_ARG(q->loader.pod_name), KS_STR_ARG(fault));
}

static ks_exit validate(inquiry *q, ks_error *err)
{
    size_t faults;
    int code = ks_pod_validate(&faults, &q->loader.pod, q->gates, NULL, report_fault, q, err);
    if (code != KS_OK)
        return ks_cli_fail(q->cli, "%s", err->message);
    return faults > 0 ? KS_EXIT_ERROR : KS_EXIT_OK;
}

static int evaluate(inquiry *q, ks_error *err)
{
    int code = ks_cycle_new(&q->cycle, q->cluster, err);
    if (code == KS_OK)
        code = ks_cycle_run(q->cycle, &q->loader.pod, err);
    if (code != KS_OK)
        return code;
    ks_cycle_summary summary = ks_cycle_get_summary(q->cycle);
    if (summary.pre_filter == KS_ERROR || summary.pre_score == KS_ERROR)
        return ks_fail(err, KS_EINVAL, "pod/%.*s: %.*s", KS_STR_ARG(q->loader.pod_name),
                       KS_STR_ARG(summary.message));
    return ks_evaluation_init(&q->evaluation, &q->cli->alloc, &q->loader.pod, q->cycle, err);
}

static void show(const inquiry *q)
{
    const options *o = q->options;
    ks_buf *out = &q->cli->out;
    ks_evaluation_view view = {.wide = o->format == FORMAT_WIDE, .no_headers = o->no_headers};
    switch (o->format) {
    case FORMAT_JSON:
        ks_output_json(out, ks_evaluation_describe, &q->evaluation);
        return;
    case FORMAT_YAML:
        ks_output_yaml(out, ks_evaluation_describe, &q->evaluation);
        return;
    case FORMAT_NAME:
        ks_evaluation_print_names(&q->evaluation, out);
        return;
    default:
        view.style = ks_style_of_stdout((ks_color_mode)o->color);
        ks_evaluation_print(&q->evaluation, &view, out);
    }
}

static ks_exit answer(inquiry *q, const ks_texts *operands)
{
    ks_error err;
    int code = read_options(q, operands, &err);
    if (code == KS_OK)
        code = load_cluster(q, &err);
    if (code != KS_OK)
        return ks_cli_fail(q->cli, "%s", err.message);
    if (validate(q, &err) != KS_EXIT_OK)
        return KS_EXIT_ERROR;
    code = evaluate(q, &err);
    if (code != KS_OK)
        return ks_cli_fail(q->cli, "%s", err.message);
    show(q);
    return q->evaluation.summary.feasible > 0 ? KS_EXIT_OK : KS_EXIT_NO;
}

static ks_exit run(ks_cli *cli, const void *values, const ks_texts *operands)
{
    inquiry q = {.cli = cli, .options = values, .gates = KS_GATES_DEFAULT};
    ks_loader_init(&q.loader, &cli->alloc);
    ks_inputs_init(&q.inputs, &cli->alloc, &cli->arena);
    ks_buf_init(&q.evaluation.message, &cli->alloc);
    q.evaluation.alloc = &cli->alloc;
    ks_exit code = answer(&q, operands);
    inquiry_free(&q);
    return code;
}

static const ks_option table[] = {
    {"filename", 'f', KS_OPTION_LIST, offsetof(options, filenames), "FILE", NULL,
     "the cluster: a file, a folder or - (standard input); repeatable, or A,B"},
    {"recursive", 'R', KS_OPTION_SWITCH, offsetof(options, recursive), NULL, NULL,
     "go into the folders of a folder"},
    {"namespace", 'n', KS_OPTION_TEXT, offsetof(options, namespace_), "NAME", NULL,
     "of the pod, and of objects that name none (default \"default\")"},
    {"config", 0, KS_OPTION_TEXT, offsetof(options, config), "FILE", NULL,
     "a KubeSchedulerConfiguration: default constraints, weights"},
    {"feature-gates", 0, KS_OPTION_TEXT, offsetof(options, feature_gates), "LIST", NULL,
     "features on or off, as for kube-scheduler: NAME=false,..."},
    {"output", 'o', KS_OPTION_CHOICE, offsetof(options, format), "FORMAT", formats,
     "table (default), wide, json, yaml or name"},
    {"no-headers", 0, KS_OPTION_SWITCH, offsetof(options, no_headers), NULL, NULL,
     "only the rows of the table"},
    {"color", 0, KS_OPTION_CHOICE, offsetof(options, color), "WHEN", colors,
     "auto (default), always or never; NO_COLOR is heeded"},
};

static const options defaults = {.namespace_ = "default"};

const ks_command ks_evaluate_command = {
    .name = "evaluate",
    .operands = "-f FILE... pod/NAME",
    .summary = "Show on which nodes a pod may go, how well it spreads there, and why",
    .details =
        "Takes a cluster from files in YAML or JSON, as \"kubectl get -o yaml\" or \"-o json\" prints\n"
        "it, and gives each node's verdict and score for one pod of it. A pod that runs already\n"
        "is taken off first. Of an object given several times the last one counts.\n"
        "\n"
        "Only the scheduler's PodTopologySpread plugin is asked so far: a node that fits here may\n"
        "still be refused for its taints, resources or other reasons.\n"
        "\n"
        "Exit code 0 if some node fits, 1 if none does, 2 on errors.\n",
    .examples = "  kubespread evaluate -f examples/three-zones pod/web-6\n"
                "  kubectl get nodes,pods,services -A -o json | kubespread evaluate -f - -n web pod/web-6\n"
                "  kubespread evaluate -f cluster.yaml -f new-pod.yaml pod/new -o wide\n"
                "  kubespread evaluate -f cluster.json --config scheduler.yaml pod/web-6 -o json\n",
    .options = table,
    .option_count = sizeof table / sizeof *table,
    .defaults = &defaults,
    .values_size = sizeof defaults,
    .run = run,
};
