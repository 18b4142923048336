#include "inverse.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "bridge.h"
#include "inertia.h"

enum { STATES = 3, NAMED = 3 };

/* A pivot beside what it is made of. Below this, rounding alone may have made it. */
static const double rounding = 256 * DBL_EPSILON;
/* Above this, one state is enough to say that all is well. */
static const double strong = 1e-4;
/* A condition number that no mixture of metres, radians and masses explains. */
static const double absurd = 1e15;

typedef struct examination {
    model *m;
    sva_model *s;
    sva_workspace *w;
    double *q, *M, *inverse, *R, *p;
    double *mass, (*h)[3], *trace; /* of what each body carries: h = mass * centre and trace of I, about its origin */
    double *size;                  /* s_k */
    double *best, *pivot;          /* over the states: the greatest D_k / s_k, and D_k there */
    bool *moved;                   /* M_kk was more than rounding at one of the states */
    double least;                  /* of the pivots that are no obstacle */
} examination;

/* Moving the reference by d: trace I = 2 sum of m r^2 grows by 4 h.d + 2 m d^2, and h by m d. */
static void carry(examination *x, int i)
{
    int parent = x->s->bodies[i].parent;
    double d[3], m = x->mass[i], shift = 0;
    if (parent < 0) return;
    for (int k = 0; k < 3; k++) {
        d[k] = x->p[3 * i + k] - x->p[3 * parent + k];
        shift += 4 * x->h[i][k] * d[k] + 2 * m * d[k] * d[k];
        x->h[parent][k] += x->h[i][k] + m * d[k];
    }
    x->trace[parent] += x->trace[i] + shift;
    x->mass[parent] += m;
}

static double size_of(const examination *x, int i, int k)
{
    const sva_body *b = &x->s->bodies[i];
    const double *S = b->S[k];
    double w = S[0] * S[0] + S[1] * S[1] + S[2] * S[2], u = S[3] * S[3] + S[4] * S[4] + S[5] * S[5];
    return w * fabs(x->trace[i]) + u * fabs(x->mass[i]) + fabs(b->armature[k]);
}

/* A joint that follows another adds to its master's. */
static void measure_sizes(examination *x)
{
    sva_body_poses(x->s, x->w, x->q, x->R, x->p);
    for (int i = 0; i < x->s->n_bodies; i++) {
        const sva_body *b = &x->s->bodies[i];
        const double *R = x->R + 9 * i;
        x->mass[i] = b->mass;
        x->trace[i] = b->I[0] + b->I[3] + b->I[5];
        for (int k = 0; k < 3; k++) x->h[i][k] = R[3 * k] * b->h[0] + R[3 * k + 1] * b->h[1] + R[3 * k + 2] * b->h[2];
    }
    for (int i = x->s->n_bodies - 1; i >= 0; i--) carry(x, i);
    memset(x->size, 0, sizeof *x->size * (size_t)x->s->nv);
    for (int i = 0; i < x->s->n_bodies; i++) {
        const sva_body *b = &x->s->bodies[i];
        double factor = b->dependent ? b->multiplier * b->multiplier : 1;
        for (int k = 0; k < b->mv; k++) x->size[b->iv + k] += factor * size_of(x, i, k);
    }
}

/* Zero, rounding, or below zero by less than an inertia can be. */
static bool vanishes(double pivot, double size)
{
    return !(pivot > rounding * size) && pivot > -fmax(rounding * size, INERTIA_NOTHING);
}

/* Row k of M = L'DL, as sva_ltdl does it. */
static void eliminate(const sva_model *s, int k, double *M)
{
    int n = s->nv;
    for (int i = s->v_parent[k]; i >= 0; i = s->v_parent[i]) {
        double l = M[k * n + i] / M[k * n + k];
        for (int j = i; j >= 0; j = s->v_parent[j]) M[i * n + j] -= l * M[k * n + j];
    }
}

static void measure_pivots(examination *x)
{
    int n = x->s->nv;
    for (int k = 0; k < n; k++) x->moved[k] |= !vanishes(x->M[k * n + k], x->size[k]);
    for (int k = n - 1; k >= 0; k--) {
        double pivot = x->M[k * n + k];
        bool none = vanishes(pivot, x->size[k]);
        double ratio = none ? 0 : pivot / x->size[k];
        if (!none) eliminate(x->s, k, x->M);
        if (fabs(ratio) <= fabs(x->best[k])) continue;
        x->best[k] = ratio;
        x->pivot[k] = pivot;
    }
}

static double norm(int n, const double *M)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs(M[i * n + j]);
        if (!(sum <= largest)) largest = sum;
    }
    return largest;
}

static double condition(examination *x)
{
    int n = x->s->nv;
    sva_crba(x->s, x->w, x->q, x->M);
    double size = norm(n, x->M);
    sva_ltdl(x->s, x->M);
    sva_ltdl_inverse(x->s, x->M, x->inverse);
    double number = size * norm(n, x->inverse);
    return isfinite(number) ? number : INFINITY;
}

/* At the states so far; another may be kinder. */
static bool any_doubt(const examination *x)
{
    for (int k = 0; k < x->s->nv; k++)
        if (fabs(x->best[k]) < strong) return true;
    return false;
}

/* False if a number is too large to say. */
static bool examine_states(examination *x)
{
    uint64_t seed = 1;
    for (int state = 0; state < STATES && (state == 0 || any_doubt(x)); state++) {
        sva_random_configuration(x->s, &seed, x->q);
        measure_sizes(x);
        for (int k = 0; k < x->s->nv; k++)
            if (!isfinite(x->size[k])) return false;
        sva_crba(x->s, x->w, x->q, x->M);
        measure_pivots(x);
    }
    x->m->inverse.condition = condition(x);
    return true;
}

static void judge(examination *x, int body, int k)
{
    model_inverse *inverse = &x->m->inverse;
    model_body *b = &x->m->bodies[body];
    if (b->obstacle != OBSTACLE_NONE) return;
    if (x->best[k] == 0) {
        bool leaf = body + 1 == x->m->n_bodies || x->m->bodies[body + 1].parent != body;
        bool redundant = x->moved[k] && !(leaf && b->nv > 1);
        obstacle nothing = b->type == SVA_PRISMATIC ? OBSTACLE_NO_MASS : OBSTACLE_AXIS;
        b->obstacle = redundant ? OBSTACLE_REDUNDANT : nothing;
        return;
    }
    if (x->best[k] < inverse->ratio) {
        inverse->ratio = x->best[k];
        inverse->weakest = body;
    }
    if (fabs(x->pivot[k]) < x->least) {
        x->least = fabs(x->pivot[k]);
        inverse->lightest = body;
    }
}

static void judge_all(examination *x)
{
    for (int i = 0; i < x->m->n_bodies; i++)
        for (int k = 0; k < x->m->bodies[i].nv; k++) judge(x, i, x->m->bodies[i].iv + k);
}

static void allocate(examination *x, arena *scratch)
{
    int n = x->m->nv, bodies = x->m->n_bodies;
    x->q = ARENA_ARRAY(scratch, double, x->m->nq + 1);
    x->M = ARENA_ARRAY(scratch, double, n *n);
    x->inverse = ARENA_ARRAY(scratch, double, n *n);
    x->R = ARENA_ARRAY(scratch, double, 9 * bodies);
    x->p = ARENA_ARRAY(scratch, double, 3 * bodies);
    x->mass = ARENA_ARRAY(scratch, double, bodies);
    x->trace = ARENA_ARRAY(scratch, double, bodies);
    x->h = arena_alloc(scratch, sizeof *x->h * (size_t)bodies);
    x->size = ARENA_ARRAY(scratch, double, n);
    x->best = ARENA_ARRAY(scratch, double, n);
    x->pivot = ARENA_ARRAY(scratch, double, n);
    x->moved = ARENA_ARRAY(scratch, bool, n);
}

static void examine(model *m)
{
    examination x = {.m = m, .s = sva_model_from(m, NULL), .least = INFINITY};
    x.w = x.s ? sva_workspace_new(x.s) : NULL;
    if (x.w) {
        arena *scratch = arena_new();
        allocate(&x, scratch);
        if (examine_states(&x)) judge_all(&x);
        arena_free(scratch);
    }
    sva_workspace_free(x.w);
    sva_model_free(x.s);
}

static bool has_no_mass(const model_body *b)
{
    for (int i = 0; i < b->nv && b->weightless; i++)
        if (b->armature[i] == 0) return true;
    return false;
}

void inverse_examine(model *m)
{
    m->inverse = (model_inverse){.ratio = 1};
    for (int i = 0; i < m->n_bodies; i++)
        if (has_no_mass(&m->bodies[i])) m->bodies[i].obstacle = OBSTACLE_NO_MASS;
    if (m->nv > 0 && m->nv <= INVERSE_LARGEST && m->n_bodies <= 2 * INVERSE_LARGEST) examine(m);
    for (int i = 0; i < m->n_bodies; i++) m->inverse.n_obstacles += m->bodies[i].obstacle != OBSTACLE_NONE;
}

/* What follows "joint 'a' ". */
static const char *reason(const model_body *b)
{
    static const char *const reasons[OBSTACLES] = {
        [OBSTACLE_NO_MASS] = "moves no mass and has no armature",
        [OBSTACLE_AXIS] = "moves what has no inertia about its axis",
        [OBSTACLE_REDUNDANT] = "moves nothing that the joints after it do not move as well",
    };
    bool about_point = b->type == SVA_FLOATING || b->type == SVA_SPHERICAL;
    if (b->obstacle == OBSTACLE_AXIS && about_point) return "moves what has no inertia about some axis";
    return b->obstacle == OBSTACLE_NO_MASS && b->type == SVA_FLOATING ? "moves no mass" : reasons[b->obstacle];
}

/* The first body with an obstacle from i on. */
static int next_obstacle(const model *m, int i)
{
    while (i < m->n_bodies && m->bodies[i].obstacle == OBSTACLE_NONE) i++;
    return i;
}

/* " (and 2 more joints: 'b' and 'c')", those after body i. */
static const char *others(arena *memory, const model *m, int i)
{
    int n = m->inverse.n_obstacles - 1, named = n < NAMED ? n : NAMED;
    if (n == 0) return "";
    const char *s = arena_printf(memory, " (and %d more joint%s:", n, n == 1 ? "" : "s");
    for (int k = 0; k < named; k++) {
        i = next_obstacle(m, i + 1);
        const char *before = k == 0 ? "" : k == n - 1 ? " and" : ",";
        s = arena_printf(memory, "%s%s '%.200s'", s, before, m->bodies[i].joint_name);
    }
    return arena_printf(memory, "%s%s)", s, n > named ? ", ..." : "");
}

const char *inverse_denied(arena *memory, const model *m)
{
    int first = next_obstacle(m, 0);
    if (first == m->n_bodies) return NULL;
    const model_body *b = &m->bodies[first];
    const char *known =
        m->inverse.condition > 0 && m->inverse.condition < INFINITY
            ? arena_printf(memory, ", to working precision (condition number %.0e)", m->inverse.condition)
            : "";
    return arena_printf(memory, "joint '%.200s' %s%s, so M has no inverse%s", b->joint_name, reason(b),
                        others(memory, m, first), known);
}

const char *inverse_remedy(const model *m)
{
    const model_body *b = &m->bodies[next_obstacle(m, 0)];
    if (b->type == SVA_FLOATING && b->obstacle != OBSTACLE_REDUNDANT) return "its link needs mass and inertia";
    return "armature gives it one, in the description or by --armature VALUE for all joints";
}

place inverse_place(const model *m)
{
    int first = next_obstacle(m, 0);
    return first < m->n_bodies ? m->bodies[first].at : (place){0};
}

/* Of the code's number type, and how many digits forward dynamics should keep. */
static const struct {
    double epsilon;
    int least;
    const char *name;
} types[] = {{DBL_EPSILON, 6, "double"}, {FLT_EPSILON, 2, "float"}};

/* Its error is about epsilon s_k / D_k. */
static int digits_left(double ratio, double epsilon)
{
    double digits = log10(ratio / epsilon);
    return digits > 0 ? (int)digits : 0;
}

void inverse_warn(const model *m, bool single, diag *d)
{
    const model_inverse *inverse = &m->inverse;
    if (m->n_bodies == 0) return;
    const model_body *weakest = &m->bodies[inverse->weakest], *lightest = &m->bodies[inverse->lightest];
    int digits = digits_left(inverse->ratio, types[single].epsilon);
    if (inverse->ratio < 0)
        diag_warning(d, weakest->at,
                     "joint '%.200s' moves a negative inertia: the mass matrix is not positive definite (condition "
                     "number %.0e), and forward dynamics means little",
                     weakest->joint_name, inverse->condition);
    else if (digits < types[single].least)
        diag_warning(d, weakest->at,
                     "joint '%.200s' moves almost nothing of its own (%.0e of the inertia behind it): the mass matrix "
                     "is ill-conditioned (%.0e), and forward dynamics in %s keeps about %d digit%s",
                     weakest->joint_name, inverse->ratio, inverse->condition, types[single].name, digits,
                     digits == 1 ? "" : "s");
    else if (inverse->condition > absurd && inverse->n_obstacles == 0)
        diag_warning(d, lightest->at,
                     "joint '%.200s' moves next to nothing beside the others: the mass matrix is ill-conditioned "
                     "(%.0e); is its inertia a placeholder?",
                     lightest->joint_name, inverse->condition);
}

void inverse_report(const model *m, diag *d)
{
    const char *denied = inverse_denied(d->memory, m);
    if (denied)
        diag_warning(d, inverse_place(m), "%s, and there is no forward dynamics; %s", denied, inverse_remedy(m));
    inverse_warn(m, false, d);
}
