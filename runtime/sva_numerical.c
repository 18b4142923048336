/* Numerical derivatives by Lie-group increments q (+) e e_j: central differences, and the complex step. */
#include "sva_tree.h"

typedef void dynamics(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *x,
                      const SVA(forces) * f, real *out);

/* out = function at q (+) e_j step, or at v + e_j step. */
static void shifted(dynamics *function, const sva_model *m, SVA(workspace) * w, const real *q, const real *v,
                    const real *x, const SVA(forces) * f, int j, int by_v, real step, real *out)
{
    real *dv = w->vector[1];
    set_zero(m->nv, dv);
    dv[j] = step;
    if (!by_v) {
        SVA(integrate)(m, q, dv, w->q);
        function(m, w, w->q, v, x, f, out);
        return;
    }
    add(m->nv, v, dv);
    function(m, w, q, dv, x, f, out);
}

static void differences(dynamics *function, const sva_model *m, SVA(workspace) * w, const real *q, const real *v,
                        const real *x, const SVA(forces) * f, int by_v, real step, real *matrix)
{
    int n = m->nv;
    real *ahead = w->vector[2], *back = w->vector[3];
    for (int j = 0; j < n; j++) {
        shifted(function, m, w, q, v, x, f, j, by_v, step, ahead);
        shifted(function, m, w, q, v, x, f, j, by_v, -step, back);
        for (int i = 0; i < n; i++) matrix[i * n + j] = (ahead[i] - back[i]) / (2 * step);
    }
}

void SVA(id_differences)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real a[],
                         const SVA(forces) * f, real step, real dtau_dq[], real dtau_dv[])
{
    differences(SVA(rnea), m, w, q, v, a, f, 0, step, dtau_dq);
    differences(SVA(rnea), m, w, q, v, a, f, 1, step, dtau_dv);
}

void SVA(fd_differences)(const sva_model *m, SVA(workspace) * w, const real q[], const real v[], const real tau[],
                         const SVA(forces) * f, real step, real dqdd_dq[], real dqdd_dv[])
{
    differences(SVA(aba), m, w, q, v, tau, f, 0, step, dqdd_dq);
    differences(SVA(aba), m, w, q, v, tau, f, 1, step, dqdd_dv);
}

#if SVA_IS_COMPLEX
static void complex_step(dynamics *function, const sva_model *m, SVA(workspace) * w, const real *q, const real *v,
                         const real *x, const SVA(forces) * f, int by_v, double *matrix)
{
    const double h = 1e-100;
    int n = m->nv;
    real *out = w->vector[2];
    for (int j = 0; j < n; j++) {
        shifted(function, m, w, q, v, x, f, j, by_v, h * _Complex_I, out);
        for (int i = 0; i < n; i++) matrix[i * n + j] = cimag(out[i]) / h;
    }
}

/* Both derivatives of a function at real inputs. */
static void complex_steps(dynamics *function, const sva_model *m, SVA(workspace) * w, const double *q, const double *v,
                          const double *x, const SVA(forces) * f, double *by_q, double *by_v)
{
    real *qc = w->q_real, *vc = w->vector[3], *xc = w->vector[4];
    for (int i = 0; i < m->nq; i++) qc[i] = q[i];
    for (int i = 0; i < m->nv; i++) {
        vc[i] = v[i];
        xc[i] = x[i];
    }
    complex_step(function, m, w, qc, vc, xc, f, 0, by_q);
    complex_step(function, m, w, qc, vc, xc, f, 1, by_v);
}

void svac_id_complex_step(const sva_model *m, svac_workspace *w, const double q[], const double v[], const double a[],
                          const svac_forces *f, double dtau_dq[], double dtau_dv[])
{
    complex_steps(SVA(rnea), m, w, q, v, a, f, dtau_dq, dtau_dv);
}

void svac_fd_complex_step(const sva_model *m, svac_workspace *w, const double q[], const double v[], const double tau[],
                          const svac_forces *f, double dqdd_dq[], double dqdd_dv[])
{
    complex_steps(SVA(aba), m, w, q, v, tau, f, dqdd_dq, dqdd_dv);
}
#endif
