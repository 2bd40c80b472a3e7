// SPDX-License-Identifier: Apache-2.0
/* One requirement of a selector on its own: what label selectors and node selectors have in common. */
#ifndef KS_MODEL_REQUIREMENT_H
#define KS_MODEL_REQUIREMENT_H

#include "model/selector.h"

/* The operator of that name; false if there is none. */
bool ks_operator_parse(ks_operator *out, ks_str name);

/* The values need not be sorted for any of these. */
bool ks_requirement_matches(const ks_requirement *requirement, const ks_labels *labels);
/* Whether the API machinery would make a requirement of it: number and shape of values fit the operator,
 * key and values are valid labels. */
bool ks_requirement_valid(const ks_requirement *requirement);
/* What is wrong with one that is not valid, as the API machinery says it. */
void ks_requirement_explain(ks_buf *buf, const ks_requirement *requirement);
/* The nth of these faults alone, from 0; false behind the last one. */
bool ks_requirement_explain_nth(ks_buf *buf, const ks_requirement *requirement, size_t nth);
void ks_requirement_print(ks_buf *buf, const ks_requirement *requirement);

#endif
