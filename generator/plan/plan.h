/* How each kernel is written: every decision is made here, by the costs of COST.md and the table in limits.h. The
   candidates are traced, and the cheapest is kept. */
#ifndef PLAN_H
#define PLAN_H

#include "trace/kernels.h"

/* One way to write a kernel. */
typedef struct planned {
    program *program; /* NULL: the options leave no way, or the other way is better */
    strategy strategy;
    long cost;         /* of one state: about its instructions */
    const char *words; /* what was chosen, for the file */
} planned;

/* What a text is for. */
typedef enum purpose {
    FOR_NUMBERS, /* one state, any machine */
    FOR_STATES,  /* also for vectors of states, where solving by rows gains nothing until the text gets long */
    FOR_VECTORS  /* one state on a machine with vectors: limbs as lanes, columns of right-hand sides as lanes */
} purpose;

/* The cheapest text for one purpose; the caller frees its program. *frames: what an earlier kernel of this robot and
   tree found best for IDSVA, or NULL; kernels built on IDSVA share it. */
planned plan_text(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, purpose p, int **frames);

/* A kernel as it is emitted. */
typedef struct kernel_plan {
    const kernel_info *info;
    planned plain;   /* numbers only: for any machine, and for lanes of states */
    planned vectors; /* for one state on a machine with vectors, where that is better */
} kernel_plan;

/* All kernels of one robot. */
typedef struct planner {
    arena *memory;
    const trace_options *options;
    purpose purpose;          /* of plain texts */
    const tree *plain, *wide; /* wide: with limbs as lanes; NULL: there are none, or no vectors are wanted */
    bool vectors;
    int *plain_frames, *wide_frames;
} planner;

planner plan_begin(arena *memory, const model *m, const trace_options *o, bool states, bool vectors);
kernel_plan plan_kernel(planner *p, const kernel_info *k); /* its programs are as traced, not finished */
void plan_free(kernel_plan *k);

/* Whether a kernel can be written that way for a tree: a text of any other strategy would be wrong. */
bool plan_can(const kernel_info *k, const tree *t, const strategy *st);

/* What a program costs for one state, and for a state among lanes of states. */
long cost_of_state(const program *p);
long cost_of_lanes(const program *p);

/* Lanes of the vectors that a text needs a machine for. */
int plan_lanes_needed(const program *p);

#endif
