/* How far the truth itself moves when the robot's constants and the inputs are rounded once more: no kernel whose
   constants are numbers can come nearer to it. */
#include "trial.h"

#include <math.h>

/* Uniform in [-1, 1), the same on every machine. */
static double uniform(uint64_t *seed)
{
    double x;
    sva_random_vector(1, seed, &x);
    return x;
}

static void shake(double epsilon, uint64_t *seed, int n, double x[])
{
    for (int i = 0; i < n; i++) x[i] *= 1 + epsilon * uniform(seed);
}

static sva_model *shaken_model(const trial *t, uint64_t *seed)
{
    double e = trial_epsilon(t);
    sva_model *m = sva_model_from(t->c->model, NULL);
    if (!m) return NULL;
    for (int k = 0; k < 3; k++) m->gravity[k] = t->c->generic->gravity[k];
    for (sva_body *b = m->bodies; b < m->bodies + m->n_bodies; b++) {
        shake(e, seed, 9, b->R);
        shake(e, seed, 3, b->p);
        shake(e, seed, 1, &b->mass);
        shake(e, seed, 3, b->h);
        shake(e, seed, 6, b->I);
        for (int k = 0; k < b->mv; k++) shake(e, seed, 6, b->S[k]);
    }
    return m;
}

static void shake_inputs(const trial *t, uint64_t *seed, const void *in[ARG_INPUTS])
{
    for (int i = 0; i < t->n_in; i++) {
        quad *x = ARENA_ARRAY(t->memory, quad, t->in[i].size + 1);
        for (int k = 0; k < t->in[i].size; k++)
            x[k] = ((const quad *)in[t->in[i].which])[k] * (1 + (quad)(trial_epsilon(t) * uniform(seed)));
        in[t->in[i].which] = x;
    }
}

static double difference(long n, const quad x[], const quad y[])
{
    double largest = 0;
    for (long i = 0; i < n; i++) largest = fmax(largest, fabs((double)(x[i] - y[i])));
    return largest;
}

static void shaken(trial *t, int state, uint64_t *seed, const quad *const truth[], double moved[])
{
    const void *in[ARG_INPUTS];
    void *out[TRIAL_ARGS];
    sva_model *m = shaken_model(t, seed);
    if (!m) return;
    yardstick *y = yardstick_new(t->memory, t->c->model, m, t->kernel, &t->c->options->trace, YARDSTICK_QUAD);
    trial_quads(t, state, in);
    shake_inputs(t, seed, in);
    for (int i = 0; i < t->n_out; i++) out[i] = ARENA_ARRAY(t->memory, quad, t->out[i].size + 1);
    y->run(y, in, out);
    for (int i = 0; i < t->n_out; i++) moved[i] = fmax(moved[i], difference(t->out[i].size, out[i], truth[i]));
    yardstick_free(y);
    sva_model_free(m);
}

void trial_rounding(trial *t, int state, const quad *const truth[], double moved[])
{
    enum { TIMES = 4 };
    uint64_t seed = (uint64_t)state;
    for (int i = 0; i < t->n_out; i++) moved[i] = 0;
    for (int n = 0; n < TIMES; n++) shaken(t, state, &seed, truth, moved);
}
