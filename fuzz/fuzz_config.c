// SPDX-License-Identifier: Apache-2.0
/* Any text as a KubeSchedulerConfiguration: it is refused in one line, or what comes of it keeps what the
 * header promises. */
#include "util/str.h"
#include <kubespread/validate.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_plugins(const ks_profile *profile)
{
    for (size_t i = 0; i < profile->plugins.count; i++) {
        const ks_plugin_use *use = &profile->plugins.items[i];
        CHECK(use->name.len > 0);
        CHECK(use->scores == (use->weight != 0));
        for (size_t j = 0; j < i; j++)
            CHECK(!ks_str_eq(use->name, profile->plugins.items[j].name));
    }
}

static void check_profile(const ks_config *config, const ks_profile *profile)
{
    size_t faults;
    CHECK(profile->scheduler_name.len > 0);
    CHECK(ks_config_profile(config, profile->scheduler_name) == profile);
    CHECK(ks_spread_args_validate(&faults, &profile->spread, (ks_str){0}, NULL, NULL, NULL, NULL) == KS_OK);
    CHECK(faults == 0);
    CHECK(profile->spread.defaulting_type.len > 0);
    CHECK(profile->percentage_of_nodes_to_score >= 0 && profile->percentage_of_nodes_to_score <= 100);
    CHECK(profile->inter_pod_affinity.hard_pod_affinity_weight >= 0 &&
          profile->inter_pod_affinity.hard_pod_affinity_weight <= 100);
    CHECK(profile->preemption.min_candidate_nodes_percentage > 0 ||
          profile->preemption.min_candidate_nodes_absolute > 0);
    for (size_t i = 0; i < profile->balanced.resources.count; i++)
        CHECK(profile->balanced.resources.items[i].weight == 1);
    check_plugins(profile);
}

static void check_error(int code, const ks_error *err)
{
    CHECK(code == KS_EINVAL || code == KS_ELIMIT);
    CHECK(err->code == code && err->message[0] && !strchr(err->message, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ks_config *config;
    ks_error err = {0};
    ks_source source = {KS_STR("config"), {(const char *)data, size}};
    int code = ks_config_decode(&config, source, NULL, &err);
    if (code != KS_OK) {
        check_error(code, &err);
        return 0;
    }
    CHECK(config->profiles.count > 0);
    CHECK(config->pod_initial_backoff_seconds > 0);
    CHECK(config->pod_max_backoff_seconds >= config->pod_initial_backoff_seconds);
    for (size_t i = 0; i < config->profiles.count; i++)
        check_profile(config, &config->profiles.items[i]);
    ks_config_free(config);
    return 0;
}
