#include "compare.h"

#include <string.h>
#include "base/progress.h"
#include "trial.h"

enum { BATCH = 64 }; /* states of a timed batch */

static bool build_kernels(comparison *c, const kernel_info *const *kernels, const build_options *o, diag *d)
{
    arena *memory = arena_new();
    folder *f = folder_new(memory);
    progress(o->progress, "generating");
    bool ok = pipeline_generate(memory, c->model, kernels, c->options, f, d);
    progress_end(o->progress);
    ok = ok && build_load(c->memory, f, emit_identifier(memory, c->model->name), o, &c->built, d);
    folder_free(f);
    arena_free(memory);
    return ok;
}

static bool compare_kernel(const comparison *c, const compare_options *o, compare_row *row, diag *d)
{
    arena *memory = arena_new();
    int states = o->timings && o->states < BATCH ? BATCH : o->states + 1;
    trial *t = trial_new(memory, c, row->kernel, states, o->states, o->seed, d);
    if (t) {
        const sva_kernel *k = t->scalar;
        row->muls = k->muls, row->adds = k->adds, row->divs = k->divs, row->funcs = k->funcs;
        build_object compiled = build_kernel(&c->built, k->name);
        row->bytes = compiled.bytes, row->seconds = compiled.seconds;
        trial_check(t, row);
        if (c->options->n_lanes) trial_lanes(t, row);
        if (o->timings) trial_time(t, row);
        row->agrees = row->excess <= 1 && row->batch_ulps <= row->batch_allowed;
        trial_free(t);
    }
    arena_free(memory);
    return t != NULL;
}

bool compare_robot(comparison *c, const model *m, const kernel_info *const *kernels, const emit_options *options,
                   const compare_options *o, diag *d)
{
    sva_status status = SVA_OK;
    *c = (comparison){.memory = arena_new(), .model = m, .options = options, .agrees = true};
    c->generic = sva_model_from(m, &status);
    if (!c->generic) return diag_error(d, (place){0}, "the generic library refuses the robot: %s", sva_message(status));
    if (!build_kernels(c, kernels, &o->build, d)) return false;
    while (kernels[c->n]) c->n++;
    c->rows = ARENA_ARRAY(c->memory, compare_row, c->n);
    bool ok = true;
    for (int i = 0; i < c->n && ok; i++) {
        progress(o->build.progress, "comparing %d of %d: %s", i + 1, c->n, kernels[i]->name);
        c->rows[i].kernel = kernels[i];
        ok = compare_kernel(c, o, &c->rows[i], d);
        c->agrees = c->agrees && c->rows[i].agrees;
    }
    progress_end(o->build.progress);
    return ok;
}

void comparison_free(comparison *c)
{
    build_free(&c->built);
    sva_model_free(c->generic);
    arena_free(c->memory);
}

static void print_row(const compare_row *r, bool lanes, FILE *out)
{
    fprintf(out, "%-11s %9.1e %9.1e %7ld %7ld %8ld", r->kernel->name, r->error, r->generic_error, r->muls, r->adds,
            r->bytes);
    if (r->ns_generated > 0)
        fprintf(out, " %9.0f %9.1f %6.1f", r->ns_generic, r->ns_generated, r->ns_generic / r->ns_generated);
    if (lanes && r->ns_batch > 0) fprintf(out, " %9.1f %6.1f", r->ns_batch, r->ns_generic / r->ns_batch);
    if (r->excess > 1 || !(r->error < 1)) fprintf(out, "  WRONG: at most %.1e", r->tolerance);
    if (r->batch_ulps > r->batch_allowed)
        fprintf(out, "  WRONG: lanes differ from single states by %.3g ulp, at most %g", r->batch_ulps,
                r->batch_allowed);
    fputc('\n', out);
}

void compare_print(const comparison *c, FILE *out)
{
    bool lanes = c->options->n_lanes > 0, times = c->n && c->rows[0].ns_generated > 0;
    fprintf(out, "%-11s %9s %9s %7s %7s %8s", "", "error", "error", "multi-", "addi-", "bytes of");
    if (times) fprintf(out, " %9s %9s %6s", "ns", "ns", "");
    if (times && lanes) fprintf(out, " %9s %6s", "ns/state", "");
    fprintf(out, "\n%-11s %9s %9s %7s %7s %8s", "kernel", "generated", "generic", "plied", "tions", "code");
    if (times) fprintf(out, " %9s %9s %6s", "generic", "generated", "ratio");
    if (times && lanes) fprintf(out, " %9s %6s", "batch", "ratio");
    fputc('\n', out);
    for (int i = 0; i < c->n; i++) print_row(&c->rows[i], lanes, out);
}
