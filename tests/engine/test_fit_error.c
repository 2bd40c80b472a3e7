// SPDX-License-Identifier: Apache-2.0
/* kube-scheduler's sentence for a pod that fits nowhere. */
#include "engine/fit_error.h"
#include "support/rig.h"
#include "support/transcript.h"
#include "support/unit.h"

static const rig_row sentences[] = {
    {"no nodes", "pod a\nrun", "0 a refused: no nodes available to schedule pods []\n"},
    {"several reasons, each counted, sorted as texts",
     "node a cpu=1\nnode b cpu=1\nnode c taint=t\nnode d cpu=1 taint=t\npod p cpu=2\nrun",
     "0 p refused: 0/4 nodes are available: 2 Insufficient cpu, 2 node(s) had untolerated taint(s). "
     "no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for "
     "scheduling. "
     "[TaintToleration NodeResourcesFit]\n"},
    {"ten come before two",
     "node a0 cpu=1\nnode a1 cpu=1\nnode a2 cpu=1\nnode a3 cpu=1\nnode a4 cpu=1\nnode a5 cpu=1\n"
     "node a6 cpu=1\nnode a7 cpu=1\nnode a8 cpu=1\nnode a9 cpu=1\nnode b taint=t\nnode c taint=t\n"
     "pod p cpu=2 policy=Never\nrun",
     "0 p refused: 0/12 nodes are available: 10 Insufficient cpu, 2 node(s) had untolerated taint(s). "
     "no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never. [TaintToleration "
     "NodeResourcesFit]\n"},
    {"the spread refuses, and lacks a label elsewhere",
     "node a zone=x\nnode b\nnode c zone=y taint=t\npod v app=w on=a\npod p app=w spread=zone "
     "policy=Never\nrun",
     "0 p refused: 0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, "
     "1 node(s) didn't match pod topology spread constraints (missing required label), "
     "1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: not eligible due to "
     "preemptionPolicy=Never. "
     "[TaintToleration PodTopologySpread]\n"},
    {"refused as a whole before anybody could look for victims",
     "node n\npod x on=n prio=1\npod p claim=c prio=9\nrun",
     "0 p refused: 0/1 nodes are available: persistentvolumeclaim \"c\" not found. not found "
     "[VolumeBinding]\n"},
    {"nominated pods' room is not there",
     "node n cpu=1\npod x on=n cpu=1\npod a cpu=1 prio=10\nrun\npod b cpu=1 policy=Never\nrun",
     "0 a preempts x on n: 0/1 nodes are available: 1 Insufficient cpu. [NodeResourcesFit]\n"
     "0 b refused: 0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not "
     "eligible due to "
     "preemptionPolicy=Never. [NodeResourcesFit]\n"},
};

static void test_sentences(void **state)
{
    (void)state;
    rig_check_whole(sentences, COUNT(sentences));
}

static void test_tallies(void **state)
{
    (void)state;
    ks_alloc alloc;
    ks_buf buf;
    ks_tallies tallies = {0};
    ks_alloc_init(&alloc, NULL);
    ks_buf_init(&buf, &alloc);
    char copy[] = "same text";
    assert_true(ks_tallies_add(&tallies, &alloc, KS_STR("same text"), 9));
    assert_true(ks_tallies_add(&tallies, &alloc, KS_STR("b"), 2));
    assert_true(ks_tallies_add(&tallies, &alloc, ks_str_of(copy), 1));
    assert_true(ks_tallies_add(&tallies, &alloc, KS_STR("a"), 2));
    ks_tallies_print(&buf, &tallies, 14);
    assert_string_equal(buf.data, "0/14 nodes are available: 10 same text, 2 a, 2 b.");
    ks_vec_free(&tallies, &alloc);
    ks_buf_free(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentences), cmocka_unit_test(test_tallies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
