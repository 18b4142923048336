/* The generic library against itself: derivatives against the complex step, algorithms for one quantity against each
   other, identities of rigid-body dynamics. */
#include "suite.h"
#include "fixture.h"
#include "trees.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#undef I

/* A model, a state and external forces of both kinds, in double and in complex. */
typedef struct scene {
    sva_model *m;
    sva_workspace *w;
    svac_workspace *wc;
    int n;
    double *q, *v, *a, *tau;
    sva_forces f;
    svac_forces fc;
} scene;

static double *vector(int n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    if (!x) abort();
    return x;
}

static double *matrix(const scene *s) { return vector(s->n * s->n); }

static void add_world_forces(scene *s, uint64_t *seed, int count)
{
    sva_world_force *f = calloc((size_t)count, sizeof *f);
    svac_world_force *fc = calloc((size_t)count, sizeof *fc);
    for (int i = 0; i < count; i++) {
        f[i].body = fc[i].body = (int)tree_uniform(seed, 0, s->m->n_bodies);
        sva_random_vector(3, seed, f[i].point);
        sva_random_vector(3, seed, f[i].force);
        sva_random_vector(3, seed, f[i].moment);
        for (int k = 0; k < 3; k++) {
            f[i].force[k] *= 20;
            fc[i].point[k] = f[i].point[k], fc[i].force[k] = f[i].force[k], fc[i].moment[k] = f[i].moment[k];
        }
    }
    s->f.n_world = s->fc.n_world = count;
    s->f.world = f;
    s->fc.world = fc;
}

static void add_body_forces(scene *s, uint64_t *seed)
{
    int n = 6 * s->m->n_bodies;
    double *f = vector(n);
    double complex *fc = calloc((size_t)n, sizeof *fc);
    sva_random_vector(n, seed, f);
    for (int i = 0; i < n; i++) fc[i] = f[i] *= 10;
    s->f.body = f;
    s->fc.body = fc;
}

static scene scene_of(sva_model *m, uint64_t seed, int world)
{
    scene s = {.m = m, .w = sva_workspace_new(m), .wc = svac_workspace_new(m), .n = m->nv};
    s.q = vector(m->nq);
    s.v = vector(m->nv);
    s.a = vector(m->nv);
    s.tau = vector(m->nv);
    sva_random_configuration(m, &seed, s.q);
    sva_random_vector(m->nv, &seed, s.v);
    sva_random_vector(m->nv, &seed, s.a);
    add_body_forces(&s, &seed);
    if (world) add_world_forces(&s, &seed, 5);
    sva_rnea(m, s.w, s.q, s.v, s.a, &s.f, s.tau);
    return s;
}

static void scene_free(scene *s)
{
    free(s->q), free(s->v), free(s->a), free(s->tau);
    free((void *)s->f.body), free((void *)s->fc.body), free((void *)s->f.world), free((void *)s->fc.world);
    sva_workspace_free(s->w);
    svac_workspace_free(s->wc);
}

static double relative(int n, const double *x, const double *y)
{
    double worst = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= worst)) worst = fabs(x[i] - y[i]);
        largest = fmax(largest, fabs(y[i]));
    }
    return worst / (largest > 1e-9 ? largest : 1); /* a matrix that should be zero */
}

static void expect(const char *what, double error, double limit)
{
    if (getenv("SVA_VERBOSE")) printf("%-32s %.1e\n", what, error);
    ck_assert_msg(error <= limit, "%s: error %.2e above %.0e", what, error, limit);
}

static void check_matrix(const scene *s, const char *what, const double *x, const double *y, double limit)
{
    expect(what, relative(s->n * s->n, x, y), limit);
}

typedef void id_function(const sva_model *, sva_workspace *, const double *, const double *, const double *,
                         const sva_forces *, double *, double *);

static void check_id_derivatives(scene *s)
{
    static const struct {
        const char *name;
        id_function *call;
    } table[] = {{"idsva", sva_idsva}, {"idsva_body", sva_idsva_body}, {"rneacr", sva_rneacr}};
    double *dq = matrix(s), *dv = matrix(s), *cq = matrix(s), *cv = matrix(s);
    svac_id_complex_step(s->m, s->wc, s->q, s->v, s->a, &s->fc, cq, cv);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        table[i].call(s->m, s->w, s->q, s->v, s->a, &s->f, dq, dv);
        check_matrix(s, table[i].name, dq, cq, 1e-13);
        check_matrix(s, table[i].name, dv, cv, 1e-13);
    }
    sva_id_differences(s->m, s->w, s->q, s->v, s->a, &s->f, 1e-5, dq, dv);
    check_matrix(s, "differences of ID by q", dq, cq, 1e-5);
    check_matrix(s, "differences of ID by v", dv, cv, 1e-5);
    free(dq), free(dv), free(cq), free(cv);
}

static void fdsva_dmm(const scene *s, double *qdd, double *dq, double *dv, double *minv)
{
    sva_fdsva(s->m, s->w, s->q, s->v, s->tau, &s->f, SVA_PRODUCT_DMM, qdd, dq, dv, minv);
}

static void fdsva_aza(const scene *s, double *qdd, double *dq, double *dv, double *minv)
{
    sva_fdsva(s->m, s->w, s->q, s->v, s->tau, &s->f, SVA_PRODUCT_AZA, qdd, dq, dv, minv);
}

static void fdsva_by_size(const scene *s, double *qdd, double *dq, double *dv, double *minv)
{
    sva_fdsva(s->m, s->w, s->q, s->v, s->tau, &s->f, SVA_PRODUCT_BY_SIZE, NULL, dq, dv, NULL);
    sva_aba(s->m, s->w, s->q, s->v, s->tau, &s->f, qdd);
    sva_minv(s->m, s->w, s->q, minv);
}

static void fdcr(const scene *s, double *qdd, double *dq, double *dv, double *minv)
{
    sva_fdcr(s->m, s->w, s->q, s->v, s->tau, &s->f, qdd, dq, dv, minv);
}

static void abacr(const scene *s, double *qdd, double *dq, double *dv, double *minv)
{
    sva_abacr(s->m, s->w, s->q, s->v, s->tau, &s->f, qdd, dq, dv);
    sva_crba(s->m, s->w, s->q, minv);
    sva_ltdl(s->m, minv);
    double *L = vector(s->n * s->n);
    memcpy(L, minv, sizeof *L * (size_t)(s->n * s->n));
    sva_ltdl_inverse(s->m, L, minv);
    free(L);
}

/* The largest sum of a row. */
static double norm(int n, const double *A)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs(A[i * n + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* What -M^-1 dID can lose: rounding errors of dID grow with the condition of M, and random trees reach 1e4. */
static double fd_limit(const scene *s)
{
    double *M = matrix(s), *minv = matrix(s);
    sva_crba(s->m, s->w, s->q, M);
    sva_minv(s->m, s->w, s->q, minv);
    double condition = norm(s->n, M) * norm(s->n, minv);
    free(M), free(minv);
    return 1e-13 + 1e-16 * condition;
}

static void check_fd_derivatives(scene *s)
{
    static const struct {
        const char *name;
        void (*call)(const scene *s, double *qdd, double *dq, double *dv, double *minv);
    } table[] = {{"fdsva, DMM", fdsva_dmm},
                 {"fdsva, AZA", fdsva_aza},
                 {"fdsva, by size", fdsva_by_size},
                 {"fdcr", fdcr},
                 {"abacr", abacr}};
    double *dq = matrix(s), *dv = matrix(s), *cq = matrix(s), *cv = matrix(s), *minv = matrix(s), *first = matrix(s);
    double *qdd = vector(s->n), limit = fd_limit(s);
    svac_fd_complex_step(s->m, s->wc, s->q, s->v, s->tau, &s->fc, cq, cv);
    sva_minv(s->m, s->w, s->q, first);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        table[i].call(s, qdd, dq, dv, minv);
        check_matrix(s, table[i].name, dq, cq, limit);
        check_matrix(s, table[i].name, dv, cv, limit);
        check_matrix(s, "M^-1", minv, first, limit);
        expect("FD(ID) = a", relative(s->n, qdd, s->a), 10 * limit);
    }
    sva_fd_differences(s->m, s->w, s->q, s->v, s->tau, &s->f, 1e-5, dq, dv);
    check_matrix(s, "differences of FD by q", dq, cq, 1e-5);
    check_matrix(s, "differences of FD by v", dv, cv, 1e-5);
    free(dq), free(dv), free(cq), free(cv), free(minv), free(first), free(qdd);
}

/* M symmetric positive definite, M M^-1 = 1, M a + h = tau. */
static void check_mass(scene *s)
{
    int n = s->n;
    double *M = matrix(s), *L = matrix(s), *minv = matrix(s), *one = matrix(s), *product = matrix(s), *tau = vector(n);
    sva_crba(s->m, s->w, s->q, M);
    sva_minv(s->m, s->w, s->q, minv);
    sva_bias(s->m, s->w, s->q, s->v, &s->f, tau);
    memcpy(L, M, sizeof *L * (size_t)(n * n));
    sva_ltdl(s->m, L);
    for (int i = 0; i < n; i++) {
        ck_assert_msg(L[i * n + i] > 0, "pivot %d of M is %g", i, L[i * n + i]);
        one[i * n + i] = 1;
        for (int j = 0; j < n; j++) {
            ck_assert_msg(fabs(M[i * n + j] - M[j * n + i]) <= 1e-15 * fabs(M[i * n + i]), "M is not symmetric");
            tau[i] += M[i * n + j] * s->a[j];
            for (int k = 0; k < n; k++) product[i * n + j] += M[i * n + k] * minv[k * n + j];
        }
    }
    check_matrix(s, "M M^-1", product, one, 10 * fd_limit(s));
    expect("M a + h", relative(n, tau, s->tau), 1e-13);
    free(M), free(L), free(minv), free(one), free(product), free(tau);
}

/* C v = h - g without forces; Mdot = C + C', with Mdot the complex step of M along v. */
static void check_coriolis(scene *s)
{
    int n = s->n;
    double *C = matrix(s), *sum = matrix(s), *Mdot = matrix(s), *h = vector(n), *g = vector(n), *Cv = vector(n);
    double complex *q = calloc((size_t)s->m->nq, sizeof *q), *dv = calloc((size_t)n, sizeof *dv);
    double complex *M = calloc((size_t)(n * n), sizeof *M);
    for (int i = 0; i < s->m->nq; i++) q[i] = s->q[i];
    for (int i = 0; i < n; i++) dv[i] = 1e-100 * s->v[i] * _Complex_I;
    svac_integrate(s->m, q, dv, q);
    svac_crba(s->m, s->wc, q, M);
    sva_coriolis(s->m, s->w, s->q, s->v, C);
    sva_bias(s->m, s->w, s->q, s->v, NULL, h);
    sva_gravity(s->m, s->w, s->q, g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Mdot[i * n + j] = cimag(M[i * n + j]) / 1e-100;
            sum[i * n + j] = C[i * n + j] + C[j * n + i];
            Cv[i] += C[i * n + j] * s->v[j];
        }
    for (int i = 0; i < n; i++) Cv[i] += g[i];
    expect("C v + g", relative(n, Cv, h), 1e-13);
    check_matrix(s, "C + C'", sum, Mdot, 1e-12);
    free(C), free(sum), free(Mdot), free(h), free(g), free(Cv), free(q), free(dv), free(M);
}

/* The power of tau without external forces is the rate of the energies: d/dt of T and V along (v, a). */
static void check_energy(scene *s)
{
    int n = s->n;
    double *tau = vector(n), power = 0;
    double complex *q = calloc((size_t)s->m->nq, sizeof *q), *v = calloc((size_t)n, sizeof *v), kinetic, potential;
    for (int i = 0; i < s->m->nq; i++) q[i] = s->q[i];
    for (int i = 0; i < n; i++) v[i] = 1e-100 * s->v[i] * _Complex_I;
    svac_integrate(s->m, q, v, q);
    for (int i = 0; i < n; i++) v[i] = s->v[i] + 1e-100 * s->a[i] * _Complex_I;
    svac_energy(s->m, s->wc, q, v, &kinetic, &potential);
    sva_rnea(s->m, s->w, s->q, s->v, s->a, NULL, tau);
    for (int i = 0; i < n; i++) power += tau[i] * s->v[i];
    double rate = (cimag(kinetic) + cimag(potential)) / 1e-100;
    expect("power", fabs(rate - power) / fabs(power), 1e-11);
    free(tau), free(q), free(v);
}

static void check_tree(uint64_t seed, tree_options options)
{
    arena *memory = arena_new();
    fixture tree = fixture_model(memory, tree_random(memory, seed, options));
    for (int world = 0; world < 2; world++) {
        scene s = scene_of(tree.sva, seed + (uint64_t)world, world);
        check_id_derivatives(&s);
        check_fd_derivatives(&s);
        if (!world) check_mass(&s);
        if (!world) check_coriolis(&s);
        if (!world) check_energy(&s);
        scene_free(&s);
    }
    fixture_free(&tree);
}

START_TEST(each_joint_type)
{
    for (unsigned type = SVA_FIXED + 1; type < SVA_JOINT_TYPES; type++)
        for (int n = 1; n <= 3; n++) check_tree(7, (tree_options){.bodies = n, .types = 1u << type});
}
END_TEST

START_TEST(all_joint_types)
{
    for (uint64_t seed = 1; seed <= 6; seed++)
        check_tree(seed, (tree_options){.bodies = 14, .floating = seed % 2, .armature = true});
}
END_TEST

START_TEST(dependent_joints)
{
    for (uint64_t seed = 1; seed <= 4; seed++) check_tree(seed, (tree_options){.bodies = 16, .mimic = true});
}
END_TEST

#ifdef __SIZEOF_FLOAT128__
/* The four derivatives, ID by q and v, FD by q and v, in each number type, rounded to double. */
typedef struct derivatives {
    double *at[4];
} derivatives;

static derivatives derivatives_new(const scene *s)
{
    derivatives d;
    for (int i = 0; i < 4; i++) d.at[i] = matrix(s);
    return d;
}

static void derivatives_free(derivatives *d)
{
    for (int i = 0; i < 4; i++) free(d->at[i]);
}

static derivatives in_double(const scene *s)
{
    derivatives d = derivatives_new(s);
    sva_idsva(s->m, s->w, s->q, s->v, s->a, NULL, d.at[0], d.at[1]);
    sva_fdsva(s->m, s->w, s->q, s->v, s->tau, NULL, SVA_PRODUCT_BY_SIZE, NULL, d.at[2], d.at[3], NULL);
    return d;
}

static derivatives in_float(const scene *s)
{
    derivatives d = derivatives_new(s);
    int n = s->n;
    float *x = calloc((size_t)(s->m->nq + 3 * n), sizeof *x), *out = calloc((size_t)(4 * n * n), sizeof *out);
    float *q = x, *v = x + s->m->nq, *a = v + n, *tau = a + n;
    for (int i = 0; i < s->m->nq; i++) q[i] = (float)s->q[i];
    for (int i = 0; i < n; i++) v[i] = (float)s->v[i], a[i] = (float)s->a[i], tau[i] = (float)s->tau[i];
    svaf_workspace *w = svaf_workspace_new(s->m);
    svaf_idsva(s->m, w, q, v, a, NULL, out, out + n * n);
    svaf_fdsva(s->m, w, q, v, tau, NULL, SVA_PRODUCT_BY_SIZE, NULL, out + 2 * n * n, out + 3 * n * n, NULL);
    for (int i = 0; i < 4 * n * n; i++) d.at[i / (n * n)][i % (n * n)] = (double)out[i];
    svaf_workspace_free(w);
    free(x), free(out);
    return d;
}

/* By the algorithms, or by central differences. They agree to 1e-15, not better: the rotations and axes of the model
   are doubles, orthonormal to that. */
static derivatives in_quad(const scene *s, int by_differences)
{
    derivatives d = derivatives_new(s);
    int n = s->n;
    __float128 *x = calloc((size_t)(s->m->nq + 3 * n), sizeof *x), *out = calloc((size_t)(4 * n * n), sizeof *out);
    __float128 *q = x, *v = x + s->m->nq, *a = v + n, *tau = a + n, step = 1e-9;
    for (int i = 0; i < s->m->nq; i++) q[i] = s->q[i];
    for (int i = 0; i < n; i++) v[i] = s->v[i], a[i] = s->a[i], tau[i] = s->tau[i];
    svaq_normalise(s->m, q);
    svaq_workspace *w = svaq_workspace_new(s->m);
    if (by_differences) {
        svaq_id_differences(s->m, w, q, v, a, NULL, step, out, out + n * n);
        svaq_fd_differences(s->m, w, q, v, tau, NULL, step, out + 2 * n * n, out + 3 * n * n);
    } else {
        svaq_idsva(s->m, w, q, v, a, NULL, out, out + n * n);
        svaq_fdsva(s->m, w, q, v, tau, NULL, SVA_PRODUCT_BY_SIZE, NULL, out + 2 * n * n, out + 3 * n * n, NULL);
    }
    for (int i = 0; i < 4 * n * n; i++) d.at[i / (n * n)][i % (n * n)] = (double)out[i];
    svaq_workspace_free(w);
    free(x), free(out);
    return d;
}

START_TEST(number_types)
{
    arena *memory = arena_new();
    fixture tree = fixture_model(memory, tree_random(memory, 4, (tree_options){.bodies = 12, .armature = true}));
    scene s = scene_of(tree.sva, 5, 0);
    double fd = fd_limit(&s);
    derivatives truth = in_quad(&s, 1), all[3] = {in_quad(&s, 0), in_double(&s), in_float(&s)};
    static const char *const name[3] = {"quadruple", "double", "float"};
    const double limit[3][2] = {{1e-14, fd}, {2e-14, fd}, {1e-5, 1e9 * fd}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) check_matrix(&s, name[i], all[i].at[k], truth.at[k], limit[i][k / 2]);
        derivatives_free(all + i);
    }
    derivatives_free(&truth);
    scene_free(&s);
    fixture_free(&tree);
}
END_TEST
#else
START_TEST(number_types) {} /* no quadruple precision to compare with */
END_TEST
#endif

/* A cube on a hinge about an axis askew. */
static sva_body hinge(int parent)
{
    sva_body b = {.type = SVA_REVOLUTE,
                  .parent = parent,
                  .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                  .p = {0.3, 0.1, 0.2},
                  .axis = {0.6, 0, 0.8},
                  .mass = 2,
                  .h = {0.2, 0.1, -0.4},
                  .I = {0.3, 0, 0.02, 0.4, 0, 0.3}};
    return b;
}

/* A dependent joint gives what G gives: tau = G' tau_tree at q_tree = G q + c. */
START_TEST(dependent_is_reduced_tree)
{
    double gravity[3] = {0, 0, -9.81}, q[1] = {0.4}, v[1] = {0.7}, a[1] = {-0.3}, tau[1], full[2];
    sva_model *two = sva_model_new(2, gravity), *one = sva_model_new(2, gravity);
    sva_body first = hinge(-1), second = hinge(0);
    ck_assert_int_eq(sva_model_add_body(two, &first), SVA_OK);
    ck_assert_int_eq(sva_model_add_body(two, &second), SVA_OK);
    second.dependent = 1, second.master = 0, second.multiplier = -2, second.offset = 0.5;
    ck_assert_int_eq(sva_model_add_body(one, &first), SVA_OK);
    ck_assert_int_eq(sva_model_add_body(one, &second), SVA_OK);
    ck_assert_int_eq(sva_model_finish(two), SVA_OK);
    ck_assert_int_eq(sva_model_finish(one), SVA_OK);
    ck_assert_int_eq(one->nv, 1);
    sva_workspace *w2 = sva_workspace_new(two), *w1 = sva_workspace_new(one);
    double q2[2] = {q[0], -2 * q[0] + 0.5}, v2[2] = {v[0], -2 * v[0]}, a2[2] = {a[0], -2 * a[0]};
    sva_rnea(two, w2, q2, v2, a2, NULL, full);
    sva_rnea(one, w1, q, v, a, NULL, tau);
    ck_assert_double_eq_tol(tau[0], full[0] - 2 * full[1], 1e-14 * fabs(tau[0]));
    sva_workspace_free(w1), sva_workspace_free(w2), sva_model_free(one), sva_model_free(two);
}
END_TEST

START_TEST(integrate_and_difference)
{
    uint64_t seed = 5;
    for (int scale = 0; scale < 4; scale++) {
        arena *memory = arena_new();
        fixture tree = fixture_model(memory, tree_random(memory, seed, (tree_options){.bodies = 20}));
        const sva_model *m = tree.sva;
        double *q = vector(m->nq), *q1 = vector(m->nq), *dv = vector(m->nv), *back = vector(m->nv);
        static const double size[] = {0, 1e-6, 0.3, 1.7};
        sva_random_configuration(m, &seed, q);
        sva_random_vector(m->nv, &seed, dv);
        for (int i = 0; i < m->nv; i++) dv[i] *= size[scale];
        sva_integrate(m, q, dv, q1);
        sva_difference(m, q, q1, back);
        expect("difference of integrate", relative(m->nv, back, dv), scale ? 1e-9 : 1e-15);
        memcpy(q, q1, sizeof *q * (size_t)m->nq);
        sva_normalise(m, q1);
        expect("unit quaternions", relative(m->nq, q1, q), 1e-14);
        free(q), free(q1), free(dv), free(back);
        fixture_free(&tree);
    }
}
END_TEST

START_TEST(bad_bodies)
{
    double gravity[3] = {0, 0, -9.81};
    sva_model *m = sva_model_new(3, gravity);
    sva_body b = hinge(-1), bad;
    ck_assert_int_eq(sva_model_add_body(m, &b), SVA_OK);
    bad = b, bad.parent = 1;
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_BAD_PARENT);
    bad = b, bad.type = SVA_JOINT_TYPES;
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_BAD_TYPE);
    bad = b, bad.axis[0] += 0.1;
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_BAD_AXIS);
    bad = b, bad.R[0] = -bad.R[0];
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_BAD_ROTATION);
    bad = b, bad.mass = -1;
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_BAD_MASS);
    bad = b, bad.h[1] = NAN;
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_BAD_NUMBER);
    ck_assert_int_eq(sva_model_add_body(m, &b), SVA_OK);
    bad = b, bad.parent = 0;
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_BAD_ORDER);
    bad = b, bad.dependent = 1, bad.master = 2;
    ck_assert_int_eq(sva_model_add_body(m, &bad), SVA_OK);
    ck_assert_int_eq(sva_model_add_body(m, &b), SVA_BAD_CAPACITY);
    ck_assert_int_eq(sva_model_finish(m), SVA_BAD_MASTER);
    ck_assert_str_ne(sva_message(SVA_BAD_MASTER), sva_message(SVA_OK));
    sva_model_free(m);
}
END_TEST

START_TEST(version_and_gravity)
{
    static const double gravity[3] = {0, 0, -9.81}, up[3] = {0, 0, 1.62};
    char numbers[40];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", SVA_VERSION_MAJOR, SVA_VERSION_MINOR, SVA_VERSION_PATCH);
    ck_assert_str_eq(sva_version(), SVAGEN_VERSION);
    ck_assert_str_eq(SVA_VERSION, SVAGEN_VERSION);
    ck_assert_str_eq(numbers, SVAGEN_VERSION);
    sva_model *m = sva_model_new(1, gravity);
    sva_body b = hinge(-1);
    sva_model_add_body(m, &b);
    sva_model_finish(m);
    sva_workspace *w = sva_workspace_new(m);
    double q = 0.3, before, after;
    sva_gravity(m, w, &q, &before);
    ck_assert_int_eq(sva_model_set_gravity(m, up), SVA_OK);
    sva_gravity(m, w, &q, &after);
    ck_assert_double_gt(fabs(before), 0.01);
    ck_assert_double_eq_tol(after, before * 1.62 / -9.81, 1e-14);
    ck_assert_int_eq(sva_model_set_gravity(m, (double[3]){0, INFINITY, 0}), SVA_BAD_NUMBER);
    ck_assert(m->gravity[1] == 0);
    sva_workspace_free(w), sva_model_free(m);
}
END_TEST

/* A chain: 6 n depth numbers of its workspace alone are more than an int from 18,919 bodies on. */
static sva_model chain_of(int n) { return (sva_model){.n_bodies = n, .nq = n, .nv = n, .nv_tree = n, .depth = n}; }

START_TEST(sizes_do_not_overflow)
{
    static const double gravity[3] = {0, 0, -9.81};
    for (int n = 18000; n <= 46340; n += 4) {
        sva_model m = chain_of(n);
        size_t square = (size_t)n * (size_t)n;
        ck_assert_uint_gt(sva_workspace_size(&m), 8 * square * sizeof(double));
        ck_assert_uint_lt(sva_workspace_size(&m), 8 * square * sizeof(double) + 10000 * (size_t)n);
    }
    sva_model most = chain_of(0x7fffffff);
    ck_assert_uint_eq(sva_workspace_size(&most), 0);
    ck_assert_uint_eq(svac_workspace_size(&most), 0);
    ck_assert_ptr_null(sva_workspace_new(&most));
    ck_assert_ptr_null(sva_workspace_init(&most, &most));
    ck_assert_uint_eq(sva_model_size(-1), 0);
    ck_assert_uint_eq(sva_model_size(0x7fffffff), 0);
    ck_assert_ptr_null(sva_model_new(-1, gravity));
    ck_assert_ptr_null(sva_model_new(0x7fffffff, gravity));
    sva_model *m = sva_model_new(15448, gravity); /* nv^2 beyond an int */
    sva_body b = hinge(-1);
    b.type = SVA_TRANSLATION;
    for (int i = 0; i < 15447; i++) ck_assert_int_eq(sva_model_add_body(m, &b), SVA_OK);
    ck_assert_int_eq(sva_model_finish(m), SVA_BAD_SIZE);
    sva_model_free(m);
}
END_TEST

SUITE("runtime", each_joint_type, all_joint_types, dependent_joints, dependent_is_reduced_tree,
      integrate_and_difference, number_types, bad_bodies, version_and_gravity, sizes_do_not_overflow)
