/* Those who compute the kernel, each with memory of its own. */
#include "trial.h"

enum { LINE = 64 }; /* bytes of a cache line, and of the widest vector */

typedef struct seat {
    const trial *t;
    const sva_kernel *kernel; /* of the description; NULL: generic, or the batch */
    const void *in[ARG_INPUTS];
    void *out[TRIAL_ARGS];
    char *batch_out[TRIAL_ARGS];
} seat;

static void run_generic(void *subject)
{
    seat *s = subject;
    s->t->generic->run(s->t->generic, s->in, s->out);
}

static void run_described(void *subject)
{
    seat *s = subject;
    trial_invoke(s->kernel, s->in, s->out);
}

static void run_batch(void *subject)
{
    seat *s = subject;
    trial_batch(s->t, s->t->states, s->batch_out);
}

/* On a line: where memory happens to lie shall not decide. */
static char *numbers(const trial *t, long count)
{
    char *at = arena_alloc(t->memory, t->real * (size_t)count + LINE);
    return at + (LINE - (uintptr_t)at % LINE) % LINE;
}

/* For so many states side by side. */
static seat *seat_new(const trial *t, const sva_kernel *k, int lanes)
{
    seat *s = ARENA_ARRAY(t->memory, seat, 1);
    *s = (seat){.t = t, .kernel = k};
    for (int i = 0; i < t->n_out; i++) s->out[i] = numbers(t, (long)t->out[i].size * lanes);
    for (int i = 0; i < t->n_in; i++) {
        char *x = numbers(t, (long)t->in[i].size * lanes);
        trial_pack(t, &t->in[i], lanes, x);
        s->in[k ? i : (int)t->in[i].which] = x; /* the generic library has them by argument */
    }
    return s;
}

static seat *seat_for_batch(const trial *t)
{
    seat *s = ARENA_ARRAY(t->memory, seat, 1);
    s->t = t;
    for (int i = 0; i < t->n_out; i++) s->batch_out[i] = numbers(t, (long)t->out[i].size * t->states);
    return s;
}

static contestant contestant_new(void (*run)(void *subject), seat *s, int states)
{
    return (contestant){.run = run, .subject = s, .states = states};
}

static contestant described(const trial *t, int lanes)
{
    const sva_kernel *k = trial_kernel(t, lanes);
    return k ? contestant_new(run_described, seat_new(t, k, lanes), lanes) : (contestant){0};
}

void trial_contestants(const trial *t, contestant list[TRIAL_CONTESTANTS])
{
    const emit_options *o = t->c->options;
    for (int i = 0; i < TRIAL_CONTESTANTS; i++) list[i] = (contestant){0};
    list[TRIAL_GENERIC] = contestant_new(run_generic, seat_new(t, NULL, 1), 1);
    list[TRIAL_ONE] = described(t, 1);
    if (t->scalar->batch) list[TRIAL_BATCH] = contestant_new(run_batch, seat_for_batch(t), t->states);
    for (int i = 0; i < o->n_lanes; i++) list[TRIAL_LANES + i] = described(t, o->lanes[i]);
}

void trial_time(const trial *t, compare_row *row)
{
    enum { TURNS = 60 };
    contestant list[TRIAL_CONTESTANTS];
    trial_contestants(t, list);
    contest(list, TRIAL_LANES, TURNS, -1);
    row->ns_generic = list[TRIAL_GENERIC].ns;
    row->ns_generated = list[TRIAL_ONE].ns;
    row->ns_batch = list[TRIAL_BATCH].ns;
}
