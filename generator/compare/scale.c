#include "scale.h"

#include <math.h>

static double size_of(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

typedef struct bounds {
    double length, mass, step; /* l, m, s */
    double turning, speed;     /* w, u */
    double gravity, pushing;   /* |gravity|, sum s_k |a_k| */
    double armature, reacting; /* the largest, and the largest times |a| */
} bounds;

/* ---- lengths and masses */

/* From the parent's origin to the body's, at most. */
static double offset(const sva_body *b, const double q[])
{
    double x = size_of(b->p);
    for (int k = 0; k < b->mv; k++) {
        double at = b->dependent ? b->multiplier * q[b->iq] + b->offset : q[b->iq + k];
        double along = size_of(b->S[k] + 3);
        if (along > 0) x += along * fabs(at);
    }
    return x;
}

static double reach(const sva_model *m, int i, const double q[])
{
    const sva_body *b = m->bodies + i;
    double x = b->mass != 0 ? size_of(b->h) / fabs(b->mass) : 0;
    for (; i >= 0; i = m->bodies[i].parent) x += offset(m->bodies + i, q);
    return x;
}

/* Rotors without mass count as masses at the end of the length. */
static void add_masses(const sva_model *m, const double q[], bounds *r)
{
    double inertia = 0;
    for (int i = 0; i < m->n_bodies; i++) {
        const double *I = m->bodies[i].I;
        r->length = fmax(r->length, reach(m, i, q));
        r->mass += fabs(m->bodies[i].mass);
        inertia += fabs(I[0]) + fabs(I[3]) + fabs(I[5]);
    }
    if (r->mass > 0) r->length += sqrt(inertia / r->mass);
    if (!(r->length > 0)) r->length = 1;
    if (!(r->mass > 0)) r->mass = inertia / (r->length * r->length);
}

/* ---- degrees of freedom */

static void add_body(const sva_body *b, const scale_state *s, bounds *r)
{
    double ratio = b->dependent ? fabs(b->multiplier) : 1;
    for (int k = 0; k < b->mv; k++) {
        double turns = ratio * size_of(b->S[k]), step = turns * r->length + ratio * size_of(b->S[k] + 3);
        double v = s->v ? fabs(s->v[b->iv + k]) : 0, a = s->a ? fabs(s->a[b->iv + k]) : 0;
        r->step = fmax(r->step, step);
        r->turning += turns * v;
        r->speed += step * v;
        r->pushing += step * a;
        r->armature = fmax(r->armature, ratio * ratio * b->armature[k]);
        r->reacting = fmax(r->reacting, ratio * ratio * b->armature[k] * a);
    }
}

static bounds bounds_of(const sva_model *m, const scale_state *s)
{
    bounds r = {.gravity = size_of(m->gravity)};
    add_masses(m, s->q, &r);
    for (int i = 0; i < m->n_bodies; i++) add_body(m->bodies + i, s, &r);
    r.step *= 1 + m->n_dependent;
    return r;
}

/* ---- the formulas */

#define FORMULA(name, value)                                                                                           \
    static double name(const bounds *b, const scale_state *s)                                                          \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        (void)s;                                                                                                       \
        return value;                                                                                                  \
    }

static double acceleration(const bounds *b) { return b->gravity + b->pushing + b->turning * b->speed; }
FORMULA(one, 1)
FORMULA(jacobian, b->step)
FORMULA(tau, b->step *(b->mass *acceleration(b) + s->force) + s->moment + b->reacting + s->loss)
FORMULA(inertia, b->mass * b->step * b->step + b->armature)
FORMULA(inverse, s->inverse)
FORMULA(dtau_dq, tau(b, s) * b->step / b->length)
FORMULA(dtau_dv, 2 * b->mass * b->step * b->step * b->speed / b->length + s->slope)
FORMULA(qdd, s->inverse *(s->tau + tau(b, s)))
FORMULA(dqdd_dq, s->inverse *dtau_dq(b, s))
FORMULA(dqdd_dv, s->inverse *dtau_dv(b, s))
FORMULA(d2tau_dq_dq, dtau_dq(b, s) * b->step / b->length)
FORMULA(d2tau_dv_dv, 2 * b->mass * b->step * b->step * b->step / b->length)
FORMULA(d2tau_dq_dv, dtau_dv(b, s) * b->step / b->length)
FORMULA(dM_dq, inertia(b, s) * b->step / b->length)

static double (*const formulas[SCALE_KINDS])(const bounds *b, const scale_state *s) = {
    [SCALE_ONE] = one,
    [SCALE_J] = jacobian,
    [SCALE_TAU] = tau,
    [SCALE_M] = inertia,
    [SCALE_MINV] = inverse,
    [SCALE_DTAU_DQ] = dtau_dq,
    [SCALE_DTAU_DV] = dtau_dv,
    [SCALE_QDD] = qdd,
    [SCALE_DQDD_DQ] = dqdd_dq,
    [SCALE_DQDD_DV] = dqdd_dv,
    [SCALE_D2TAU_DQ_DQ] = d2tau_dq_dq,
    [SCALE_D2TAU_DV_DV] = d2tau_dv_dv,
    [SCALE_D2TAU_DQ_DV] = d2tau_dq_dv,
    [SCALE_DM_DQ] = dM_dq,
};

double scale_of(const sva_model *m, const scale_state *s, scale_kind kind)
{
    bounds b = bounds_of(m, s);
    return formulas[kind](&b, s);
}

bool scale_is_noise(double largest, double scale, double epsilon)
{
    return isfinite(scale) && largest <= epsilon * scale;
}
