// SPDX-License-Identifier: Apache-2.0
#include "cli/common.h"
#include "cli/resource.h"
#include <kubespread/validate.h>

const char *const ks_color_words[] = {"auto", "always", "never", NULL};

static int decode_config(void *ctx, ks_source source, ks_error *err)
{
    return ks_config_decode(ctx, source, NULL, err);
}

static int read_config(ks_setup *setup, ks_cli *cli, const char *path, ks_error *err)
{
    if (!path)
        return KS_OK;
    ks_inputs file;
    ks_inputs_init(&file, &cli->alloc, &cli->arena);
    int code = ks_input_with_text(&file, path, decode_config, &setup->config, err);
    ks_inputs_free(&file);
    return code;
}

static int open_inputs(ks_setup *setup, const ks_common_values *values, ks_error *err)
{
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < values->filenames.count; i++)
        code = ks_inputs_add(&setup->inputs, values->filenames.items[i],
                             values->recursive ? KS_FOLDER_RECURSIVE : KS_FOLDER_ALONE, err);
    return code;
}

int ks_setup_init(ks_setup *setup, ks_cli *cli, const ks_common_values *values, ks_error *err)
{
    *setup = (ks_setup){.gates = KS_GATES_DEFAULT, .namespace_ = ks_str_of(values->namespace_)};
    ks_inputs_init(&setup->inputs, &cli->alloc, &cli->arena);
    if (setup->namespace_.len == 0)
        return ks_fail(err, KS_EINVAL, "--namespace: \"\": must not be empty");
    if (values->filenames.count == 0)
        return ks_fail(err, KS_EINVAL, "which cluster? name its files with -f FILE");
    ks_str gates = ks_str_of(values->feature_gates);
    if (gates.data && ks_gates_parse(&setup->gates, gates, err) != KS_OK)
        return ks_fail_wrap(err, KS_EINVAL, "--feature-gates");
    int code = read_config(setup, cli, values->config, err);
    return code == KS_OK ? open_inputs(setup, values, err) : code;
}

void ks_setup_free(ks_setup *setup)
{
    ks_inputs_free(&setup->inputs);
    ks_config_free(setup->config);
}

int ks_setup_profile(const ks_profile **out, const ks_setup *setup, const char *name, ks_error *err)
{
    *out = NULL;
    if (!setup->config)
        return name ? ks_fail(err, KS_EINVAL, "--scheduler: \"%s\": needs a --config with its profile", name)
                    : KS_OK;
    *out = ks_config_profile(setup->config, ks_str_of(name));
    if (*out)
        return KS_OK;
    if (name)
        return ks_fail(err, KS_EINVAL, "--scheduler: \"%s\": must be a profile of the --config", name);
    *out = &setup->config->profiles.items[0];
    return KS_OK;
}

void ks_setup_put_namespace(const ks_setup *setup, ks_object *object)
{
    if (object->metadata.namespace_.len == 0 && ks_kind_namespaced(object->kind))
        object->metadata.namespace_ = setup->namespace_;
}

typedef struct complaint {
    ks_cli *cli;
    const ks_object *object;
    const char *path; /* of the template */
} complaint;

static void complain(void *ctx, ks_str fault)
{
    const complaint *c = ctx;
    ks_cli_fail(c->cli, "%s/%.*s: %s%.*s", ks_resource_type(c->object->kind),
                KS_STR_ARG(c->object->metadata.name), c->path, KS_STR_ARG(fault));
}

int ks_object_validate(size_t *faults, ks_cli *cli, const ks_object *object, ks_gates gates, ks_error *err)
{
    complaint c = {.cli = cli, .object = object};
    ks_pod pod;
    *faults = 0;
    if (!ks_resource_template(&pod, &c.path, object))
        return KS_OK;
    return ks_pod_validate(faults, &pod, gates, NULL, complain, &c, err);
}
