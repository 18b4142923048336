/* The tree as the traces see it, in numbers only: every frame turned so that its joint's axis is z, far origins slid
   along it to where the next joint is, mass moved to where it costs least (base parameters), isomorphic limbs side by
   side as lanes. Node 0 is the ground. */
#ifndef TREE_H
#define TREE_H

#include "model/model.h"

/* One body's constants: one lane of a node. */
typedef struct tree_lane {
    int body;             /* of the model */
    int iq, iv;           /* slots of its (or its master's) degrees of freedom */
    double R[9], p[3];    /* pose in the parent's turned frame at q = 0 */
    double A[9];          /* the turn: x_link = A x_turned, but for the slide */
    double slide[3];      /* the link's origin in the turned frame: on the joint's axis */
    double at[3];         /* p, had no origin slid */
    double m, h[3], S[6]; /* mass, first moment, second moment xx xy xz yy yz zz about the origin, turned frame */
    double pitch, multiplier, offset;
    double armature[6], damping[6], friction[6];
} tree_lane;

typedef struct tree_node {
    int parent; /* a node, smaller than this one */
    sva_joint_type type;
    bool dependent; /* a mimic joint: q = multiplier * q_master + offset */
    int nv;         /* columns of its motion subspace; a dependent joint has its own */
    int column;     /* number of its first column among all nodes' */
    int width;      /* of limbs side by side; the parent's is the same, or 1 */
    tree_lane *lane;
} tree_node;

typedef struct tree {
    const model *model;
    int n; /* nodes, the ground included */
    int columns;
    bool mimic; /* some joint is dependent */
    tree_node *node;
} tree;

/* A walk around the tree, from which every body is seen on the way out, as i, and again on the way back, as -i; ends
   with 0. What a limb computes is used up before the next limb begins. */
int *tree_walk(arena *memory, const tree *t);

/* regroup: move what a joint does not feel into the parent; not where internal forces are outputs. */
tree *tree_new(arena *memory, const model *m, bool regroup);

/* The same with every origin at its link's, for where things are: only poses hold, not what has mass. */
tree *tree_at_links(arena *memory, const tree *t);

/* The same with limbs of one shape that hang from one body as lanes of common nodes, eight at most. NULL if there are
   none, or if a dependent joint and its master are not of one limb. */
tree *tree_with_lanes(arena *memory, const tree *t);

#endif
