/* Another library, loaded from a file, as a contestant of the kernels that it has: bench/rival.h. */
#ifndef OPPONENT_H
#define OPPONENT_H

#include "compare/trial.h"
#include "rival.h"

typedef struct opponent {
    void *library;
    const rival_library *rival; /* NULL: there is none, and nothing below does anything */
    void *robot;                /* its own; NULL: it cannot take part */
} opponent;

/* False after an error. */
bool opponent_load(opponent *o, const char *path, diag *d);
void opponent_unload(opponent *o);

/* It knows neither float nor friction nor gravity as an input. */
void opponent_open(opponent *o, const model *m, const emit_options *options);
void opponent_close(opponent *o);

/* Does not take part (run is NULL) without the kernel, or, with a warning, if its results are others than the generic
   library's: the time of something else would mislead. */
contestant opponent_contestant(const opponent *o, const trial *t, diag *d);

#endif
