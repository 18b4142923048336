#include "text.h"

enum { SHOWN = 24 }; /* room for what stands for one character */

/* How a first byte tells the length, and the smallest value that needs that length. */
static const struct {
    unsigned char mask, lead;
    long least;
} utf8[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

long text_next(const char **text)
{
    const unsigned char *c = (const unsigned char *)*text;
    if (!*c) return 0;
    ++*text;
    int more = 0;
    while (more < 4 && (*c & utf8[more].mask) != utf8[more].lead) more++;
    if (more == 4) return -1;
    long value = *c & (unsigned char)~utf8[more].mask;
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xc0) != 0x80) return -1;
        value = value << 6 | (c[i] & 0x3f);
    }
    if (value < utf8[more].least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return -1;
    *text += more;
    return value;
}

static bool is_unprintable(long c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* What stands for a character in a terminal: itself or an escape. */
static void show(char buffer[SHOWN], const char *from, long c, int length, bool ascii)
{
    if (c == '\n' || c == '\t' || c == '\r' || c == '\\')
        snprintf(buffer, SHOWN, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : '\\');
    else if (c < 0x20 || c == 0x7f)
        snprintf(buffer, SHOWN, "\\x%02x", (unsigned char)*from);
    else if (is_unprintable(c) || (ascii && c > 0x7f))
        snprintf(buffer, SHOWN, "\\u%04lx", c);
    else
        snprintf(buffer, SHOWN, "%.*s", length, from);
}

void text_print(const char *text, bool ascii, FILE *out)
{
    char buffer[SHOWN];
    for (const char *from = text; *from; from = text) {
        long c = text_next(&text);
        show(buffer, from, c, (int)(text - from), ascii);
        fputs(buffer, out);
    }
}

int text_width(const char *text, bool ascii)
{
    char buffer[SHOWN];
    int width = 0;
    for (const char *from = text; *from; from = text) {
        long c = text_next(&text);
        show(buffer, from, c, (int)(text - from), ascii);
        for (const char *b = buffer; *b; b++) width += (*b & 0xc0) != 0x80;
    }
    return width;
}

static void print_utf16(long c, FILE *out)
{
    if (c > 0xffff) {
        fprintf(out, "\\u%04lx", 0xd800 + ((c - 0x10000) >> 10));
        c = 0xdc00 + ((c - 0x10000) & 0x3ff);
    }
    fprintf(out, "\\u%04lx", c);
}

void text_print_json(const char *text, FILE *out)
{
    fputc('"', out);
    for (long c; (c = text_next(&text)) != 0;) {
        if (c < 0)
            print_utf16(0xfffd, out);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", (char)c);
        else if (c < 0x20 || c >= 0x7f)
            print_utf16(c, out);
        else
            fputc((int)c, out);
    }
    fputc('"', out);
}
