/* The kernels: one table. A new kernel is a text, a row here, and a row in the tests. */
#ifndef KERNELS_H
#define KERNELS_H

#include "large.h"

/* What the symbols of args.h are for a robot with these options. */
arg_sizes sizes_of(const model *m, const trace_options *o);
void arg_size(arg a, const model *m, const trace_options *o, int *rows, int *cols);

/* A right-hand side of M X = B, and what is added to the solution. */
typedef struct rhs {
    const table *table; /* -B; NULL: B is the identity */
    arg out;
    const table *added; /* NULL: nothing */
    const bool *known;  /* columns with nothing to solve, for the column equals `added`; NULL: none */
} rhs;
/* What the plan decides for one kernel. */
typedef struct strategy {
    int *frame;       /* of the derivatives, or of the one text there is */
    int *solve_frame; /* of the inertia matrix or the articulated bodies */
    solver_kind solver;
    bool looped;   /* pairs by loops: for large trees */
    int columns;   /* solve by blocks of so many columns, which are stages of their own; 0: unrolled */
    bool whole;    /* these blocks go up the branches as well as down */
    bool shared_M; /* fdsva: M comes out of IDSVA's text, in its frames */
} strategy;

/* X into the outputs, by blocks of columns. L, Dinv and X = B are filled by the straight text. A block's text goes down
   the branches: it reads L, Dinv and LOCAL_BLOCK, the block's rows one after the other, and writes LOCAL_SOLVED, the
   same columns of an output. */
void text_rows(program *p, solver *s, const strategy *st, int n_rhs, const rhs *list);

/* Whether the plan may choose the frames of a kernel's text. */
typedef enum frame_choice {
    FRAMES_GIVEN, /* no: they are body frames, or the ground's */
    FRAMES_OWN,   /* by a search of its own */
    FRAMES_IDSVA  /* by that for idsva, which serves all that is built on it */
} frame_choice;

typedef struct kernel_info {
    const char *name, *meaning, *equation;
    const arg *in, *out; /* end with ARG_COUNT */
    void (*text)(program *p, const tree *t, const trace_options *o, const strategy *s);
    bool by_default; /* made when no kernels are named */
    /* What it needs. */
    bool gravity;       /* depends on it */
    bool inverse;       /* M must have one */
    bool single_bodies; /* its text knows single bodies: limbs cannot be lanes */
    /* What may be chosen. */
    frame_choice frames;
    bool solver, blocks; /* how M x = b is solved, and by blocks of columns */
    bool loops;          /* instead of straight text */
} kernel_info;

bool kernel_takes(const kernel_info *k, arg a);
bool kernel_gives(const kernel_info *k, arg a);

extern const kernel_info kernel_table[];
extern const int kernel_count;
const kernel_info *kernel_find(const char *name); /* NULL: none of that name */
/* Its arguments into list, inputs first, with gravity where it is an input; returns their number. */
int kernel_args(const kernel_info *k, const trace_options *o, arg list[ARG_COUNT], int *n_in);

#endif
