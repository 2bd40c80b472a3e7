// SPDX-License-Identifier: Apache-2.0
/* InterPodAffinity's scoring rule by rule. The plugin's weight is 2, so that scores end at 200. */
#include "support/affinity_bed.h"
#include "support/unit.h"

static const affinity_example own_terms[] = {
    {"rather near", ZONES POD("p", DB, "a"), INCOMING(WEB, RATHER_NEAR(WEIGHT("5", TERM("zone", DB)))),
     "a=200 b=200 c=0 d=0"},
    {"rather away", ZONES POD("p", DB, "a"), INCOMING(WEB, RATHER_AWAY(WEIGHT("5", TERM("zone", DB)))),
     "a=0 b=0 c=200 d=200"},
    {"each pod adds its weight", ZONES POD("p", DB, "a") POD("q", DB, "c") POD("r", DB, "c"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("7", TERM("host", DB)))), "a=100 b=0 c=200 d=0"},
    {"terms sum up", ZONES POD("p", DB, "a") POD("q", WEB, "b"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("1", TERM("zone", DB)) "," WEIGHT("3", TERM("host", WEB)))),
     "a=50 b=200 c=0 d=0"},
    {"fractions are cut off", ZONES POD("p", DB, "a") POD("q", DB, "b") POD("r", DB, "b") POD("s", DB, "b"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("1", TERM("host", DB)))), "a=66 b=200 c=0 d=0"},
    {"only nodes that pass set the range", ZONES POD("p", DB, "a") POD("q", WEB, "a") POD("r", DB, "b"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("1", TERM("host", DB))) "," AWAY(TERM("host", WEB))),
     "a=anti b=200 c=0 d=0"},
    {"all the same is 0 for all", NODE("a", "zone: z") NODE("b", "zone: z") POD("p", DB, "a"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("9", TERM("zone", DB)))), "a=0 b=0"},
    {"weights that cancel out still score", NODE("a", "host: a") POD("p", DB, "a"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("3", TERM("host", DB))) "," RATHER_AWAY(WEIGHT("3", TERM("host", DB)))),
     "a=0"},
    {"preferences that nobody meets do not score", ZONES POD("p", DB, "a"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("3", TERM("host", "app: none")))), "a=ok b=ok c=ok d=ok"},
    {"nodes without a key have no share of the empty value",
     NODE("a", "zone: \"\"") NODE("b", "") NODE("c", "zone: z") POD("p", DB, "a"),
     INCOMING(WEB, RATHER_NEAR(WEIGHT("1", TERM("zone", DB)))), "a=200 b=0 c=0"},
};

#define REQUIRES CARRIER("p", DB, "a", NEAR(TERM("host", WEB)))
#define PREFERS CARRIER("q", DB, "b", RATHER_NEAR(WEIGHT("2", TERM("host", WEB))))
#define AVOIDS CARRIER("r", DB, "c", RATHER_AWAY(WEIGHT("2", TERM("host", WEB))))
#define WITH_OWN INCOMING(WEB, RATHER_NEAR(WEIGHT("1", TERM("host", "app: none"))))

static const struct {
    affinity_example example;
    ks_inter_pod_affinity_args args;
} others_terms[] = {
    {{"preferences, both ways", ZONES PREFERS AVOIDS, INCOMING(WEB, ""), "a=100 b=200 c=0 d=100"},
     {1, false}},
    {{"of other pods alone", ZONES PREFERS AVOIDS, INCOMING(DB, ""), "a=ok b=ok c=ok d=ok"}, {1, false}},
    {{"required affinity", ZONES REQUIRES PREFERS, INCOMING(WEB, ""), "a=100 b=200 c=0 d=0"}, {1, false}},
    {{"weighed heavily", ZONES REQUIRES PREFERS, INCOMING(WEB, ""), "a=200 b=100 c=0 d=0"}, {4, false}},
    {{"or not at all", ZONES REQUIRES PREFERS, INCOMING(WEB, ""), "a=0 b=200 c=0 d=0"}, {0, false}},
    {{"which alone does not score", ZONES REQUIRES, INCOMING(WEB, ""), "a=ok b=ok c=ok d=ok"}, {0, false}},
    {{"ignored", ZONES REQUIRES PREFERS, INCOMING(WEB, ""), "a=ok b=ok c=ok d=ok"}, {1, true}},
    {{"unless the pod has some, too", ZONES REQUIRES PREFERS, WITH_OWN, "a=100 b=200 c=0 d=0"}, {1, true}},
};

static void own_terms_score(void **state)
{
    (void)state;
    affinity_check_examples(own_terms, sizeof own_terms / sizeof *own_terms);
}

static void others_terms_score(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others_terms / sizeof *others_terms; i++) {
        const affinity_example *example = &others_terms[i].example;
        affinity_bed bed;
        affinity_begin(&bed, others_terms[i].args);
        affinity_apply(&bed, example->objects);
        affinity_check(&bed, example->name, example->incoming, example->wanted);
        affinity_end(&bed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_terms_score),
        cmocka_unit_test(others_terms_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
