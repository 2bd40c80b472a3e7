// SPDX-License-Identifier: Apache-2.0
#include "model/yaml.h"
#include "util/utf8.h"

/* The character of the last place at or before a byte of the JSON. */
static size_t character_of(const ks_yaml_places *places, size_t json)
{
    size_t low = 0, high = places->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places->items[middle].json <= json)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? places->items[low - 1].character : 0;
}

size_t ks_yaml_find_next(ks_yaml_cursor *cursor, const ks_yaml_places *places, ks_str text, size_t json)
{
    size_t character = character_of(places, json);
    if (character < cursor->character || cursor->byte < places->begin)
        *cursor = (ks_yaml_cursor){0, places->begin};
    while (cursor->character < character && cursor->byte < text.len) {
        cursor->byte++;
        while (cursor->byte < text.len && ks_utf8_continues(text.data[cursor->byte]))
            cursor->byte++;
        cursor->character++;
    }
    return cursor->byte;
}

size_t ks_yaml_find(const ks_yaml_places *places, ks_str text, size_t json)
{
    ks_yaml_cursor cursor = {0};
    return ks_yaml_find_next(&cursor, places, text, json);
}
