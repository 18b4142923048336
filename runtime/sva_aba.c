/* Forward dynamics by articulated bodies ([F08], section 7.3), in body frames, and the product of M^-1 with
   a matrix by the same with zero inputs, AZA ([SRW21], eq. 37-39; [SRW22], section IV-E). */
#include "sva_articulated.h"

/* D^-1 of a joint: Gauss-Jordan elimination without pivots, D being positive definite. */
static void invert(int n, real6 *D)
{
    for (int k = 0; k < n; k++) {
        real d = 1 / D[k][k];
        D[k][k] = (real)1;
        for (int j = 0; j < n; j++) D[k][j] *= d;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            real e = D[i][k];
            D[i][k] = (real)0;
            for (int j = 0; j < n; j++) D[i][j] -= e * D[k][j];
        }
    }
}

/* U = IA S, D = S' U + armature, Ia = IA - U D^-1 U' to the parent. */
static void articulate(const sva_model *m, SVA(workspace) * w, int i)
{
    const sva_body *b = m->bodies + i;
    real6 *U = w->U + b->jv, *D = w->Dinv + b->jv;
    for (int k = 0; k < b->mv; k++) {
        real S[6];
        body_subspace(b, k, S);
        articulated_times(w->IA + i, S, U[k]);
    }
    for (int k = 0; k < b->mv; k++) {
        real S[6];
        body_subspace(b, k, S);
        for (int l = 0; l < b->mv; l++) D[k][l] = dot6(S, U[l]);
        D[k][k] += (real)b->armature[k];
    }
    invert(b->mv, D);
    if (b->parent < 0) return;
    articulated Ia = w->IA[i];
    for (int k = 0; k < b->mv; k++)
        for (int l = 0; l <= k; l++) articulated_add_pair(k == l ? -D[k][k] * (real)0.5 : -D[k][l], U[k], U[l], &Ia);
    articulated_add_to_parent(w->XR[i], w->Xp[i], &Ia, w->IA + b->parent);
}

void SVA(articulated_inertias)(const sva_model *m, SVA(workspace) * w)
{
    for (int i = 0; i < m->n_bodies; i++) articulated_of_body(m->bodies + i, w->IA + i);
    for (int i = m->n_bodies - 1; i >= 0; i--) articulate(m, w, i);
}

/* v_i, c_i = v_i x vJ, pA_i = v_i x* I v_i - fext. */
static void forward(const sva_model *m, SVA(workspace) * w, int i, const real *v)
{
    const sva_body *b = m->bodies + i;
    real *vi = w->v[i], h[6], vJ[6];
    inertia I;
    body_inertia(b, &I);
    motion_to_child(w->XR[i], w->Xp[i], w->v[b->parent], vi);
    joint_motion(b, v, vJ);
    add(6, vJ, vi);
    cross_motion(vi, vJ, w->c[i]);
    inertia_times(&I, vi, h);
    cross_force(vi, h, w->pA[i]);
    subtract(6, w->fext[i], w->pA[i]);
}

/* u = tau - S' pA;  pa = pA + Ia c + U D^-1 u = pA + IA c + U D^-1 (u - U' c), left in f and added to the parent's pA.
 */
static void backward(const sva_model *m, SVA(workspace) * w, int i, const real *tau)
{
    const sva_body *b = m->bodies + i;
    real *pa = w->f[i], e[6], up[6];
    articulated_times(w->IA + i, w->c[i], pa);
    add(6, w->pA[i], pa);
    for (int k = 0; k < b->mv; k++) {
        real S[6];
        body_subspace(b, k, S);
        w->u[b->jv + k] = tau[b->jv + k] - dot6(S, w->pA[i]);
        e[k] = w->u[b->jv + k] - dot6(w->U[b->jv + k], w->c[i]);
    }
    for (int k = 0; k < b->mv; k++)
        for (int l = 0; l < b->mv; l++) add_scaled(6, w->Dinv[b->jv + k][l] * e[l], w->U[b->jv + k], pa);
    if (b->parent < 0) return;
    force_to_parent(w->XR[i], w->Xp[i], pa, up);
    add(6, up, w->pA[b->parent]);
}

/* a' = X a_L + c;  qdd = D^-1 (u - U' a');  a = a' + S qdd. */
static void accelerate(const sva_model *m, SVA(workspace) * w, int i, real *qdd)
{
    const sva_body *b = m->bodies + i;
    real *a = w->a[i], e[6], aJ[6];
    motion_to_child(w->XR[i], w->Xp[i], w->a[b->parent], a);
    add(6, w->c[i], a);
    for (int k = 0; k < b->mv; k++) e[k] = w->u[b->jv + k] - dot6(w->U[b->jv + k], a);
    for (int k = 0; k < b->mv; k++) {
        qdd[b->jv + k] = (real)0;
        for (int l = 0; l < b->mv; l++) qdd[b->jv + k] += w->Dinv[b->jv + k][l] * e[l];
    }
    joint_motion(b, qdd, aJ);
    add(6, aJ, a);
}

void SVA(tree_aba)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *tau,
                   const SVA(forces) * f, real *qdd)
{
    SVA(joint_poses)(m, w, q);
    SVA(external_forces)(m, w, f);
    SVA(articulated_inertias)(m, w);
    set_zero(6, w->v[-1]);
    SVA(minus_gravity)(m, w->a[-1]);
    for (int i = 0; i < m->n_bodies; i++) forward(m, w, i, v);
    for (int i = m->n_bodies - 1; i >= 0; i--) backward(m, w, i, tau);
    for (int i = 0; i < m->n_bodies; i++) accelerate(m, w, i, qdd);
}

/* Six rows of SVA_BLOCK columns, each column a spatial vector. */
typedef real block[SVA_BLOCK];

/* X = pA of a body (b) and u of its joint (bu): u = rhs - S' pA;  pa = pA + U D^-1 u to the parent. */
static void aza_backward(const sva_model *m, SVA(workspace) * w, int i)
{
    const sva_body *b = m->bodies + i;
    block *pA = (block *)(void *)(w->b + 6 * SVA_BLOCK * i), *u = (block *)(void *)(w->bu + SVA_BLOCK * b->jv);
    for (int k = 0; k < b->mv; k++)
        for (int r = 0; r < 6; r++) add_scaled(SVA_BLOCK, (real)-b->S[k][r], pA[r], u[k]);
    if (b->parent < 0) return;
    for (int k = 0; k < b->mv; k++) {
        block t;
        set_zero(SVA_BLOCK, t);
        for (int l = 0; l < b->mv; l++) add_scaled(SVA_BLOCK, w->Dinv[b->jv + k][l], u[l], t);
        for (int r = 0; r < 6; r++) add_scaled(SVA_BLOCK, w->U[b->jv + k][r], t, pA[r]);
    }
    force_rows_to_parent(w->XR[i], w->Xp[i], SVA_BLOCK, SVA_BLOCK, pA[0]);
    add(6 * SVA_BLOCK, pA[0], w->b + 6 * SVA_BLOCK * b->parent);
}

/* a' = X a_L;  x = D^-1 (u - U' a');  a = a' + S x: a in b, x in bu. */
static void aza_forward(const sva_model *m, SVA(workspace) * w, int i)
{
    const sva_body *b = m->bodies + i;
    block *a = (block *)(void *)(w->b + 6 * SVA_BLOCK * i), *u = (block *)(void *)(w->bu + SVA_BLOCK * b->jv), x[6];
    motion_rows_to_child(w->XR[i], w->Xp[i], SVA_BLOCK, SVA_BLOCK, w->b + 6 * SVA_BLOCK * b->parent, a[0]);
    for (int k = 0; k < b->mv; k++)
        for (int r = 0; r < 6; r++) add_scaled(SVA_BLOCK, -w->U[b->jv + k][r], a[r], u[k]);
    for (int k = 0; k < b->mv; k++) {
        set_zero(SVA_BLOCK, x[k]);
        for (int l = 0; l < b->mv; l++) add_scaled(SVA_BLOCK, w->Dinv[b->jv + k][l], u[l], x[k]);
    }
    for (int k = 0; k < b->mv; k++) {
        copy(SVA_BLOCK, x[k], u[k]);
        for (int r = 0; r < 6; r++) add_scaled(SVA_BLOCK, (real)b->S[k][r], x[k], a[r]);
    }
}

void SVA(tree_aza)(const sva_model *m, SVA(workspace) * w, int n, real s, real *X)
{
    for (int first = 0; first < n; first += SVA_BLOCK) {
        int columns = n - first < SVA_BLOCK ? n - first : SVA_BLOCK;
        set_zero(SVA_BLOCK * m->nv_tree, w->bu);
        set_zero(6 * SVA_BLOCK * (m->n_bodies + 1), w->b - 6 * SVA_BLOCK);
        for (int r = 0; r < m->nv_tree; r++) add_scaled(columns, s, X + r * n + first, w->bu + SVA_BLOCK * r);
        for (int i = m->n_bodies - 1; i >= 0; i--) aza_backward(m, w, i);
        for (int i = 0; i < m->n_bodies; i++) aza_forward(m, w, i);
        for (int r = 0; r < m->nv_tree; r++) copy(columns, w->bu + SVA_BLOCK * r, X + r * n + first);
    }
}
