/* IDSVA in the ground frame: 002, Algorithm 1, equations 30-32; the Coriolis matrix C: 000, eq. 23.
   S, Sdot = v x S, Psi1 = v_L x S, Psi2 = a_L x S + v_L x Psi1; I, 2B, f summed over subtrees. For column k of joint i

       t1 = I^C S    t2 = 2 B^C S + I^C (Sdot + Psi1)    t3 = 2 B^C Psi1 + I^C Psi2 + S x* f^C    t4 = 2 (B^C)' S
       l before i on its path to the ground:  dtau_l/dq_k = S_l . t3     dtau_l/dv_k = S_l . t2
       l of i itself or before it:  dtau_k/dq_l = Psi1_l . t4 + Psi2_l . t1     dtau_k/dv_l = S_l . t4 + (Sdot + Psi1)_l
   . t1

   The linear half of t4 vanishes. */
#include "sva_tree.h"

static void kinematic_columns(const sva_model *m, SVA(workspace) * w, int i)
{
    const sva_body *b = m->bodies + i;
    const real *v = w->v[i], *vL = w->v[b->parent], *aL = w->a[b->parent];
    for (int k = b->jv; k < b->jv + b->mv; k++) {
        cross_motion(v, w->S[k], w->Sdot[k]);
        cross_motion(vL, w->S[k], w->Psi1[k]);
        cross_motion(aL, w->S[k], w->Psi2[k]);
        add_cross_motion(vL, w->Psi1[k], w->Psi2[k]);
        for (int r = 0; r < 6; r++) w->SdotPsi1[k][r] = w->Sdot[k][r] + w->Psi1[k][r];
    }
}

/* f = I a + B v - fext, where B v = v x* I v. */
static void body_force(SVA(workspace) * w, int i)
{
    real Bv[6], f[6];
    coriolis_twice(w->v[i], w->I + i, w->B + i);
    inertia_times(w->I + i, w->a[i], w->f[i]);
    half_times(w->B + i, w->v[i], Bv);
    add_scaled(6, (real)0.5, Bv, w->f[i]);
    force_to_parent(w->R[i], w->p[i], w->fext[i], f);
    subtract(6, f, w->f[i]);
}

typedef struct terms {
    real t1[6], t2[6], t3[6], t4[3];
} terms;

static void column_terms(const SVA(workspace) * w, int i, int k, terms *t)
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
}

static void derivative_rows(const sva_model *m, SVA(workspace) * w, int i, real *dtau_dq, real *dtau_dv)
{
    const sva_body *b = m->bodies + i;
    const int *parent = m->tree_parent;
    int n = m->nv_tree;
    for (int k = b->jv; k < b->jv + b->mv; k++) {
        terms t;
        column_terms(w, i, k, &t);
        real *row_q = dtau_dq + k * n, *row_v = dtau_dv + k * n;
        for (int l = b->jv + b->mv - 1; l >= 0; l = parent[l]) {
            row_q[l] = dot3(w->Psi1[l], t.t4) + dot6(w->Psi2[l], t.t1);
            row_v[l] = dot3(w->S[l], t.t4) + dot6(w->SdotPsi1[l], t.t1);
        }
        for (int l = parent[b->jv]; l >= 0; l = parent[l]) {
            dtau_dq[l * n + k] = dot6(w->S[l], t.t3);
            dtau_dv[l * n + k] = dot6(w->S[l], t.t2);
        }
    }
}

/* A force constant in the world does not move along with its body: K^C, applied to the direction of motion itself. */
static void world_rows(const sva_model *m, SVA(workspace) * w, int i, real *dtau_dq)
{
    const sva_body *b = m->bodies + i;
    int n = m->nv_tree;
    for (int k = b->jv; k < b->jv + b->mv; k++) {
        real KS[6], KtS[3];
        half_times(w->K + i, w->S[k], KS);
        half_transpose_times(w->K + i, w->S[k], KtS);
        for (int l = b->jv + b->mv - 1; l >= 0; l = m->tree_parent[l]) dtau_dq[k * n + l] += dot3(w->S[l], KtS);
        for (int l = m->tree_parent[b->jv]; l >= 0; l = m->tree_parent[l]) dtau_dq[l * n + k] += dot6(w->S[l], KS);
    }
    if (b->parent >= 0) half_add(w->K + i, w->K + b->parent);
}

static void world_terms(const sva_model *m, SVA(workspace) * w, real *dtau_dq)
{
    for (int i = 0; i < m->n_bodies; i++) {
        half_map K = w->K[i];
        half_to_parent(w->R[i], w->p[i], &K, w->K + i);
    }
    for (int i = m->n_bodies - 1; i >= 0; i--) world_rows(m, w, i, dtau_dq);
}

void SVA(tree_idsva)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                     const SVA(forces) * f, real *dtau_dq, real *dtau_dv)
{
    real a0[6];
    SVA(minus_gravity)(m, a0);
    SVA(ground_subspaces)(m, w, q);
    SVA(external_forces)(m, w, f);
    SVA(ground_velocities)(m, w, v);
    SVA(ground_accelerations)(m, w, v, a, a0);
    SVA(ground_inertias)(m, w);
    for (int i = 0; i < m->n_bodies; i++) {
        kinematic_columns(m, w, i);
        body_force(w, i);
    }
    set_zero(m->nv_tree * m->nv_tree, dtau_dq);
    set_zero(m->nv_tree * m->nv_tree, dtau_dv);
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        derivative_rows(m, w, i, dtau_dq, dtau_dv);
        int L = m->bodies[i].parent;
        if (L < 0) continue;
        inertia_add(w->I + i, w->I + L);
        half_add(w->B + i, w->B + L);
        add(6, w->f[i], w->f[L]);
    }
    if (w->has_world) world_terms(m, w, dtau_dq);
}

/* l before or of i:  C_lk = S_l . (I^C Sdot_k + B^C S_k)     C_kl = S_k . (I^C Sdot_l + B^C S_l) */
static void coriolis_rows(const sva_model *m, SVA(workspace) * w, int i, real *C)
{
    const sva_body *b = m->bodies + i;
    int n = m->nv_tree;
    for (int k = b->jv; k < b->jv + b->mv; k++) {
        real IS[6], up[6], x[6], BtS[3];
        inertia_times(w->I + i, w->S[k], IS);
        half_transpose_times(w->B + i, w->S[k], BtS);
        inertia_times(w->I + i, w->Sdot[k], up);
        half_times(w->B + i, w->S[k], x);
        add_scaled(6, (real)0.5, x, up);
        for (int l = b->jv + b->mv - 1; l >= 0; l = m->tree_parent[l])
            C[k * n + l] = dot6(w->Sdot[l], IS) + dot3(w->S[l], BtS) * (real)0.5;
        for (int l = m->tree_parent[b->jv]; l >= 0; l = m->tree_parent[l]) C[l * n + k] = dot6(w->S[l], up);
    }
}

void SVA(tree_coriolis)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, real *C)
{
    SVA(ground_subspaces)(m, w, q);
    SVA(ground_velocities)(m, w, v);
    SVA(ground_inertias)(m, w);
    set_zero(m->nv_tree * m->nv_tree, C);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        coriolis_twice(w->v[i], w->I + i, w->B + i);
        for (int k = b->jv; k < b->jv + b->mv; k++) cross_motion(w->v[i], w->S[k], w->Sdot[k]);
    }
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        coriolis_rows(m, w, i, C);
        int L = m->bodies[i].parent;
        if (L < 0) continue;
        inertia_add(w->I + i, w->I + L);
        half_add(w->B + i, w->B + L);
    }
}
