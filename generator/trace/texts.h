/* The algorithms as traces. Each text opens with its formulas; kernels.c combines them and the plan chooses their
 * frames. */
#ifndef TEXTS_H
#define TEXTS_H

#include "trace.h"

/* Joint torques of inverse dynamics at (q, v, a) without friction: columns of the tree. use_v: false for zero.
 */
typedef struct id_inputs {
    bool use_v, use_gravity, use_fext;
    const expr *a; /* accelerations of all columns; NULL: zero */
    bool falling;  /* free bases have no linear velocity and no gravity: their linear acceleration is b (trace.h) */
} id_inputs;

expr *text_accelerations(trace *tr, arg which);  /* of all columns, from an input argument */
expr *text_rnea(trace *tr, const id_inputs *in); /* needs body frames: frame[i] = i */

/* The inertia matrix, lower triangle and diagonal, reduced to degrees of freedom. */
table text_crba(trace *tr);

/* First derivatives of inverse dynamics; also M and the torques, which share their work (tables of NULL are not
 * wanted). */
typedef struct idsva_outputs {
    table *dtau_dq, *dtau_dv, *M, *tau;
    bool columns;                              /* instead of pairs what they are made of: records of large.h */
    void (*complete)(void *closure, int node); /* called when the columns of a node are; NULL: nobody */
    void *closure;
} idsva_outputs;
void text_idsva(trace *tr, const id_inputs *in, const idsva_outputs *out);

table text_coriolis(trace *tr);

void text_add_armature(trace *tr, table *M);

/* Ways to solve M x = b, all in terms of degrees of freedom. */
typedef enum solver_kind {
    SOLVE_LTL,      /* sparse M = L' D L, following the tree */
    SOLVE_BRANCHES, /* the same, a branch of the tree at once (branches.c) */
    SOLVE_AZA,      /* articulated bodies with zero velocity; not with dependent joints */
    SOLVE_DMM,      /* product with M^-1, made by L' D L */
    SOLVERS
} solver_kind;
extern const char *const solver_names[SOLVERS];

/* What is solved for: the columns of joints that are not dependent, several lanes wide where limbs stand side by side.
   Vectors of unknowns lie at the degrees of freedom of the first lanes. */
typedef struct unknown {
    int node, width, dof;
} unknown;

typedef struct branch {
    int first, n, n_up, *up; /* unknowns; those that are its ancestors, the nearest first */
    bool spatial;            /* takes them as the acceleration of the body that it hangs from */
} branch;

typedef struct solver {
    solver_kind kind;
    trace *tr;
    int n; /* unknowns; without lanes as many as degrees of freedom, in their order */
    unknown *u;
    expr *L, *Dinv, *Z; /* L' D L, strictly lower L; Z: the inverse, lower triangle, once asked for */
    force *U, *K;       /* AZA: U = IA S, K = U / D, for each column */
    branch *branches;   /* SOLVE_BRANCHES */
    int n_branches;
    expr *G; /* by unknowns as L: L_ll^-1 L_la; above the diagonal columns of motion subspaces (branches.c) */
} solver;

solver *solver_new(trace *tr, solver_kind kind, const table *M); /* M: NULL for SOLVE_AZA */
void solver_solve(solver *s, int n, expr *const *b);             /* each b becomes x */
expr *solver_inverse(solver *s);                                 /* n x n, the lower triangle filled; without lanes */

/* For SOLVE_BRANCHES, in steps: x by unknowns. Up: b becomes z, or stays as it is in branches without ancestors, where
   b has a value for each of so many columns. Down: that becomes x. */
void branches_new(solver *s);
void branches_up(solver *s, int width, expr *x);
void branches_down(solver *s, int n, expr *const *x); /* for n right-hand sides */
void branches_inverse(solver *s);

/* Poses of all model frames in the world, rows of [R p] (12 numbers), and a frame's Jacobian; needs the ground frame.
 */
void text_poses(trace *tr);
void text_jacobian(trace *tr);

#endif
