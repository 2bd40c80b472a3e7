// SPDX-License-Identifier: Apache-2.0
/* YAML from JSON of our own making, so that results are described once for both. */
#ifndef KS_CLI_YAML_H
#define KS_CLI_YAML_H

#include "util/str.h"

/* Appends the JSON value as a YAML document. The text must be well-formed. */
void ks_yaml_put_json(ks_buf *out, ks_str json);

#endif
