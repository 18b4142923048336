/* The generic library behind the arguments of the kernels: what each kernel should give, in one number type. Friction,
   which the library leaves to its users, is added here by its formula. */
#ifndef YARDSTICK_H
#define YARDSTICK_H

#include "model/bridge.h"
#include "trace/kernels.h"

typedef __float128 quad;
typedef enum yardstick_type { YARDSTICK_DOUBLE, YARDSTICK_FLOAT, YARDSTICK_QUAD, YARDSTICK_TYPES } yardstick_type;
extern const size_t yardstick_size[YARDSTICK_TYPES]; /* of a number */

typedef struct yardstick yardstick;
typedef void (*yardstick_fn)(yardstick *y, const void *const in[ARG_INPUTS], void *const out[]);

struct yardstick {
    const model *m;
    const sva_model *s;
    const trace_options *o;
    const sva_frame *frames; /* of the model */
    void *workspace, *scratch, *forces;
    yardstick_fn run; /* inputs by argument, outputs in the order of the kernel, matrices by rows */
    int row;          /* the kernel, in the table of yardstick_type.h */
    yardstick_type type;
    bool fext;
    int n_out;
};

/* Gravity is the generic model's at the time of the call. */
yardstick *yardstick_new(arena *memory, const model *m, const sva_model *s, const kernel_info *k,
                         const trace_options *o, yardstick_type type);
void yardstick_free(yardstick *y);

#endif
