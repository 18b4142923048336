/* What every kernel's text starts from: inputs as expressions, and the tree's poses and steps between frames.

   The reference frame is free (docs/MATH.md: any frame at rest at this instant). frame[i] names the node whose frame
   the quantities of node i are written in; nodes that share one are connected through each other. All zeros: the ground
   frame; frame[i] = i: body frames; frame[i] = k: one common frame, body k's. Texts are written once for all choices;
   the plan counts and picks. */
#ifndef TRACE_H
#define TRACE_H

#include "algebra.h"
#include "interface/args.h"
#include "tree.h"

typedef enum friction_kind { FRICTION_NONE, FRICTION_VISCOUS, FRICTION_FULL } friction_kind;

typedef enum loop_choice { LOOPS_AUTO, LOOPS_ALWAYS, LOOPS_NEVER } loop_choice;

typedef struct trace_options {
    loop_choice loops; /* texts or loops for all pairs of joints */
    int solver;        /* 0: the cheapest, else a solver_kind + 1 */
    bool gravity_input;
    friction_kind friction;
    double friction_width;
    const int *fext; /* model bodies that external forces act on */
    int n_fext;
    const int *fext_frames; /* model frames of these bodies, in which the forces come; NULL: the bodies' own */
    const int *jac_frames;  /* model frames whose Jacobians are wanted */
    int n_jac_frames;
} trace_options;

/* Steps from frame[i] outwards to frame[parent]; none when they are the same. */
typedef struct edge {
    int n;
    step s[4];
} edge;

typedef struct trace {
    graph *g;
    const tree *t;
    const trace_options *options;
    const int *frame;
    arena *memory;
    step *placement, *joint; /* the fixed and the moving step to the parent */
    mat *R;                  /* pose of node i's own frame in frame[i] */
    vec *p;
    edge *edge;
    motion *S; /* columns of the motion subspaces in frame[i] */
} trace;

/* frame[i] = i: each body in its own. */
int *trace_body_frames(arena *memory, const tree *t);

trace *trace_new(arena *memory, graph *g, const tree *t, const int *frame, const trace_options *options);

/* What follows belongs to node i. */
void trace_begin(trace *tr, int i);

/* An input as node i sees it: a dependent joint's q is multiplier * q + offset, its v and a multiplier * v and a. */
expr trace_q(trace *tr, int i, int k);
expr trace_rate(trace *tr, arg which, int i, int k);
expr trace_number(trace *tr, int i, const double *field); /* a constant of lane 0, as a tuple over the lanes */
vec trace_gravity(trace *tr);                             /* in the ground's frame */

motion trace_down(trace *tr, int i, motion m); /* from frame[parent] into frame[i] */
force trace_up(trace *tr, int i, force f);     /* from frame[i] into frame[parent] */
inertia trace_inertia(trace *tr, int i);       /* of body i, in frame[i] */

/* What limbs side by side add to the one body they hang from: n expressions at x become their sums across the lanes of
   node i, if its parent has none. TRACE_SUM: all expressions of a force, an inertia... */
void trace_sum(trace *tr, int i, expr *x, size_t n);
#define TRACE_SUM(tr, i, x) trace_sum(tr, i, (expr *)(x), sizeof *(x) / sizeof(expr))
vec trace_origin(trace *tr, int i); /* the link's origin, in frame[i] */
force trace_fext(trace *tr, int i); /* external force on body i, in frame[i]; zero where there is none */

/* A column of the motion subspace in the body's own frame: unit vectors by axis number, -1 for zero. */
typedef struct subspace {
    int w, u;
} subspace;
const subspace *trace_subspace(sva_joint_type type); /* nv of them */

/* Sums over degrees of freedom: an entry of a dependent joint counts for its master's, times the multiplier. */
typedef struct cell {
    expr value;
    int lane;
} cell;
typedef struct table {
    int rows, cols;
    cell *at;
} table;
table table_new(trace *tr, int rows, int cols);
void table_add_row(trace *tr, table *x, int i, int k, expr value);           /* x[dof(i,k)] */
void table_add(trace *tr, table *x, int i, int k, int j, int l, expr value); /* x[dof(i,k), dof(j,l)] */
void table_output(trace *tr, const table *x, arg which);
void table_output_symmetric(trace *tr, const table *x, arg which); /* the lower triangle for both */

/* Whether node i is a free base: floating on the ground, its rotors weightless and its joint without friction. Then
   gravity and its linear velocity act on the robot only through the acceleration b = a_lin + w x v_lin - R'g. */
bool trace_is_free(const trace *tr, int i);
vec trace_fall(trace *tr, int i);             /* R'g, in the axes of a free base */
vec trace_base_rate(trace *tr, int i, int k); /* of its velocity, the three from k: 0 linear, 3 angular */

/* Friction of dof (i,k): the torque, and its derivative by v; zero when not asked for. */
expr trace_friction(trace *tr, int i, int k);
expr trace_friction_dv(trace *tr, int i, int k);

#endif
