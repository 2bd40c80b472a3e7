// SPDX-License-Identifier: Apache-2.0
#include "support/case.h"
#include "support/file.h"
#include "support/scenario.h"

/* ---- reading ---- */

static ks_str *section_of(ks_case *c, ks_str name)
{
    const struct {
        ks_str name;
        ks_str *text;
    } sections[] = {
        {KS_STR("nodes"), &c->nodes},   {KS_STR("pods"), &c->pods},   {KS_STR("objects"), &c->objects},
        {KS_STR("config"), &c->config}, {KS_STR("gates"), &c->gates}, {KS_STR("pod"), &c->pod},
        {KS_STR("expect"), &c->expect},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (ks_str_eq(sections[i].name, name))
            return sections[i].text;
    }
    ks_test_die("%s: \"%.*s\": no such section", c->path, KS_STR_ARG(name));
}

static bool begins_section(ks_str line)
{
    return line.len > 4 && memcmp(line.data, "=== ", 4) == 0;
}

ks_case ks_case_parse(const char *path, ks_str text)
{
    ks_case c = {.path = path};
    ks_str *section = NULL, line;
    while (ks_test_line_next(&line, &text)) {
        if (begins_section(line)) {
            section = section_of(&c, (ks_str){line.data + 4, line.len - 4});
            if (section->data)
                ks_test_die("%s: section \"%s\" twice", path, line.data + 4);
            *section = (ks_str){text.data, 0};
        } else if (section) {
            section->len = (size_t)(text.data - section->data);
        }
    }
    if (!c.nodes.data || !c.pod.data || !c.expect.data)
        ks_test_die("%s: sections \"nodes\", \"pod\" and \"expect\" must be there", path);
    return c;
}

/* ---- running ---- */

static void put_fault(void *ctx, ks_str fault)
{
    ks_buf_printf(ctx, "refused: %.*s\n", KS_STR_ARG(fault));
}

typedef struct run {
    ks_buf *out;
    const ks_case *c;
    ks_cluster *cluster;
    ks_gates gates;
} run;

/* What the API server refuses never reaches the scheduler. */
static int run_pod(void *ctx, const ks_object *object, ks_error *err)
{
    const run *r = ctx;
    if (object->kind != KS_POD)
        ks_test_die("%s: section \"pod\" holds a %s", r->c->path, ks_kind_name(object->kind));
    size_t faults;
    int rc = ks_pod_validate(&faults, &object->pod, r->gates, NULL, put_fault, r->out, err);
    if (rc || faults)
        return rc;
    ks_cycle *cycle;
    rc = ks_cycle_new(&cycle, r->cluster, err);
    if (rc)
        return rc;
    rc = ks_cycle_run(cycle, &object->pod, err);
    if (rc == KS_OK)
        ks_case_report(r->out, cycle);
    ks_cycle_free(cycle);
    return rc;
}

static void run_with(ks_buf *out, const ks_case *c, const ks_config *config)
{
    run r = {.out = out, .c = c, .gates = KS_GATES_DEFAULT};
    ks_error err;
    if (c->gates.data) {
        ks_str gates = {c->gates.data, strcspn(c->gates.data, "\n")};
        if (ks_gates_parse(&r.gates, gates, &err))
            ks_test_die("%s: %s", c->path, err.message);
    }
    ks_plugin_use use;
    ks_profile profile = ks_spread_profile(&use, &config->profiles.items[0].spread);
    ks_cluster_options options = {.profile = &profile, .gates = r.gates};
    if (ks_cluster_new(&r.cluster, &options, &err))
        ks_test_die("%s: %s", c->path, err.message);
    ks_case_fill(r.cluster, c);
    ks_source source = {KS_STR("pod"), c->pod};
    if (ks_decode(source, NULL, run_pod, &r, &err))
        ks_test_die("%s: %s", c->path, err.message);
    ks_cluster_free(r.cluster);
}

void ks_case_run(ks_buf *out, const ks_case *c)
{
    ks_config *config;
    ks_error err;
    ks_source source = {KS_STR("config"), c->config};
    int rc = c->config.data ? ks_config_decode(&config, source, NULL, &err)
                            : ks_config_default(&config, NULL, &err);
    if (rc == KS_OK) {
        run_with(out, c, config);
        ks_config_free(config);
    } else {
        ks_buf_printf(out, "refused: %s\n", err.message);
    }
}
