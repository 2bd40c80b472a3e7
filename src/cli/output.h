// SPDX-License-Identifier: Apache-2.0
/* Results for programs: a command describes its result once as JSON; -o yaml prints the same as YAML. */
#ifndef KS_CLI_OUTPUT_H
#define KS_CLI_OUTPUT_H

#include "cli/cli.h"
#include "util/json.h"

void ks_json_put_member_string(ks_json_writer *w, const char *key, ks_str value);
void ks_json_put_member_int(ks_json_writer *w, const char *key, int64_t value);
void ks_json_put_member_bool(ks_json_writer *w, const char *key, bool value);

typedef void (*ks_describe_fn)(ks_json_writer *w, const void *result);

void ks_output_json(ks_buf *out, ks_describe_fn describe, const void *result);
void ks_output_yaml(ks_buf *out, ks_describe_fn describe, const void *result);

#endif
