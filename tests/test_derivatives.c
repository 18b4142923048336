/* Every derivative against the complex step of the function it differentiates, and the algorithms against each other.
 */
#include "suite.h"
#include <math.h>
#include "subject.h"

enum { STATES = 2 };
static const double first_order = 1e-13, second_order = 1e-11, algorithms_agree = 1e-12;

/* Rounding of what is solved with M grows with its condition, of both sides that are compared: a quarter of the bound.
 */
static double solved(subject *s, double tolerance) { return fmax(tolerance, 0x1p-54 * condition(s)); }

typedef void id_algorithm(const sva_model *m, sva_workspace *w, const double q[], const double v[], const double a[],
                          const sva_forces *f, double dtau_dq[], double dtau_dv[]);

/* The first is the one that the others are compared with. */
static const struct {
    const char *name;
    id_algorithm *run;
} id_algorithms[] = {{"IDSVA", sva_idsva}, {"IDSVA in body frames", sva_idsva_body}, {"RNEACR", sva_rneacr}};

static void inverse_with(subject *s, const sva_forces *f, const svac_forces *fc)
{
    int n = s->nv, count = (int)(sizeof id_algorithms / sizeof *id_algorithms);
    double *dq = vec(s, n * n), *dv = vec(s, n * n), *first[2] = {vec(s, n * n), vec(s, n * n)};
    double *exact_dq = vec(s, n * n), *exact_dv = vec(s, n * n);
    svac_id_complex_step(s->m, s->wc, s->q, s->v, s->a, fc, exact_dq, exact_dv);
    for (int k = 0; k < count; k++) {
        id_algorithms[k].run(s->m, s->w, s->q, s->v, s->a, f, k ? dq : first[0], k ? dv : first[1]);
        expect_near(s, id_algorithms[k].name, n * n, k ? dq : first[0], exact_dq, first_order);
        expect_near(s, id_algorithms[k].name, n * n, k ? dv : first[1], exact_dv, first_order);
        if (!k) continue;
        expect_near(s, "dtau_dq of two algorithms", n * n, dq, first[0], algorithms_agree);
        expect_near(s, "dtau_dv of two algorithms", n * n, dv, first[1], algorithms_agree);
    }
    sva_id_differences(s->m, s->w, s->q, s->v, s->a, f, 0x1p-18, dq, dv);
    expect_near(s, "differences of RNEA by q", n * n, dq, exact_dq, 1e-7);
    expect_near(s, "differences of RNEA by v", n * n, dv, exact_dv, 1e-7);
}

/* Without external forces, with those of either kind, with both. */
static void inverse(subject *s)
{
    svac_forces all = complex_forces(s);
    inverse_with(s, NULL, NULL);
    inverse_with(s, &(sva_forces){.body = s->forces.body}, &(svac_forces){.body = all.body});
    inverse_with(s, &(sva_forces){.n_world = 3, .world = s->world}, &(svac_forces){.n_world = 3, .world = all.world});
    inverse_with(s, &s->forces, &all);
}

/* The forward algorithms, brought to one form. */
typedef struct forward_result {
    double *qdd, *dq, *dv, *minv;
} forward_result;

static void dmm(subject *s, const sva_forces *f, forward_result *r)
{
    sva_fdsva(s->m, s->w, s->q, s->v, s->tau, f, SVA_PRODUCT_DMM, r->qdd, r->dq, r->dv, r->minv);
}
static void aza(subject *s, const sva_forces *f, forward_result *r)
{
    sva_fdsva(s->m, s->w, s->q, s->v, s->tau, f, SVA_PRODUCT_AZA, r->qdd, r->dq, r->dv, r->minv);
}
static void by_size(subject *s, const sva_forces *f, forward_result *r)
{
    sva_fdsva(s->m, s->w, s->q, s->v, s->tau, f, SVA_PRODUCT_BY_SIZE, r->qdd, r->dq, r->dv, r->minv);
}
static void fdcr(subject *s, const sva_forces *f, forward_result *r)
{
    sva_fdcr(s->m, s->w, s->q, s->v, s->tau, f, r->qdd, r->dq, r->dv, r->minv);
}
static void abacr(subject *s, const sva_forces *f, forward_result *r)
{
    sva_abacr(s->m, s->w, s->q, s->v, s->tau, f, r->qdd, r->dq, r->dv);
    sva_minv(s->m, s->w, s->q, r->minv);
}

static const struct {
    const char *name;
    void (*run)(subject *s, const sva_forces *f, forward_result *r);
} fd_algorithms[] = {
    {"FDSVA, DMM", dmm}, {"FDSVA, AZA", aza}, {"FDSVA by size", by_size}, {"FDCR", fdcr}, {"ABACR", abacr}};

static forward_result forward_new(subject *s)
{
    int n = s->nv;
    return (forward_result){vec(s, n), vec(s, n * n), vec(s, n * n), vec(s, n * n)};
}

static void forward_with(subject *s, const sva_forces *f, const svac_forces *fc)
{
    int n = s->nv, count = (int)(sizeof fd_algorithms / sizeof *fd_algorithms);
    forward_result exact = forward_new(s), first = forward_new(s), other = forward_new(s);
    svac_fd_complex_step(s->m, s->wc, s->q, s->v, s->tau, fc, exact.dq, exact.dv);
    sva_aba(s->m, s->w, s->q, s->v, s->tau, f, exact.qdd);
    double near = solved(s, first_order), agree = solved(s, algorithms_agree);
    for (int k = 0; k < count; k++) {
        forward_result *r = k ? &other : &first;
        fd_algorithms[k].run(s, f, r);
        expect_near(s, fd_algorithms[k].name, n, r->qdd, exact.qdd, agree);
        expect_near(s, fd_algorithms[k].name, n * n, r->dq, exact.dq, near);
        expect_near(s, fd_algorithms[k].name, n * n, r->dv, exact.dv, near);
        if (!k) continue;
        expect_near(s, "dqdd_dq of two algorithms", n * n, other.dq, first.dq, agree);
        expect_near(s, "dqdd_dv of two algorithms", n * n, other.dv, first.dv, agree);
        expect_near(s, "minv of two algorithms", n * n, other.minv, first.minv, agree);
    }
    sva_fd_differences(s->m, s->w, s->q, s->v, s->tau, f, 0x1p-18, other.dq, other.dv);
    expect_near(s, "differences of ABA by q", n * n, other.dq, exact.dq, fmax(1e-7, 0x1p-34 * condition(s)));
    expect_near(s, "differences of ABA by v", n * n, other.dv, exact.dv, fmax(1e-7, 0x1p-34 * condition(s)));
}

static void forward(subject *s)
{
    if (!s->has_inverse) return;
    svac_forces all = complex_forces(s);
    forward_with(s, NULL, NULL);
    forward_with(s, &s->forces, &all);
}

/* Slice k of the tensors: complex steps of dtau_dq, dtau_dv along q_k and v_k, of M along q_k. */
typedef struct second_result {
    double *qq, *vv, *qv, *dM;
} second_result;

static void slice(subject *s, const cplx X[], int k, double *T)
{
    int n = s->nv;
    for (int i = 0; i < n * n; i++) derivative_of(1, &X[i], &T[i * n + k]);
}

static void second_exact(subject *s, second_result *r)
{
    int n = s->nv;
    cplx *q = cvec(s, s->nq), *v = cvec(s, n), *a = cvec(s, n), *dq = cvec(s, n * n), *dv = cvec(s, n * n);
    to_complex(n, s->a, NULL, a);
    for (int k = 0; k < n; k++) {
        double *e = unit_vector(s, k);
        to_complex(n, s->v, NULL, v);
        complex_configuration(s, e, q);
        svac_idsva(s->m, s->wc, q, v, a, NULL, dq, dv);
        slice(s, dq, k, r->qq);
        svac_crba(s->m, s->wc, q, dq);
        slice(s, dq, k, r->dM);
        to_complex(n, s->v, e, v);
        to_complex(s->nq, s->q, NULL, q);
        svac_idsva(s->m, s->wc, q, v, a, NULL, dq, dv);
        slice(s, dq, k, r->qv);
        slice(s, dv, k, r->vv);
    }
}

static second_result second_new(subject *s)
{
    int size = s->nv * s->nv * s->nv;
    return (second_result){vec(s, size), vec(s, size), vec(s, size), vec(s, size)};
}

static void second(subject *s)
{
    int size = s->nv * s->nv * s->nv;
    second_result exact = second_new(s), r = second_new(s);
    second_exact(s, &exact);
    sva_idsva_so(s->m, s->w, s->q, s->v, s->a, r.qq, r.vv, r.qv, r.dM);
    expect_near(s, "d2tau_dq_dq", size, r.qq, exact.qq, second_order);
    expect_near(s, "d2tau_dv_dv", size, r.vv, exact.vv, second_order);
    expect_near(s, "d2tau_dq_dv", size, r.qv, exact.qv, second_order);
    expect_near(s, "dM_dq", size, r.dM, exact.dM, second_order);
    double *alone = vec(s, size);
    sva_idsva_so(s->m, s->w, s->q, s->v, s->a, NULL, NULL, NULL, alone);
    expect_near(s, "dM_dq alone", size, alone, r.dM, 0);
}

#define EACH(name, states)                                                                                             \
    START_TEST(test_##name) { each_subject(name, states); }                                                            \
    END_TEST
EACH(inverse, STATES)
EACH(forward, STATES)
EACH(second, 1)

SUITE("derivatives", test_inverse, test_forward, test_second)
