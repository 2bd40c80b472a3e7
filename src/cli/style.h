// SPDX-License-Identifier: Apache-2.0
/* How the terminal (or whatever standard output is) wants its text. */
#ifndef KS_CLI_STYLE_H
#define KS_CLI_STYLE_H

#include "util/str.h"

typedef enum ks_color_mode { KS_COLOR_AUTO, KS_COLOR_ALWAYS, KS_COLOR_NEVER } ks_color_mode;

typedef enum ks_tone {
    KS_TONE_PLAIN,
    KS_TONE_HEADING,
    KS_TONE_BEST,
    KS_TONE_GOOD,
    KS_TONE_BAD,
    KS_TONE_WORSE,
    KS_TONE_FAINT,
} ks_tone;

typedef struct ks_style {
    bool color;
    bool utf8; /* may use characters beyond ASCII */
    size_t columns;
    bool wraps; /* a terminal: sentences are best broken at its width */
} ks_style;

/* Asks the environment: NO_COLOR, TERM, the locale, the terminal's size. */
ks_style ks_style_of_stdout(ks_color_mode mode);

/* Text after `begin` has the tone until `end`. Both do nothing without colour. */
void ks_style_begin(const ks_style *style, ks_buf *buf, ks_tone tone);
void ks_style_end(const ks_style *style, ks_buf *buf, ks_tone tone);

/* A paragraph of text that came from elsewhere, made safe for a terminal: indented, and broken at blanks
 * where that is wanted. Ends with a line break. */
void ks_style_put_paragraph(const ks_style *style, ks_buf *buf, ks_tone tone, size_t indent, ks_str text);

#endif
