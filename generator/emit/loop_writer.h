/* What the texts of loops are written with. */
#ifndef LOOP_WRITER_H
#define LOOP_WRITER_H

#include "loops.h"

typedef struct loop_writer {
    FILE *out;
    const loops *l;
    const print_style *style;
    const char *real, *E, *item; /* a number of the caller, a number here, an item */
    const char *at;              /* its type in an array */
} loop_writer;

/* Items that loops over all columns work on side by side, so that a record is read for several. */
enum { SIDE = 2 };

/* In functions that have the writer as w. */
#define LINE(...) fprintf(w->out, __VA_ARGS__)

loop_writer loop_writer_of(FILE *out, const loops *l, const print_style *style);

/* "(a[0]*N_0 + a[4]*N_3)": components of the record times items of the same components. */
void loop_dot(const loop_writer *w, loop_part part, loop_part other, const char *name);

/* A text with % the number of an item side by side, # that of a component, @ its place in the record, $ its number
   among those there are, & the type of an item. */
void loop_put(const loop_writer *w, const char *text, int side, int component, int at, int number);
/* It for each component of a part; and for each item, where the text tells them apart. */
void loop_each(const loop_writer *w, loop_part part, const char *text);

/* A table of count rows of numbers. */
void loop_table(const loop_writer *w, const char *name, int columns, int count, const int *x);
/* The place of an entry in a matrix, by rows or by columns. */
void loop_entry(const loop_writer *w, char *buffer, size_t size, const char *row, const char *column);
/* "static void ur5_idsva_pairs(", and the outputs that loops write as further parameters or arguments. */
void loop_function(const loop_writer *w, const char *what);
void loop_outputs(const loop_writer *w, bool declare);

/* All pairs of columns (loop_pairs.c). */
void loop_pairs(const loop_writer *w);

#endif
