/* Generated kernels of a robot beside the generic library, and beside another library if there is one: all of them take
   turns in one run. */
#ifndef MEASURE_H
#define MEASURE_H

#include "bench.h"
#include "opponent.h"

typedef struct measurement {
    const compare_row *kernel; /* operations, bytes, seconds of compiling */
    /* Times are of one state; 0: not measured. */
    double ns_generic, ns_one, ns_lanes[3], ns_batch, ns_rival;
    double cycles; /* of ns_one */
    double peak;   /* operations a ns of the core, all multiply-adds */
} measurement;

typedef struct measurements {
    comparison compared;
    measurement *rows; /* one for each of its rows */
} measurements;

/* False after an error, which a kernel that disagrees with the generic library is too. Either way measurements_free.
   kernels: NULL-terminated. */
bool measure_robot(measurements *x, const model *m, const kernel_info *const *kernels, const emit_options *options,
                   const build_options *build, opponent *o, diag *d);
void measurements_free(measurements *x);

/* The table. The options say which lanes there are, rival is its name or NULL. */
typedef struct measure_table measure_table;
measure_table *measure_heading(arena *memory, bench_table *out, const emit_options *options, const char *rival);
void measure_rows(const measure_table *t, const measurements *x);

#endif
