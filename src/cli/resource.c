// SPDX-License-Identifier: Apache-2.0
#include "cli/resource.h"

typedef struct resource {
    ks_kind kind;
    const char *type, *plural, *short_, *group;
} resource;

static const resource resources[] = {
    {KS_POD, "pod", "pods", "po", NULL},
    {KS_DEPLOYMENT, "deployment", "deployments", "deploy", "apps"},
    {KS_REPLICA_SET, "replicaset", "replicasets", "rs", "apps"},
    {KS_STATEFUL_SET, "statefulset", "statefulsets", "sts", "apps"},
    {KS_DAEMON_SET, "daemonset", "daemonsets", "ds", "apps"},
    {KS_JOB, "job", "jobs", NULL, "batch"},
    {KS_CRON_JOB, "cronjob", "cronjobs", "cj", "batch"},
    {KS_REPLICATION_CONTROLLER, "replicationcontroller", "replicationcontrollers", "rc", NULL},
};

enum { RESOURCES = sizeof resources / sizeof *resources };

const char *ks_resource_type(ks_kind kind)
{
    for (size_t i = 0; i < RESOURCES; i++)
        if (resources[i].kind == kind)
            return resources[i].type;
    return ks_kind_name(kind);
}

static bool is_word(ks_str text, const char *word)
{
    return word && ks_str_eq(text, ks_str_of(word));
}

/* "deployments.apps": the group may be left out. */
static bool names(const resource *r, ks_str type)
{
    const char *dot = memchr(type.data, '.', type.len);
    ks_str word = {type.data, dot ? (size_t)(dot - type.data) : type.len};
    if (dot && !is_word((ks_str){dot + 1, type.len - word.len - 1}, r->group))
        return false;
    return is_word(word, r->type) || is_word(word, r->plural) || is_word(word, r->short_);
}

bool ks_resource_is_type(ks_str text)
{
    for (size_t i = 0; i < RESOURCES; i++)
        if (names(&resources[i], text))
            return true;
    return false;
}

bool ks_resource_parse(ks_resource_ref *out, ks_str text)
{
    const char *slash = memchr(text.data, '/', text.len);
    if (!slash)
        return false;
    ks_str type = {text.data, (size_t)(slash - text.data)};
    out->name = (ks_str){slash + 1, text.len - type.len - 1};
    if (out->name.len == 0 || memchr(out->name.data, '/', out->name.len))
        return false;
    for (size_t i = 0; i < RESOURCES; i++) {
        out->kind = resources[i].kind;
        if (names(&resources[i], type))
            return true;
    }
    return false;
}

static const ks_pod_template *template_of(const ks_object *object, const char **path)
{
    *path = "spec.template.";
    switch (object->kind) {
    case KS_REPLICATION_CONTROLLER:
        return &object->replication_controller.spec.template_;
    case KS_REPLICA_SET:
    case KS_STATEFUL_SET:
    case KS_DEPLOYMENT:
    case KS_DAEMON_SET:
        return &object->workload.spec.template_;
    case KS_JOB:
        return &object->job.spec.template_;
    case KS_CRON_JOB:
        *path = "spec.jobTemplate.spec.template.";
        return &object->cron_job.spec.job_template.spec.template_;
    default:
        return NULL;
    }
}

bool ks_resource_template(ks_pod *out, const char **path, const ks_object *object)
{
    if (object->kind == KS_POD) {
        *path = "";
        *out = object->pod;
        return true;
    }
    const ks_pod_template *template_ = template_of(object, path);
    if (!template_)
        return false;
    *out = (ks_pod){.metadata = {.labels = template_->metadata.labels}, .spec = template_->spec};
    out->metadata.namespace_ = object->metadata.namespace_;
    return true;
}
