/* The cheapest way to write a kernel for a robot: frames and solver, by counting the operations of each candidate. */
#ifndef SEARCH_H
#define SEARCH_H

#include "kernels.h"

typedef struct traced {
    graph *graph; /* the caller frees it; NULL: options leave no way, for vectors */
    strategy strategy;
    tail end;          /* n 0: none */
    long cost;         /* of one state: about its instructions */
    const char *words; /* what was chosen, for the file */
} traced;

/* What a text is for. */
typedef enum purpose {
    FOR_NUMBERS, /* one state, any machine */
    FOR_STATES,  /* also for vectors of states, where solving by rows gains nothing until the text gets long */
    FOR_VECTORS  /* one state on a machine with vectors: limbs as lanes, columns of right-hand sides as lanes */
} purpose;

/* *frames: what an earlier kernel of this robot and tree found best for IDSVA, or NULL; kernels built on IDSVA share
   it. */
traced search_kernel(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, purpose p,
                     int **frames);

/* Whether a kernel can be written that way for a tree: a text of any other strategy would be wrong. */
bool search_can(const kernel_info *k, const tree *t, const strategy *st);

/* So many pairs of joints that digits would be lost over the length of the tree, with masses moved to its root. */
bool search_large(const tree *t);
/* Where straight text need not be tried: it would be long, and slow to compile. */
bool search_must_loop(const kernel_info *k, const tree *t, const trace_options *o);

/* Operations of the text and of the loops after it. */
graph_counts search_counts(const graph *g, const tail *end);

#endif
