/* Inside the library: the workspace, the passes that algorithms share, the algorithms on the tree's own coordinates. */
#ifndef SVA_TREE_H
#define SVA_TREE_H

#include "sva_spatial.h"

typedef real real3[3];
typedef real real6[6];
typedef real real9[9];

/* A symmetric 6 x 6 matrix [A, C; C', M]: an articulated body's inertia. */
typedef struct articulated {
    real A[6], C[9], M[6];
} articulated;

enum { SVA_BLOCK = 8 }; /* columns that AZA treats at once */

/* Arrays by body have an entry -1 for the ground; which frame they are in is the algorithm's choice. Arrays by degree
   of freedom are indexed by the tree's v. */
struct SVA(workspace) {
    /* by body */
    real9 *XR, *R; /* rotation of the body's frame: in the parent's frame, in the ground's */
    real3 *Xp, *p; /* its origin, likewise */
    real6 *v, *a, *f, *c, *pA, *vJ, *h;
    real6 *dv, *da, *df, *s; /* the same differentiated, and the direction, in the chain-rule algorithms */
    real6 *fext;             /* external force on the body, in its frame */
    inertia *I;              /* of the body or its subtree */
    half_map *B;             /* 2 B^C */
    half_map *K;             /* how -fext changes with the body's pose, beyond moving along with the body */
    articulated *IA;
    int has_world; /* K is not zero */
    /* by degree of freedom */
    real6 *S, *Sdot, *Psi1, *Psi2; /* Sdot = v x S, Psi1 = v_L x S, Psi2 = a_L x S + v_L x Psi1 */
    real6 *SdotPsi1;               /* Sdot + Psi1 */
    real6 *U, *dU;
    real6 *Dinv, *dDinv; /* row of the joint's D^-1 */
    real *u, *du;
    real *b;  /* AZA: 6 SVA_BLOCK by body */
    real *bu; /* AZA: SVA_BLOCK by degree of freedom */
    real *F;  /* 6 x nv_tree */
    real *P;  /* 6 x nv_tree at each depth */
    /* tree coordinates of the user's inputs and outputs, where joints depend on others */
    real *q_tree, *vector_tree[3], *matrix_tree[2];
    /* in the user's coordinates */
    real *q, *q_real, *vector[5], *matrix[2];
};

/* XR, Xp from q; R, p from those. */
void SVA(joint_poses)(const sva_model *m, SVA(workspace) * w, const real *q);
void SVA(ground_poses)(const sva_model *m, SVA(workspace) * w);
/* Both, and S in the ground frame. */
void SVA(ground_subspaces)(const sva_model *m, SVA(workspace) * w, const real *q);
/* In the ground frame, after ground_subspaces: v_i = v_L + S v,  a_i = a_L + S a + v_i x S v with a of the ground as
   given (the papers' a_0 = -gravity, or zero). a NULL: no joint accelerations. */
void SVA(ground_velocities)(const sva_model *m, SVA(workspace) * w, const real *v);
void SVA(ground_accelerations)(const sva_model *m, SVA(workspace) * w, const real *v, const real *a, const real a0[6]);
/* In the ground frame: I_i of each body alone. */
void SVA(ground_inertias)(const sva_model *m, SVA(workspace) * w);
/* (0; -gravity) */
void SVA(minus_gravity)(const sva_model *m, real a0[6]);
/* fext and K in body frames, after joint_poses; f may be NULL. */
void SVA(external_forces)(const sva_model *m, SVA(workspace) * w, const SVA(forces) * f);

static inline void body_inertia(const sva_body *b, inertia *I)
{
    I->m = (real)b->mass;
    for (int k = 0; k < 3; k++) I->h[k] = (real)b->h[k];
    for (int k = 0; k < 6; k++) I->I[k] = (real)b->I[k];
}

static inline void body_subspace(const sva_body *b, int k, real S[6])
{
    for (int r = 0; r < 6; r++) S[r] = (real)b->S[k][r];
}

/* vJ = S v of one joint, in the body's frame. */
static inline void joint_motion(const sva_body *b, const real *v, real vJ[6])
{
    set_zero(6, vJ);
    for (int k = 0; k < b->mv; k++)
        for (int r = 0; r < 6; r++) vJ[r] += (real)b->S[k][r] * v[b->jv + k];
}

/* Between the user's coordinates and the tree's. Without dependent joints these give back the pointer they were given
   and copy nothing; with them they use the workspace's buffer of that number. */
const real *SVA(q_of_tree)(const sva_model *m, SVA(workspace) * w, const real *q);
const real *SVA(v_of_tree)(const sva_model *m, SVA(workspace) * w, int buffer, const real *v);
real *SVA(vector_of_tree)(const sva_model *m, SVA(workspace) * w, int buffer, real *out);
real *SVA(matrix_of_tree)(const sva_model *m, SVA(workspace) * w, int buffer, real *out);
/* out = G' x; out = G' X G; out = X G of a 6 x nv_tree X. */
void SVA(reduce_vector)(const sva_model *m, const real *x, real *out);
void SVA(reduce_matrix)(const sva_model *m, const real *X, real *out);
void SVA(reduce_columns)(const sva_model *m, int rows, const real *X, real *out);

/* The algorithms on the tree's own coordinates. */
void SVA(tree_rnea)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                    const SVA(forces) * f, const real a0[6], real *tau);
void SVA(tree_crba)(const sva_model *m, SVA(workspace) * w, const real *q, real *M);
void SVA(tree_coriolis)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, real *C);
void SVA(tree_aba)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *tau,
                   const SVA(forces) * f, real *qdd);
void SVA(tree_minv)(const sva_model *m, SVA(workspace) * w, const real *q, real *minv);
/* X = s M^-1 X, n columns; after tree_aba or tree_minv at the same q. */
void SVA(tree_aza)(const sva_model *m, SVA(workspace) * w, int n, real s, real *X);
void SVA(tree_idsva)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                     const SVA(forces) * f, real *dtau_dq, real *dtau_dv);
void SVA(tree_idsva_body)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                          const SVA(forces) * f, real *dtau_dq, real *dtau_dv);
void SVA(tree_rneacr)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                      const SVA(forces) * f, real *dtau_dq, real *dtau_dv);
void SVA(tree_abacr)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *tau,
                     const SVA(forces) * f, real *qdd, real *dqdd_dq, real *dqdd_dv);

#endif
