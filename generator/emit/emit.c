#include "emit.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "apart.h"
#include "base/number.h"
#include "embedded.h"
#include "model_text.h"
#include "template/render.h"

typedef struct emission {
    arena *memory;
    folder *folder;
    const model *m;
    const emit_options *o;
    const kernel_plan *kernels;
    int n;
    const char *robot, *upper;
    diag *d;
} emission;

/* ---- names and strings of files as C */

static bool letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

const char *emit_identifier(arena *memory, const char *name)
{
    char *id = arena_printf(memory, "%s%.200s", isdigit((unsigned char)*name) || !*name ? "robot_" : "", name);
    for (char *c = id; *c; c++)
        if (!letter_or_digit(*c)) *c = '_';
    return id;
}

static const char *upper_of(arena *memory, const char *id)
{
    char *up = arena_printf(memory, "%s", id);
    for (char *c = up; *c; c++) *c = (char)toupper((unsigned char)*c);
    return up;
}

const char *emit_literal(arena *memory, const char *text)
{
    char *out = arena_alloc(memory, 4 * strlen(text) + 3), *to = out;
    *to++ = '"';
    for (const char *c = text; *c; c++) {
        if (letter_or_digit(*c) || strchr(" _-+.,:;/()[]", *c))
            *to++ = *c;
        else
            to += sprintf(to, "\\%03o", (unsigned char)*c);
    }
    *to = '"';
    return out;
}

/* Long ones, which C99 does not promise, come as an array defined before, in `definitions`. */
static const char *c_string(emission *e, const char *text, FILE *definitions)
{
    enum { PROMISED = 4000 };
    static int arrays; /* numbers names within one file; set to 0 by emit_robot */
    if (!text) return arrays = 0, NULL;
    size_t n = strlen(text);
    if (n <= PROMISED) return emit_literal(e->memory, text);
    fprintf(definitions, "static const char long_name_%d[] = {", ++arrays);
    for (size_t i = 0; i < n; i++) fprintf(definitions, "%s%d", i ? "," : "", (signed char)text[i]);
    fputs(",0};\n", definitions);
    return arena_printf(e->memory, "long_name_%d", arrays);
}

static const char *comment_text(emission *e, const char *text)
{
    char *s = NULL;
    size_t n;
    FILE *f = open_memstream(&s, &n);
    print_comment_text(f, text);
    fclose(f);
    const char *copy = arena_printf(e->memory, "%s", s);
    free(s);
    return copy;
}

/* ---- a hash of everything the model says, so that two folders can be told apart */

static uint64_t hash_bytes(uint64_t h, const void *data, size_t n)
{
    for (const unsigned char *c = data, *end = c + n; c < end; c++) h = (h ^ *c) * 0x100000001b3u;
    return h;
}

static uint64_t hash_numbers(uint64_t h, const double *x, int n)
{
    char text[NUMBER_SIZE];
    for (int i = 0; i < n; i++) {
        number_print(text, x[i]);
        h = hash_bytes(h, text, strlen(text) + 1);
    }
    return h;
}

static uint64_t hash_model(const model *m)
{
    uint64_t h = hash_bytes(0xcbf29ce484222325u, m->name, strlen(m->name) + 1);
    h = hash_numbers(h, m->gravity, 3);
    for (const model_body *b = m->bodies; b < m->bodies + m->n_bodies; b++) {
        double numbers[] = {b->type,   b->parent,     b->iq,     b->iv,    b->nv,
                            b->master, b->multiplier, b->offset, b->pitch, b->mass};
        h = hash_bytes(h, b->joint_name, strlen(b->joint_name) + 1);
        h = hash_numbers(h, numbers, sizeof numbers / sizeof *numbers);
        h = hash_numbers(hash_numbers(h, b->R, 9), b->p, 3);
        h = hash_numbers(hash_numbers(hash_numbers(h, b->axis, 3), b->h, 3), b->I, 6);
        h = hash_numbers(hash_numbers(hash_numbers(h, b->armature, 6), b->damping, 6), b->friction, 6);
    }
    return h;
}

/* ---- values for the templates */

typedef void (*printer_fn)(FILE *out, const emission *e, const kernel_plan *k, const char *times);

static print_style style_of(const emission *e, const kernel_plan *k, bool lanes)
{
    return (print_style){e->m,     &e->o->trace, arena_printf(e->memory, "%s_%s", e->robot, k->info->name),
                         e->upper, e->o->single, e->o->column_major,
                         lanes};
}

static void parameters(FILE *out, const emission *e, const kernel_plan *k, const char *times)
{
    print_style style = style_of(e, k, false);
    print_parameters(out, k->info, &style, times);
}

/* "const double *q, ..., double *tau" */
static void pointers(FILE *out, const emission *e, const kernel_plan *k, const char *unused)
{
    (void)unused;
    arg list[16];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%s%s *%s", i ? ", " : "", i < n_in ? "const " : "", e->o->single ? "float" : "double",
                arg_table[list[i]].name);
}

static void names(FILE *out, const emission *e, const kernel_plan *k, const char *suffix)
{
    arg list[16];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    for (int i = 0; i < n; i++) fprintf(out, "%s%s%s", i ? ", " : "", arg_table[list[i]].name, suffix);
}

static void output_names(FILE *out, const emission *e, const kernel_plan *k, const char *suffix)
{
    (void)e;
    for (const arg *a = k->info->out; *a != ARG_COUNT; a++)
        fprintf(out, "%s%s%s", a > k->info->out ? ", " : "", arg_table[*a].name, suffix);
}

static void body(FILE *out, const emission *e, const kernel_plan *k, const char *unused)
{
    (void)unused;
    print_style style = style_of(e, k, false);
    if (k->vectors.program) {
        fprintf(out, "#if SVA_VECTORS && SVA_WIDEST >= %d\n", plan_lanes_needed(k->vectors.program));
        print_kernel(out, k->info, k->vectors.program, &style);
        fputs("#else\n", out);
    }
    print_kernel(out, k->info, k->plain.program, &style);
    if (k->vectors.program) fputs("#endif\n", out);
}

static const char *text_of(const emission *e, printer_fn print, const kernel_plan *k, const char *times)
{
    char *s = NULL;
    size_t n;
    FILE *f = open_memstream(&s, &n);
    if (!f) abort();
    print(f, e, k, times);
    fclose(f);
    const char *copy = arena_copy(e->memory, s, n);
    free(s);
    return copy;
}

static void set_number(const emission *e, value *v, const char *key, long x)
{
    value_set(v, key, arena_printf(e->memory, "%ld", x));
}

static void set_common(emission *e, value *v)
{
    value_set(v, "version", SVAGEN_VERSION);
    value_set(v, "robot", e->robot);
    value_set(v, "upper", e->upper);
    value_set(v, "robot_comment", comment_text(e, e->m->name));
    value_set(v, "real", e->o->single ? "float" : "double");
    value_flag(v, "math", e->o->trace.friction == FRICTION_FULL);
    value_flag(v, "has_lanes", e->o->n_lanes > 0);
}

static void set_counts(const emission *e, value *v, graph_counts c)
{
    set_number(e, v, "adds", c.adds);
    set_number(e, v, "muls", c.muls);
    set_number(e, v, "divs", c.divs);
    set_number(e, v, "funcs", c.funcs);
}

static void set_kernel(const emission *e, value *v, const kernel_plan *k)
{
    value_set(v, "function", arena_printf(e->memory, "%s_%s", e->robot, k->info->name));
    value_set(v, "meaning", k->info->meaning);
    value_set(v, "choice", k->plain.words);
    value_set(v, "vectors", k->vectors.program ? k->vectors.words : "");
    set_counts(e, v, program_counts(k->plain.program));
    value_set(v, "parameters", text_of(e, parameters, k, ""));
    value_list(v, "lanes");
    for (int i = 0; i < e->o->n_lanes; i++) {
        value *w = value_append(v, "lanes");
        set_number(e, w, "w", e->o->lanes[i]);
        value_set(w, "parameters_w", text_of(e, parameters, k, arena_printf(e->memory, "%d*", e->o->lanes[i])));
    }
}

/* Where the numbers of an output are, with zeros apart; empty: in their order. */
static const char *row_list(const emission *e, const kernel_plan *k, arg out)
{
    print_style style = style_of(e, k, true);
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
    arg list[16];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    print_style style = style_of(e, k, false);
    for (int i = 0; i < n; i++)
        for (int all = 0; all < 2; all++) {
            value *a = value_append(v, all ? "args" : i < n_in ? "inputs" : "outputs");
            char *s = NULL;
            size_t length;
            FILE *f = open_memstream(&s, &length);
            print_size(f, list[i], &style);
            fclose(f);
            value_set(a, "name", arg_table[list[i]].name);
            value_set(a, "size", arena_copy(e->memory, s, length));
            value_set(a, "rows", i < n_in || all ? "" : row_list(e, k, list[i]));
            free(s);
        }
}

/* ---- files */

static bool emit_kernel_file(emission *e, const kernel_plan *k)
{
    value *v = value_object(e->memory);
    int n = e->o->n_lanes;
    set_common(e, v);
    set_kernel(e, v, k);
    set_args(e, v, k);
    value_set(v, "body", text_of(e, body, k, ""));
    value_set(v, "pointers", text_of(e, pointers, k, ""));
    value_set(v, "names", text_of(e, names, k, ""));
    value_set(v, "locals", text_of(e, names, k, "_"));
    value_set(v, "output_locals", text_of(e, output_names, k, "_"));
    set_number(e, v, "widest", n ? e->o->lanes[n - 1] : 0);
    set_number(e, v, "narrow", n ? e->o->lanes[n > 1 ? n - 2 : 0] : 0);
    if (n) {
        FILE *lanes = folder_file(e->folder, arena_printf(e->memory, "%s_%s_lanes.h", e->robot, k->info->name));
        print_style style = style_of(e, k, true);
        fprintf(lanes, "/* The text of %s for W states side by side; %s.c includes it for each W. */\n", style.name,
                style.name);
        print_kernel(lanes, k->info, k->plain.program, &style);
        value_flag(v, "constants", apart_from(k->plain.program, k->info, &style));
    }
    return render("kernel", v, folder_file(e->folder, arena_printf(e->memory, "%s_%s.c", e->robot, k->info->name)),
                  e->d);
}

static const char *joint_row(emission *e, const model_body *b)
{
    const char *q = b->master >= 0 ? "-"
                    : b->nq == 1   ? arena_printf(e->memory, "%d", b->iq)
                                   : arena_printf(e->memory, "%d..%d", b->iq, b->iq + b->nq - 1);
    const char *v = b->master >= 0 ? arena_printf(e->memory, "follows q[%d]", b->iq)
                    : b->nv == 1   ? arena_printf(e->memory, "%d", b->iv)
                                   : arena_printf(e->memory, "%d..%d", b->iv, b->iv + b->nv - 1);
    return arena_printf(e->memory, "%-32s %-12s %-10s %s", comment_text(e, b->joint_name),
                        sva_joint_table[b->type].name, q, v);
}

static const char *gravity_words(emission *e, bool c)
{
    char x[3][NUMBER_SIZE];
    if (e->o->trace.gravity_input) return c ? "0.0, 0.0, 0.0" : "an argument";
    for (int i = 0; i < 3; i++) number_print(x[i], e->m->gravity[i]);
    return arena_printf(e->memory, c ? "%s, %s, %s" : "(%s, %s, %s)", x[0], x[1], x[2]);
}

static bool emit_header(emission *e)
{
    value *v = value_object(e->memory);
    set_common(e, v);
    value_set(v, "options", e->o->words);
    value_set(v, "hash", arena_printf(e->memory, "%016llx", (unsigned long long)hash_model(e->m)));
    value_set(v, "gravity", gravity_words(e, false));
    value_set(v, "layout", e->o->column_major ? "column" : "row");
    value_set(v, "guard", arena_printf(e->memory, "%s_H", e->upper));
    set_number(e, v, "nq", e->m->nq);
    set_number(e, v, "nv", e->m->nv);
    set_number(e, v, "n_joints", e->m->n_bodies);
    value_list(v, "joints");
    for (int i = 0; i < e->m->n_bodies; i++)
        value_set(value_append(v, "joints"), "row", joint_row(e, &e->m->bodies[i]));
    for (int i = 0; i < e->n; i++) {
        value *k = value_append(v, "kernels");
        set_kernel(e, k, &e->kernels[i]);
        value_set(k, "batch", text_of(e, pointers, &e->kernels[i], ""));
    }
    return render("header", v, folder_file(e->folder, arena_printf(e->memory, "%s.h", e->robot)), e->d);
}

/* {"q", 6, 1}, ... */
static const char *arg_rows(emission *e, const arg *list, int from, int to)
{
    const char *s = "";
    for (int i = from; i < to; i++) {
        int rows, cols;
        arg_size(list[i], e->m, &e->o->trace, &rows, &cols);
        s = arena_printf(e->memory, "%s%s{\"%s\", %d, %d}", s, i > from ? ", " : "", arg_table[list[i]].name, rows,
                         cols);
    }
    return s;
}

static void set_call(emission *e, value *v, const kernel_plan *k, int width)
{
    arg list[16];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    const char *suffix = width > 1 ? arena_printf(e->memory, "_x%d", width) : "", *arguments = "";
    value *c = value_append(v, "calls");
    set_kernel(e, c, k);
    value_set(c, "name", arena_printf(e->memory, "%s%s", k->info->name, suffix));
    value_set(c, "function", arena_printf(e->memory, "%s_%s%s", e->robot, k->info->name, suffix));
    set_number(e, c, "w", width);
    set_number(e, c, "n_in", n_in);
    set_number(e, c, "n_out", n - n_in);
    value_set(c, "ins", arg_rows(e, list, 0, n_in));
    value_set(c, "outs", arg_rows(e, list, n_in, n));
    for (int i = 0; i < n; i++) {
        int rows, cols, o = i - n_in;
        arg_size(list[i], e->m, &e->o->trace, &rows, &cols);
        const char *one = i < n_in ? arena_printf(e->memory, "in[%d]", i)
                                   : arena_printf(e->memory, "out[%d] ? out[%d] : o%d", o, o, o);
        arguments = arena_printf(e->memory, "%s%s%s", arguments, i ? ", " : "", one);
        if (o < 0) continue;
        value *out = value_append(c, "outputs");
        set_number(e, out, "i", o);
        set_number(e, out, "total", (long)rows * cols * width);
    }
    value_set(c, "arguments", arguments);
}

static bool emit_description(emission *e)
{
    value *v = value_object(e->memory);
    char *definitions = NULL;
    size_t length;
    FILE *strings = open_memstream(&definitions, &length);
    c_string(e, NULL, NULL);
    set_common(e, v);
    for (int i = 0; i < e->m->n_bodies; i++) {
        const model_body *b = &e->m->bodies[i];
        value *j = value_append(v, "joints");
        value_set(j, "name", c_string(e, b->joint_name, strings));
        value_set(j, "type", sva_joint_table[b->type].name);
        set_number(e, j, "parent", b->parent);
        set_number(e, j, "iq", b->iq);
        set_number(e, j, "nq", b->nq);
        set_number(e, j, "iv", b->iv);
        set_number(e, j, "nv", b->nv);
    }
    for (int i = 0; i < e->m->n_frames; i++)
        value_set(value_append(v, "frames"), "name", c_string(e, e->m->frames[i].name, strings));
    value_set(v, "robot_string", c_string(e, e->m->name, strings));
    fclose(strings);
    value_set(v, "strings", arena_copy(e->memory, definitions, length));
    free(definitions);
    for (int i = 0; i < e->n; i++) {
        set_call(e, v, &e->kernels[i], 1);
        for (int w = 0; w < e->o->n_lanes; w++) set_call(e, v, &e->kernels[i], e->o->lanes[w]);
    }
    set_number(e, v, "n_joints", e->m->n_bodies);
    set_number(e, v, "n_frames", e->m->n_frames);
    set_number(e, v, "n_kernels", (long)e->n * (1 + e->o->n_lanes));
    set_number(e, v, "column_major", e->o->column_major);
    value_set(v, "gravity_c", gravity_words(e, true));
    return render("robot", v, folder_file(e->folder, arena_printf(e->memory, "%s_robot.c", e->robot)), e->d);
}

static bool emit_cmake(emission *e)
{
    value *v = value_object(e->memory);
    set_common(e, v);
    for (int i = 0; i <= e->n; i++) {
        const char *part = i < e->n ? e->kernels[i].info->name : "robot";
        value_set(value_append(v, "sources"), "file", arena_printf(e->memory, "%s_%s.c", e->robot, part));
    }
    if (e->o->model) value_set(value_append(v, "sources"), "file", arena_printf(e->memory, "%s_model.c", e->robot));
    value_flag(v, "model", e->o->model);
    return render("cmake", v, folder_file(e->folder, "CMakeLists.txt"), e->d);
}

static void emit_runtime(emission *e)
{
    const embedded_file *h = embedded_find("sva_kernel.h");
    FILE *f = folder_file(e->folder, "sva_kernel.h");
    if (e->o->single) fputs("#define SVA_REAL float\n#define SVA_REAL_IS_FLOAT 1\n", f);
    fwrite(h->text, 1, h->length, f);
}

bool emit_robot(folder *f, const model *m, const emit_options *o, const kernel_plan *kernels, int n, diag *d)
{
    emission e = {arena_new(), f, m, o, kernels, n, NULL, NULL, d};
    e.robot = emit_identifier(e.memory, m->name);
    e.upper = upper_of(e.memory, e.robot);
    bool ok = emit_header(&e) && emit_description(&e) && emit_cmake(&e);
    for (int i = 0; i < n && ok; i++) ok = emit_kernel_file(&e, &kernels[i]);
    if (ok && o->model) ok = emit_model(f, m, e.robot, d);
    emit_runtime(&e);
    arena_free(e.memory);
    return ok;
}
