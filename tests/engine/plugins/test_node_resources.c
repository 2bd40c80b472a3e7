// SPDX-License-Identifier: Apache-2.0
/* Random events, and after each of them a random pod: what the living columns of NodeResourcesFit and
 * NodeResourcesBalancedAllocation say must be what adding everything up anew says, also
 * where memory runs out in between. */
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/sanitizer.h"
#include "support/unit.h"
#include "util/str.h"
#include <kubespread/cluster.h>
#include <math.h>
#include <stdio.h>

enum { NODES_MAX = 200, PODS_MAX = 600, RESOURCES = 5, SHAPES = 60 };

static const char *const resource_names[RESOURCES] = {"cpu", "memory", "ephemeral-storage", "x.io/a",
                                                      "hugepages-2Mi"};

/* ---- objects from a few numbers ---- */

/* What a pod asks for: whole units, and whether it says so at all. */
typedef struct plain_request {
    int64_t amount[RESOURCES]; /* cpu in thousandths */
    bool set[RESOURCES];
} plain_request;

typedef struct plain_pod {
    bool there;
    uint32_t node, shape;
} plain_pod;

typedef struct plain_node {
    bool there;
    int64_t has[RESOURCES], pods;
} plain_node;

typedef struct plain_world {
    random_source random;
    plain_request shapes[SHAPES];
    plain_pod pods[PODS_MAX];
    plain_node nodes[NODES_MAX];
    uint32_t node_count, pod_count;
    failing_allocator *failing; /* the cluster's; NULL: it never fails */
} plain_world;

static void draw_shapes(plain_world *w)
{
    static const int64_t units[RESOURCES] = {50, 1 << 20, 1 << 20, 1, 1};
    static const uint32_t chance[RESOURCES] = {80, 80, 20, 15, 10};
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t r = 0; r < RESOURCES; r++) {
            w->shapes[s].set[r] = random_chance(&w->random, chance[r]);
            if (w->shapes[s].set[r])
                w->shapes[s].amount[r] = units[r] * random_below(&w->random, r < 2 ? 40 : 4);
        }
}

static ks_quantity quantity(size_t resource, int64_t amount)
{
    return (ks_quantity){amount, resource == 0 ? -3 : 0};
}

typedef struct made {
    ks_object object;
    char name[24], node[24];
    ks_container container;
    ks_resource resources[RESOURCES + 1];
} made;

static void make_pod(made *out, const plain_world *w, uint32_t number, uint32_t node, uint32_t shape)
{
    *out = (made){.object = {.kind = KS_POD}};
    size_t count = 0;
    for (size_t r = 0; r < RESOURCES; r++)
        if (w->shapes[shape].set[r])
            out->resources[count++] =
                (ks_resource){ks_str_of(resource_names[r]), quantity(r, w->shapes[shape].amount[r])};
    snprintf(out->name, sizeof out->name, "pod-%u", number);
    snprintf(out->node, sizeof out->node, "node-%03u", node);
    out->container.resources.requests.items = out->resources;
    out->container.resources.requests.count = count;
    out->object.pod.metadata.name = ks_str_of(out->name);
    out->object.pod.spec.containers.items = &out->container;
    out->object.pod.spec.containers.count = 1;
    if (node < NODES_MAX)
        out->object.pod.spec.node_name = ks_str_of(out->node);
}

static void make_node(made *out, const plain_world *w, uint32_t number)
{
    *out = (made){.object = {.kind = KS_NODE}};
    const plain_node *node = &w->nodes[number];
    size_t count = 0;
    for (size_t r = 0; r < RESOURCES; r++)
        if (node->has[r])
            out->resources[count++] = (ks_resource){ks_str_of(resource_names[r]), quantity(r, node->has[r])};
    out->resources[count++] = (ks_resource){KS_STR("pods"), {node->pods, 0}};
    snprintf(out->name, sizeof out->name, "node-%03u", number);
    out->object.node.metadata.name = ks_str_of(out->name);
    out->object.node.status.allocatable.items = out->resources;
    out->object.node.status.allocatable.count = count;
}

/* ---- events ---- */

/* Each of these is tried with its first allocation failing, then the second, until it gets through. */
static void apply(plain_world *w, ks_cluster *cluster, const ks_object *object)
{
    int code = KS_ENOMEM;
    for (size_t at = 1; code != KS_OK; at++) {
        assert_int_equal(code, KS_ENOMEM);
        if (w->failing)
            w->failing->fail_at = at;
        code = ks_cluster_apply(cluster, object, NULL);
        if (w->failing)
            failing_allocator_refill(w->failing);
        else
            assert_int_equal(code, KS_OK);
    }
}

static void run(plain_world *w, ks_cycle *cycle, const ks_pod *pod)
{
    int code = KS_ENOMEM;
    for (size_t at = 1; code != KS_OK; at++) {
        assert_int_equal(code, KS_ENOMEM);
        if (w->failing)
            w->failing->fail_at = at;
        code = ks_cycle_run(cycle, pod, NULL);
        if (w->failing)
            failing_allocator_refill(w->failing);
        else
            assert_int_equal(code, KS_OK);
    }
}

static void pod_event(plain_world *w, ks_cluster *cluster)
{
    uint32_t number = random_below(&w->random, w->pod_count);
    plain_pod *pod = &w->pods[number];
    made object;
    if (pod->there && random_chance(&w->random, 50)) {
        make_pod(&object, w, number, pod->node, pod->shape);
        assert_int_equal(ks_cluster_delete(cluster, KS_POD, (ks_str){0}, ks_str_of(object.name), NULL),
                         KS_OK);
        pod->there = false;
        return;
    }
    *pod = (plain_pod){true, random_below(&w->random, w->node_count), random_below(&w->random, SHAPES)};
    make_pod(&object, w, number, pod->node, pod->shape);
    apply(w, cluster, &object.object);
}

static void node_event(plain_world *w, ks_cluster *cluster)
{
    static const int64_t units[RESOURCES] = {1000, 1 << 24, 1 << 22, 1, 1};
    uint32_t number = random_below(&w->random, w->node_count);
    plain_node *node = &w->nodes[number];
    made object;
    if (node->there && random_chance(&w->random, 30)) {
        make_node(&object, w, number);
        assert_int_equal(ks_cluster_delete(cluster, KS_NODE, (ks_str){0}, ks_str_of(object.name), NULL),
                         KS_OK);
        node->there = false;
        return;
    }
    node->there = true;
    node->pods = 1 + random_below(&w->random, 12);
    for (size_t r = 0; r < RESOURCES; r++)
        node->has[r] = units[r] * random_below(&w->random, 10);
    make_node(&object, w, number);
    apply(w, cluster, &object.object);
}

/* ---- from scratch ---- */

typedef struct plain_sums {
    int64_t asked[RESOURCES], filled[RESOURCES], pods;
} plain_sums;

static int64_t filled(const plain_request *request, size_t resource)
{
    static const int64_t fallback[RESOURCES] = {100, 200 << 20};
    return request->set[resource] ? request->amount[resource] : fallback[resource];
}

static plain_sums sum_up(const plain_world *w, uint32_t node)
{
    plain_sums sums = {0};
    for (size_t p = 0; p < w->pod_count; p++) {
        if (!w->pods[p].there || w->pods[p].node != node)
            continue;
        const plain_request *request = &w->shapes[w->pods[p].shape];
        sums.pods++;
        for (size_t r = 0; r < RESOURCES; r++) {
            sums.asked[r] += request->amount[r];
            sums.filled[r] += filled(request, r);
        }
    }
    return sums;
}

static bool plain_fits(const plain_node *node, const plain_sums *sums, const plain_request *request)
{
    bool fits = sums->pods + 1 <= node->pods;
    for (size_t r = 0; r < RESOURCES; r++)
        fits = fits && (request->amount[r] == 0 || request->amount[r] <= node->has[r] - sums->asked[r]);
    return fits;
}

/* Which of the resources a score looks at: cpu, memory and x.io/a if it is asked for. */
static bool is_scored(const plain_node *node, const plain_request *request, size_t resource)
{
    return node->has[resource] != 0 && (resource < 2 || (resource == 3 && request->amount[resource] != 0));
}

static int64_t plain_least(const plain_node *node, const plain_sums *sums, const plain_request *request)
{
    static const int64_t weight[RESOURCES] = {1, 2, 0, 3, 0};
    int64_t score = 0, weights = 0;
    for (size_t r = 0; r < RESOURCES; r++) {
        if (!is_scored(node, request, r))
            continue;
        int64_t left = node->has[r] - sums->filled[r] - filled(request, r);
        score += left < 0 ? 0 : left * 100 / node->has[r] * weight[r];
        weights += weight[r];
    }
    return weights ? score / weights : 0;
}

static int64_t plain_balance(const plain_node *node, const plain_sums *sums, const plain_request *request,
                             int64_t pods)
{
    double fractions[RESOURCES], total = 0, squares = 0;
    size_t count = 0;
    for (size_t r = 0; r < RESOURCES; r++) {
        if (!is_scored(node, request, r))
            continue;
        double fraction = (double)(sums->asked[r] + pods * request->amount[r]) / (double)node->has[r];
        fractions[count] = fraction > 1 ? 1 : fraction;
        total += fractions[count++];
    }
    if (count < 2)
        return 100;
    if (count == 2)
        return (int64_t)((1 - fabs((fractions[0] - fractions[1]) / 2)) * 100);
    for (size_t i = 0; i < count; i++)
        squares += (fractions[i] - total / (double)count) * (fractions[i] - total / (double)count);
    return (int64_t)((1 - sqrt(squares / (double)count)) * 100);
}

/* ---- the comparison ---- */

typedef struct sightings {
    size_t refused, scored, unbalanced;
} sightings;

static bool asks_for_balance(const plain_request *request)
{
    return request->amount[0] || request->amount[1] || request->amount[3];
}

static void compare_scores(const ks_cycle *cycle, size_t at, const plain_node *node, const plain_sums *sums,
                           const plain_request *request, sightings *seen)
{
    int64_t fit = -1, balanced = -1;
    assert_true(ks_cycle_get_plugin_score(cycle, "NodeResourcesFit", at, &fit));
    assert_int_equal(fit, plain_least(node, sums, request));
    assert_int_equal(ks_cycle_get_plugin_score(cycle, "NodeResourcesBalancedAllocation", at, &balanced),
                     asks_for_balance(request));
    seen->scored++;
    if (!asks_for_balance(request))
        return;
    int64_t with = plain_balance(node, sums, request, 1), without = plain_balance(node, sums, request, 0);
    assert_int_equal(balanced, 50 + (50 + with - without) / 2);
    seen->unbalanced += balanced < 70;
}

static void compare(plain_world *w, ks_cycle *cycle, sightings *seen)
{
    uint32_t shape = random_below(&w->random, SHAPES);
    made pending;
    make_pod(&pending, w, PODS_MAX, NODES_MAX, shape);
    run(w, cycle, &pending.object.pod);
    size_t at = 0;
    for (uint32_t n = 0; n < w->node_count; n++) {
        if (!w->nodes[n].there)
            continue;
        plain_sums sums = sum_up(w, n);
        bool fits = plain_fits(&w->nodes[n], &sums, &w->shapes[shape]);
        assert_int_equal(ks_cycle_get_node(cycle, at).code == KS_SUCCESS, fits);
        if (fits)
            compare_scores(cycle, at, &w->nodes[n], &sums, &w->shapes[shape], seen);
        seen->refused += !fits;
        at++;
    }
    assert_int_equal(ks_cycle_get_summary(cycle).nodes, at);
}

typedef struct sequence {
    const char *name;
    uint64_t seed;
    uint32_t nodes, pods, events, every;
    size_t counter_bytes_max;
    bool fails; /* every allocation, once */
} sequence;

static const sequence sequences[] = {
    {"few nodes", 1, 5, 30, 20000, 1, 0, false},
    {"more than a word of nodes", 2, 200, 600, 20000, 20, 0, false},
    {"rarely asked about, so that the log runs over", 3, 40, 200, 20000, 40, 0, false},
    {"columns dropped all the time", 4, 20, 100, 5000, 3, 1, false},
    {"every allocation fails once", 5, 70, 100, 3000, 4, 0, true},
};

static void run_sequence(const sequence *row)
{
    static plain_world w;
    static ks_resource_weight weights[] = {{{"cpu", 3}, 1}, {{"memory", 6}, 2}, {{"x.io/a", 6}, 3}};
    ks_plugin_use uses[] = {{KS_STR("NodeResourcesFit"), 1, true, true},
                            {KS_STR("NodeResourcesBalancedAllocation"), 1, false, true}};
    ks_profile profile = {.plugins = {uses, 2}, .fit.resources = {weights, 3}, .balanced = {{weights, 3}}};
    failing_allocator failing = failing_allocator_make();
    ks_allocator allocator = failing_allocator_get(&failing);
    ks_cluster_options options = {.allocator = &allocator,
                                  .profile = &profile,
                                  .gates = KS_GATES_DEFAULT,
                                  .counter_bytes_max = row->counter_bytes_max};
    ks_cluster *cluster;
    ks_cycle *cycle;
    sightings seen = {0};
    w = (plain_world){.random = random_seed(row->seed), .node_count = row->nodes, .pod_count = row->pods};
    w.failing = row->fails ? &failing : NULL;
    draw_shapes(&w);
    assert_int_equal(ks_cluster_new(&cluster, &options, NULL), KS_OK);
    assert_int_equal(ks_cycle_new(&cycle, cluster, NULL), KS_OK);
    uint32_t events = TESTS_SANITIZED ? row->events / 10 : row->events;
    for (uint32_t i = 0; i < events; i++) {
        if (random_chance(&w.random, 15))
            node_event(&w, cluster);
        else
            pod_event(&w, cluster);
        if (i % row->every == 0)
            compare(&w, cycle, &seen);
    }
    if (seen.refused < 100 || seen.scored < 100 || seen.unbalanced < 10)
        fail_msg("%s: %zu refused, %zu scored, %zu unbalanced", row->name, seen.refused, seen.scored,
                 seen.unbalanced);
    ks_cycle_free(cycle);
    ks_cluster_free(cluster);
    assert_int_equal(failing.bytes, 0);
}

static void living_columns_are_true(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        run_sequence(&sequences[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(living_columns_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
