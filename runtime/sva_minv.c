/* M^-1 without M, after Carpentier ([CM18], section IV-B): ABA with zero inputs on the columns of the identity, in body
   frames, all columns at once, of which only the upper triangle is computed. Row i of M^-1 first gets what the subtree
   of i contributes, then what comes down from the ground. */
#include "sva_articulated.h"

/* rows = D^-1 rows, of one joint, from column `first` to `last`. */
static void apply_dinv(int n, const real6 *Dinv, int first, int last, real *rows, int stride)
{
    for (int c = first; c < last; c++) {
        real t[6];
        for (int k = 0; k < n; k++) t[k] = rows[k * stride + c];
        for (int k = 0; k < n; k++) {
            rows[k * stride + c] = (real)0;
            for (int l = 0; l < n; l++) rows[k * stride + c] += Dinv[k][l] * t[l];
        }
    }
}

/* rows_i = D^-1 (1 - S' F);  F += U rows_i, to the parent's frame; over the subtree's columns. */
static void backward(const sva_model *m, SVA(workspace) * w, int i, real *minv)
{
    const sva_body *b = m->bodies + i;
    int n = m->nv_tree, first = b->jv, last = b->subtree_v, own = b->jv + b->mv;
    real *rows = minv + b->jv * n;
    for (int r = 0; r < 6; r++) set_zero(own - first, w->F + r * n + first);
    for (int k = 0; k < b->mv; k++) {
        rows[k * n + first + k] = (real)1;
        for (int r = 0; r < 6; r++) add_scaled(last - own, (real)-b->S[k][r], w->F + r * n + own, rows + k * n + own);
    }
    apply_dinv(b->mv, w->Dinv + b->jv, first, last, rows, n);
    for (int k = 0; k < b->mv; k++)
        for (int r = 0; r < 6; r++)
            add_scaled(last - first, w->U[b->jv + k][r], rows + k * n + first, w->F + r * n + first);
    force_rows_to_parent(w->XR[i], w->Xp[i], last - first, n, w->F + first);
}

/* P_i = X P_L;  rows_i -= D^-1 U' P_i;  P_i += S rows_i; over the columns from the joint's own on. */
static void forward(const sva_model *m, SVA(workspace) * w, int i, real *minv)
{
    const sva_body *b = m->bodies + i;
    int n = m->nv_tree, first = b->jv, count = n - first;
    real *rows = minv + b->jv * n, *P = w->P + 6 * (size_t)n * (size_t)b->depth + first;
    if (b->parent < 0)
        for (int r = 0; r < 6; r++) set_zero(count, P + r * n);
    else {
        motion_rows_to_child(w->XR[i], w->Xp[i], count, n, P - 6 * n, P);
        for (int k = 0; k < b->mv; k++)
            for (int r = 0; r < 6; r++) {
                real e = (real)0; /* row k of D^-1 U' */
                for (int l = 0; l < b->mv; l++) e -= w->Dinv[b->jv + k][l] * w->U[b->jv + l][r];
                add_scaled(count, e, P + r * n, rows + k * n + first);
            }
    }
    for (int k = 0; k < b->mv; k++)
        for (int r = 0; r < 6; r++) add_scaled(count, (real)b->S[k][r], rows + k * n + first, P + r * n);
}

void SVA(tree_minv)(const sva_model *m, SVA(workspace) * w, const real *q, real *minv)
{
    int n = m->nv_tree;
    SVA(joint_poses)(m, w, q);
    SVA(articulated_inertias)(m, w);
    set_zero(n * n, minv);
    for (int i = m->n_bodies - 1; i >= 0; i--) backward(m, w, i, minv);
    for (int i = 0; i < m->n_bodies; i++) forward(m, w, i, minv);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) minv[i * n + j] = minv[j * n + i];
}
