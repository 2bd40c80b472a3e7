// SPDX-License-Identifier: Apache-2.0
/* A cluster whose only plugin is InterPodAffinity, manifests in short, and results in a line. */
#ifndef TESTS_SUPPORT_AFFINITY_BED_H
#define TESTS_SUPPORT_AFFINITY_BED_H

#include <kubespread/kubespread.h>

#define NODE(name, labels)                                                                                   \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: {" labels "}}}\n"
#define SPACE(name, labels)                                                                                  \
    "---\n{apiVersion: v1, kind: Namespace, metadata: {name: " name ", labels: {" labels "}}}\n"
#define POD_WITH(name, meta, labels, spec, status)                                                           \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", labels: {" labels "}" meta                  \
    "}, spec: {" spec "}, status: {" status "}}\n"
#define POD(name, labels, node) POD_WITH(name, "", labels, "nodeName: " node, "")
#define POD_IN(space, name, labels, node) POD_WITH(name, ", namespace: " space, labels, "nodeName: " node, "")
#define CARRIER(name, labels, node, affinity)                                                                \
    POD_WITH(name, "", labels, "nodeName: " node ", affinity: {" affinity "}", "")
#define INCOMING(labels, affinity) POD_WITH("incoming", "", labels, "affinity: {" affinity "}", "")

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"
#define NEAR(terms) "podAffinity: {" REQUIRED ": [" terms "]}"
#define AWAY(terms) "podAntiAffinity: {" REQUIRED ": [" terms "]}"
#define RATHER_NEAR(terms) "podAffinity: {" PREFERRED ": [" terms "]}"
#define RATHER_AWAY(terms) "podAntiAffinity: {" PREFERRED ": [" terms "]}"
#define WEIGHT(weight, term) "{weight: " weight ", podAffinityTerm: " term "}"
#define TERM(key, labels) "{topologyKey: " key ", labelSelector: {matchLabels: {" labels "}}}"
#define TERM_AND(key, labels, more)                                                                          \
    "{topologyKey: " key ", labelSelector: {matchLabels: {" labels "}}, " more "}"

#define ZONES                                                                                                \
    NODE("a", "host: a, zone: z1")                                                                           \
    NODE("b", "host: b, zone: z1") NODE("c", "host: c, zone: z2") NODE("d", "host: d")

#define WEB "app: web"
#define DB "app: db"

typedef struct affinity_bed {
    ks_cluster *cluster;
    ks_cycle *cycle;
} affinity_bed;

/* Each of these ends the test on an error. */
void affinity_begin(affinity_bed *bed, ks_inter_pod_affinity_args args);
void affinity_end(affinity_bed *bed);
void affinity_decode(const char *text, ks_object_fn visit, void *ctx);
void affinity_apply(affinity_bed *bed, const char *objects);
void affinity_run(affinity_bed *bed, const char *pod);
/* Runs a cycle. Wanted: "a=200 b=ok c=anti", a score, a pass where the plugin does not score, or the reason
 * in a word: affinity, anti, existing. */
void affinity_check(affinity_bed *bed, const char *name, const char *pod, const char *wanted);

typedef struct affinity_example {
    const char *name, *objects, *incoming, *wanted;
} affinity_example;
void affinity_check_examples(const affinity_example *examples, size_t count);

#endif
