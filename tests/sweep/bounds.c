/* Bounds on what adds up to an output: the recursions of inverse dynamics and of composite inertias with absolute
   values in place of vectors, so that nothing cancels. */
#include <math.h>
#include <stdlib.h>
#include "sweep.h"

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* What one body adds to its parent's: speeds, accelerations and the distance from the parent's origin. */
typedef struct motion {
    double d, w, l, aw, al;
} motion;

typedef struct totals {
    double tau, M, fall, pose;
} totals;

static double gain(const sva_body *b) { return b->dependent ? fabs(b->multiplier) : 1; }

/* How far the joint's displacements move the body. */
static double displacement(const sva_body *b, const double q[])
{
    const double *x = q + b->iq;
    switch (b->type) {
    case SVA_PRISMATIC: return gain(b) * fabs(x[0]) + fabs(b->offset);
    case SVA_HELICAL: return fabs(b->pitch) * (gain(b) * fabs(x[0]) + fabs(b->offset));
    case SVA_CYLINDRICAL: return fabs(x[0]);
    case SVA_PLANAR: return norm(x, 2);
    case SVA_TRANSLATION:
    case SVA_FLOATING: return norm(x, 3);
    default: return 0;
    }
}

static motion motion_of(const sva_body *b, const double q[], const double v[], const double a[], double more_v,
                        double more_d)
{
    motion m = {norm(b->p, 3) + displacement(b, q) + more_d, 0, 0, 0, 0};
    for (int k = 0; k < b->mv; k++) {
        double speed = gain(b) * (fabs(v[b->iv + k]) + more_v), rise = gain(b) * fabs(a[b->iv + k]);
        m.w += norm(b->S[k], 3) * speed;
        m.l += norm(b->S[k] + 3, 3) * speed;
        m.aw += norm(b->S[k], 3) * rise;
        m.al += norm(b->S[k] + 3, 3) * rise;
    }
    return m;
}

static double force_on(const witness *y, const double *fext, int body, int half)
{
    for (int i = 0; fext && i < y->o->n_fext; i++)
        if (y->body[y->o->fext[i]] == body) return norm(fext + 6 * i + 3 * half, 3);
    return 0;
}

/* more_v, more_d: the same with every speed, every distance larger; differences then bound derivatives. */
static totals totals_of(const witness *y, const double *const in[INPUTS], const double a[], const double *fext,
                        double more_v, double more_d)
{
    double d[MOST_LINKS], W[MOST_LINKS], A[MOST_LINKS], L[MOST_LINKS], V[MOST_LINKS];
    double F[MOST_LINKS] = {0}, N[MOST_LINKS] = {0}, m[MOST_LINKS] = {0}, h[MOST_LINKS] = {0}, J[MOST_LINKS] = {0};
    totals t = {0};
    double followers = 1, pull = norm(y->m->gravity, 3);
    for (int i = 0; i < y->m->n_bodies; i++) {
        const sva_body *b = &y->m->bodies[i];
        motion x = motion_of(b, in[IN_Q], in[IN_V], a, more_v, more_d);
        double w = b->parent < 0 ? 0 : W[b->parent], al = b->parent < 0 ? 0 : A[b->parent];
        d[i] = x.d;
        W[i] = w + x.w;
        A[i] = al + x.aw + w * x.w;
        V[i] = (b->parent < 0 ? 0 : V[b->parent]) + w * x.d + x.l;
        L[i] = (b->parent < 0 ? pull : L[b->parent]) + (al + w * w) * x.d + 2 * w * x.l + x.al;
        m[i] = b->mass, h[i] = norm(b->h, 3), J[i] = norm(b->I, 6) * 1.5;
        F[i] = m[i] * L[i] + h[i] * (A[i] + W[i] * W[i]) + force_on(y, fext, i, 0);
        N[i] = J[i] * (A[i] + W[i] * W[i]) + h[i] * L[i] + force_on(y, fext, i, 1);
        followers += b->dependent ? fabs(b->multiplier) : 0;
        t.fall = fmax(t.fall, pull + W[i] * V[i] + W[i] + V[i]);
        t.pose += d[i];
    }
    for (int i = y->m->n_bodies - 1; i >= 0; i--) {
        const sva_body *b = &y->m->bodies[i];
        for (int k = 0; k < b->mv; k++) {
            double turns = norm(b->S[k], 3), slides = norm(b->S[k] + 3, 3), x = fabs(in[IN_V][b->iv + k]) + more_v;
            double loss = y->o->friction ? b->damping[k] * gain(b) * x : 0;
            if (y->o->friction == LOSS_FULL) loss += b->friction[k];
            t.tau = fmax(t.tau, turns * N[i] + slides * F[i] + loss + b->armature[k] * gain(b) * fabs(a[b->iv + k]));
            t.M = fmax(t.M, turns * turns * J[i] + turns * slides * h[i] + slides * slides * m[i] + b->armature[k]);
        }
        if (b->parent < 0) continue;
        F[b->parent] += F[i], N[b->parent] += N[i] + d[i] * F[i];
        m[b->parent] += m[i], h[b->parent] += h[i] + d[i] * m[i];
        J[b->parent] += J[i] + 2 * d[i] * h[i] + d[i] * d[i] * m[i];
    }
    t.tau *= followers;
    t.M *= followers * followers;
    t.pose += 1;
    return t;
}

/* The steepest that friction can be. */
static double slope_of(const witness *y)
{
    double most = 0, width = y->o->width ? strtod(y->o->width, NULL) : 0.01;
    for (int i = 0; i < y->m->n_bodies && y->o->friction == LOSS_FULL; i++)
        for (int k = 0; k < y->m->bodies[i].mv; k++)
            most = fmax(most, y->m->bodies[i].friction[k] / width * gain(&y->m->bodies[i]));
    return most;
}

bounds bounds_of(const witness *y, const drawn_state *s, const double a[], bool fext)
{
    const double *in[INPUTS], *forces = fext ? s->in[IN_FEXT] : NULL;
    for (int i = 0; i < INPUTS; i++) in[i] = s->in[i];
    totals t = totals_of(y, in, a, forces, 0, 0), faster = totals_of(y, in, a, forces, 1, 0);
    totals wider = totals_of(y, in, a, forces, 0, 1);
    /* Of quadruple precision, where zero is what is left of a difference; robots have numbers about 1. */
    double noise = 1e-12 * (1 + t.tau + t.M);
    return (bounds){t.tau + noise, t.tau + wider.tau + noise, faster.tau - t.tau + slope_of(y) + noise, t.M, t.fall,
                    t.pose};
}
