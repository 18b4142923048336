/* Times: the contestants take turns, and the best of many turns counts. */
#include <time.h>
#include "trial.h"

typedef struct stage {
    trial *t;
    const void *in[ARG_INPUTS];
    void *generic_out[TRIAL_ARGS], *out[TRIAL_ARGS];
    char *batch_out[TRIAL_ARGS];
} stage;

static void run_generic(stage *s) { s->t->generic->run(s->t->generic, s->in, s->generic_out); }
static void run_generated(stage *s) { trial_call(s->t, 0, s->out); }
static void run_batch(stage *s) { trial_batch(s->t, s->t->states, s->batch_out); }

typedef struct contestant {
    void (*run)(stage *s);
    int repeats; /* in one turn */
    double best; /* seconds per run */
} contestant;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double turn(stage *s, const contestant *c)
{
    double start = now();
    for (int i = 0; i < c->repeats; i++) c->run(s);
    return (now() - start) / c->repeats;
}

/* A turn long enough that reading the clock does not count. */
static void calibrate(stage *s, contestant *c)
{
    const double length = 30e-6;
    for (c->repeats = 1; c->repeats < 1 << 20; c->repeats *= 2) {
        c->best = turn(s, c);
        if (c->best * c->repeats > length) return;
    }
}

static void compete(stage *s, contestant *list, int n)
{
    enum { TURNS = 60 };
    for (int i = 0; i < n; i++) calibrate(s, &list[i]);
    for (int i = 0; i < TURNS * n; i++) {
        contestant *c = &list[i % n];
        double time = turn(s, c);
        if (time < c->best) c->best = time;
    }
}

static stage set_stage(trial *t)
{
    stage s = {.t = t};
    for (int i = 0; i < t->n_in; i++) s.in[t->in[i].which] = t->in[i].at;
    for (int i = 0; i < t->n_out; i++) {
        size_t size = t->real * (size_t)t->out[i].size;
        s.generic_out[i] = arena_alloc(t->memory, size);
        s.out[i] = arena_alloc(t->memory, size);
        s.batch_out[i] = arena_alloc(t->memory, size * (size_t)t->states);
    }
    return s;
}

void trial_time(trial *t, compare_row *row)
{
    stage s = set_stage(t);
    contestant list[] = {{.run = run_generic}, {.run = run_generated}, {.run = run_batch}};
    compete(&s, list, t->batch ? 3 : 2);
    row->ns_generic = 1e9 * list[0].best;
    row->ns_generated = 1e9 * list[1].best;
    row->ns_batch = 1e9 * list[2].best / t->states;
}
