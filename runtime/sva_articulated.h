/* Articulated inertias, symmetric 6 x 6 as [A, C; C', M], and rows of spatial vectors. */
#ifndef SVA_ARTICULATED_H
#define SVA_ARTICULATED_H

#include "sva_tree.h"

/* IA, U, Dinv of every body, after joint_poses. */
void SVA(articulated_inertias)(const sva_model *m, SVA(workspace) * w);

static inline void articulated_of_body(const sva_body *b, articulated *IA)
{
    for (int k = 0; k < 6; k++) {
        IA->A[k] = (real)b->I[k];
        IA->M[k] = (real)(k == 0 || k == 3 || k == 5 ? b->mass : 0);
    }
    for (int k = 0; k < 3; k++) { /* C = h x */
        int j = (k + 1) % 3, l = (k + 2) % 3;
        IA->C[4 * k] = (real)0;
        IA->C[3 * k + j] = (real)-b->h[l];
        IA->C[3 * j + k] = (real)b->h[l];
    }
}

static inline void articulated_times(const articulated *IA, const real m[6], real f[6])
{
    real t[3];
    symmetric3(IA->A, m, f);
    rotate(IA->C, m + 3, t);
    add(3, t, f);
    symmetric3(IA->M, m + 3, f + 3);
    rotate_back(IA->C, m, t);
    add(3, t, f + 3);
}

/* A += s (x y' + y x') */
static inline void symmetric_add_pair(real s, const real x[3], const real y[3], real A[6])
{
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = i; j < 3; j++, k++) A[k] += s * (x[i] * y[j] + y[i] * x[j]);
}

/* IA += s (x y' + y x') */
static inline void articulated_add_pair(real s, const real x[6], const real y[6], articulated *IA)
{
    symmetric_add_pair(s, x, y, IA->A);
    symmetric_add_pair(s, x + 3, y + 3, IA->M);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) IA->C[3 * i + j] += s * (x[i] * y[3 + j] + y[i] * x[3 + j]);
}

/* sum += X* IA X^-1. Turned by R, then shifted: C1 = C + p x M,  A1 = A + p x C' - C1 p x. */
static inline void articulated_add_to_parent(const real R[9], const real p[3], const articulated *IA, articulated *sum)
{
    real A[6], M[6], C[9], T[9], C1[9], Mrow[9], n1[3], n2[3];
    symmetric_to_parent(R, IA->A, A);
    symmetric_to_parent(R, IA->M, M);
    multiply3(R, IA->C, T);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = dot3(T + 3 * i, R + 3 * j);
    Mrow[0] = M[0], Mrow[1] = Mrow[3] = M[1], Mrow[2] = Mrow[6] = M[2];
    Mrow[4] = M[3], Mrow[5] = Mrow[7] = M[4], Mrow[8] = M[5];
    for (int j = 0; j < 3; j++) {
        cross3(p, Mrow + 3 * j, n1); /* column j of p x M */
        for (int i = 0; i < 3; i++) C1[3 * i + j] = C[3 * i + j] + n1[i];
    }
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = i; j < 3; j++, k++) {
            cross3(p, C1 + 3 * i, n1); /* row i of -C1 p x */
            cross3(p, C + 3 * j, n2);  /* column j of p x C' */
            sum->A[k] += A[k] + n1[j] + n2[i];
        }
    add(9, C1, sum->C);
    add(6, M, sum->M);
}

/* The six rows X, `stride` apart, of `n` columns that are forces: to the parent's frame, in place. */
static inline void force_rows_to_parent(const real R[9], const real p[3], int n, int stride, real *X)
{
    for (int c = 0; c < n; c++) {
        real f[6], out[6];
        for (int r = 0; r < 6; r++) f[r] = X[r * stride + c];
        force_to_parent(R, p, f, out);
        for (int r = 0; r < 6; r++) X[r * stride + c] = out[r];
    }
}

/* The same for motions, to the child's frame, out of place. */
static inline void motion_rows_to_child(const real R[9], const real p[3], int n, int stride, const real *X, real *out)
{
    for (int c = 0; c < n; c++) {
        real m[6], t[6];
        for (int r = 0; r < 6; r++) m[r] = X[r * stride + c];
        motion_to_child(R, p, m, t);
        for (int r = 0; r < 6; r++) out[r * stride + c] = t[r];
    }
}

#endif
