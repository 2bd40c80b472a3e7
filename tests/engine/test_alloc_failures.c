// SPDX-License-Identifier: Apache-2.0
/* Every allocation fails once: the n-th, for n from 1 until the call gets through, either alone or with all
 * that follow. The call must say KS_ENOMEM, leave things as they were, leak nothing, and succeed when
 * memory is back. libyaml's own allocations come from malloc and are not among them. */
#include "support/compare.h"
#include "support/failing_allocator.h"
#include "support/trial.h"
#include "support/unit.h"
#include <inttypes.h>
#include <kubespread/validate.h>

typedef struct sweep {
    failing_allocator *failing;
    int (*call)(void *ctx, ks_error *err);
    void (*check)(void *ctx); /* after a failure, with memory available; may be NULL */
    void *ctx;
} sweep;

/* How often the call failed before it got through. */
static size_t run_sweep(const sweep *s, bool stays_empty)
{
    failing_allocator *failing = s->failing;
    for (size_t n = 1;; n++) {
        ks_error err = {0};
        failing_allocator_refill(failing);
        failing->stays_empty = stays_empty;
        failing->fail_at = n;
        int rc = s->call(s->ctx, &err);
        bool failed = failing->failed;
        failing_allocator_refill(failing);
        if (!failed && rc != KS_OK)
            fail_msg("with memory at hand: %d: %s", rc, err.message);
        if (rc == KS_OK)
            return n - 1;
        assert_int_equal(rc, KS_ENOMEM);
        assert_int_equal(err.code, KS_ENOMEM);
        assert_true(err.message[0] != '\0');
        if (s->check)
            s->check(s->ctx);
    }
}

/* ---- text ---- */

static const char yaml[] =
    "apiVersion: v1\n"
    "kind: Node\n"
    "metadata: {name: a, labels: {topology.kubernetes.io/zone: z1, \"kubernetes.io/hostname\": "
    "\"\\u0061\"}}\n"
    "spec: {taints: [{key: spot, value: x, effect: NoSchedule}]}\n"
    "status: {allocatable: {cpu: 1500m, memory: 1.5Gi, ephemeral-storage: \"10\"}}\n"
    "---\n"
    "apiVersion: v1\n"
    "kind: List\n"
    "items:\n"
    "- apiVersion: v1\n"
    "  kind: Pod\n"
    "  metadata: &meta\n"
    "    name: web-0\n"
    "    labels: {app: web, tier: front}\n"
    "    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u, controller: true}]\n"
    "  spec: &spec\n"
    "    nodeName: a\n"
    "    nodeSelector: {disk: ssd}\n"
    "    tolerations: [{key: spot, operator: Exists}]\n"
    "    affinity:\n"
    "      nodeAffinity:\n"
    "        requiredDuringSchedulingIgnoredDuringExecution:\n"
    "          nodeSelectorTerms:\n"
    "          - matchExpressions: [{key: disk, operator: In, values: [ssd, hdd]}]\n"
    "    topologySpreadConstraints:\n"
    "    - maxSkew: 1\n"
    "      topologyKey: topology.kubernetes.io/zone\n"
    "      whenUnsatisfiable: DoNotSchedule\n"
    "      minDomains: 2\n"
    "      nodeTaintsPolicy: Honor\n"
    "      matchLabelKeys: [tier]\n"
    "      labelSelector: {matchLabels: {app: web}, matchExpressions: [{key: old, operator: DoesNotExist}]}\n"
    "    containers: [{name: c, image: i, resources: {requests: {cpu: 100m}}}]\n"
    "- apiVersion: v1\n"
    "  kind: Pod\n"
    "  metadata: {name: web-1, labels: {app: web}}\n"
    "  spec: *spec\n"
    "- {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}\n"
    "- {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web}, spec: {selector: {matchLabels: {app: "
    "web}}}}\n"
    "- {apiVersion: example.com/v1, kind: Other, metadata: {name: skipped}, spec: {deep: [1, {2: 3}]}}\n";

static const char json[] =
    "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": ["
    "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"a\", \"labels\": {\"zone\": "
    "\"z\\u0031\"}}},"
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"we\\u0062-0\", \"labels\": "
    "{\"app\": \"web\"}},"
    " \"spec\": {\"nodeName\": \"a\", \"topologySpreadConstraints\": [{\"maxSkew\": 1, \"topologyKey\": "
    "\"zone\","
    " \"whenUnsatisfiable\": \"ScheduleAnyway\", \"labelSelector\": {\"matchLabels\": {\"app\": "
    "\"web\"}}}]}},"
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"web-1\", \"labels\": {\"app\": "
    "\"web\"}}},"
    "{\"apiVersion\": \"v1\", \"kind\": \"ReplicationController\", \"metadata\": {\"name\": \"web\"},"
    " \"spec\": {\"selector\": {\"app\": \"web\"}}},"
    "{\"apiVersion\": \"policy/v1\", \"kind\": \"PodDisruptionBudget\", \"metadata\": {\"name\": \"web\"},"
    " \"spec\": {\"minAvailable\": \"50%\", \"selector\": {\"matchLabels\": {\"app\": \"web\"}}}}]}";

typedef struct text_case {
    failing_allocator failing;
    ks_allocator allocator;
    ks_source source;
    size_t objects;
    ks_cluster *cluster; /* into which the objects go; NULL: nowhere */
} text_case;

static text_case make_text_case(const char *name, const char *text)
{
    return (text_case){.failing = failing_allocator_make(), .source = {ks_str_of(name), ks_str_of(text)}};
}

static int take_object(void *ctx, const ks_object *object, ks_error *err)
{
    text_case *c = ctx;
    c->objects++;
    return c->cluster ? ks_cluster_apply(c->cluster, object, err) : KS_OK;
}

static int decode(void *ctx, ks_error *err)
{
    text_case *c = ctx;
    c->objects = 0;
    return ks_decode(c->source, &c->allocator, take_object, c, err);
}

static void holds_nothing(void *ctx)
{
    text_case *c = ctx;
    assert_int_equal(c->failing.bytes, 0);
}

static void decoding(void **state)
{
    (void)state;
    text_case cases[] = {make_text_case("a.yaml", yaml), make_text_case("a.json", json)};
    for (size_t i = 0; i < 4; i++) {
        text_case *c = &cases[i % 2];
        c->allocator = failing_allocator_get(&c->failing);
        sweep s = {&c->failing, decode, holds_nothing, c};
        assert_true(run_sweep(&s, i >= 2) > 1);
        assert_int_equal(c->objects, 5);
        holds_nothing(c);
    }
}

/* Half the objects may be there after a failure; the whole text again makes it whole. */
static void decoding_into_a_cluster(void **state)
{
    (void)state;
    text_case cases[] = {make_text_case("a.yaml", yaml), make_text_case("a.json", json)};
    for (size_t i = 0; i < 2; i++) {
        text_case *c = &cases[i];
        ks_error err = {0};
        c->allocator = failing_allocator_get(&c->failing);
        ks_cluster_options options = {.allocator = &c->allocator, .gates = KS_GATES_DEFAULT};
        assert_int_equal(ks_cluster_new(&c->cluster, &options, &err), KS_OK);
        sweep s = {&c->failing, decode, NULL, c};
        assert_true(run_sweep(&s, false) > 10);
        ks_cluster_stats stats = ks_cluster_get_stats(c->cluster);
        assert_int_equal(stats.nodes, 1);
        assert_int_equal(stats.pods, 2);
        ks_cluster_free(c->cluster);
        holds_nothing(c);
    }
}

/* ---- configuration and validation ---- */

static const char config_text[] =
    "apiVersion: kubescheduler.config.k8s.io/v1\n"
    "kind: KubeSchedulerConfiguration\n"
    "profiles:\n"
    "- schedulerName: default-scheduler\n"
    "  plugins: {score: {enabled: [{name: PodTopologySpread, weight: 5}], disabled: [{name: "
    "ImageLocality}]}}\n"
    "  pluginConfig:\n"
    "  - name: PodTopologySpread\n"
    "    args:\n"
    "      defaultingType: List\n"
    "      defaultConstraints:\n"
    "      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}\n"
    "- schedulerName: second\n";

static int decode_config(void *ctx, ks_error *err)
{
    text_case *c = ctx;
    ks_config *config;
    int rc = ks_config_decode(&config, c->source, &c->allocator, err);
    if (rc != KS_OK)
        return rc;
    assert_int_equal(config->profiles.count, 2);
    ks_config_free(config);
    return KS_OK;
}

static int default_config(void *ctx, ks_error *err)
{
    text_case *c = ctx;
    ks_config *config;
    int rc = ks_config_default(&config, &c->allocator, err);
    if (rc == KS_OK)
        ks_config_free(config);
    return rc;
}

static void count_fault(void *ctx, ks_str fault)
{
    (void)fault;
    ++*(size_t *)ctx;
}

static int validate(void *ctx, ks_error *err)
{
    text_case *c = ctx;
    ks_str both[] = {KS_STR("app"), KS_STR("not a key")};
    ks_label label = {KS_STR("app"), KS_STR("web")};
    ks_label_selector selector = {.match_labels = {&label, 1}};
    ks_topology_spread_constraint constraints[] = {
        {.topology_key = KS_STR("zone"), .label_selector = &selector, .match_label_keys = {both, 2}},
        {.max_skew = -1, .when_unsatisfiable = KS_STR("Sometimes"), .node_taints_policy = KS_STR("Maybe")},
    };
    ks_pod pod = {.spec.topology_spread_constraints = {constraints, 2}};
    size_t faults, called = 0;
    int rc = ks_pod_validate(&faults, &pod, KS_GATES_DEFAULT, &c->allocator, count_fault, &called, err);
    if (rc != KS_OK)
        return rc;
    assert_int_equal(faults, called);
    assert_true(faults >= 6);
    ks_spread_args args = {.defaulting_type = KS_STR("List"), .default_constraints = {constraints, 2}};
    called = 0;
    rc = ks_spread_args_validate(&faults, &args, KS_STR("args"), &c->allocator, count_fault, &called, err);
    assert_true(rc != KS_OK || faults == called);
    return rc;
}

static void configuration_and_validation(void **state)
{
    (void)state;
    text_case c = make_text_case("config.yaml", config_text);
    c.allocator = failing_allocator_get(&c.failing);
    sweep calls[] = {{&c.failing, decode_config, holds_nothing, &c},
                     {&c.failing, default_config, holds_nothing, &c},
                     {&c.failing, validate, holds_nothing, &c}};
    for (size_t i = 0; i < 6; i++) {
        run_sweep(&calls[i % 3], i >= 3);
        holds_nothing(&c);
    }
    /* Faults may be told without any memory; a configuration may not. */
    assert_true(run_sweep(&calls[0], false) > 1);
    assert_true(run_sweep(&calls[1], false) >= 1);
}

/* ---- the engine ---- */

typedef struct engine_case {
    failing_allocator failing;
    ks_allocator allocator;
    trial_options options;
    trial trial;
    world_event event;
    ks_pod pod;
    ks_hint hint;
    size_t failures, checks;
} engine_case;

static int new_cluster(void *ctx, ks_error *err)
{
    engine_case *c = ctx;
    return ks_cluster_new(&c->trial.cluster, &c->trial.options, err);
}

static int new_default_cluster(void *ctx, ks_error *err)
{
    engine_case *c = ctx;
    ks_cluster *cluster;
    ks_cluster_options options = {.allocator = &c->allocator, .gates = KS_GATES_DEFAULT};
    int rc = ks_cluster_new(&cluster, &options, err);
    if (rc == KS_OK)
        ks_cluster_free(cluster);
    return rc;
}

static int new_cycle(void *ctx, ks_error *err)
{
    engine_case *c = ctx;
    return ks_cycle_new(&c->trial.cycle, c->trial.cluster, err);
}

static int send_event(void *ctx, ks_error *err)
{
    engine_case *c = ctx;
    return world_send(&c->trial.world, &c->event, c->trial.cluster, err);
}

static int run_cycle(void *ctx, ks_error *err)
{
    engine_case *c = ctx;
    return ks_cycle_run(c->trial.cycle, &c->pod, err);
}

static int ask_hint(void *ctx, ks_error *err)
{
    engine_case *c = ctx;
    return ks_cluster_hint(&c->hint, c->trial.cluster, &c->pod, NULL, &c->event.next->object, err);
}

static int ask_what_if(void *ctx, ks_error *err)
{
    engine_case *c = ctx;
    const ks_pod *pods[] = {&c->pod, &c->pod};
    ks_what_if change = {pods, pods, 2, 1};
    ks_node_result result;
    return ks_cycle_what_if(&result, c->trial.cycle, 0, &change, err);
}

static void compare_or_fail(engine_case *c)
{
    plain_result plain;
    const char *differences = trial_compare_pending(&c->trial, &plain);
    if (*differences)
        fail_msg("seed %" PRIu64 ", event %" PRIu32 ", after %zu failures:\n%s", c->options.seed,
                 c->trial.world.events, c->failures, differences);
}

/* The event has not happened in the world either. A question now and then is enough: each event fails many
 * times, and what is wrong stays wrong. */
static void is_as_it_was(void *ctx)
{
    engine_case *c = ctx;
    if (c->failures++ % 4 == 0)
        compare_or_fail(c);
    ks_cluster_stats stats = ks_cluster_get_stats(c->trial.cluster);
    world_view(&c->trial.world, &c->trial.plain);
    assert_int_equal(stats.nodes, c->trial.plain.of[KS_NODE].count);
    assert_int_equal(stats.pods, c->trial.plain.of[KS_POD].count);
}

static void count_failure(void *ctx)
{
    engine_case *c = ctx;
    c->failures++;
}

/* Runs a cycle with failures, and holds what it says in the end against the plain model. */
static void sweep_cycle(engine_case *c, bool stays_empty)
{
    trial *t = &c->trial;
    plain_result plain;
    ks_arena_reset(&t->arena);
    world_pending(&t->world, &c->pod, &t->arena);
    world_view(&t->world, &t->plain);
    plain_run(&plain, &t->plain, &c->pod, &t->arena);
    sweep run = {&c->failing, run_cycle, count_failure, c}, what_if = {&c->failing, ask_what_if, NULL, c};
    run_sweep(&run, stays_empty);
    ks_buf_clear(&t->differences);
    compare_cycle(&t->differences, t->cycle, &plain);
    if (t->differences.len)
        fail_msg("seed %" PRIu64 ", event %" PRIu32 ": after a cycle that failed:\n%s", c->options.seed,
                 t->world.events, t->differences.data);
    if (plain.summary.nodes > 0)
        run_sweep(&what_if, stays_empty);
}

static void sweep_event(engine_case *c, bool stays_empty)
{
    sweep event = {&c->failing, send_event, is_as_it_was, c},
          hint = {&c->failing, ask_hint, count_failure, c};
    c->event = world_draw(&c->trial.world);
    if (c->event.next) {
        world_pending(&c->trial.world, &c->pod, &c->trial.setup);
        run_sweep(&hint, stays_empty);
    }
    run_sweep(&event, stays_empty);
    world_commit(&c->trial.world, &c->event);
    compare_or_fail(c);
}

static void play(engine_case *c, uint32_t events)
{
    c->failing = failing_allocator_make();
    c->allocator = failing_allocator_get(&c->failing);
    c->options.allocator = &c->allocator;
    trial_prepare(&c->trial, &c->options);
    sweep begin[] = {{&c->failing, new_default_cluster, NULL, c},
                     {&c->failing, new_cluster, NULL, c},
                     {&c->failing, new_cycle, NULL, c}};
    for (size_t i = 0; i < 3; i++)
        assert_true(run_sweep(&begin[i], false) > 0);
    for (uint32_t i = 0; i < events; i++) {
        sweep_event(c, i % 2);
        if (i % 3 == 0)
            sweep_cycle(c, i % 2);
    }
    trial_end(&c->trial);
    assert_int_equal(c->failing.bytes, 0);
}

static void engine(void **state)
{
    (void)state;
    size_t failures = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        engine_case c = {.options = {.name = "failures",
                                     .seed = seed,
                                     .size = {seed % 2 ? 5 : 90, 25, 4, 15},
                                     .gates = KS_GATES_DEFAULT,
                                     .list_defaults = seed % 4 < 2,
                                     .counter_bytes_max = seed % 3 ? 0 : 20000}};
        play(&c, 250);
        failures += c.failures;
    }
    print_message("%zu failures survived\n", failures);
    assert_true(failures > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding),
        cmocka_unit_test(decoding_into_a_cluster),
        cmocka_unit_test(configuration_and_validation),
        cmocka_unit_test(engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
