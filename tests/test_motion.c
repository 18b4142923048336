/* A motion without outer forces keeps its energy, up to the error of the integrator, which falls as its order says. */
#include "suite.h"
#include <math.h>
#include <string.h>
#include "subject.h"

static double energy(subject *s, const double q[], const double v[])
{
    double kinetic, potential;
    sva_energy(s->m, s->w, q, v, &kinetic, &potential);
    return kinetic + potential;
}

/* One explicit midpoint step: of second order on the manifold too. */
static void step(subject *s, double h, double q[], double v[], double q_mid[], double v_mid[], double qdd[])
{
    int n = s->nv;
    double *zero = s->tau;
    sva_aba(s->m, s->w, q, v, zero, NULL, qdd);
    for (int i = 0; i < n; i++) v_mid[i] = h / 2 * v[i];
    sva_integrate(s->m, q, v_mid, q_mid);
    for (int i = 0; i < n; i++) v_mid[i] = v[i] + h / 2 * qdd[i];
    sva_aba(s->m, s->w, q_mid, v_mid, zero, NULL, qdd);
    for (int i = 0; i < n; i++) v_mid[i] *= h;
    sva_integrate(s->m, q, v_mid, q);
    for (int i = 0; i < n; i++) v[i] += h * qdd[i];
}

static double drift(subject *s, double time, int steps)
{
    double *q = vec(s, s->nq), *v = vec(s, s->nv), *q_mid = vec(s, s->nq), *v_mid = vec(s, s->nv), *qdd = vec(s, s->nv);
    memcpy(q, s->q, sizeof *q * (size_t)s->nq);
    memcpy(v, s->v, sizeof *v * (size_t)s->nv);
    for (int k = 0; k < steps; k++) step(s, time / steps, q, v, q_mid, v_mid, qdd);
    return energy(s, q, v) - energy(s, s->q, s->v);
}

/* Halving the step divides the drift by at least 3 (by 4 to second order, by 8 where those errors cancel), or it is
   down to rounding. What moved, not only how much: the kinetic energy must have changed by more than the drift. */
static void conserve(subject *s)
{
    if (!s->has_inverse) return;
    memset(s->tau, 0, sizeof *s->tau * (size_t)s->nv);
    double time = 0.02, coarse = fabs(drift(s, time, 40)), fine = fabs(drift(s, time, 80));
    double size = fabs(energy(s, s->q, s->v)) + 1;
    ck_assert_msg(coarse < 1e-3 * size, "%s: drift %g of %g", s->name, coarse, size);
    ck_assert_msg(fine < coarse / 3 || fine < 1e-12 * size, "%s: drift %g, with half the step %g", s->name, coarse,
                  fine);
}

START_TEST(test_conserve) { each_subject(conserve, 1); }
END_TEST

SUITE("motion", test_conserve)
