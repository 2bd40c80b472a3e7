// SPDX-License-Identifier: Apache-2.0
#include "support/rig.h"
#include "support/file.h"
#include "support/make.h"
#include "support/random.h"
#include "support/unit.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- words ---- */

static ks_str next_word(ks_str *line)
{
    while (line->len && *line->data == ' ')
        *line = (ks_str){line->data + 1, line->len - 1};
    const char *end = memchr(line->data, ' ', line->len);
    ks_str word = {line->data, end ? (size_t)(end - line->data) : line->len};
    *line = (ks_str){line->data + word.len, line->len - word.len};
    return word;
}

/* The value of "key=value" in a line; "" for a word alone; absent if it is not there. */
static ks_str value_of(ks_str line, const char *key)
{
    ks_str wanted = ks_str_of(key);
    for (ks_str word; (word = next_word(&line)).len;) {
        if (word.len < wanted.len || memcmp(word.data, key, wanted.len) != 0)
            continue;
        if (word.len == wanted.len)
            return KS_STR("");
        if (word.data[wanted.len] == '=')
            return (ks_str){word.data + wanted.len + 1, word.len - wanted.len - 1};
    }
    return (ks_str){0};
}

static int64_t number_of(ks_str line, const char *key, int64_t otherwise)
{
    ks_str value = value_of(line, key);
    return value.data ? strtoll(value.data, NULL, 10) : otherwise;
}

static ks_labels one_label(ks_arena *arena, ks_str key, ks_str value)
{
    ks_label *label = random_take(arena, sizeof *label);
    *label = (ks_label){key, value};
    return (ks_labels){label, 1};
}

/* ---- objects ---- */

static ks_object make_rig_node(ks_arena *arena, ks_str name, ks_str line)
{
    ks_object object = {.kind = KS_NODE};
    ks_resource *allocatable = random_take(arena, 2 * sizeof *allocatable);
    allocatable[0] = (ks_resource){KS_STR("cpu"), {number_of(line, "cpu", 100), 0}};
    allocatable[1] = (ks_resource){KS_STR("pods"), {110, 0}};
    ks_label *labels = random_take(arena, 2 * sizeof *labels);
    labels[0] = (ks_label){KS_STR("kubernetes.io/hostname"), name};
    labels[1] = (ks_label){KS_STR("zone"), value_of(line, "zone")};
    object.node.metadata = (ks_object_meta){.name = name};
    object.node.metadata.labels = (ks_labels){labels, value_of(line, "zone").data ? 2 : 1};
    object.node.status.allocatable = (ks_resources){allocatable, 2};
    ks_str taint = value_of(line, "taint");
    if (taint.data) {
        ks_taint *taints = random_take(arena, sizeof *taints);
        *taints = (ks_taint){taint, KS_STR(""), KS_STR("NoSchedule")};
        object.node.spec.taints = (ks_taints){taints, 1};
    }
    return object;
}

static void give_cpu(ks_pod *pod, ks_arena *arena, int64_t cpu)
{
    ks_container *container = random_take(arena, sizeof *container);
    ks_resource *request = random_take(arena, sizeof *request);
    *request = (ks_resource){KS_STR("cpu"), {cpu, 0}};
    *container = (ks_container){.name = KS_STR("main"), .image = KS_STR("i")};
    container->resources.requests = (ks_resources){request, cpu > 0};
    pod->spec.containers.items = container;
    pod->spec.containers.count = 1;
}

static void give_rules(ks_pod *pod, ks_arena *arena, ks_str line)
{
    ks_str gate = value_of(line, "gate"), tolerated = value_of(line, "tolerate");
    if (value_of(line, "spread").data) {
        ks_label_selector *selector = random_take(arena, sizeof *selector);
        ks_topology_spread_constraint *constraint = random_take(arena, sizeof *constraint);
        *selector = (ks_label_selector){.match_labels = pod->metadata.labels};
        *constraint = (ks_topology_spread_constraint){1, value_of(line, "spread"), KS_STR("DoNotSchedule"),
                                                      .label_selector = selector};
        pod->spec.topology_spread_constraints = (ks_topology_spread_constraints){constraint, 1};
    }
    if (value_of(line, "claim").data) {
        ks_volume *volume = random_take(arena, sizeof *volume);
        *volume = (ks_volume){.name = KS_STR("data"), .claim_name = value_of(line, "claim")};
        pod->spec.volumes.items = volume;
        pod->spec.volumes.count = 1;
    }
    if (gate.data) {
        pod->spec.scheduling_gates.items = random_take(arena, sizeof(ks_scheduling_gate));
        pod->spec.scheduling_gates.items[0].name = gate;
        pod->spec.scheduling_gates.count = 1;
    }
    if (tolerated.data) {
        ks_toleration *toleration = random_take(arena, sizeof *toleration);
        *toleration = (ks_toleration){.key = tolerated, .op = KS_STR("Exists")};
        pod->spec.tolerations = (ks_tolerations){toleration, 1};
    }
}

static ks_str start_time(ks_arena *arena, ks_str clock)
{
    if (!clock.data)
        return clock;
    char *text = random_take(arena, 32);
    int len = snprintf(text, 32, "2026-01-01T%.*s:00Z", KS_STR_ARG(clock));
    return (ks_str){text, (size_t)len};
}

static ks_object make_rig_pod(ks_arena *arena, ks_str name, ks_str line)
{
    ks_object object = {.kind = KS_POD};
    ks_pod *pod = &object.pod;
    pod->metadata = (ks_object_meta){.name = name, .namespace_ = KS_STR("default"), .uid = name};
    ks_str app = value_of(line, "app");
    pod->metadata.labels = one_label(arena, KS_STR("app"), app.data ? app : name);
    if (value_of(line, "deleted").data)
        pod->metadata.deletion_timestamp = KS_STR("2026-01-01T00:00:00Z");
    pod->spec.node_name = value_of(line, "on");
    pod->spec.scheduler_name = value_of(line, "scheduler");
    pod->spec.priority_class_name = value_of(line, "class");
    pod->spec.preemption_policy = value_of(line, "policy");
    if (value_of(line, "prio").data)
        pod->spec.priority = (ks_opt_i32){true, (int32_t)number_of(line, "prio", 0)};
    pod->status.nominated_node_name = value_of(line, "nominated");
    pod->status.phase = value_of(line, "phase");
    pod->status.start_time = start_time(arena, value_of(line, "start"));
    give_cpu(pod, arena, number_of(line, "cpu", 0));
    give_rules(pod, arena, line);
    return object;
}

static ks_object make_rig_budget(ks_arena *arena, ks_str name, ks_str line)
{
    ks_object object = {.kind = KS_POD_DISRUPTION_BUDGET};
    ks_label_selector *selector = random_take(arena, sizeof *selector);
    *selector = (ks_label_selector){.match_labels = one_label(arena, KS_STR("app"), value_of(line, "app"))};
    object.pod_disruption_budget.metadata = (ks_object_meta){.name = name, .namespace_ = KS_STR("default")};
    object.pod_disruption_budget.spec.selector = selector;
    object.pod_disruption_budget.status.disruptions_allowed = (int32_t)number_of(line, "allowed", 0);
    return object;
}

static ks_object make_rig_class(ks_arena *arena, ks_str name, ks_str line)
{
    (void)arena;
    ks_object object = {.kind = KS_PRIORITY_CLASS};
    object.priority_class = (ks_priority_class){
        .metadata = {.name = name},
        .value = (int32_t)number_of(line, "value", 0),
        .global_default = value_of(line, "default").data,
        .preemption_policy = value_of(line, "policy"),
    };
    return object;
}

/* ---- the transcript ---- */

static void put_sentence(rig *r, const ks_decision *decision)
{
    if (r->brief)
        return;
    ks_buf_printf(&r->transcript, ": %.*s [", KS_STR_ARG(decision->message));
    for (size_t i = 0; i < decision->plugins_count; i++)
        ks_buf_printf(&r->transcript, "%s%.*s", i ? " " : "", KS_STR_ARG(decision->plugins[i]));
    ks_buf_put_char(&r->transcript, ']');
}

static int note_placed(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    rig *r = ctx;
    ks_buf_printf(&r->transcript, "%" PRId64 " %.*s → %.*s", r->now_ms,
                  KS_STR_ARG(decision->pod->metadata.name), KS_STR_ARG(decision->node));
    if (!r->brief)
        ks_buf_printf(&r->transcript, " (%zu fit)", decision->feasible);
    ks_buf_put_char(&r->transcript, '\n');
    return KS_OK;
}

static int note_refused(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    rig *r = ctx;
    ks_buf_printf(&r->transcript, "%" PRId64 " %.*s refused", r->now_ms,
                  KS_STR_ARG(decision->pod->metadata.name));
    put_sentence(r, decision);
    ks_buf_put_char(&r->transcript, '\n');
    return KS_OK;
}

static int note_preempting(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    rig *r = ctx;
    ks_buf_printf(&r->transcript, "%" PRId64 " %.*s preempts", r->now_ms,
                  KS_STR_ARG(decision->pod->metadata.name));
    for (size_t i = 0; i < decision->victims_count; i++)
        ks_buf_printf(&r->transcript, " %.*s", KS_STR_ARG(decision->victims[i]->metadata.name));
    ks_buf_printf(&r->transcript, " on %.*s", KS_STR_ARG(decision->node));
    put_sentence(r, decision);
    ks_buf_put_char(&r->transcript, '\n');
    return KS_OK;
}

static int note_gated(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    rig *r = ctx;
    ks_buf_printf(&r->transcript, "%" PRId64 " %.*s gated\n", r->now_ms,
                  KS_STR_ARG(decision->pod->metadata.name));
    return KS_OK;
}

static const ks_sink sink = {note_placed, note_refused, note_preempting, note_gated};

/* ---- the rig ---- */

static void must(int code, const ks_error *err, ks_str line)
{
    if (code != KS_OK)
        ks_test_die("%.*s: %s", KS_STR_ARG(line), err->message);
}

void rig_begin(rig *r, const ks_scheduler_options *options)
{
    *r = (rig){0};
    ks_alloc_init(&r->alloc, NULL);
    ks_arena_init(&r->arena, &r->alloc);
    ks_buf_init(&r->transcript, &r->alloc);
    ks_scheduler_options own = *options;
    own.sink = &sink;
    own.sink_ctx = r;
    ks_error err;
    must(ks_cluster_new(&r->cluster, NULL, &err), &err, KS_STR("rig"));
    must(ks_scheduler_new(&r->scheduler, r->cluster, &own, 0, &err), &err, KS_STR("rig"));
}

void rig_end(rig *r)
{
    ks_scheduler_free(r->scheduler);
    ks_cluster_free(r->cluster);
    ks_buf_free(&r->transcript);
    ks_arena_free(&r->arena);
}

static void run_steps(rig *r)
{
    ks_step step;
    do {
        ks_error err;
        must(ks_scheduler_step(&step, r->scheduler, r->now_ms, &err), &err, KS_STR("run"));
    } while (step != KS_STEP_IDLE);
}

static void wait_until(rig *r, int64_t end_ms)
{
    for (;;) {
        run_steps(r);
        int64_t next = ks_scheduler_next_time(r->scheduler), flush = ks_scheduler_next_flush(r->scheduler);
        if (flush < next)
            next = flush;
        if (next > end_ms)
            break;
        r->now_ms = next;
    }
    r->now_ms = end_ms;
}

typedef struct rig_kind {
    const char *word;
    ks_kind kind;
    ks_object (*make)(ks_arena *arena, ks_str name, ks_str line);
} rig_kind;

static const rig_kind *find_kind(ks_str word)
{
    static const rig_kind kinds[] = {{"node", KS_NODE, make_rig_node},
                                     {"pod", KS_POD, make_rig_pod},
                                     {"budget", KS_POD_DISRUPTION_BUDGET, make_rig_budget},
                                     {"class", KS_PRIORITY_CLASS, make_rig_class}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ks_str_eq(word, ks_str_of(kinds[i].word)))
            return &kinds[i];
    return NULL;
}

static void play_object(rig *r, const rig_kind *kind, ks_str rest)
{
    ks_error err;
    ks_str name = next_word(&rest);
    ks_object object = kind->make(&r->arena, name, rest);
    must(ks_scheduler_apply(r->scheduler, &object, r->now_ms, &err), &err, name);
}

static void play_line(rig *r, ks_str line)
{
    ks_error err;
    ks_str rest = line, verb = next_word(&rest);
    const rig_kind *kind = find_kind(verb);
    if (kind) {
        play_object(r, kind, rest);
    } else if (ks_str_eq(verb, KS_STR("run"))) {
        run_steps(r);
    } else if (ks_str_eq(verb, KS_STR("wait"))) {
        wait_until(r, r->now_ms + strtoll(next_word(&rest).data, NULL, 10));
    } else if (ks_str_eq(verb, KS_STR("flush"))) {
        wait_until(r, ks_scheduler_next_flush(r->scheduler));
    } else if (ks_str_eq(verb, KS_STR("forget"))) {
        must(ks_scheduler_forget(r->scheduler, KS_STR("default"), next_word(&rest), r->now_ms, &err), &err,
             line);
    } else if (ks_str_eq(verb, KS_STR("delete")) && (kind = find_kind(next_word(&rest)))) {
        must(ks_scheduler_delete(r->scheduler, kind->kind, KS_STR("default"), next_word(&rest), r->now_ms,
                                 &err),
             &err, line);
    } else {
        ks_test_die("%.*s: not a command", KS_STR_ARG(line));
    }
}

void rig_play(rig *r, const char *script)
{
    ks_str text = ks_str_of(script);
    for (ks_str line; ks_test_line_next(&line, &text);)
        if (line.len)
            play_line(r, line);
}

void rig_assert(rig *r, const char *wanted)
{
    ks_buf_put_char(&r->transcript, '\0');
    assert_string_equal(r->transcript.data, wanted);
    ks_buf_clear(&r->transcript);
}

static void check_row(const rig_row *row, bool brief)
{
    rig r;
    rig_begin(&r, &(ks_scheduler_options){.deletes_victims = true});
    r.brief = brief;
    print_message("%s\n", row->name);
    rig_play(&r, row->script);
    rig_assert(&r, row->wanted);
    rig_end(&r);
}

void rig_check(const rig_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_row(&rows[i], true);
}

void rig_check_whole(const rig_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_row(&rows[i], false);
}
