/* The public functions: each brings its inputs to the tree's coordinates, calls the algorithm, and reduces what comes
   out (sva_reduce.c; without dependent joints that costs nothing). Forward dynamics of a tree with dependent joints
   goes by factorising the reduced M. */
#include "sva_tree.h"

/* From how many degrees of freedom on AZA, O(N^2), beats M^-1 and the dense product, O(N^3); measured with gcc 12 -O3
   on x86-64 ([SRW21], figure 2, calls it the crossover N). */
enum { CROSSOVER = 128 };

void SVA(rnea)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real a[],
               const SVA(forces) * f, real tau[])
{
    real a0[6], *out = SVA(vector_of_tree)(m, w, 2, tau);
    const real *vt = v ? SVA(v_of_tree)(m, w, 0, v) : NULL, *at = a ? SVA(v_of_tree)(m, w, 1, a) : NULL;
    SVA(minus_gravity)(m, a0);
    SVA(tree_rnea)(m, w, SVA(q_of_tree)(m, w, q), vt, at, f, a0, out);
    SVA(reduce_vector)(m, out, tau);
}

void SVA(bias)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const SVA(forces) * f, real h[])
{
    SVA(rnea)(m, w, q, v, NULL, f, h);
}

void SVA(gravity)(const sva_model *m, SVA(workspace) * w, const real q[], real g[])
{
    SVA(rnea)(m, w, q, NULL, NULL, NULL, g);
}

void SVA(coriolis)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], real C[])
{
    real *out = SVA(matrix_of_tree)(m, w, 0, C);
    SVA(tree_coriolis)(m, w, SVA(q_of_tree)(m, w, q), SVA(v_of_tree)(m, w, 0, v), out);
    SVA(reduce_matrix)(m, out, C);
}

void SVA(crba)(const sva_model *m, SVA(workspace) * w, const real q[], real M[])
{
    real *out = SVA(matrix_of_tree)(m, w, 0, M);
    SVA(tree_crba)(m, w, SVA(q_of_tree)(m, w, q), out);
    SVA(reduce_matrix)(m, out, M);
}

void SVA(minv)(const sva_model *m, SVA(workspace) * w, const real q[], real minv[])
{
    if (!m->n_dependent) {
        SVA(tree_minv)(m, w, q, minv);
        return;
    }
    SVA(crba)(m, w, q, w->matrix[0]);
    SVA(ltdl)(m, w->matrix[0]);
    SVA(ltdl_inverse)(m, w->matrix[0], minv);
}

void SVA(fd_crba)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real tau[],
                  const SVA(forces) * f, real qdd[])
{
    SVA(bias)(m, w, q, v, f, w->vector[0]);
    /* NOLINTNEXTLINE(clang-analyzer-core.*): the arrays are as long as nv; NULL only where that is 0 */
    for (int i = 0; i < m->nv; i++) qdd[i] = tau[i] - w->vector[0][i];
    SVA(crba)(m, w, q, w->matrix[0]);
    SVA(ltdl)(m, w->matrix[0]);
    SVA(ltdl_solve)(m, w->matrix[0], qdd);
}

void SVA(aba)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real tau[],
              const SVA(forces) * f, real qdd[])
{
    if (m->n_dependent)
        SVA(fd_crba)(m, w, q, v, tau, f, qdd);
    else
        SVA(tree_aba)(m, w, q, v, tau, f, qdd);
}

typedef void id_derivatives(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                            const SVA(forces) * f, real *dtau_dq, real *dtau_dv);

static void derive(id_derivatives *algorithm, const sva_model *m, SVA(workspace) * w, const real *q, const real *v,
                   const real *a, const SVA(forces) * f, real *dtau_dq, real *dtau_dv)
{
    real *dq = SVA(matrix_of_tree)(m, w, 0, dtau_dq), *dv = SVA(matrix_of_tree)(m, w, 1, dtau_dv);
    const real *vt = SVA(v_of_tree)(m, w, 0, v), *at = SVA(v_of_tree)(m, w, 1, a);
    algorithm(m, w, SVA(q_of_tree)(m, w, q), vt, at, f, dq, dv);
    SVA(reduce_matrix)(m, dq, dtau_dq);
    SVA(reduce_matrix)(m, dv, dtau_dv);
}

void SVA(idsva)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real a[],
                const SVA(forces) * f, real dtau_dq[], real dtau_dv[])
{
    derive(SVA(tree_idsva), m, w, q, v, a, f, dtau_dq, dtau_dv);
}

void SVA(idsva_body)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real a[],
                     const SVA(forces) * f, real dtau_dq[], real dtau_dv[])
{
    derive(SVA(tree_idsva_body), m, w, q, v, a, f, dtau_dq, dtau_dv);
}

void SVA(rneacr)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real a[],
                 const SVA(forces) * f, real dtau_dq[], real dtau_dv[])
{
    derive(SVA(tree_rneacr), m, w, q, v, a, f, dtau_dq, dtau_dv);
}

/* x -= s[0] Y_0 + ... + s[3] Y_3, rows of Y. */
static void subtract_four(int n, const real s[4], const real *Y, real *x)
{
    const real *y0 = Y, *y1 = Y + n, *y2 = Y + 2 * n, *y3 = Y + 3 * n;
    for (int j = 0; j < n; j++) x[j] -= (s[0] * y0[j] + s[1] * y1[j]) + (s[2] * y2[j] + s[3] * y3[j]);
}

/* X = -M^-1 X, a dense product: row by row over a copy Y of X, four of its rows at a time. */
static void minus_product(int n, const real *minv, real *X, real *Y)
{
    copy(n * n, X, Y);
    set_zero(n * n, X);
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (; k + 4 <= n; k += 4) subtract_four(n, minv + i * n + k, Y + k * n, X + i * n);
        for (; k < n; k++) add_scaled(n, -minv[i * n + k], Y + k * n, X + i * n);
    }
}

/* dFD = -M^-1 dID ([SRW22], eq. 5). */
static void fd_derivatives(id_derivatives *algorithm, const sva_model *m, SVA(workspace) * w, const real *q,
                           const real *v, const real *tau, const SVA(forces) * f, sva_product product, real *qdd,
                           real *dqdd_dq, real *dqdd_dv, real *minv)
{
    int aza = !m->n_dependent && (product == SVA_PRODUCT_AZA || (product == SVA_PRODUCT_BY_SIZE && m->nv >= CROSSOVER));
    if (!qdd) qdd = w->vector[1];
    SVA(aba)(m, w, q, v, tau, f, qdd);
    derive(algorithm, m, w, q, v, qdd, f, dqdd_dq, dqdd_dv);
    if (aza) {
        SVA(tree_aza)(m, w, m->nv, (real)-1, dqdd_dq);
        SVA(tree_aza)(m, w, m->nv, (real)-1, dqdd_dv);
        if (minv) SVA(minv)(m, w, q, minv);
        return;
    }
    if (!minv) minv = w->matrix[1];
    SVA(minv)(m, w, q, minv);
    minus_product(m->nv, minv, dqdd_dq, w->matrix[0]);
    minus_product(m->nv, minv, dqdd_dv, w->matrix[0]);
}

/* From IDSVA in body frames: M^-1 magnifies the rows of light, distal joints, and in the ground frame these are small
   differences of large numbers (a floating atlas loses 5e-12 that way, 2e-14 this way). */
void SVA(fdsva)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real tau[],
                const SVA(forces) * f, sva_product product, real qdd[], real dqdd_dq[], real dqdd_dv[], real minv[])
{
    fd_derivatives(SVA(tree_idsva_body), m, w, q, v, tau, f, product, qdd, dqdd_dq, dqdd_dv, minv);
}

void SVA(fdcr)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real tau[],
               const SVA(forces) * f, real qdd[], real dqdd_dq[], real dqdd_dv[], real minv[])
{
    fd_derivatives(SVA(tree_rneacr), m, w, q, v, tau, f, SVA_PRODUCT_DMM, qdd, dqdd_dq, dqdd_dv, minv);
}

void SVA(abacr)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real tau[],
                const SVA(forces) * f, real qdd[], real dqdd_dq[], real dqdd_dv[])
{
    if (!qdd) qdd = w->vector[1];
    if (m->n_dependent)
        SVA(fdcr)(m, w, q, v, tau, f, qdd, dqdd_dq, dqdd_dv, NULL);
    else
        SVA(tree_abacr)(m, w, q, v, tau, f, qdd, dqdd_dq, dqdd_dv);
}
