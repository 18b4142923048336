#include "diag.h"

#include <stdarg.h>
#include "text.h"

static void report(diag *d, diag_level level, place at, const char *format, va_list args)
{
    char text[2048];
    int n = vsnprintf(text, sizeof text, format, args);
    diag_item *item = ARENA_ARRAY(d->memory, diag_item, 1);
    item->level = level;
    item->at = at;
    if (n >= (int)sizeof text) text[sizeof text - 4] = text[sizeof text - 3] = text[sizeof text - 2] = '.';
    item->text = arena_printf(d->memory, "%s", text);
    if (d->last)
        d->last->next = item;
    else
        d->first = item;
    d->last = item;
    d->errors += level == DIAG_ERROR;
    d->warnings += level == DIAG_WARNING;
}

diag diag_new(arena *memory) { return (diag){.memory = memory}; }

bool diag_error(diag *d, place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(d, DIAG_ERROR, at, format, args);
    va_end(args);
    return false;
}

void diag_warning(diag *d, place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(d, DIAG_WARNING, at, format, args);
    va_end(args);
}

void diag_note(diag *d, place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(d, DIAG_NOTE, at, format, args);
    va_end(args);
}

void diag_print(const diag *d, diag_level least, FILE *out)
{
    static const char *const word[] = {"note", "warning", "error"};
    for (const diag_item *i = d->first; i; i = i->next) {
        if (i->level < least) continue;
        if (i->at.file) {
            text_print(i->at.file, false, out);
            if (i->at.line) fprintf(out, ":%d:%d", i->at.line, i->at.column);
            fputs(": ", out);
        } else {
            fputs("svagen: ", out);
        }
        fprintf(out, "%s: ", word[i->level]);
        text_print(i->text, false, out);
        fputc('\n', out);
    }
}
