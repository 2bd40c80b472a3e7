// SPDX-License-Identifier: Apache-2.0
/* Faults of an object's fields, written the way Kubernetes writes them: field path, sort of fault, value,
 * rule. */
#ifndef KS_MODEL_FAULT_H
#define KS_MODEL_FAULT_H

#include "util/str.h"
#include <kubespread/validate.h>

/* Where faults go. Want of memory is remembered; ks_faults_finish tells it. */
typedef struct ks_faults {
    ks_buf path; /* of the part being looked at */
    ks_buf text;
    size_t count;
    ks_fault_fn report; /* may be NULL to only count */
    void *ctx;
} ks_faults;

void ks_faults_init(ks_faults *faults, ks_alloc *alloc, ks_fault_fn report, void *ctx);
/* Want of memory elsewhere in the check. */
void ks_faults_fail(ks_faults *faults);
/* Frees everything. */
int ks_faults_finish(ks_faults *faults, ks_error *err);

/* Goes down the path (".labelSelector", "[3]"); what it returns leads back up. */
size_t ks_faults_enter(ks_faults *faults, const char *format, ...) KS_PRINTF(2, 3);
void ks_faults_leave(ks_faults *faults, size_t mark);

/* A value as a message shows it. */
typedef struct ks_shown {
    enum { KS_SHOWN_INT, KS_SHOWN_STRING, KS_SHOWN_ENUM, KS_SHOWN_RAW } sort;
    int64_t number;
    ks_str text;
} ks_shown;

static inline ks_shown ks_show_int(int64_t number)
{
    return (ks_shown){.sort = KS_SHOWN_INT, .number = number};
}

static inline ks_shown ks_show_string(ks_str text)
{
    return (ks_shown){.sort = KS_SHOWN_STRING, .text = text};
}

/* A value of an enumerated type: quoted by other rules than plain strings. */
static inline ks_shown ks_show_enum(ks_str text)
{
    return (ks_shown){.sort = KS_SHOWN_ENUM, .text = text};
}

/* Text that stands for a value as it is. */
static inline ks_shown ks_show_raw(ks_str text)
{
    return (ks_shown){.sort = KS_SHOWN_RAW, .text = text};
}

/* `field` comes behind the path: ".maxSkew", or "" for the part itself. `rule` may be "". */
void ks_fault_required(ks_faults *faults, const char *field, const char *rule);
void ks_fault_forbidden(ks_faults *faults, const char *field, const char *rule);
void ks_fault_invalid(ks_faults *faults, const char *field, ks_shown value, const char *rule);
void ks_fault_duplicate(ks_faults *faults, const char *field, ks_shown value);
/* `supported`: "\"Honor\", \"Ignore\"". */
void ks_fault_not_supported(ks_faults *faults, const char *field, ks_shown value, const char *supported);
/* A fault that is written out already, from the name of a field below the path. */
void ks_fault_text(ks_faults *faults, ks_str text);

/* Every rule for label keys and label values that a string breaks. */
void ks_fault_label_key(ks_faults *faults, const char *field, ks_str key);
void ks_fault_label_value(ks_faults *faults, const char *field, ks_str value);

/* What keeps a node selector's term from being parsed (config_args_check.c). */
void ks_node_selector_term_check(ks_faults *faults, const ks_node_selector_term *term);

#endif
