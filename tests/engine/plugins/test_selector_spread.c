// SPDX-License-Identifier: Apache-2.0
/* SelectorSpread: a table of clusters with every node's score, and random clusters against scores that are
 * worked out from scratch. */
#include "support/failing_allocator.h"
#include "support/plain_defaults.h"
#include "support/unit.h"
#include "support/world.h"
#include "util/str.h"
#include <inttypes.h>
#include <stdio.h>

/* ---- a table ---- */

#define NODE(name, labels)                                                                                   \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: {" labels "}}}\n"
#define POD(name, labels, node)                                                                              \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", labels: {" labels                           \
    "}}, spec: {nodeName: " node "}}\n"
#define SERVICE "---\n{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}\n"
#define REPLICA_SET                                                                                          \
    "---\n{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web}, spec: {selector: {matchLabels: "    \
    "{app: web}}}}\n"
#define ZONE(zone) "topology.kubernetes.io/zone: " zone
#define REGION(region) "topology.kubernetes.io/region: " region
#define OLD_ZONE(zone) "failure-domain.beta.kubernetes.io/zone: " zone

#define WEB "---\n{apiVersion: v1, kind: Pod, metadata: {name: pending, labels: {app: web}}}\n"
#define OWNED                                                                                                \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: pending, labels: {app: web}, ownerReferences: "       \
    "[{apiVersion: apps/v1, kind: ReplicaSet, name: web, controller: true}]}}\n"
#define CONSTRAINED                                                                                          \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: pending, labels: {app: web}}, spec: "                 \
    "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, "          \
    "labelSelector: {}}]}}\n"

typedef struct row {
    const char *name, *pod, *objects;
    const char *want; /* score of each node, by name; "-" where the plugin skips */
} row;

static const row rows[] = {
    {"nothing deduced: all the same", WEB, NODE("a", "") NODE("b", "") POD("p", "app: web", "a"), "100 100"},
    {"no pods yet", WEB, SERVICE NODE("a", "") NODE("b", ""), "100 100"},
    {"by node", WEB,
     SERVICE NODE("a", "") NODE("b", "") NODE("c", "") POD("p", "app: web", "a") POD("q", "app: web", "a")
         POD("r", "app: web", "b"),
     "0 50 100"},
    {"by controller", OWNED, REPLICA_SET NODE("a", "") NODE("b", "") POD("p", "app: web", "a"), "0 100"},
    {"other pods, other namespaces and going ones do not count", WEB,
     SERVICE NODE("a", "") NODE("b", "") POD("p", "app: db", "a") POD(
         "q", "app: web",
         "b") "---\n{apiVersion: v1, kind: Pod, metadata: {name: r, namespace: prod, labels: {app: web}}, "
              "spec: "
              "{nodeName: a}}\n"
              "---\n{apiVersion: v1, kind: Pod, metadata: {name: s, labels: {app: web}, deletionTimestamp: "
              "2026-01-01T00:00:00Z}, spec: {nodeName: a}}\n",
     "100 0"},
    {"thirds are cut, not rounded", WEB,
     SERVICE NODE("a", "") NODE("b", "") NODE("c", "") POD("p", "app: web", "a") POD("q", "app: web", "a")
         POD("r", "app: web", "a") POD("s", "app: web", "b"),
     "0 66 100"},
    {"two thirds by zone", WEB,
     SERVICE NODE("a", ZONE("z1")) NODE("b", ZONE("z1")) NODE("c", ZONE("z2")) POD("p", "app: web", "a"),
     "0 33 100"},
    {"both zones taken", WEB,
     SERVICE NODE("a", ZONE("z1")) NODE("b", ZONE("z1")) NODE("c", ZONE("z2")) POD("p", "app: web", "a")
         POD("q", "app: web", "a") POD("r", "app: web", "c"),
     "0 33 50"},
    {"a node without a zone goes by nodes alone", WEB,
     SERVICE NODE("a", ZONE("z1")) NODE("b", "") NODE("c", ZONE("z2")) POD("p", "app: web", "a")
         POD("q", "app: web", "b"),
     "0 0 100"},
    {"zones of two regions are two", WEB,
     SERVICE NODE("a", ZONE("z") ", " REGION("r1")) NODE("b", ZONE("z") ", " REGION("r2"))
         NODE("c", ZONE("z") ", " REGION("r1")) POD("p", "app: web", "a"),
     "0 100 33"},
    {"a region alone is a zone, too", WEB,
     SERVICE NODE("a", REGION("r1")) NODE("b", REGION("r1")) NODE("c", REGION("r2"))
         POD("p", "app: web", "a"),
     "0 33 100"},
    {"the old label goes first", WEB,
     SERVICE NODE("a", ZONE("z1") ", " OLD_ZONE("z3")) NODE("b", ZONE("z1")) NODE("c", OLD_ZONE("z3"))
         POD("p", "app: web", "a"),
     "0 100 33"},
    {"constraints of its own", CONSTRAINED, SERVICE NODE("a", "") NODE("b", "") POD("p", "app: web", "a"),
     "- -"},
};

static ks_profile make_profile(ks_plugin_use uses[2])
{
    uses[0] = (ks_plugin_use){KS_STR("PodTopologySpread"), 0, true, false};
    uses[1] = (ks_plugin_use){KS_STR("SelectorSpread"), 1, false, true};
    return (ks_profile){.plugins = {uses, 2}};
}

static ks_cluster *new_cluster(const ks_allocator *allocator, const ks_spread_args *defaults)
{
    ks_plugin_use uses[2];
    ks_profile profile = make_profile(uses);
    if (defaults)
        profile.spread = *defaults;
    ks_cluster_options options = {.allocator = allocator, .profile = &profile, .gates = KS_GATES_DEFAULT};
    ks_cluster *cluster = NULL;
    (void)ks_cluster_new(&cluster, &options, NULL);
    return cluster;
}

typedef struct asking {
    ks_cluster *cluster;
    ks_cycle *cycle;
} asking;

static int apply(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_cluster_apply(((asking *)ctx)->cluster, object, err);
}

static int run(void *ctx, const ks_object *object, ks_error *err)
{
    return ks_cycle_run(((asking *)ctx)->cycle, &object->pod, err);
}

static void put_scores(char *out, size_t size, const ks_cycle *cycle)
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ks_cycle_get_summary(cycle).nodes; i++) {
        int64_t score;
        const char *space = i ? " " : "";
        if (ks_cycle_get_plugin_score(cycle, "SelectorSpread", i, &score))
            at += (size_t)snprintf(out + at, size - at, "%s%" PRId64, space, score);
        else
            at += (size_t)snprintf(out + at, size - at, "%s-", space);
    }
}

static void nodes_with_fewer_pods_score_higher(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ks_error err = {0};
        asking a = {.cluster = new_cluster(NULL, NULL)};
        assert_int_equal(ks_cycle_new(&a.cycle, a.cluster, &err), KS_OK);
        ks_source objects = {KS_STR("objects"), ks_str_of(rows[i].objects)};
        ks_source pod = {KS_STR("pod"), ks_str_of(rows[i].pod)};
        if (ks_decode(objects, NULL, apply, &a, &err) != KS_OK ||
            ks_decode(pod, NULL, run, &a, &err) != KS_OK)
            fail_msg("%s: %s", rows[i].name, err.message);
        char scores[128];
        put_scores(scores, sizeof scores, a.cycle);
        if (strcmp(scores, rows[i].want) != 0)
            fail_msg("%s: %s, wanted %s", rows[i].name, scores, rows[i].want);
        ks_cycle_free(a.cycle);
        ks_cluster_free(a.cluster);
    }
}

/* ---- from scratch ---- */

enum { NODES_MAX = 64 };

typedef struct plain_scores {
    int64_t count[NODES_MAX];
    char zone[NODES_MAX][128];
    bool fits[NODES_MAX];
} plain_scores;

static ks_str label_of(const ks_node *node, const char *older, const char *newer)
{
    ks_str value = {0};
    if (!plain_label(&node->metadata.labels, ks_str_of(older), &value))
        (void)plain_label(&node->metadata.labels, ks_str_of(newer), &value);
    return value;
}

static void put_zone(char *out, size_t size, const ks_node *node)
{
    ks_str zone = label_of(node, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
    ks_str region =
        label_of(node, "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
    out[0] = '\0';
    if (zone.len || region.len)
        snprintf(out, size, "%.*s|%.*s", KS_STR_ARG(region), KS_STR_ARG(zone));
}

static bool counts(const ks_pod *pod, const ks_pod *pending, const plain_selector *selector)
{
    bool over =
        ks_str_eq(pod->status.phase, KS_STR("Succeeded")) || ks_str_eq(pod->status.phase, KS_STR("Failed"));
    return !over && pod->metadata.deletion_timestamp.len == 0 && !plain_selector_is_empty(selector) &&
           plain_same_namespace(&pod->metadata, &pending->metadata) &&
           plain_selector_matches(selector, &pod->metadata.labels);
}

static void count_pods(plain_scores *out, const plain_cluster *plain, const ks_pod *pending, ks_arena *arena)
{
    plain_selector selector = plain_default_selector(plain, pending, arena);
    for (size_t n = 0; n < plain->of[KS_NODE].count; n++) {
        const ks_node *node = &plain->of[KS_NODE].items[n]->node;
        put_zone(out->zone[n], sizeof out->zone[n], node);
        out->count[n] = 0;
        for (size_t p = 0; p < plain->of[KS_POD].count; p++) {
            const ks_pod *pod = &plain->of[KS_POD].items[p]->pod;
            out->count[n] +=
                ks_str_eq(pod->spec.node_name, node->metadata.name) && counts(pod, pending, &selector);
        }
    }
}

static int64_t zone_count(const plain_scores *all, size_t nodes, size_t of)
{
    int64_t count = 0;
    for (size_t n = 0; n < nodes; n++)
        if (all->fits[n] && strcmp(all->zone[n], all->zone[of]) == 0)
            count += all->count[n];
    return count;
}

static int64_t plain_score(const plain_scores *all, size_t nodes, size_t of)
{
    int64_t most = 0, most_in_zone = 0;
    for (size_t n = 0; n < nodes; n++) {
        if (!all->fits[n])
            continue;
        most = all->count[n] > most ? all->count[n] : most;
        if (all->zone[n][0] && zone_count(all, nodes, n) > most_in_zone)
            most_in_zone = zone_count(all, nodes, n);
    }
    double by_node = most > 0 ? 100.0 * ((double)(most - all->count[of]) / (double)most) : 100.0;
    if (!all->zone[of][0])
        return (int64_t)by_node;
    double by_zone =
        most_in_zone > 0
            ? 100.0 * ((double)(most_in_zone - zone_count(all, nodes, of)) / (double)most_in_zone)
            : 100.0;
    return (int64_t)(by_node * (1.0 - 2.0 / 3.0) + 2.0 / 3.0 * by_zone);
}

typedef struct sightings {
    size_t asked, skipped, uneven, partial;
} sightings;

static void compare(sightings *seen, const ks_cycle *cycle, const plain_cluster *plain, const ks_pod *pod,
                    ks_arena *arena)
{
    static plain_scores all;
    size_t nodes = plain->of[KS_NODE].count;
    assert_true(nodes <= NODES_MAX);
    count_pods(&all, plain, pod, arena);
    size_t fit = 0;
    for (size_t n = 0; n < nodes; n++)
        fit += all.fits[n] = ks_cycle_get_node(cycle, n).code == KS_SUCCESS;
    bool skips = pod->spec.topology_spread_constraints.count > 0 || fit == 0;
    seen->asked++;
    seen->skipped += skips;
    seen->partial += !skips && fit < nodes;
    for (size_t n = 0; n < nodes; n++) {
        int64_t score = -1, want = skips || !all.fits[n] ? -1 : plain_score(&all, nodes, n);
        if (!ks_cycle_get_plugin_score(cycle, "SelectorSpread", n, &score))
            score = -1;
        if (score != want)
            fail_msg("node %zu: %" PRId64 ", wanted %" PRId64, n, score, want);
        seen->uneven += want >= 0 && want < 100;
    }
}

static void run_world(sightings *seen, uint64_t seed)
{
    ks_error err = {0};
    world w;
    world_init(&w, seed, &(world_size){12, 80, 5, 20});
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_arena arena, setup;
    ks_arena_init(&arena, &alloc);
    ks_arena_init(&setup, &alloc);
    random_source random = random_seed(seed);
    ks_spread_args defaults = {.defaulting_type = KS_STR("List")};
    random_default_constraints(&defaults.default_constraints, &random, &setup);
    plain_cluster plain = {.gates = KS_GATES_DEFAULT, .defaults = &defaults};
    ks_cluster *cluster = new_cluster(NULL, &defaults);
    ks_cycle *cycle;
    assert_int_equal(ks_cycle_new(&cycle, cluster, &err), KS_OK);
    for (int i = 0; i < 3000; i++) {
        assert_int_equal(world_step(&w, cluster, &err), KS_OK);
        if (i % 5)
            continue;
        ks_pod pod;
        ks_arena_reset(&arena);
        world_pending(&w, &pod, &arena);
        world_view(&w, &plain);
        assert_int_equal(ks_cycle_run(cycle, &pod, &err), KS_OK);
        if (ks_cycle_get_summary(cycle).pre_filter != KS_ERROR)
            compare(seen, cycle, &plain, &pod, &arena);
    }
    ks_cycle_free(cycle);
    ks_cluster_free(cluster);
    world_free(&w);
    ks_arena_free(&arena);
    ks_arena_free(&setup);
}

static void scores_are_those_from_scratch(void **state)
{
    (void)state;
    sightings seen = {0};
    for (uint64_t seed = 1; seed <= 20; seed++)
        run_world(&seen, seed);
    assert_true(seen.asked > 1000 && seen.skipped > 100 && seen.uneven > 1000 && seen.partial > 20);
}

/* ---- want of memory ---- */

static void survives_want_of_memory(void **state)
{
    (void)state;
    for (size_t fail_at = 1;; fail_at++) {
        failing_allocator failing = failing_allocator_make();
        ks_allocator allocator = failing_allocator_get(&failing);
        asking a = {.cluster = new_cluster(&allocator, NULL)};
        ks_error err = {0};
        assert_int_equal(ks_cycle_new(&a.cycle, a.cluster, &err), KS_OK);
        ks_source objects = {KS_STR("objects"), ks_str_of(rows[6].objects)};
        ks_source pod = {KS_STR("pod"), ks_str_of(rows[6].pod)};
        assert_int_equal(ks_decode(objects, NULL, apply, &a, &err), KS_OK);
        failing.fail_at = fail_at;
        int code = ks_decode(pod, NULL, run, &a, &err);
        bool failed = failing.failed;
        assert_int_equal(code, failed ? KS_ENOMEM : KS_OK);
        failing_allocator_refill(&failing);
        assert_int_equal(ks_decode(pod, NULL, run, &a, &err), KS_OK);
        char scores[128];
        put_scores(scores, sizeof scores, a.cycle);
        assert_string_equal(scores, rows[6].want);
        ks_cycle_free(a.cycle);
        ks_cluster_free(a.cluster);
        assert_int_equal(failing.bytes, 0);
        if (!failed)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_with_fewer_pods_score_higher),
        cmocka_unit_test(scores_are_those_from_scratch),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
