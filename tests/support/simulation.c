// SPDX-License-Identifier: Apache-2.0
#include "support/simulation.h"
#include "engine/engine.h"
#include "sim/state.h"
#include "support/file.h"
#include <stdio.h>
#include <stdlib.h>

static void must(int code, const ks_error *err)
{
    if (code != KS_OK)
        ks_test_die("unexpected error %d: %s", code, err->message);
}

void simulation_begin(simulation *s, const ks_sim_options *options)
{
    static const ks_sim_options defaults = {.gates = KS_GATES_DEFAULT};
    ks_error err = {0};
    ks_alloc_init(&s->alloc, NULL);
    ks_buf_init(&s->text, &s->alloc);
    must(ks_sim_new(&s->sim, options ? options : &defaults, &err), &err);
}

void simulation_end(simulation *s)
{
    ks_sim_free(s->sim);
    ks_buf_free(&s->text);
}

static void take(simulation *s, const char *name, ks_str text)
{
    ks_error err = {0};
    must(ks_decode((ks_source){ks_str_of(name), text}, NULL, ks_sim_take, s->sim, &err), &err);
}

void simulation_take(simulation *s, const char *text)
{
    take(s, "test", ks_str_of(text));
}

void simulation_take_file(simulation *s, const char *path)
{
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", KS_SOURCE_DIR, path);
    ks_test_file file = ks_test_file_read(full);
    take(s, path, (ks_str){file.data, file.len});
    free(file.data);
}

void simulation_run(simulation *s)
{
    ks_error err = {0};
    must(ks_sim_run(s->sim, &err), &err);
}

/* ---- results ---- */

static void put_domains(ks_buf *out, const ks_cycle *cycle, size_t constraint)
{
    ks_spread_constraint shown = ks_cycle_get_constraint(cycle, constraint);
    ks_buf_printf(out, "  %s %.*s skew %lld:", shown.hard ? "hard" : "soft", KS_STR_ARG(shown.topology_key),
                  (long long)ks_cycle_get_skew(cycle, constraint));
    for (size_t i = 0; i < shown.domains; i++) {
        ks_spread_domain domain = ks_cycle_get_domain(cycle, constraint, i);
        ks_buf_printf(out, " %.*s %lld", KS_STR_ARG(domain.value), (long long)domain.matching);
    }
    ks_buf_put_char(out, '\n');
}

static void put_workload(ks_buf *out, ks_sim *sim, size_t i)
{
    ks_sim_workload workload = ks_sim_get_workload(sim, i);
    ks_buf_printf(out, "workload %s %.*s/%.*s wants %zu had %zu made %zu placed %zu unplaced %zu\n",
                  ks_kind_name(workload.kind), KS_STR_ARG(workload.namespace_), KS_STR_ARG(workload.name),
                  workload.wanted, workload.existing, workload.made, workload.placed, workload.unplaced);
    const ks_cycle *cycle;
    ks_error err = {0};
    must(ks_sim_look(&cycle, sim, i, &err), &err);
    size_t constraints = ks_cycle_get_summary(cycle).constraints;
    for (size_t j = 0; j < constraints; j++)
        put_domains(out, cycle, j);
}

static void put_placement(ks_buf *out, ks_sim_placement p)
{
    ks_buf_printf(out, "placed %.*s/%.*s on %.*s score %lld of %zu at %lld%s\n", KS_STR_ARG(p.namespace_),
                  KS_STR_ARG(p.name), KS_STR_ARG(p.node), (long long)p.score, p.feasible,
                  (long long)p.clock_ms, p.evicted ? " evicted" : "");
}

static void put_unplaced(ks_buf *out, ks_sim_unplaced u)
{
    ks_buf_printf(out, "unplaced %.*s/%.*s %.*s after %zu: %.*s\n", KS_STR_ARG(u.namespace_),
                  KS_STR_ARG(u.name), KS_STR_ARG(u.reason), u.attempts, KS_STR_ARG(u.message));
}

const char *simulation_results(simulation *s)
{
    ks_sim_summary summary = ks_sim_get_summary(s->sim);
    ks_buf_clear(&s->text);
    ks_buf_printf(&s->text, "%zu pods, %zu made, %zu placed, %zu unplaced, %zu evicted, %lld ms\n",
                  summary.pods, summary.made, summary.placed, summary.unplaced, summary.evictions,
                  (long long)summary.clock_ms);
    for (size_t i = 0; i < summary.placements; i++)
        put_placement(&s->text, ks_sim_get_placement(s->sim, i));
    for (size_t i = 0; i < summary.unplaced; i++)
        put_unplaced(&s->text, ks_sim_get_unplaced(s->sim, i));
    for (size_t i = 0; i < summary.evictions; i++) {
        ks_sim_eviction e = ks_sim_get_eviction(s->sim, i);
        ks_buf_printf(&s->text, "evicted %.*s/%.*s from %.*s for %.*s/%.*s\n", KS_STR_ARG(e.namespace_),
                      KS_STR_ARG(e.name), KS_STR_ARG(e.node), KS_STR_ARG(e.for_namespace),
                      KS_STR_ARG(e.for_name));
    }
    for (size_t i = 0; i < summary.workloads; i++)
        put_workload(&s->text, s->sim, i);
    return s->text.data;
}

/* ---- pods ---- */

/* Names that end in a dash and five letters of Kubernetes' alphabet. */
static bool is_made_up(ks_str name)
{
    static const char alphabet[] = "bcdfghjklmnpqrstvwxz2456789";
    if (name.len < 6 || name.data[name.len - 6] != '-')
        return false;
    for (size_t i = name.len - 5; i < name.len; i++)
        if (!memchr(alphabet, name.data[i], sizeof alphabet - 1))
            return false;
    return true;
}

/* A name without what was made up of it. */
static ks_str stem_of(ks_str name)
{
    return (ks_str){name.data, name.len - (is_made_up(name) ? 5 : 0)};
}

/* Pods whose names differ only in what was made up come in the order of their nodes. */
static int by_name(const void *a, const void *b)
{
    const ks_pod *one = a, *other = b;
    int order = ks_str_cmp(one->metadata.namespace_, other->metadata.namespace_);
    if (order == 0)
        order = ks_str_cmp(stem_of(one->metadata.name), stem_of(other->metadata.name));
    return order ? order : ks_str_cmp(one->spec.node_name, other->spec.node_name);
}

/* All pods, by name; free with free(). */
static ks_pod *list_pods(const simulation *s, size_t *count)
{
    const ks_table *table = &s->sim->cluster->pods;
    ks_pod *pods = calloc(table->rows.count + 1, sizeof *pods);
    if (!pods)
        ks_test_die("out of memory");
    *count = 0;
    for (size_t i = 0; i < table->rows.count; i++)
        if (table->rows.items[i])
            ks_pod_view(&pods[(*count)++], (const ks_pod_row *)table->rows.items[i]);
    qsort(pods, *count, sizeof *pods, by_name);
    return pods;
}

/* A text with every `hidden` in it replaced by '#'. */
static void put_masked(ks_buf *out, ks_str text, ks_str hidden)
{
    for (size_t i = 0; i < text.len;) {
        if (hidden.len && text.len - i >= hidden.len && memcmp(text.data + i, hidden.data, hidden.len) == 0) {
            ks_buf_put_char(out, '#');
            i += hidden.len;
        } else {
            ks_buf_put_char(out, text.data[i++]);
        }
    }
}

static ks_str hash_of(const ks_pod *pod)
{
    ks_str hash = ks_labels_get(&pod->metadata.labels, KS_STR("pod-template-hash"));
    if (!hash.data)
        hash = ks_labels_get(&pod->metadata.labels, KS_STR("controller-revision-hash"));
    for (size_t i = hash.len; i-- > 0;)
        if (hash.data[i] == '-')
            return (ks_str){hash.data + i + 1, hash.len - i - 1};
    return hash;
}

static void put_name(ks_buf *out, ks_str name, ks_str hash)
{
    put_masked(out, stem_of(name), hash);
    if (is_made_up(name))
        ks_buf_put_char(out, '*');
}

static void put_pod(ks_buf *out, const ks_pod *pod)
{
    ks_str hash = hash_of(pod);
    ks_buf_printf(out, "%.*s/", KS_STR_ARG(pod->metadata.namespace_));
    put_name(out, pod->metadata.name, hash);
    for (size_t i = 0; i < pod->metadata.labels.count; i++) {
        const ks_label *label = &pod->metadata.labels.items[i];
        ks_buf_printf(out, "%c%.*s=", i ? ',' : ' ', KS_STR_ARG(label->key));
        put_masked(out, label->value, hash);
    }
    if (pod->metadata.owner_references.count) {
        const ks_owner_reference *owner = &pod->metadata.owner_references.items[0];
        ks_buf_printf(out, " of %.*s %.*s ", KS_STR_ARG(owner->api_version), KS_STR_ARG(owner->kind));
        put_masked(out, owner->name, hash);
    }
    ks_buf_printf(out, " on %.*s\n", KS_STR_ARG(pod->spec.node_name.len ? pod->spec.node_name : KS_STR("-")));
}

const char *simulation_pods(simulation *s)
{
    size_t count;
    ks_pod *pods = list_pods(s, &count);
    ks_buf_clear(&s->text);
    for (size_t i = 0; i < count; i++)
        put_pod(&s->text, &pods[i]);
    free(pods);
    return count ? s->text.data : "";
}

const char *simulation_where(simulation *s)
{
    size_t count;
    ks_pod *pods = list_pods(s, &count);
    ks_buf_clear(&s->text);
    for (size_t i = 0; i < count; i++) {
        ks_str node = pods[i].spec.node_name.len ? pods[i].spec.node_name : KS_STR("-");
        ks_buf_printf(&s->text, "%s", i ? ", " : "");
        put_name(&s->text, pods[i].metadata.name, hash_of(&pods[i]));
        ks_buf_printf(&s->text, " %.*s", KS_STR_ARG(node));
    }
    free(pods);
    return count ? s->text.data : "";
}
