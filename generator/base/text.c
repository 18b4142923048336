#include "text.h"

#include <limits.h>
#include "utf8.h"

enum { SHOWN = 24 }; /* room for what stands for one character */

/* The next character of a text that has not ended, and `text` moved behind it; -1 for a byte that is not UTF-8. */
static long next(const char **text)
{
    uint32_t code;
    int length = utf8_decode(*text, &code);
    *text += length ? length : 1;
    return length ? (long)code : -1;
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

/* Prints while the columns suffice and returns how many were used. */
static int print_some(const char *text, int columns, bool ascii, FILE *out)
{
    char buffer[SHOWN];
    int used = 0;
    for (const char *from = text; *from; from = text) {
        long c = next(&text);
        int width = 0;
        show(buffer, from, c, (int)(text - from), ascii);
        for (const char *b = buffer; *b; b++) width += (*b & 0xc0) != 0x80;
        if (used > columns - width) break;
        if (out) fputs(buffer, out);
        used += width;
    }
    return used;
}

void text_print(const char *text, bool ascii, FILE *out) { print_some(text, INT_MAX, ascii, out); }

int text_print_cut(const char *text, int columns, bool ascii, FILE *out)
{
    int whole = print_some(text, INT_MAX, ascii, NULL);
    if (whole <= columns) return print_some(text, columns, ascii, out);
    int used = print_some(text, columns - 3, ascii, out);
    if (out) fputs("...", out);
    return used + 3;
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
    while (*text) {
        long c = next(&text);
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
