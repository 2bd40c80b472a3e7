// SPDX-License-Identifier: Apache-2.0
/* Label selectors as kubectl's -l takes them. */
#ifndef KS_CLI_LABEL_QUERY_H
#define KS_CLI_LABEL_QUERY_H

#include "util/arena.h"
#include <kubespread/model.h>

/* Reads "app=web,tier!=db,env in (qa,prod),zone notin (a),critical,!old". Strings point into `text`, lists
 * go to the arena. KS_EINVAL with the rule that was broken. */
int ks_label_query_parse(ks_label_selector *out, ks_str text, ks_arena *arena, ks_error *err);

#endif
