/* IDSVA in the ground frame: [SRW22], Algorithm 1; sums over subtrees are plain additions. The formulas are in
   sva_idsva.h. With the same sums, the Coriolis matrix C: [SRW21], eq. 23. */
#include "sva_idsva.h"

/* External forces from the body's frame to the ground's, with K; then 2B and f. */
static void body_force(SVA(workspace) * w, int i)
{
    real fext[6];
    force_to_parent(w->R[i], w->p[i], w->fext[i], fext);
    coriolis_and_force(w, i, fext);
    if (!w->has_world) return;
    half_map K = w->K[i];
    half_to_parent(w->R[i], w->p[i], &K, w->K + i);
}

static void derivative_rows(const sva_model *m, SVA(workspace) * w, int i, real *dtau_dq, real *dtau_dv)
{
    const sva_body *b = m->bodies + i;
    const int *parent = m->tree_parent;
    int n = m->nv_tree, own = b->jv + b->mv - 1;
    for (int k = b->jv; k < b->jv + b->mv; k++) {
        terms t;
        column_terms(w, i, k, &t);
        real *row_q = dtau_dq + k * n, *row_v = dtau_dv + k * n;
        for (int l = own; l >= 0; l = parent[l]) {
            row_q[l] = dot3(w->Psi1[l], t.t4) + dot6(w->Psi2[l], t.t1);
            row_v[l] = dot3(w->S[l], t.t4) + dot6(w->SdotPsi1[l], t.t1);
        }
        for (int l = own; w->has_world && l >= 0; l = parent[l]) row_q[l] += dot3(w->S[l], t.t5);
        for (int l = parent[b->jv]; l >= 0; l = parent[l]) {
            dtau_dq[l * n + k] = dot6(w->S[l], t.t3);
            dtau_dv[l * n + k] = dot6(w->S[l], t.t2);
        }
    }
}

static void add_to_parent(SVA(workspace) * w, int i, int L)
{
    inertia_add(w->I + i, w->I + L);
    half_add(w->B + i, w->B + L);
    add(6, w->f[i], w->f[L]);
    if (w->has_world) half_add(w->K + i, w->K + L);
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
        int L = m->bodies[i].parent;
        kinematic_columns(m->bodies + i, w, w->v[i], w->v[L], w->a[L]);
        body_force(w, i);
    }
    set_zero(m->nv_tree * m->nv_tree, dtau_dq);
    set_zero(m->nv_tree * m->nv_tree, dtau_dv);
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        derivative_rows(m, w, i, dtau_dq, dtau_dv);
        if (m->bodies[i].parent >= 0) add_to_parent(w, i, m->bodies[i].parent);
    }
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
