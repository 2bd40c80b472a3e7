// SPDX-License-Identifier: Apache-2.0
/* DefaultPreemption: who may preempt, whom, and where first. */
#include "support/rig.h"
#include "support/transcript.h"
#include "support/unit.h"

/* Each row ties in all that comes before it in the published order, and is decided by its own rule. */
static const rig_row preference[] = {
    {"fewest violations of disruption budgets",
     "node m cpu=1\nnode n cpu=1\nbudget b allowed=0 app=w\n"
     "pod x app=w on=m cpu=1 prio=1\npod y on=n cpu=1 prio=9\npod a cpu=1 prio=10\nrun",
     "0 a preempts y on n\n"},
    {"lowest of the highest priorities",
     "node m cpu=2\nnode n cpu=2\n"
     "pod x on=m cpu=2 prio=3\npod y on=n cpu=1 prio=2\npod z on=n cpu=1 prio=2\npod a cpu=2 prio=10\nrun",
     "0 a preempts y z on n\n"},
    {"lowest sum of priorities",
     "node m cpu=2\nnode n cpu=2\n"
     "pod v on=m cpu=1 prio=3\npod w on=m cpu=1 prio=2\npod y on=n cpu=1 prio=3\npod z on=n cpu=1 prio=1\n"
     "pod a cpu=2 prio=10\nrun",
     "0 a preempts y z on n\n"},
    {"negative priorities do not make many victims attractive",
     "node m cpu=2\nnode n cpu=2\n"
     "pod v on=m cpu=1 prio=-3\npod w on=m cpu=1 prio=-3\npod y on=n cpu=2 prio=-3\npod a cpu=2 prio=0\nrun",
     "0 a preempts y on n\n"},
    {"latest start of the most important victims",
     "node m cpu=2\nnode n cpu=2\n"
     "pod v on=m cpu=1 prio=1 start=08:00\npod w on=m cpu=1 prio=1 start=12:00\n"
     "pod y on=n cpu=1 prio=1 start=09:00\npod z on=n cpu=1 prio=1 start=10:00\npod a cpu=2 prio=10\nrun",
     "0 a preempts y z on n\n"},
    {"the start of less important ones does not count",
     "node m cpu=2\nnode n cpu=2\n"
     "pod v on=m cpu=1 prio=2 start=09:00\npod w on=m cpu=1 prio=1 start=12:00\n"
     "pod y on=n cpu=1 prio=2 start=10:00\npod z on=n cpu=1 prio=1 start=01:00\npod a cpu=2 prio=10\nrun",
     "0 a preempts y z on n\n"},
    {"one that has not started is the latest",
     "node m cpu=1\nnode n cpu=1\npod v on=m cpu=1 start=23:59\npod y on=n cpu=1\npod a cpu=1 prio=10\nrun",
     "0 a preempts y on n\n"},
};

static const rig_row victims[] = {
    {"no more than needed, the least important",
     "node n cpu=3\npod x on=n cpu=1 prio=3\npod y on=n cpu=1 prio=1\npod z on=n cpu=1 prio=2\n"
     "pod a cpu=1 prio=10\nrun",
     "0 a preempts y on n\n"},
    {"among equals the youngest",
     "node n cpu=2\npod x on=n cpu=1 start=10:00\npod y on=n cpu=1 start=08:00\npod a cpu=1 prio=10\nrun",
     "0 a preempts x on n\n"},
    {"the most important first",
     "node n cpu=2\npod x on=n cpu=1 prio=1\npod y on=n cpu=1 prio=2\npod a cpu=2 prio=10\nrun",
     "0 a preempts y x on n\n"},
    {"small ones are spared where a large one must go",
     "node n cpu=3\npod x on=n cpu=2 prio=1\npod y on=n cpu=1 prio=1 start=08:00\npod a cpu=2 prio=10\nrun",
     "0 a preempts x on n\n"},
    {"a budget protects even the less important",
     "node n cpu=2\nbudget b allowed=0 app=w\npod x app=w on=n cpu=1 prio=1\npod y on=n cpu=1 prio=5\n"
     "pod a cpu=1 prio=10\nrun",
     "0 a preempts y on n\n"},
    {"a budget that allows one protects the rest",
     "node n cpu=3\nbudget b allowed=1 app=w\npod x app=w on=n cpu=1 start=08:00\n"
     "pod y app=w on=n cpu=1 start=09:00\npod z on=n cpu=1 prio=1\npod a cpu=2 prio=10\nrun",
     "0 a preempts z x on n\n"},
    {"a budget does not stop what must be",
     "node n cpu=1\nbudget b allowed=0 app=w\npod x app=w on=n cpu=1\npod a cpu=1 prio=10\nrun",
     "0 a preempts x on n\n"},
    {"only a preemption can make the spread fit",
     "node m zone=a\nnode n zone=b cpu=1\npod x on=n cpu=1\npod v app=w on=m\n"
     "pod a app=w cpu=1 prio=10 spread=zone\nwait 1000",
     "0 a preempts x on n\n1000 a → n\n"},
    {"a pod of the spread itself goes to even it out",
     "node m zone=a\nnode n zone=b taint=t\npod v app=w on=m\npod y app=o on=m\n"
     "pod a app=w prio=10 spread=zone\nwait 1000",
     "0 a preempts v on m\n1000 a → m\n"},
};

static const rig_row eligible[] = {
    {"nobody of equal or higher priority", "node n cpu=1\npod x on=n cpu=1 prio=10\npod a cpu=1 prio=10\nrun",
     "0 a refused: 0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 "
     "nodes are available: "
     "1 No preemption victims found for incoming pod. [NodeResourcesFit]\n"},
    {"no victims here, though there are such pods elsewhere",
     "node m cpu=1\nnode n cpu=9 taint=t\npod x on=m cpu=1 prio=9\npod y on=n prio=1\npod a cpu=1 "
     "prio=5\nrun",
     "0 a refused: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). "
     "no new claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for "
     "incoming pod, "
     "1 Preemption is not helpful for scheduling. [TaintToleration NodeResourcesFit]\n"},
    {"victims that do not suffice",
     "node n cpu=2\npod x on=n cpu=1 prio=20\npod y on=n cpu=1 prio=1\npod a cpu=2 prio=10\nrun",
     "0 a refused: 0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 "
     "nodes are available: "
     "1 Insufficient cpu. [NodeResourcesFit]\n"},
    {"preemptionPolicy Never", "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10 policy=Never\nrun",
     "0 a refused: 0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not "
     "eligible due to "
     "preemptionPolicy=Never. [NodeResourcesFit]\n"},
    {"Never by the class",
     "node n cpu=1\nclass c value=10 policy=Never\npod x on=n cpu=1\npod a cpu=1 class=c\nrun",
     "0 a refused: 0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not "
     "eligible due to "
     "preemptionPolicy=Never. [NodeResourcesFit]\n"},
    {"the sentence of one that preempts", "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10\nrun",
     "0 a preempts x on n: 0/1 nodes are available: 1 Insufficient cpu. [NodeResourcesFit]\n"},
};

static const rig_row nominated[] = {
    {"the room is kept from equals and lower ones",
     "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10\nrun\npod b cpu=1 prio=10\npod c cpu=1\nrun\nwait "
     "1000",
     "0 a preempts x on n\n0 b refused\n0 c refused\n1000 a → n\n"},
    {"not from higher ones",
     "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10\nrun\npod b cpu=1 prio=11\nrun\nwait 1000",
     "0 a preempts x on n\n0 b → n\n1000 a refused\n"},
    {"the nominated node before better ones",
     "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10\nrun\nnode m cpu=100\nwait 1000",
     "0 a preempts x on n\n1000 a → n\n"},
    {"a status that says so counts as well",
     "node m cpu=1\npod a cpu=1 prio=10 nominated=m gate=g\npod b cpu=1 prio=5\nrun\npod a cpu=1 "
     "prio=10\nrun",
     "0 a gated\n0 b refused\n0 a → m\n"},
    {"who is nominated and goes makes room",
     "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10\nrun\npod b cpu=1 prio=10\nrun\ndelete pod a\nwait "
     "1000",
     "0 a preempts x on n\n0 b refused\n1000 b → n\n"},
    {"a second preemption on the node unseats the first",
     "node n cpu=1\npod x on=n cpu=1 prio=1\npod a cpu=1 prio=5\nrun\npod y on=n cpu=1 prio=1\n"
     "pod b cpu=1 prio=9\nrun\nwait 1000",
     "0 a preempts x on n\n0 b preempts y on n\n1000 b → n\n1000 a refused\n"},
};

static void test_preference(void **state)
{
    (void)state;
    rig_check(preference, COUNT(preference));
}

/* Which node is looked at first is chance; the outcome is not. */
static void test_preference_for_any_seed(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        for (size_t i = 0; i < COUNT(preference); i++) {
            rig r;
            rig_begin(&r, &(ks_scheduler_options){.seed = seed});
            r.brief = true;
            rig_play(&r, preference[i].script);
            rig_assert(&r, preference[i].wanted);
            rig_end(&r);
        }
    }
}

static void test_victims(void **state)
{
    (void)state;
    rig_check(victims, COUNT(victims));
}

static void test_eligible(void **state)
{
    (void)state;
    rig_check_whole(eligible, COUNT(eligible));
}

static void test_nominated(void **state)
{
    (void)state;
    rig_check(nominated, COUNT(nominated));
}

/* A live scheduler's victims linger: until they are gone, no more are chosen. */
static void test_waits_for_terminating_victims(void **state)
{
    (void)state;
    rig r;
    rig_begin(&r, &(ks_scheduler_options){0});
    rig_play(&r, "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10\nrun");
    rig_assert(&r, "0 a preempts x on n: 0/1 nodes are available: 1 Insufficient cpu. [NodeResourcesFit]\n");
    rig_play(&r, "pod x on=n cpu=1 deleted\nflush");
    rig_assert(&r, "300001 a refused: 0/1 nodes are available: 1 Insufficient cpu. no new claims to "
                   "deallocate, preemption: not eligible "
                   "due to a terminating pod on the nominated node. [NodeResourcesFit]\n");
    assert_int_equal(ks_scheduler_get_stats(r.scheduler).nominated, 1);
    rig_play(&r, "delete pod x\nwait 2000");
    rig_assert(&r, "302001 a → n (1 fit)\n");
    assert_int_equal(ks_scheduler_get_stats(r.scheduler).nominated, 0);
    rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preference), cmocka_unit_test(test_preference_for_any_seed),
        cmocka_unit_test(test_victims),    cmocka_unit_test(test_eligible),
        cmocka_unit_test(test_nominated),  cmocka_unit_test(test_waits_for_terminating_victims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
