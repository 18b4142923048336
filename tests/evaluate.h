/* What a traced kernel gives, without any C: its graph evaluated at a state, then the texts that solve by blocks. Not
   for kernels that end in loops. */
#ifndef TESTS_EVALUATE_H
#define TESTS_EVALUATE_H

#include "trace/search.h"

/* in: by argument. out: for each output of the kernel, in its order, n x n or as many numbers as it has; entries that
   nothing stores are left alone. */
void evaluate(const kernel_info *k, const graph *g, const tail *end, const double *const *in, double *const *out);

#endif
