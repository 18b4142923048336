/* What each stage of the pipeline makes, as text to look at. */
#ifndef DUMP_H
#define DUMP_H

#include "pipeline.h"

typedef enum dump_stage { DUMP_MODEL, DUMP_TRACE, DUMP_GRAPH, DUMP_PASSES, DUMP_SCHEDULE, DUMP_EMIT } dump_stage;

bool dump(FILE *out, dump_stage what, arena *memory, const model *m, const kernel_info *const *kernels,
          const emit_options *o, diag *d);

#endif
