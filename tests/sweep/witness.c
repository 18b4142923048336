/* What kernels should give: the generic library on a model made from the drawn numbers. Fixed joints stay bodies of
   the library, so that nothing is lumped here. Friction is added by its formula. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sweep.h"

quad tanhf128(quad x); /* in glibc's libm */

static void *room(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    if (!memory) abort();
    return memory;
}

/* ---- the model */

/* I about the body's origin: I + m (c.c 1 - c c') */
static void place_mass(const drawn_link *l, sva_body *b)
{
    const double *c = l->com, cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    b->mass = l->mass;
    for (int i = 0, n = 0; i < 3; i++) {
        b->h[i] = l->mass * c[i];
        for (int j = i; j < 3; j++, n++) b->I[n] = l->inertia[n] + l->mass * ((i == j ? cc : 0) - c[i] * c[j]);
    }
}

/* Follows mimic joints to the last: q = k1 (k2 q_m + c2) + c1. */
static void place_master(const witness *y, int link, sva_body *b)
{
    const drawn_link *l = &y->r->links[link];
    b->multiplier = 1;
    if (l->mimics < 0 || y->o->independent) return;
    for (; l->mimics >= 0; l = &y->r->links[l->mimics]) {
        b->offset += b->multiplier * l->offset;
        b->multiplier *= l->multiplier;
        b->master = y->body[l->mimics];
    }
    b->dependent = 1;
}

/* --armature is for degrees of freedom that have none, but not for floating joints and those that follow. */
static void place_armature(const witness *y, const drawn_link *l, sva_body *b)
{
    memcpy(b->armature, l->dof[0], sizeof b->armature);
    for (int k = 0; k < sva_joint_table[b->type].nv && y->o->armature; k++)
        if (b->type != SVA_FLOATING && !b->dependent && b->armature[k] == 0)
            b->armature[k] = strtod(y->o->armature, NULL);
}

static sva_status add_body(witness *y, int link)
{
    const drawn_link *l = &y->r->links[link];
    sva_body b = {.type = link ? l->type : SVA_FLOATING, .parent = link ? y->body[l->parent] : -1, .pitch = l->pitch};
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(b.R, link ? l->R : unit, sizeof b.R);
    memcpy(b.p, l->p, sizeof b.p);
    memcpy(b.axis, l->unit, sizeof b.axis);
    memcpy(b.damping, l->dof[1], sizeof b.damping);
    memcpy(b.friction, l->dof[2], sizeof b.friction);
    place_mass(l, &b);
    place_master(y, link, &b);
    place_armature(y, l, &b);
    return sva_model_add_body(y->m, &b);
}

static const double *pull_of(const drawn_robot *r, const drawn_options *o)
{
    static const double earth[3] = {0, 0, -9.81};
    return o->gravity != GRAVITY_OF_ROBOT ? o->pull : r->has_gravity ? r->gravity : earth;
}

const char *witness_make(witness *y, const drawn_robot *r, const drawn_options *o)
{
    sva_status status = SVA_OK;
    *y = (witness){.r = r, .o = o, .floating = is_floating(r, o), .n_frames = r->n};
    y->m = sva_model_new(MOST_LINKS, pull_of(r, o));
    for (int i = 0; i < r->n; i++) {
        y->body[i] = i - !y->floating;
        if (y->body[i] >= 0) y->link[y->body[i]] = i;
        y->n_joints += moves(r, y->floating, i);
    }
    for (int i = !y->floating; i < r->n && status == SVA_OK; i++) status = add_body(y, i);
    if (status == SVA_OK) status = sva_model_finish(y->m);
    if (status != SVA_OK) return sva_message(status);
    y->nq = y->m->nq;
    y->nv = y->m->nv;
    y->w = svaq_workspace_new(y->m);
    return y->w ? NULL : "out of memory";
}

/* ---- sizes */

int input_size(const witness *y, input a)
{
    return a == IN_Q ? y->nq : a == IN_FEXT ? 6 * y->o->n_fext : a == IN_GRAVITY ? 3 : y->nv;
}

void output_size(const witness *y, output a, int *rows, int *cols)
{
    static const bool square[OUTPUTS] = {
        [OUT_M] = true, [OUT_MINV] = true,    [OUT_DTAU_DQ] = true, [OUT_DTAU_DV] = true,
        [OUT_C] = true, [OUT_DQDD_DQ] = true, [OUT_DQDD_DV] = true};
    *rows = a == OUT_POSE ? 12 * y->n_frames : a == OUT_J ? 6 * y->o->n_frames : y->nv;
    *cols = square[a] || a == OUT_J ? y->nv : 1;
}

/* ---- states */

/* The nearest number of the code's type, so that both sides start from the same. */
static double rounded(const witness *y, double x) { return y->o->single ? (double)(float)x : x; }

static void draw_unit(const witness *y, uint64_t *seed, int n, double x[])
{
    double norm = 0;
    for (int i = 0; i < n; i++) x[i] = draw_uniform(seed, -1, 1);
    for (int i = 0; i < n; i++) norm += x[i] * x[i];
    for (int i = 0; i < n; i++) x[i] = rounded(y, x[i] / sqrt(norm));
}

/* First of the quaternion (or cosine and sine) in a joint's q; nq: there is none. */
static int unit_part(sva_joint_type type)
{
    return type == SVA_SPHERICAL ? 0 : type == SVA_PLANAR ? 2 : type == SVA_FLOATING ? 3 : sva_joint_table[type].nq;
}

static void draw_configuration(const witness *y, uint64_t *seed, double q[])
{
    bool odd = draw_chance(seed, 0.8);
    for (int i = 0; i < y->m->n_bodies; i++) {
        const sva_body *b = &y->m->bodies[i];
        int unit = unit_part(b->type);
        for (int k = 0; k < unit && k < b->nq; k++)
            q[b->iq + k] = odd || draw_chance(seed, 0.5) ? rounded(y, draw_uniform(seed, -2, 2)) : 0;
        if (unit < b->nq) draw_unit(y, seed, b->nq - unit, q + b->iq + unit);
    }
}

void witness_state(witness *y, uint64_t *seed, drawn_state *s)
{
    static const input vectors[] = {IN_V, IN_A, IN_TAU, IN_FEXT, IN_GRAVITY};
    for (int a = 0; a < INPUTS; a++) s->in[a] = room((size_t)input_size(y, (input)a), sizeof(double));
    draw_configuration(y, seed, s->in[IN_Q]);
    for (size_t a = 0; a < sizeof vectors / sizeof *vectors; a++) {
        bool none = draw_chance(seed, 0.05);
        double size = vectors[a] >= IN_TAU ? 10 : 2;
        for (int i = 0; i < input_size(y, vectors[a]); i++)
            s->in[vectors[a]][i] = none ? 0 : rounded(y, draw_uniform(seed, -size, size));
    }
    for (int fext = 0; fext < 2; fext++)
        for (int a = 0; a < OUTPUTS; a++) {
            int rows, cols;
            output_size(y, (output)a, &rows, &cols);
            s->truth[fext][a] = room((size_t)rows * (size_t)cols, sizeof(quad));
        }
}

/* ---- friction */

typedef struct loss {
    quad force, slope;
} loss;

/* damping x + friction tanh(x / width) */
static loss loss_of(const witness *y, const sva_body *b, int k, quad x)
{
    loss l = {(quad)b->damping[k] * x, (quad)b->damping[k]};
    if (y->o->friction != LOSS_FULL) return l;
    quad width = y->o->width ? (quad)strtod(y->o->width, NULL) : (quad)0.01, t = tanhf128(x / width);
    l.force += (quad)b->friction[k] * t;
    l.slope += (quad)b->friction[k] / width * (1 - t * t);
    return l;
}

/* Sums over all joints, those that follow others too: force and slope at the user's degrees of freedom. */
static void losses(const witness *y, const quad v[], quad force[], quad slope[])
{
    for (int i = 0; i < y->nv; i++) force[i] = slope[i] = 0;
    for (int i = 0; i < y->m->n_bodies && y->o->friction != LOSS_NONE; i++) {
        const sva_body *b = &y->m->bodies[i];
        quad gain = b->dependent ? (quad)b->multiplier : 1;
        for (int k = 0; k < b->mv; k++) {
            loss l = loss_of(y, b, k, gain * v[b->iv + k]);
            force[b->iv + k] += gain * l.force;
            slope[b->iv + k] += gain * gain * l.slope;
        }
    }
}

/* ---- truth */

static quad *to_quad(const double *x, int n)
{
    quad *y = room((size_t)n, sizeof *y);
    for (int i = 0; i < n; i++) y[i] = (quad)x[i];
    return y;
}

static void scatter(const witness *y, const double *fext, quad *all)
{
    for (int i = 0; i < y->o->n_fext; i++)
        for (int k = 0; k < 6; k++) all[6 * y->body[y->o->fext[i]] + k] = (quad)fext[6 * i + k];
}

/* M, h, friction and derivatives; then everything that M^-1 gives. */
static void dynamics(const witness *y, drawn_state *s, const svaq_forces *f, quad **out)
{
    int n = y->nv;
    quad *q = to_quad(s->in[IN_Q], y->nq), *v = to_quad(s->in[IN_V], n), *a = to_quad(s->in[IN_A], n);
    quad *u = to_quad(s->in[IN_TAU], n), *force = room((size_t)n, sizeof *force),
         *slope = room((size_t)n, sizeof *slope);
    losses(y, v, force, slope);
    svaq_rnea(y->m, y->w, q, v, a, f, out[OUT_TAU]);
    svaq_bias(y->m, y->w, q, v, f, out[OUT_H]);
    svaq_gravity(y->m, y->w, q, out[OUT_G]);
    svaq_coriolis(y->m, y->w, q, v, out[OUT_C]);
    svaq_crba(y->m, y->w, q, out[OUT_M]);
    svaq_idsva(y->m, y->w, q, v, a, f, out[OUT_DTAU_DQ], out[OUT_DTAU_DV]);
    for (int i = 0; i < n; i++) {
        out[OUT_TAU][i] += force[i];
        out[OUT_H][i] += force[i];
        out[OUT_DTAU_DV][i * n + i] += slope[i];
        u[i] -= force[i];
    }
    svaq_fdsva(y->m, y->w, q, v, u, f, SVA_PRODUCT_DMM, out[OUT_QDD], out[OUT_DQDD_DQ], out[OUT_DQDD_DV],
               out[OUT_MINV]);
    for (int i = 0; i < n * n; i++) out[OUT_DQDD_DV][i] -= out[OUT_MINV][i] * slope[i % n];
    free(q), free(v), free(a), free(u), free(force), free(slope);
}

static sva_frame frame_of(const witness *y, int link)
{
    return (sva_frame){.body = y->body[link], .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static int link_named(const witness *y, const char *name)
{
    int i = y->r->n - 1;
    while (i > 0 && strcmp(y->r->links[i].name, name)) i--;
    return i;
}

static void kinematics(const witness *y, drawn_state *s, quad **out)
{
    quad *q = to_quad(s->in[IN_Q], y->nq), R[9], p[3];
    for (int i = 0; i < y->n_frames; i++) {
        sva_frame f = frame_of(y, y->frames ? link_named(y, y->frames[i]) : i);
        svaq_frame_pose(y->m, y->w, q, &f, R, p);
        for (int k = 0; k < 12; k++) out[OUT_POSE][12 * i + k] = k % 4 == 3 ? p[k / 4] : R[3 * (k / 4) + k % 4];
    }
    for (int i = 0; i < y->o->n_frames; i++) {
        sva_frame f = frame_of(y, y->o->frames[i]);
        svaq_frame_jacobian(y->m, y->w, q, &f, SVA_ALIGNED, out[OUT_J] + 6 * i * y->nv);
    }
    free(q);
}

static double largest(const quad *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs((double)x[i]));
    return most;
}

/* The largest sum of absolute values of a row. */
static double norm(int n, const quad *M)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs((double)M[i * n + j]);
        most = fmax(most, sum);
    }
    return most;
}

/* Errors are relative to the largest entry, or to what cancelled. Solving magnifies by cond(M), and passes on the
   errors of its right-hand side by |M^-1|. */
static void tolerances(const witness *y, drawn_state *s, int fext)
{
    const double eps = y->o->single ? 0x1p-24 : 0x1p-53, least = y->o->single ? 1e-4 : 1e-13,
                 solved = y->o->single ? 1e-4 : 1e-12;
    enum { SUMS = 64, SOLVES = 8 };
    quad **t = s->truth[fext];
    double *qdd = room((size_t)y->nv, sizeof *qdd), size[OUTPUTS], *tol = s->tolerance[fext];
    for (int a = 0; a < OUTPUTS; a++) {
        int rows, cols;
        output_size(y, (output)a, &rows, &cols);
        size[a] = largest(t[a], rows * cols);
    }
    for (int i = 0; i < y->nv; i++) qdd[i] = (double)t[OUT_QDD][i];
    bounds b = bounds_of(y, s, s->in[IN_A], fext), c = bounds_of(y, s, qdd, fext);
    double inverse = norm(y->nv, t[OUT_MINV]), error = SUMS * eps * inverse;
    s->condition = fmax(norm(y->nv, t[OUT_M]), b.M) * inverse;
    double relative = fmax(solved, SOLVES * eps * s->condition);
    for (int a = 0; a < OUTPUTS; a++) tol[a] = least * size[a];
    tol[OUT_TAU] = tol[OUT_H] = tol[OUT_G] = fmax(tol[OUT_TAU], SUMS * eps * b.tau);
    tol[OUT_H] = tol[OUT_G] = tol[OUT_TAU];
    tol[OUT_M] = fmax(tol[OUT_M], SUMS * eps * b.M);
    tol[OUT_DTAU_DQ] = fmax(tol[OUT_DTAU_DQ], SUMS * eps * b.dtau_dq);
    tol[OUT_DTAU_DV] = fmax(tol[OUT_DTAU_DV], SUMS * eps * b.dtau_dv);
    tol[OUT_C] = fmax(tol[OUT_C], SUMS * eps * b.dtau_dv);
    tol[OUT_POSE] = fmax(tol[OUT_POSE], SUMS * eps * b.pose);
    tol[OUT_J] = fmax(tol[OUT_J], SUMS * eps * b.pose);
    tol[OUT_MINV] = relative * size[OUT_MINV];
    tol[OUT_QDD] = relative * size[OUT_QDD] + error * c.tau + SUMS * eps * c.fall;
    tol[OUT_DQDD_DQ] = relative * size[OUT_DQDD_DQ] + error * (c.dtau_dq + b.M * c.fall) + SUMS * eps * c.fall;
    tol[OUT_DQDD_DV] = relative * size[OUT_DQDD_DV] + error * (c.dtau_dv + b.M * c.fall) + SUMS * eps * c.fall;
    free(qdd);
}

void witness_truth(witness *y, drawn_state *s)
{
    quad *forces = room((size_t)(6 * y->m->n_bodies), sizeof *forces);
    scatter(y, s->in[IN_FEXT], forces);
    svaq_forces f = {.body = forces};
    if (y->o->gravity == GRAVITY_RUNTIME) memcpy(y->m->gravity, s->in[IN_GRAVITY], sizeof y->m->gravity);
    for (int fext = 0; fext < 2; fext++) {
        dynamics(y, s, fext ? &f : NULL, s->truth[fext]);
        kinematics(y, s, s->truth[fext]);
        tolerances(y, s, fext);
    }
    free(forces);
}

double witness_condition(witness *y, const double q[])
{
    size_t n = (size_t)y->nv * (size_t)y->nv;
    quad *x = to_quad(q, y->nq), *M = room(n, sizeof *M), *minv = room(n, sizeof *minv);
    svaq_crba(y->m, y->w, x, M);
    svaq_minv(y->m, y->w, x, minv);
    double c = norm(y->nv, M) * norm(y->nv, minv);
    for (size_t i = 0; i < n; i++)
        if (!isfinite((double)minv[i])) c = INFINITY;
    free(x), free(M), free(minv);
    return c;
}

/* ---- steps on the manifold, by the conventions of README: right increments, v in body axes */

/* (x y z w): its rotation of u */
static void turn(const double q[4], const double u[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = (1 - 2 * (q[j] * q[j] + q[k] * q[k])) * u[i] + 2 * (q[i] * q[j] - q[3] * q[k]) * u[j] +
                 2 * (q[i] * q[k] + q[3] * q[j]) * u[k];
    }
}

/* q times the rotation by `angle` about its own axis k */
static void turn_by(double q[4], int k, double angle)
{
    double s = sin(angle / 2), c = cos(angle / 2), e[3] = {0}, w = q[3];
    e[k] = s;
    q[3] = c * w - s * q[k];
    const double x[3] = {q[0], q[1], q[2]};
    for (int i = 0; i < 3; i++)
        q[i] = c * x[i] + w * e[i] + x[(i + 1) % 3] * e[(i + 2) % 3] - x[(i + 2) % 3] * e[(i + 1) % 3];
}

static void step_planar(double q[4], int k, double step)
{
    double c = q[2], s = q[3];
    if (k < 2) {
        q[0] += step * (k ? -s : c);
        q[1] += step * (k ? c : s);
        return;
    }
    q[2] = c * cos(step) - s * sin(step);
    q[3] = s * cos(step) + c * sin(step);
}

static void step_joint(sva_joint_type type, double q[], int k, double step)
{
    double e[3] = {0}, moved[3];
    if (type == SVA_PLANAR)
        step_planar(q, k, step);
    else if (type == SVA_SPHERICAL)
        turn_by(q, k, step);
    else if (type == SVA_FLOATING && k > 2)
        turn_by(q + 3, k - 3, step);
    else if (type == SVA_FLOATING) {
        e[k] = step;
        turn(q + 3, e, moved);
        for (int i = 0; i < 3; i++) q[i] += moved[i];
    } else
        q[k] += step;
}

void witness_step(const witness *y, const double q[], int j, double step, double out[])
{
    memcpy(out, q, (size_t)y->nq * sizeof *out);
    for (int i = 0; i < y->m->n_bodies; i++) {
        const sva_body *b = &y->m->bodies[i];
        if (j >= b->iv && j < b->iv + b->nv) step_joint(b->type, out + b->iq, j - b->iv, step);
    }
}
