#include "bench.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "compare/scale.h"

typedef __float128 quad;

enum algorithm {
    RNEA,
    ABA,
    CRBA,
    MINV,
    IDSVA,
    IDSVA_BODY,
    RNEACR,
    FDSVA_DMM,
    FDSVA_AZA,
    FDCR,
    ABACR,
    IDSVA_SO,
    ALGORITHMS
};

static const char *const names[ALGORITHMS] = {"RNEA",   "ABA",       "CRBA",      "minv", "IDSVA", "IDSVAbody",
                                              "RNEACR", "FDSVA-DMM", "FDSVA-AZA", "FDCR", "ABACR", "IDSVA-SO"};

/* Inputs that all types represent. */
typedef struct state {
    float *q, *v, *a;
} state;

/* What each algorithm's blocks are. */
static const scale_kind kinds[ALGORITHMS][4] = {
    [RNEA] = {SCALE_TAU},
    [ABA] = {SCALE_QDD},
    [CRBA] = {SCALE_M},
    [MINV] = {SCALE_MINV},
    [IDSVA] = {SCALE_DTAU_DQ, SCALE_DTAU_DV},
    [IDSVA_BODY] = {SCALE_DTAU_DQ, SCALE_DTAU_DV},
    [RNEACR] = {SCALE_DTAU_DQ, SCALE_DTAU_DV},
    [FDSVA_DMM] = {SCALE_DQDD_DQ, SCALE_DQDD_DV},
    [FDSVA_AZA] = {SCALE_DQDD_DQ, SCALE_DQDD_DV},
    [FDCR] = {SCALE_DQDD_DQ, SCALE_DQDD_DV},
    [ABACR] = {SCALE_DQDD_DQ, SCALE_DQDD_DV},
    [IDSVA_SO] = {SCALE_D2TAU_DQ_DQ, SCALE_D2TAU_DV_DV, SCALE_D2TAU_DQ_DV, SCALE_DM_DQ},
};

static const bool is_forward[ALGORITHMS] = {
    [ABA] = true, [MINV] = true, [FDSVA_DMM] = true, [FDSVA_AZA] = true, [FDCR] = true, [ABACR] = true};

/* What one algorithm wrote: blocks one after the other. */
typedef struct result {
    quad *x;
    int n, blocks, block[4];
} result;

#define REAL  double
#define FN(x) sva_##x
#include "accuracy_type.h"
#undef REAL
#undef FN
#define REAL  float
#define FN(x) svaf_##x
#include "accuracy_type.h"
#undef REAL
#undef FN
#define REAL  quad
#define FN(x) svaq_##x
#include "accuracy_type.h"

/* Over the largest |y|, or over the scale where that consists of roundings. */
static double block_error(int n, const quad x[], const quad y[], double scale, double epsilon)
{
    quad error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        quad e = x[i] - y[i], s = y[i];
        if (e < 0) e = -e;
        if (s < 0) s = -s;
        if (!(e <= error)) error = e;
        if (s > size) size = s;
    }
    if (scale_is_noise((double)size, scale, epsilon)) size = (quad)scale;
    return size > 0 ? (double)(error / size) : 0;
}

static double error_of(const result *x, const result *truth, const double scales[4], double epsilon)
{
    double worst = 0;
    for (int k = 0, at = 0; k < truth->blocks; at += truth->block[k++])
        worst = fmax(worst, block_error(truth->block[k], x->x + at, truth->x + at, scales[k], epsilon));
    return worst;
}

static float *rounded(int n, const double x[])
{
    float *y = malloc(sizeof *y * (size_t)(n + 1));
    for (int i = 0; i < n; i++) y[i] = (float)x[i];
    return y;
}

static state random_state(const sva_model *m, uint64_t *seed)
{
    double *x = malloc(sizeof *x * (size_t)(m->nq + m->nv));
    state s;
    sva_random_configuration(m, seed, x);
    s.q = rounded(m->nq, x);
    sva_random_vector(m->nv, seed, x);
    s.v = rounded(m->nv, x);
    sva_random_vector(m->nv, seed, x);
    s.a = rounded(m->nv, x);
    free(x);
    return s;
}

static double *doubles(int n, const float x[])
{
    double *y = malloc(sizeof *y * (size_t)(n + 1));
    for (int i = 0; i < n; i++) y[i] = (double)x[i];
    return y;
}

static double largest_row(int n, const quad M[])
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs((double)M[n * i + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* Forward dynamics take a for tau; their accelerations and M^-1 are among the truths. */
static void find_scales(const sva_model *m, const state *at, const result truth[ALGORITHMS],
                        double scales[ALGORITHMS][4])
{
    double *q = doubles(m->nq, at->q), *v = doubles(m->nv, at->v), *a = doubles(m->nv, at->a);
    double *qdd = malloc(sizeof *qdd * (size_t)(m->nv + 1));
    scale_state inverse = {.q = q, .v = v, .a = a}, forward = {.q = q, .v = v, .a = qdd};
    forward.inverse = largest_row(m->nv, truth[MINV].x);
    for (int i = 0; i < m->nv; i++) {
        qdd[i] = (double)truth[ABA].x[i];
        forward.tau = fmax(forward.tau, fabs(a[i]));
    }
    for (int k = 0; k < ALGORITHMS; k++)
        for (int b = 0; b < truth[k].blocks; b++)
            scales[k][b] = scale_of(m, is_forward[k] ? &forward : &inverse, kinds[k][b]);
    free(q);
    free(v);
    free(a);
    free(qdd);
}

static void measure(const sva_model *m, uint64_t *seed, double errors[2][ALGORITHMS])
{
    static const double epsilon[2] = {DBL_EPSILON, (double)FLT_EPSILON};
    result r[3][ALGORITHMS] = {{{0}}};
    state s = random_state(m, seed);
    sva_run(m, &s, r[0]);
    svaf_run(m, &s, r[1]);
    svaq_run(m, &s, r[2]);
    double scales[ALGORITHMS][4];
    find_scales(m, &s, r[2], scales);
    for (int k = 0; k < ALGORITHMS; k++) {
        for (int t = 0; t < 2; t++)
            errors[t][k] = fmax(errors[t][k], error_of(&r[t][k], &r[2][k], scales[k], epsilon[t]));
        for (int t = 0; t < 3; t++) free(r[t][k].x);
    }
    free(s.q);
    free(s.v);
    free(s.a);
}

static void print_row(bench_table *t, const char *name, int nv, const char *type, const double errors[ALGORITHMS])
{
    bench_name(t, 16, name);
    bench_cell(t, 3, "%d", nv);
    bench_cell(t, 6, "%s", type);
    for (int k = 0; k < ALGORITHMS; k++) bench_cell(t, 9, "%.1e", errors[k]);
    bench_end_row(t);
}

void bench_accuracy_heading(bench_table *t)
{
    bench_name(t, 16, "robot");
    bench_cell(t, 3, "nv");
    bench_cell(t, 6, "type");
    for (int k = 0; k < ALGORITHMS; k++) bench_cell(t, 9, "%s", names[k]);
    bench_end_row(t);
}

bool bench_accuracy(bench_table *t, const char *name, const sva_model *m)
{
    double errors[2][ALGORITHMS] = {{0}};
    uint64_t seed = 1;
    for (int k = 0; k < (m->nv < 50 ? 3 : 1); k++) measure(m, &seed, errors);
    print_row(t, name, m->nv, "double", errors[0]);
    print_row(t, name, m->nv, "float", errors[1]);
    return true;
}
