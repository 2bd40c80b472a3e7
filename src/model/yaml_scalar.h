// SPDX-License-Identifier: Apache-2.0
/* What a plain YAML scalar means, by the rules of the YAML library that Kubernetes uses. */
#ifndef KS_MODEL_YAML_SCALAR_H
#define KS_MODEL_YAML_SCALAR_H

#include "util/str.h"

typedef enum ks_yaml_type {
    KS_YAML_STRING,
    KS_YAML_NULL,
    KS_YAML_BOOL,
    KS_YAML_INT,
    KS_YAML_FLOAT,
    KS_YAML_NOT_FINITE, /* .inf, -.inf, .nan */
} ks_yaml_type;

enum { KS_YAML_NUMBER_MAX = 40 };

typedef struct ks_yaml_scalar {
    ks_yaml_type type;
    bool truth;                    /* KS_YAML_BOOL */
    double number;                 /* KS_YAML_FLOAT */
    char text[KS_YAML_NUMBER_MAX]; /* KS_YAML_INT and _FLOAT: as JSON. _NOT_FINITE: as a key */
} ks_yaml_scalar;

ks_yaml_scalar ks_yaml_resolve(ks_str text);
/* How a number becomes a key: with the digits that a 32-bit float needs. */
void ks_yaml_float_key(char out[KS_YAML_NUMBER_MAX], double number);

#endif
