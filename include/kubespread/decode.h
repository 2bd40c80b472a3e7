// SPDX-License-Identifier: Apache-2.0
/* Text to objects: JSON and YAML, single objects, Lists, also nested, multi-document streams, as kubectl
 * prints and accepts them. JSON is recognised by its first character. */
#ifndef KUBESPREAD_DECODE_H
#define KUBESPREAD_DECODE_H

#include <kubespread/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A text and the name to call it by in messages ("web.yaml", "<stdin>"). Both stay the caller's. */
typedef struct ks_source {
    ks_str name, text;
} ks_source;

/* Called for each object in the order of the text. The object is valid until the callback returns.
 * A return other than 0 ends the decoding with that code; fill `err` in if it is the caller's to see. */
typedef int (*ks_object_fn)(void *ctx, const ks_object *object, ks_error *err);

/* Decodes every object of a kind that the model knows; objects of other kinds and unknown fields are
 * skipped, though their text must be well-formed. Memory is bounded by the largest single object (JSON)
 * or document (YAML), not by the text. Of two equal keys in one JSON object, those of known fields and of
 * maps are refused; unknown fields are not compared. libyaml, which scans YAML, takes the memory that it
 * needs for a document from malloc, whatever the allocator.
 *
 * A fault ends it with KS_EINVAL or KS_ELIMIT and one line such as
 *   web.yaml:12:18: spec.topologySpreadConstraints[0].maxSkew: "two": must be an integer
 * Objects before the fault have been handed over. */
KS_API int ks_decode(ks_source source, const ks_allocator *allocator, ks_object_fn object, void *ctx,
                     ks_error *err);

/* Exact quantities: "100m", "1.5Gi", "2e3", "0.1", "-3", "9E". KS_EINVAL with the rule for what
 * Kubernetes refuses and for what does not fit 64 bits. */
KS_API int ks_quantity_parse(ks_quantity *out, ks_str text, ks_error *err);
/* The amount in units of 10^scale (0: whole units, -3: thousandths), rounded up as the scheduler does;
 * INT64_MAX or INT64_MIN where it would not fit. */
KS_API int64_t ks_quantity_scaled(ks_quantity quantity, int scale);

#ifdef __cplusplus
}
#endif
#endif
