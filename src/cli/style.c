// SPDX-License-Identifier: Apache-2.0
#include "cli/style.h"
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
