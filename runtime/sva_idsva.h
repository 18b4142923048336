/* IDSVA ([SRW22], Algorithm 1, equations 30-32), in any frame: what one degree of freedom k of joint i contributes.

       t1 = I^C S    t2 = 2 B^C S + I^C (Sdot + Psi1)    t3 = 2 B^C Psi1 + I^C Psi2 + S x* f^C    t4 = 2 (B^C)' S
       l before i on its path to the ground:  dtau_l/dq_k = S_l . t3     dtau_l/dv_k = S_l . t2
       l of i itself or before it:  dtau_k/dq_l = Psi1_l . t4 + Psi2_l . t1     dtau_k/dv_l = S_l . t4 + (Sdot + Psi1)_l
   . t1

   The linear half of t4 vanishes. A force that is constant in the world does not move along with its body: K^C S joins
   t3, and S_l . t5 with t5 = (K^C)' S joins dtau_k/dq_l. */
#ifndef SVA_IDSVA_H
#define SVA_IDSVA_H

#include "sva_tree.h"

typedef struct terms {
    real t1[6], t2[6], t3[6], t4[3], t5[3];
} terms;

static inline void column_terms(const SVA(workspace) * w, int i, int k, terms *t)
{
    real x[6];
    inertia_times(w->I + i, w->S[k], t->t1);
    inertia_times(w->I + i, w->SdotPsi1[k], t->t2);
    half_times(w->B + i, w->S[k], x);
    add(6, x, t->t2);
    inertia_times(w->I + i, w->Psi2[k], t->t3);
    half_times(w->B + i, w->Psi1[k], x);
    add(6, x, t->t3);
    add_cross_force(w->S[k], w->f[i], t->t3);
    half_transpose_times(w->B + i, w->S[k], t->t4);
    set_zero(3, t->t5);
    if (!w->has_world) return;
    half_times(w->K + i, w->S[k], x);
    add(6, x, t->t3);
    half_transpose_times(w->K + i, w->S[k], t->t5);
}

/* Sdot, Psi1, Psi2 of joint i from S, v_i, v_L, a_L. */
static inline void kinematic_columns(const sva_body *b, SVA(workspace) * w, const real v[6], const real vL[6],
                                     const real aL[6])
{
    for (int k = b->jv; k < b->jv + b->mv; k++) {
        cross_motion(v, w->S[k], w->Sdot[k]);
        cross_motion(vL, w->S[k], w->Psi1[k]);
        cross_motion(aL, w->S[k], w->Psi2[k]);
        add_cross_motion(vL, w->Psi1[k], w->Psi2[k]);
        for (int r = 0; r < 6; r++) w->SdotPsi1[k][r] = w->Sdot[k][r] + w->Psi1[k][r];
    }
}

/* The same of every joint, in the ground frame, after ground_accelerations. */
static inline void ground_columns(const sva_model *m, SVA(workspace) * w)
{
    for (int i = 0; i < m->n_bodies; i++) {
        int L = m->bodies[i].parent;
        kinematic_columns(m->bodies + i, w, w->v[i], w->v[L], w->a[L]);
    }
}

/* 2B and f = I a + B v - fext, where B v = v x* I v. */
static inline void coriolis_and_force(SVA(workspace) * w, int i, const real fext[6])
{
    real Bv[6];
    coriolis_twice(w->v[i], w->I + i, w->B + i);
    inertia_times(w->I + i, w->a[i], w->f[i]);
    half_times(w->B + i, w->v[i], Bv);
    add_scaled(6, (real)0.5, Bv, w->f[i]);
    subtract(6, fext, w->f[i]);
}

#endif
