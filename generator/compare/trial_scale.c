/* What a trial's outputs are measured against. */
#include "trial.h"

#include <math.h>
#include "scale.h"

static double larger(double a, double b) { return a > b ? a : b; }

static const double *input(const trial *t, arg which, int state)
{
    for (const trial_arg *a = t->in; a < t->in + t->n_in; a++) {
        if (a->which != which) continue;
        double *x = ARENA_ARRAY(t->memory, double, a->size + 1);
        for (int i = 0; i < a->size; i++) x[i] = trial_number(t, a->at, (long)a->size * state + i);
        return x;
    }
    return NULL;
}

/* ---- M^-1 */

static double norm(int n, const double M[])
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs(M[i * n + j]);
        largest = larger(largest, sum);
    }
    return largest;
}

/* |M| and |M^-1|; infinite without memory. */
static void norms(const trial *t, int state, double *of_M, double *of_inverse)
{
    const sva_model *s = t->c->generic;
    int n = s->nv;
    double *M = ARENA_ARRAY(t->memory, double, n *n), *inverse = ARENA_ARRAY(t->memory, double, n *n);
    const double *q = input(t, ARG_Q, state);
    sva_workspace *w = sva_workspace_new(s);
    *of_M = *of_inverse = INFINITY;
    if (!w) return;
    sva_crba(s, w, q, M);
    sva_minv(s, w, q, inverse);
    sva_workspace_free(w);
    *of_M = norm(n, M);
    *of_inverse = norm(n, inverse);
}

double trial_condition(const trial *t, int state)
{
    double of_M, of_inverse;
    if (!t->kernel->inverse) return 1;
    norms(t, state, &of_M, &of_inverse);
    return of_M * of_inverse;
}

/* ---- the state in bounds */

static void add_forces(const trial *t, int state, scale_state *s)
{
    const double *f = input(t, ARG_FEXT, state);
    for (int i = 0; f && i < 6 * t->c->options->trace.n_fext; i++) *(i % 6 < 3 ? &s->force : &s->moment) += fabs(f[i]);
}

static void add_friction(const trial *t, scale_state *s)
{
    const trace_options *o = &t->c->options->trace;
    if (o->friction == FRICTION_NONE || !s->v) return;
    for (const sva_body *b = t->c->generic->bodies; b < t->c->generic->bodies + t->c->generic->n_bodies; b++)
        for (int k = 0; k < b->mv; k++) {
            double ratio = b->dependent ? fabs(b->multiplier) : 1;
            double dry = o->friction == FRICTION_FULL ? fabs(b->friction[k]) : 0;
            s->loss += ratio * (fabs(b->damping[k] * ratio * s->v[b->iv + k]) + dry);
            s->slope += ratio * ratio * (fabs(b->damping[k]) + dry / o->friction_width);
        }
}

/* Forward dynamics: the acceleration is an output. */
static void add_drive(const trial *t, int state, const quad *const truth[], scale_state *s)
{
    double of_M;
    const double *tau = input(t, ARG_TAU_IN, state);
    if (!t->kernel->inverse) return;
    norms(t, state, &of_M, &s->inverse);
    for (int i = 0; tau && i < t->c->generic->nv; i++) s->tau = larger(s->tau, fabs(tau[i]));
    for (int o = 0; o < t->n_out; o++) {
        if (t->out[o].which != ARG_QDD) continue;
        double *a = ARENA_ARRAY(t->memory, double, t->out[o].size + 1);
        for (int i = 0; i < t->out[o].size; i++) a[i] = (double)truth[o][i];
        s->a = a;
    }
}

static double bound(const trial *t, arg which, int state, const quad *const truth[])
{
    static const scale_kind kinds[ARG_COUNT] = {
        [ARG_TAU] = SCALE_TAU,
        [ARG_QDD] = SCALE_QDD,
        [ARG_M] = SCALE_M,
        [ARG_MINV] = SCALE_MINV,
        [ARG_H] = SCALE_TAU,
        [ARG_G] = SCALE_TAU,
        [ARG_DTAU_DQ] = SCALE_DTAU_DQ,
        [ARG_DTAU_DV] = SCALE_DTAU_DV,
        [ARG_C] = SCALE_DTAU_DV,
        [ARG_DQDD_DQ] = SCALE_DQDD_DQ,
        [ARG_DQDD_DV] = SCALE_DQDD_DV,
        [ARG_POSE] = SCALE_ONE,
        [ARG_J] = SCALE_J,
    };
    scale_state s = {.q = input(t, ARG_Q, state), .v = input(t, ARG_V, state), .a = input(t, ARG_A, state)};
    add_forces(t, state, &s);
    add_friction(t, &s);
    add_drive(t, state, truth, &s);
    return scale_of(t->c->generic, &s, kinds[which]);
}

double trial_scale(const trial *t, int output, int state, const quad *const truth[])
{
    const trial_arg *a = &t->out[output];
    double largest = 0, scale = bound(t, a->which, state, truth);
    for (int i = 0; i < a->size; i++) largest = larger(largest, fabs((double)truth[output][i]));
    return scale_is_noise(largest, scale, trial_epsilon(t)) ? scale : 0;
}
