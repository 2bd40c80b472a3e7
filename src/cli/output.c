// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"
#include "cli/yaml.h"

enum { INDENT = 4 }; /* as kubectl prints JSON */

void ks_json_put_member_string(ks_json_writer *w, const char *key, ks_str value)
{
    ks_json_put_key(w, ks_str_of(key));
    ks_json_put_string(w, value);
}

void ks_json_put_member_int(ks_json_writer *w, const char *key, int64_t value)
{
    ks_json_put_key(w, ks_str_of(key));
    ks_json_put_int(w, value);
}

void ks_json_put_member_bool(ks_json_writer *w, const char *key, bool value)
{
    ks_json_put_key(w, ks_str_of(key));
    ks_json_put_bool(w, value);
}

void ks_output_json(ks_buf *out, ks_describe_fn describe, const void *result)
{
    ks_json_writer w;
    ks_json_writer_init(&w, out, INDENT);
    describe(&w, result);
    ks_buf_put_char(out, '\n');
}

void ks_output_yaml(ks_buf *out, ks_describe_fn describe, const void *result)
{
    ks_buf json;
    ks_buf_init(&json, out->alloc);
    ks_json_writer w;
    ks_json_writer_init(&w, &json, 0);
    describe(&w, result);
    if (json.failed)
        out->failed = true;
    else
        ks_yaml_put_json(out, ks_buf_str(&json));
    ks_buf_free(&json);
}
