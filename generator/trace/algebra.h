/* Vectors, rotations and rigid-body quantities whose numbers are expressions. Motions are (w; u), angular and linear;
   forces are (n; f). An inertia is (m, h, Sigma): mass, first and second moment about the frame's origin, the
   rotational inertia being tr(Sigma) 1 - Sigma. Constant zeros and ones vanish in the graph, so nothing here looks for
   them. */
#ifndef ALGEBRA_H
#define ALGEBRA_H

#include "graph/graph.h"

typedef struct vec {
    expr x[3];
} vec;

typedef struct mat {
    expr m[3][3];
} mat;

typedef struct sym {
    expr xx, xy, xz, yy, yz, zz;
} sym;

typedef struct motion {
    vec w, u;
} motion;

typedef struct force {
    vec n, f;
} force;

typedef struct inertia {
    expr m;
    vec h;
    sym S;
} inertia;

/* The Coriolis matrix B(v, I) = [ B 0 ; -(p x) 0 ], 12 numbers (see inverse.c). */
typedef struct coriolis {
    mat B;
    vec p;
} coriolis;

/* A symmetric 6x6 matrix [ A B ; B' C ] on motions (w; u). */
typedef struct articulated {
    sym A, C;
    mat B;
} articulated;

/* One step between frames, x_outer = R x_inner + p, with R of a known kind so that each uses its cheapest formulas. */
typedef enum step_kind { STEP_SHIFT, STEP_TURN, STEP_GENERAL } step_kind;
typedef struct step {
    step_kind kind;
    expr c, s; /* STEP_TURN: about z */
    mat R;     /* always filled */
    vec p;
} step;

vec vec_zero(graph *g);
vec vec_add(graph *g, vec a, vec b);
vec vec_sub(graph *g, vec a, vec b);
vec vec_neg(graph *g, vec a);
vec vec_scale(graph *g, expr k, vec a);
vec vec_cross(graph *g, vec a, vec b);
expr vec_dot(graph *g, vec a, vec b);

mat mat_identity(graph *g);
mat mat_const(graph *g, const double m[9]);
mat mat_mul(graph *g, const mat *a, const mat *b);
mat mat_transpose(const mat *a);
mat mat_add(graph *g, const mat *a, const mat *b);
mat mat_sub(graph *g, const mat *a, const mat *b);
vec mat_vec(graph *g, const mat *a, vec b);
vec mat_col(const mat *a, int k);
vec mat_tvec(graph *g, const mat *a, vec b);          /* a' b */
mat mat_outer(graph *g, vec a, vec b);                /* a b' */
mat mat_turn(graph *g, const mat *a, expr c, expr s); /* a Rz */
mat mat_quaternion(graph *g, const expr q[4]);

sym sym_zero(graph *g);
sym sym_add(graph *g, const sym *a, const sym *b);
sym sym_outer2(graph *g, vec a, vec b);  /* a b' + b a' */
sym sym_square(graph *g, expr k, vec a); /* k a a' */
vec sym_vec(graph *g, const sym *a, vec b);
mat sym_mat(const sym *a);
sym sym_rotational(graph *g, const sym *Sigma); /* tr(Sigma) 1 - Sigma */

motion motion_zero(graph *g);
motion motion_add(graph *g, motion a, motion b);
motion motion_scale(graph *g, expr k, motion a);
motion motion_cross(graph *g, motion a, motion b);
force force_zero(graph *g);
force force_add(graph *g, force a, force b);
force force_sub(graph *g, force a, force b);
force force_scale(graph *g, expr k, force a);
force force_cross(graph *g, motion a, force b); /* a x* b */
expr motion_dot(graph *g, motion a, force b);

inertia inertia_add(graph *g, const inertia *a, const inertia *b);
force inertia_mul(graph *g, const inertia *I, motion a);
coriolis coriolis_add(graph *g, const coriolis *a, const coriolis *b);
articulated articulated_add(graph *g, const articulated *a, const articulated *b);
articulated articulated_from(graph *g, const inertia *I);
force articulated_mul(graph *g, const articulated *I, motion a);
articulated articulated_less(graph *g, const articulated *I, expr k, force U); /* I - k U U' */

step step_shift(graph *g, vec p);
step step_turn(graph *g, expr c, expr s, vec p);
step step_general(const mat *R, vec p);
vec step_point(graph *g, const step *s, vec x);
vec step_out(graph *g, const step *s, vec x); /* R x */
vec step_in(graph *g, const step *s, vec x);  /* R' x */
motion step_motion_in(graph *g, const step *s, motion m);
force step_force_out(graph *g, const step *s, force f);
inertia step_inertia_out(graph *g, const step *s, const inertia *I);
coriolis step_coriolis_out(graph *g, const step *s, const coriolis *B);
articulated step_articulated_out(graph *g, const step *s, const articulated *I);

#endif
