// SPDX-License-Identifier: Apache-2.0
/* Which events bring a pod back that InterPodAffinity refused, and what preemption may hope for. */
#include "support/affinity_bed.h"
#include "support/unit.h"
#include "util/str.h"

typedef struct event {
    const char *name, *pending, *before, *after; /* before or after: "" */
    ks_hint wanted;
} event;

#define NEAR_DB INCOMING(WEB, NEAR(TERM("zone", DB)))
#define AWAY_FROM_DB INCOMING(WEB, AWAY(TERM("zone", DB)))
#define PLAIN INCOMING(WEB, "")
#define BROKEN "{topologyKey: zone, labelSelector: {matchExpressions: [{key: app, operator: Near}]}}"
#define GOES KS_HINT_QUEUE
#define STAYS KS_HINT_SKIP

static const event events[] = {
    {"a pod that is wanted comes", NEAR_DB, "", POD("p", DB, "a"), GOES},
    {"one that is not wanted comes", NEAR_DB, "", POD("p", WEB, "a"), STAYS},
    {"one without a place comes", NEAR_DB, "", POD("p", DB, "\"\""), STAYS},
    {"one that is nominated comes", NEAR_DB, "", POD_WITH("p", "", DB, "", "nominatedNodeName: a"), GOES},
    {"one is bound", NEAR_DB, POD("p", DB, "\"\""), POD("p", DB, "a"), GOES},
    {"one in another namespace comes", NEAR_DB, "", POD_IN("two", "p", DB, "a"), STAYS},
    {"one goes that was wanted", NEAR_DB, POD("p", DB, "a"), "", STAYS},
    {"one is relabelled to be wanted", NEAR_DB, POD("p", WEB, "a"), POD("p", DB, "a"), GOES},
    {"one is relabelled not to be", NEAR_DB, POD("p", DB, "a"), POD("p", WEB, "a"), STAYS},
    {"one changes without its labels", NEAR_DB, POD("p", DB, "a"),
     POD_WITH("p", "", DB, "nodeName: a", "phase: Running"), STAYS},
    {"a pod that is in the way goes", AWAY_FROM_DB, POD("p", DB, "a"), "", GOES},
    {"or is over", AWAY_FROM_DB, POD("p", DB, "a"), POD_WITH("p", "", DB, "nodeName: a", "phase: Succeeded"),
     GOES},
    {"another goes", AWAY_FROM_DB, POD("p", WEB, "a"), "", STAYS},
    {"one in the way comes", AWAY_FROM_DB, "", POD("p", DB, "a"), STAYS},
    {"one is relabelled out of the way", AWAY_FROM_DB, POD("p", DB, "a"), POD("p", WEB, "a"), GOES},
    {"a pod that kept it away goes", PLAIN, CARRIER("p", DB, "a", AWAY(TERM("zone", WEB))), "", GOES},
    {"one that keeps others away goes", PLAIN, CARRIER("p", DB, "a", AWAY(TERM("zone", DB))), "", STAYS},
    {"one with a broken term goes", PLAIN, CARRIER("p", DB, "a", AWAY(BROKEN)), "", GOES},
    {"its own labels change", PLAIN, PLAIN, INCOMING(DB, ""), GOES},
    {"nothing of its own changes", PLAIN, PLAIN, PLAIN, STAYS},
    {"its own terms are broken", INCOMING(WEB, NEAR(BROKEN)), "", POD("p", WEB, "a"), GOES},
    {"a node with the key comes", NEAR_DB, "", NODE("a", "zone: z"), GOES},
    {"a node without it comes", NEAR_DB, "", NODE("a", "rack: r"), STAYS},
    {"which does for anti-affinity", AWAY_FROM_DB, "", NODE("a", "rack: r"), GOES},
    {"a node gets the key", NEAR_DB, NODE("a", ""), NODE("a", "zone: z"), GOES},
    {"which does not do for anti-affinity", AWAY_FROM_DB, NODE("a", ""), NODE("a", "zone: z"), STAYS},
    {"a node loses the key", NEAR_DB, NODE("a", "zone: z"), NODE("a", ""), STAYS},
    {"which does for anti-affinity", AWAY_FROM_DB, NODE("a", "zone: z"), NODE("a", ""), GOES},
    {"a node moves", NEAR_DB, NODE("a", "zone: z0"), NODE("a", "zone: z"), GOES},
    {"also for anti-affinity", AWAY_FROM_DB, NODE("a", "zone: z0"), NODE("a", "zone: z"), GOES},
    {"a node goes", AWAY_FROM_DB, NODE("a", "zone: z0"), "", STAYS},
    {"a node comes, and nothing was asked of nodes", PLAIN, "", NODE("a", "zone: z"), STAYS},
    {"a namespace comes", NEAR_DB, "", SPACE("s", ""), STAYS},
};

/* Decoded objects live as long as their callback, so that the three of an event are nested. */
typedef struct question {
    const event *event;
    affinity_bed bed;
    const ks_object *pending, *before, *after;
    ks_hint hint;
} question;

static int ask(void *ctx, const ks_object *object, ks_error *err)
{
    question *q = ctx;
    q->after = object;
    return ks_cluster_hint(&q->hint, q->bed.cluster, &q->pending->pod, q->before, q->after, err);
}

static int with_before(void *ctx, const ks_object *object, ks_error *err)
{
    question *q = ctx;
    q->before = object;
    if (!*q->event->after)
        return ask(q, NULL, err);
    affinity_decode(q->event->after, ask, q);
    return KS_OK;
}

static int with_pending(void *ctx, const ks_object *object, ks_error *err)
{
    question *q = ctx;
    q->pending = object;
    if (!*q->event->before)
        return with_before(q, NULL, err);
    affinity_decode(q->event->before, with_before, q);
    return KS_OK;
}

static void events_help_or_do_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        question q = {.event = &events[i]};
        affinity_begin(&q.bed, (ks_inter_pod_affinity_args){1, false});
        affinity_decode(events[i].pending, with_pending, &q);
        affinity_end(&q.bed);
        if (q.hint != events[i].wanted)
            fail_msg("%s (%zu): %s", events[i].name, i, q.hint == GOES ? "queued" : "skipped");
    }
}

/* ---- preemption ---- */

typedef struct trade {
    const char *name, *objects, *incoming, *added, *removed; /* of node a; "" for none */
    ks_code wanted;
} trade;

#define FITS KS_SUCCESS
#define NOT_YET KS_UNSCHEDULABLE
#define NEVER KS_UNSCHEDULABLE_AND_UNRESOLVABLE
#define ONE NODE("a", "zone: z, host: a") NODE("b", "zone: z, host: b")
#define KEEPER CARRIER("p", DB, "a", AWAY(TERM("host", WEB)))

static const trade trades[] = {
    {"what is in the way goes", ONE POD("p", DB, "a"), AWAY_FROM_DB, "", POD("p", DB, "a"), FITS},
    {"but not all of it", ONE POD("p", DB, "a") POD("q", DB, "b"), AWAY_FROM_DB, "", POD("p", DB, "a"),
     NOT_YET},
    {"something else goes", ONE POD("p", DB, "a") POD("q", WEB, "a"), AWAY_FROM_DB, "", POD("q", WEB, "a"),
     NOT_YET},
    {"what kept it away goes", ONE KEEPER, PLAIN, "", KEEPER, FITS},
    {"but another like it comes", ONE KEEPER, PLAIN, KEEPER, KEEPER, NOT_YET},
    {"what it wanted goes", ONE POD("p", DB, "a"), NEAR_DB, "", POD("p", DB, "a"), NEVER},
    {"what it wants comes", ONE, NEAR_DB, POD("p", DB, "a"), "", FITS},
    {"it would be the first of its group", ONE POD("p", WEB, "a"),
     INCOMING(WEB, NEAR(TERM("zone", WEB) "," TERM("host", WEB))), "", POD("p", WEB, "a"), FITS},
    {"what keeps it away by another key comes", ONE POD("p", DB, "b"), INCOMING(WEB, AWAY(TERM("host", DB))),
     CARRIER("q", "", "a", AWAY(TERM("zone", WEB))), "", NOT_YET},
    {"but the node does not have that key", ONE POD("p", DB, "b"), INCOMING(WEB, AWAY(TERM("host", DB))),
     CARRIER("q", "", "a", AWAY(TERM("rack", WEB))), "", FITS},
};

typedef struct offer {
    const trade *trade;
    affinity_bed bed;
    const ks_pod *added, *removed;
    ks_node_result result;
} offer;

static int weigh(void *ctx, const ks_object *object, ks_error *err)
{
    offer *o = ctx;
    o->removed = object ? &object->pod : NULL;
    ks_what_if change = {&o->added, &o->removed, o->added != NULL, o->removed != NULL};
    return ks_cycle_what_if(&o->result, o->bed.cycle, 0, &change, err);
}

static int with_added(void *ctx, const ks_object *object, ks_error *err)
{
    offer *o = ctx;
    o->added = object ? &object->pod : NULL;
    if (!*o->trade->removed)
        return weigh(o, NULL, err);
    affinity_decode(o->trade->removed, weigh, o);
    return KS_OK;
}

static void pods_come_and_go(void **state)
{
    (void)state;
    ks_error err = {0};
    for (size_t i = 0; i < sizeof trades / sizeof *trades; i++) {
        offer o = {.trade = &trades[i]};
        affinity_begin(&o.bed, (ks_inter_pod_affinity_args){1, false});
        affinity_apply(&o.bed, trades[i].objects);
        affinity_run(&o.bed, trades[i].incoming);
        if (*trades[i].added)
            affinity_decode(trades[i].added, with_added, &o);
        else
            assert_int_equal(with_added(&o, NULL, &err), KS_OK);
        affinity_end(&o.bed);
        if (o.result.code != trades[i].wanted)
            fail_msg("%s: %s \"%.*s\"", trades[i].name, ks_code_name(o.result.code),
                     KS_STR_ARG(o.result.reason));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_help_or_do_not),
        cmocka_unit_test(pods_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
