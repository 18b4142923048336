/* What kernels must say of each other, whatever the library thinks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sweep.h"

typedef struct values {
    double *in[INPUTS], *out[OUTPUTS];
} values;

static values values_new(const pair *p, const drawn_state *s)
{
    values v;
    for (int a = 0; a < INPUTS; a++) {
        size_t size = (size_t)input_size(p->y, (input)a) * sizeof(double);
        v.in[a] = malloc(size + 1);
        if (!v.in[a]) abort();
        memcpy(v.in[a], s->in[a], size);
    }
    for (int a = 0; a < OUTPUTS; a++) {
        int rows, cols;
        output_size(p->y, (output)a, &rows, &cols);
        v.out[a] = calloc((size_t)rows * (size_t)cols + 1, sizeof(double));
        if (!v.out[a]) abort();
    }
    return v;
}

static void values_free(values *v)
{
    for (int a = 0; a < INPUTS; a++) free(v->in[a]);
    for (int a = 0; a < OUTPUTS; a++) free(v->out[a]);
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void expect_near(pair *p, const char *what, const double *x, const double *y, int n, double tolerance)
{
    double error = 0;
    for (int i = 0; i < n; i++) error = fabs(x[i] - y[i]) <= error ? error : fabs(x[i] - y[i]);
    if (!(error <= tolerance)) pair_failed(p, "identity %s: off by %.2g, at most %.2g", what, error, tolerance);
}

/* minv M = 1 */
static void check_inverse(pair *p, values *v, double relative)
{
    int n = p->y->nv;
    if (!call_kernel(p, CRBA, v->in, v->out) || !call_kernel(p, MINV, v->in, v->out)) return;
    double *unit = calloc((size_t)(n * n), sizeof *unit), *product = calloc((size_t)(n * n), sizeof *product);
    if (!unit || !product) abort();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            unit[i * n + j] = i == j;
            for (int k = 0; k < n; k++) product[i * n + j] += v->out[OUT_MINV][i * n + k] * v->out[OUT_M][k * n + j];
        }
    expect_near(p, "minv M = 1", product, unit, n * n, relative * n);
    free(unit), free(product);
}

/* rnea(aba(tau)) = tau; fdsva's qdd is aba's. */
static void check_forward(pair *p, const drawn_state *s, values *v)
{
    int n = p->y->nv;
    if (!call_kernel(p, ABA, v->in, v->out)) return;
    memcpy(v->in[IN_A], v->out[OUT_QDD], (size_t)n * sizeof(double));
    double wide = 2 * s->tolerance[0][OUT_QDD], M = (double)n;
    for (int i = 0; i < n * n; i++) M = fmax(M, n * fabs((double)s->truth[0][OUT_M][i]));
    if (call_kernel(p, RNEA, v->in, v->out))
        expect_near(p, "rnea of aba", v->out[OUT_TAU], v->in[IN_TAU], n, M * wide + 2 * s->tolerance[0][OUT_TAU]);
    if (call_kernel(p, FDSVA, v->in, v->out))
        expect_near(p, "qdd of fdsva and aba", v->out[OUT_QDD], v->in[IN_A], n, wide);
}

/* A column of derivatives by central differences; `by` is IN_Q or IN_V. */
static void difference(pair *p, const drawn_state *s, values *v, int j, input by, double step, double column[])
{
    double *at = v->in[by], *tau = v->out[OUT_TAU];
    for (int sign = -1; sign <= 1; sign += 2) {
        if (by == IN_Q)
            witness_step(p->y, s->in[IN_Q], j, sign * step, at);
        else
            at[j] = s->in[IN_V][j] + sign * step;
        call_kernel(p, RNEA, v->in, v->out);
        for (int i = 0; i < p->y->nv; i++) column[i] = (sign < 0 ? 0 : column[i]) + sign * tau[i] / (2 * step);
    }
    memcpy(at, s->in[by], (size_t)input_size(p->y, by) * sizeof *at);
}

/* Friction's tanh is too steep for differences. */
static void check_derivatives(pair *p, const drawn_state *s, values *v)
{
    int n = p->y->nv;
    const double step = 1e-5;
    if (p->o->friction == LOSS_FULL || !p->o->kernels[RNEA] || !call_kernel(p, IDSVA, v->in, v->out)) return;
    bounds b = bounds_of(p->y, s, s->in[IN_A], false);
    const double scale[] = {b.dtau_dq, b.dtau_dv};
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < n; j++) {
            double column[MOST_NV * 2], given[MOST_NV * 2];
            for (int i = 0; i < n; i++) given[i] = v->out[k ? OUT_DTAU_DV : OUT_DTAU_DQ][i * n + j];
            difference(p, s, v, j, k ? IN_V : IN_Q, step, column);
            expect_near(p, k ? "dtau/dv by differences" : "dtau/dq by differences", given, column, n,
                        1e-6 * (scale[k] + b.tau) + 1e-6 * largest(given, n));
        }
}

void check_identities(pair *p)
{
    double eps = p->o->single ? 0x1p-24 : 0x1p-53;
    for (int i = 0; i < STATES; i++) {
        const drawn_state *s = &p->states[i];
        bool regular = s->condition < (p->o->single ? 1e4 : 1e10);
        values v = values_new(p, s);
        if (regular) check_inverse(p, &v, fmax(p->o->single ? 1e-4 : 1e-12, 32 * eps * s->condition));
        if (regular) check_forward(p, s, &v);
        values_free(&v);
        v = values_new(p, s);
        if (!p->o->single) check_derivatives(p, s, &v);
        values_free(&v);
    }
}
