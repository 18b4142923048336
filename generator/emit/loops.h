/* Loops (program/loop.h) as C: the text of a column, or of a pair, in the loops that it is for. For one state an item
   is a vector of rows, or of columns of M^-1; in a text for lanes it is one number of each state. */
#ifndef LOOPS_H
#define LOOPS_H

#include "text.h"

typedef struct loop_writer {
    FILE *out;
    const program *program;
    const loop *l;
    const print_style *style;
    const kernel_info *kernel;
    const char *real, *E, *item; /* a number of the caller, a number here, an item */
    const char *at;              /* its type in an array */
} loop_writer;

/* In functions that have the writer as w. */
#define LINE(...) fprintf(w->out, __VA_ARGS__)

/* Items that sweeps work on side by side, so that a record is read for several. */
enum { SIDE = 2 };

/* The functions of all loops, in front of the kernel's own. */
void loops_print(FILE *out, const kernel_info *k, const program *p, const print_style *style);
/* Their arrays and the call of one, inside it. */
void loops_print_locals(FILE *out, const program *p, const print_style *style);
void loop_print_call(FILE *out, const program *p, const loop *l, const print_style *style);
/* Whether one writes this output. */
bool loop_writes(const program *p, const loop *l, arg a);

/* An input of a loop's text, and a value's name. */
void loop_print_slot(const printer *p, graph_slot slot);

/* ---- for loop_pairs.c */

/* "static void ur5_idsva_pairs(", and the outputs that the loop writes as further parameters. */
void loop_function(const loop_writer *w);
void loop_outputs(const loop_writer *w, bool declare);
/* A table of count rows of numbers. */
void loop_table(const loop_writer *w, const char *name, int columns, int count, const int *x);
/* The place of an entry in a matrix, by rows or by columns. */
void loop_entry(const loop_writer *w, char *buffer, size_t size, const char *row, const char *column);
void loop_print_pairs(const loop_writer *w);

#endif
