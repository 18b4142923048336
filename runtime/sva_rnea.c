/* Inverse dynamics by the recursive Newton-Euler algorithm ([CM18], Algorithm 1), in body frames; the mass matrix by
   the composite rigid body algorithm, in body frames; energies. */
#include "sva_tree.h"

/* v_i = X v_L + vJ;  a_i = X a_L + S a + v_i x vJ;  f_i = I a_i + v_i x* I v_i - fext */
static void forward(const sva_model *m, SVA(workspace) * w, int i, const real *v, const real *a)
{
    const sva_body *b = m->bodies + i;
    real *vi = w->v[i], *ai = w->a[i], h[6], vJ[6], aJ[6];
    inertia I;
    body_inertia(b, &I);
    motion_to_child(w->XR[i], w->Xp[i], w->a[b->parent], ai);
    set_zero(6, vi);
    if (v) {
        motion_to_child(w->XR[i], w->Xp[i], w->v[b->parent], vi);
        joint_motion(b, v, vJ);
        add(6, vJ, vi);
        add_cross_motion(vi, vJ, ai);
    }
    if (a) {
        joint_motion(b, a, aJ);
        add(6, aJ, ai);
    }
    inertia_times(&I, ai, w->f[i]);
    inertia_times(&I, vi, h);
    add_cross_force(vi, h, w->f[i]);
    subtract(6, w->fext[i], w->f[i]);
}

void SVA(tree_rnea)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                    const SVA(forces) * f, const real a0[6], real *tau)
{
    SVA(joint_poses)(m, w, q);
    SVA(external_forces)(m, w, f);
    set_zero(6, w->v[-1]);
    copy(6, a0, w->a[-1]);
    for (int i = 0; i < m->n_bodies; i++) forward(m, w, i, v, a);
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        const sva_body *b = m->bodies + i;
        for (int k = 0; k < b->mv; k++) {
            real S[6];
            body_subspace(b, k, S);
            tau[b->jv + k] = dot6(S, w->f[i]);
            if (a) tau[b->jv + k] += (real)b->armature[k] * a[b->jv + k];
        }
        if (b->parent < 0) continue;
        real up[6];
        force_to_parent(w->XR[i], w->Xp[i], w->f[i], up);
        add(6, up, w->f[b->parent]);
    }
}

/* A column of M: F = I^C S, taken up the tree; M_jk = S_j . F. */
static void mass_column(const sva_model *m, SVA(workspace) * w, int i, int k, real *M)
{
    const sva_body *b = m->bodies + i;
    int n = m->nv_tree, col = b->jv + k;
    real S[6], F[6];
    body_subspace(b, k, S);
    inertia_times(w->I + i, S, F);
    for (int j = i; j >= 0; j = m->bodies[j].parent) {
        const sva_body *d = m->bodies + j;
        for (int l = 0; l < d->mv; l++) {
            real Sl[6];
            body_subspace(d, l, Sl);
            M[(d->jv + l) * n + col] = M[col * n + d->jv + l] = dot6(Sl, F);
        }
        real up[6];
        force_to_parent(w->XR[j], w->Xp[j], F, up);
        copy(6, up, F);
    }
}

void SVA(tree_crba)(const sva_model *m, SVA(workspace) * w, const real *q, real *M)
{
    set_zero(m->nv_tree * m->nv_tree, M);
    SVA(joint_poses)(m, w, q);
    for (int i = 0; i < m->n_bodies; i++) body_inertia(m->bodies + i, w->I + i);
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        const sva_body *b = m->bodies + i;
        for (int k = 0; k < b->mv; k++) {
            mass_column(m, w, i, k, M);
            M[(b->jv + k) * (m->nv_tree + 1)] += (real)b->armature[k];
        }
        if (b->parent < 0) continue;
        inertia up;
        inertia_to_parent(w->XR[i], w->Xp[i], w->I + i, &up);
        inertia_add(&up, w->I + b->parent);
    }
}

void SVA(energy)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], real *kinetic, real *potential)
{
    const real *vt = SVA(v_of_tree)(m, w, 0, v);
    SVA(ground_subspaces)(m, w, SVA(q_of_tree)(m, w, q));
    SVA(ground_velocities)(m, w, vt);
    SVA(ground_inertias)(m, w);
    *kinetic = *potential = (real)0;
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        real h[6];
        inertia_times(w->I + i, w->v[i], h);
        *kinetic += dot6(h, w->v[i]) * (real)0.5;
        for (int k = 0; k < b->mv; k++) *kinetic += (real)(0.5 * b->armature[k]) * vt[b->jv + k] * vt[b->jv + k];
        for (int k = 0; k < 3; k++) *potential -= (real)m->gravity[k] * w->I[i].h[k];
    }
}
