// SPDX-License-Identifier: Apache-2.0
#include "support/dump.h"
#include <inttypes.h>

typedef struct dump {
    ks_buf *buf;
    bool comma;
} dump;

static void dump_fields(dump *d, const ks_schema *schema, const char *value);

static void put_str(dump *d, ks_str s)
{
    ks_buf_printf(d->buf, "'%.*s'", KS_STR_ARG(s));
}

static void put_name(dump *d, const char *name)
{
    ks_buf_printf(d->buf, "%s%s:", d->comma ? "," : "", name);
    d->comma = true;
}

/* An object of its own, without commas from outside. */
static void put_object(dump *d, const ks_schema *schema, const void *value)
{
    dump inner = {.buf = d->buf};
    ks_buf_put_char(d->buf, '{');
    dump_fields(&inner, schema, value);
    ks_buf_put_char(d->buf, '}');
}

static void dump_labels(dump *d, const char *name, const ks_labels *labels)
{
    if (!labels->items)
        return;
    put_name(d, name);
    ks_buf_put_char(d->buf, '{');
    for (size_t i = 0; i < labels->count; i++) {
        ks_buf_printf(d->buf, "%s%.*s:", i ? "," : "", KS_STR_ARG(labels->items[i].key));
        put_str(d, labels->items[i].value);
    }
    ks_buf_put_char(d->buf, '}');
}

static void dump_resources(dump *d, const char *name, const ks_resources *resources)
{
    if (!resources->items)
        return;
    put_name(d, name);
    ks_buf_put_char(d->buf, '{');
    for (size_t i = 0; i < resources->count; i++) {
        const ks_resource *resource = &resources->items[i];
        ks_buf_printf(d->buf, "%s%.*s:%" PRId64 "e%d", i ? "," : "", KS_STR_ARG(resource->name),
                      resource->quantity.value, resource->quantity.scale);
    }
    ks_buf_put_char(d->buf, '}');
}

static void dump_strings(dump *d, const char *name, const ks_strs *strings)
{
    if (!strings->items)
        return;
    put_name(d, name);
    ks_buf_put_char(d->buf, '[');
    for (size_t i = 0; i < strings->count; i++) {
        if (i)
            ks_buf_put_char(d->buf, ',');
        put_str(d, strings->items[i]);
    }
    ks_buf_put_char(d->buf, ']');
}

static void dump_list(dump *d, const ks_field *field, const void *value)
{
    struct {
        char *items;
        size_t count;
    } list;
    memcpy(&list, value, sizeof list);
    if (!list.items)
        return;
    put_name(d, field->name);
    ks_buf_put_char(d->buf, '[');
    for (size_t i = 0; i < list.count; i++) {
        if (i)
            ks_buf_put_char(d->buf, ',');
        put_object(d, field->schema, list.items + i * field->schema->size);
    }
    ks_buf_put_char(d->buf, ']');
}

static void dump_pointer(dump *d, const ks_field *field, const void *value)
{
    const void *pointer;
    memcpy(&pointer, value, sizeof pointer);
    if (!pointer)
        return;
    put_name(d, field->name);
    put_object(d, field->schema, pointer);
}

static void dump_string(dump *d, const char *name, const ks_str *value)
{
    if (!value->data)
        return;
    put_name(d, name);
    put_str(d, *value);
}

static void dump_number(dump *d, const char *name, bool set, int64_t value)
{
    if (!set)
        return;
    put_name(d, name);
    ks_buf_printf(d->buf, "%" PRId64, value);
}

static void dump_flag(dump *d, const char *name, bool set, bool value)
{
    if (!set)
        return;
    put_name(d, name);
    ks_buf_put_str(d->buf, value ? KS_STR("true") : KS_STR("false"));
}

static void dump_struct_field(dump *d, const ks_field *field, const void *value)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    ks_buf inside;
    ks_buf_init(&inside, &alloc);
    dump_struct(&inside, field->schema, value);
    if (inside.len > sizeof "{}" - 1) {
        put_name(d, field->name);
        ks_buf_put_str(d->buf, ks_buf_str(&inside));
    }
    ks_buf_free(&inside);
}

static void dump_field(dump *d, const ks_field *field, const void *value)
{
    const ks_opt_bool *opt_bool = value;
    const ks_opt_i32 *opt_i32 = value;
    const ks_int_or_percent *either = value;
    switch (field->type) {
    case KS_FIELD_STRING:
    case KS_FIELD_TIMESTAMP:
    case KS_FIELD_RAW:
        dump_string(d, field->name, value);
        return;
    case KS_FIELD_BOOL:
        dump_flag(d, field->name, *(const bool *)value, true);
        return;
    case KS_FIELD_OPT_BOOL:
        dump_flag(d, field->name, opt_bool->set, opt_bool->value);
        return;
    case KS_FIELD_I32:
        dump_number(d, field->name, *(const int32_t *)value != 0, *(const int32_t *)value);
        return;
    case KS_FIELD_I64:
        dump_number(d, field->name, *(const int64_t *)value != 0, *(const int64_t *)value);
        return;
    case KS_FIELD_OPT_I32:
        dump_number(d, field->name, opt_i32->set, opt_i32->value);
        return;
    case KS_FIELD_INT_OR_PERCENT:
        dump_number(d, field->name, either->set, either->value);
        if (either->percent)
            ks_buf_put_char(d->buf, '%');
        return;
    case KS_FIELD_STRINGS:
        dump_strings(d, field->name, value);
        return;
    case KS_FIELD_LABELS:
    case KS_FIELD_OBJECT_LABELS:
        dump_labels(d, field->name, value);
        return;
    case KS_FIELD_RESOURCES:
        dump_resources(d, field->name, value);
        return;
    case KS_FIELD_STRUCT:
        dump_struct_field(d, field, value);
        return;
    case KS_FIELD_POINTER:
        dump_pointer(d, field, value);
        return;
    case KS_FIELD_LIST:
        dump_list(d, field, value);
        return;
    case KS_FIELD_SKIPPED:
        return;
    }
}

static void dump_fields(dump *d, const ks_schema *schema, const char *value)
{
    for (size_t i = 0; i < schema->count; i++)
        dump_field(d, &schema->fields[i], value + schema->fields[i].offset);
}

void dump_struct(ks_buf *buf, const ks_schema *schema, const void *value)
{
    dump d = {.buf = buf};
    put_object(&d, schema, value);
}
