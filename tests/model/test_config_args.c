// SPDX-License-Identifier: Apache-2.0
/* What a configuration says beyond the list of plugins: their args, and the numbers of the whole file. */
#include "model/profile.h"
#include "model/schema.h"
#include "support/dump.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include <inttypes.h>

#define HEAD                                                                                                 \
    "apiVersion: kubescheduler.config.k8s.io/v1\n"                                                           \
    "kind: KubeSchedulerConfiguration\n"
#define ARGS(plugin, args) HEAD "profiles:\n- pluginConfig: [{name: " plugin ", args: " args "}]\n"
#define IN_ARGS "profiles[0].pluginConfig[0].args"

typedef struct args_row {
    const char *name, *text;
    const char *want; /* what differs from the defaults, as describe writes it, or the fault */
} args_row;

static const args_row good_rows[] = {
    {"all left out", HEAD, ""},
    {"args that leave all out",
     HEAD "profiles:\n- pluginConfig:\n  - {name: NodeResourcesFit, args: {}}\n  - {name: "
          "NodeResourcesBalancedAllocation, args: {}}\n  - {name: InterPodAffinity, args: {}}\n  - {name: "
          "NodeAffinity, args: {}}\n  - {name: DefaultPreemption, args: {}}\n",
     ""},
    {"backoff", HEAD "podInitialBackoffSeconds: 3\npodMaxBackoffSeconds: 7\n", "backoff 3 7\n"},
    {"percentage of the file", HEAD "percentageOfNodesToScore: 30\n", "percentage 30\n"},
    {"percentage of the profile goes first",
     HEAD "percentageOfNodesToScore: 30\nprofiles: [{percentageOfNodesToScore: 40}]\n", "percentage 40\n"},
    {"percentage of the profile, also 0",
     HEAD "percentageOfNodesToScore: 30\nprofiles: [{percentageOfNodesToScore: 0}]\n", ""},

    {"most allocated, a weight left out",
     ARGS("NodeResourcesFit", "{scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 3}, "
                              "{name: example.com/gpu}]}}"),
     "strategy MostAllocated cpu=3 example.com/gpu=1\n"},
    {"by shape",
     ARGS("NodeResourcesFit", "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: "
                              "{shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}}}"),
     "strategy RequestedToCapacityRatio 0:0 100:10\n"},
    {"ignored resources",
     ARGS("NodeResourcesFit", "{ignoredResources: [example.com/a, b], ignoredResourceGroups: [example.com]}"),
     "ignored example.com/a b\nignored groups example.com\n"},
    {"balanced",
     ARGS("NodeResourcesBalancedAllocation",
          "{resources: [{name: cpu}, {name: ephemeral-storage, weight: 1}]}"),
     "balanced cpu=1 ephemeral-storage=1\n"},
    {"pod affinity",
     ARGS("InterPodAffinity", "{hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: true}"),
     "hard weight 0\nignores preferred\n"},
    {"pod affinity's largest weight", ARGS("InterPodAffinity", "{hardPodAffinityWeight: 100}"),
     "hard weight 100\n"},
    {"preemption",
     ARGS("DefaultPreemption", "{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 1}"),
     "preemption 0% 1\n"},
    {"preemption, half of it", ARGS("DefaultPreemption", "{minCandidateNodesPercentage: 100}"),
     "preemption 100% 100\n"},
    {"added affinity",
     ARGS("NodeAffinity",
          "{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
          "[{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}, "
          "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference: {matchFields: [{key: "
          "metadata.name, operator: NotIn, values: [a]}]}}]}}"),
     "added {preferredDuringSchedulingIgnoredDuringExecution:[{preference:{matchFields:[{key:"
     "'metadata.name',operator:'NotIn',values:['a']}]},weight:5}],"
     "requiredDuringSchedulingIgnoredDuringExecution:{nodeSelectorTerms:[{matchExpressions:[{key:"
     "'disk',operator:'In',values:['ssd']}]}]}}\n"},
    {"added affinity: weight 0 is not looked at",
     ARGS("NodeAffinity", "{addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0, "
                          "preference: {matchExpressions: [{key: a, operator: Like}]}}]}}"),
     "added {preferredDuringSchedulingIgnoredDuringExecution:[{preference:{matchExpressions:[{key:"
     "'a',operator:'Like'}]}}]}\n"},
    {"NodeResourcesFit is not there: nobody looks at its args",
     HEAD "profiles:\n- pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: Odd}}}]\n  "
          "plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}]}}\n",
     "strategy Odd\n"},

    {"SelectorSpread beside the system's defaults",
     HEAD "profiles: [{plugins: {multiPoint: {enabled: [{name: SelectorSpread}]}}}]\n", "SelectorSpread=1\n"},
    {"SelectorSpread at score alone, with a weight",
     HEAD "profiles: [{plugins: {score: {enabled: [{name: SelectorSpread, weight: 4}]}}}]\n",
     "SelectorSpread=4\n"},
    {"SelectorSpread beside an empty list",
     HEAD "profiles: [{plugins: {multiPoint: {enabled: [{name: SelectorSpread}]}}, pluginConfig: [{name: "
          "PodTopologySpread, args: {defaultingType: List}}]}]\n",
     "SelectorSpread=1\n"},
    {"neither of the two",
     HEAD "profiles: [{plugins: {multiPoint: {disabled: [{name: PodTopologySpread}]}}}]\n", ""},
};

#define NAME_RULE                                                                                            \
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "    \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "     \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE_RULE                                                                                           \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and "     \
    "must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex " \
    "used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
#define MAKING "c.yaml: creating profile for scheduler name default-scheduler: "
#define MAKING_FIT MAKING "initializing plugin \"NodeResourcesFit\": "
#define REQUIRED ".addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
#define PREFERRED ".addedAffinity.preferredDuringSchedulingIgnoredDuringExecution"
#define SELECTOR_SPREAD "creating profile for scheduler name default-scheduler: plugin \"SelectorSpread\" "

static const args_row bad_rows[] = {
    {"preemption out of range",
     ARGS("DefaultPreemption", "{minCandidateNodesPercentage: 101, minCandidateNodesAbsolute: -1}"),
     "c.yaml: [" IN_ARGS
     ".minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100], " IN_ARGS
     ".minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)]"},
    {"preemption of none",
     ARGS("DefaultPreemption", "{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}"),
     "c.yaml: [" IN_ARGS ".minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as "
     "minCandidateNodesAbsolute, " IN_ARGS
     ".minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as "
     "minCandidateNodesPercentage]"},
    {"pod affinity's weight", ARGS("InterPodAffinity", "{hardPodAffinityWeight: 101}"),
     "c.yaml: " IN_ARGS ".hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"},
    {"balanced: weights and names",
     ARGS("NodeResourcesBalancedAllocation",
          "{resources: [{name: cpu, weight: 2}, {name: memory}, {name: cpu, weight: -1}]}"),
     "c.yaml: [" IN_ARGS ".resources[0].weight: Invalid value: 2: must be 1, " IN_ARGS
     ".resources[2].name: Duplicate value: \"cpu\", " IN_ARGS
     ".resources[2].weight: Invalid value: -1: must be 1]"},
    {"volumes",
     ARGS("VolumeBinding",
          "{bindTimeoutSeconds: -1, shape: [{utilization: 0, score: 10}, {utilization: 9}]}"),
     "c.yaml: [" IN_ARGS ".bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be "
     "a negative value, " IN_ARGS ".shape: Invalid value: "
     "[{\"Utilization\":0,\"Score\":10},{\"Utilization\":9,\"Score\":0}]: unexpected field `shape`, remove "
     "it or turn on the feature gate StorageCapacityScoring]"},

    {"affinity: unknown field", ARGS("NodeAffinity", "{addedAffinity: {required: {}}}"),
     "c.yaml:4:62: " IN_ARGS ".addedAffinity.required: unknown field"},
    {"affinity: operators",
     ARGS("NodeAffinity",
          "{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}, "
          "{matchExpressions: [{key: a, operator: Like}], matchFields: [{key: metadata.name, operator: "
          "Exists}]}]}}}"),
     "c.yaml: [" IN_ARGS REQUIRED
     "[1].matchExpressions[0].operator: Unsupported value: \"Like\": supported values: \"In\", \"NotIn\", "
     "\"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\", " IN_ARGS REQUIRED
     "[1].matchFields[0].operator: Unsupported value: \"Exists\": supported values: \"In\", \"NotIn\"]"},
    {"affinity: a key and a value",
     ARGS("NodeAffinity",
          "{addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: "
          "{matchExpressions: [{key: a b, operator: In, values: [c d]}]}}]}}"),
     "c.yaml: [" IN_ARGS PREFERRED "[0].matchExpressions[0].key: Invalid value: \"a b\": " NAME_RULE
     ", " IN_ARGS PREFERRED "[0].matchExpressions[0].values[0][a b]: Invalid value: \"c d\": " VALUE_RULE
     "]"},
    {"affinity: numbers of values",
     ARGS("NodeAffinity",
          "{addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{}, {weight: 1, preference: "
          "{matchExpressions: [{key: a, operator: Gt, values: [x]}, {key: a, operator: In}], matchFields: "
          "[{key: metadata.name, operator: In, values: [a, b]}]}}]}}"),
     "c.yaml: [" IN_ARGS PREFERRED "[1].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' "
     "operators, the value must be an "
     "integer, " IN_ARGS PREFERRED
     "[1].matchExpressions[1].values: Invalid value: null: for 'in', 'notin' operators, values set can't be "
     "empty, " IN_ARGS PREFERRED
     "[1].matchFields[0].values: Invalid value: [\"a\",\"b\"]: must have one element]"},

    {"fit: unknown strategy", ARGS("NodeResourcesFit", "{scoringStrategy: {type: Odd}}"),
     MAKING_FIT "scoringStrategy.type: Unsupported value: \"Odd\": supported values: \"LeastAllocated\", "
                "\"MostAllocated\", \"RequestedToCapacityRatio\""},
    {"fit: no strategy named", ARGS("NodeResourcesFit", "{scoringStrategy: {resources: [{name: cpu}]}}"),
     MAKING_FIT "scoringStrategy.type: Unsupported value: \"\": supported values: \"LeastAllocated\", "
                "\"MostAllocated\", \"RequestedToCapacityRatio\""},
    {"fit: weights",
     ARGS("NodeResourcesFit", "{scoringStrategy: {type: LeastAllocated, resources: [{name: "
                              "cpu, weight: 101}, {name: memory, weight: -1}]}}"),
     MAKING_FIT "[scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in "
                "valid range (0, 100], scoringStrategy.resources[1].weight: Invalid value: -1: resource "
                "weight of memory not in valid range (0, 100]]"},
    {"fit: ignored names",
     ARGS("NodeResourcesFit", "{ignoredResources: [a b], ignoredResourceGroups: [example.com/a]}"),
     MAKING_FIT "[ignoredResources[0]: Invalid value: \"a b\": " NAME_RULE
                ", ignoredResourceGroups[0]: Invalid value: \"example.com/a\": resource group name can't "
                "contain '/']"},
    {"fit: no shape", ARGS("NodeResourcesFit", "{scoringStrategy: {type: RequestedToCapacityRatio}}"),
     MAKING_FIT "scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is "
                "RequestedToCapacityRatio"},
    {"fit: a shape without points",
     ARGS("NodeResourcesFit",
          "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {}}}"),
     MAKING_FIT "scoringStrategy.requestedToCapacityRatio.shape: Required value: at least one point must be "
                "specified"},
    {"fit: a shape where none belongs",
     ARGS("NodeResourcesFit", "{scoringStrategy: {type: MostAllocated, requestedToCapacityRatio: {shape: "
                              "[{utilization: -1}]}}}"),
     MAKING_FIT "scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when type is not "
                "RequestedToCapacityRatio"},
    {"fit: a shape that falls",
     ARGS("NodeResourcesFit",
          "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
          "[{utilization: 101, score: 11}, {utilization: 50, score: -1}, {utilization: 50}]}}}"),
     MAKING_FIT
     "[scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: 50: values must be "
     "sorted in increasing order, "
     "scoringStrategy.requestedToCapacityRatio.shape[0].utilization: Invalid value: 101: not in valid range "
     "[0, 100], "
     "scoringStrategy.requestedToCapacityRatio.shape[0].score: Invalid value: 11: not in valid range [0, "
     "10], "
     "scoringStrategy.requestedToCapacityRatio.shape[1].score: Invalid value: -1: not in valid range [0, "
     "10]]"},

    {"SelectorSpread without PodTopologySpread",
     HEAD "profiles:\n- plugins:\n    multiPoint:\n      disabled: [{name: PodTopologySpread}]\n      "
          "enabled: [{name: SelectorSpread}]\n",
     "c.yaml:7:24: " SELECTOR_SPREAD "needs PodTopologySpread, which does not score in this profile"},
    {"SelectorSpread without PodTopologySpread's score",
     HEAD "profiles:\n- plugins:\n    score:\n      disabled: [{name: PodTopologySpread}]\n      "
          "enabled: [{name: SelectorSpread}]\n",
     "c.yaml:7:24: " SELECTOR_SPREAD "needs PodTopologySpread, which does not score in this profile"},
    {"SelectorSpread with the operator's constraints",
     HEAD "profiles:\n- plugins: {score: {enabled: [{name: SelectorSpread}]}}\n  pluginConfig: [{name: "
          "PodTopologySpread, args: {defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: "
          "rack, whenUnsatisfiable: ScheduleAnyway}]}}]\n",
     "c.yaml:4:38: " SELECTOR_SPREAD
     "does not go with PodTopologySpread's defaultConstraints: enable one of them, or leave "
     "defaultConstraints empty"},
    {"SelectorSpread does not filter",
     HEAD "profiles: [{plugins: {filter: {enabled: [{name: "
          "SelectorSpread}]}}}]\n",
     "c.yaml:3:49: " SELECTOR_SPREAD "does not extend FilterPlugin plugin"},
};

/* ---- what came of it, as text ---- */

static void put_weights(ks_buf *buf, const ks_resource_weights *resources)
{
    for (size_t i = 0; i < resources->count; i++)
        ks_buf_printf(buf, " %.*s=%" PRId64, KS_STR_ARG(resources->items[i].name),
                      resources->items[i].weight);
}

static void put_names(ks_buf *buf, const char *what, const ks_strs *names)
{
    if (names->count)
        ks_buf_printf(buf, "%s", what);
    for (size_t i = 0; i < names->count; i++)
        ks_buf_printf(buf, " %.*s", KS_STR_ARG(names->items[i]));
    if (names->count)
        ks_buf_put_char(buf, '\n');
}

static void describe_fit(ks_buf *buf, const ks_fit_args *fit)
{
    put_names(buf, "ignored", &fit->ignored_resources);
    put_names(buf, "ignored groups", &fit->ignored_resource_groups);
    if (!fit->strategy_type.len)
        return;
    ks_buf_printf(buf, "strategy %.*s", KS_STR_ARG(fit->strategy_type));
    put_weights(buf, &fit->resources);
    for (size_t i = 0; i < fit->shape.count; i++)
        ks_buf_printf(buf, " %d:%d", (int)fit->shape.items[i].utilization, (int)fit->shape.items[i].score);
    ks_buf_put_char(buf, '\n');
}

static void describe_selector_spread(ks_buf *buf, const ks_profile *profile)
{
    for (size_t i = 0; i < profile->plugins.count; i++) {
        const ks_plugin_use *use = &profile->plugins.items[i];
        if (!ks_str_eq(use->name, KS_STR("SelectorSpread")))
            continue;
        assert_true(use->scores && !use->filters);
        ks_buf_printf(buf, "SelectorSpread=%d\n", (int)use->weight);
    }
}

static void describe_profile(ks_buf *buf, const ks_profile *profile)
{
    const ks_preemption_args *preemption = &profile->preemption;
    if (profile->percentage_of_nodes_to_score)
        ks_buf_printf(buf, "percentage %d\n", (int)profile->percentage_of_nodes_to_score);
    describe_fit(buf, &profile->fit);
    if (profile->balanced.resources.count) {
        ks_buf_put_str(buf, KS_STR("balanced"));
        put_weights(buf, &profile->balanced.resources);
        ks_buf_put_char(buf, '\n');
    }
    if (profile->inter_pod_affinity.hard_pod_affinity_weight != 1)
        ks_buf_printf(buf, "hard weight %d\n", (int)profile->inter_pod_affinity.hard_pod_affinity_weight);
    if (profile->inter_pod_affinity.ignore_preferred_terms_of_existing_pods)
        ks_buf_put_str(buf, KS_STR("ignores preferred\n"));
    if (preemption->min_candidate_nodes_percentage != 10 || preemption->min_candidate_nodes_absolute != 100)
        ks_buf_printf(buf, "preemption %d%% %d\n", (int)preemption->min_candidate_nodes_percentage,
                      (int)preemption->min_candidate_nodes_absolute);
    if (profile->node_affinity.added_affinity) {
        ks_buf_put_str(buf, KS_STR("added "));
        dump_struct(buf, &ks_node_affinity_schema, profile->node_affinity.added_affinity);
        ks_buf_put_char(buf, '\n');
    }
    describe_selector_spread(buf, profile);
}

static void check_profile(const char *name, const ks_config *config, const ks_profile *profile,
                          const char *want)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf buf;
    ks_buf_init(&buf, &alloc);
    if (config->pod_initial_backoff_seconds != 1 || config->pod_max_backoff_seconds != 10)
        ks_buf_printf(&buf, "backoff %" PRId64 " %" PRId64 "\n", config->pod_initial_backoff_seconds,
                      config->pod_max_backoff_seconds);
    describe_profile(&buf, profile);
    if (!ks_str_eq(ks_buf_str(&buf), ks_str_of(want)))
        fail_msg("%s:\n%.*s\nwant\n%s", name, KS_STR_ARG(ks_buf_str(&buf)), want);
    ks_buf_free(&buf);
}

static int decode(ks_config **out, const char *text, const ks_allocator *allocator, ks_error *err)
{
    return ks_config_decode(out, (ks_source){KS_STR("c.yaml"), ks_str_of(text)}, allocator, err);
}

static void args_come_into_the_profile(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_rows / sizeof *good_rows; i++) {
        ks_config *config = NULL;
        ks_error err = {0};
        if (decode(&config, good_rows[i].text, NULL, &err) != KS_OK)
            fail_msg("%s: %s", good_rows[i].name, err.message);
        check_profile(good_rows[i].name, config, &config->profiles.items[0], good_rows[i].want);
        ks_config_free(config);
    }
}

static void bad_args_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; i++) {
        ks_config *config = NULL;
        ks_error err = {0};
        int code = decode(&config, bad_rows[i].text, NULL, &err);
        if (code != KS_EINVAL || config || !ks_str_eq(ks_str_of(err.message), ks_str_of(bad_rows[i].want)))
            fail_msg("%s: %d\n%s\nwant\n%s", bad_rows[i].name, code, err.message, bad_rows[i].want);
    }
}

/* A copy says the same when the configuration is gone. */
static void profiles_are_copied_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_rows / sizeof *good_rows; i++) {
        ks_config *config = NULL;
        ks_alloc alloc;
        ks_alloc_init(&alloc, NULL);
        ks_arena arena;
        ks_arena_init(&arena, &alloc);
        ks_profile copy;
        assert_int_equal(decode(&config, good_rows[i].text, NULL, NULL), KS_OK);
        assert_true(ks_profile_copy(&copy, &config->profiles.items[0], &arena));
        ks_config numbers = *config;
        ks_config_free(config);
        check_profile(good_rows[i].name, &numbers, &copy, good_rows[i].want);
        ks_arena_free(&arena);
    }
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
        int code = decode(&config, text, &allocator, &err);
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
    for (size_t i = 0; i < sizeof good_rows / sizeof *good_rows; i++)
        sweep(good_rows[i].text, KS_OK);
    for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; i++)
        sweep(bad_rows[i].text, KS_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(args_come_into_the_profile),
        cmocka_unit_test(bad_args_are_refused),
        cmocka_unit_test(profiles_are_copied_whole),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
