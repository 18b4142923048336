/* Loops over the columns of a tree. The straight text fills, for each column, a record of numbers (A) and for pairs of
   columns what they take from the lower one (T, by rows); texts of a loop say what is done with them at one place, by
   inputs and outputs that mean "of this column":

     PAIRS   for every column c and every column i in the subtree of its joint: entries (i, c) and (c, i) of outputs
     SWEEPS  for every column of M^-1, or every row of it: once or twice through the tree, from the leaves to the root
   or from the root to the leaves, with a state that is carried from joint to joint. From the root, a joint starts with
   its parent's state; from the leaves, with the sum of its children's */
#ifndef LOOP_H
#define LOOP_H

#include "graph/graph.h"
#include "interface/args.h"

/* Inputs and outputs of a loop's texts: graph_slot.arg, beside arguments. */
typedef enum loop_slot {
    LOOP_RECORD = SLOT_COUNT, /* number `index` of the column's record */
    LOOP_LOWER,               /* row `index` of T at the lower column of a pair */
    LOOP_STATE,               /* component `index` of what is carried */
    LOOP_UNIT,                /* the entry of the identity */
    LOOP_INVERSE,             /* the entry of M^-1 */
    LOOP_KEPT                 /* of array `index`, which has a place for every column */
} loop_slot;

/* Of an output of a pair's text, the entry that it is: graph_slot.index. */
enum { PAIR_BELOW, PAIR_ABOVE }; /* (i, c), and for i below the joint of c (c, i) */

enum { LOOP_STATES = 12, LOOP_KEEPS = 2 };

typedef struct loop_joint {
    int first, next, end; /* its columns are [first, next), those of its subtree [first, end) */
    int parent;           /* joint or -1 */
    int branch;           /* its number among joints that carry others than the next one, or -1 */
} loop_joint;

typedef struct loop_tree {
    int n, n_joints, n_branches; /* n: columns */
    int record, rows;            /* numbers of a record; rows of T */
    loop_joint *joint;
} loop_tree;

typedef struct sweep {
    bool up;
    bool state[LOOP_STATES];
    int n_bodies, body[2]; /* texts; all columns of a joint by the first, then by the second */
} sweep;

typedef enum loop_kind { LOOP_PAIRS, LOOP_SWEEPS } loop_kind;
typedef struct loop {
    loop_kind kind;
    const char *name; /* of its function */
    const loop_tree *tree;
    int pair;               /* PAIRS: the text */
    const double *armature; /* PAIRS: on the diagonal of M, per column */
    int n_sweeps;
    sweep sweep[2];
    bool inverse;         /* SWEEPS: writes M^-1 from columns of the identity; else reads its rows */
    int kept[LOOP_KEEPS]; /* what each array becomes at the end: a row of this output; ARG_COUNT: nothing */
    int n_kept;
} loop;

#endif
