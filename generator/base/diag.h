/* What a stage has to say about its input. Stages report here and return; only main prints. */
#ifndef DIAG_H
#define DIAG_H

#include <stdbool.h>
#include <stdio.h>
#include "arena.h"

typedef enum diag_level { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } diag_level;

/* Where in the input; line and column count from 1, 0 means none. */
typedef struct place {
    const char *file;
    int line, column;
} place;

enum { DIAG_NAMES = 3 }; /* that a folded item lists */

typedef struct diag_item {
    diag_level level;
    place at;
    const char *text;
    int count;                     /* of the reports that it stands for, at least 1 */
    const char *many;              /* of an item that others fold into; NULL: none do */
    const char *names[DIAG_NAMES]; /* the first of them */
    char *room;                    /* of a folded text, which is written again for each */
    struct diag_item *next;
} diag_item;

typedef struct diag {
    arena *memory;
    diag_item *first, *last;
    int errors, warnings;
} diag;

diag diag_new(arena *memory);

/* All take a printf format; diag_error returns false so that a reader can `return diag_error(...)`. Arguments that
   come from a file are data: control characters in the text are printed escaped and long texts are cut. */
bool diag_error(diag *d, place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_warning(diag *d, place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_note(diag *d, place at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A warning or a note that may come once for each of many things, which `name` tells apart. The first in a file has the
   text by the format; those that follow with the same level and `many`, e.g. "links have no mass", fold into it. It
   then reads "12 links have no mass: 'a', 'b', 'c' and 9 more", stays at the place of the first and counts once. */
void diag_each(diag *d, diag_level level, place at, const char *many, const char *name, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Items of at least that level, one a line: file:line:column: level: text. */
void diag_print(const diag *d, diag_level least, FILE *out);

#endif
