// SPDX-License-Identifier: Apache-2.0
#include "model/yaml.h"
#include "model/yaml_out.h"
#include "model/yaml_scalar.h"
#include <yaml.h>

#define TAG_PREFIX "tag:yaml.org,2002:"
struct ks_yaml {
    ks_alloc *alloc;
    ks_source source;
    yaml_parser_t parser;
    ks_yaml_out out;
};

int ks_yaml_new(ks_yaml **out, ks_source source, size_t begin, ks_alloc *alloc, ks_error *err)
{
    ks_yaml *yaml = ks_alloc_get_zeroed(alloc, sizeof *yaml);
    if (!yaml)
        return ks_fail_nomem(err);
    if (!yaml_parser_initialize(&yaml->parser)) {
        ks_alloc_free(alloc, yaml, sizeof *yaml);
        return ks_fail_nomem(err);
    }
    yaml->alloc = alloc;
    yaml->source = source;
    ks_yaml_out_init(&yaml->out, alloc);
    yaml->out.places.begin = begin;
    yaml_parser_set_encoding(&yaml->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&yaml->parser, (const unsigned char *)source.text.data + begin,
                                 source.text.len - begin);
    *out = yaml;
    return 0;
}

void ks_yaml_free(ks_yaml *yaml)
{
    if (!yaml)
        return;
    yaml_parser_delete(&yaml->parser);
    ks_yaml_out_free(&yaml->out);
    ks_alloc_free(yaml->alloc, yaml, sizeof *yaml);
}

ks_str ks_yaml_json(const ks_yaml *yaml)
{
    return ks_buf_str(&yaml->out.json);
}

const ks_yaml_places *ks_yaml_get_places(const ks_yaml *yaml)
{
    return &yaml->out.places;
}

/* ---- scalars ---- */

static ks_str text_of(const yaml_char_t *text)
{
    return ks_str_of((const char *)text);
}

static ks_str value_of(const yaml_event_t *event)
{
    return (ks_str){(const char *)event->data.scalar.value, event->data.scalar.length};
}

static bool fail_scalar(ks_yaml_out *out, const yaml_event_t *event, const char *rule)
{
    return ks_yaml_out_fail(out, KS_EINVAL, event->start_mark.index, value_of(event), rule);
}

static const struct {
    const char *tag;
    ks_yaml_type type;
    const char *rule;
} tags[] = {
    {"bool", KS_YAML_BOOL, "must be a boolean, as its tag !!bool says"},
    {"float", KS_YAML_FLOAT, "must be a number, as its tag !!float says"},
    {"int", KS_YAML_INT, "must be an integer, as its tag !!int says"},
    {"null", KS_YAML_NULL, "must be null, as its tag !!null says"},
};

/* The rule that a scalar's tag makes, if what it resolved to breaks it. */
static const char *tag_fault(const char *tag, ks_yaml_type type)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (strcmp(tag, tags[i].tag) != 0 || type == tags[i].type)
            continue;
        bool number = type == KS_YAML_INT || type == KS_YAML_NOT_FINITE;
        return tags[i].type == KS_YAML_FLOAT && number ? NULL : tags[i].rule;
    }
    return NULL;
}

static bool is_resolved_tag(const char *tag)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strcmp(tag, tags[i].tag) == 0)
            return true;
    return false;
}

/* What a scalar is: plain ones by their looks, tagged ones by their tag, all others strings. */
static bool resolve(ks_yaml_out *out, const yaml_event_t *event, ks_yaml_scalar *scalar)
{
    *scalar = (ks_yaml_scalar){.type = KS_YAML_STRING};
    const char *tag = (const char *)event->data.scalar.tag;
    if (!tag) {
        if (event->data.scalar.plain_implicit)
            *scalar = ks_yaml_resolve(value_of(event));
        return true;
    }
    if (strncmp(tag, TAG_PREFIX, sizeof TAG_PREFIX - 1) != 0)
        return true;
    tag += sizeof TAG_PREFIX - 1;
    if (strcmp(tag, "binary") == 0)
        return fail_scalar(out, event, "the tag !!binary is not supported");
    if (!is_resolved_tag(tag))
        return true;
    *scalar = ks_yaml_resolve(value_of(event));
    const char *fault = tag_fault(tag, scalar->type);
    return !fault || fail_scalar(out, event, fault);
}

static bool put_key(ks_yaml_out *out, const ks_yaml_node *node, const yaml_event_t *event)
{
    ks_yaml_scalar scalar;
    if (!resolve(out, event, &scalar))
        return false;
    switch (scalar.type) {
    case KS_YAML_NULL:
        return fail_scalar(out, event, "a key must be a string, number or boolean");
    case KS_YAML_BOOL:
        return ks_yaml_put_key(out, node, scalar.truth ? KS_STR("true") : KS_STR("false"));
    case KS_YAML_FLOAT:
        ks_yaml_float_key(scalar.text, scalar.number);
        return ks_yaml_put_key(out, node, ks_str_of(scalar.text));
    case KS_YAML_INT:
    case KS_YAML_NOT_FINITE:
        return ks_yaml_put_key(out, node, ks_str_of(scalar.text));
    case KS_YAML_STRING:
        break;
    }
    return ks_yaml_put_key(out, node, value_of(event));
}

static bool put_value(ks_yaml_out *out, const ks_yaml_node *node, const yaml_event_t *event)
{
    ks_yaml_scalar scalar;
    if (!resolve(out, event, &scalar))
        return false;
    switch (scalar.type) {
    case KS_YAML_NULL:
        return ks_yaml_put_raw(out, node, KS_STR("null"));
    case KS_YAML_BOOL:
        return ks_yaml_put_raw(out, node, scalar.truth ? KS_STR("true") : KS_STR("false"));
    case KS_YAML_INT:
    case KS_YAML_FLOAT:
        return ks_yaml_put_raw(out, node, ks_str_of(scalar.text));
    case KS_YAML_NOT_FINITE:
        return fail_scalar(out, event, "must be a finite number");
    case KS_YAML_STRING:
        break;
    }
    return ks_yaml_put_string(out, node, value_of(event));
}

static bool is_merge_key(const yaml_event_t *event)
{
    const char *tag = (const char *)event->data.scalar.tag;
    return ks_str_eq(value_of(event), KS_STR("<<")) &&
           (event->data.scalar.plain_implicit || (tag && strcmp(tag, TAG_PREFIX "merge") == 0));
}

/* ---- events ---- */

static bool put_scalar(ks_yaml_out *out, const yaml_event_t *event)
{
    ks_yaml_node node = {event->start_mark.index, text_of(event->data.scalar.anchor)};
    if (!ks_yaml_out_wants_key(out))
        return put_value(out, &node, event);
    return is_merge_key(event) ? ks_yaml_put_merge_key(out, &node) : put_key(out, &node, event);
}

static bool put_alias(ks_yaml_out *out, const yaml_event_t *event)
{
    ks_yaml_node node = {event->start_mark.index, {0}};
    ks_str name = text_of(event->data.alias.anchor);
    return ks_yaml_out_wants_key(out) ? ks_yaml_put_alias_key(out, &node, name)
                                      : ks_yaml_put_alias(out, &node, name);
}

static bool put_event(ks_yaml_out *out, const yaml_event_t *event)
{
    ks_yaml_node node = {event->start_mark.index, {0}};
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return put_scalar(out, event);
    case YAML_ALIAS_EVENT:
        return put_alias(out, event);
    case YAML_SEQUENCE_START_EVENT:
        node.anchor = text_of(event->data.sequence_start.anchor);
        return ks_yaml_open_sequence(out, &node);
    case YAML_MAPPING_START_EVENT:
        node.anchor = text_of(event->data.mapping_start.anchor);
        return ks_yaml_open_mapping(out, &node);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return ks_yaml_close(out);
    default: /* of streams and documents */
        return true;
    }
}

/* ---- documents ---- */

/* The byte of the source where a character stands. */
static size_t byte_of(const ks_yaml *yaml, size_t character)
{
    ks_yaml_place place = {0, character};
    ks_yaml_places places = {.items = &place, .count = 1, .begin = yaml->out.places.begin};
    return ks_yaml_find(&places, yaml->source.text, 0);
}

static int fail_conversion(const ks_yaml *yaml, ks_error *err)
{
    const ks_yaml_out *out = &yaml->out;
    if (out->code == KS_ENOMEM)
        return ks_fail_nomem(err);
    size_t byte = byte_of(yaml, out->fault_character);
    if (!out->value.data)
        return ks_source_fail(err, out->code, yaml->source, byte, "%s", out->rule);
    return ks_source_fail(err, out->code, yaml->source, byte, "\"%.*s%s\": %s", KS_STR_SHORT_ARG(out->value),
                          out->rule);
}

static int fail_parse(const ks_yaml *yaml, ks_error *err)
{
    const yaml_parser_t *parser = &yaml->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return ks_fail_nomem(err);
    size_t byte = parser->error == YAML_READER_ERROR ? yaml->out.places.begin + parser->problem_offset
                                                     : byte_of(yaml, parser->problem_mark.index);
    const char *problem = parser->problem ? parser->problem : "malformed YAML";
    if (!parser->context)
        return ks_source_fail(err, KS_EINVAL, yaml->source, byte, "%s", problem);
    return ks_source_fail(err, KS_EINVAL, yaml->source, byte, "%s, %s", problem, parser->context);
}

int ks_yaml_next(bool *more, ks_yaml *yaml, ks_error *err)
{
    *more = false;
    ks_yaml_out_reset(&yaml->out);
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&yaml->parser, &event))
            return fail_parse(yaml, err);
        yaml_event_type_t type = event.type;
        int rc = put_event(&yaml->out, &event) ? 0 : fail_conversion(yaml, err);
        yaml_event_delete(&event);
        if (rc)
            return rc;
        *more = type == YAML_DOCUMENT_END_EVENT;
        if (*more || type == YAML_STREAM_END_EVENT || type == YAML_NO_EVENT)
            return 0;
    }
}
