/* Tables. Of the generic library, after the papers: how accurate its algorithms are, how many operations and how much
   time they take; each has a heading and then a few rows for every model. Of generated kernels: measure.h. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdio.h>
#include "sva.h"

/* Where a table goes: columns for the eye, or comma-separated values. */
typedef struct bench_sink {
    FILE *out; /* NULL: nowhere */
    bool csv;
} bench_sink;

enum { BENCH_SINKS = 2 };
typedef struct bench_table {
    bench_sink sinks[BENCH_SINKS];
    int column; /* the next one of this row */
} bench_table;

/* One cell in that many columns; 0: as wide as it is. */
void bench_cell(bench_table *t, int width, const char *format, ...) __attribute__((format(printf, 3, 4)));
void bench_name(bench_table *t, int width, const char *name); /* any text, to the left */
void bench_absent(bench_table *t, int width);                 /* a dash, or nothing between the commas */
void bench_end_row(bench_table *t);

/* For each algorithm the largest error over the largest entry of a matrix, or, where that is zero but for roundings,
   over a bound of its size, in double and in float against quadruple precision; the worst of three random states, of
   one for large robots. */
void bench_accuracy_heading(bench_table *t);
bool bench_accuracy(bench_table *t, const char *name, const sva_model *m);

/* For each algorithm its operations, exact, and the least time of several calls. Only in builds with C++, in which the
   counting number type is written. False without memory: second order needs nv^3 numbers. */
void bench_complexity_heading(bench_table *t);
bool bench_complexity(bench_table *t, const char *name, const sva_model *m);

#endif
