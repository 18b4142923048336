/* From a model to a folder of C: model -> trace -> graph -> passes -> schedule -> emit. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "emit/emit.h"

typedef struct pipeline_kernel {
    const kernel_info *info;
    traced traced;
    const schedule *schedule;
} pipeline_kernel;

/* One kernel, up to its schedule. */
pipeline_kernel pipeline_trace(arena *memory, const kernel_info *k, const tree *t, const trace_options *o,
                               int **frames);

/* All of them, into the folder; false after an error. kernels: NULL-terminated. */
bool pipeline_generate(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       folder *f, diag *d);

#endif
