// SPDX-License-Identifier: Apache-2.0
/* The whole default profile while memory runs out: each allocation of a scripted life of a cluster fails
 * once, the step that it hit is tried again, and everything must come out as if nothing had happened. */
#include "support/failing_allocator.h"
#include "support/plugin_trial.h"
#include "support/unit.h"
#include "util/str.h"
#include <inttypes.h>
#include <stdlib.h>

#define ROOM "'allocatable':{'cpu':'4','memory':'8Gi','pods':'10','example.com/gpu':'1'}"
#define IMAGES "'images':[{'names':['web:1','web@sha256:0'],'sizeBytes':500000000}]"
#define HOST_PORT "'containers':[{'name':'c','image':'web:1','ports':[{'containerPort':1,'hostPort':80}],"
#define REQUESTS "'resources':{'requests':{'cpu':'1','memory':'1Gi','example.com/gpu':'1'}}}]"
#define SPREAD                                                                                               \
    "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule',"    \
    "'labelSelector':{'matchLabels':{'app':'web'}}}]"
#define ANTI                                                                                                 \
    "'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'host',"            \
    "'labelSelector':{'matchLabels':{'app':'db'}}}]}"
#define NODE_TERMS                                                                                           \
    "'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':3,'preference':"           \
    "{'matchExpressions':[{'key':'disk','operator':'Exists'}]}}]," REQUIRED "}"
#define REQUIRED                                                                                             \
    "'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchExpressions':["           \
    "{'key':'zone','operator':'Exists'}]}]}"
#define BY_NAME                                                                                              \
    "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["    \
    "{'matchFields':[{'key':'metadata.name','operator':'In','values':['b']}]}]}}}"
#define BROKEN                                                                                               \
    "'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':1,"            \
    "'preference':{'matchExpressions':[{'key':'x','operator':'Like'},{'key':'','operator':'Exists'}]}}]}}"
#define WEB(name, spec) "{'metadata':{'name':'" name "','labels':{'app':'web'}},'spec':{" spec "}}"

typedef enum action { APPLY, DELETE, RUN } action;

static const struct step {
    action action;
    ks_kind kind;
    const char *what; /* JSON, or the name of what is deleted */
} steps[] = {
    {APPLY, KS_NODE, NODE("a", "'zone':'x','host':'a'", "", ROOM "," IMAGES)},
    {APPLY, KS_NODE,
     NODE("b", "'zone':'y','host':'b','disk':'ssd'", "'taints':[{'key':'spot','effect':'PreferNoSchedule'}]",
          ROOM)},
    {APPLY, KS_NODE, NODE("c", "'zone':'y','host':'c'", "'unschedulable':true", ROOM "," IMAGES)},
    {APPLY, KS_POD, WEB("bound", "'nodeName':'a'," HOST_PORT REQUESTS)},
    {RUN, KS_POD, POD("plain", "'containers':[{'name':'c','image':'web:1'}]")},
    {RUN, KS_POD, WEB("all", "'affinity':{" NODE_TERMS "," ANTI "}," SPREAD "," HOST_PORT REQUESTS)},
    {RUN, KS_POD, POD("named", BY_NAME ",'tolerations':[{'key':'spot','operator':'Exists'}]")},
    {RUN, KS_POD, POD("broken", BROKEN)},
    {APPLY, KS_POD, WEB("bound", "'nodeName':'b','affinity':{" ANTI "}," HOST_PORT REQUESTS)},
    {APPLY, KS_NODE, NODE("c", "'zone':'y','host':'c','disk':'ssd'", "", ROOM)},
    {RUN, KS_POD, WEB("all", "'affinity':{" NODE_TERMS "," ANTI "}," SPREAD "," HOST_PORT REQUESTS)},
    {DELETE, KS_NODE, "a"},
    {DELETE, KS_POD, "bound"},
    {APPLY, KS_NODE, NODE("d", "'zone':'x'", "'taints':[{'key':'spot','effect':'NoSchedule'}]", ROOM)},
    {RUN, KS_POD, POD("plain", "'containers':[{'name':'c','image':'web:1'}]")},
};

typedef struct life {
    failing_allocator failing;
    decoded_memory memory;
    ks_cluster *cluster;
    ks_cycle *cycle;
    ks_buf story;
} life;

static int take_step(life *l, const struct step *step, ks_error *err)
{
    if (step->action == DELETE)
        return ks_cluster_delete(l->cluster, step->kind, KS_STR(""), ks_str_of(step->what), err);
    ks_object object = {.kind = step->kind};
    decoded_read(&object.metadata, ks_kind_schema(step->kind), &l->memory.arena, step->what);
    return step->action == RUN ? ks_cycle_run(l->cycle, &object.pod, err)
                               : ks_cluster_apply(l->cluster, &object, err);
}

static void tell(life *l)
{
    ks_cycle_summary summary = ks_cycle_get_summary(l->cycle);
    ks_buf_printf(&l->story, "%s/%s %.*s\n", ks_code_name(summary.pre_filter),
                  ks_code_name(summary.pre_score), KS_STR_ARG(summary.message));
    for (size_t i = 0; i < summary.nodes; i++) {
        ks_node_result node = ks_cycle_get_node(l->cycle, i);
        ks_buf_printf(&l->story, "  %.*s %s %" PRId64 " %.*s: %.*s\n", KS_STR_ARG(node.name),
                      ks_code_name(node.code), node.score, KS_STR_ARG(node.plugin), KS_STR_ARG(node.reason));
    }
}

static int set_up(life *l, ks_error *err)
{
    ks_allocator allocator = failing_allocator_get(&l->failing);
    ks_cluster_options options = {.allocator = &allocator, .gates = KS_GATES_DEFAULT};
    int code = l->cluster ? KS_OK : ks_cluster_new(&l->cluster, &options, err);
    return code == KS_OK ? ks_cycle_new(&l->cycle, l->cluster, err) : code;
}

/* Lets one call fail and tries it again with memory at hand. */
static void survive(life *l, int code, int (*again)(life *, const struct step *, ks_error *),
                    const struct step *step)
{
    ks_error err = {0};
    if (code == KS_OK)
        return;
    assert_int_equal(code, KS_ENOMEM);
    failing_allocator_refill(&l->failing);
    assert_int_equal(again(l, step, &err), KS_OK);
}

static int set_up_again(life *l, const struct step *step, ks_error *err)
{
    (void)step;
    return set_up(l, err);
}

/* The story of a life in which the nth allocation fails; false if there are not that many. */
static bool live(life *l, size_t nth, bool stays_empty)
{
    ks_error err = {0};
    *l = (life){.failing = failing_allocator_make()};
    decoded_memory_init(&l->memory, NULL);
    ks_buf_init(&l->story, &l->memory.alloc);
    l->failing.fail_at = nth;
    l->failing.stays_empty = stays_empty;
    survive(l, set_up(l, &err), set_up_again, NULL);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        survive(l, take_step(l, &steps[i], &err), take_step, &steps[i]);
        if (steps[i].action == RUN)
            tell(l);
    }
    bool hit = l->failing.calls >= nth;
    ks_cycle_free(l->cycle);
    ks_cluster_free(l->cluster);
    decoded_memory_free(&l->memory);
    assert_int_equal(l->failing.bytes, 0);
    return nth > 0 && hit;
}

static void every_allocation_may_fail(void **state)
{
    bool stays_empty = *state != NULL;
    life undisturbed, l;
    live(&undisturbed, 0, false);
    assert_non_null(strstr(undisturbed.story.data, "NodePorts"));
    assert_non_null(strstr(undisturbed.story.data, "NodeAffinity"));
    size_t nth = 1;
    for (bool hit = true; hit; nth++) {
        hit = live(&l, nth, stays_empty);
        assert_string_equal(l.story.data, undisturbed.story.data);
        ks_buf_free(&l.story);
    }
    assert_true(nth > 50);
    ks_buf_free(&undisturbed.story);
}

int main(void)
{
    static bool stays_empty = true;
    const struct CMUnitTest tests[] = {
        {"alone", every_allocation_may_fail, NULL, NULL, NULL},
        {"with all that follow", every_allocation_may_fail, NULL, NULL, &stays_empty},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
