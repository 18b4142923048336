#include "trial.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "emit/print.h"

/* ---- numbers of either type */

double trial_number(const trial *t, const void *array, long index)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): numbers() gave the arrays of all arguments */
    return t->type == YARDSTICK_FLOAT ? (double)((const float *)array)[index] : ((const double *)array)[index];
}

static void put(const trial *t, void *array, long index, double x)
{
    if (t->type == YARDSTICK_FLOAT)
        ((float *)array)[index] = (float)x;
    else
        ((double *)array)[index] = x;
}

void trial_poison(const trial *t, void *array, long count)
{
    for (long i = 0; i < count; i++) put(t, array, i, NAN);
}

double trial_epsilon(const trial *t) { return t->type == YARDSTICK_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON; }

/* One number past what any vector wants: kernels promise to take that. */
static char *numbers(const trial *t, long count)
{
    return (char *)arena_alloc(t->memory, t->real * (size_t)(count + 1)) + t->real;
}

static char *state_of(const trial *t, const trial_arg *a, int state)
{
    return a->at + t->real * (size_t)a->size * (size_t)state;
}

/* ---- random states */

static void random_numbers(const trial *t, const trial_arg *a, uint64_t *seed, double *x)
{
    const sva_model *s = t->c->generic;
    double size = a->which == ARG_FEXT ? 10 : 1;
    if (a->which == ARG_Q) {
        sva_random_configuration(s, seed, x);
        return;
    }
    sva_random_vector(a->size, seed, x);
    for (int i = 0; i < a->size; i++) x[i] = size * x[i] + (a->which == ARG_GRAVITY_IN ? t->c->model->gravity[i] : 0);
}

static void fill(const trial *t, trial_arg *a, uint64_t *seed)
{
    double *x = ARENA_ARRAY(t->memory, double, a->size + 1);
    a->at = numbers(t, (long)a->size * t->states);
    for (int s = 0; s < t->states; s++) {
        random_numbers(t, a, seed, x);
        for (int i = 0; i < a->size; i++) put(t, state_of(t, a, s), i, x[i]);
    }
}

const sva_kernel *trial_kernel(const trial *t, int lanes)
{
    const sva_robot *r = t->c->built.robot;
    const char *name = t->kernel->name;
    if (lanes > 1) name = arena_printf(t->memory, "%s_x%d", name, lanes);
    for (const sva_kernel *k = r->kernels; k < r->kernels + r->n_kernels; k++)
        if (!strcmp(k->name, name) && k->lanes == lanes) return k;
    return NULL;
}

static void add_output(const trial *t, trial_arg *a)
{
    a->at = numbers(t, (long)a->size * t->states);
    a->scale = ARENA_ARRAY(t->memory, double, t->states);
}

static void set_args(trial *t, uint64_t seed)
{
    const trace_options *o = &t->c->options->trace;
    arg list[TRIAL_ARGS];
    int n = kernel_args(t->kernel, o, list, &t->n_in);
    t->n_out = n - t->n_in;
    for (int i = 0; i < n; i++) {
        trial_arg *a = i < t->n_in ? &t->in[i] : &t->out[i - t->n_in];
        a->which = list[i];
        arg_size(a->which, t->c->model, o, &a->rows, &a->cols);
        a->size = a->rows * a->cols;
        if (i < t->n_in)
            fill(t, a, &seed);
        else
            add_output(t, a);
    }
}

trial *trial_new(arena *memory, const comparison *c, const kernel_info *k, int states, int checked, uint64_t seed,
                 diag *d)
{
    trial *t = ARENA_ARRAY(memory, trial, 1);
    bool single = c->options->single;
    *t = (trial){.memory = memory, .c = c, .kernel = k, .states = states, .checked = checked};
    t->type = single ? YARDSTICK_FLOAT : YARDSTICK_DOUBLE;
    t->real = yardstick_size[t->type];
    t->scalar = trial_kernel(t, 1);
    if (!t->scalar) return diag_error(d, (place){0}, "the description has no kernel %s", k->name), NULL;
    set_args(t, seed);
    t->generic = yardstick_new(memory, c->model, c->generic, k, &c->options->trace, t->type);
    t->truth = yardstick_new(memory, c->model, c->generic, k, &c->options->trace, YARDSTICK_QUAD);
    return t;
}

void trial_free(trial *t)
{
    yardstick_free(t->generic);
    yardstick_free(t->truth);
}

/* ---- calls; kernels of float and double differ in what their pointers point to */

typedef void (*call_fn)(const void *const in[], void *const out[]);

void trial_invoke(const sva_kernel *k, const void *const in[], void *const out[]) { ((call_fn)k->call)(in, out); }

void trial_call(const trial *t, int state, void *const out[])
{
    const void *in[TRIAL_ARGS];
    for (int i = 0; i < t->n_in; i++) in[i] = state_of(t, &t->in[i], state);
    trial_invoke(t->scalar, in, out);
}

typedef void (*batch_fn)(size_t count, const void *const in[], void *const out[]);

void trial_batch(const trial *t, int count, char *const out[])
{
    const void *in[TRIAL_ARGS];
    void *to[TRIAL_ARGS];
    for (int i = 0; i < t->n_in; i++) in[i] = t->in[i].at;
    for (int i = 0; i < t->n_out; i++) to[i] = out[i];
    ((batch_fn)t->scalar->batch)((size_t)count, in, to);
}

/* ---- against the truth */

static double larger(double a, double b) { return a > b ? a : b; }

/* By argument, in the yardstick's number type. */
static void yardstick_inputs(const trial *t, int state, bool quads, const void *in[ARG_INPUTS])
{
    memset(in, 0, ARG_INPUTS * sizeof *in);
    for (int i = 0; i < t->n_in; i++) {
        const trial_arg *a = &t->in[i];
        const char *x = state_of(t, a, state);
        in[a->which] = x;
        for (int k = 0; k < 3 && a->which == ARG_GRAVITY_IN; k++) t->c->generic->gravity[k] = trial_number(t, x, k);
        if (!quads) continue;
        quad *copy = ARENA_ARRAY(t->memory, quad, a->size + 1);
        for (int k = 0; k < a->size; k++) copy[k] = (quad)trial_number(t, x, k);
        in[a->which] = copy;
    }
}

void trial_quads(const trial *t, int state, const void *in[ARG_INPUTS]) { yardstick_inputs(t, state, true, in); }

void trial_generic(const trial *t, int state, void *const out[])
{
    const void *in[ARG_INPUTS];
    yardstick_inputs(t, state, false, in);
    t->generic->run(t->generic, in, out);
}

/* Where element (row, column) of a generated matrix is. */
static long place_of(const trial *t, const trial_arg *a, int row_major)
{
    if (!t->c->options->column_major || a->cols == 1) return row_major;
    return (long)(row_major % a->cols) * a->rows + row_major / a->cols;
}

static double absolute(quad x) { return x < 0 ? (double)-x : (double)x; }

/* max |x - truth| / max |truth|, or / scale where there is one; x as generated or by rows. Infinite if an entry is no
   number. */
static double error_of(const trial *t, const trial_arg *a, const void *x, bool generated, const quad *truth,
                       double scale)
{
    double error = 0, size = scale;
    for (int i = 0; i < a->size; i++) {
        double value = trial_number(t, x, generated ? place_of(t, a, i) : i);
        if (!isfinite(value)) return INFINITY;
        error = larger(error, absolute((quad)value - truth[i]));
        size = larger(size, absolute(truth[i]));
    }
    return size > 0 ? error / size : error;
}

static double tolerance_of(const trial *t, int state)
{
    enum { ROUNDINGS = 4 };
    double least = t->type == YARDSTICK_FLOAT ? 1e-4 : t->kernel->inverse ? 1e-12 : 1e-13;
    return larger(least, ROUNDINGS * trial_epsilon(t) * trial_condition(t, state));
}

static void *typed(const trial *t, const trial_arg *a, bool quads)
{
    return arena_alloc(t->memory, (quads ? sizeof(quad) : t->real) * (size_t)(a->size + 1));
}

static double size_of(const trial_arg *a, int state, const quad *truth)
{
    double size = a->scale[state];
    for (int i = 0; i < a->size; i++) size = larger(size, absolute(truth[i]));
    return size;
}

/* Where the error is past the tolerance: what is owed to roundings of the robot's constants and the inputs is not
 * wrong. */
static double raised(trial *t, int output, int state, const quad *const truth[], double tolerance)
{
    enum { TIMES = 4 };
    double moved[TRIAL_ARGS], size = size_of(&t->out[output], state, truth[output]);
    trial_rounding(t, state, truth, moved);
    return size > 0 ? larger(tolerance, TIMES * moved[output] / size) : tolerance;
}

static void check_output(trial *t, int output, int state, const void *generic, const quad *const truth[],
                         compare_row *row)
{
    const trial_arg *a = &t->out[output];
    double scale = a->scale[state] = trial_scale(t, output, state, truth), tolerance = tolerance_of(t, state);
    double error = error_of(t, a, state_of(t, a, state), true, truth[output], scale);
    if (error > tolerance) tolerance = raised(t, output, state, truth, tolerance);
    row->generic_error = larger(row->generic_error, error_of(t, a, generic, false, truth[output], scale));
    row->error = larger(row->error, error);
    row->batch_allowed =
        larger(row->batch_allowed, 2 * tolerance / trial_epsilon(t)); /* each text has its own roundings */
    if (error / tolerance < row->excess) return;
    row->excess = error / tolerance;
    row->tolerance = tolerance;
}

static void check_state(trial *t, int state, compare_row *row)
{
    const void *in[ARG_INPUTS];
    void *generated[TRIAL_ARGS], *generic[TRIAL_ARGS], *truth[TRIAL_ARGS];
    for (int i = 0; i < t->n_out; i++) {
        generated[i] = state_of(t, &t->out[i], state);
        trial_poison(t, generated[i], t->out[i].size);
        generic[i] = typed(t, &t->out[i], false);
        truth[i] = typed(t, &t->out[i], true);
    }
    trial_call(t, state, generated);
    trial_generic(t, state, generic);
    trial_quads(t, state, in);
    t->truth->run(t->truth, in, truth);
    for (int i = 0; i < t->n_out; i++) check_output(t, i, state, generic[i], (const quad *const *)truth, row);
}

void trial_check(trial *t, compare_row *row)
{
    for (int s = 0; s < t->checked; s++) check_state(t, s, row);
}

/* ---- lanes against single states */

/* Largest difference in ulp of the largest entry, or of the scale where there is one; element i of x at stride * i. */
static double ulps_of(const trial *t, const trial_arg *a, int state, const void *x, int stride)
{
    const char *single = state_of(t, a, state);
    double difference = 0, size = a->scale[state];
    for (int i = 0; i < a->size; i++) {
        double one = trial_number(t, single, i), other = trial_number(t, x, (long)stride * i);
        if (!isfinite(one - other)) return INFINITY;
        difference = larger(difference, fabs(one - other));
        size = larger(size, fabs(one));
    }
    return difference > 0 ? difference / ((size > 0 ? exp2(ilogb(size)) : 1) * trial_epsilon(t)) : 0;
}

void trial_pack(const trial *t, const trial_arg *a, int lanes, void *to)
{
    for (int l = 0; l < lanes; l++)
        for (int e = 0; e < a->size; e++)
            put(t, to, (long)lanes * e + l, trial_number(t, state_of(t, a, l % t->checked), e));
}

static void check_width(trial *t, const sva_kernel *k, compare_row *row)
{
    int w = k->lanes;
    const void *in[TRIAL_ARGS];
    void *out[TRIAL_ARGS];
    for (int i = 0; i < t->n_in; i++) {
        char *packed = numbers(t, (long)t->in[i].size * w);
        trial_pack(t, &t->in[i], w, packed);
        in[i] = packed;
    }
    for (int i = 0; i < t->n_out; i++) {
        out[i] = numbers(t, (long)t->out[i].size * w);
        trial_poison(t, out[i], (long)t->out[i].size * w);
    }
    trial_invoke(k, in, out);
    for (int i = 0; i < t->n_out; i++)
        for (int l = 0; l < w; l++)
            row->batch_ulps = larger(row->batch_ulps,
                                     ulps_of(t, &t->out[i], l % t->checked, (char *)out[i] + t->real * (size_t)l, w));
}

/* All checked states, and one fewer. */
static void check_batch(trial *t, compare_row *row)
{
    char *out[TRIAL_ARGS];
    const int n_out = t->n_out;
    for (int i = 0; i < n_out; i++) out[i] = numbers(t, (long)t->out[i].size * t->states);
    for (int count = t->checked; count >= t->checked - 1 && count > 0; count--) {
        for (int i = 0; i < n_out; i++) trial_poison(t, out[i], (long)t->out[i].size * t->states);
        trial_batch(t, count, out);
        for (int i = 0; i < n_out; i++) {
            long size = t->out[i].size;
            for (int s = 0; s < count; s++)
                row->batch_ulps =
                    larger(row->batch_ulps, ulps_of(t, &t->out[i], s, out[i] + t->real * (size_t)(size * s), 1));
            if (!isnan(trial_number(t, out[i], size * count))) row->batch_ulps = INFINITY; /* wrote past the end */
        }
    }
}

void trial_lanes(trial *t, compare_row *row)
{
    for (int i = 0; i < t->c->options->n_lanes; i++) {
        const sva_kernel *k = trial_kernel(t, t->c->options->lanes[i]);
        if (k)
            check_width(t, k, row);
        else
            row->batch_ulps = INFINITY;
    }
    if (t->scalar->batch)
        check_batch(t, row);
    else
        row->batch_ulps = INFINITY;
}
