#include "diag.h"

#include <stdarg.h>
#include <string.h>
#include "invariant.h"
#include "text.h"

enum { NAME = 200 }; /* bytes of a name in a list; longer ones are cut */

static diag_item *report(diag *d, diag_level level, place at, const char *format, va_list args)
{
    char text[2048];
    int n = vsnprintf(text, sizeof text, format, args);
    diag_item *item = ARENA_ARRAY(d->memory, diag_item, 1);
    item->level = level;
    item->at = at;
    item->count = 1;
    if (n >= (int)sizeof text) text[sizeof text - 4] = text[sizeof text - 3] = text[sizeof text - 2] = '.';
    item->text = arena_printf(d->memory, "%s", text);
    if (d->last)
        d->last->next = item;
    else
        d->first = item;
    d->last = item;
    d->errors += level == DIAG_ERROR;
    d->warnings += level == DIAG_WARNING;
    return item;
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

/* The item of this kind and file that others fold into, or NULL. */
static diag_item *find_kind(const diag *d, diag_level level, const char *file, const char *many)
{
    for (diag_item *i = d->first; i; i = i->next) {
        bool same_file = i->at.file == file || (i->at.file && file && !strcmp(i->at.file, file));
        if (i->many && i->level == level && same_file && !strcmp(i->many, many)) return i;
    }
    return NULL;
}

/* The list of names, cut to what the room has. */
static void list_names(const diag_item *i, char *room, size_t size)
{
    int named = i->count < DIAG_NAMES ? i->count : DIAG_NAMES;
    size_t used = (size_t)snprintf(room, size, "%d %s: ", i->count, i->many);
    for (int k = 0; k < named && used < size; k++) {
        const char *before = k == 0 ? "" : k == i->count - 1 ? " and " : ", ";
        used += (size_t)snprintf(room + used, size - used, "%s'%.*s'", before, NAME, i->names[k]);
    }
    if (i->count > named && used < size) snprintf(room + used, size - used, " and %d more", i->count - named);
}

static void fold(diag *d, diag_item *i, const char *name)
{
    size_t size = strlen(i->many) + DIAG_NAMES * (NAME + 16) + 64;
    if (i->count < DIAG_NAMES) i->names[i->count] = arena_copy(d->memory, name, strlen(name));
    if (i->count++ == 1) i->text = i->room = arena_alloc(d->memory, size);
    list_names(i, i->room, size);
}

void diag_each(diag *d, diag_level level, place at, const char *many, const char *name, const char *format, ...)
{
    INVARIANT(level != DIAG_ERROR);
    diag_item *known = find_kind(d, level, at.file, many);
    if (known) {
        fold(d, known, name);
        return;
    }
    va_list args;
    va_start(args, format);
    diag_item *item = report(d, level, at, format, args);
    va_end(args);
    item->many = many;
    item->names[0] = arena_copy(d->memory, name, strlen(name));
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
