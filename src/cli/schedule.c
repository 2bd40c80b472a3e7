// SPDX-License-Identifier: Apache-2.0
#include "cli/schedule.h"
#include "cli/common.h"
#include "cli/label_query.h"
#include "cli/output.h"
#include "cli/resource.h"
#include <unistd.h>

typedef enum format { FORMAT_TABLE, FORMAT_WIDE, FORMAT_JSON, FORMAT_YAML, FORMAT_NAME } format;
static const char *const formats[] = {"table", "wide", "json", "yaml", "name", NULL};

typedef struct options {
    ks_common_values common;
    bool all_namespaces;
    const char *selector;
    const char *scheduler;
    uint64_t seed;
    bool cron_jobs;
    int format;
    bool no_headers, timing, verbose;
} options;

/* Everything that one run holds; freed by errand_free whatever was reached. */
typedef struct errand {
    ks_cli *cli;
    const options *options;
    ks_setup setup;
    ks_label_selector selector;
    ks_style style;
    ks_progress progress;
    ks_explainer explainer;
    ks_schedule schedule;
    size_t objects, faults;
} errand;

static bool is_text(const options *o)
{
    return o->format == FORMAT_TABLE || o->format == FORMAT_WIDE;
}

static bool prints_pods(const options *o)
{
    return o->format == FORMAT_JSON || o->format == FORMAT_YAML;
}

static void errand_free(errand *s)
{
    ks_sim_free(s->schedule.sim);
    ks_manifests_free(&s->schedule.manifests);
    ks_setup_free(&s->setup);
}

/* ---- the simulation ---- */

static int on_progress(void *ctx, size_t placed, size_t total)
{
    errand *s = ctx;
    s->progress.total = total;
    ks_progress_show(&s->progress, placed);
    return 0;
}

static void on_decided(void *ctx, const ks_pod *pod, const ks_cycle *cycle, const ks_sim_placement *placement,
                       ks_str message)
{
    ks_explainer_decided(&((errand *)ctx)->explainer, pod, cycle, placement, message);
}

static int make_sim(errand *s, ks_error *err)
{
    const options *o = s->options;
    ks_sim_options sim = {
        .gates = s->setup.gates,
        .seed = o->seed,
        .run_cron_jobs = o->cron_jobs,
        .watcher = {.progress = on_progress, .decided = o->verbose ? on_decided : NULL, .ctx = s},
    };
    if (!o->all_namespaces)
        sim.namespace_ = s->schedule.namespace_ = s->setup.namespace_;
    if (o->selector) {
        int code = ks_label_query_parse(&s->selector, ks_str_of(o->selector), &s->cli->arena, err);
        if (code != KS_OK)
            return ks_fail_wrap(err, code, "--selector");
        sim.selector = &s->selector;
    }
    int code = ks_setup_profile(&sim.profile, &s->setup, o->scheduler, err);
    return code == KS_OK ? ks_sim_new(&s->schedule.sim, &sim, err) : code;
}

/* ---- the input ---- */

/* A pod that stands somewhere was let in by an API server. */
static int validate(errand *s, const ks_object *object, ks_error *err)
{
    size_t faults;
    if (object->kind == KS_POD && object->pod.spec.node_name.len > 0)
        return KS_OK;
    int code = ks_object_validate(&faults, s->cli, object, s->setup.gates, err);
    s->faults += faults;
    return code;
}

static bool is_of_interest(const ks_object *object)
{
    ks_pod pod;
    const char *path;
    return ks_resource_template(&pod, &path, object) && pod.spec.node_name.len == 0;
}

static int take(void *ctx, const ks_object *object_, ks_error *err)
{
    errand *s = ctx;
    ks_object object = *object_;
    s->objects++;
    ks_setup_put_namespace(&s->setup, &object);
    ks_str own = s->schedule.namespace_;
    if (own.data && is_of_interest(&object) && !ks_str_eq(object.metadata.namespace_, own))
        s->schedule.elsewhere = true;
    int code = validate(s, &object, err);
    if (code == KS_OK && prints_pods(s->options))
        code = ks_manifests_keep(&s->schedule.manifests, &object, err);
    return code == KS_OK ? ks_sim_take(s->schedule.sim, &object, err) : code;
}

static int load(errand *s, ks_error *err)
{
    int code = ks_inputs_decode(&s->setup.inputs, take, s, err);
    if (code == KS_OK && s->objects == 0)
        return ks_fail(err, KS_EINVAL, "no objects passed to schedule: the input has none of a known kind");
    return code;
}

/* ---- the run and its results ---- */

static int run_sim(errand *s, ks_error *err)
{
    ks_progress_begin(&s->progress, &ks_progress_placing, 0);
    double begun_s = ks_clock_s();
    int code = ks_sim_run(s->schedule.sim, err);
    s->schedule.taken_s = ks_clock_s() - begun_s;
    ks_progress_end(&s->progress);
    s->schedule.summary = ks_sim_get_summary(s->schedule.sim);
    return code;
}

/* Where output is for programs, people hear of the pods without a place on standard error. */
static int complain(errand *s, ks_error *err)
{
    ks_stranded_list list;
    ks_buf text;
    ks_buf_init(&text, &s->cli->alloc);
    int code = ks_schedule_strand(&list, &s->schedule) ? KS_OK : ks_fail_nomem(err);
    for (size_t i = 0; code == KS_OK && i < list.count; i++) {
        ks_buf_clear(&text);
        ks_stranded_put(&list.items[i], &s->schedule, &text);
        ks_cli_fail(s->cli, "%s: %.*s", text.data, KS_STR_ARG(list.items[i].first.message));
    }
    ks_vec_free(&list, &s->cli->alloc);
    ks_buf_free(&text);
    return code;
}

static int show_text(errand *s, ks_error *err)
{
    const options *o = s->options;
    const ks_schedule_view view = {
        .style = s->style,
        .wide = o->format == FORMAT_WIDE,
        .no_headers = o->no_headers,
        .timing = o->timing || isatty(STDOUT_FILENO),
    };
    if (o->verbose && s->cli->out.len > 0)
        ks_buf_put_char(&s->cli->out, '\n');
    return ks_schedule_print(&s->schedule, &view, &s->cli->out, err);
}

static int show(errand *s, ks_error *err)
{
    ks_buf *out = &s->cli->out;
    switch (s->options->format) {
    case FORMAT_JSON:
        ks_output_json(out, ks_schedule_describe, &s->schedule);
        return complain(s, err);
    case FORMAT_YAML:
        ks_output_yaml(out, ks_schedule_describe, &s->schedule);
        return complain(s, err);
    case FORMAT_NAME:
        ks_schedule_print_names(&s->schedule, out);
        return complain(s, err);
    default:
        return show_text(s, err);
    }
}

static ks_exit run_errand(errand *s)
{
    ks_error err;
    if (s->options->verbose && !is_text(s->options))
        return ks_cli_fail(s->cli, "--verbose: explains only with -o table or -o wide");
    int code = ks_setup_init(&s->setup, s->cli, &s->options->common, &err);
    if (code == KS_OK)
        code = make_sim(s, &err);
    if (code == KS_OK)
        code = load(s, &err);
    if (code == KS_OK && s->faults > 0)
        return KS_EXIT_ERROR;
    if (code == KS_OK)
        code = run_sim(s, &err);
    if (code == KS_OK)
        code = show(s, &err);
    if (code != KS_OK)
        return ks_cli_fail(s->cli, "%s", err.message);
    return s->schedule.summary.unplaced > 0 ? KS_EXIT_NO : KS_EXIT_OK;
}

static ks_exit run(ks_cli *cli, const void *values, const ks_texts *operands)
{
    if (operands->count > 0)
        return ks_cli_fail(cli, "\"%s\": schedule takes no operands: -l chooses pods", operands->items[0]);
    errand s = {.cli = cli, .options = values, .schedule = {.alloc = &cli->alloc}};
    s.style = ks_style_of_stdout((ks_color_mode)s.options->common.color);
    s.explainer = (ks_explainer){.alloc = &cli->alloc, .style = &s.style, .out = &cli->out};
    ks_manifests_init(&s.schedule.manifests, &cli->alloc);
    ks_exit code = run_errand(&s);
    errand_free(&s);
    return code;
}

static const ks_option table[] = {
    KS_COMMON_INPUT_OPTIONS(options),
    KS_COMMON_NAMESPACE_OPTION(options,
                               "whose pods to place, and of objects that name none (default \"default\")"),
    {"all-namespaces", 'A', KS_OPTION_SWITCH, offsetof(options, all_namespaces), NULL, NULL,
     "place the pods of all namespaces"},
    {"selector", 'l', KS_OPTION_TEXT, offsetof(options, selector), "QUERY", NULL,
     "place only pods with these labels: app=web,tier!=db,env in (qa,prod)"},
    {"seed", 0, KS_OPTION_NUMBER, offsetof(options, seed), "NUMBER", NULL,
     "decides ties and made-up names; the same gives the same (default 0)"},
    KS_COMMON_SCHEDULER_OPTIONS(options),
    {"scheduler", 0, KS_OPTION_TEXT, offsetof(options, scheduler), "NAME", NULL,
     "which profile of the --config places (default \"default-scheduler\")"},
    {"cron-jobs", 0, KS_OPTION_SWITCH, offsetof(options, cron_jobs), NULL, NULL,
     "every CronJob starts one Job"},
    {"output", 'o', KS_OPTION_CHOICE, offsetof(options, format), "FORMAT", formats,
     "table (default), wide, json, yaml or name"},
    {"no-headers", 0, KS_OPTION_SWITCH, offsetof(options, no_headers), NULL, NULL,
     "only the rows of the table"},
    {"verbose", 'v', KS_OPTION_SWITCH, offsetof(options, verbose), NULL, NULL, "explain each decision"},
    {"timing", 0, KS_OPTION_SWITCH, offsetof(options, timing), NULL, NULL,
     "tell how long it took, also if standard output is no terminal"},
    KS_COMMON_COLOR_OPTION(options),
};

static const options defaults = {.common = {.namespace_ = "default"}};

const ks_command ks_schedule_command = {
    .name = "schedule",
    .operands = "-f FILE...",
    .summary = "Place pending pods and missing replicas as kube-scheduler would, without a cluster",
    .details =
        "Takes a cluster from files in YAML or JSON, as \"kubectl get -o yaml\" or \"-o json\" prints\n"
        "it. Workloads become the pods that their controllers would make, existing ones counted;\n"
        "then every pod goes through the scheduler's whole default profile, preemption included.\n"
        "Shown are the placements, how each workload is spread, and the pods without a place with\n"
        "the scheduler's own sentence. -o yaml and json print the placed pods as a List for\n"
        "\"kubectl apply\" and jq.\n"
        "\n"
        "Exit code 0 if all are placed, 1 if some are not, 2 on errors.\n",
    .examples = "  kubespread schedule -f examples/shop -n shop\n"
                "  kubectl get nodes,pods,services,deployments,replicasets -A -o json |\n"
                "    kubespread schedule -f - -f new-deployment.yaml -A\n"
                "  kubespread schedule -f cluster.yaml -l app=web -v\n"
                "  kubespread schedule -f cluster.yaml -o json | jq '.items[].spec.nodeName'\n",
    .options = table,
    .option_count = sizeof table / sizeof *table,
    .defaults = &defaults,
    .values_size = sizeof defaults,
    .run = run,
};
