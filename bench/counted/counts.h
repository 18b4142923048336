/* How many operations the generic library's algorithms make on a model: exact, by an instrumented number type. */
#ifndef COUNTS_H
#define COUNTS_H

#include "sva.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct operation_counts {
    long adds, muls, divs, funcs;
} operation_counts;

typedef enum counted_algorithm {
    COUNT_RNEA,
    COUNT_ABA,
    COUNT_CRBA,
    COUNT_IDSVA,
    COUNT_FDSVA_AZA,
    COUNT_FDSVA_DMM,
    COUNT_IDSVA_SO,
    COUNTED_ALGORITHMS
} counted_algorithm;

extern const char *const counted_names[COUNTED_ALGORITHMS];

/* One call, in a fixed state. Not for several threads at once. All zero if there is no memory (second order needs nv^3
   numbers). */
operation_counts count_operations(const sva_model *m, counted_algorithm algorithm);

#ifdef __cplusplus
}
#endif
#endif
