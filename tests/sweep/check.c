/* Every kernel at every state: one by one, with outputs left out, in lanes, and in batches, against the witness. */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sweep.h"

/* ---- numbers */

enum { GUARD = 16 };
static const double guard_value = -12345;

void *numbers_new(const pair *p, long n)
{
    size_t size = p->o->single ? sizeof(float) : sizeof(double);
    char *memory = malloc(((size_t)n + GUARD + 1) * size);
    if (!memory) abort();
    void *x = memory + size; /* so that it is not aligned as vectors would like */
    for (long i = 0; i < n + GUARD; i++) numbers_put(p, x, i, i < n ? (double)NAN : guard_value);
    return x;
}

static void numbers_free(const pair *p, void *x)
{
    if (x) free((char *)x - (p->o->single ? sizeof(float) : sizeof(double)));
}

bool numbers_guarded(const pair *p, const void *x, long n)
{
    for (long i = n; i < n + GUARD; i++)
        if (numbers_get(p, x, i) != guard_value) return false;
    return true;
}

void numbers_put(const pair *p, void *x, long i, double value)
{
    if (p->o->single)
        ((float *)x)[i] = (float)value;
    else
        ((double *)x)[i] = value;
}

double numbers_get(const pair *p, const void *x, long i)
{
    return p->o->single ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* ---- a call of `count` states: element i of state l at stride * i + step * l */

typedef struct call {
    pair *p;
    kernel_id k;
    int n_in, n_out, first, count; /* first: its state */
    long in_size[MOST_ARGS], out_size[MOST_ARGS];
    bool lanes; /* states side by side; else one after the other */
    void *in[MOST_ARGS], *out[MOST_ARGS];
    const char *how;
} call;

static long at(const call *c, long size, long i, int state)
{
    return c->lanes ? i * c->count + state : size * state + i;
}

static const drawn_state *state_of(const call *c, int state) { return &c->p->states[(c->first + state) % STATES]; }

static input input_of(const call *c, int i)
{
    return i < kernel_rows[c->k].n_in ? kernel_rows[c->k].in[i] : IN_GRAVITY;
}

static void fill_input(call *c, int i)
{
    input a = input_of(c, i);
    c->in_size[i] = input_size(c->p->y, a);
    c->in[i] = numbers_new(c->p, c->in_size[i] * c->count);
    for (int s = 0; s < c->count; s++)
        for (long e = 0; e < c->in_size[i]; e++)
            numbers_put(c->p, c->in[i], at(c, c->in_size[i], e, s), state_of(c, s)->in[a][e]);
}

static call call_new(pair *p, kernel_id k, int first, int count, bool lanes, const char *how)
{
    const kernel_row *row = &kernel_rows[k];
    call c = {.p = p, .k = k, .first = first, .count = count, .lanes = lanes, .how = how, .n_out = row->n_out};
    c.n_in = row->n_in + (row->pulled && p->o->gravity == GRAVITY_RUNTIME);
    for (int i = 0; i < c.n_in; i++) fill_input(&c, i);
    for (int i = 0; i < c.n_out; i++) {
        int rows, cols;
        output_size(p->y, row->out[i], &rows, &cols);
        c.out_size[i] = (long)rows * cols;
        c.out[i] = numbers_new(p, c.out_size[i] * count);
    }
    return c;
}

static void call_free(call *c)
{
    for (int i = 0; i < c->n_in; i++) numbers_free(c->p, c->in[i]);
    for (int i = 0; i < c->n_out; i++) numbers_free(c->p, c->out[i]);
}

/* Where element i by rows is stored. */
static long stored(const call *c, int out, long i)
{
    int rows, cols;
    output_size(c->p->y, kernel_rows[c->k].out[out], &rows, &cols);
    return c->p->o->columns && cols > 1 ? i % cols * rows + i / cols : i;
}

static void compare_output(call *c, int out, int state)
{
    const drawn_state *s = state_of(c, state);
    output name = kernel_rows[c->k].out[out];
    bool fext = kernel_rows[c->k].fext;
    double worst = 0, most = 0, tolerance = s->tolerance[fext][name];
    for (long i = 0; i < c->out_size[out]; i++) {
        double x = numbers_get(c->p, c->out[out], at(c, c->out_size[out], stored(c, out, i), state));
        double error = fabs((double)((quad)x - s->truth[fext][name][i]));
        if (!(error <= worst)) worst = isnan(error) ? INFINITY : error;
        most = fmax(most, fabs((double)s->truth[fext][name][i]));
    }
    if (worst <= tolerance) return;
    pair_failed(c->p, "%s%s: %s of state %d: error %.2g, at most %.2g, largest entry %.2g, cond %.1g",
                kernel_rows[c->k].name, c->how, output_names[name], (c->first + state) % STATES, worst, tolerance, most,
                s->condition);
}

/* In single precision a matrix that is nearly singular says nothing. */
static bool says_nothing(const call *c, int state)
{
    return kernel_rows[c->k].inverse && state_of(c, state)->condition > (c->p->o->single ? 1e4 : 1e10);
}

static void compare(call *c)
{
    for (int i = 0; i < c->n_out; i++) {
        if (!c->out[i]) continue;
        if (!numbers_guarded(c->p, c->out[i], c->out_size[i] * c->count))
            pair_failed(c->p, "%s%s: writes past the end of %s", kernel_rows[c->k].name, c->how,
                        output_names[kernel_rows[c->k].out[i]]);
        for (int s = 0; s < c->count; s++)
            if (!says_nothing(c, s)) compare_output(c, i, s);
    }
}

/* ---- the ways to call */

typedef void caller(const void *const in[], void *const out[]);

static const sva_kernel *find(const pair *p, kernel_id k, int lanes)
{
    char name[64];
    snprintf(name, sizeof name, lanes > 1 ? "%s_x%d" : "%s", kernel_rows[k].name, lanes);
    for (int i = 0; i < p->m->robot->n_kernels; i++)
        if (!strcmp(p->m->robot->kernels[i].name, name)) return &p->m->robot->kernels[i];
    return NULL;
}

static void invoke(const sva_kernel *k, call *c)
{
    caller *f = (caller *)(void (*)(void))k->call;
    f((const void *const *)c->in, c->out);
}

static void check_one_by_one(pair *p, kernel_id k)
{
    for (int s = 0; s < STATES; s++) {
        call c = call_new(p, k, s, 1, false, "");
        invoke(find(p, k, 1), &c);
        compare(&c);
        call_free(&c);
    }
}

/* Each output alone. */
static void check_left_out(pair *p, kernel_id k)
{
    for (int wanted = 0; wanted < kernel_rows[k].n_out && kernel_rows[k].n_out > 1; wanted++) {
        call c = call_new(p, k, 0, 1, false, " (one output)");
        for (int i = 0; i < c.n_out; i++)
            if (i != wanted) numbers_free(p, c.out[i]), c.out[i] = NULL;
        invoke(find(p, k, 1), &c);
        compare(&c);
        call_free(&c);
    }
}

static void check_lanes(pair *p, kernel_id k)
{
    static const char *const how[] = {[2] = "_x2", [4] = "_x4", [8] = "_x8"};
    for (int i = 0; i < p->o->n_lanes; i++) {
        call c = call_new(p, k, 0, p->o->lanes[i], true, how[p->o->lanes[i]]);
        invoke(find(p, k, p->o->lanes[i]), &c);
        compare(&c);
        call_free(&c);
    }
}

typedef void (*symbol)(void);

static symbol symbol_of(const pair *p, kernel_id k, const char *end)
{
    char name[sizeof p->m->id + 40];
    symbol s;
    snprintf(name, sizeof name, "%s_%s%s", p->m->id, kernel_rows[k].name, end);
    void *found = dlsym(p->m->library, name);
    memcpy(&s, &found, sizeof s);
    return s;
}

#define A(i) arg[i]
static void invoke_batch(symbol s, size_t count, int n, void *const arg[])
{
    typedef void *v;
    switch (n) {
    case 2: ((void (*)(size_t, v, v))s)(count, A(0), A(1)); break;
    case 3: ((void (*)(size_t, v, v, v))s)(count, A(0), A(1), A(2)); break;
    case 4: ((void (*)(size_t, v, v, v, v))s)(count, A(0), A(1), A(2), A(3)); break;
    case 5: ((void (*)(size_t, v, v, v, v, v))s)(count, A(0), A(1), A(2), A(3), A(4)); break;
    case 6: ((void (*)(size_t, v, v, v, v, v, v))s)(count, A(0), A(1), A(2), A(3), A(4), A(5)); break;
    case 7: ((void (*)(size_t, v, v, v, v, v, v, v))s)(count, A(0), A(1), A(2), A(3), A(4), A(5), A(6)); break;
    case 8: ((void (*)(size_t, v, v, v, v, v, v, v, v))s)(count, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7)); break;
    default:
        ((void (*)(size_t, v, v, v, v, v, v, v, v, v))s)(count, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8));
    }
}

static void check_batch(pair *p, kernel_id k)
{
    static const int counts[] = {1, 3, 11, 0};
    symbol s = symbol_of(p, k, "_batch");
    if (!s != !p->o->n_lanes) pair_failed(p, "%s_batch: there is one without lanes, or none with", kernel_rows[k].name);
    for (int i = 0; i < 4 && s && p->o->n_lanes; i++) {
        call c = call_new(p, k, 0, counts[i], false, "_batch");
        void *arg[2 * MOST_ARGS];
        for (int a = 0; a < c.n_in; a++) arg[a] = c.in[a];
        for (int a = 0; a < c.n_out; a++) arg[c.n_in + a] = c.out[a];
        invoke_batch(s, (size_t)counts[i], c.n_in + c.n_out, arg);
        compare(&c);
        call_free(&c);
    }
}

void check_kernels(pair *p)
{
    for (int i = 0; i < p->o->n_kernels; i++) {
        kernel_id k = (kernel_id)p->o->order[i];
        check_one_by_one(p, k);
        check_left_out(p, k);
        check_lanes(p, k);
        check_batch(p, k);
    }
}

bool call_kernel(pair *p, kernel_id k, double *const in[INPUTS], double *const out[OUTPUTS])
{
    if (!p->o->kernels[k]) return false;
    call c = call_new(p, k, 0, 1, false, "");
    for (int i = 0; i < c.n_in; i++)
        for (long e = 0; e < c.in_size[i]; e++) numbers_put(p, c.in[i], e, in[input_of(&c, i)][e]);
    invoke(find(p, k, 1), &c);
    for (int i = 0; i < c.n_out; i++)
        for (long e = 0; e < c.out_size[i] && out[kernel_rows[k].out[i]]; e++)
            out[kernel_rows[k].out[i]][e] = numbers_get(p, c.out[i], stored(&c, i, e));
    call_free(&c);
    return true;
}
