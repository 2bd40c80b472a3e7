// SPDX-License-Identifier: Apache-2.0
#include "cli/common.h"
#include "cli/evaluation.h"
#include "cli/load.h"
#include "cli/missing.h"
#include "cli/output.h"
#include "cli/resource.h"

typedef enum format { FORMAT_TABLE, FORMAT_WIDE, FORMAT_JSON, FORMAT_YAML, FORMAT_NAME } format;
static const char *const formats[] = {"table", "wide", "json", "yaml", "name", NULL};

typedef struct options {
    ks_common_values common;
    int format;
    bool no_headers;
} options;

/* Everything that one evaluation holds; freed by inquiry_free whatever was reached. */
typedef struct inquiry {
    ks_cli *cli;
    const options *options;
    ks_setup setup;
    const ks_profile *profile; /* NULL: the default one */
    ks_loader loader;
    ks_cluster *cluster;
    ks_cycle *cycle;
    ks_evaluation evaluation;
} inquiry;

static void inquiry_free(inquiry *s)
{
    ks_evaluation_free(&s->evaluation);
    ks_cycle_free(s->cycle);
    ks_cluster_free(s->cluster);
    ks_loader_free(&s->loader);
    ks_setup_free(&s->setup);
}

/* ---- the command line ---- */

static bool is_pod_type(ks_str type)
{
    return ks_str_eq(type, KS_STR("pod")) || ks_str_eq(type, KS_STR("pods")) || ks_str_eq(type, KS_STR("po"));
}

/* An operand too many: what was meant for -f is told from another pod. */
static int fail_surplus(const char *operand, ks_error *err)
{
    if (ks_operand_is_file(operand))
        return ks_fail(err, KS_EINVAL, "\"%s\": must be pod/NAME: did you mean -f %s?", operand, operand);
    return ks_fail(err, KS_EINVAL, "\"%s\": one pod at a time", operand);
}

/* The first of two operands, or one with a slash, that is not of a pod. */
static int fail_no_pod(const ks_texts *operands, bool separate, ks_error *err)
{
    const char *first = operands->items[0];
    if (ks_operand_is_file(first))
        return fail_surplus(first, err);
    if (separate && !ks_resource_is_type(ks_str_of(first)))
        return fail_surplus(operands->items[1], err);
    return ks_fail(err, KS_EINVAL, "\"%s\": only pods can be evaluated: must be pod/NAME", first);
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
        return fail_no_pod(operands, separate, err);
    size_t taken = separate ? 2 : 1;
    if (operands->count > taken)
        return fail_surplus(operands->items[taken], err);
    *out = slash ? ks_str_of(slash + 1) : ks_str_of(operands->items[separate]);
    if (out->len == 0 || strchr(out->data, '/') || (!slash && !separate && is_pod_type(first)))
        return ks_fail(err, KS_EINVAL, "\"%s\": must be pod/NAME", first.data);
    return KS_OK;
}

static int read_options(inquiry *s, const ks_texts *operands, ks_error *err)
{
    int code = parse_pod_name(&s->loader.pod_name, operands, err);
    if (code == KS_OK)
        code = ks_setup_init(&s->setup, s->cli, &s->options->common, err);
    s->loader.namespace_ = s->setup.namespace_;
    return code;
}

/* ---- the cluster ---- */

static int decode_inputs(inquiry *s, ks_error *err)
{
    int code = ks_inputs_decode(&s->setup.inputs, ks_loader_take, &s->loader, err);
    if (code != KS_OK)
        return code;
    if (s->loader.objects == 0)
        return ks_fail(err, KS_EINVAL, "no objects passed to evaluate: the input has none of a known kind");
    if (s->loader.found)
        return KS_OK;
    return ks_pod_missing(s->cli, &s->setup, &s->options->common, s->loader.pod_name, err);
}

static int check_profile(const inquiry *s, ks_error *err)
{
    ks_str name = s->loader.pod.spec.scheduler_name;
    if (!s->setup.config || ks_config_profile(s->setup.config, name))
        return KS_OK;
    return ks_fail(err, KS_EINVAL, "pod/%.*s: spec.schedulerName: \"%.*s\": must be a profile of %s",
                   KS_STR_ARG(s->loader.pod_name), KS_STR_ARG(name.len ? name : KS_STR("default-scheduler")),
                   s->options->common.config);
}

/* Which profile the pod asks for is known only once it was read, and the cluster needs the profile first:
 * where there are several, the input is read for the pod alone before it is read for the cluster. Without
 * --config the pod's scheduler is taken to be set up as kube-scheduler is by default. */
static int choose_profile(inquiry *s, ks_error *err)
{
    if (!s->setup.config)
        return KS_OK;
    s->profile = &s->setup.config->profiles.items[0];
    if (s->setup.config->profiles.count == 1)
        return KS_OK;
    int code = decode_inputs(s, err);
    if (code == KS_OK)
        code = check_profile(s, err);
    if (code == KS_OK)
        s->profile = ks_config_profile(s->setup.config, s->loader.pod.spec.scheduler_name);
    return code;
}

static int load_cluster(inquiry *s, ks_error *err)
{
    int code = choose_profile(s, err);
    if (code != KS_OK)
        return code;
    ks_cluster_options cluster = {.profile = s->profile, .gates = s->setup.gates};
    code = ks_cluster_new(&s->cluster, &cluster, err);
    if (code != KS_OK)
        return code;
    s->loader.cluster = s->cluster;
    code = decode_inputs(s, err);
    return code == KS_OK ? check_profile(s, err) : code;
}

/* ---- the pod ---- */

static ks_exit validate(inquiry *s, ks_error *err)
{
    size_t faults;
    ks_object object = {.kind = KS_POD, .pod = s->loader.pod};
    int code = ks_object_validate(&faults, s->cli, &object, s->setup.gates, err);
    if (code != KS_OK)
        return ks_cli_fail(s->cli, "%s", err->message);
    return faults > 0 ? KS_EXIT_ERROR : KS_EXIT_OK;
}

static int evaluate(inquiry *s, ks_error *err)
{
    /* Were it still bound, it would fit nowhere else. */
    ks_pod pending = s->loader.pod;
    pending.spec.node_name = (ks_str){0};
    int code = ks_cycle_new(&s->cycle, s->cluster, err);
    if (code == KS_OK)
        code = ks_cycle_run(s->cycle, &pending, err);
    if (code != KS_OK)
        return code;
    ks_cycle_summary summary = ks_cycle_get_summary(s->cycle);
    if (summary.pre_filter == KS_ERROR || summary.pre_score == KS_ERROR)
        return ks_fail(err, KS_EINVAL, "pod/%.*s: %.*s", KS_STR_ARG(s->loader.pod_name),
                       KS_STR_ARG(summary.message));
    return ks_evaluation_init(&s->evaluation, &s->cli->alloc, &s->loader.pod, s->cycle, err);
}

static void show(const inquiry *s)
{
    const options *o = s->options;
    ks_buf *out = &s->cli->out;
    ks_evaluation_view view = {.wide = o->format == FORMAT_WIDE, .no_headers = o->no_headers};
    switch (o->format) {
    case FORMAT_JSON:
        ks_output_json(out, ks_evaluation_describe, &s->evaluation);
        return;
    case FORMAT_YAML:
        ks_output_yaml(out, ks_evaluation_describe, &s->evaluation);
        return;
    case FORMAT_NAME:
        ks_evaluation_print_names(&s->evaluation, out);
        return;
    default:
        view.style = ks_style_of_stdout((ks_color_mode)o->common.color);
        ks_evaluation_print(&s->evaluation, &view, out);
    }
}

static ks_exit answer(inquiry *s, const ks_texts *operands)
{
    ks_error err;
    int code = read_options(s, operands, &err);
    if (code == KS_OK)
        code = load_cluster(s, &err);
    if (code != KS_OK)
        return ks_cli_fail(s->cli, "%s", err.message);
    if (validate(s, &err) != KS_EXIT_OK)
        return KS_EXIT_ERROR;
    code = evaluate(s, &err);
    if (code != KS_OK)
        return ks_cli_fail(s->cli, "%s", err.message);
    show(s);
    return s->evaluation.summary.feasible > 0 ? KS_EXIT_OK : KS_EXIT_NO;
}

static ks_exit run(ks_cli *cli, const void *values, const ks_texts *operands)
{
    inquiry s = {.cli = cli, .options = values};
    ks_loader_init(&s.loader, &cli->alloc);
    ks_buf_init(&s.evaluation.message, &cli->alloc);
    s.evaluation.alloc = &cli->alloc;
    ks_exit code = answer(&s, operands);
    inquiry_free(&s);
    return code;
}

static const ks_option table[] = {
    KS_COMMON_INPUT_OPTIONS(options),
    KS_COMMON_NAMESPACE_OPTION(options, "of the pod, and of objects that name none (default \"default\")"),
    KS_COMMON_SCHEDULER_OPTIONS(options),
    {"output", 'o', KS_OPTION_CHOICE, offsetof(options, format), "FORMAT", formats,
     "table (default), wide, json, yaml or name"},
    {"no-headers", 0, KS_OPTION_SWITCH, offsetof(options, no_headers), NULL, NULL,
     "only the rows of the table"},
    KS_COMMON_COLOR_OPTION(options),
};

static const options defaults = {.common = {.namespace_ = "default"}};

const ks_command ks_evaluate_command = {
    .name = "evaluate",
    .operands = "-f FILE... pod/NAME",
    .summary = "Show on which nodes a pod may go, how they score, and why",
    .details =
        "Takes a cluster from files in YAML or JSON, as \"kubectl get -o yaml\" or \"-o json\" prints\n"
        "it, and gives each node's verdict and score for one pod of it. A pod that runs already\n"
        "is taken off first. Of an object given several times the last one counts.\n"
        "\n"
        "All plugins of the scheduler's default profile are asked, or those of --config. They go by\n"
        "these kinds, to be exported together:\n"
        "  KINDS=nodes,pods,services,replicationcontrollers,replicasets,statefulsets,namespaces\n"
        "  KINDS=$KINDS,persistentvolumes,persistentvolumeclaims,storageclasses\n"
        "  KINDS=$KINDS,priorityclasses,poddisruptionbudgets\n"
        "\n"
        "Exit code 0 if some node fits, 1 if none does, 2 on errors.\n",
    .examples = "  kubespread evaluate -f examples/three-zones pod/web-6\n"
                "  kubectl get $KINDS -A -o json | kubespread evaluate -f - -n web pod/web-6\n"
                "  kubespread evaluate -f cluster.yaml -f new-pod.yaml pod/new -o wide\n"
                "  kubespread evaluate -f cluster.json --config scheduler.yaml pod/web-6 -o json\n",
    .options = table,
    .option_count = sizeof table / sizeof *table,
    .defaults = &defaults,
    .values_size = sizeof defaults,
    .run = run,
};
