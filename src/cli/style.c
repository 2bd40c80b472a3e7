// SPDX-License-Identifier: Apache-2.0
#include "cli/style.h"
#include "cli/text.h"
#include <langinfo.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_DEFAULT = 80 };

/* See no-color.org: set and not empty means no colour, unless a flag asks for it. */
static bool wants_color(ks_color_mode mode)
{
    if (mode != KS_COLOR_AUTO)
        return mode == KS_COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR");
    if (no_color && no_color[0])
        return false;
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

static size_t columns_of_stdout(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return COLUMNS_DEFAULT;
}

ks_style ks_style_of_stdout(ks_color_mode mode)
{
    return (ks_style){
        .color = wants_color(mode),
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .columns = columns_of_stdout(),
        .wraps = isatty(STDOUT_FILENO),
    };
}

static const char *const codes[] = {
    [KS_TONE_PLAIN] = "",        [KS_TONE_HEADING] = "\033[1m", [KS_TONE_BEST] = "\033[1;32m",
    [KS_TONE_GOOD] = "\033[32m", [KS_TONE_BAD] = "\033[33m",    [KS_TONE_WORSE] = "\033[31m",
    [KS_TONE_FAINT] = "\033[2m",
};

void ks_style_begin(const ks_style *style, ks_buf *buf, ks_tone tone)
{
    if (style->color)
        ks_buf_put_str(buf, ks_str_of(codes[tone]));
}

void ks_style_end(const ks_style *style, ks_buf *buf, ks_tone tone)
{
    if (style->color && tone != KS_TONE_PLAIN)
        ks_buf_put_str(buf, KS_STR("\033[0m"));
}

/* How much of the text goes on a line of so many characters: up to the last blank that fits, or the first one
 * if none does. Messages are nearly all ASCII; a wider character only breaks the line early. */
static size_t line_length(ks_str text, size_t width)
{
    if (text.len <= width)
        return text.len;
    size_t at = width;
    while (at > 0 && text.data[at] != ' ')
        at--;
    if (at > 0)
        return at;
    const char *blank = memchr(text.data, ' ', text.len);
    return blank ? (size_t)(blank - text.data) : text.len;
}

void ks_style_put_paragraph(const ks_style *style, ks_buf *buf, ks_tone tone, size_t indent, ks_str text)
{
    size_t width = style->wraps && style->columns > 2 * indent ? style->columns - indent : text.len;
    do {
        size_t len = line_length(text, width);
        ks_buf_printf(buf, "%*s", (int)indent, "");
        ks_style_begin(style, buf, tone);
        ks_text_put(buf, (ks_str){text.data, len});
        ks_style_end(style, buf, tone);
        ks_buf_put_char(buf, '\n');
        size_t taken = len < text.len ? len + 1 : len;
        text = (ks_str){text.data + taken, text.len - taken};
    } while (text.len > 0);
}
