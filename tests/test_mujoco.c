/* The generic library against MuJoCo, through an MJCF written from the model: M, bias, inverse and forward dynamics. */
#include "suite.h"
#include <math.h>
#include <mujoco.h>
#include <string.h>
#include "fixture.h"
#include "mjcf.h"
#include "trees.h"

/* MuJoCo reads a file of its virtual file system. */
static mjModel *compile(const char *text, size_t length)
{
    mjVFS *files = malloc(sizeof *files);
    mj_defaultVFS(files);
    ck_assert_int_eq(mj_makeEmptyFileVFS(files, "model.xml", (int)length), 0);
    memcpy(files->filedata[mj_findFileVFS(files, "model.xml")], text, length);
    char error[1000] = "";
    mjModel *m = mj_loadXML("model.xml", files, error, sizeof error);
    ck_assert_msg(m != NULL, "%s", error);
    mj_deleteVFS(files);
    free(files);
    return m;
}

static mjModel *mujoco_model(const model *m)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    mjcf_write(m, out);
    fclose(out);
    mjModel *mj = compile(text, length);
    free(text);
    ck_assert_int_eq(mj->nv, m->nv);
    for (int i = 0; i < m->n_bodies; i++)
        for (int k = 0; k < m->bodies[i].nv; k++) mj->dof_armature[m->bodies[i].iv + k] = m->bodies[i].armature[k];
    return mj;
}

/* y = T x; y = T' x */
static void times(int n, const double *T, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += T[i * n + k] * x[k];
    }
}

static void transpose(int n, const double *T, double *Tt)
{
    for (int i = 0; i < n * n; i++) Tt[i] = T[i % n * n + i / n];
}

typedef struct state {
    double *q, *v, *a, *T, *Tt, *drift;
} state;

static state random_state(const fixture *f, uint64_t *seed)
{
    int n = f->model->nv;
    state s = {.q = ARENA_ARRAY(f->memory, double, f->model->nq)};
    s.v = ARENA_ARRAY(f->memory, double, n);
    s.a = ARENA_ARRAY(f->memory, double, n);
    s.T = ARENA_ARRAY(f->memory, double, n *n);
    s.Tt = ARENA_ARRAY(f->memory, double, n *n);
    s.drift = ARENA_ARRAY(f->memory, double, n);
    sva_random_configuration(f->sva, seed, s.q);
    sva_random_vector(n, seed, s.v);
    sva_random_vector(n, seed, s.a);
    mjcf_transform(f->model, s.q, s.T);
    transpose(n, s.T, s.Tt);
    mjcf_drift(f->model, s.q, s.v, s.drift);
    return s;
}

/* qpos, qvel = T v, qacc = T a + drift. */
static void set_state(const fixture *f, const state *s, const double *a, mjData *d)
{
    int n = f->model->nv;
    mjcf_qpos(f->model, s->q, d->qpos);
    times(n, s->T, s->v, d->qvel);
    times(n, s->T, a, d->qacc);
    for (int i = 0; i < n; i++) d->qacc[i] += s->drift[i];
}

static void check(const fixture *f, const char *what, int n, const double *ours, const double *theirs)
{
    double error = relative_error(n, ours, theirs);
    ck_assert_msg(error < 1e-10, "%s: %s differs by %.2g", f->model->name, what, error);
}

/* M = T' M_mujoco T */
static void check_mass(const fixture *f, sva_workspace *w, const state *s, const mjModel *mj, mjData *d)
{
    int n = f->model->nv;
    double *M = ARENA_ARRAY(f->memory, double, n *n), *X = ARENA_ARRAY(f->memory, double, n *n);
    mj_forward(mj, d);
    mj_fullM(mj, X, d->qM);
    for (int i = 0; i < n; i++) times(n, s->Tt, X + i * n, M + i * n); /* symmetric: rows are columns */
    transpose(n, M, X);
    for (int i = 0; i < n; i++) times(n, s->Tt, X + i * n, M + i * n);
    sva_crba(f->sva, w, s->q, X);
    check(f, "M", n * n, X, M);
}

/* tau = T' qfrc, at a and at a = 0 (the bias). */
static void check_inverse(const fixture *f, sva_workspace *w, const state *s, const mjModel *mj, mjData *d)
{
    int n = f->model->nv;
    double *tau = ARENA_ARRAY(f->memory, double, n), *theirs = ARENA_ARRAY(f->memory, double, n);
    set_state(f, s, s->a, d);
    mj_inverse(mj, d);
    times(n, s->Tt, d->qfrc_inverse, theirs);
    sva_rnea(f->sva, w, s->q, s->v, s->a, NULL, tau);
    check(f, "inverse dynamics", n, tau, theirs);

    double *zero = ARENA_ARRAY(f->memory, double, n), *x = ARENA_ARRAY(f->memory, double, n);
    set_state(f, s, zero, d);
    mj_mulM(mj, d, x, s->drift);
    for (int i = 0; i < n; i++) x[i] += d->qfrc_bias[i];
    times(n, s->Tt, x, theirs);
    sva_bias(f->sva, w, s->q, s->v, NULL, tau);
    check(f, "bias", n, tau, theirs);
}

/* T qdd + drift = qacc, tau chosen so that qdd = a: rounding grows by the condition of M no further than tau's own. */
static void check_forward(const fixture *f, sva_workspace *w, const state *s, const mjModel *mj, mjData *d)
{
    int n = f->model->nv;
    double *tau = ARENA_ARRAY(f->memory, double, n), *qdd = ARENA_ARRAY(f->memory, double, n);
    double *theirs = ARENA_ARRAY(f->memory, double, n);
    sva_rnea(f->sva, w, s->q, s->v, s->a, NULL, tau);
    set_state(f, s, s->a, d);
    times(n, s->T, tau, d->qfrc_applied); /* T is orthogonal */
    mj_forward(mj, d);
    for (int i = 0; i < n; i++) qdd[i] = d->qacc[i] - s->drift[i];
    times(n, s->Tt, qdd, theirs);
    sva_aba(f->sva, w, s->q, s->v, tau, NULL, qdd);
    check(f, "forward dynamics", n, qdd, theirs);
}

static void compare(fixture f)
{
    ck_assert(f.sva != NULL);
    ck_assert(mjcf_can(f.model));
    mjModel *mj = mujoco_model(f.model);
    mjData *d = mj_makeData(mj);
    sva_workspace *w = sva_workspace_new(f.sva);
    uint64_t seed = 1;
    for (int k = 0; k < 5; k++) {
        state s = random_state(&f, &seed);
        set_state(&f, &s, s.a, d);
        check_mass(&f, w, &s, mj, d);
        check_inverse(&f, w, &s, mj, d);
        check_forward(&f, w, &s, mj, d);
    }
    sva_workspace_free(w);
    mj_deleteData(d);
    mj_deleteModel(mj);
    fixture_free(&f);
}

/* All joints independent: MuJoCo has no dependent joints, only constraints. hyq and talos have bodies with inertias
   that MuJoCo refuses. */
START_TEST(robots)
{
    int compared = 0;
    for (const shipped *r = shipped_robots; r->name; r++) {
        if (strstr(r->path, "hyq") || strstr(r->path, "talos")) continue;
        compare(fixture_robot(r->path, (model_options){.base = r->base, .mimic_independent = true}));
        compared++;
    }
    ck_assert_int_ge(compared, 10);
}
END_TEST

/* Armature on a free or planar joint would not be diagonal in MuJoCo's coordinates. */
static model *tree(arena *memory, uint64_t seed, bool floating)
{
    unsigned inside = 1u << SVA_REVOLUTE | 1u << SVA_CONTINUOUS | 1u << SVA_PRISMATIC | 1u << SVA_CYLINDRICAL |
                      1u << SVA_PLANAR | 1u << SVA_SPHERICAL | 1u << SVA_TRANSLATION;
    tree_options o = {.bodies = 5 + 5 * (int)seed, .floating = floating, .armature = true, .types = inside};
    model *m = tree_random(memory, seed, o);
    for (int i = 0; i < m->n_bodies; i++)
        if (m->bodies[i].type == SVA_FLOATING || m->bodies[i].type == SVA_PLANAR)
            memset(m->bodies[i].armature, 0, sizeof m->bodies[i].armature);
    return m;
}

START_TEST(trees)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        arena *memory = arena_new();
        compare(fixture_model(memory, tree(memory, seed, seed % 2)));
    }
}
END_TEST

SUITE("mujoco", robots, trees)
