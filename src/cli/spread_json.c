// SPDX-License-Identifier: Apache-2.0
#include "cli/spread_json.h"
#include "cli/output.h"

static void put_domains(ks_json_writer *w, const ks_cycle *cycle, size_t constraint, size_t count)
{
    ks_json_put_key(w, KS_STR("domains"));
    ks_json_put_array(w);
    for (size_t i = 0; i < count; i++) {
        ks_spread_domain domain = ks_cycle_get_domain(cycle, constraint, i);
        ks_json_put_object(w);
        ks_json_put_member_string(w, "value", domain.value);
        ks_json_put_member_int(w, "matching", domain.matching);
        ks_json_put_member_int(w, "nodes", (int64_t)domain.nodes);
        ks_json_put_object_end(w);
    }
    ks_json_put_array_end(w);
}

static ks_str policy(bool honors)
{
    return honors ? KS_STR("Honor") : KS_STR("Ignore");
}

void ks_constraint_put(ks_json_writer *w, const ks_cycle *cycle, size_t constraint)
{
    ks_spread_constraint c = ks_cycle_get_constraint(cycle, constraint);
    ks_json_put_object(w);
    ks_json_put_member_string(w, "topologyKey", c.topology_key);
    ks_json_put_member_string(w, "whenUnsatisfiable",
                              c.hard ? KS_STR("DoNotSchedule") : KS_STR("ScheduleAnyway"));
    ks_json_put_member_int(w, "maxSkew", c.max_skew);
    ks_json_put_member_int(w, "minDomains", c.min_domains);
    ks_json_put_member_string(w, "selector", c.selector);
    ks_json_put_member_string(w, "nodeAffinityPolicy", policy(c.honors_affinity));
    ks_json_put_member_string(w, "nodeTaintsPolicy", policy(c.honors_taints));
    ks_json_put_member_bool(w, "matchesSelf", c.matches_self);
    if (c.hard)
        ks_json_put_member_int(w, "minimum", c.minimum);
    put_domains(w, cycle, constraint, c.domains);
    ks_json_put_object_end(w);
}
