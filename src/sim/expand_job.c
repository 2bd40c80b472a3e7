// SPDX-License-Identifier: Apache-2.0
/* Jobs, and one Job of each CronJob. Pods in a simulation run for ever, so that a Job has as many as may run
 * at the same time, less those that have succeeded already. */
#include "sim/expand.h"
#include <stdio.h>
#include <stdlib.h>

enum { INDEXES_MAX = 100000 }; /* that the API server admits */

static const ks_job *job_of(const ks_owner *owner)
{
    const ks_object *object = owner->object;
    return object->kind == KS_CRON_JOB ? &object->cron_job.spec.job_template : &object->job;
}

static bool is_suspended(const ks_owner *owner)
{
    const ks_object *object = owner->object;
    return job_of(owner)->spec.suspend || (object->kind == KS_CRON_JOB && object->cron_job.spec.suspend);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t completions_of(const ks_job *job)
{
    return ks_opt_or(job->spec.completions, 1);
}

/* With completions given, no more pods run than are still to succeed. A Job without is a work queue, which
 * gets no new pods once one of them has found it empty. */
static size_t count_wanted(const ks_owner *owner)
{
    const ks_job *job = job_of(owner);
    int64_t wanted = ks_opt_or(job->spec.parallelism, 1);
    if (is_suspended(owner))
        return 0;
    if (job->spec.completions.set || !job->spec.parallelism.set)
        wanted = least(wanted, completions_of(job) - (int64_t)owner->succeeded);
    else if (owner->succeeded > 0)
        wanted = least(wanted, (int64_t)owner->alive);
    return wanted > 0 ? (size_t)wanted : 0;
}

/* ---- the pods' looks ---- */

static bool add_labels(ks_labels *labels, ks_str job, ks_str uid, ks_arena *arena)
{
    const ks_label more[] = {
        {KS_STR("batch.kubernetes.io/job-name"), job},
        {KS_STR("job-name"), job},
        {KS_STR("batch.kubernetes.io/controller-uid"), uid},
        {KS_STR("controller-uid"), uid},
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i].value.len && !ks_labels_get(labels, more[i].key).data &&
            !ks_labels_with(labels, labels, more[i].key, more[i].value, arena))
            return false;
    return true;
}

static bool reserve_indexes(ks_sim *sim, ks_owner *owner)
{
    const ks_job *job = job_of(owner);
    if (!ks_str_eq(job->spec.completion_mode, KS_STR("Indexed")))
        return true;
    int64_t count = least(completions_of(job), INDEXES_MAX);
    return ks_nodeset_resize(&owner->covered, &sim->alloc, (uint32_t)(count > 1 ? count : 1));
}

static int prepare(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    const ks_job *job = job_of(owner);
    ks_pod_template template_ = job->spec.template_;
    ks_str name = owner->name, prefix;
    /* A CronJob's Jobs are numbered by their minute; here there is but the first. */
    if (owner->kind == KS_CRON_JOB && !ks_join(&name, owner->name, KS_STR("-1"), &owner->arena))
        return ks_fail_nomem(err);
    if (!ks_join(&prefix, name, KS_STR("-"), &owner->arena) || !reserve_indexes(sim, owner) ||
        !add_labels(&template_.metadata.labels, name, job->metadata.uid, &owner->arena))
        return ks_fail_nomem(err);
    ks_owner_reference reference = {
        .api_version = KS_STR("batch/v1"), .kind = KS_STR("Job"), .name = name, .uid = job->metadata.uid};
    int code = ks_owner_set_pod(sim, index, &template_, reference, err);
    owner->pod.metadata.generate_name = prefix;
    return code;
}

/* ---- the pods ---- */

static int make_indexed(ks_sim *sim, uint32_t index, uint32_t number, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    char digits[16];
    ks_str text = {digits, (size_t)snprintf(digits, sizeof digits, "%u-", number)}, prefix;
    ks_arena_reset(&sim->scratch);
    ks_pod pod = owner->pod;
    ks_labels *labels = &pod.metadata.labels;
    if (!ks_join(&prefix, owner->pod.metadata.generate_name, text, &sim->scratch))
        return ks_fail_nomem(err);
    text.len--;
    if (!ks_labels_with(labels, labels, KS_JOB_INDEX_LABEL, text, &sim->scratch))
        return ks_fail_nomem(err);
    int code = ks_owner_make_named(sim, index, &pod, prefix, err);
    if (code == KS_OK)
        ks_nodeset_add(&owner->covered, number);
    return code;
}

static int fill(ks_sim *sim, uint32_t index, ks_error *err)
{
    ks_owner *owner = sim->owners.items[index];
    owner->wanted = count_wanted(owner);
    if (!owner->covered.words)
        return ks_owner_make_missing(sim, index, err);
    int64_t end = least(completions_of(job_of(owner)), INDEXES_MAX);
    int code = KS_OK;
    for (uint32_t i = 0; code == KS_OK && i < end && owner->alive < owner->wanted; i++)
        if (!ks_nodeset_has(&owner->covered, i))
            code = make_indexed(sim, index, i, err);
    return code;
}

/* Pods of an Indexed Job are called JOB-INDEX-SUFFIX. */
static void lose(ks_sim *sim, uint32_t index, ks_str pod, ks_str node)
{
    (void)node;
    ks_owner *owner = sim->owners.items[index];
    char digits[16] = "";
    size_t prefix = owner->pod.metadata.generate_name.len;
    if (!owner->covered.words || pod.len <= prefix)
        return;
    size_t len = pod.len - prefix < sizeof digits ? pod.len - prefix : sizeof digits - 1;
    memcpy(digits, pod.data + prefix, len);
    unsigned long number = strtoul(digits, NULL, 10);
    if (number < INDEXES_MAX && ks_nodeset_has(&owner->covered, (uint32_t)number))
        ks_nodeset_del(&owner->covered, (uint32_t)number);
}

const ks_owner_kind ks_job_kind = {prepare, fill, lose};
