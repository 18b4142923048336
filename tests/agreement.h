/* What the suites of generated kernels share: which kernels a model can have, and that they agree with the truth. */
#ifndef TESTS_AGREEMENT_H
#define TESTS_AGREEMENT_H

#include "compare/compare.h"

/* Those made by default, or all; of them one of every `stride` from `first` on, into the list, NULL at its end;
   without those that the model forbids. Returns their number. */
int agreement_kernels(const model *m, bool defaults, int first, int stride, const kernel_info **list);

/* The kernels compiled and run; a failure is the test's, disagreement is for agreement_expect to find. */
comparison agreement_compare(const model *m, const kernel_info *const *kernels, const emit_options *o,
                             const compare_options *how);

/* Every row within its tolerance. */
void agreement_expect(const char *name, const comparison *c);

/* A line with the errors that were reached. */
void agreement_print(const char *name, const comparison *c);

/* All of it. */
void agreement_check(const char *name, const model *m, const kernel_info *const *kernels, const emit_options *o,
                     const compare_options *how);

#endif
