// SPDX-License-Identifier: Apache-2.0
/* Storage over time: which events are worth another try, and what a placement means for claims that wait for
 * their first consumer. */
#include "support/storage.h"
#include "support/unit.h"
#include <kubespread/scheduler.h>
#include <stdio.h>

/* ---- hints ---- */

typedef struct hint_row {
    const char *name, *pod, *before, *after; /* NULL: none */
    ks_hint want;
} hint_row;

static const hint_row hint_rows[] = {
    {"the claim comes", WITH("data"), NULL, CLAIM("data", ""), KS_HINT_QUEUE},
    {"the claim changes", WITH("data"), CLAIM("data", ""), BOUND("data", "v"), KS_HINT_QUEUE},
    {"the claim goes", WITH("data"), CLAIM("data", ""), NULL, KS_HINT_SKIP},
    {"another claim", WITH("data"), NULL, CLAIM("logs", ""), KS_HINT_SKIP},
    {"another namespace's claim", WITH("data"), NULL, CLAIM_META("data", ", namespace: prod", ""),
     KS_HINT_SKIP},
    {"an ephemeral claim", EPHEMERAL, NULL, CLAIM("pending-scratch", ""), KS_HINT_QUEUE},
    {"a volume comes", WITH("data"), NULL, VOLUME("v", "", ""), KS_HINT_QUEUE},
    {"a volume changes", WITH("data"), VOLUME("v", "", ""), VOLUME("v", "", ""), KS_HINT_QUEUE},
    {"a volume goes", WITH("data"), VOLUME("v", "", ""), NULL, KS_HINT_SKIP},
    {"a class comes", WITH("data"), NULL, CLASS("fast", "provisioner: p"), KS_HINT_QUEUE},
    {"a class allows more", WITH("data"),
     CLASS("fast", "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [z1]}]}]"),
     CLASS("fast", "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [z1, z2]}]}]"),
     KS_HINT_QUEUE},
    {"a class changes otherwise", WITH("data"), CLASS("fast", "provisioner: p"),
     CLASS("fast", "provisioner: q"), KS_HINT_SKIP},
    {"a node comes", WITH("data"), NULL, NODE("a", ""), KS_HINT_QUEUE},
    {"a node's labels change", WITH("data"), NODE("a", ""), NODE("a", "zone: z1"), KS_HINT_QUEUE},
    {"a node changes otherwise", WITH("data"), NODE("a", "zone: z1"),
     "---\n{apiVersion: v1, kind: Node, metadata: {name: a, labels: {zone: z1}}, spec: {unschedulable: "
     "true}}\n",
     KS_HINT_SKIP},
    {"a pod comes", WITH("data"), NULL, POD("p", "nodeName: a"), KS_HINT_SKIP},
};

/* Decoding lends an object for the length of a callback, so each is decoded inside the other's. */
typedef struct hearing {
    ks_cluster *cluster;
    const hint_row *row;
    const ks_object *pod, *before;
    ks_hint hint;
} hearing;

static int hear_after(void *ctx, const ks_object *after, ks_error *err)
{
    hearing *h = ctx;
    return ks_cluster_hint(&h->hint, h->cluster, &h->pod->pod, h->before, after, err);
}

static int hear_before(void *ctx, const ks_object *before, ks_error *err)
{
    hearing *h = ctx;
    h->before = before;
    return h->row->after ? storage_decode(h->row->after, hear_after, h, err) : hear_after(h, NULL, err);
}

static int hear_pod(void *ctx, const ks_object *pod, ks_error *err)
{
    hearing *h = ctx;
    h->pod = pod;
    return h->row->before ? storage_decode(h->row->before, hear_before, h, err) : hear_before(h, NULL, err);
}

static void only_events_that_can_help_are_heard(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hint_rows / sizeof *hint_rows; i++) {
        storage_bed a;
        ks_error err = {0};
        storage_begin(&a, 3, NULL);
        hearing h = {.cluster = a.cluster, .row = &hint_rows[i]};
        if (storage_decode(hint_rows[i].pod, hear_pod, &h, &err) != KS_OK)
            fail_msg("%s: %s", hint_rows[i].name, err.message);
        if (h.hint != hint_rows[i].want)
            fail_msg("%s: %d", hint_rows[i].name, (int)h.hint);
        storage_end(&a);
    }
}

/* ---- placements ---- */

typedef struct placing {
    ks_scheduler *scheduler;
    char log[256];
} placing;

static int note_placed(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    placing *p = ctx;
    size_t len = strlen(p->log);
    snprintf(p->log + len, sizeof p->log - len, "%.*s on %.*s\n", KS_STR_ARG(decision->pod->metadata.name),
             KS_STR_ARG(decision->node));
    return KS_OK;
}

static int note_refused(void *ctx, const ks_decision *decision, ks_error *err)
{
    (void)err;
    placing *p = ctx;
    size_t len = strlen(p->log);
    snprintf(p->log + len, sizeof p->log - len, "%.*s nowhere\n", KS_STR_ARG(decision->pod->metadata.name));
    return KS_OK;
}

static int schedule(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_scheduler_apply(((placing *)ctx)->scheduler, object, 0, err);
}

static void step(placing *p)
{
    ks_step step;
    do
        assert_int_equal(ks_scheduler_step(&step, p->scheduler, 0, NULL), KS_OK);
    while (step != KS_STEP_IDLE);
}

static const char locals[] = NODE("a", "host: a") NODE("b", "host: b") CLASS("local", WAITS)
    VOLUME("va", "", ON("host", "a") ", storageClassName: local")
        VOLUME("vb", "", ON("host", "b") ", storageClassName: local") CLAIM("one", "storageClassName: local")
            CLAIM("two", "storageClassName: local") CLAIM("three", "storageClassName: local");

/* Two volumes, three claims: each placement takes a volume, and gives it back if it comes to nothing. */
static void placements_take_volumes(void **state)
{
    (void)state;
    storage_bed a;
    storage_begin(&a, 3, NULL);
    static const ks_sink sink = {.placed = note_placed, .unschedulable = note_refused};
    placing p = {0};
    ks_scheduler_options options = {.sink = &sink, .sink_ctx = &p, .takes_all = true};
    assert_int_equal(ks_scheduler_new(&p.scheduler, a.cluster, &options, 0, NULL), KS_OK);
    assert_int_equal(storage_decode(locals, schedule, &p, NULL), KS_OK);
    assert_int_equal(storage_decode(POD("p1", "volumes: [" USES("one") "]"), schedule, &p, NULL), KS_OK);
    step(&p);
    bool first_on_a = strcmp(p.log, "p1 on a\n") == 0;
    p.log[0] = '\0';
    assert_int_equal(storage_decode(POD("p2", "volumes: [" USES("two") "]"), schedule, &p, NULL), KS_OK);
    assert_int_equal(storage_decode(POD("p3", "volumes: [" USES("three") "]"), schedule, &p, NULL), KS_OK);
    assert_int_equal(storage_decode(POD("p4", "volumes: [" USES("one") "]"), schedule, &p, NULL), KS_OK);
    step(&p);
    assert_string_equal(p.log,
                        first_on_a ? "p2 on b\np3 nowhere\np4 on a\n" : "p2 on a\np3 nowhere\np4 on b\n");

    assert_int_equal(ks_scheduler_forget(p.scheduler, KS_STR("default"), KS_STR("p2"), 0, NULL), KS_OK);
    assert_int_equal(storage_decode(POD("pending", "volumes: [" USES("three") "]"), storage_run, &a, NULL),
                     KS_OK);
    storage_check("given back", a.cycle, first_on_a ? "a " NO_VOLUME "\nb\n" : "a\nb " NO_VOLUME "\n");
    ks_scheduler_free(p.scheduler);
    storage_end(&a);
}

/* A volume that is made for a claim is made where the first pod went. */
static void placements_select_nodes(void **state)
{
    (void)state;
    storage_bed a;
    storage_begin(&a, 3, NULL);
    placing p = {0};
    ks_scheduler_options options = {.takes_all = true};
    assert_int_equal(ks_scheduler_new(&p.scheduler, a.cluster, &options, 0, NULL), KS_OK);
    assert_int_equal(storage_decode(NODE("a", "") CLASS("slow", WAITS ", provisioner: p")
                                        CLAIM("data", "storageClassName: slow"),
                                    schedule, &p, NULL),
                     KS_OK);
    assert_int_equal(storage_decode(POD("p", "volumes: [" USES("data") "]"), schedule, &p, NULL), KS_OK);
    step(&p);
    assert_int_equal(storage_decode(NODE("b", ""), schedule, &p, NULL), KS_OK);
    assert_int_equal(storage_decode(WITH("data"), storage_run, &a, NULL), KS_OK);
    storage_check("selected", a.cycle, "a\nb " NO_VOLUME "\n");
    assert_int_equal(
        ks_cluster_delete(a.cluster, KS_PERSISTENT_VOLUME_CLAIM, (ks_str){0}, KS_STR("data"), NULL), KS_OK);
    assert_int_equal(storage_decode(CLAIM("data", "storageClassName: slow"), storage_apply, &a, NULL), KS_OK);
    assert_int_equal(storage_decode(WITH("data"), storage_run, &a, NULL), KS_OK);
    storage_check("another claim", a.cycle, "a\nb\n");
    ks_scheduler_free(p.scheduler);
    storage_end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_events_that_can_help_are_heard),
        cmocka_unit_test(placements_take_volumes),
        cmocka_unit_test(placements_select_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
