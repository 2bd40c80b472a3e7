// SPDX-License-Identifier: Apache-2.0
/* Insertion in short runs, which are then merged in place: the longer of two runs is cut in its middle, the
 * other one where that item belongs, and what lies between the cuts is rotated, which leaves two smaller
 * merges. */
#include "util/sort.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { RUN_LENGTH = 16 };

typedef struct row {
    char *items;
    size_t size;
    ks_compare compare;
} row;

static char *at(const row *r, size_t i)
{
    return r->items + i * r->size;
}

static bool in_order(const row *r, size_t i, size_t j)
{
    return r->compare(at(r, i), at(r, j)) <= 0;
}

/* The first of the items from `begin` to `end` that does not come before item `key`. */
static size_t find_not_below(const row *r, size_t begin, size_t end, size_t key)
{
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (r->compare(at(r, middle), at(r, key)) < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* The first of them that comes after item `key`. */
static size_t find_above(const row *r, size_t begin, size_t end, size_t key)
{
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (in_order(r, middle, key))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* ---- short runs ---- */

static void sort_run(const row *r, size_t begin, size_t end)
{
    char item[KS_SORT_ITEM_MAX];
    for (size_t i = begin + 1; i < end; i++) {
        if (in_order(r, i - 1, i))
            continue;
        size_t place = find_above(r, begin, i - 1, i);
        memcpy(item, at(r, i), r->size);
        memmove(at(r, place + 1), at(r, place), (i - place) * r->size);
        memcpy(at(r, place), item, r->size);
    }
}

/* ---- merging ---- */

static void swap_bytes(char *a, char *b, size_t len)
{
    char block[KS_SORT_ITEM_MAX];
    while (len > 0) {
        size_t part = len < sizeof block ? len : sizeof block;
        memcpy(block, a, part);
        memcpy(a, b, part);
        memcpy(b, block, part);
        a += part;
        b += part;
        len -= part;
    }
}

/* Lets what lies between `middle` and `end` come before what lies between `begin` and `middle`. */
static void rotate(char *begin, char *middle, char *end)
{
    while (begin < middle && middle < end) {
        size_t left = (size_t)(middle - begin), right = (size_t)(end - middle);
        if (left <= right) {
            swap_bytes(begin, middle, left);
            begin += left;
            middle += left;
        } else {
            swap_bytes(middle - right, middle, right);
            middle -= right;
            end -= right;
        }
    }
}

/* Goes as deep as the logarithm of the items' number: no smaller merge has more than three quarters. */
static void merge(const row *r, size_t begin, size_t middle, size_t end)
{
    while (begin < middle && middle < end && !in_order(r, middle - 1, middle)) {
        size_t left_cut = begin, right_cut = end;
        if (middle - begin > end - middle) {
            left_cut = begin + (middle - begin) / 2;
            right_cut = find_not_below(r, middle, end, left_cut);
        } else if (end - begin > 2) {
            right_cut = middle + (end - middle) / 2;
            left_cut = find_above(r, begin, middle, right_cut);
        }
        rotate(at(r, left_cut), at(r, middle), at(r, right_cut));
        size_t cut = left_cut + (right_cut - middle);
        merge(r, begin, left_cut, cut);
        begin = cut;
        middle = right_cut;
    }
}

void ks_sort(void *items, size_t count, size_t item_size, ks_compare compare)
{
    assert(item_size > 0 && item_size <= KS_SORT_ITEM_MAX);
    row r = {items, item_size, compare};
    for (size_t begin = 0; begin < count; begin += RUN_LENGTH)
        sort_run(&r, begin, count - begin < RUN_LENGTH ? count : begin + RUN_LENGTH);
    for (size_t length = RUN_LENGTH; length < count; length *= 2)
        for (size_t begin = 0; begin + length < count; begin += 2 * length) {
            size_t middle = begin + length;
            merge(&r, begin, middle, count - middle < length ? count : middle + length);
        }
}
