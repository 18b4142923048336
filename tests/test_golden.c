/* The generic library against Pinocchio's numbers (tests/data/golden/README.md). */
#include "suite.h"
#include <math.h>
#include <string.h>
#include "fixture.h"
#include "golden.h"

typedef struct bench {
    fixture f;
    golden *g;
    int nv, state;
    int *slot;
    sva_workspace *w;
    double *q, *v, *a, *tau;
    double tolerance;
} bench;

static double *numbers(const bench *b, int count) { return ARENA_ARRAY(b->f.memory, double, count); }

static int power(int n, int order) { return order ? n * power(n, order - 1) : 1; }

static int order_of(const char *name)
{
    static const struct {
        const char *name;
        int order;
    } table[] = {{"v", 1},          {"a", 1},          {"tau_in", 1},  {"tau_rnea", 1}, {"qdd_aba", 1},
                 {"nle", 1},        {"gravity", 1},    {"M", 2},       {"Minv", 2},     {"coriolis_C", 2},
                 {"dtau_dq", 2},    {"dtau_dv", 2},    {"dqdd_dq", 2}, {"dqdd_dv", 2},  {"d2tau_dqdq", 3},
                 {"d2tau_dvdv", 3}, {"d2tau_dqdv", 3}, {"dM_dq", 3}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return table[i].order;
    return 0;
}

/* A golden quantity in the model's order of joints; NULL if the file has none. */
static double *expected(const bench *b, const char *name)
{
    int order = order_of(name), rows, cols;
    const double *x = golden_block(b->g, name, b->state, &rows, &cols);
    if (!x) return NULL;
    ck_assert_int_eq(rows * cols, power(b->nv, order));
    double *y = numbers(b, rows * cols);
    golden_permute(b->slot, b->nv, order, x, y);
    return y;
}

static void compare(const bench *b, const char *name, const double *x, double tolerance)
{
    const double *y = expected(b, name);
    ck_assert_msg(y != NULL, "%s: no %s", b->f.model->name, name);
    double error = relative_error(power(b->nv, order_of(name)), x, y);
    ck_assert_msg(error <= tolerance, "%s, state %d, %s: error %.2g, tolerance %.2g", b->f.model->name, b->state, name,
                  error, tolerance);
}

static void compare_dynamics(const bench *b)
{
    const sva_model *m = b->f.sva;
    int n = b->nv;
    double *x = numbers(b, n), *X = numbers(b, n * n), *Y = numbers(b, n * n);
    sva_rnea(m, b->w, b->q, b->v, b->a, NULL, x);
    compare(b, "tau_rnea", x, b->tolerance);
    sva_bias(m, b->w, b->q, b->v, NULL, x);
    compare(b, "nle", x, b->tolerance);
    sva_gravity(m, b->w, b->q, x);
    compare(b, "gravity", x, b->tolerance);
    sva_crba(m, b->w, b->q, X);
    compare(b, "M", X, b->tolerance);
    sva_coriolis(m, b->w, b->q, b->v, X);
    compare(b, "coriolis_C", X, b->tolerance);
    sva_idsva(m, b->w, b->q, b->v, b->a, NULL, X, Y);
    compare(b, "dtau_dq", X, b->tolerance);
    compare(b, "dtau_dv", Y, b->tolerance);
}

/* M^-1 magnifies rounding, in Pinocchio's numbers too: by up to |M| |M^-1|. */
static double condition(const bench *b)
{
    const double *M = expected(b, "M"), *minv = expected(b, "Minv");
    double norm[2] = {0, 0};
    for (int i = 0; i < b->nv; i++) {
        double row[2] = {0, 0};
        for (int j = 0; j < b->nv; j++) {
            row[0] += fabs(M[i * b->nv + j]);
            row[1] += fabs(minv[i * b->nv + j]);
        }
        for (int k = 0; k < 2; k++) norm[k] = fmax(norm[k], row[k]);
    }
    return norm[0] * norm[1];
}

static void compare_forward(const bench *b)
{
    const sva_model *m = b->f.sva;
    int n = b->nv;
    double tolerance = fmax(b->tolerance, 0x1p-52 * condition(b));
    double *x = numbers(b, n), *X = numbers(b, n * n), *Y = numbers(b, n * n), *Z = numbers(b, n * n);
    sva_aba(m, b->w, b->q, b->v, b->tau, NULL, x);
    compare(b, "qdd_aba", x, tolerance);
    sva_fdsva(m, b->w, b->q, b->v, b->tau, NULL, SVA_PRODUCT_BY_SIZE, x, X, Y, Z);
    compare(b, "qdd_aba", x, tolerance);
    compare(b, "dqdd_dq", X, tolerance);
    compare(b, "dqdd_dv", Y, tolerance);
    compare(b, "Minv", Z, tolerance);
}

static void compare_second(const bench *b)
{
    int size = power(b->nv, 3);
    double *qq = numbers(b, size), *vv = numbers(b, size), *qv = numbers(b, size), *dM = numbers(b, size);
    sva_idsva_so(b->f.sva, b->w, b->q, b->v, b->a, qq, vv, qv, dM);
    compare(b, "d2tau_dqdq", qq, b->tolerance);
    compare(b, "d2tau_dvdv", vv, b->tolerance);
    compare(b, "d2tau_dqdv", qv, b->tolerance);
    compare(b, "dM_dq", dM, b->tolerance);
}

static void compare_state(bench *b)
{
    golden_q(b->g, b->f.model, b->state, b->q);
    b->v = expected(b, "v");
    b->a = expected(b, "a");
    b->tau = expected(b, "tau_in");
    compare_dynamics(b);
    compare_forward(b);
    if (golden_block(b->g, "dM_dq", b->state, NULL, NULL)) compare_second(b);
}

static void compare_file(const char *path, const char *golden_name, base_choice base, double tolerance)
{
    model_options options = {.base = base, .mimic_independent = true};
    bench b = {.f = fixture_robot(path, options), .tolerance = tolerance};
    ck_assert(b.f.sva != NULL);
    b.g = golden_read(b.f.memory, arena_printf(b.f.memory, "tests/data/golden/%s.txt", golden_name));
    ck_assert(b.g != NULL);
    b.nv = b.f.model->nv;
    b.slot = ARENA_ARRAY(b.f.memory, int, golden_nv(b.g));
    ck_assert(golden_map(b.g, b.f.model, b.slot));
    b.q = numbers(&b, b.f.model->nq);
    b.w = sva_workspace_new(b.f.sva);
    int states = golden_states(b.g);
    ck_assert_int_ge(states, 2);
    for (b.state = 0; b.state < states; b.state++) compare_state(&b);
    sva_workspace_free(b.w);
    fixture_free(&b.f);
}

/* The URDF that Pinocchio read, bit for bit, and the shipped robot, in which import made some numbers exact: angles of
   90 degrees given to few digits, coordinates like 2e-13. */
static void compare_robot(const char *urdf, const char *yaml, const char *golden_name, base_choice base, double cleaned)
{
    compare_file(urdf, golden_name, base, 1e-12);
    compare_file(yaml, golden_name, base, cleaned);
}

#define ROBOT(test, urdf, yaml, golden_name, base, cleaned)                                                            \
    START_TEST(test)                                                                                                   \
    {                                                                                                                  \
        compare_robot("tests/data/urdf/" urdf ".urdf", "robots/" yaml ".yaml", golden_name, base, cleaned);            \
    }                                                                                                                  \
    END_TEST

ROBOT(double_pendulum, "double_pendulum", "double_pendulum", "double_pendulum", BASE_FIXED, 1e-9)
ROBOT(ur5, "ur5", "ur5", "ur5", BASE_FIXED, 1e-9)
ROBOT(kuka_lwr, "kuka_lwr", "kuka_lwr", "kuka_lwr", BASE_FIXED, 1e-12)
ROBOT(panda, "panda", "panda", "panda", BASE_FIXED, 1e-12)
ROBOT(baxter, "baxter", "baxter", "baxter", BASE_FIXED, 1e-9)
ROBOT(solo12, "solo12", "solo12", "solo12_ff", BASE_FLOATING, 1e-12)
ROBOT(hyq, "hyq", "hyq", "hyq_ff", BASE_FLOATING, 1e-9)
ROBOT(atlas, "atlas", "atlas", "atlas_ff", BASE_FLOATING, 1e-12)
ROBOT(talos, "talos_apache", "talos", "talos_apache_ff", BASE_FLOATING, 1e-12)

SUITE("golden", double_pendulum, ur5, kuka_lwr, panda, baxter, solo12, hyq, atlas, talos)
