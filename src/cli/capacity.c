// SPDX-License-Identifier: Apache-2.0
#include "cli/capacity.h"
#include "cli/common.h"
#include "cli/output.h"
#include <unistd.h>

typedef enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_YAML } format;
static const char *const formats[] = {"table", "json", "yaml", NULL};

typedef struct options {
    ks_common_values common;
    const char *scheduler;
    uint64_t seed, limit;
    bool running_only;
    int format;
    bool no_headers;
} options;

/* Everything that one run holds; freed by errand_free whatever was reached. */
typedef struct errand {
    ks_cli *cli;
    const options *options;
    ks_setup setup;
    ks_inputs file;         /* the template's, if it has one */
    ks_sim *sim;            /* the cluster */
    ks_sim *mold;           /* a sim of its own in which the template becomes a pod */
    ks_resource_ref wanted; /* the template in the input; kind KS_KIND_NONE: it is in `file` */
    bool found;
    ks_progress progress;
    ks_capacity *capacity;
    ks_capacity_report report;
    size_t faults;
} errand;

static void errand_free(errand *s)
{
    ks_capacity_report_free(&s->report);
    ks_capacity_free(s->capacity);
    ks_sim_free(s->sim);
    ks_sim_free(s->mold);
    ks_inputs_free(&s->file);
    ks_setup_free(&s->setup);
}

/* ---- the simulations ---- */

static int on_progress(void *ctx, size_t placed, size_t total)
{
    errand *s = ctx;
    s->progress.total = total;
    ks_progress_show(&s->progress, placed);
    return 0;
}

/* No labels match it. */
static int select_nothing(ks_label_selector *out, ks_arena *arena, ks_error *err)
{
    ks_selector_requirement *both = ks_arena_get_zeroed(arena, 2 * sizeof *both);
    if (!both)
        return ks_fail_nomem(err);
    both[0] = (ks_selector_requirement){.key = KS_STR("any"), .op = KS_STR("Exists")};
    both[1] = (ks_selector_requirement){.key = KS_STR("any"), .op = KS_STR("DoesNotExist")};
    out->match_expressions.items = both;
    out->match_expressions.count = 2;
    return KS_OK;
}

static int make_sims(errand *s, ks_error *err)
{
    ks_sim_options sim = {.gates = s->setup.gates, .seed = s->options->seed, .run_cron_jobs = true};
    int code = ks_setup_profile(&sim.profile, &s->setup, s->options->scheduler, err);
    if (code == KS_OK)
        code = ks_sim_new(&s->mold, &sim, err);
    if (code != KS_OK)
        return code;
    ks_label_selector *nothing = ks_arena_get_zeroed(&s->cli->arena, sizeof *nothing);
    if (!nothing)
        return ks_fail_nomem(err);
    sim.run_cron_jobs = false;
    sim.watcher = (ks_sim_watcher){.progress = on_progress, .ctx = s};
    if (s->options->running_only) {
        sim.selector = nothing;
        code = select_nothing(nothing, &s->cli->arena, err);
    }
    return code == KS_OK ? ks_sim_new(&s->sim, &sim, err) : code;
}

/* ---- the template ---- */

static bool is_wanted(const errand *s, const ks_object *object)
{
    return object->kind == s->wanted.kind && ks_str_eq(object->metadata.name, s->wanted.name) &&
           ks_str_eq(object->metadata.namespace_, s->setup.namespace_);
}

/* Pods of a Deployment have a label that its ReplicaSet gave them. */
static bool is_replica_set_of_wanted(const errand *s, const ks_object *object)
{
    if (object->kind != KS_REPLICA_SET || s->wanted.kind != KS_DEPLOYMENT)
        return false;
    for (size_t i = 0; i < object->metadata.owner_references.count; i++)
        if (ks_str_eq(object->metadata.owner_references.items[i].name, s->wanted.name))
            return ks_str_eq(object->metadata.namespace_, s->setup.namespace_);
    return false;
}

static int keep_template(errand *s, const ks_object *object, ks_error *err)
{
    size_t faults;
    int code = ks_object_validate(&faults, s->cli, object, s->setup.gates, err);
    s->faults += faults;
    if (code != KS_OK)
        return code;
    s->found = true;
    return ks_sim_take(s->mold, object, err);
}

static int take(void *ctx, const ks_object *object_, ks_error *err)
{
    errand *s = ctx;
    ks_object object = *object_;
    ks_setup_put_namespace(&s->setup, &object);
    int code = KS_OK;
    if (is_wanted(s, &object))
        code = keep_template(s, &object, err);
    else if (is_replica_set_of_wanted(s, &object))
        code = ks_sim_take(s->mold, &object, err);
    return code == KS_OK ? ks_sim_take(s->sim, &object, err) : code;
}

/* The template's own file: the one pod or workload is the template, what comes with it (a Service) belongs to
 * the cluster. */
static int take_from_file(void *ctx, const ks_object *object_, ks_error *err)
{
    errand *s = ctx;
    ks_object object = *object_;
    ks_pod pod;
    const char *path;
    ks_setup_put_namespace(&s->setup, &object);
    if (!ks_resource_template(&pod, &path, &object))
        return ks_sim_take(s->sim, &object, err);
    if (s->found)
        return ks_fail(err, KS_EINVAL, "%s/%.*s: a template must be one pod or one workload",
                       ks_resource_type(object.kind), KS_STR_ARG(object.metadata.name));
    s->wanted.kind = object.kind;
    if (!ks_arena_copy_str(&s->cli->arena, &s->wanted.name, object.metadata.name) ||
        !ks_arena_copy_str(&s->cli->arena, &s->setup.namespace_, object.metadata.namespace_))
        return ks_fail_nomem(err);
    return keep_template(s, &object, err);
}

/* A file if there is one of that name, else kind/NAME. */
static int read_operand(errand *s, const ks_texts *operands, ks_error *err)
{
    if (operands->count == 0)
        return ks_fail(err, KS_EINVAL,
                       "copies of what? name a file with a pod or workload, or kind/NAME of the input");
    if (operands->count > 1)
        return ks_fail(err, KS_EINVAL, "\"%s\": one template at a time", operands->items[1]);
    const char *operand = operands->items[0];
    if (strcmp(operand, "-") == 0 || access(operand, F_OK) == 0)
        return ks_inputs_add(&s->file, operand, KS_FOLDER_ALONE, err);
    if (ks_resource_parse(&s->wanted, ks_str_of(operand)))
        return KS_OK;
    return ks_fail(err, KS_EINVAL, "\"%s\": must be a file with a pod or workload, or kind/NAME of the input",
                   operand);
}

/* ---- the run ---- */

static int load(errand *s, const ks_texts *operands, ks_error *err)
{
    int code = ks_setup_init(&s->setup, s->cli, &s->options->common, err);
    if (code == KS_OK)
        code = read_operand(s, operands, err);
    if (code == KS_OK)
        code = make_sims(s, err);
    if (code == KS_OK)
        code = ks_inputs_decode(&s->setup.inputs, take, s, err);
    if (code == KS_OK && s->file.items.count > 0)
        code = ks_inputs_decode(&s->file, take_from_file, s, err);
    if (code == KS_OK && !s->found && s->file.items.count > 0)
        return ks_fail(err, KS_ENOTFOUND, "\"%s\": must have a pod or a workload", operands->items[0]);
    if (code == KS_OK && !s->found)
        return ks_fail(err, KS_ENOTFOUND, "%s \"%.*s\" not found in namespace \"%.*s\"",
                       ks_resource_type(s->wanted.kind), KS_STR_ARG(s->wanted.name),
                       KS_STR_ARG(s->setup.namespace_));
    return code;
}

static int fill_cluster(errand *s, ks_error *err)
{
    const ks_pod *pod;
    ks_progress_begin(&s->progress, &ks_progress_placing, 0);
    int code = ks_sim_run(s->mold, err);
    if (code == KS_OK)
        code = ks_sim_find_pod(&pod, s->mold, s->wanted.kind, s->setup.namespace_, s->wanted.name, err);
    if (code == KS_OK)
        code = ks_sim_run(s->sim, err);
    if (code == KS_OK)
        code = ks_capacity_run(&s->capacity, s->sim, pod, s->options->limit, err);
    ks_progress_end(&s->progress);
    if (code != KS_OK)
        return code;
    s->report.template_ = s->wanted;
    s->report.namespace_ = s->setup.namespace_;
    return ks_capacity_report_fill(&s->report, s->capacity, ks_sim_cluster(s->sim), err);
}

static void show(const errand *s)
{
    const options *o = s->options;
    ks_capacity_view view = {.no_headers = o->no_headers};
    switch (o->format) {
    case FORMAT_JSON:
        ks_output_json(&s->cli->out, ks_capacity_report_describe, &s->report);
        return;
    case FORMAT_YAML:
        ks_output_yaml(&s->cli->out, ks_capacity_report_describe, &s->report);
        return;
    default:
        view.style = ks_style_of_stdout((ks_color_mode)o->common.color);
        ks_capacity_report_print(&s->report, &view, &s->cli->out);
    }
}

static ks_exit run_errand(errand *s, const ks_texts *operands)
{
    ks_error err;
    int code = load(s, operands, &err);
    if (code == KS_OK && s->faults > 0)
        return KS_EXIT_ERROR;
    if (code == KS_OK)
        code = fill_cluster(s, &err);
    if (code != KS_OK)
        return ks_cli_fail(s->cli, "%s", err.message);
    show(s);
    return s->report.summary.copies > 0 ? KS_EXIT_OK : KS_EXIT_NO;
}

static ks_exit run(ks_cli *cli, const void *values, const ks_texts *operands)
{
    errand s = {.cli = cli, .options = values, .report = {.alloc = &cli->alloc}};
    ks_inputs_init(&s.file, &cli->alloc, &cli->arena);
    ks_exit code = run_errand(&s, operands);
    errand_free(&s);
    return code;
}

static const ks_option table[] = {
    KS_COMMON_INPUT_OPTIONS(options),
    KS_COMMON_NAMESPACE_OPTION(options,
                               "of the template, and of objects that name none (default \"default\")"),
    {"running-only", 0, KS_OPTION_SWITCH, offsetof(options, running_only), NULL, NULL,
     "leave pending pods and missing replicas aside: count on what runs now"},
    {"limit", 0, KS_OPTION_NUMBER, offsetof(options, limit), "NUMBER", NULL,
     "copies to stop at (default 1000000)"},
    {"seed", 0, KS_OPTION_NUMBER, offsetof(options, seed), "NUMBER", NULL,
     "decides ties; the same gives the same (default 0)"},
    KS_COMMON_SCHEDULER_OPTIONS(options),
    {"scheduler", 0, KS_OPTION_TEXT, offsetof(options, scheduler), "NAME", NULL,
     "which profile of the --config places (default \"default-scheduler\")"},
    {"output", 'o', KS_OPTION_CHOICE, offsetof(options, format), "FORMAT", formats,
     "table (default), json or yaml"},
    {"no-headers", 0, KS_OPTION_SWITCH, offsetof(options, no_headers), NULL, NULL,
     "only the rows of the table"},
    KS_COMMON_COLOR_OPTION(options),
};

static const options defaults = {.common = {.namespace_ = "default"}};

const ks_command ks_capacity_command = {
    .name = "capacity",
    .operands = "-f FILE... TEMPLATE",
    .summary = "Show how many more copies of a pod fit, where they go, and what stops the next",
    .details =
        "TEMPLATE is a file with a pod or a workload, or kind/NAME of one in the input. Pods that\n"
        "are pending and replicas that are missing are placed first, as \"kubespread schedule\" does;\n"
        "then copies are placed one by one until the first is refused. Nothing is evicted for them.\n"
        "\n"
        "Exit code 0 if a copy fits, 1 if none does, 2 on errors.\n",
    .examples = "  kubespread capacity -f examples/shop -n shop deployment/storefront\n"
                "  kubectl get nodes,pods -A -o json | kubespread capacity -f - new-deployment.yaml\n"
                "  kubespread capacity -f cluster.yaml sts/db -o json | jq .copies\n",
    .options = table,
    .option_count = sizeof table / sizeof *table,
    .defaults = &defaults,
    .values_size = sizeof defaults,
    .run = run,
};
