// SPDX-License-Identifier: Apache-2.0
/* Who is tried when: order, backoff, the pool and what calls pods out of it, gates. */
#include "support/rig.h"
#include "support/transcript.h"
#include "support/unit.h"
#include <stdio.h>

static const rig_row order[] = {
    {"by priority, then by arrival", "node n\npod a\npod b prio=5\npod c prio=-1\npod d prio=5\nrun",
     "0 b → n\n0 d → n\n0 a → n\n0 c → n\n"},
    {"a change leaves a pod its place", "node n\npod a\npod b\npod a app=x\nrun", "0 a → n\n0 b → n\n"},
    {"a change of priority does not", "node n\npod a\npod b\npod b prio=1\nrun", "0 b → n\n0 a → n\n"},
    {"priority by class", "node n\nclass high value=7\npod a\npod b class=high\nrun", "0 b → n\n0 a → n\n"},
    {"classes that come later count", "node n\npod a prio=1\npod b class=high\nclass high value=7\nrun",
     "0 b → n\n0 a → n\n"},
    {"classes that go, too",
     "node n\nclass high value=7\npod a prio=1\npod b class=high\ndelete class high\nrun",
     "0 a → n\n0 b → n\n"},
    {"the global default", "node n\nclass usual value=3 default\npod a prio=2\npod b\nrun",
     "0 b → n\n0 a → n\n"},
    {"the lowest of several defaults",
     "node n\nclass x value=3 default\nclass y value=1 default\npod a\npod b prio=2\nrun",
     "0 b → n\n0 a → n\n"},
    {"the system's classes",
     "node n\npod a class=system-cluster-critical\npod b class=system-node-critical\npod c "
     "prio=1000000000\nrun",
     "0 b → n\n0 a → n\n0 c → n\n"},
    {"spec.priority before the class",
     "node n\nclass low value=-9\npod a prio=0\npod b class=low prio=1\nrun", "0 b → n\n0 a → n\n"},
};

static const rig_row backoff[] = {
    {"from 1 s, doubling to 10 s, an event each time",
     "node n cpu=2\npod x cpu=2 on=n\npod s1 cpu=1 on=n\npod s2 cpu=1 on=n\npod s3 cpu=1 on=n\n"
     "pod s4 cpu=1 on=n\npod s5 cpu=1 on=n\npod s6 cpu=1 on=n\npod a cpu=2\nrun\n"
     "delete pod s1\nwait 1000\ndelete pod s2\nwait 2000\ndelete pod s3\nwait 4000\n"
     "delete pod s4\nwait 8000\ndelete pod s5\nwait 10000\ndelete pod s6\nwait 10000",
     "0 a refused\n1000 a refused\n3000 a refused\n7000 a refused\n15000 a refused\n25000 a refused\n"
     "35000 a refused\n"},
    {"an event behind the backoff is served at once",
     "node n cpu=1\npod a cpu=2\nwait 5000\nnode n cpu=2\nrun", "0 a refused\n5000 a → n\n"},
    {"a pod that comes back stands behind its equals",
     "node n cpu=1\npod a cpu=2\nrun\nnode n cpu=5\npod b cpu=1\nwait 999\npod c cpu=1\nwait 1\npod d "
     "cpu=1\nrun",
     "0 a refused\n0 b → n\n999 c → n\n1000 a → n\n1000 d → n\n"},
};

static const rig_row pool[] = {
    {"an event that does not help leaves the pod alone",
     "node n cpu=1\npod a cpu=2\nrun\nnode n cpu=1 zone=z\nwait 60000", "0 a refused\n"},
    {"only the refuser is asked: room does not help against a taint",
     "node n cpu=1 taint=t\npod a\nrun\nnode n cpu=2 taint=t\nwait 60000", "0 a refused\n"},
    {"a pod that leaves makes room",
     "node n cpu=1\npod x on=n cpu=1\npod a cpu=1\nrun\ndelete pod x\nwait 1000",
     "0 a refused\n1000 a → n\n"},
    {"so does one that is over",
     "node n cpu=1\npod x on=n cpu=1\npod a cpu=1\nrun\npod x on=n cpu=1 phase=Succeeded\nwait 1000",
     "0 a refused\n1000 a → n\n"},
    {"a node that comes", "node n cpu=1\npod a cpu=2\nrun\nnode m cpu=2\nwait 1000",
     "0 a refused\n1000 a → m\n"},
    {"the pod's own change", "node n taint=t\npod a\nrun\npod a tolerate=t\nwait 1000",
     "0 a refused\n1000 a → n\n"},
    {"its own change for others of the same looks, not",
     "node n taint=t\npod a app=x\npod b app=x\nrun\npod a app=x tolerate=t\nwait 1000",
     "0 a refused\n0 b refused\n1000 a → n\n"},
    {"a placement may help those that spread",
     "node n zone=a\nnode m zone=b taint=t\npod x app=w on=n\npod a app=w spread=zone\nrun\n"
     "pod b app=w tolerate=t spread=zone\nrun\nwait 1000",
     "0 a refused\n0 b → m\n1000 a → n\n"},
    {"no event in five minutes", "node n cpu=1\npod a cpu=2\nrun\nflush", "0 a refused\n300001 a refused\n"},
    {"without nodes any event will do", "pod a\nrun\nclass c value=1\nwait 1000",
     "0 a refused\n1000 a refused\n"},
    {"a pod that is deleted is not tried again",
     "node n cpu=1\npod a cpu=2\nrun\ndelete pod a\nnode n cpu=9\nwait 60000", "0 a refused\n"},
    {"nor one that is terminating",
     "node n cpu=1\npod a cpu=2\nrun\npod a cpu=2 deleted\nnode n cpu=9\nwait 60000", "0 a refused\n"},
    {"nor one that somebody else bound",
     "node n cpu=1\npod a cpu=2\nrun\npod a cpu=2 on=n\nnode n cpu=9\nwait 60000", "0 a refused\n"},
};

static const rig_row elsewhere[] = {
    {"gated pods wait", "node n\npod a gate=g\nrun\npod a\nrun", "0 a gated\n0 a → n\n"},
    {"a gate that goes leaves the pod its place", "node n\npod a gate=g\npod b\npod a\nrun",
     "0 a gated\n0 a → n\n0 b → n\n"},
    {"gated pods are not tried after five minutes", "node n\npod a gate=g\nwait 400000", "0 a gated\n"},
    {"told once", "pod a gate=g\npod a gate=h\nrun", "0 a gated\n"},
    {"another scheduler's pods", "node n\npod a scheduler=other\npod b scheduler=default-scheduler\nrun",
     "0 b → n\n"},
    {"pods that are over or terminating", "node n\npod a phase=Failed\npod b deleted\nrun", ""},
    {"a binding that failed", "node n\npod a\nrun\nforget a\nwait 10000", "0 a → n\n1000 a → n\n"},
    {"makes room meanwhile",
     "node n cpu=1\npod a cpu=1\nrun\npod b cpu=1 prio=1 policy=Never\nrun\nforget a\nwait 10000",
     "0 a → n\n0 b refused\n1000 b → n\n1000 a refused\n"},
    {"an object from before the binding leaves the pod its node",
     "node n cpu=1\npod a cpu=1\nrun\npod a cpu=1 app=x\npod b cpu=1\nrun\npod a cpu=1 app=x on=n\nrun",
     "0 a → n\n0 b refused\n"},
    {"a placed pod that is deleted makes room",
     "node n cpu=1\npod a cpu=1\nrun\npod b cpu=1\nrun\ndelete pod a\nwait 1000",
     "0 a → n\n0 b refused\n1000 b → n\n"},
};

static void test_order(void **state)
{
    (void)state;
    rig_check(order, COUNT(order));
}

static void test_backoff(void **state)
{
    (void)state;
    rig_check(backoff, COUNT(backoff));
}

static void test_pool(void **state)
{
    (void)state;
    rig_check(pool, COUNT(pool));
}

static void test_elsewhere(void **state)
{
    (void)state;
    rig_check(elsewhere, COUNT(elsewhere));
}

static void test_forget_wants_a_placed_pod(void **state)
{
    (void)state;
    rig r;
    ks_error err;
    rig_begin(&r, &(ks_scheduler_options){0});
    rig_play(&r, "node n\npod a\npod b on=n");
    const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < COUNT(names); i++)
        assert_int_equal(ks_scheduler_forget(r.scheduler, KS_STR(""), ks_str_of(names[i]), 0, &err),
                         KS_ENOTFOUND);
    assert_string_equal(err.message, "pod \"default/c\" is not waiting to be bound");
    rig_end(&r);
}

static void test_counts_and_times(void **state)
{
    (void)state;
    rig r;
    rig_begin(&r, &(ks_scheduler_options){.initial_backoff_ms = 200, .max_backoff_ms = 300});
    assert_int_equal(ks_scheduler_next_time(r.scheduler), KS_TIME_NEVER);
    assert_int_equal(ks_scheduler_next_flush(r.scheduler), KS_TIME_NEVER);
    rig_play(&r, "node n cpu=1\npod a cpu=2\npod b cpu=1\npod c cpu=1\npod g gate=x");
    assert_int_equal(ks_scheduler_next_time(r.scheduler), KS_TIME_NOW);
    rig_play(&r, "run");
    ks_scheduler_stats stats = ks_scheduler_get_stats(r.scheduler);
    assert_int_equal(stats.unschedulable, 2);
    assert_int_equal(stats.gated, 1);
    assert_int_equal(stats.attempts, 3);
    assert_int_equal(stats.placed, 1);
    assert_int_equal(ks_scheduler_next_flush(r.scheduler), 300001);
    rig_play(&r, "node n cpu=3");
    stats = ks_scheduler_get_stats(r.scheduler);
    assert_int_equal(stats.backing_off, 2);
    assert_int_equal(ks_scheduler_next_time(r.scheduler), 200);
    rig_end(&r);
}

/* 20,000 pods that all fail alike are asked about once an event. */
static void test_pods_alike_fail_together(void **state)
{
    (void)state;
    enum { PODS = 20000, EVENTS = 2000 };
    rig r;
    rig_begin(&r, &(ks_scheduler_options){0});
    rig_play(&r, "node n cpu=1");
    for (int i = 0; i < PODS; i++) {
        char line[64];
        snprintf(line, sizeof line, "pod p%d app=w cpu=2", i);
        rig_play(&r, line);
    }
    rig_play(&r, "run");
    for (int i = 0; i < EVENTS; i++)
        rig_play(&r, i % 2 ? "node n cpu=1 zone=a" : "node n cpu=1 zone=b");
    assert_int_equal(ks_scheduler_get_stats(r.scheduler).unschedulable, PODS);
    rig_play(&r, "node n cpu=2\nwait 1000");
    assert_int_equal(ks_scheduler_get_stats(r.scheduler).placed, 1);
    rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_backoff),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_forget_wants_a_placed_pod),
        cmocka_unit_test(test_counts_and_times),
        cmocka_unit_test(test_pods_alike_fail_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
