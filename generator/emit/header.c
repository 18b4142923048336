#include "emission.h"

#include <stdlib.h>
#include "base/invariant.h"
#include "identifiers.h"
#include "pattern.h"

static const char *joint_row(const emission *e, const model_body *b)
{
    const char *q = b->master >= 0 ? "-"
                    : b->nq == 1   ? arena_printf(e->memory, "%d", b->iq)
                                   : arena_printf(e->memory, "%d..%d", b->iq, b->iq + b->nq - 1);
    const char *v = b->master >= 0 ? arena_printf(e->memory, "follows q[%d]", b->iq)
                    : b->nv == 1   ? arena_printf(e->memory, "%d", b->iv)
                                   : arena_printf(e->memory, "%d..%d", b->iv, b->iv + b->nv - 1);
    return arena_printf(e->memory, "%-32s %-12s %-10s %s", emission_comment(e, b->joint_name),
                        sva_joint_table[b->type].name, q, v);
}

static bool some_kernel_uses(const emission *e, arg_symbol symbol)
{
    arg list[ARG_COUNT];
    for (int k = 0, n_in; k < e->n; k++)
        for (int i = kernel_args(e->kernels[k].info, &e->o->trace, list, &n_in); i-- > 0;)
            if (arg_uses(list[i], symbol)) return true;
    return false;
}

/* The robot's own numbers always, others where an argument has them. */
static void set_sizes(const emission *e, value *v)
{
    for (int i = SIZE_NQ; i < (int)SIZE_SYMBOLS; i++) {
        if (i > (int)SIZE_FRAMES && !some_kernel_uses(e, (arg_symbol)i)) continue;
        value *s = value_append(v, "sizes");
        value_set(s, "symbol", symbol_table[i]);
        emission_number(e, s, "count", e->sizes.of[i]);
    }
}

static void set_enumerator(const emission *e, value *v, const char *list, const char *kind, const char *name, int index)
{
    value *x = value_append(v, list);
    value_set(x, "enumerator", arena_printf(e->memory, "%s_%s", kind, name));
    emission_number(e, x, "index", index);
}

static void set_joints(const emission *e, value *v)
{
    value_list(v, "joints");
    for (int i = 0; i < e->m->n_bodies; i++) {
        const model_body *b = &e->m->bodies[i];
        value_set(value_append(v, "joints"), "row", joint_row(e, b));
        set_enumerator(e, v, "joint_names", "JOINT", e->joints[i], i);
        if (b->master >= 0) continue;
        set_enumerator(e, v, "slot_names", "Q", e->joints[i], b->iq);
        set_enumerator(e, v, "slot_names", "V", e->joints[i], b->iv);
    }
}

/* Of the links that external forces act on. */
static const char *const *link_names(const emission *e)
{
    const trace_options *o = &e->o->trace;
    const char **list = ARENA_ARRAY(e->memory, const char *, o->n_fext + 1);
    for (int i = 0; i < o->n_fext; i++)
        list[i] = o->fext_frames ? e->m->frames[o->fext_frames[i]].name : e->m->bodies[o->fext[i]].name;
    return identifiers_unique(e->memory, o->n_fext, list);
}

/* Frames and links by their numbers: all of them, and those that jac and external forces are for. */
static void set_frames(const emission *e, value *v)
{
    const trace_options *o = &e->o->trace;
    for (int i = 0; i < e->m->n_frames; i++) {
        value *x = value_append(v, "frame_names");
        value_set(x, "enumerator", arena_printf(e->memory, "FRAME_%s", e->frames[i]));
        value_set(x, "frame", emission_comment(e, e->m->frames[i].name));
        emission_number(e, x, "index", i);
    }
    for (int i = 0; i < o->n_jac_frames && some_kernel_uses(e, SIZE_JAC); i++)
        set_enumerator(e, v, "place_names", "JAC", e->frames[o->jac_frames[i]], i);
    const char *const *links = link_names(e);
    for (int i = 0; i < o->n_fext && some_kernel_uses(e, SIZE_FEXT); i++)
        set_enumerator(e, v, "place_names", "FEXT", links[i], i);
}

static const char *zeros_of(const emission *e, const kernel_plan *k, arg a)
{
    int rows = arg_rows(a, &e->sizes), cols = arg_cols(a, &e->sizes);
    long some = pattern_nonzeros(k->plain.program, a, rows, cols);
    if (some == (long)rows * cols) return "";
    return arena_printf(e->memory, "; %ld of %ld entries can be other than zero", some, (long)rows * cols);
}

static void set_arguments(const emission *e, value *v, const kernel_plan *k)
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    for (int i = 0; i < n; i++) {
        const arg_info *info = &arg_table[list[i]];
        char size[300];
        FILE *f = fmemopen(size, sizeof size, "w");
        INVARIANT(f);
        fprintf(f, "%s[", info->name);
        arg_print_size(f, list[i], e->upper);
        fputc(']', f);
        fclose(f);
        value *a = value_append(v, "documented");
        value_set(a, "line",
                  arena_printf(e->memory, "%-3s  %-24s  %s (%s)%s%s", i < n_in ? "in" : "out", size, info->meaning,
                               info->unit, info->symmetric ? "; symmetric" : "",
                               i < n_in ? "" : zeros_of(e, k, list[i])));
    }
}

static const char *stack_words(const emission *e, const kernel_plan *k)
{
    const char *s = arena_printf(e->memory, "%ld", emission_stack(e, k, 1));
    for (int i = 0; i < e->o->n_lanes; i++)
        s = arena_printf(e->memory, "%s, _x%d %ld", s, e->o->lanes[i], emission_stack(e, k, e->o->lanes[i]));
    return e->o->n_lanes ? arena_printf(e->memory, "%s, _batch %ld", s, emission_batch_stack(e, k)) : s;
}

static void set_kernel(const emission *e, value *v, const kernel_plan *k)
{
    emission_kernel(e, v, k);
    set_arguments(e, v, k);
    value_set(v, "stack", stack_words(e, k));
    value_set(v, "batch", emission_text(e, emission_pointers, k, ""));
}

void header_fill(emission *e, value *v, const kernel_plan *unused)
{
    (void)unused;
    value_set(v, "options", e->o->words);
    value_set(v, "hash", emission_hash(e));
    value_set(v, "gravity", emission_gravity(e, false));
    value_set(v, "layout", e->o->column_major ? "column" : "row");
    value_set(v, "guard", arena_printf(e->memory, "%s_H", e->upper));
    value_flag(v, "has_fext", some_kernel_uses(e, SIZE_FEXT));
    value_flag(v, "has_jac", some_kernel_uses(e, SIZE_JAC));
    value_list(v, "slot_names");
    value_list(v, "place_names");
    value_list(v, "frame_names");
    emission_number(e, v, "n_joints", e->m->n_bodies);
    emission_number(e, v, "n_kernels", (long)e->n * (1 + e->o->n_lanes));
    set_sizes(e, v);
    set_joints(e, v);
    set_frames(e, v);
    for (int i = 0; i < e->n; i++) set_kernel(e, value_append(v, "kernels"), &e->kernels[i]);
}
