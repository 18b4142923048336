/* From graph to statements: which nodes get a name, in which order, and where a long text is cut into functions. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "graph/graph.h"

/* One statement: a definition (output < 0) or a store of outputs.at[output]. */
typedef struct statement {
    expr value;
    int output;
} statement;

typedef struct schedule {
    const graph *g;
    int n;
    statement *at;
    bool *named; /* per node: it has a statement of its own; others are printed where they are used */
    int n_angles;
    expr *angles;  /* arguments of sin and cos, which come first */
    int *angle_at; /* of each: its place in an array with room for all lanes */
    int angle_room;
    int *angle; /* per node: for a SIN or COS the place of its argument, else -1 */
    int n_cuts;
    int *cut;      /* first statement of each function; cut[n_cuts] = n */
    int *crossing; /* per node: its place in an array of the values that cross a cut, or -1 */
    int n_crossing;
} schedule;

/* A text without a limit of statements a function is one, and nothing crosses. */
enum { SCHEDULE_UNCUT = 1 << 30 };

schedule *schedule_new(arena *memory, const graph *g, int limit);

#endif
