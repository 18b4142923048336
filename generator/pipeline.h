/* From a model to a folder of C: model -> trace -> plan -> program (graph, passes, schedule) -> emit. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "emit/emit.h"

/* Whether these kernels can be made for this robot; if not, the diagnostics say why. */
bool pipeline_check(const model *m, const kernel_info *const *kernels, const trace_options *o, diag *d);

/* What decides how they are written. */
planner pipeline_planner(arena *memory, const model *m, const emit_options *o);

/* All of them as finished programs, into an array of as many; false after an error. kernels: NULL-terminated. */
bool pipeline_plan(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                   kernel_plan *plans, diag *d);

/* And into the folder. */
bool pipeline_generate(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       folder *f, diag *d);

#endif
