// SPDX-License-Identifier: Apache-2.0
#include "util/str.h"
#include <kubespread/config.h>

static const struct {
    const char *name;
    ks_gate gate;
} known[] = {
    {"PodTopologySpread", KS_GATE_POD_TOPOLOGY_SPREAD},
    {"EvenPodsSpread", KS_GATE_POD_TOPOLOGY_SPREAD},
    {"NodeInclusionPolicyInPodTopologySpread", KS_GATE_NODE_INCLUSION_POLICY},
    {"MatchLabelKeysInPodTopologySpread", KS_GATE_MATCH_LABEL_KEYS},
};

/* Takes what stands before the first `separator` off the text; all of it if there is none. */
static ks_str take_until(ks_str *text, char separator)
{
    const char *at = text->len ? memchr(text->data, separator, text->len) : NULL;
    ks_str taken = {text->data, at ? (size_t)(at - text->data) : text->len};
    size_t used = at ? taken.len + 1 : taken.len;
    *text = (ks_str){at ? text->data + used : NULL, text->len - used};
    return taken;
}

static int find_gate(ks_gate *out, ks_str name, ks_error *err)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!ks_str_eq(name, ks_str_of(known[i].name)))
            continue;
        *out = known[i].gate;
        return KS_OK;
    }
    return ks_fail(err, KS_EINVAL,
                   "feature gate %s: unknown, must be one of PodTopologySpread (or its first name "
                   "EvenPodsSpread), NodeInclusionPolicyInPodTopologySpread, "
                   "MatchLabelKeysInPodTopologySpread",
                   KS_STR_QUOTED(name));
}

/* The spellings that kube-scheduler takes for --feature-gates. */
static int parse_bool(bool *out, ks_str name, ks_str text, ks_error *err)
{
    static const char *const spellings[] = {"true",  "True",  "TRUE",  "t", "T", "1",
                                            "false", "False", "FALSE", "f", "F", "0"};
    size_t count = sizeof spellings / sizeof *spellings;
    for (size_t i = 0; i < count; i++) {
        if (!ks_str_eq(text, ks_str_of(spellings[i])))
            continue;
        *out = i < count / 2;
        return KS_OK;
    }
    return ks_fail(err, KS_EINVAL, "feature gate %s: %s: must be true or false", KS_STR_QUOTED(name),
                   KS_STR_QUOTED(text));
}

static int parse_one(ks_gates *gates, ks_str text, ks_error *err)
{
    ks_str name = ks_str_trim(take_until(&text, '='));
    ks_gate gate;
    int code = find_gate(&gate, name, err);
    if (code != KS_OK)
        return code;
    if (!text.data)
        return ks_fail(err, KS_EINVAL, "feature gate %s: must be followed by =true or =false",
                       KS_STR_QUOTED(name));
    bool on;
    code = parse_bool(&on, name, ks_str_trim(text), err);
    if (code == KS_OK)
        *gates = on ? *gates | (ks_gates)gate : *gates & ~(ks_gates)gate;
    return code;
}

int ks_gates_parse(ks_gates *gates, ks_str text, ks_error *err)
{
    ks_gates parsed = *gates;
    while (text.len) {
        ks_str one = take_until(&text, ',');
        if (one.len == 0)
            continue;
        int code = parse_one(&parsed, one, err);
        if (code != KS_OK)
            return code;
    }
    *gates = parsed;
    return KS_OK;
}
