#include "measure.h"

#include "base/progress.h"
#include "compare/cycles.h"

enum { STATES = 64, CHECKED = 2, TURNS = 200, SEED = 1 };

/* ---- the core */

typedef struct peak_work {
    int (*run)(const double in[], double out[]); /* or float */
    double in[16], out[16];
} peak_work;

static void run_peak(void *subject)
{
    peak_work *w = subject;
    w->run(w->in, w->out);
}

/* Not in turns with the kernels: some cores slow down for a while after many of their widest instructions. */
static double peak_rate(const built *b)
{
    peak_work w = {.run = (int (*)(const double *, double *))build_symbol(b, "svagen_peak")};
    contestant c = {.run = run_peak, .subject = &w, .states = w.run(w.in, w.out)};
    contest(&c, 1, TURNS, -1);
    return 1 / c.ns;
}

/* ---- kernels */

enum { RIVAL = TRIAL_CONTESTANTS, CONTESTANTS };

static void take_times(measurement *m, const contestant list[CONTESTANTS])
{
    m->ns_generic = list[TRIAL_GENERIC].ns;
    m->ns_one = list[TRIAL_ONE].ns;
    m->cycles = list[TRIAL_ONE].cycles;
    m->ns_batch = list[TRIAL_BATCH].ns;
    m->ns_rival = list[RIVAL].ns;
    for (int i = 0; i < TRIAL_CONTESTANTS - TRIAL_LANES; i++) m->ns_lanes[i] = list[TRIAL_LANES + i].ns;
}

static bool measure_kernel(measurement *m, const comparison *c, const opponent *o, int counter, diag *d)
{
    contestant list[CONTESTANTS];
    arena *memory = arena_new();
    trial *t = trial_new(memory, c, m->kernel->kernel, STATES, CHECKED, SEED, d);
    if (t) {
        trial_contestants(t, list);
        list[RIVAL] = opponent_contestant(o, t, d);
        contest(list, CONTESTANTS, TURNS, counter);
        take_times(m, list);
        trial_free(t);
    }
    arena_free(memory);
    return t != NULL;
}

static bool measure_kernels(measurements *x, const opponent *o, bool visible, diag *d)
{
    const comparison *c = &x->compared;
    double peak = peak_rate(&c->built);
    int counter = cycles_open();
    bool ok = true;
    for (int i = 0; i < c->n && ok; i++) {
        progress(visible, "measuring %d of %d: %s", i + 1, c->n, c->rows[i].kernel->name);
        x->rows[i] = (measurement){.kernel = &c->rows[i], .peak = peak};
        ok = measure_kernel(&x->rows[i], c, o, counter, d);
    }
    progress_end(visible);
    cycles_close(counter);
    return ok;
}

static bool check(const comparison *c, diag *d)
{
    for (int i = 0; i < c->n; i++)
        if (!c->rows[i].agrees)
            return diag_error(
                d, (place){0},
                "robot '%s': kernel %s disagrees with the generic library: svagen compare says by how much",
                c->model->name, c->rows[i].kernel->name);
    return true;
}

bool measure_robot(measurements *x, const model *m, const kernel_info *const *kernels, const emit_options *options,
                   const build_options *build, opponent *o, diag *d)
{
    compare_options how = {*build, CHECKED, SEED, false};
    how.build.extra = embedded_find("peak.c");
    x->rows = NULL;
    if (!compare_robot(&x->compared, m, kernels, options, &how, d) || !check(&x->compared, d)) return false;
    x->rows = ARENA_ARRAY(x->compared.memory, measurement, x->compared.n);
    opponent_open(o, m, options);
    bool ok = measure_kernels(x, o, build->progress, d);
    opponent_close(o);
    return ok;
}

void measurements_free(measurements *x) { comparison_free(&x->compared); }
