/* IDSVA in body frames: each quantity of sva_idsva.h in its own body's frame; t1..t5 are taken from frame to
   frame on their way to the ground ([SRW21], section V-B). */
#include "sva_idsva.h"

/* v_i = X v_L + vJ,  a_i = X a_L + S a + v_i x vJ, and what follows from them. */
static void forward(const sva_model *m, SVA(workspace) * w, int i, const real *v, const real *a)
{
    const sva_body *b = m->bodies + i;
    real vL[6], aL[6], vJ[6], aJ[6];
    motion_to_child(w->XR[i], w->Xp[i], w->v[b->parent], vL);
    motion_to_child(w->XR[i], w->Xp[i], w->a[b->parent], aL);
    joint_motion(b, v, vJ);
    joint_motion(b, a, aJ);
    for (int r = 0; r < 6; r++) {
        w->v[i][r] = vL[r] + vJ[r];
        w->a[i][r] = aL[r] + aJ[r];
    }
    add_cross_motion(w->v[i], vJ, w->a[i]);
    for (int k = 0; k < b->mv; k++) body_subspace(b, k, w->S[b->jv + k]);
    kinematic_columns(b, w, w->v[i], vL, aL);
    body_inertia(b, w->I + i);
    coriolis_and_force(w, i, w->fext[i]);
}

static void terms_to_parent(const SVA(workspace) * w, int j, terms *t)
{
    terms in = *t;
    force_to_parent(w->XR[j], w->Xp[j], in.t1, t->t1);
    force_to_parent(w->XR[j], w->Xp[j], in.t2, t->t2);
    force_to_parent(w->XR[j], w->Xp[j], in.t3, t->t3);
    rotate(w->XR[j], in.t4, t->t4);
    if (w->has_world) rotate(w->XR[j], in.t5, t->t5);
}

static void derivative_rows(const sva_model *m, SVA(workspace) * w, int i, int k, real *dtau_dq, real *dtau_dv)
{
    int n = m->nv_tree;
    terms t;
    column_terms(w, i, k, &t);
    for (int j = i; j >= 0; j = m->bodies[j].parent) {
        const sva_body *d = m->bodies + j;
        for (int l = d->jv; l < d->jv + d->mv; l++) {
            dtau_dq[k * n + l] = dot3(w->Psi1[l], t.t4) + dot6(w->Psi2[l], t.t1);
            if (w->has_world) dtau_dq[k * n + l] += dot3(w->S[l], t.t5);
            dtau_dv[k * n + l] = dot3(w->S[l], t.t4) + dot6(w->SdotPsi1[l], t.t1);
            if (j == i) continue;
            dtau_dq[l * n + k] = dot6(w->S[l], t.t3);
            dtau_dv[l * n + k] = dot6(w->S[l], t.t2);
        }
        terms_to_parent(w, j, &t);
    }
}

static void add_to_parent(SVA(workspace) * w, int i, int L)
{
    inertia I;
    half_map B;
    real f[6];
    inertia_to_parent(w->XR[i], w->Xp[i], w->I + i, &I);
    inertia_add(&I, w->I + L);
    half_to_parent(w->XR[i], w->Xp[i], w->B + i, &B);
    half_add(&B, w->B + L);
    force_to_parent(w->XR[i], w->Xp[i], w->f[i], f);
    add(6, f, w->f[L]);
    if (!w->has_world) return;
    half_to_parent(w->XR[i], w->Xp[i], w->K + i, &B);
    half_add(&B, w->K + L);
}

void SVA(tree_idsva_body)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                          const SVA(forces) * f, real *dtau_dq, real *dtau_dv)
{
    SVA(joint_poses)(m, w, q);
    SVA(external_forces)(m, w, f);
    set_zero(6, w->v[-1]);
    SVA(minus_gravity)(m, w->a[-1]);
    for (int i = 0; i < m->n_bodies; i++) forward(m, w, i, v, a);
    set_zero(m->nv_tree * m->nv_tree, dtau_dq);
    set_zero(m->nv_tree * m->nv_tree, dtau_dv);
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        const sva_body *b = m->bodies + i;
        for (int k = b->jv; k < b->jv + b->mv; k++) derivative_rows(m, w, i, k, dtau_dq, dtau_dv);
        if (b->parent >= 0) add_to_parent(w, i, b->parent);
    }
}
