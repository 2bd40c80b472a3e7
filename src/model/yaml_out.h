// SPDX-License-Identifier: Apache-2.0
/* The JSON text that YAML's events make. Nodes come in as the parser meets them; commas, keys given twice,
 * anchors, aliases and merge keys are looked after here. Functions return false on a fault. */
#ifndef KS_MODEL_YAML_OUT_H
#define KS_MODEL_YAML_OUT_H

#include "model/yaml.h"
#include "util/arena.h"
#include "util/index.h"

/* A node's place, and its anchor if it has one. */
typedef struct ks_yaml_node {
    size_t character;
    ks_str anchor;
} ks_yaml_node;

/* Whether a member stands in its mapping or came there by a merge key. */
typedef enum ks_yaml_origin { KS_YAML_WRITTEN, KS_YAML_MERGED } ks_yaml_origin;

/* A member of an open mapping: bytes of the JSON text, from the comma before it to its end. */
typedef struct ks_yaml_member {
    uint64_t hash;
    size_t begin, key, key_end, end;
    ks_yaml_origin origin;
    bool gone; /* overridden by a later one of the same key, and blanked out */
} ks_yaml_member;

typedef enum ks_yaml_next_part { KS_YAML_KEY, KS_YAML_VALUE, KS_YAML_MERGE } ks_yaml_next_part;

/* An open mapping or sequence. */
typedef struct ks_yaml_frame {
    bool mapping;
    bool overridden;        /* a member is gone, its comma perhaps not */
    ks_yaml_next_part next; /* mapping */
    size_t begin;           /* of its bracket */
    size_t members;         /* where its own begin in `members` */
    ks_index index;         /* of its members, once they are many */
    uint32_t anchor;        /* row, or KS_NONE */
    size_t merge_begin, merge_anchors, merge_character;
} ks_yaml_frame;

/* Text that an alias can stand for. */
typedef struct ks_yaml_anchor {
    ks_str name;
    size_t begin, end; /* in the JSON text, as long as `text` is NULL */
    const char *text;  /* a copy, made when it is needed or the original goes */
    bool open;         /* its node is not complete */
} ks_yaml_anchor;

typedef struct ks_yaml_out {
    ks_alloc *alloc;
    ks_arena arena;
    ks_buf json;
    ks_buf quoted; /* the key at hand */
    ks_yaml_places places;
    KS_VEC(ks_yaml_frame) frames;
    KS_VEC(ks_yaml_member) members;
    KS_VEC(ks_yaml_anchor) anchors; /* in the order of the text; the index has the last of each name */
    ks_index anchor_index;
    size_t expanded; /* bytes copied for aliases and merges */
    /* The fault, if there is one. */
    int code;
    const char *rule; /* static text */
    ks_str value;     /* to be quoted; as JSON text without its quotes */
    size_t fault_character;
} ks_yaml_out;

void ks_yaml_out_init(ks_yaml_out *out, ks_alloc *alloc);
void ks_yaml_out_free(ks_yaml_out *out);
/* Forgets the document, ready for the next. */
void ks_yaml_out_reset(ks_yaml_out *out);

/* Faults. `value` must live until the fault is told; it may be absent. */
bool ks_yaml_out_fail(ks_yaml_out *out, int code, size_t character, ks_str value, const char *rule);
bool ks_yaml_out_fail_memory(ks_yaml_out *out);
/* Notes bytes that stand in the text only once; a fault if they grow beyond what anybody writes. */
bool ks_yaml_out_charge(ks_yaml_out *out, size_t character, size_t bytes);

/* Whether the next node is a mapping's key. */
bool ks_yaml_out_wants_key(const ks_yaml_out *out);

/* Keys: a string, an alias, or the merge key. */
bool ks_yaml_put_key(ks_yaml_out *out, const ks_yaml_node *node, ks_str key);
bool ks_yaml_put_alias_key(ks_yaml_out *out, const ks_yaml_node *node, ks_str name);
bool ks_yaml_put_merge_key(ks_yaml_out *out, const ks_yaml_node *node);
/* Begins a member with a key that is JSON text, quotes included; the value follows. */
bool ks_yaml_put_member(ks_yaml_out *out, size_t character, ks_str quoted_key, ks_yaml_origin origin);

/* Values. */
bool ks_yaml_put_string(ks_yaml_out *out, const ks_yaml_node *node, ks_str value);
bool ks_yaml_put_raw(ks_yaml_out *out, const ks_yaml_node *node, ks_str json);
bool ks_yaml_put_alias(ks_yaml_out *out, const ks_yaml_node *node, ks_str name);
bool ks_yaml_open_mapping(ks_yaml_out *out, const ks_yaml_node *node);
bool ks_yaml_open_sequence(ks_yaml_out *out, const ks_yaml_node *node);
bool ks_yaml_close(ks_yaml_out *out);

/* Anchors, by row. */
bool ks_yaml_anchor_add(ks_yaml_out *out, const ks_yaml_node *node, uint32_t *row);
void ks_yaml_anchor_close(ks_yaml_out *out, uint32_t row);
/* The JSON text that an alias stands for. */
bool ks_yaml_anchor_text(ks_yaml_out *out, size_t character, ks_str name, ks_str *text);
/* For anchors from row `first` on whose text lies between two bytes that are about to go: `copy` of those
 * bytes holds it from now on. */
void ks_yaml_anchors_move(ks_yaml_out *out, size_t first, size_t begin, size_t end, const char *copy);

#define KS_YAML_NOT_MAPPINGS "a merge key's value must be a map or a list of maps"
/* The value of a merge key is complete: its members go into the mapping instead. */
bool ks_yaml_merge(ks_yaml_out *out);

#endif
