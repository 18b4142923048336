/* Passes: graph to graph, in the order of one table. Each copies what is live, so dead code goes with the first.
   Constant folding, hash-consing and signs are the constructors' (graph.c) and happen in every copy. */
#ifndef PASSES_H
#define PASSES_H

#include "graph/graph.h"

typedef struct pass {
    const char *name, *meaning;
    graph *(*run)(const graph *g);
} pass;

extern const pass pass_table[];
extern const int pass_count;

/* Pass number i, or all of them; the graph is freed and its successor returned. */
graph *passes_step(graph *g, int i);
graph *passes_run(graph *g);

/* ---- for passes */

typedef struct rewrite {
    const graph *old;
    graph *g;
    int *uses; /* of old nodes */
    expr *map; /* old node to new, EXPR_NONE: not made yet */
} rewrite;

rewrite rewrite_begin(const graph *old);
void rewrite_place(rewrite *w, expr e); /* what is made next belongs where the old node did */
expr rewrite_copy(rewrite *w, expr e);  /* the node with its operands mapped */
graph *rewrite_end(rewrite *w);         /* with the outputs mapped */

graph *pass_canonical(const graph *g);
graph *pass_factor(const graph *g);
graph *pass_constants(const graph *g);

#endif
