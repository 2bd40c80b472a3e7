// SPDX-License-Identifier: Apache-2.0
/* YAML to JSON text, document by document. Scalars become what Kubernetes makes of them
 * (sigs.k8s.io/yaml): YAML 1.1's yes and no are booleans, 0777 is octal, timestamps are strings.
 *
 * What libyaml leaves to its caller is refused here: nesting beyond JSON's limit, keys given twice, aliases
 * that expand without end, numbers that JSON cannot write. */
#ifndef KS_MODEL_YAML_H
#define KS_MODEL_YAML_H

#include "model/source.h"
#include "util/vec.h"

/* Where a piece of the JSON text comes from: the value or key that begins at byte `json` stands at
 * character `character` of the YAML. libyaml counts characters, not bytes. */
typedef struct ks_yaml_place {
    size_t json, character;
} ks_yaml_place;

typedef struct ks_yaml_places {
    ks_yaml_place *items; /* in rising order of `json` */
    size_t count, cap;
    size_t begin; /* the byte of the source where characters count from */
} ks_yaml_places;

/* The byte of `text` (the source) that the JSON's byte `json` comes from. */
size_t ks_yaml_find(const ks_yaml_places *places, ks_str text, size_t json);

/* The same for places that are asked for in rising order, at the cost of the way from the last one. Starts
 * zeroed. */
typedef struct ks_yaml_cursor {
    size_t character, byte;
} ks_yaml_cursor;
size_t ks_yaml_find_next(ks_yaml_cursor *cursor, const ks_yaml_places *places, ks_str text, size_t json);

typedef struct ks_yaml ks_yaml; /* freed with ks_yaml_free */

/* Reads the source from byte `begin` to its end. */
int ks_yaml_new(ks_yaml **out, ks_source source, size_t begin, ks_alloc *alloc, ks_error *err);
void ks_yaml_free(ks_yaml *yaml);

/* Converts the next document. *more is false when there is none left. */
int ks_yaml_next(bool *more, ks_yaml *yaml, ks_error *err);
/* The document as JSON, an empty one as null, and where its parts come from; valid until the next one. */
ks_str ks_yaml_json(const ks_yaml *yaml);
const ks_yaml_places *ks_yaml_get_places(const ks_yaml *yaml);

#endif
