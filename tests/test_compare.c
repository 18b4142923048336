/* What compare calls wrong, and what it does not: outputs that are zero but for roundings, robots whose constants alone
   decide the last digits, and kernels that are wrong there. */
#include <math.h>
#include <string.h>
#include "compare/scale.h"
#include "compare/trial.h"
#include "described.h"
#include "suite.h"
#include "trees.h"

static const build_options plain = {.flags = "-O0 -pipe"};

/* One joint: dtau_dv is zero. */
static const char door[] =
    "  - {name: base}\n"
    "  - name: door\n"
    "    parent: base\n"
    "    joint: {name: hinge, type: revolute, xyz: [1, 2, 0], rpy: [0.3, 0.2, 0.1], axis: [0.6, 0, 0.8]}\n"
    "    mass: 7\n"
    "    com: [0.3, 0.1, 0.4]\n"
    "    inertia: {xx: 0.4, xy: 0.03, yy: 0.5, yz: 0.02, zz: 0.3}\n";

/* The axis is vertical but for the roundings of a turn: gravity and dtau_dq are zero. */
static const char turntable[] =
    "  - {name: base}\n"
    "  - name: wedge\n"
    "    parent: base\n"
    "    joint: {name: glue, type: fixed, rpy: [0.4, 0.7853981633974483, 0.1]}\n"
    "  - name: table\n"
    "    parent: wedge\n"
    "    joint: {name: spindle, type: continuous, axis: [-0.7071067811865475, 0.275360350564871, 0.651288474745862]}\n"
    "    mass: 3\n"
    "    com: [0, 0, 0.2]\n"
    "    inertia: {xx: 0.1, yy: 0.1, zz: 0.2}\n";

/* Gravity of a slider that turns in its horizontal plane. */
static const char slider[] = "  - {name: base}\n"
                             "  - name: column\n"
                             "    parent: base\n"
                             "    joint: {name: pivot, type: revolute, xyz: [0.3, 0, 1], axis: [0, 0, 1]}\n"
                             "    mass: 2\n"
                             "    inertia: {xx: 0.1, yy: 0.1, zz: 0.1}\n"
                             "  - name: carriage\n"
                             "    parent: column\n"
                             "    joint: {name: slide, type: prismatic, rpy: [0.4, 0.7853981633974483, 0.1], axis: "
                             "[0.7035741925769524, 0.1820320297930323, 0.6869117087873217]}\n"
                             "    mass: 1\n"
                             "    inertia: {xx: 0.1, yy: 0.2, zz: 0.1}\n";

/* Without mass and round: dtau_dv is zero but for the length of the quaternion. */
static const char ball[] = "  - name: ball\n"
                           "    inertia: {xx: 0.1, yy: 0.1, zz: 0.1}\n";

static comparison compare_at(const fixture *f, const char *const *names, const emit_options *o, int states)
{
    const kernel_info *list[16];
    int n = 0;
    for (; names[n]; n++) list[n] = kernel_find(names[n]);
    list[n] = NULL;
    comparison c;
    diag d = diag_new(f->memory);
    bool ok = compare_robot(&c, f->model, list, o, &(compare_options){plain, states, 7, false}, &d);
    diag_print(&d, DIAG_ERROR, stderr);
    ck_assert(ok);
    return c;
}

static const char *const inverse_kernels[] = {"rnea", "bias", "gravity", "crba", "idsva", "id_all", NULL};
static const char *const forward_kernels[] = {"aba", "minv", "fdsva", NULL};

static void expect_agreement(const char *name, const comparison *c, double most)
{
    for (const compare_row *r = c->rows; r < c->rows + c->n; r++) {
        printf("%s: %s: %.1e generic %.1e\n", name, r->kernel->name, r->error, r->generic_error);
        ck_assert_msg(r->error <= most, "%s: %s: error %.2g", name, r->kernel->name, r->error);
        ck_assert_msg(r->agrees, "%s: %s: %.2g of what is allowed, lanes differ by %.2g ulp", name, r->kernel->name,
                      r->excess, r->batch_ulps);
    }
}

static void check_zeros(const char *name, const char *links, bool floating, const char *const *kernels)
{
    fixture f = described(links, floating);
    for (int single = 0; single < 2; single++) {
        emit_options o = {.words = "", .single = single, .n_lanes = 1, .lanes = {4}};
        comparison c = compare_at(&f, kernels, &o, 7);
        expect_agreement(name, &c, single ? 1e-4 : 1e-13);
        comparison_free(&c);
    }
    fixture_free(&f);
}

START_TEST(zero_outputs_agree)
{
    check_zeros("door", door, false, inverse_kernels);
    check_zeros("door", door, false, forward_kernels);
    check_zeros("turntable", turntable, false, inverse_kernels);
    check_zeros("turntable", turntable, false, forward_kernels);
    check_zeros("slider", slider, false, inverse_kernels);
    check_zeros("slider", slider, false, forward_kernels);
    check_zeros("ball", ball, true, inverse_kernels);
}
END_TEST

/* ---- wrong kernels */

static struct {
    const trial *t;
    void (*call)(const void *const in[], void *const out[]);
    int output;
    double by;
} tampered;

static void call_tampered(const void *const in[], void *const out[])
{
    tampered.call(in, out);
    ((double *)out[tampered.output])[0] += tampered.by;
}

/* The row of a trial whose kernel adds something to one output. */
static compare_row tampered_row(const comparison *c, int kernel, int output, double by, arena *memory, diag *d)
{
    compare_row row = {.kernel = c->rows[kernel].kernel};
    trial *t = trial_new(memory, c, row.kernel, 4, 3, 1, d);
    ck_assert_ptr_nonnull(t);
    sva_kernel wrong = *t->scalar;
    memcpy(&tampered.call, &wrong.call, sizeof wrong.call);
    void (*call)(const void *const in[], void *const out[]) = call_tampered;
    memcpy(&wrong.call, &call, sizeof call);
    tampered.output = output % t->n_out, tampered.by = by;
    t->scalar = &wrong;
    trial_check(t, &row);
    trial_lanes(t, &row);
    trial_free(t);
    return row;
}

/* These robots have lengths, masses and speeds of about one: 1e-3 is much, and so is 1e-9. */
static void check_wrong(const char *name, const char *links, bool floating)
{
    fixture f = described(links, floating);
    emit_options o = {.words = "", .n_lanes = 1, .lanes = {2}};
    comparison c = compare_at(&f, inverse_kernels, &o, 2);
    diag d = diag_new(f.memory);
    for (int k = 0; k < c.n; k++)
        for (int output = 0; output < 4; output++) {
            compare_row right = tampered_row(&c, k, output, 0, f.memory, &d);
            ck_assert_msg(right.excess <= 1 && right.batch_ulps <= right.batch_allowed, "%s: %s", name,
                          right.kernel->name);
            for (double by = 1e-3; by > 1e-10; by *= 1e-3) {
                compare_row wrong = tampered_row(&c, k, output, by, f.memory, &d);
                ck_assert_msg(wrong.excess > 1, "%s: %s: %g in output %d is not wrong", name, wrong.kernel->name, by,
                              output);
                ck_assert(wrong.batch_ulps > wrong.batch_allowed);
            }
        }
    comparison_free(&c);
    fixture_free(&f);
}

START_TEST(wrong_zeros_are_found)
{
    check_wrong("door", door, false);
    check_wrong("turntable", turntable, false);
    check_wrong("slider", slider, false);
    check_wrong("ball", ball, true);
}
END_TEST

/* ---- constants that decide the last digits */

/* A grain with the inertia of a wheel, behind joints whose axes are parallel to 1e-6: what it contributes to dtau_dv is
   the difference of numbers of about one, and the rest of the robot is small. */
static const char grain[] =
    "  - {name: base}\n"
    "  - name: pan\n"
    "    parent: base\n"
    "    joint: {name: pan, type: revolute, axis: [0, 0, 1]}\n"
    "    mass: 0.05\n"
    "    inertia: {xx: 0.00002, yy: 0.00002, zz: 0.00001}\n"
    "  - name: lift\n"
    "    parent: pan\n"
    "    joint: {name: lift, type: revolute, xyz: [0, 0, 0.04], rpy: [0.000003, 0.3, 0.000002], axis: [0, 1, 0]}\n"
    "    mass: 0.06\n"
    "    com: [0, 0, 0.03]\n"
    "    inertia: {xx: 0.00002, yy: 0.00002, zz: 0.00001}\n"
    "  - name: wrist\n"
    "    parent: lift\n"
    "    joint: {name: wrist, type: revolute, xyz: [0, 0, 0.1], rpy: [0.000001, 0.2, 0.000004], axis: [0, 1, 0]}\n"
    "    mass: 0.00001\n"
    "    inertia: {xx: 3, yy: 3, zz: 3}\n";

START_TEST(roundings_of_constants_are_not_wrong)
{
    fixture f = described(grain, false);
    emit_options o = {.words = "", .n_lanes = 1, .lanes = {2}};
    comparison c = compare_at(&f, (const char *const[]){"idsva", NULL}, &o, 30);
    expect_agreement("grain", &c, 1e-9);
    ck_assert_msg(c.rows[0].error > 1e-13, "the case has become easy: %g", c.rows[0].error);
    diag d = diag_new(f.memory);
    for (int output = 0; output < 2; output++) ck_assert(tampered_row(&c, 0, output, 1e-9, f.memory, &d).excess > 1);
    comparison_free(&c);
    fixture_free(&f);
}
END_TEST

/* ---- the scale is a bound, and not a far one */

static double largest(long n, const double x[])
{
    double r = 0;
    for (long i = 0; i < n; i++) r = fmax(r, fabs(x[i]));
    return r;
}

static void check_bound(const sva_model *m, const scale_state *s, scale_kind kind, long n, const double x[])
{
    double bound = scale_of(m, s, kind), reached = largest(n, x);
    ck_assert_msg(reached <= 3 * bound, "kind %d: %g, scale %g", (int)kind, reached, bound);
    if (scale_is_noise(reached, bound, 0x1p-52)) return; /* what no joint of the tree has */
    ck_assert_msg(bound <= 1e6 * reached, "kind %d: %g, scale %g", (int)kind, reached, bound);
}

static void check_inverse(const sva_model *m, sva_workspace *w, const scale_state *s, double *const x[4])
{
    long n = m->nv, n2 = n * n, n3 = n2 * n;
    sva_rnea(m, w, s->q, s->v, s->a, NULL, x[0]);
    check_bound(m, s, SCALE_TAU, n, x[0]);
    sva_crba(m, w, s->q, x[0]);
    check_bound(m, s, SCALE_M, n2, x[0]);
    sva_idsva(m, w, s->q, s->v, s->a, NULL, x[0], x[1]);
    check_bound(m, s, SCALE_DTAU_DQ, n2, x[0]);
    check_bound(m, s, SCALE_DTAU_DV, n2, x[1]);
    sva_idsva_so(m, w, s->q, s->v, s->a, x[0], x[1], x[2], x[3]);
    check_bound(m, s, SCALE_D2TAU_DQ_DQ, n3, x[0]);
    check_bound(m, s, SCALE_D2TAU_DV_DV, n3, x[1]);
    check_bound(m, s, SCALE_D2TAU_DQ_DV, n3, x[2]);
    check_bound(m, s, SCALE_DM_DQ, n3, x[3]);
}

static void check_tree(int i)
{
    arena *memory = arena_new();
    tree_options o = {3 + i % 5, i % 3 == 0, i % 2 == 0, i % 4 == 0, 0};
    fixture f = fixture_model(memory, tree_random(memory, (uint64_t)i, o));
    const sva_model *m = f.sva;
    size_t n = (size_t)m->nv, n3 = n * n * n;
    double *q = ARENA_ARRAY(memory, double, m->nq), *v = ARENA_ARRAY(memory, double, n);
    double *a = ARENA_ARRAY(memory, double, n), *x[4];
    uint64_t seed = (uint64_t)i;
    for (int k = 0; k < 4; k++) x[k] = ARENA_ARRAY(memory, double, n3);
    sva_random_configuration(m, &seed, q);
    sva_random_vector(m->nv, &seed, v);
    sva_random_vector(m->nv, &seed, a);
    sva_workspace *w = sva_workspace_new(m);
    check_inverse(m, w, &(scale_state){.q = q, .v = v, .a = a}, x);
    sva_workspace_free(w);
    fixture_free(&f);
}

START_TEST(scale_bounds)
{
    for (int i = 0; i < 200; i++) check_tree(i);
}
END_TEST

SUITE("compare", zero_outputs_agree, wrong_zeros_are_found, roundings_of_constants_are_not_wrong, scale_bounds)
