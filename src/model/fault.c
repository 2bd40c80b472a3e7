// SPDX-License-Identifier: Apache-2.0
#include "model/fault.h"
#include "model/quote.h"
#include "model/selector.h"
#include <inttypes.h>
#include <stdio.h>

void ks_faults_init(ks_faults *faults, ks_alloc *alloc, ks_fault_fn report, void *ctx)
{
    *faults = (ks_faults){.report = report, .ctx = ctx};
    ks_buf_init(&faults->path, alloc);
    ks_buf_init(&faults->text, alloc);
}

void ks_faults_fail(ks_faults *faults)
{
    faults->path.failed = true;
}

int ks_faults_finish(ks_faults *faults, ks_error *err)
{
    bool failed = faults->path.failed || faults->text.failed;
    ks_buf_free(&faults->path);
    ks_buf_free(&faults->text);
    return failed ? ks_fail_nomem(err) : KS_OK;
}

size_t ks_faults_enter(ks_faults *faults, const char *format, ...)
{
    char step[64];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(step, sizeof step, format, args);
    va_end(args);
    size_t mark = faults->path.len;
    if (len > 0)
        ks_buf_put(&faults->path, step, (size_t)len < sizeof step ? (size_t)len : sizeof step - 1);
    return mark;
}

void ks_faults_leave(ks_faults *faults, size_t mark)
{
    faults->path.len = mark;
}

static void put_value(ks_buf *buf, ks_shown value)
{
    switch (value.sort) {
    case KS_SHOWN_INT:
        ks_buf_printf(buf, "%" PRId64, value.number);
        break;
    case KS_SHOWN_STRING:
        ks_quote_go(buf, value.text);
        break;
    case KS_SHOWN_ENUM:
        ks_quote_json(buf, value.text);
        break;
    case KS_SHOWN_RAW:
        ks_buf_put_str(buf, value.text);
        break;
    }
}

static void begin_path(ks_faults *faults)
{
    bool failed = faults->text.failed;
    ks_buf_clear(&faults->text);
    faults->text.failed = failed;
    ks_buf_put_str(&faults->text, ks_buf_str(&faults->path));
}

static void begin(ks_faults *faults, const char *field, const char *sort)
{
    begin_path(faults);
    ks_buf_printf(&faults->text, "%s: %s", field, sort);
}

static void end(ks_faults *faults, const char *before_rule, const char *rule)
{
    if (*rule)
        ks_buf_printf(&faults->text, ": %s%s", before_rule, rule);
    if (faults->text.failed || faults->path.failed)
        return;
    faults->count++;
    if (!faults->report)
        return;
    /* A path that nothing stands before begins with a name, not with the dot that leads down to it. */
    ks_str text = ks_buf_str(&faults->text);
    size_t dot = text.data[0] == '.';
    faults->report(faults->ctx, (ks_str){text.data + dot, text.len - dot});
}

static void report_value(ks_faults *faults, const char *field, const char *sort, ks_shown value)
{
    begin(faults, field, sort);
    ks_buf_put_str(&faults->text, KS_STR(": "));
    put_value(&faults->text, value);
}

void ks_fault_required(ks_faults *faults, const char *field, const char *rule)
{
    begin(faults, field, "Required value");
    end(faults, "", rule);
}

void ks_fault_forbidden(ks_faults *faults, const char *field, const char *rule)
{
    begin(faults, field, "Forbidden");
    end(faults, "", rule);
}

void ks_fault_invalid(ks_faults *faults, const char *field, ks_shown value, const char *rule)
{
    report_value(faults, field, "Invalid value", value);
    end(faults, "", rule);
}

void ks_fault_duplicate(ks_faults *faults, const char *field, ks_shown value)
{
    report_value(faults, field, "Duplicate value", value);
    end(faults, "", "");
}

void ks_fault_not_supported(ks_faults *faults, const char *field, ks_shown value, const char *supported)
{
    report_value(faults, field, "Unsupported value", value);
    end(faults, "supported values: ", supported);
}

void ks_fault_text(ks_faults *faults, ks_str text)
{
    begin_path(faults);
    ks_buf_put_char(&faults->text, '.');
    ks_buf_put_str(&faults->text, text);
    end(faults, "", "");
}

void ks_fault_label_key(ks_faults *faults, const char *field, ks_str key)
{
    const char *rules[KS_LABEL_FAULTS_MAX];
    size_t count = ks_label_key_faults(rules, key);
    for (size_t i = 0; i < count; i++)
        ks_fault_invalid(faults, field, ks_show_string(key), rules[i]);
}

void ks_fault_label_value(ks_faults *faults, const char *field, ks_str value)
{
    const char *rules[KS_LABEL_FAULTS_MAX];
    size_t count = ks_label_value_faults(rules, value);
    for (size_t i = 0; i < count; i++)
        ks_fault_invalid(faults, field, ks_show_string(value), rules[i]);
}
