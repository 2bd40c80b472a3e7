// SPDX-License-Identifier: Apache-2.0
/* Strings as Kubernetes' messages show them. The API's own messages quote some values the way Go's %q does
 * and others (typed enumerations, pointers, lists) as Go's JSON encoder writes them. */
#ifndef KS_MODEL_QUOTE_H
#define KS_MODEL_QUOTE_H

#include "util/str.h"

/* As Go's strconv.Quote: "tab\there", bytes that are no UTF-8 as \xff. An absent string is "". */
void ks_quote_go(ks_buf *buf, ks_str text);
/* As Go's encoding/json: also <, >, & and the line separators are escaped, what is no UTF-8 becomes
 * \ufffd. */
void ks_quote_json(ks_buf *buf, ks_str text);
/* A list of strings as JSON; an empty one is null, as Go shows a slice that was never filled. */
void ks_quote_json_list(ks_buf *buf, const ks_str *texts, size_t count);

/* Whether Go prints a character as it is. */
bool ks_rune_printable(uint32_t rune);

#endif
