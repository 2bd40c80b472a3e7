// SPDX-License-Identifier: Apache-2.0
/* Kinds by name, for the decoder, which has names as they stand in the text. */
#ifndef KS_MODEL_KINDS_H
#define KS_MODEL_KINDS_H

#include "model/schema.h"

/* As ks_kind_of, for strings that may be escaped. */
ks_kind ks_kind_read(ks_json_string api_version, ks_json_string kind);
/* The kind of a list's items ("PodList" gives KS_POD); KS_KIND_NONE if they must tell themselves. */
ks_kind ks_kind_read_list(ks_json_string api_version, ks_json_string list_kind);

#endif
