#include "subject.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include "trees.h"

static const tree_options trees[] = {
    {.bodies = 2},
    {.bodies = 3, .floating = true},
    {.bodies = 10, .armature = true}, /* each type once */
    {.bodies = 12, .mimic = true},
    {.bodies = 15, .types = 1u << SVA_SPHERICAL | 1u << SVA_FLOATING},
    {.bodies = 15, .types = 1u << SVA_HELICAL | 1u << SVA_PLANAR | 1u << SVA_CYLINDRICAL},
    {.bodies = 20, .floating = true, .armature = true},
    {.bodies = 25, .floating = true, .mimic = true, .armature = true},
    {.bodies = 40},
    {.bodies = 60, .mimic = true, .armature = true},
    {.bodies = 60, .floating = true},
};

double *vec(subject *s, int n) { return ARENA_ARRAY(s->f.memory, double, n); }
cplx *cvec(subject *s, int n) { return ARENA_ARRAY(s->f.memory, cplx, n); }

static void random_state(subject *s)
{
    sva_random_configuration(s->m, &s->seed, s->q);
    sva_random_vector(s->nv, &s->seed, s->v);
    sva_random_vector(s->nv, &s->seed, s->a);
    sva_random_vector(s->nv, &s->seed, s->tau);
    sva_random_vector(6 * s->m->n_bodies, &s->seed, s->body_forces);
    for (int k = 0; k < 3; k++) {
        sva_world_force *f = &s->world[k];
        f->body = (int)tree_uniform(&s->seed, 0, s->m->n_bodies);
        sva_random_vector(3, &s->seed, f->point);
        sva_random_vector(3, &s->seed, f->force);
        sva_random_vector(3, &s->seed, f->moment);
    }
}

static void allocate(subject *s)
{
    s->nq = s->m->nq;
    s->nv = s->m->nv;
    s->w = sva_workspace_new(s->m);
    s->wc = svac_workspace_new(s->m);
    ck_assert(s->w && s->wc);
    s->q = vec(s, s->nq);
    s->v = vec(s, s->nv);
    s->a = vec(s, s->nv);
    s->tau = vec(s, s->nv);
    s->body_forces = vec(s, 6 * s->m->n_bodies);
    s->forces = (sva_forces){.body = s->body_forces, .n_world = 3, .world = s->world};
}

static void run(fixture f, const char *name, void (*test)(subject *s), int states)
{
    ck_assert_msg(f.sva != NULL, "%s", name);
    subject s = {.f = f, .name = name, .m = f.sva, .has_inverse = true, .seed = 1};
    for (int i = 0; i < f.model->n_bodies; i++)
        if (f.model->bodies[i].weightless && f.model->bodies[i].armature[0] == 0) s.has_inverse = false;
    allocate(&s);
    for (int k = 0; k < states; k++) {
        random_state(&s);
        test(&s);
    }
    sva_workspace_free(s.w);
    svac_workspace_free(s.wc);
    fixture_free(&s.f);
}

void each_subject(void (*test)(subject *s), int states)
{
    for (const shipped *r = shipped_robots; r->name; r++)
        run(fixture_robot(r->path, (model_options){.base = r->base}), r->name, test, states);
    for (size_t k = 0; k < sizeof trees / sizeof *trees; k++) {
        if (quick() && trees[k].bodies > 20) continue;
        arena *memory = arena_new();
        model *m = tree_random(memory, k + 1, trees[k]);
        run(fixture_model(memory, m), m->name, test, states);
    }
}

void to_complex(int n, const double x[], const double y[], cplx z[])
{
    for (int i = 0; i < n; i++) z[i] = x[i] + (y ? ldexp(y[i], STEP_EXPONENT) : 0) * _Complex_I;
}

void derivative_of(int n, const cplx z[], double dx[])
{
    for (int i = 0; i < n; i++) dx[i] = ldexp(cimag(z[i]), -STEP_EXPONENT);
}

void complex_configuration(subject *s, const double dv[], cplx q[])
{
    cplx *step = cvec(s, s->nv);
    for (int i = 0; i < s->nv; i++) step[i] = ldexp(dv[i], STEP_EXPONENT) * _Complex_I;
    to_complex(s->nq, s->q, NULL, q);
    svac_integrate(s->m, q, step, q);
}

svac_forces complex_forces(subject *s)
{
    cplx *body = cvec(s, 6 * s->m->n_bodies);
    svac_world_force *world = ARENA_ARRAY(s->f.memory, svac_world_force, 3);
    to_complex(6 * s->m->n_bodies, s->body_forces, NULL, body);
    for (int k = 0; k < 3; k++) {
        world[k].body = s->world[k].body;
        to_complex(3, s->world[k].point, NULL, world[k].point);
        to_complex(3, s->world[k].force, NULL, world[k].force);
        to_complex(3, s->world[k].moment, NULL, world[k].moment);
    }
    return (svac_forces){.body = body, .n_world = 3, .world = world};
}

double *unit_vector(subject *s, int j)
{
    double *e = vec(s, s->nv);
    e[j] = 1;
    return e;
}

static double norm(int n, const double X[])
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row += fabs(X[i * n + j]);
        largest = fmax(largest, row);
    }
    return largest;
}

double condition(subject *s)
{
    int n = s->nv;
    double *M = vec(s, n * n), *minv = vec(s, n * n);
    sva_crba(s->m, s->w, s->q, M);
    sva_minv(s->m, s->w, s->q, minv);
    return norm(n, M) * norm(n, minv);
}

void expect_near_by(const subject *s, const char *what, int n, const double x[], const double y[], double size,
                    double tolerance)
{
    double largest = 0, error = relative_error(n, x, y);
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(y[i]));
    if (size > largest) error *= largest > 0 ? largest / size : 1 / size;
    ck_assert_msg(error <= tolerance, "%s: %s differs by %.2g, allowed %.2g", s->name, what, error, tolerance);
}

void expect_near(const subject *s, const char *what, int n, const double x[], const double y[], double tolerance)
{
    expect_near_by(s, what, n, x, y, 0, tolerance);
}
