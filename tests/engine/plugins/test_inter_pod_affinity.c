// SPDX-License-Identifier: Apache-2.0
/* InterPodAffinity's filtering rule by rule, after kube-scheduler's documentation and its code where that
 * says less. */
#include "support/affinity_bed.h"
#include "support/unit.h"
#include "util/str.h"
#include <stdio.h>

/* ---- whom terms mean ---- */

static const affinity_example filtering[] = {
    {"no terms anywhere", ZONES POD("p", WEB, "a"), INCOMING(WEB, ""), "a=ok b=ok c=ok d=ok"},
    {"near a pod: its whole domain", ZONES POD("p", DB, "a"), INCOMING(WEB, NEAR(TERM("zone", DB))),
     "a=ok b=ok c=affinity d=affinity"},
    {"near nobody", ZONES POD("p", DB, "a"), INCOMING(WEB, NEAR(TERM("zone", "app: cache"))),
     "a=affinity b=affinity c=affinity d=affinity"},
    {"the first of a group goes anywhere with the key", ZONES, INCOMING(WEB, NEAR(TERM("zone", WEB))),
     "a=ok b=ok c=ok d=affinity"},
    {"the first one only if all its terms match itself", ZONES,
     INCOMING(WEB, NEAR(TERM("zone", WEB) ", " TERM("host", DB))),
     "a=affinity b=affinity c=affinity d=affinity"},
    {"the second of a group follows", ZONES POD("p", WEB, "c"), INCOMING(WEB, NEAR(TERM("zone", WEB))),
     "a=affinity b=affinity c=ok d=affinity"},
    {"a pod on a node without the key is no company", ZONES POD("p", WEB, "d"),
     INCOMING(WEB, NEAR(TERM("zone", WEB))), "a=ok b=ok c=ok d=affinity"},
    {"one and the same pod must match all terms",
     ZONES POD("p", "app: db, tier: x", "c") POD("q", DB, "a") POD("r", "tier: x", "a"),
     INCOMING(WEB, NEAR(TERM("zone", DB) ", " TERM("host", "tier: x"))),
     "a=affinity b=affinity c=ok d=affinity"},
    {"every term has its own key", ZONES POD("p", DB, "a"),
     INCOMING(WEB, NEAR(TERM("zone", DB) ", " TERM("host", DB))), "a=ok b=affinity c=affinity d=affinity"},
    {"away from a pod: its whole domain", ZONES POD("p", DB, "a"), INCOMING(WEB, AWAY(TERM("zone", DB))),
     "a=anti b=anti c=ok d=ok"},
    {"away by host", ZONES POD("p", WEB, "a") POD("q", WEB, "c"), INCOMING(WEB, AWAY(TERM("host", WEB))),
     "a=anti b=ok c=anti d=ok"},
    {"away by any of several terms", ZONES POD("p", WEB, "a") POD("q", DB, "d"),
     INCOMING(WEB, AWAY(TERM("zone", WEB) ", " TERM("host", DB))), "a=anti b=anti c=ok d=anti"},
    {"a pod keeps others away", ZONES CARRIER("p", DB, "a", AWAY(TERM("zone", WEB))), INCOMING(WEB, ""),
     "a=existing b=existing c=ok d=ok"},
    {"and none that it does not mean", ZONES CARRIER("p", DB, "a", AWAY(TERM("zone", WEB))), INCOMING(DB, ""),
     "a=ok b=ok c=ok d=ok"},
    {"a pod on a node without the key keeps nobody away",
     ZONES CARRIER("p", DB, "d", AWAY(TERM("zone", WEB))), INCOMING(WEB, ""), "a=ok b=ok c=ok d=ok"},
    {"reasons come in order", ZONES POD("p", DB, "c") CARRIER("q", DB, "a", AWAY(TERM("host", WEB))),
     INCOMING(WEB, NEAR(TERM("zone", DB)) ", " AWAY(TERM("host", DB))), "a=anti b=ok c=anti d=affinity"},
    {"terminating pods count",
     ZONES POD_WITH("p", ", deletionTimestamp: \"2026-01-01T00:00:00Z\"", WEB, "nodeName: a", ""),
     INCOMING(WEB, AWAY(TERM("host", WEB))), "a=anti b=ok c=ok d=ok"},
    {"finished pods do not", ZONES POD_WITH("p", "", WEB, "nodeName: a", "phase: Succeeded"),
     INCOMING(WEB, AWAY(TERM("host", WEB))), "a=ok b=ok c=ok d=ok"},
    {"no selector matches no pod", ZONES POD("p", WEB, "a"), INCOMING(WEB, AWAY("{topologyKey: host}")),
     "a=ok b=ok c=ok d=ok"},
    {"an empty selector matches all", ZONES POD("p", "", "a"),
     INCOMING(WEB, AWAY("{topologyKey: host, labelSelector: {}}")), "a=anti b=ok c=ok d=ok"},
    {"an empty label value is a domain, no label is none",
     NODE("a", "zone: \"\"") NODE("b", "zone: \"\"") NODE("c", "") POD("p", WEB, "a") POD("q", WEB, "c"),
     INCOMING(WEB, AWAY(TERM("zone", WEB))), "a=anti b=anti c=ok"},
    {"a broken list of a pod that is there is dropped, its others are not",
     ZONES CARRIER("p", DB, "a",
                   "podAffinity: {" PREFERRED ": [" WEIGHT("1", TERM("zone", WEB)) "]}, " AWAY(
                       "{topologyKey: host, labelSelector: {matchExpressions: [{key: app, operator: In}]}}")),
     INCOMING(WEB, ""), "a=200 b=200 c=0 d=0"},
};

#define SPACES SPACE("default", "team: red") SPACE("one", "team: red") SPACE("two", "team: blue")
#define HOSTS NODE("a", "host: a") NODE("b", "host: b") NODE("c", "host: c") NODE("d", "host: d")
#define ONE_EACH                                                                                             \
    POD("p", WEB, "a")                                                                                       \
    POD_IN("one", "p", WEB, "b") POD_IN("two", "p", WEB, "c") POD_IN("lost", "p", WEB, "d")
#define IN_SPACES HOSTS ONE_EACH
#define KEEP_AWAY(space, node, more)                                                                         \
    POD_WITH("k-" node, ", namespace: " space, DB,                                                           \
             "nodeName: " node ", affinity: {" AWAY(TERM_AND("host", WEB, more)) "}", "")

static const affinity_example namespaces[] = {
    {"the pod's own by default", SPACES IN_SPACES, INCOMING(WEB, AWAY(TERM("host", WEB))),
     "a=anti b=ok c=ok d=ok"},
    {"a list replaces it", SPACES IN_SPACES,
     INCOMING(WEB, AWAY(TERM_AND("host", WEB, "namespaces: [two, lost]"))), "a=ok b=ok c=anti d=anti"},
    {"a selector, too", SPACES IN_SPACES,
     INCOMING(WEB, AWAY(TERM_AND("host", WEB, "namespaceSelector: {matchLabels: {team: red}}"))),
     "a=anti b=anti c=ok d=ok"},
    {"a list and a selector", SPACES IN_SPACES,
     INCOMING(WEB, AWAY(TERM_AND("host", WEB,
                                 "namespaces: [lost], namespaceSelector: {matchLabels: {team: blue}}"))),
     "a=ok b=ok c=anti d=anti"},
    {"an empty selector means all", SPACES IN_SPACES,
     INCOMING(WEB, AWAY(TERM_AND("host", WEB, "namespaceSelector: {}"))), "a=anti b=anti c=anti d=anti"},
    {"so does one that no labels at all satisfy", SPACES IN_SPACES,
     INCOMING(WEB, AWAY(TERM_AND("host", WEB,
                                 "namespaceSelector: {matchExpressions: [{key: team, operator: NotIn, "
                                 "values: [red]}]}"))),
     "a=anti b=anti c=anti d=anti"},
    {"near: by a selector", SPACES IN_SPACES,
     INCOMING(WEB, NEAR(TERM_AND("host", WEB, "namespaceSelector: {matchLabels: {team: blue}}"))),
     "a=affinity b=affinity c=ok d=affinity"},
    {"others' terms: their own namespace, a list, the namespace's labels, and not those",
     SPACES NODE("a", "host: a") NODE("b", "host: b") NODE("c", "host: c") NODE("d", "host: d")
         NODE("e", "host: e") KEEP_AWAY("one", "a", "namespaces: []")
             KEEP_AWAY("one", "b", "namespaces: [default, two]")
                 KEEP_AWAY("one", "c", "namespaceSelector: {matchLabels: {team: red}}")
                     KEEP_AWAY("one", "d", "namespaceSelector: {matchLabels: {team: blue}}")
                         KEEP_AWAY("one", "e",
                                   "namespaceSelector: {matchExpressions: [{key: team, operator: NotIn, "
                                   "values: [red]}]}"),
     INCOMING(WEB, ""), "a=ok b=existing c=existing d=ok e=ok"},
};

#define HASHED                                                                                               \
    NODE("a", "host: a")                                                                                     \
    NODE("b", "host: b")                                                                                     \
    NODE("c", "host: c")                                                                                     \
    POD("p", "app: web, hash: h1", "a") POD("q", "app: web, hash: h2", "b") POD("r", WEB, "c")

static const affinity_example label_keys[] = {
    {"matchLabelKeys", HASHED,
     INCOMING("app: web, hash: h1", AWAY(TERM_AND("host", WEB, "matchLabelKeys: [hash, none]"))),
     "a=anti b=ok c=ok"},
    {"mismatchLabelKeys", HASHED,
     INCOMING("app: web, hash: h1", AWAY(TERM_AND("host", WEB, "mismatchLabelKeys: [hash]"))),
     "a=ok b=anti c=anti"},
    {"a key that the pod lacks says nothing", HASHED,
     INCOMING(WEB, AWAY(TERM_AND("host", WEB, "matchLabelKeys: [hash]"))), "a=anti b=anti c=anti"},
    {"merged by the API server, relabelled since", HASHED,
     INCOMING("app: web, hash: h3",
              AWAY("{topologyKey: host, matchLabelKeys: [hash], labelSelector: {matchLabels: {app: web}, "
                   "matchExpressions: [{key: hash, operator: In, values: [h1]}]}}")),
     "a=anti b=ok c=ok"},
    {"of a pod that is there",
     NODE("a", "host: a")
         CARRIER("p", "app: web, hash: h1", "a", AWAY(TERM_AND("host", WEB, "matchLabelKeys: [hash]"))),
     INCOMING("app: web, hash: h2", ""), "a=ok"},
};

#define RUN(table)                                                                                           \
    static void run_##table(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        affinity_check_examples(table, sizeof(table) / sizeof *(table));                                     \
    }
RUN(filtering)
RUN(namespaces)
RUN(label_keys)

/* ---- change ---- */

/* After each of these, the same pod again. */
static void namespaces_change(void **state)
{
    (void)state;
    affinity_bed b;
    affinity_begin(&b, (ks_inter_pod_affinity_args){1, false});
    const char *pod =
        INCOMING(WEB, AWAY(TERM_AND("host", WEB, "namespaceSelector: {matchLabels: {team: red}}")));
    affinity_apply(&b, IN_SPACES);
    affinity_check(&b, "no namespaces known", pod, "a=ok b=ok c=ok d=ok");
    affinity_apply(&b, SPACE("one", "team: red"));
    affinity_check(&b, "one comes", pod, "a=ok b=anti c=ok d=ok");
    affinity_apply(&b, SPACE("two", "team: red") SPACE("one", "team: blue"));
    affinity_check(&b, "labels change", pod, "a=ok b=ok c=anti d=ok");
    assert_int_equal(ks_cluster_delete(b.cluster, KS_NAMESPACE, (ks_str){0}, KS_STR("two"), NULL), KS_OK);
    affinity_check(&b, "one goes", pod, "a=ok b=ok c=ok d=ok");
    affinity_end(&b);
}

static void nodes_change(void **state)
{
    (void)state;
    affinity_bed b;
    affinity_begin(&b, (ks_inter_pod_affinity_args){1, false});
    const char *pod = INCOMING(WEB, AWAY(TERM("zone", DB)));
    affinity_apply(&b, ZONES CARRIER("p", DB, "a", AWAY(TERM("host", WEB))));
    affinity_check(&b, "at first", pod, "a=anti b=anti c=ok d=ok");
    affinity_apply(&b, NODE("a", "host: a, zone: z2"));
    affinity_check(&b, "the pod's node moves", pod, "a=anti b=ok c=anti d=ok");
    affinity_apply(&b, NODE("d", "host: d, zone: z2"));
    affinity_check(&b, "a node joins its domain", pod, "a=anti b=ok c=anti d=anti");
    affinity_apply(&b, NODE("a", "host: d"));
    affinity_check(&b, "it loses one key and shares another", pod, "a=existing b=ok c=ok d=existing");
    assert_int_equal(ks_cluster_delete(b.cluster, KS_NODE, (ks_str){0}, KS_STR("a"), NULL), KS_OK);
    affinity_check(&b, "the node goes", pod, "b=ok c=ok d=ok");
    affinity_apply(&b, NODE("a", "host: a, zone: z1"));
    affinity_check(&b, "and comes back to its pod", pod, "a=anti b=anti c=ok d=ok");
    affinity_end(&b);
}

/* ---- terms that cannot be ---- */

#define BROKEN "{topologyKey: host, labelSelector: {matchExpressions: [{key: app, operator: Near}]}}"

static void a_broken_pod_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *affinity, *message;
    } rows[] = {
        {NEAR(BROKEN), "parsing pod: requiredAffinityTerms: \"Near\" is not a valid label selector operator"},
        {NEAR(BROKEN) ", " RATHER_AWAY(WEIGHT("1", BROKEN)),
         "parsing pod: [requiredAffinityTerms: \"Near\" is not a valid label selector operator, "
         "preferredAntiAffinityTerms: \"Near\" is not a valid label selector operator]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char pod[1024];
        snprintf(pod, sizeof pod, INCOMING(WEB, "%s"), rows[i].affinity);
        affinity_bed b;
        affinity_begin(&b, (ks_inter_pod_affinity_args){1, false});
        affinity_apply(&b, ZONES);
        affinity_run(&b, pod);
        ks_cycle_summary summary = ks_cycle_get_summary(b.cycle);
        ks_node_result node = ks_cycle_get_node(b.cycle, 0);
        assert_int_equal(summary.pre_filter, KS_UNSCHEDULABLE_AND_UNRESOLVABLE);
        assert_int_equal(summary.feasible, 0);
        assert_int_equal(node.code, KS_UNSCHEDULABLE_AND_UNRESOLVABLE);
        if (!ks_str_eq(node.reason, ks_str_of(rows[i].message)))
            fail_msg("\"%.*s\", wanted \"%s\"", KS_STR_ARG(node.reason), rows[i].message);
        affinity_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_filtering),  cmocka_unit_test(run_namespaces),
        cmocka_unit_test(run_label_keys), cmocka_unit_test(namespaces_change),
        cmocka_unit_test(nodes_change),   cmocka_unit_test(a_broken_pod_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
