/* Generated kernels of a robot against the generic library: errors in quadruple precision, sizes, times. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdint.h>
#include "build.h"
#include "model/bridge.h"
#include "pipeline.h"

typedef struct compare_options {
    build_options build;
    int states; /* random ones that are checked */
    uint64_t seed;
    bool timings;
} compare_options;

/* Errors are |x - truth| over the largest |truth| of an output, or, where that is zero but for roundings, over a bound
   of its size (scale.h): of the worst output in the worst state. */
typedef struct compare_row {
    const kernel_info *kernel;
    double error;         /* of the generated kernel */
    double generic_error; /* of the generic library in the same number type */
    double tolerance;     /* where the error came nearest to it; grows with cond(M) for kernels that need M^-1, and
                             with what roundings of the constants and the inputs do to the truth */
    double excess;        /* error / tolerance, at most 1 */
    double batch_ulps;    /* lanes and batch against single states, in ulp of what errors are relative to; at most
                             batch_allowed */
    double batch_allowed;
    long muls, adds, divs, funcs;
    long bytes;                                /* of instructions, all lanes and the batch included */
    double seconds;                            /* of processor time, to compile it */
    double ns_generic, ns_generated, ns_batch; /* per state; 0: not measured */
    bool agrees;
} compare_row;

typedef struct comparison {
    arena *memory;
    const model *model;
    const emit_options *options;
    built built;
    sva_model *generic;
    int n;
    compare_row *rows;
    bool agrees; /* all rows do */
} comparison;

/* False after an error; a disagreement is none. Either way comparison_free. kernels: NULL-terminated. */
bool compare_robot(comparison *c, const model *m, const kernel_info *const *kernels, const emit_options *options,
                   const compare_options *o, diag *d);
void comparison_free(comparison *c);

/* The table, in words for people. */
void compare_print(const comparison *c, FILE *out);

#endif
