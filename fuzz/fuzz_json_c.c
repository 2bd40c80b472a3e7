// SPDX-License-Identifier: Apache-2.0
/* The JSON reader against json-c in strict mode: json-c takes whatever we take. The other way round does
 * not hold, because even its strict mode lets some malformed texts pass, such as lone surrogates. */
#include "util/json.h"
#include <json-c/json_tokener.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            abort();                                                                                         \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_json(ks_str text)
{
    ks_json r;
    ks_json_init(&r, text);
    return ks_json_skip(&r) && ks_json_at_end(&r);
}

/* `text` has a NUL behind it, which is what ends a number at the top for json-c. */
static enum json_tokener_error json_c_verdict(ks_str text)
{
    struct json_tokener *tokener = json_tokener_new_ex(KS_JSON_DEPTH_MAX + 2);
    CHECK(tokener);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *value = json_tokener_parse_ex(tokener, text.data, (int)text.len + 1);
    enum json_tokener_error verdict = json_tokener_get_error(tokener);
    json_object_put(value);
    json_tokener_free(tokener);
    return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!is_json((ks_str){(const char *)data, size}))
        return 0;
    char *copy = malloc(size + 1);
    CHECK(copy);
    memcpy(copy, data, size);
    copy[size] = '\0';
    CHECK(json_c_verdict((ks_str){copy, size}) == json_tokener_success);
    free(copy);
    return 0;
}
