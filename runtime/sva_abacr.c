/* ABACR: the chain rule on ABA (sva_aba.c), in body frames; one direction u after the other. IA of a body changes with
   the q below it only: for the q of joint j that is j's path to the ground. */
#include "sva_articulated.h"
#include "sva_chain_rule.h"

/* d(X* Ia X^-1)/dq = X* (S x* Ia - Ia S x) X^-1: the matrix in the brackets, column by column. */
static void moved_inertia(const real S[6], const articulated *Ia, articulated *out)
{
    for (int c = 0; c < 6; c++) {
        real e[6], x[6], y[6], z[6];
        set_zero(6, e);
        e[c] = (real)1;
        articulated_times(Ia, e, x);
        cross_force(S, x, y);
        cross_motion(S, e, x);
        articulated_times(Ia, x, z);
        subtract(6, z, y);
        for (int r = 0, k = 0; r < 3; r++)
            for (int l = r; l < 3; l++, k++) {
                if (l == c) out->A[k] = y[r];
                if (l + 3 == c) out->M[k] = y[r + 3];
            }
        for (int r = 0; c >= 3 && r < 3; r++) out->C[3 * r + c - 3] = y[r];
    }
}

static void articulated_zero(articulated *IA)
{
    set_zero(6, IA->A);
    set_zero(9, IA->C);
    set_zero(6, IA->M);
}

/* Ia = IA - U D^-1 U' */
static void reduced_inertia(const sva_body *b, const SVA(workspace) * w, int i, articulated *Ia)
{
    *Ia = w->IA[i];
    for (int k = b->jv; k < b->jv + b->mv; k++)
        for (int l = 0; l < b->mv; l++) articulated_add_pair(w->Dinv[k][l] * (real)-0.5, w->U[k], w->U[b->jv + l], Ia);
}

/* dU = dIA S,  d(D^-1) = -D^-1 S' dU D^-1 */
static void factor_derivatives(const sva_body *b, SVA(workspace) * w, const articulated *dIA)
{
    real6 *Dinv = w->Dinv + b->jv, *dDinv = w->dDinv + b->jv, *dU = w->dU + b->jv;
    for (int k = 0; k < b->mv; k++) {
        real S[6];
        body_subspace(b, k, S);
        articulated_times(dIA, S, dU[k]);
        set_zero(6, dDinv[k]);
    }
    for (int e = 0; e < b->mv; e++)
        for (int g = 0; g < b->mv; g++) {
            real S[6];
            body_subspace(b, e, S);
            real dD = dot6(S, dU[g]);
            for (int k = 0; k < b->mv; k++)
                for (int l = 0; l < b->mv; l++) dDinv[k][l] -= Dinv[k][e] * dD * Dinv[g][l];
        }
}

/* dIa = dIA - dU D^-1 U' - U D^-1 dU' - U d(D^-1) U', in place. */
static void reduced_derivative(const sva_body *b, const SVA(workspace) * w, articulated *dIA)
{
    for (int k = 0; k < b->mv; k++)
        for (int l = 0; l < b->mv; l++) {
            articulated_add_pair(-w->Dinv[b->jv + k][l], w->dU[b->jv + k], w->U[b->jv + l], dIA);
            articulated_add_pair(w->dDinv[b->jv + k][l] * (real)-0.5, w->U[b->jv + k], w->U[b->jv + l], dIA);
        }
}

/* y += U x of one joint, x = Dinv e. */
static void add_u_dinv(const sva_body *b, const real6 *U, const real6 *Dinv, const real e[6], real y[6])
{
    for (int k = 0; k < b->mv; k++)
        for (int l = 0; l < b->mv; l++) add_scaled(6, Dinv[b->jv + k][l] * e[l], U[b->jv + k], y);
}

/* du = -S' dpA */
static void input_derivative(const sva_body *b, SVA(workspace) * w, const real dpA[6])
{
    for (int k = 0; k < b->mv; k++) {
        real S[6];
        body_subspace(b, k, S);
        w->du[b->jv + k] = -dot6(S, dpA);
    }
}

/* In the subtree of j, dIA = 0:  dpa = dpA + IA dc + U D^-1 (du - U' dc); dpA in df, dpa left there, dc in da. */
static void backward_below(const sva_model *m, SVA(workspace) * w, const direction *u, int i)
{
    const sva_body *b = m->bodies + i;
    real x[6], e[6];
    input_derivative(b, w, w->df[i]);
    articulated_times(w->IA + i, w->da[i], x);
    add(6, x, w->df[i]);
    for (int k = 0; k < b->mv; k++) e[k] = w->du[b->jv + k] - dot6(w->U[b->jv + k], w->da[i]);
    add_u_dinv(b, w->U, w->Dinv, e, w->df[i]);
    if (i == u->j) return;
    force_to_parent(w->XR[i], w->Xp[i], w->df[i], x);
    add(6, x, w->df[b->parent]);
}

/* On the path from j to the ground, dc = 0:  dpa = dpA + dIa c + dU D^-1 u + U d(D^-1) u + U D^-1 du; dpA becomes dpa.
 */
static void backward_path(const sva_model *m, SVA(workspace) * w, int i, articulated *dIA, real dpA[6])
{
    const sva_body *b = m->bodies + i;
    real x[6];
    input_derivative(b, w, dpA);
    factor_derivatives(b, w, dIA);
    reduced_derivative(b, w, dIA);
    articulated_times(dIA, w->c[i], x);
    add(6, x, dpA);
    add_u_dinv(b, w->dU, w->Dinv, w->u + b->jv, dpA);
    add_u_dinv(b, w->U, w->dDinv, w->u + b->jv, dpA);
    add_u_dinv(b, w->U, w->Dinv, w->du + b->jv, dpA);
}

/* From j to the ground: what moves with j turns, and the rest follows. */
static void climb(const sva_model *m, SVA(workspace) * w, const direction *u)
{
    const sva_body *b = m->bodies + u->j;
    articulated dI, Ia;
    real dp[6];
    articulated_zero(&dI);
    copy(6, w->df[u->j], dp);
    if (!u->by_v) {
        reduced_inertia(b, w, u->j, &Ia);
        moved_inertia(u->S, &Ia, &dI);
        add_cross_force(u->S, w->f[u->j], dp);
    }
    for (int i = u->j; m->bodies[i].parent >= 0; i = m->bodies[i].parent) {
        articulated up;
        real x[6];
        articulated_zero(&up);
        articulated_add_to_parent(w->XR[i], w->Xp[i], &dI, &up);
        dI = up;
        force_to_parent(w->XR[i], w->Xp[i], dp, x);
        copy(6, x, dp);
        backward_path(m, w, m->bodies[i].parent, &dI, dp);
    }
}

/* a' = a - S qdd: the body's acceleration before its own joint's. */
static void acceleration_before(const sva_body *b, const SVA(workspace) * w, int i, const real *qdd, real a[6])
{
    real aJ[6];
    joint_motion(b, qdd, aJ);
    copy(6, w->a[i], a);
    subtract(6, aJ, a);
}

/* da' = X da_L + dc (+ (X a_L) x S at j);  dqdd = d(D^-1) (u - U' a') + D^-1 (du - dU' a' - U' da');  da = da' + S
 * dqdd. */
static void accelerate(const sva_model *m, SVA(workspace) * w, const direction *u, int i, const real *qdd, real *dqdd)
{
    const sva_body *b = m->bodies + i;
    int below = i >= u->j && i < m->bodies[u->j].subtree, above = i < u->j && u->j < b->subtree, n = b->mv;
    real a[6], x[6], e[6], de[6];
    motion_to_child(w->XR[i], w->Xp[i], w->da[b->parent], x);
    if (below)
        add(6, x, w->da[i]);
    else
        copy(6, x, w->da[i]);
    if (i == u->j && !u->by_v) add_moved(w, u, w->a[b->parent], w->da[i]);
    acceleration_before(b, w, i, qdd, a);
    for (int k = 0; k < n; k++) {
        int r = b->jv + k;
        e[k] = w->u[r] - dot6(w->U[r], a);
        de[k] = -dot6(w->U[r], w->da[i]);
        if (below || above) de[k] += w->du[r];
        if (above) de[k] -= dot6(w->dU[r], a);
    }
    for (int k = 0; k < n; k++) {
        real sum = (real)0;
        for (int l = 0; l < n; l++) sum += w->Dinv[b->jv + k][l] * de[l];
        for (int l = 0; above && l < n; l++) sum += w->dDinv[b->jv + k][l] * e[l];
        dqdd[b->jv + k] = sum;
    }
    joint_motion(b, dqdd, x);
    add(6, x, w->da[i]);
}

static void derive(const sva_model *m, SVA(workspace) * w, const direction *u, const real *qdd, real *matrix)
{
    int j = u->j, n = m->nv_tree, column = m->bodies[j].jv + u->k;
    real *dqdd = w->F;
    for (int i = j; i < m->bodies[j].subtree; i++) {
        velocity_derivative(m, w, u, i);
        bias_derivative(w, u, i, w->da[i]);
        force_derivative(w, u, i, w->I + i, w->df[i]);
    }
    for (int i = m->bodies[j].subtree - 1; i >= j; i--) backward_below(m, w, u, i);
    climb(m, w, u);
    set_zero(6, w->da[-1]);
    for (int i = 0; i < m->n_bodies; i++) accelerate(m, w, u, i, qdd, dqdd);
    for (int r = 0; r < n; r++) matrix[r * n + column] = dqdd[r];
}

void SVA(tree_abacr)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *tau,
                     const SVA(forces) * f, real *qdd, real *dqdd_dq, real *dqdd_dv)
{
    SVA(tree_aba)(m, w, q, v, tau, f, qdd);
    momenta(m, w, v);
    for (int j = 0; j < m->n_bodies; j++)
        for (int k = 0; k < m->bodies[j].mv; k++) {
            direction by_q = direction_of(m, j, k, 0), by_v = direction_of(m, j, k, 1);
            derive(m, w, &by_q, qdd, dqdd_dq);
            derive(m, w, &by_v, qdd, dqdd_dv);
        }
}
