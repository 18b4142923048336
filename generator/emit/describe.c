#include "emission.h"

#include <math.h>
#include <stdlib.h>
#include "base/invariant.h"
#include "base/number.h"
#include "pattern.h"

/* {"q", 6, 1, ...}, ... */
static const char *described_args(const emission *e, const kernel_plan *k, const arg *list, int from, int to, bool out)
{
    const char *s = "";
    for (int i = from; i < to; i++) {
        const arg_info *a = &arg_table[list[i]];
        int shape[ARG_DIMS], rows = arg_rows(list[i], &e->sizes), cols = arg_cols(list[i], &e->sizes);
        for (int d = 0; d < ARG_DIMS; d++) shape[d] = arg_extent(list[i], &e->sizes, d);
        long nonzeros = out ? pattern_nonzeros(k->plain.program, list[i], rows, cols) : (long)rows * cols;
        s = arena_printf(e->memory, "%s%s\n    {\"%s\", %d, %d, \"%s\", \"%s\", {%d, %d, %d}, %ld}", s,
                         i > from ? "," : "", a->name, rows, cols, a->unit, a->meaning, shape[0], shape[1], shape[2],
                         nonzeros);
    }
    return s;
}

/* in[0], in[1], out[0]; an output that is not wanted goes to an array of the caller's. */
static const char *handed_over(const emission *e, int n, int n_in, bool batch)
{
    const char *s = "";
    for (int i = 0; i < n; i++) {
        const char *comma = i ? ", " : "";
        if (i < n_in)
            s = arena_printf(e->memory, "%s%sin[%d]", s, comma, i);
        else if (batch)
            s = arena_printf(e->memory, "%s%sout[%d]", s, comma, i - n_in);
        else
            s = arena_printf(e->memory, "%s%sout[%d] ? out[%d] : o%d", s, comma, i - n_in, i - n_in, i - n_in);
    }
    return s;
}

static void set_call(const emission *e, value *v, const kernel_plan *k, int width)
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    const char *suffix = width > 1 ? arena_printf(e->memory, "_x%d", width) : "";
    value *c = value_append(v, "calls");
    emission_kernel(e, c, k);
    value_set(c, "name", arena_printf(e->memory, "%s%s", k->info->name, suffix));
    value_set(c, "function", arena_printf(e->memory, "%s_%s%s", e->robot, k->info->name, suffix));
    value_set(c, "condition", width == 1 ? emission_condition(e, k) : "");
    if (k->vectors.program) emission_counts(e, c, &k->vectors, "_v");
    emission_number(e, c, "w", width);
    emission_number(e, c, "n_in", n_in);
    emission_number(e, c, "n_out", n - n_in);
    emission_number(e, c, "stack", emission_stack(e, k, width));
    value_set(c, "ins", described_args(e, k, list, 0, n_in, false));
    value_set(c, "outs", described_args(e, k, list, n_in, n, true));
    value_set(c, "arguments", handed_over(e, n, n_in, false));
    value_set(c, "batch_arguments", width == 1 && e->o->n_lanes ? handed_over(e, n, n_in, true) : "");
    for (int i = n_in; i < n; i++) {
        value *out = value_append(c, "outputs");
        emission_number(e, out, "i", i - n_in);
        emission_number(e, out, "total", (long)arg_rows(list[i], &e->sizes) * arg_cols(list[i], &e->sizes) * width);
    }
}

static const char *limit(const emission *e, double x)
{
    char text[NUMBER_SIZE];
    if (isinf(x)) return x > 0 ? "SVA_INFINITE" : "-SVA_INFINITE";
    return arena_printf(e->memory, "%s", number_print(text, x));
}

static void set_joint(const emission *e, value *v, const model_body *b, FILE *strings, int *arrays)
{
    value *j = value_append(v, "joints");
    value_set(j, "name", emission_string(e, b->joint_name, strings, arrays));
    value_set(j, "type", sva_joint_table[b->type].name);
    emission_number(e, j, "parent", b->parent);
    emission_number(e, j, "iq", b->iq);
    emission_number(e, j, "nq", b->nq);
    emission_number(e, j, "iv", b->iv);
    emission_number(e, j, "nv", b->nv);
    value_set(j, "limits",
              arena_printf(e->memory, "%s, %s, %s, %s", limit(e, b->lower), limit(e, b->upper), limit(e, b->velocity),
                           limit(e, b->effort)));
}

static void set_names(const emission *e, value *v)
{
    char *definitions = NULL;
    size_t length;
    int arrays = 0;
    FILE *strings = open_memstream(&definitions, &length);
    INVARIANT(strings);
    for (int i = 0; i < e->m->n_bodies; i++) set_joint(e, v, &e->m->bodies[i], strings, &arrays);
    for (int i = 0; i < e->m->n_frames; i++)
        value_set(value_append(v, "frames"), "name", emission_string(e, e->m->frames[i].name, strings, &arrays));
    value_set(v, "robot_string", emission_string(e, e->m->name, strings, &arrays));
    fclose(strings);
    value_set(v, "strings", arena_copy(e->memory, definitions, length));
    free(definitions);
}

void describe_fill(emission *e, value *v, const kernel_plan *unused)
{
    (void)unused;
    set_names(e, v);
    for (int i = 0; i < e->n; i++)
        for (int w = 0; w <= e->o->n_lanes; w++) set_call(e, v, &e->kernels[i], emission_width(e, w));
    emission_number(e, v, "n_joints", e->m->n_bodies);
    emission_number(e, v, "n_frames", e->m->n_frames);
    emission_number(e, v, "n_kernels", (long)e->n * (1 + e->o->n_lanes));
    emission_number(e, v, "column_major", e->o->column_major);
    value_set(v, "gravity_c", emission_gravity(e, true));
    value_set(v, "hash", emission_hash(e));
}
