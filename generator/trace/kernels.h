/* The kernels: one table. A new kernel is a text, a row here, and a row in the tests. */
#ifndef KERNELS_H
#define KERNELS_H

#include "texts.h"

typedef struct arg_info {
    const char *name, *meaning;
} arg_info;
extern const arg_info arg_table[ARG_COUNT];
void arg_size(arg a, const model *m, const trace_options *o, int *rows, int *cols);

/* The end of a kernel that solves M X = B with loops over whole rows (sva_solve_* of sva_kernel.h): the straight text
   fills L, Dinv and X = B; blocks of n columns of X are the outputs. below, above: the tree's pattern of L, as that
   function wants it. */
typedef struct tail {
    int n, n_out, stride; /* stride: columns of X, padded */
    arg out[3];
    unsigned short *below, *above;
    int n_list; /* items of each */
} tail;

/* What search.c decides for one kernel. */
typedef struct strategy {
    int *frame;       /* of the derivatives, or of the one text there is */
    int *solve_frame; /* of the inertia matrix or the articulated bodies */
    solver_kind solver;
    bool rows;     /* solve by rows, in a tail */
    bool shared_M; /* fdsva: M comes out of IDSVA's text, in its frames */
} strategy;

enum {
    KERNEL_GRAVITY = 1, /* depends on gravity */
    KERNEL_MINV = 2,    /* needs M^-1 */
    KERNEL_FRAME = 4,   /* its frames are searched */
    KERNEL_SOLVER = 8,  /* its solver is searched */
    KERNEL_FEXT = 16,   /* takes external forces */
    KERNEL_PLACE = 32,  /* takes frames by name */
    KERNEL_ROWS = 128,  /* may solve by rows */
    KERNEL_DEFAULT = 64 /* made when no kernels are named */
};

typedef struct kernel_info {
    const char *name, *meaning;
    arg in[6], out[6]; /* end with ARG_COUNT */
    unsigned flags;
    void (*text)(arena *memory, graph *g, const tree *t, const trace_options *o, const strategy *s, tail *end);
} kernel_info;

extern const kernel_info kernel_table[];
extern const int kernel_count;
const kernel_info *kernel_find(const char *name); /* NULL: none of that name */

#endif
