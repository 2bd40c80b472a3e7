// SPDX-License-Identifier: Apache-2.0
/* Points in time as objects write them. */
#ifndef KS_MODEL_TIMESTAMP_H
#define KS_MODEL_TIMESTAMP_H

#include <kubespread/base.h>

/* Seconds since 1970 of an RFC 3339 text ("2026-01-31T12:00:00Z", "…+02:00"); fractions are cut off, as
 * the API does. False if it is not such a text. */
bool ks_timestamp_parse(int64_t *seconds, ks_str text);

#endif
