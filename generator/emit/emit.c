#include "emit.h"

#include <stdlib.h>
#include <string.h>
#include "apart.h"
#include "base/invariant.h"
#include "base/embedded.h"
#include "emission.h"
#include "identifiers.h"
#include "model_text.h"
#include "single.h"

/* ---- kernels */

static void output_names(FILE *out, const emission *e, const kernel_plan *k, const char *suffix)
{
    (void)e;
    for (const arg *a = k->info->out; *a != ARG_COUNT; a++)
        fprintf(out, "%s%s%s", a > k->info->out ? ", " : "", arg_table[*a].name, suffix);
}

/* "q, tau ? tau : tau_": the arguments of the last states of a batch. */
static void wanted_names(FILE *out, const emission *e, const kernel_plan *k, const char *unused)
{
    (void)unused;
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    for (int i = 0; i < n; i++) {
        const char *name = arg_table[list[i]].name;
        fprintf(out, i < n_in ? "%s%s" : "%s%s ? %s : %s_", i ? ", " : "", name, name, name);
    }
}

static void body(FILE *out, const emission *e, const kernel_plan *k, const char *unused)
{
    (void)unused;
    print_style style = emission_style(e, k, false);
    if (k->vectors.program) {
        fprintf(out, "#if %s\n", emission_condition(e, k));
        print_kernel(out, k->info, k->vectors.program, &style);
        fputs("#else\n", out);
    }
    print_kernel(out, k->info, k->plain.program, &style);
    if (k->vectors.program) fputs("#endif\n", out);
}

/* Where the numbers of an output are, with zeros apart; empty: in their order. */
static const char *row_list(const emission *e, const kernel_plan *k, arg out)
{
    print_style style = emission_style(e, k, true);
    int rows, cols;
    const int *row =
        apart_from(k->plain.program, k->info, &style) ? apart_rows(e->memory, k->plain.program, &style, out) : NULL;
    if (!row) return "";
    char *s = NULL;
    size_t length;
    FILE *f = open_memstream(&s, &length);
    arg_size(out, e->m, &e->o->trace, &rows, &cols);
    for (int i = 0; i < rows * cols; i++) fprintf(f, i % 24 || !i ? "%s%d" : "%s\n    %d", i ? ", " : "", row[i]);
    fclose(f);
    const char *copy = arena_copy(e->memory, s, length);
    free(s);
    return copy;
}

static void set_args(const emission *e, value *v, const kernel_plan *k)
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    print_style style = emission_style(e, k, false);
    for (int i = 0; i < n; i++)
        for (int all = 0; all < 2; all++) {
            value *a = value_append(v, all ? "args" : i < n_in ? "inputs" : "outputs");
            char size[300];
            FILE *f = fmemopen(size, sizeof size, "w");
            INVARIANT(f);
            print_size(f, list[i], &style);
            fclose(f);
            value_set(a, "name", arg_table[list[i]].name);
            value_set(a, "size", arena_printf(e->memory, "%s", size));
            value_set(a, "rows", i < n_in || all ? "" : row_list(e, k, list[i]));
        }
}

static void kernel_fill(emission *e, value *v, const kernel_plan *k)
{
    print_style style = emission_style(e, k, true);
    emission_kernel(e, v, k);
    set_args(e, v, k);
    value_set(v, "body", emission_text(e, body, k, ""));
    value_set(v, "pointers", emission_text(e, emission_pointers, k, ""));
    value_set(v, "locals", emission_text(e, emission_names, k, "_"));
    value_set(v, "output_locals", emission_text(e, output_names, k, "_"));
    value_set(v, "wanted", emission_text(e, wanted_names, k, ""));
    emission_number(e, v, "widest", emission_widest(e));
    emission_number(e, v, "narrow", emission_narrow(e));
    if (e->o->n_lanes) value_flag(v, "constants", apart_from(k->plain.program, k->info, &style));
}

static void lanes_body(FILE *out, const emission *e, const kernel_plan *k, const char *unused)
{
    (void)unused;
    print_style style = emission_style(e, k, true);
    print_kernel(out, k->info, k->plain.program, &style);
}

static void lanes_fill(emission *e, value *v, const kernel_plan *k)
{
    emission_kernel(e, v, k);
    value_set(v, "body", emission_text(e, lanes_body, k, ""));
}

static void cmake_fill(emission *e, value *v, const kernel_plan *unused)
{
    (void)unused;
    value_set(v, "target", identifier_target(e->memory, e->robot));
    for (int i = 0; i <= e->n; i++) {
        const char *part = i < e->n ? e->kernels[i].info->name : "robot";
        value_set(value_append(v, "sources"), "file", arena_printf(e->memory, "%s_%s.c", e->robot, part));
    }
    if (e->o->model) value_set(value_append(v, "sources"), "file", arena_printf(e->memory, "%s_model.c", e->robot));
    value_flag(v, "model", e->o->model);
}

/* ---- the files of a folder */

enum { EACH_KERNEL = 1, WITH_LANES = 2 };

static const struct target {
    const char *name; /* % is the robot, @ the kernel */
    const char *template;
    void (*fill)(emission *e, value *v, const kernel_plan *k);
    unsigned when;
} targets[] = {
    {"%.h", "header", header_fill, 0},
    {"%_robot.c", "robot", describe_fill, 0},
    {"CMakeLists.txt", "cmake", cmake_fill, 0},
    {"%_@_lanes.h", "lanes", lanes_fill, EACH_KERNEL | WITH_LANES},
    {"%_@.c", "kernel", kernel_fill, EACH_KERNEL},
};

static const char *file_name(const emission *e, const char *pattern, const kernel_plan *k)
{
    const char *s = "";
    for (; *pattern; pattern++)
        s = *pattern == '%'   ? arena_printf(e->memory, "%s%s", s, e->robot)
            : *pattern == '@' ? arena_printf(e->memory, "%s%s", s, k->info->name)
                              : arena_printf(e->memory, "%s%c", s, *pattern);
    return s;
}

static bool emit_file(emission *e, const struct target *t, const kernel_plan *k)
{
    value *v = value_object(e->memory);
    emission_common(e, v);
    t->fill(e, v, k);
    return render(t->template, v, folder_file(e->folder, file_name(e, t->name, k)), e->d);
}

static bool emit_target(emission *e, const struct target *t)
{
    bool ok = true;
    if (t->when & WITH_LANES && !e->o->n_lanes) return true;
    for (int i = 0; i < (t->when & EACH_KERNEL ? e->n : 1) && ok; i++) ok = emit_file(e, t, &e->kernels[i]);
    return ok;
}

/* Included alone, without the robot's header, it means the robot's number type, too. */
static void emit_runtime(emission *e)
{
    const embedded_file *h = embedded_find("sva_kernel.h");
    FILE *f = folder_file(e->folder, "sva_kernel.h");
    if (e->o->single) fputs("#ifndef SVA_REAL_IS_FLOAT\n#define SVA_REAL_IS_FLOAT 1\n#endif\n", f);
    fwrite(h->text, 1, h->length, f);
}

static const char *const *joint_names(arena *memory, const model *m)
{
    const char **list = ARENA_ARRAY(memory, const char *, m->n_bodies + 1);
    for (int i = 0; i < m->n_bodies; i++) list[i] = m->bodies[i].joint_name;
    return identifiers_unique(memory, m->n_bodies, list);
}

static const char *const *frame_names(arena *memory, const model *m)
{
    const char **list = ARENA_ARRAY(memory, const char *, m->n_frames + 1);
    for (int i = 0; i < m->n_frames; i++) list[i] = m->frames[i].name;
    return identifiers_unique(memory, m->n_frames, list);
}

bool emit_robot(folder *f, const model *m, const emit_options *o, const kernel_plan *kernels, int n, diag *d)
{
    if (!emit_check_name(m->name, d)) return false;
    emission e = {.memory = arena_new(), .folder = f, .m = m, .o = o, .kernels = kernels, .n = n, .d = d};
    e.robot = emit_identifier(e.memory, m->name);
    e.upper = identifier_upper(e.memory, e.robot);
    e.sizes = sizes_of(m, &o->trace);
    e.joints = joint_names(e.memory, m);
    e.frames = frame_names(e.memory, m);
    bool ok = true;
    for (size_t i = 0; i < sizeof targets / sizeof *targets && ok; i++) ok = emit_target(&e, &targets[i]);
    emit_runtime(&e);
    if (ok && o->single_file) single_merge(f, e.robot);
    if (ok && o->model) ok = emit_model(f, m, e.robot, d);
    arena_free(e.memory);
    return ok;
}
