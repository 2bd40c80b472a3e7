// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "util/str.h"
#include <kubespread/config.h>

#define HEAD                                                                                                 \
    "apiVersion: kubescheduler.config.k8s.io/v1\n"                                                           \
    "kind: KubeSchedulerConfiguration\n"
#define PROFILE HEAD "profiles:\n- plugins:\n"
#define ARGS(text) HEAD "profiles:\n- pluginConfig:\n  - args: " text "\n    name: PodTopologySpread\n"

/* What comes of the default profile; a row says only what differs. */
#define FILTERS                                                                                              \
    "NodeUnschedulable NodeName TaintToleration NodeAffinity NodePorts NodeResourcesFit "                    \
    "VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread InterPodAffinity "       \
    "DynamicResources NodeDeclaredFeatures"
#define SCORES                                                                                               \
    "TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 "               \
    "InterPodAffinity=2 DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1"
#define OTHERS "DefaultPreemption DefaultBinder SchedulingGates PrioritySort"
#define DEFAULTS                                                                                             \
    "default-scheduler\nfilter: " FILTERS "\nscore: " SCORES "\nother: " OTHERS "\nspread: System\n"

typedef struct config_row {
    const char *name, *text;
    const char *want; /* the profiles, as describe_profile writes them, or the fault */
} config_row;

static const config_row good_rows[] = {
    {"all left out", HEAD, DEFAULTS},
    {"JSON", "{\"kind\":\"KubeSchedulerConfiguration\",\"apiVersion\":\"kubescheduler.config.k8s.io/v1\"}",
     DEFAULTS},
    {"no profiles", HEAD "profiles: []\n", DEFAULTS},
    {"a profile that leaves all out", HEAD "profiles:\n- {}\n", DEFAULTS},
    {"empty documents around it", "---\n---\n" HEAD "---\n", DEFAULTS},
    {"a name", HEAD "profiles:\n- schedulerName: mine\n",
     "mine\nfilter: " FILTERS "\nscore: " SCORES "\nother: " OTHERS "\nspread: System\n"},
    {"all that kube-scheduler knows",
     HEAD
     "parallelism: 8\n"
     "leaderElection: {leaderElect: true, leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s, "
     "resourceLock: leases, resourceName: a, resourceNamespace: b}\n"
     "clientConnection: {kubeconfig: /etc/k, acceptContentTypes: '', contentType: x, qps: 1.5, burst: 3}\n"
     "enableProfiling: false\nenableContentionProfiling: true\ndelayCacheUntilActive: true\n"
     "percentageOfNodesToScore: 100\npodInitialBackoffSeconds: 2\npodMaxBackoffSeconds: 20\n"
     "extenders:\n- {urlPrefix: u, filterVerb: f, preemptVerb: p, prioritizeVerb: q, weight: 5000000000, "
     "bindVerb: b, enableHTTPS: true, "
     "tlsConfig: {insecure: true, serverName: s, certFile: c, keyFile: k, caFile: a, certData: '', keyData: "
     "'', caData: ''}, "
     "httpTimeout: 5s, nodeCacheCapable: true, managedResources: [{name: x.io/y, ignoredByScheduler: true}], "
     "ignorable: true}\n"
     "profiles:\n- percentageOfNodesToScore: 0\n  pluginConfig:\n"
     "  - {name: DefaultPreemption, args: {minCandidateNodesPercentage: 1, minCandidateNodesAbsolute: 2}}\n"
     "  - {name: DynamicResources, args: {filterTimeout: 1s, bindingTimeout: 2s}}\n"
     "  - {name: InterPodAffinity, args: {hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: "
     "true}}\n"
     "  - {name: NodeAffinity, args: {addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
     "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [a]}]}]}, "
     "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: a, "
     "operator: Exists}]}}]}}}\n"
     "  - {name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 1}]}}\n"
     "  - {name: NodeResourcesFit, args: {ignoredResources: [a], ignoredResourceGroups: [b], "
     "scoringStrategy: {type: RequestedToCapacityRatio, resources: [{name: cpu, weight: 1}], "
     "requestedToCapacityRatio: "
     "{shape: [{utilization: 0, score: 10}]}}}}\n"
     "  - {name: VolumeBinding, args: {bindTimeoutSeconds: 600}}\n"
     "  - {name: SomebodyElses, args: [anything, {at: all}]}\n",
     DEFAULTS},

    {"System", ARGS("{defaultingType: System}"), DEFAULTS},
    {"args null", ARGS("null"), DEFAULTS},
    {"args that say what they are",
     ARGS("{apiVersion: kubescheduler.config.k8s.io/v1, kind: PodTopologySpreadArgs}"), DEFAULTS},
    {"List",
     ARGS("{defaultingType: List, defaultConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: "
          "DoNotSchedule}, {maxSkew: 3, topologyKey: host, whenUnsatisfiable: ScheduleAnyway}]}"),
     "default-scheduler\nfilter: " FILTERS "\nscore: " SCORES "\nother: " OTHERS
     "\nspread: List zone/2/DoNotSchedule host/3/ScheduleAnyway\n"},
    {"List of none", ARGS("{defaultingType: List}"),
     "default-scheduler\nfilter: " FILTERS "\nscore: " SCORES "\nother: " OTHERS "\nspread: List\n"},

    {"a weight at score",
     PROFILE "    score:\n      enabled:\n      - {name: PodTopologySpread, weight: 7}\n",
     "default-scheduler\nfilter: " FILTERS
     "\nscore: TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=7 "
     "InterPodAffinity=2 DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1\nother: " OTHERS
     "\nspread: System\n"},
    {"no weight at score means 1, not the default",
     PROFILE "    score:\n      enabled:\n      - name: ImageLocality\n      - name: TaintToleration\n",
     "default-scheduler\nfilter: " FILTERS
     "\nscore: TaintToleration=1 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 "
     "InterPodAffinity=2 DynamicResources=2 ImageLocality=1 NodeResourcesBalancedAllocation=1\nother: " OTHERS
     "\nspread: System\n"},
    {"a weight at multiPoint, in place",
     PROFILE "    multiPoint:\n      enabled:\n      - {name: PodTopologySpread, weight: 9}\n      - {name: "
             "NodeAffinity}\n",
     "default-scheduler\nfilter: " FILTERS
     "\nscore: TaintToleration=3 NodeAffinity=1 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=9 "
     "InterPodAffinity=2 DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1\nother: " OTHERS
     "\nspread: System\n"},
    {"score goes before multiPoint",
     PROFILE "    multiPoint:\n      enabled: [{name: PodTopologySpread, weight: 9}]\n    score:\n      "
             "enabled: [{name: PodTopologySpread, weight: 4}]\n",
     "default-scheduler\nfilter: " FILTERS
     "\nscore: TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=4 "
     "InterPodAffinity=2 DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1\nother: " OTHERS
     "\nspread: System\n"},
    {"disabled at one point",
     PROFILE "    score:\n      disabled: [{name: PodTopologySpread}, {name: NodeNobodyKnows}]\n",
     "default-scheduler\nfilter: " FILTERS
     "\nscore: TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 InterPodAffinity=2 "
     "DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1\nother: " OTHERS
     "\nspread: System\n"},
    {"disabled everywhere", PROFILE "    multiPoint:\n      disabled: [{name: PodTopologySpread}]\n",
     "default-scheduler\nfilter: NodeUnschedulable NodeName TaintToleration NodeAffinity NodePorts "
     "NodeResourcesFit VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone InterPodAffinity "
     "DynamicResources NodeDeclaredFeatures"
     "\nscore: TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 InterPodAffinity=2 "
     "DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1\nother: " OTHERS
     "\nspread: System\n"},
    {"all disabled at a point, some enabled",
     PROFILE "    filter:\n      disabled: [{name: '*'}]\n      enabled: [{name: NodePorts}, {name: "
             "NodeName}]\n    score:\n      disabled: [{name: '*'}]\n",
     "default-scheduler\nfilter: NodePorts NodeName\nscore:\nother: NodeAffinity NodeResourcesFit "
     "VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread InterPodAffinity "
     "DynamicResources NodeDeclaredFeatures DefaultPreemption TaintToleration "
     "NodeResourcesBalancedAllocation DefaultBinder SchedulingGates PrioritySort\nspread: System\n"},
    {"all disabled everywhere, a few enabled",
     PROFILE "    multiPoint:\n      disabled: [{name: '*'}]\n      enabled: [{name: DefaultBinder}, {name: "
             "PodTopologySpread, weight: 3}, {name: PrioritySort}]\n",
     "default-scheduler\nfilter: PodTopologySpread\nscore: PodTopologySpread=3\nother: DefaultBinder "
     "PrioritySort\nspread: System\n"},
    {"a filter enabled at its point goes first",
     PROFILE "    filter:\n      enabled: [{name: InterPodAffinity}, {name: PodTopologySpread}]\n",
     "default-scheduler\nfilter: InterPodAffinity PodTopologySpread NodeUnschedulable NodeName "
     "TaintToleration NodeAffinity NodePorts NodeResourcesFit VolumeRestrictions NodeVolumeLimits "
     "VolumeBinding VolumeZone DynamicResources NodeDeclaredFeatures"
     "\nscore: InterPodAffinity=2 PodTopologySpread=2 TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 "
     "VolumeBinding=1 DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1\nother: " OTHERS
     "\nspread: System\n"},
    {"disabled everywhere, enabled at a point: last",
     PROFILE
     "    multiPoint:\n      disabled: [{name: NodeName}]\n    filter:\n      enabled: [{name: NodeName}]\n",
     "default-scheduler\nfilter: NodeUnschedulable TaintToleration NodeAffinity NodePorts NodeResourcesFit "
     "VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread InterPodAffinity "
     "DynamicResources NodeDeclaredFeatures NodeName"
     "\nscore: " SCORES "\nother: " OTHERS "\nspread: System\n"},
    {"disabled and enabled everywhere: moves back",
     PROFILE "    multiPoint:\n      disabled: [{name: PodTopologySpread}]\n      enabled: [{name: "
             "PodTopologySpread, weight: 6}]\n",
     "default-scheduler\nfilter: NodeUnschedulable NodeName TaintToleration NodeAffinity NodePorts "
     "NodeResourcesFit VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone InterPodAffinity "
     "DynamicResources NodeDeclaredFeatures PodTopologySpread"
     "\nscore: TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 InterPodAffinity=2 "
     "DynamicResources=2 PodTopologySpread=6 NodeResourcesBalancedAllocation=1 "
     "ImageLocality=1\nother: " OTHERS "\nspread: System\n"},
    {"a plugin behind a gate", PROFILE "    multiPoint:\n      enabled: [{name: GangScheduling}]\n",
     "default-scheduler\nfilter: " FILTERS "\nscore: " SCORES
     "\nother: DefaultPreemption DefaultBinder GangScheduling SchedulingGates PrioritySort\nspread: "
     "System\n"},
    {"two profiles",
     HEAD "profiles:\n- schedulerName: a\n- schedulerName: b\n  plugins:\n    score:\n      disabled: "
          "[{name: '*'}]\n    filter:\n      disabled: [{name: '*'}]\n    multiPoint:\n      disabled: "
          "[{name: '*'}]\n      enabled: [{name: PrioritySort}, {name: DefaultBinder}]\n",
     "a\nfilter: " FILTERS "\nscore: " SCORES "\nother: " OTHERS
     "\nspread: System\nb\nfilter:\nscore:\nother: DefaultBinder PrioritySort\nspread: System\n"},
};

#define NAME_RULE                                                                                            \
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "    \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "     \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define REMOVED                                                                                              \
    "was invalid in version \"v1\" (KubeSchedulerConfiguration is version "                                  \
    "\"kubescheduler.config.k8s.io/v1\")"
#define CREATING "creating profile for scheduler name default-scheduler: "

#define LONG_64 "x123456789x123456789x123456789x123456789x123456789x123456789x123"
#define LONG LONG_64 LONG_64 LONG_64 LONG_64 LONG_64 LONG_64 LONG_64 LONG_64
#define LONG_63 "x123456789x123456789x123456789x123456789x123456789x123456789x12"

static const config_row bad_rows[] = {
    {"empty", "", "c.yaml: empty: there must be one KubeSchedulerConfiguration"},
    {"empty documents", "---\n---\n", "c.yaml: empty: there must be one KubeSchedulerConfiguration"},
    {"two of them", HEAD "---\n" HEAD,
     "c.yaml:4:1: a second document: there must be one KubeSchedulerConfiguration"},
    {"no apiVersion", "kind: KubeSchedulerConfiguration\n",
     "c.yaml: apiVersion: \"\": must be \"kubescheduler.config.k8s.io/v1\""},
    {"an old apiVersion",
     "kind: KubeSchedulerConfiguration\napiVersion: kubescheduler.config.k8s.io/v1beta3\n",
     "c.yaml:2:13: apiVersion: \"kubescheduler.config.k8s.io/v1beta3\": must be "
     "\"kubescheduler.config.k8s.io/v1\""},
    {"another kind", "apiVersion: kubescheduler.config.k8s.io/v1\nkind: PodTopologySpreadArgs\n",
     "c.yaml:2:7: kind: \"PodTopologySpreadArgs\": must be \"KubeSchedulerConfiguration\""},
    {"a long kind", "apiVersion: kubescheduler.config.k8s.io/v1\nkind: " LONG "\n",
     "c.yaml:2:7: kind: \"" LONG_64 "…\": must be \"KubeSchedulerConfiguration\""},
    {"a long apiVersion", "kind: KubeSchedulerConfiguration\napiVersion: " LONG "\n",
     "c.yaml:2:13: apiVersion: \"" LONG_64 "…\": must be \"kubescheduler.config.k8s.io/v1\""},
    {"a kind with control characters", "apiVersion: kubescheduler.config.k8s.io/v1\nkind: \"a\\e[2J\\N\"\n",
     "c.yaml: kind: \"a\\u001b[2J\\u0085\": must be \"KubeSchedulerConfiguration\""},
    {"a long qps", HEAD "clientConnection:\n  qps: " LONG "\n",
     "c.yaml:4:8: clientConnection.qps: \"" LONG_63 "…: must be a number"},
    {"args of a long kind", ARGS("{kind: " LONG "}"),
     "c.yaml:5:18: profiles[0].pluginConfig[0].args.kind: \"" LONG_64
     "…\": must be \"PodTopologySpreadArgs\""},
    {"unknown field", HEAD "parallelisms: 1\n", "c.yaml:3:1: parallelisms: unknown field"},
    {"a field of older versions", HEAD "healthzBindAddress: x\n",
     "c.yaml:3:1: healthzBindAddress: unknown field"},
    {"unknown field below",
     HEAD "profiles:\n- plugins:\n    score:\n      enabled:\n      - name: ImageLocality\n        wait: 1\n",
     "c.yaml:8:9: profiles[0].plugins.score.enabled[0].wait: unknown field"},
    {"unknown extension point", PROFILE "    normalize: {}\n",
     "c.yaml:5:5: profiles[0].plugins.normalize: unknown field"},
    {"a string for a number", HEAD "parallelism: many\n",
     "c.yaml:3:14: parallelism: \"many\": must be an integer"},
    {"a number for a duration", HEAD "leaderElection: {leaseDuration: 15}\n",
     "c.yaml:3:33: leaderElection.leaseDuration: 15: must be a string"},
    {"a string for qps", HEAD "clientConnection:\n  qps: '5'\n",
     "c.yaml:4:8: clientConnection.qps: \"5\": must be a number"},
    {"numbers out of range",
     HEAD "parallelism: 0\npercentageOfNodesToScore: 101\npodInitialBackoffSeconds: 0\npodMaxBackoffSeconds: "
          "-1\nclientConnection: {burst: -1}\nprofiles:\n- percentageOfNodesToScore: -1\n",
     "c.yaml: [clientConnection.burst: Invalid value: -1: must be non-negative, parallelism: Invalid value: "
     "0: should be an integer value greater than zero, "
     "profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100], "
     "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100], "
     "podInitialBackoffSeconds: Invalid value: 0: must be greater than 0, podMaxBackoffSeconds: Invalid "
     "value: -1: must be greater than or equal to PodInitialBackoffSeconds]"},
    {"backoff beyond the default maximum", HEAD "podInitialBackoffSeconds: 11\n",
     "c.yaml: podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to "
     "PodInitialBackoffSeconds"},
    {"no name among several", HEAD "profiles:\n- schedulerName: a\n- {}\n",
     "c.yaml: profiles[1].schedulerName: Required value"},
    {"an empty name", HEAD "profiles:\n- schedulerName: ''\n",
     "c.yaml: profiles[0].schedulerName: Required value"},
    {"a name twice", HEAD "profiles:\n- schedulerName: a\n- schedulerName: a\n",
     "c.yaml: profiles[1].schedulerName: Duplicate value: \"a\""},
    {"args twice", HEAD "profiles:\n- pluginConfig:\n  - {name: Mine, args: 1}\n  - {name: Mine, args: 2}\n",
     "c.yaml: profiles[0].pluginConfig[1]: Duplicate value: \"Mine\""},
    {"removed plugins",
     HEAD "profiles:\n- plugins:\n    filter:\n      enabled: [{name: NodeName}, {name: EBSLimits}]\n  "
          "pluginConfig: [{name: GCEPDLimits}]\n",
     "c.yaml: [profiles[0].plugins.filter.enabled[1]: Invalid value: \"EBSLimits\": " REMOVED
     ", profiles[0].pluginConfig[0]: Invalid value: \"GCEPDLimits\": " REMOVED "]"},
    {"two queue sorts", PROFILE "    queueSort:\n      enabled: [{name: PrioritySort}, {name: Mine}]\n",
     "c.yaml: profiles[0].plugins.queueSort.Enabled: Invalid value: 2: only one queue sort plugin can be "
     "enabled"},
    {"queue sorts that differ",
     HEAD "profiles:\n- schedulerName: a\n- schedulerName: b\n  plugins:\n    queueSort:\n      enabled: "
          "[{name: PrioritySort, weight: 2}]\n      disabled: [{name: '*', weight: 5}]\n",
     "c.yaml: profiles[1].plugins.queueSort: Invalid value: "
     "{\"Enabled\":[{\"Name\":\"PrioritySort\",\"Weight\":2}],\"Disabled\":[{\"Name\":\"*\",\"Weight\":0}]}: "
     "must be the same for all profiles"},

    {"args: unknown field", ARGS("{defaultConstraint: []}"),
     "c.yaml:5:12: profiles[0].pluginConfig[0].args.defaultConstraint: unknown field"},
    {"args: unknown field of a constraint", ARGS("{defaultConstraints: [{maxSkew: 1, skew: 2}]}"),
     "c.yaml:5:46: profiles[0].pluginConfig[0].args.defaultConstraints[0].skew: unknown field"},
    {"args: no object", ARGS("x"), "c.yaml:5:11: profiles[0].pluginConfig[0].args: \"x\": must be an object"},
    {"args: another kind", ARGS("{kind: NodeAffinityArgs}"),
     "c.yaml:5:18: profiles[0].pluginConfig[0].args.kind: \"NodeAffinityArgs\": must be "
     "\"PodTopologySpreadArgs\""},
    {"args: another apiVersion", ARGS("{apiVersion: v1}"),
     "c.yaml:5:24: profiles[0].pluginConfig[0].args.apiVersion: \"v1\": must be "
     "\"kubescheduler.config.k8s.io/v1\""},
    {"args of another plugin: unknown field",
     HEAD "profiles:\n- pluginConfig:\n  - name: InterPodAffinity\n    args:\n      hardWeight: 1\n",
     "c.yaml:7:7: profiles[0].pluginConfig[0].args.hardWeight: unknown field"},
    {"args: System with a list",
     ARGS("{defaultConstraints: [{maxSkew: 0, topologyKey: a b, whenUnsatisfiable: DoNotSchedule, "
          "labelSelector: {}}]}"),
     "c.yaml: [profiles[0].pluginConfig[0].args.defaultingType: Invalid value: \"System\": when "
     ".defaultConstraints are not empty, "
     "profiles[0].pluginConfig[0].args.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range "
     "(0, inf), "
     "profiles[0].pluginConfig[0].args.defaultConstraints[0].topologyKey: Invalid value: \"a b\": " NAME_RULE
     ", "
     "profiles[0].pluginConfig[0].args.defaultConstraints[0].labelSelector: Forbidden: constraint must not "
     "define a selector, as they deduced for each pod]"},

    {"unknown plugin at a point", PROFILE "    score:\n      enabled:\n      - name: Mine\n",
     "c.yaml:7:15: " CREATING "ScorePlugin \"Mine\" does not exist"},
    {"unknown plugin everywhere", PROFILE "    multiPoint:\n      enabled:\n      - name: Mine\n",
     "c.yaml:7:15: " CREATING "PreFilterPlugin \"Mine\" does not exist"},
    {"not its point", PROFILE "    score:\n      enabled:\n      - name: NodeName\n",
     "c.yaml:7:15: " CREATING "plugin \"NodeName\" does not extend ScorePlugin plugin"},
    {"twice at a point",
     PROFILE "    score:\n      enabled:\n      - name: ImageLocality\n      - name: ImageLocality\n",
     "c.yaml:8:15: " CREATING "plugin \"ImageLocality\" already registered as \"ScorePlugin\""},
    {"twice everywhere",
     PROFILE "    multiPoint:\n      enabled:\n      - name: GangScheduling\n      - name: GangScheduling\n",
     "c.yaml:8:15: " CREATING "plugin \"GangScheduling\" already registered as \"PermitPlugin\""},
    {"no queue sort", PROFILE "    queueSort:\n      disabled:\n      - name: '*'\n",
     "c.yaml: " CREATING
     "only one queue sort plugin required for profile with scheduler name \"default-scheduler\", but got 0"},
    {"no bind", PROFILE "    bind:\n      disabled:\n      - name: DefaultBinder\n",
     "c.yaml: " CREATING
     "at least one bind plugin is needed for profile with scheduler name \"default-scheduler\""},
    {"weights below zero",
     PROFILE "    score:\n      enabled:\n      - {name: ImageLocality, weight: -1}\n      - {name: "
             "NodeAffinity, weight: 1}\n",
     "c.yaml:8:16: " CREATING "score plugins: total score of Score plugins could overflow"},
};

/* ---- what came of it, as text ---- */

static void put_plugins(ks_buf *buf, const ks_profile *profile, bool filters, bool scores)
{
    for (size_t i = 0; i < profile->plugins.count; i++) {
        const ks_plugin_use *use = &profile->plugins.items[i];
        bool chosen = filters ? use->filters : scores ? use->scores : !use->filters && !use->scores;
        if (!chosen)
            continue;
        ks_buf_printf(buf, " %.*s", KS_STR_ARG(use->name));
        if (scores)
            ks_buf_printf(buf, "=%d", (int)use->weight);
        else if (!use->scores)
            assert_int_equal(use->weight, 0);
    }
    ks_buf_put_char(buf, '\n');
}

static void describe_profile(ks_buf *buf, const ks_profile *profile)
{
    ks_buf_printf(buf, "%.*s\nfilter:", KS_STR_ARG(profile->scheduler_name));
    put_plugins(buf, profile, true, false);
    ks_buf_printf(buf, "score:");
    put_plugins(buf, profile, false, true);
    ks_buf_printf(buf, "other:");
    put_plugins(buf, profile, false, false);
    ks_buf_printf(buf, "spread: %.*s", KS_STR_ARG(profile->spread.defaulting_type));
    for (size_t i = 0; i < profile->spread.default_constraints.count; i++) {
        const ks_topology_spread_constraint *c = &profile->spread.default_constraints.items[i];
        ks_buf_printf(buf, " %.*s/%d/%.*s", KS_STR_ARG(c->topology_key), (int)c->max_skew,
                      KS_STR_ARG(c->when_unsatisfiable));
    }
    ks_buf_put_char(buf, '\n');
}

static void check_config(const char *name, const ks_config *config, const char *want)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    for (size_t i = 0; i < config->profiles.count; i++)
        describe_profile(&buf, &config->profiles.items[i]);
    if (!ks_str_eq(ks_buf_str(&buf), ks_str_of(want)))
        fail_msg("%s:\n%s\nwant\n%s", name, buf.data, want);
    ks_buf_free(&buf);
}

static int decode(ks_config **out, const char *text, const ks_allocator *allocator, ks_error *err)
{
    return ks_config_decode(out, (ks_source){KS_STR("c.yaml"), ks_str_of(text)}, allocator, err);
}

static void good_configurations_are_merged_with_the_defaults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_rows / sizeof *good_rows; i++) {
        ks_config *config = NULL;
        ks_error err = {0};
        if (decode(&config, good_rows[i].text, NULL, &err) != KS_OK)
            fail_msg("%s: %s", good_rows[i].name, err.message);
        check_config(good_rows[i].name, config, good_rows[i].want);
        ks_config_free(config);
    }
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; i++) {
        ks_config *config = NULL;
        ks_error err = {0};
        int code = decode(&config, bad_rows[i].text, NULL, &err);
        if (code != KS_EINVAL || config || !ks_str_eq(ks_str_of(err.message), ks_str_of(bad_rows[i].want)))
            fail_msg("%s: %d\n%s\nwant\n%s", bad_rows[i].name, code, err.message, bad_rows[i].want);
        assert_int_equal(decode(&config, bad_rows[i].text, NULL, NULL), KS_EINVAL);
    }
}

static void default_is_what_an_empty_file_says(void **state)
{
    (void)state;
    ks_config *config;
    assert_int_equal(ks_config_default(&config, NULL, NULL), KS_OK);
    check_config("default", config, DEFAULTS);
    ks_config_free(config);
    ks_config_free(NULL);
}

static void profiles_are_found_by_name(void **state)
{
    (void)state;
    ks_config *config;
    assert_int_equal(decode(&config,
                            HEAD "profiles:\n- schedulerName: a\n- schedulerName: default-scheduler\n", NULL,
                            NULL),
                     KS_OK);
    assert_ptr_equal(ks_config_profile(config, KS_STR("a")), &config->profiles.items[0]);
    assert_ptr_equal(ks_config_profile(config, KS_STR("default-scheduler")), &config->profiles.items[1]);
    assert_ptr_equal(ks_config_profile(config, KS_STR("")), &config->profiles.items[1]);
    assert_ptr_equal(ks_config_profile(config, (ks_str){0}), &config->profiles.items[1]);
    assert_null(ks_config_profile(config, KS_STR("b")));
    ks_config_free(config);
}

/* What was decoded stands on its own: the text may go. */
static void text_is_not_needed_afterwards(void **state)
{
    (void)state;
    char text[] = ARGS("{defaultingType: List, defaultConstraints: [{maxSkew: 2, topologyKey: "
                       "\"z\\u006fne\", whenUnsatisfiable: DoNotSchedule}]}");
    ks_config *config;
    assert_int_equal(decode(&config, text, NULL, NULL), KS_OK);
    memset(text, 'x', sizeof text);
    check_config("text gone", config,
                 "default-scheduler\nfilter: " FILTERS "\nscore: " SCORES "\nother: " OTHERS
                 "\nspread: List zone/2/DoNotSchedule\n");
    ks_config_free(config);
}

/* Each allocation fails once; nothing leaks, and the error says so. */
static void sweep(const char *text, int code_without_failure)
{
    for (size_t fail_at = 1;; fail_at++) {
        failing_allocator failing = failing_allocator_make();
        failing.fail_at = fail_at;
        ks_allocator allocator = failing_allocator_get(&failing);
        ks_config *config = NULL;
        ks_error err = {0};
        int code =
            text ? decode(&config, text, &allocator, &err) : ks_config_default(&config, &allocator, &err);
        if (code == KS_OK)
            ks_config_free(config);
        assert_int_equal(failing.bytes, 0);
        assert_int_equal(code, failing.failed ? KS_ENOMEM : code_without_failure);
        if (!failing.failed)
            return;
    }
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    sweep(NULL, KS_OK);
    sweep(ARGS("{defaultingType: List, defaultConstraints: [{maxSkew: 2, topologyKey: zone, "
               "whenUnsatisfiable: DoNotSchedule}]}"),
          KS_OK);
    for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; i++)
        sweep(bad_rows[i].text, KS_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_configurations_are_merged_with_the_defaults),
        cmocka_unit_test(bad_configurations_are_refused),
        cmocka_unit_test(default_is_what_an_empty_file_says),
        cmocka_unit_test(profiles_are_found_by_name),
        cmocka_unit_test(text_is_not_needed_afterwards),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
