// SPDX-License-Identifier: Apache-2.0
/* What commands that work on a cluster have in common: where it comes from, how its scheduler is set up, how
 * results should look. A command's struct of values has a ks_common_values as its member `common`. */
#ifndef KS_CLI_COMMON_H
#define KS_CLI_COMMON_H

#include "cli/command.h"
#include "cli/input.h"
#include "cli/style.h"
#include <kubespread/config.h>

typedef struct ks_common_values {
    ks_texts filenames;
    bool recursive;
    const char *namespace_; /* "default" if not given */
    const char *config, *feature_gates;
    int color;
} ks_common_values;

extern const char *const ks_color_words[];

/* Rows of a table of options. */
#define KS_COMMON_INPUT_OPTIONS(values)                                                                      \
    {"filename",                                                                                             \
     'f',                                                                                                    \
     KS_OPTION_LIST,                                                                                         \
     offsetof(values, common.filenames),                                                                     \
     "FILE",                                                                                                 \
     NULL,                                                                                                   \
     "the cluster: a file, a folder or - (standard input); repeatable, or A,B"},                             \
    {                                                                                                        \
        "recursive", 'R', KS_OPTION_SWITCH, offsetof(values, common.recursive), NULL, NULL,                  \
            "go into the folders of a folder"                                                                \
    }
#define KS_COMMON_SCHEDULER_OPTIONS(values)                                                                  \
    {"config",                                                                                               \
     0,                                                                                                      \
     KS_OPTION_TEXT,                                                                                         \
     offsetof(values, common.config),                                                                        \
     "FILE",                                                                                                 \
     NULL,                                                                                                   \
     "a KubeSchedulerConfiguration: plugins, weights, default constraints"},                                 \
    {                                                                                                        \
        "feature-gates", 0, KS_OPTION_TEXT, offsetof(values, common.feature_gates), "LIST", NULL,            \
            "features on or off, as for kube-scheduler: NAME=false,..."                                      \
    }
#define KS_COMMON_NAMESPACE_OPTION(values, help)                                                             \
    {                                                                                                        \
        "namespace", 'n', KS_OPTION_TEXT, offsetof(values, common.namespace_), "NAME", NULL, (help)          \
    }
#define KS_COMMON_COLOR_OPTION(values)                                                                       \
    {                                                                                                        \
        "color", 0, KS_OPTION_CHOICE, offsetof(values, common.color), "WHEN", ks_color_words,                \
            "auto (default), always or never; NO_COLOR is heeded"                                            \
    }

/* What the values lead to. Freed with ks_setup_free whatever was reached; safe on a zeroed one. */
typedef struct ks_setup {
    ks_str namespace_;
    ks_gates gates;
    ks_config *config; /* NULL: none given */
    ks_inputs inputs;  /* opened */
} ks_setup;

int ks_setup_init(ks_setup *setup, ks_cli *cli, const ks_common_values *values, ks_error *err);
void ks_setup_free(ks_setup *setup);

/* The profile that places pods where only one can: the one asked for by name or, `name` being NULL, that of
 * the default scheduler or else the first. NULL (the default profile) without a configuration. */
int ks_setup_profile(const ks_profile **out, const ks_setup *setup, const char *name, ks_error *err);

/* Gives an object that names no namespace the one of the setup. */
void ks_setup_put_namespace(const ks_setup *setup, ks_object *object);

/* Complains of every fault of the spread constraints that a pod or a workload's template has, in the API
 * server's words; `faults` receives their number. */
int ks_object_validate(size_t *faults, ks_cli *cli, const ks_object *object, ks_gates gates, ks_error *err);

#endif
