/* The generic library against itself: algorithms for one quantity agree, and what mechanics demands holds. */
#include "suite.h"
#include <math.h>
#include <string.h>
#include "subject.h"

enum { STATES = 2 };

/* Solving with M magnifies rounding by up to cond(M). */
static double solved(subject *s) { return fmax(1e-12, 0x1p-52 * condition(s)); }

static void multiply(int n, const double A[], const double B[], double C[])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i * n + j] = 0;
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
        }
}

static void times(int n, const double A[], const double x[], double y[])
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += A[i * n + k] * x[k];
    }
}

static double dot(int n, const double x[], const double y[])
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* M_ij = tau_i(a = e_j) without velocity and gravity's part; symmetric; x' M x > 0. */
static void mass_matrix(subject *s)
{
    int n = s->nv;
    double *M = vec(s, n * n), *Mt = vec(s, n * n), *columns = vec(s, n * n), *g = vec(s, n), *tau = vec(s, n);
    sva_crba(s->m, s->w, s->q, M);
    sva_gravity(s->m, s->w, s->q, g);
    for (int j = 0; j < n; j++) {
        sva_rnea(s->m, s->w, s->q, vec(s, n), unit_vector(s, j), NULL, tau);
        for (int i = 0; i < n; i++) columns[i * n + j] = tau[i] - g[i];
    }
    for (int i = 0; i < n * n; i++) Mt[i] = M[i % n * n + i / n];
    expect_near(s, "M transposed", n * n, Mt, M, 1e-15);
    expect_near(s, "M by RNEA", n * n, columns, M, 1e-12);
    times(n, M, s->v, tau);
    if (s->has_inverse) ck_assert_msg(dot(n, tau, s->v) > 0, "%s: v'Mv <= 0", s->name);
    sva_ltdl(s->m, M); /* all of D positive: M is positive definite */
    for (int i = 0; i < n && s->has_inverse; i++) ck_assert_msg(M[i * n + i] > 0, "%s: D_%d", s->name, i);
}

static void inverses(subject *s)
{
    if (!s->has_inverse) return;
    int n = s->nv;
    double *M = vec(s, n * n), *L = vec(s, n * n), *X = vec(s, n * n), *Y = vec(s, n * n), *one = vec(s, n * n);
    for (int i = 0; i < n; i++) one[i * n + i] = 1;
    sva_crba(s->m, s->w, s->q, M);
    memcpy(L, M, sizeof *M * (size_t)(n * n));
    sva_ltdl(s->m, L);
    sva_ltdl_inverse(s->m, L, X);
    sva_minv(s->m, s->w, s->q, Y);
    expect_near(s, "minv and L'DL", n * n, X, Y, solved(s));
    multiply(n, M, Y, X);
    expect_near(s, "M minv", n * n, X, one, solved(s));
    double *x = vec(s, n), *y = vec(s, n);
    memcpy(x, s->tau, sizeof *x * (size_t)n);
    sva_ltdl_solve(s->m, L, x);
    times(n, Y, s->tau, y);
    expect_near(s, "L'DL solve", n, x, y, solved(s));
}

/* FD of ID gives back a, ID of FD gives back tau, with forces; ABA and M^-1 (tau - h) agree. */
static void forward_inverse(subject *s)
{
    if (!s->has_inverse) return;
    int n = s->nv;
    double *tau = vec(s, n), *a = vec(s, n), *b = vec(s, n);
    sva_rnea(s->m, s->w, s->q, s->v, s->a, &s->forces, tau);
    sva_aba(s->m, s->w, s->q, s->v, tau, &s->forces, a);
    expect_near(s, "FD(ID)", n, a, s->a, solved(s));
    sva_aba(s->m, s->w, s->q, s->v, s->tau, &s->forces, a);
    sva_rnea(s->m, s->w, s->q, s->v, a, &s->forces, tau);
    expect_near(s, "ID(FD)", n, tau, s->tau, solved(s));
    sva_fd_crba(s->m, s->w, s->q, s->v, s->tau, &s->forces, b);
    expect_near(s, "FD by CRBA", n, b, a, solved(s));
}

/* tau = M a + h, h = C v + g - J'f. */
static void equation_of_motion(subject *s)
{
    int n = s->nv;
    double *M = vec(s, n * n), *C = vec(s, n * n), *h = vec(s, n), *g = vec(s, n), *x = vec(s, n), *tau = vec(s, n);
    sva_crba(s->m, s->w, s->q, M);
    sva_bias(s->m, s->w, s->q, s->v, &s->forces, h);
    sva_rnea(s->m, s->w, s->q, s->v, s->a, &s->forces, tau);
    times(n, M, s->a, x);
    for (int i = 0; i < n; i++) x[i] += h[i];
    expect_near(s, "M a + h", n, x, tau, 1e-12);
    sva_coriolis(s->m, s->w, s->q, s->v, C);
    sva_gravity(s->m, s->w, s->q, g);
    sva_bias(s->m, s->w, s->q, s->v, NULL, h);
    times(n, C, s->v, x);
    for (int i = 0; i < n; i++) x[i] += g[i];
    expect_near(s, "C v + g", n, x, h, 1e-12);
}

/* Mdot = d/dt M(q (+) v t) = C + C'. */
static void coriolis_skew(subject *s)
{
    int n = s->nv;
    double *C = vec(s, n * n), *sum = vec(s, n * n), *Mdot = vec(s, n * n);
    cplx *q = cvec(s, s->nq), *M = cvec(s, n * n);
    complex_configuration(s, s->v, q);
    svac_crba(s->m, s->wc, q, M);
    derivative_of(n * n, M, Mdot);
    sva_coriolis(s->m, s->w, s->q, s->v, C);
    for (int i = 0; i < n * n; i++) sum[i] = C[i] + C[i % n * n + i / n];
    if (n > 1) expect_near(s, "C + C'", n * n, sum, Mdot, 1e-12);
}

/* A force in the body's axes and the same one given in the world's are one force; its torque is J' f. */
static void two_kinds_of_force(subject *s)
{
    int n = s->nv, body = s->m->n_bodies - 1;
    double *J = vec(s, 6 * n), *tau = vec(s, n), *other = vec(s, n), *expected = vec(s, n), R[9], p[3];
    sva_frame at = {.body = body, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    sva_world_force world = {.body = body};
    double *all = vec(s, 6 * s->m->n_bodies), *f = all + 6 * body;
    memcpy(f, s->body_forces, sizeof *f * 6);
    sva_frame_pose(s->m, s->w, s->q, &at, R, p);
    times(3, R, f, world.force);
    times(3, R, f + 3, world.moment);
    sva_rnea(s->m, s->w, s->q, vec(s, n), vec(s, n), &(sva_forces){.body = all}, tau);
    sva_rnea(s->m, s->w, s->q, vec(s, n), vec(s, n), &(sva_forces){.n_world = 1, .world = &world}, other);
    expect_near(s, "world and body force", n, other, tau, 1e-12);
    sva_frame_jacobian(s->m, s->w, s->q, &at, SVA_LOCAL, J);
    sva_gravity(s->m, s->w, s->q, expected);
    for (int j = 0; j < n; j++)
        for (int r = 0; r < 6; r++) expected[j] -= J[r * n + j] * f[r];
    expect_near(s, "J' f", n, tau, expected, 1e-12);
}

/* d/dt (T + V) = tau . v, along the motion. */
static void power(subject *s)
{
    if (!s->has_inverse) return;
    int n = s->nv;
    double *qdd = vec(s, n), rate[2];
    cplx *q = cvec(s, s->nq), *v = cvec(s, n), energy[2];
    sva_aba(s->m, s->w, s->q, s->v, s->tau, NULL, qdd);
    complex_configuration(s, s->v, q);
    to_complex(n, s->v, qdd, v);
    svac_energy(s->m, s->wc, q, v, &energy[0], &energy[1]);
    derivative_of(2, energy, rate);
    double total = rate[0] + rate[1], work = dot(n, s->tau, s->v);
    double size = fmax(fabs(rate[0]), fmax(fabs(rate[1]), fabs(work)));
    ck_assert_msg(fabs(total - work) <= solved(s) * size, "%s: power %g, rate of energy %g", s->name, work, total);
}

/* q (+) (q1 (-) q) = q1, up to the sign of quaternions: compared as poses of the bodies. */
static void manifold(subject *s)
{
    int bodies = s->m->n_bodies;
    double *q1 = vec(s, s->nq), *back = vec(s, s->nq), *dv = vec(s, s->nv), *again = vec(s, s->nv);
    double *R = vec(s, 9 * bodies), *p = vec(s, 3 * bodies), *R1 = vec(s, 9 * bodies), *p1 = vec(s, 3 * bodies);
    sva_random_configuration(s->m, &s->seed, q1);
    sva_difference(s->m, s->q, q1, dv);
    sva_integrate(s->m, s->q, dv, back);
    sva_body_poses(s->m, s->w, q1, R1, p1);
    sva_body_poses(s->m, s->w, back, R, p);
    expect_near(s, "rotations after difference", 9 * bodies, R, R1, 1e-12);
    expect_near(s, "positions after difference", 3 * bodies, p, p1, 1e-12);
    sva_integrate(s->m, s->q, s->v, back);
    sva_difference(s->m, s->q, back, again);
    expect_near(s, "difference after integrate", s->nv, again, s->v, 1e-12);
}

/* One robot twice: with dependent joints (d) and with all of them independent (f). */
typedef struct twins {
    fixture d, f;
    int *slot; /* of each degree of freedom of f, the one of d it follows */
    double *gain, *offset;
} twins;

static twins twins_of(const char *path)
{
    twins t = {.d = fixture_robot(path, (model_options){.base = BASE_FIXED})};
    t.f = fixture_robot(path, (model_options){.base = BASE_FIXED, .mimic_independent = true});
    ck_assert(t.d.sva && t.f.sva && t.d.model->n_bodies == t.f.model->n_bodies);
    int n = t.f.model->nv;
    t.slot = ARENA_ARRAY(t.f.memory, int, n);
    t.gain = ARENA_ARRAY(t.f.memory, double, n);
    t.offset = ARENA_ARRAY(t.f.memory, double, n);
    for (int i = 0; i < t.f.model->n_bodies; i++) {
        const model_body *b = &t.d.model->bodies[i];
        int k = t.f.model->bodies[i].iv;
        t.slot[k] = b->iv;
        t.gain[k] = b->master < 0 ? 1 : b->multiplier;
        t.offset[k] = b->master < 0 ? 0 : b->offset;
    }
    return t;
}

/* x_f = G x_d (+ c); y_d = G' y_f */
static void expand(const twins *t, bool with_offset, const double x[], double out[])
{
    for (int k = 0; k < t->f.model->nv; k++) out[k] = t->gain[k] * x[t->slot[k]] + (with_offset ? t->offset[k] : 0);
}

static void reduce(const twins *t, const double y[], double out[])
{
    memset(out, 0, sizeof *out * (size_t)t->d.model->nv);
    for (int k = 0; k < t->f.model->nv; k++) out[t->slot[k]] += t->gain[k] * y[k];
}

/* tau = G' tau_f(G q + c, G v, G a), for fixed bases with joints of one degree of freedom each. */
static void dependent_robot(const char *path)
{
    enum { MOST = 64 };
    twins t = twins_of(path);
    ck_assert(t.d.model->nv < t.f.model->nv && t.f.model->nv <= MOST);
    double q[MOST], v[MOST], a[MOST], tau[MOST], q_f[MOST], v_f[MOST], a_f[MOST], tau_f[MOST], expected[MOST];
    uint64_t seed = 1;
    sva_random_configuration(t.d.sva, &seed, q);
    sva_random_vector(t.d.model->nv, &seed, v);
    sva_random_vector(t.d.model->nv, &seed, a);
    expand(&t, true, q, q_f);
    expand(&t, false, v, v_f);
    expand(&t, false, a, a_f);
    sva_workspace *w = sva_workspace_new(t.d.sva), *w_f = sva_workspace_new(t.f.sva);
    sva_rnea(t.f.sva, w_f, q_f, v_f, a_f, NULL, tau_f);
    reduce(&t, tau_f, expected);
    sva_rnea(t.d.sva, w, q, v, a, NULL, tau);
    double error = relative_error(t.d.model->nv, tau, expected);
    ck_assert_msg(error < 1e-13, "%s: %g", path, error);
    sva_workspace_free(w);
    sva_workspace_free(w_f);
    fixture_free(&t.d);
    fixture_free(&t.f);
}

START_TEST(test_dependent)
{
    dependent_robot("robots/panda.yaml");
    dependent_robot("robots/baxter.yaml");
    dependent_robot("robots/talos.yaml");
}
END_TEST

#define EACH(name)                                                                                                     \
    START_TEST(test_##name) { each_subject(name, STATES); }                                                            \
    END_TEST
EACH(mass_matrix)
EACH(inverses)
EACH(forward_inverse)
EACH(equation_of_motion)
EACH(coriolis_skew)
EACH(two_kinds_of_force)
EACH(power)
EACH(manifold)

SUITE("generic", test_mass_matrix, test_inverses, test_forward_inverse, test_equation_of_motion, test_coriolis_skew,
      test_two_kinds_of_force, test_power, test_manifold, test_dependent)
