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

typedef struct diag_item {
    diag_level level;
    place at;
    const char *text;
    struct diag_item *next;
} diag_item;

typedef struct diag {
    arena *memory;
    diag_item *first, *last;
    int errors, warnings;
} diag;

diag diag_new(arena *memory);

/* Both take a printf format; diag_error returns false so that a reader can `return diag_error(...)`. Arguments that
   come from a file are data: control characters in the text are printed escaped and long texts are cut. */
bool diag_error(diag *d, place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_warning(diag *d, place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_note(diag *d, place at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Items of at least that level, one a line: file:line:column: level: text. */
void diag_print(const diag *d, diag_level least, FILE *out);

#endif
