#include "emission.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"
#include "base/number.h"
#include "identifiers.h"
#include "stack.h"

/* ---- names and strings of files as C */

const char *emit_literal(arena *memory, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+.,:;/()[]";
    char *out = arena_alloc(memory, 4 * strlen(text) + 3), *to = out;
    *to++ = '"';
    for (const char *c = text; *c; c++) {
        if (strchr(plain, *c))
            *to++ = *c;
        else
            to += sprintf(to, "\\%03o", (unsigned char)*c);
    }
    *to = '"';
    return out;
}

/* Long ones, which C99 does not promise, come as an array. */
const char *emission_string(const emission *e, const char *text, FILE *definitions, int *arrays)
{
    enum { PROMISED = 4000 };
    size_t n = strlen(text);
    if (n > PROMISED) {
        const char *name = arena_printf(e->memory, "%s_long_name_%d", e->robot, ++*arrays);
        fprintf(definitions, "static const char %s[] = {", name);
        for (size_t i = 0; i < n; i++) fprintf(definitions, "%s%d", i ? "," : "", (signed char)text[i]);
        fputs(",0};\n", definitions);
        return name;
    }
    return emit_literal(e->memory, text);
}

const char *emission_comment(const emission *e, const char *text)
{
    char *s = NULL;
    size_t n;
    FILE *f = open_memstream(&s, &n);
    INVARIANT(f);
    print_comment_text(f, text);
    fclose(f);
    const char *copy = arena_copy(e->memory, s, n);
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
        h = hash_numbers(h, (double[]){b->lower, b->upper, b->velocity, b->effort}, 4);
    }
    for (const model_frame *f = m->frames; f < m->frames + m->n_frames; f++) {
        h = hash_bytes(h, f->name, strlen(f->name) + 1);
        h = hash_numbers(hash_numbers(hash_numbers(h, (double[]){f->body}, 1), f->R, 9), f->p, 3);
    }
    return h;
}

const char *emission_hash(const emission *e)
{
    return arena_printf(e->memory, "%016llx", (unsigned long long)hash_model(e->m));
}

/* ---- arguments */

print_style emission_style(const emission *e, const kernel_plan *k, bool lanes)
{
    return (print_style){e->m,     &e->o->trace, arena_printf(e->memory, "%s_%s", e->robot, k->info->name),
                         e->upper, e->o->single, e->o->column_major,
                         lanes};
}

static const char *real(const emission *e) { return e->o->single ? "float" : "double"; }

void emission_parameters(FILE *out, const emission *e, const kernel_plan *k, const char *times)
{
    print_style style = emission_style(e, k, false);
    print_parameters(out, k->info, &style, times);
}

void emission_pointers(FILE *out, const emission *e, const kernel_plan *k, const char *unused)
{
    (void)unused;
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%s%s *%s", i ? ", " : "", i < n_in ? "const " : "", real(e), arg_table[list[i]].name);
}

void emission_names(FILE *out, const emission *e, const kernel_plan *k, const char *suffix)
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(k->info, &e->o->trace, list, &n_in);
    for (int i = 0; i < n; i++) fprintf(out, "%s%s%s", i ? ", " : "", arg_table[list[i]].name, suffix);
}

const char *emission_text(const emission *e, emission_printer print, const kernel_plan *k, const char *times)
{
    char *s = NULL;
    size_t n;
    FILE *f = open_memstream(&s, &n);
    INVARIANT(f);
    print(f, e, k, times);
    fclose(f);
    const char *copy = arena_copy(e->memory, s, n);
    free(s);
    return copy;
}

/* ---- values that several files have */

void emission_number(const emission *e, value *v, const char *key, long x)
{
    value_set(v, key, arena_printf(e->memory, "%ld", x));
}

void emission_common(const emission *e, value *v)
{
    value_set(v, "version", SVAGEN_VERSION);
    value_set(v, "robot", e->robot);
    value_set(v, "upper", e->upper);
    value_set(v, "robot_comment", emission_comment(e, e->m->name));
    value_set(v, "real", real(e));
    emission_number(e, v, "single", e->o->single);
    value_flag(v, "math", e->o->trace.friction == FRICTION_FULL);
    value_flag(v, "has_lanes", e->o->n_lanes > 0);
}

void emission_counts(const emission *e, value *v, const planned *text, const char *suffix)
{
    graph_counts c = program_counts(text->program);
    const struct {
        const char *name;
        long n;
    } counts[] = {{"adds", c.adds}, {"muls", c.muls}, {"divs", c.divs}, {"funcs", c.funcs}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        emission_number(e, v, arena_printf(e->memory, "%s%s", counts[i].name, suffix), counts[i].n);
    value_set(v, arena_printf(e->memory, "choice%s", suffix), text->words);
}

/* The texts of a kernel, each with its own counts. */
static void set_texts(const emission *e, value *v, const kernel_plan *k)
{
    for (int vectors = 0; vectors < (k->vectors.program ? 2 : 1); vectors++) {
        value *text = value_append(v, "texts");
        emission_counts(e, text, vectors ? &k->vectors : &k->plain, "");
        value_set(text, "purpose",
                  vectors              ? "One state on a machine with vectors"
                  : e->o->n_lanes      ? "Lanes of states, and one state on any machine"
                  : k->vectors.program ? "One state on any machine"
                                       : "One state");
        value_set(text, "comma", vectors ? "; " : "");
        value_set(text, "where", vectors ? " for one state on a machine with vectors" : "");
    }
}

const char *emission_condition(const emission *e, const kernel_plan *k)
{
    if (!k->vectors.program) return "";
    return arena_printf(e->memory, "SVA_VECTORS && SVA_WIDEST >= %d", plan_lanes_needed(k->vectors.program));
}

void emission_kernel(const emission *e, value *v, const kernel_plan *k)
{
    value_set(v, "function", arena_printf(e->memory, "%s_%s", e->robot, k->info->name));
    value_set(v, "meaning", k->info->meaning);
    value_set(v, "equation", k->info->equation);
    emission_counts(e, v, &k->plain, "");
    set_texts(e, v, k);
    value_set(v, "parameters", emission_text(e, emission_parameters, k, ""));
    value_list(v, "lanes");
    for (int i = 0; i < e->o->n_lanes; i++) {
        value *w = value_append(v, "lanes");
        emission_number(e, w, "w", e->o->lanes[i]);
        value_set(w, "parameters_w",
                  emission_text(e, emission_parameters, k, arena_printf(e->memory, "%d*", e->o->lanes[i])));
    }
}

const char *emission_gravity(const emission *e, bool c)
{
    char x[3][NUMBER_SIZE];
    if (e->o->trace.gravity_input) return c ? "0.0, 0.0, 0.0" : "an argument";
    for (int i = 0; i < 3; i++) number_print(x[i], e->m->gravity[i]);
    return arena_printf(e->memory, c ? "%s, %s, %s" : "(%s, %s, %s)", x[0], x[1], x[2]);
}

/* ---- widths and stack */

int emission_width(const emission *e, int i) { return i ? e->o->lanes[i - 1] : 1; }

int emission_widest(const emission *e) { return e->o->n_lanes ? e->o->lanes[e->o->n_lanes - 1] : 0; }

int emission_narrow(const emission *e)
{
    return e->o->n_lanes > 1 ? e->o->lanes[e->o->n_lanes - 2] : emission_widest(e);
}

static long number_size(const emission *e) { return e->o->single ? sizeof(float) : sizeof(double); }

static long numbers_of_args(const emission *e, const kernel_plan *k)
{
    arg list[ARG_COUNT];
    long sum = 0;
    for (int n_in, i = kernel_args(k->info, &e->o->trace, list, &n_in); i-- > 0;)
        sum += (long)arg_rows(list[i], &e->sizes) * arg_cols(list[i], &e->sizes);
    return sum;
}

/* Without vectors a kernel for lanes calls that for one state, lane by lane. */
long emission_stack(const emission *e, const kernel_plan *k, int lanes)
{
    long size = number_size(e), one = stack_of(k->plain.program, size);
    long vectors = k->vectors.program ? stack_of(k->vectors.program, size) : 0;
    if (vectors > one) one = vectors;
    if (lanes == 1) return one;
    long looped = one + size * numbers_of_args(e, k) + STACK_FRAME, wide = stack_of(k->plain.program, lanes * size);
    return looped > wide ? looped : wide;
}

long emission_batch_stack(const emission *e, const kernel_plan *k)
{
    int w = emission_widest(e);
    return emission_stack(e, k, w) + w * number_size(e) * (numbers_of_args(e, k) + 8) + STACK_FRAME;
}
