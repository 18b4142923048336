/* From a model to a folder of C: model -> trace -> graph -> passes -> schedule -> emit. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "emit/emit.h"

typedef struct pipeline_kernel {
    const kernel_info *info;
    traced traced;
    const schedule *schedule; /* NULL: no such text */
    const schedule **blocks;  /* of the texts of its tail */
    graph_counts counts;      /* also of the loops at its end */
} pipeline_kernel;

enum { PIPELINE_KERNELS = 64 }; /* more than there are */

/* The tree that kernels are traced on. */
const tree *pipeline_tree(arena *memory, const model *m);

/* One kernel, up to its schedule. */
pipeline_kernel pipeline_trace(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, purpose use,
                               int **frames);

void pipeline_free(pipeline_kernel *p);

/* Whether these kernels can be made for this robot; if not, the diagnostics say why. */
bool pipeline_check(const model *m, const kernel_info *const *kernels, const trace_options *o, diag *d);

/* All of them, into the folder; false after an error. kernels: NULL-terminated. */
bool pipeline_generate(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       folder *f, diag *d);

#endif
