/* M = L' D L with the sparsity of the tree ([F08], section 6.5): row i of L has entries only on i's path to
   the ground, so that elimination from the last row up fills nothing in. */
#include "sva_tree.h"

void SVA(ltdl)(const sva_model *m, real M[])
{
    int n = m->nv;
    const int *parent = m->v_parent;
    for (int k = n - 1; k >= 0; k--)
        for (int i = parent[k]; i >= 0; i = parent[i]) {
            real l = M[k * n + i] / M[k * n + k];
            for (int j = i; j >= 0; j = parent[j]) M[i * n + j] -= l * M[k * n + j];
            M[k * n + i] = l;
        }
}

/* x = L^-1 D^-1 L'^-1 x for an x that is zero after `last`. */
static void solve(const sva_model *m, const real *L, int last, real *x)
{
    int n = m->nv;
    const int *parent = m->v_parent;
    for (int i = last; i >= 0; i--)
        for (int j = parent[i]; j >= 0; j = parent[j]) x[j] -= L[i * n + j] * x[i];
    for (int i = 0; i <= last; i++) x[i] /= L[i * n + i];
    for (int i = 0; i < n; i++)
        for (int j = parent[i]; j >= 0; j = parent[j]) x[i] -= L[i * n + j] * x[j];
}

void SVA(ltdl_solve)(const sva_model *m, const real L[], real x[]) { solve(m, L, m->nv - 1, x); }

void SVA(ltdl_inverse)(const sva_model *m, const real L[], real minv[])
{
    int n = m->nv;
    set_zero(n * n, minv);
    for (int k = 0; k < n; k++) {
        minv[k * n + k] = (real)1;
        solve(m, L, k, minv + k * n);
    }
}
