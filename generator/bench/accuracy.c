#include "bench.h"

#include <math.h>
#include <stdlib.h>

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

static double block_error(int n, const quad x[], const quad y[])
{
    quad error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        quad e = x[i] - y[i], s = y[i];
        if (e < 0) e = -e;
        if (s < 0) s = -s;
        if (!(e <= error)) error = e;
        if (s > size) size = s;
    }
    return size > 0 ? (double)(error / size) : 0;
}

static double error_of(const result *x, const result *truth)
{
    double worst = 0;
    for (int k = 0, at = 0; k < truth->blocks; at += truth->block[k++])
        worst = fmax(worst, block_error(truth->block[k], x->x + at, truth->x + at));
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

static void measure(const sva_model *m, uint64_t *seed, double errors[2][ALGORITHMS])
{
    result r[3][ALGORITHMS] = {{{0}}};
    state s = random_state(m, seed);
    sva_run(m, &s, r[0]);
    svaf_run(m, &s, r[1]);
    svaq_run(m, &s, r[2]);
    for (int k = 0; k < ALGORITHMS; k++) {
        for (int t = 0; t < 2; t++) errors[t][k] = fmax(errors[t][k], error_of(&r[t][k], &r[2][k]));
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
