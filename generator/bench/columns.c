/* The columns of a table of measurements. */
#include <string.h>
#include "measure.h"

typedef struct column {
    const char *name;
    int digits;                                      /* behind the point */
    double (*value)(const measurement *m, int lane); /* 0: absent */
    int lane;                                        /* which of the widths, where it is one's */
} column;

enum { COLUMNS = 32 }; /* more than there are */
struct measure_table {
    bench_table *out;
    int n;
    column columns[COLUMNS];
};

static double over(double a, double b) { return a > 0 && b > 0 ? a / b : 0; }

static double least_lanes(const measurement *m)
{
    double least = m->ns_one;
    for (int i = 0; i < 3; i++)
        if (m->ns_lanes[i] > 0 && m->ns_lanes[i] < least) least = m->ns_lanes[i];
    return least;
}

#define VALUE(name, x)                                                                                                 \
    static double name(const measurement *m, int lane)                                                                 \
    {                                                                                                                  \
        (void)lane;                                                                                                    \
        return x;                                                                                                      \
    }
VALUE(muls, (double)m->kernel->muls)
VALUE(adds, (double)m->kernel->adds)
VALUE(bytes, (double)m->kernel->bytes)
VALUE(seconds, m->kernel->seconds)
VALUE(generic, m->ns_generic)
VALUE(one, m->ns_one)
VALUE(cycles, m->cycles)
VALUE(lanes, m->ns_lanes[lane])
VALUE(batch, m->ns_batch)
VALUE(one_ratio, over(m->ns_generic, m->ns_one))
VALUE(lanes_ratio, over(m->ns_generic, least_lanes(m)))
VALUE(peak_fraction, over(muls(m, 0) + adds(m, 0), least_lanes(m) * m->peak))
VALUE(rival_ns, m->ns_rival)
VALUE(rival_one, over(m->ns_rival, m->ns_one))
VALUE(rival_lanes, over(m->ns_rival, least_lanes(m)))

static const column before[] = {
    {"muls", 0, muls, 0},          {"adds", 0, adds, 0},  {"bytes", 0, bytes, 0},       {"compile_s", 2, seconds, 0},
    {"generic_ns", 1, generic, 0}, {"one_ns", 2, one, 0}, {"one_cycles", 0, cycles, 0},
};
static const column after[] = {
    {"batch_ns", 2, batch, 0},
    {"one_ratio", 1, one_ratio, 0},
    {"lanes_ratio", 1, lanes_ratio, 0},
    {"peak_fraction", 3, peak_fraction, 0},
};
static const column of_rival[] = {
    {"ns", 1, rival_ns, 0},
    {"one_ratio", 1, rival_one, 0},
    {"lanes_ratio", 1, rival_lanes, 0},
};
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static void add(measure_table *t, const column *list, int n)
{
    memcpy(t->columns + t->n, list, sizeof *list * (size_t)n);
    t->n += n;
}

static void add_lanes(arena *memory, measure_table *t, const emit_options *o)
{
    for (int i = 0; i < o->n_lanes; i++) add(t, &(column){arena_printf(memory, "x%d_ns", o->lanes[i]), 2, lanes, i}, 1);
}

static void add_rival(arena *memory, measure_table *t, const char *name)
{
    column *first = t->columns + t->n;
    add(t, of_rival, COUNT(of_rival));
    for (column *c = first; c < t->columns + t->n; c++)
        c->name = arena_printf(memory, "%s_%s", emit_identifier(memory, name), c->name);
}

enum { ROBOT = 16, NV = 3, KERNEL = 10, LEAST = 8 }; /* widths */

static int width_of(const column *c)
{
    int n = (int)strlen(c->name);
    return n > LEAST ? n : LEAST;
}

measure_table *measure_heading(arena *memory, bench_table *out, const emit_options *o, const char *rival)
{
    measure_table *t = ARENA_ARRAY(memory, measure_table, 1);
    t->out = out;
    add(t, before, COUNT(before));
    add_lanes(memory, t, o);
    add(t, after, COUNT(after));
    if (rival) add_rival(memory, t, rival);
    bench_name(out, ROBOT, "robot");
    bench_cell(out, NV, "nv");
    bench_name(out, KERNEL, "kernel");
    for (const column *c = t->columns; c < t->columns + t->n; c++) bench_cell(out, width_of(c), "%s", c->name);
    bench_end_row(out);
    return t;
}

static void print_cell(const measure_table *t, const column *c, const measurement *m)
{
    double x = c->value(m, c->lane);
    if (x > 0)
        bench_cell(t->out, width_of(c), "%.*f", c->digits, x);
    else
        bench_absent(t->out, width_of(c));
}

void measure_rows(const measure_table *t, const measurements *x)
{
    const model *m = x->compared.model;
    for (int i = 0; i < x->compared.n; i++) {
        bench_name(t->out, ROBOT, m->name);
        bench_cell(t->out, NV, "%d", m->nv);
        bench_name(t->out, KERNEL, x->rows[i].kernel->kernel->name);
        for (const column *c = t->columns; c < t->columns + t->n; c++) print_cell(t, c, &x->rows[i]);
        bench_end_row(t->out);
    }
}
