// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/output.h"

typedef enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_YAML } format;
static const char *const formats[] = {"text", "json", "yaml", NULL};

typedef struct options {
    int format;
} options;

static void describe(ks_json_writer *w, const void *result)
{
    (void)result;
    ks_json_put_object(w);
    ks_json_put_member_string(w, "version", ks_str_of(ks_version()));
    ks_json_put_member_string(w, "kubernetesVersion", ks_str_of(ks_kubernetes_version()));
    ks_json_put_object_end(w);
}

static ks_exit run(ks_cli *cli, const void *values, const ks_texts *operands)
{
    const options *o = values;
    if (operands->count > 0)
        return ks_cli_fail(cli, "\"%s\": version takes no operands", operands->items[0]);
    if (o->format == FORMAT_JSON)
        ks_output_json(&cli->out, describe, NULL);
    else if (o->format == FORMAT_YAML)
        ks_output_yaml(&cli->out, describe, NULL);
    else
        ks_buf_printf(&cli->out, "kubespread %s, decides as kube-scheduler %s\n", ks_version(),
                      ks_kubernetes_version());
    return KS_EXIT_OK;
}

static const ks_option table[] = {
    {"output", 'o', KS_OPTION_CHOICE, offsetof(options, format), "FORMAT", formats,
     "text (default), json or yaml"},
};
static const options defaults = {.format = FORMAT_TEXT};

const ks_command ks_version_command = {
    .name = "version",
    .summary = "Show this program's version and that of the scheduler it decides as",
    .examples = "  kubespread version\n  kubespread version -o json\n",
    .options = table,
    .option_count = sizeof table / sizeof *table,
    .defaults = &defaults,
    .values_size = sizeof defaults,
    .run = run,
};
