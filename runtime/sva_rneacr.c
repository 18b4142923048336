/* RNEACR: the chain rule on RNEA, [CM18], Algorithms 2 and 3, in body frames; one direction u after the other. */
#include "sva_chain_rule.h"

/* Algorithm 2, of the bodies that u moves: dv, da, df. */
static void forward(const sva_model *m, SVA(workspace) * w, const direction *u, int i)
{
    int L = m->bodies[i].parent;
    real x[6];
    velocity_derivative(m, w, u, i);
    bias_derivative(w, u, i, w->da[i]);
    if (i != u->j) {
        motion_to_child(w->XR[i], w->Xp[i], w->da[L], x);
        add(6, x, w->da[i]);
    } else if (!u->by_v)
        add_moved(w, u, w->a[L], w->da[i]);
    force_derivative(w, u, i, w->I + i, w->df[i]);
    inertia_times(w->I + i, w->da[i], x);
    add(6, x, w->df[i]);
}

/* Algorithm 3, line 1: a column of dtau. */
static void project(const sva_model *m, int i, const real df[6], int column, real *dtau)
{
    const sva_body *b = m->bodies + i;
    for (int k = 0; k < b->mv; k++) {
        real S[6];
        body_subspace(b, k, S);
        dtau[(b->jv + k) * m->nv_tree + column] = dot6(S, df);
    }
}

static void derive(const sva_model *m, SVA(workspace) * w, const direction *u, real *dtau)
{
    int j = u->j, column = m->bodies[j].jv + u->k;
    real df[6], up[6];
    for (int i = j; i < m->bodies[j].subtree; i++) forward(m, w, u, i);
    for (int i = m->bodies[j].subtree - 1; i >= j; i--) {
        project(m, i, w->df[i], column, dtau);
        if (i == j) break;
        force_to_parent(w->XR[i], w->Xp[i], w->df[i], up);
        add(6, up, w->df[m->bodies[i].parent]);
    }
    copy(6, w->df[j], df);
    if (!u->by_v) add_cross_force(u->S, w->f[j], df); /* eq. 14 */
    for (int i = j; m->bodies[i].parent >= 0; i = m->bodies[i].parent) {
        force_to_parent(w->XR[i], w->Xp[i], df, up);
        copy(6, up, df);
        project(m, m->bodies[i].parent, df, column, dtau);
    }
}

void SVA(tree_rneacr)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                      const SVA(forces) * f, real *dtau_dq, real *dtau_dv)
{
    real a0[6];
    SVA(minus_gravity)(m, a0);
    SVA(tree_rnea)(m, w, q, v, a, f, a0, w->u);
    momenta(m, w, v);
    set_zero(m->nv_tree * m->nv_tree, dtau_dq);
    set_zero(m->nv_tree * m->nv_tree, dtau_dv);
    for (int j = 0; j < m->n_bodies; j++)
        for (int k = 0; k < m->bodies[j].mv; k++) {
            direction by_q = direction_of(m, j, k, 0), by_v = direction_of(m, j, k, 1);
            derive(m, w, &by_q, dtau_dq);
            derive(m, w, &by_v, dtau_dv);
        }
}
