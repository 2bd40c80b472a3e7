// SPDX-License-Identifier: Apache-2.0
/* Kinds by the names that kubectl knows them by, and "kind/NAME". */
#ifndef KS_CLI_RESOURCE_H
#define KS_CLI_RESOURCE_H

#include "util/str.h"
#include <kubespread/model.h>

/* A pod, or something that makes pods. */
typedef struct ks_resource_ref {
    ks_kind kind;
    ks_str name;
} ks_resource_ref;

/* "deployment", "pod", …; for kinds that are or make pods. */
const char *ks_resource_type(ks_kind kind);

/* "deploy", "deployments.apps", "pod": the type alone. */
bool ks_resource_is_type(ks_str text);

/* Reads "deploy/web", "deployments.apps/web", "sts/db", "pod/x". False if it is nothing like that. */
bool ks_resource_parse(ks_resource_ref *out, ks_str text);

/* What an object's pods are made of: its template, or the pod itself. False if it neither is nor makes pods.
 * `path` receives the template's place in it, with a dot at the end; "" for a pod. */
bool ks_resource_template(ks_pod *out, const char **path, const ks_object *object);

#endif
