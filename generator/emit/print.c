#include "print.h"

#include <stdlib.h>
#include "apart.h"
#include "loops.h"
#include "text.h"

void print_comment_text(FILE *out, const char *text)
{
    int n = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c && n < 80; c++, n++)
        if (*c < 32 || *c == 127 || *c == '*' || *c == '\\' || *c == '?')
            fputc('_', out);
        else
            fputc(*c, out);
    if (n == 80) fputs("...", out);
}

/* ---- arguments */

void print_size(FILE *out, arg a, const print_style *style) { arg_print_size(out, a, style->defines); }

void print_parameters(FILE *out, const kernel_info *k, const print_style *style, const char *times)
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(k, style->options, list, &n_in);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%s%s%s %s[%s", i ? ", " : "", i < n_in ? "const " : "", print_real(style),
                arg_table[list[i]].name, times);
        print_size(out, list[i], style);
        fputc(']', out);
    }
}

/* ---- functions */

static bool part_is_empty(const printer *p, int part)
{
    int i = p->s->cut[part];
    while (i < p->s->cut[part + 1] && print_is_apart(p, &p->s->at[i])) i++;
    return i == p->s->cut[part + 1];
}

/* What a part of the text reads and writes: arguments, sines, values from other parts. */
typedef struct traffic {
    bool arg[SLOT_COUNT], sine, cosine, crossing;
    bool *seen; /* per node */
    int n;
    expr *loads; /* values of other parts */
} traffic;

static void visit(const printer *p, traffic *t, expr e, bool top, const int *home, int part)
{
    const gnode *n = graph_node(p->g, e);
    if (p->s->angle[e] >= 0) {
        *(n->op == OP_SIN ? &t->sine : &t->cosine) = true;
    } else if (n->op == OP_INPUT && (top || !p->s->named[e])) {
        t->arg[graph_slots(p->g, e)->arg] = true;
    } else if (!top && p->s->named[e]) {
        if (home[e] == part || t->seen[e]) return;
        t->seen[e] = true;
        t->loads[t->n++] = e;
    } else {
        for (int k = 0; k < graph_op_table[n->op].operands; k++) visit(p, t, k ? n->b : n->a, false, home, part);
    }
}

static traffic traffic_of(const printer *p, arena *memory, const int *home, int part)
{
    traffic t = {.seen = ARENA_ARRAY(memory, bool, p->g->nodes.n), .loads = ARENA_ARRAY(memory, expr, p->g->nodes.n)};
    for (int i = p->s->cut[part]; i < p->s->cut[part + 1]; i++) {
        const statement *st = &p->s->at[i];
        if (print_is_apart(p, st)) continue;
        visit(p, &t, st->value, st->output < 0, home, part);
        if (st->output >= 0) t.arg[p->g->outputs.at[st->output].slot.arg] = true;
        if (st->output < 0 && p->s->crossing[st->value] >= 0) t.crossing = true;
    }
    t.crossing = t.crossing || t.n;
    return t;
}

/* A part's parameters (declaration) or arguments (call): only what it uses. */
static void print_part_list(const printer *p, const traffic *t, bool declare)
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(p->kernel, p->style->options, list, &n_in);
    const char *comma = "", *type = print_real(p->style), *value = print_value(p->style);
    for (int i = 0; i < n; i++) {
        if (!t->arg[list[i]]) continue;
        fputs(comma, p->out);
        if (declare) fprintf(p->out, "%s%s *SVA_RESTRICT ", i < n_in ? "const " : "", type);
        fputs(arg_table[list[i]].name, p->out);
        comma = ", ";
    }
    for (int a = LOCAL_L; a < (int)SLOT_COUNT; a++) {
        if (!t->arg[a]) continue;
        fprintf(p->out, declare ? "%s%s *SVA_RESTRICT %s" : "%s%.0s%s", comma, value, slot_name(a));
        comma = ", ";
    }
    for (int k = 0; k < 2; k++) {
        if (!(k ? t->cosine : t->sine)) continue;
        fprintf(p->out, declare ? "%sconst %s *SVA_RESTRICT %s" : "%s%.0s%s", comma, value, k ? "c" : "s");
        comma = ", ";
    }
    if (t->crossing) fprintf(p->out, declare ? "%s%s *SVA_RESTRICT w" : "%sw", comma, value);
}

/* Before a function that computes with vectors. */
static void print_stack(const printer *p)
{
    bool vectors = p->style->lanes;
    for (expr e = 0; e < p->g->nodes.n; e++) vectors = vectors || print_room(p, e) > 1;
    if (vectors) fputs("SVA_STACK ", p->out);
}

static const char *part_name(const printer *p, int part, char *buffer, size_t size)
{
    snprintf(buffer, size, p->style->lanes ? "FN(%s_part%d)" : "%s_part%d", p->style->name, part + 1);
    return buffer;
}

static void print_part(const printer *p, const traffic *t, int part)
{
    char name[512];
    if (part_is_empty(p, part)) return;
    print_stack(p);
    fprintf(p->out, "static void %s(", part_name(p, part, name, sizeof name));
    print_part_list(p, t, true);
    fputs(")\n{\n", p->out);
    for (int i = 0; i < t->n; i++) {
        fputs("    const ", p->out);
        print_type(p, t->loads[i]);
        fprintf(p->out, " x%d = ", p->number[t->loads[i]]);
        print_item(p, t->loads[i], "w", p->s->crossing[t->loads[i]]);
        fputs(";\n", p->out);
    }
    print_statements(p, p->s->cut[part], p->s->cut[part + 1]);
    fputs("}\n\n", p->out);
}

/* All sines and cosines at once: with vectors over the joints for one state, over the states for lanes. */
static void print_angles(const printer *p)
{
    int n = p->s->n_angles, used = p->s->angle_room, room = p->style->lanes ? n : (used + 3) / 4 * 4;
    if (!n) return;
    fprintf(p->out, "    %s%s t[%d]%s", p->style->lanes ? "" : "const ", print_value(p->style), room,
            p->style->lanes ? ", s" : " = {");
    if (p->style->lanes) {
        fprintf(p->out, "[%d], c[%d];\n", n, n);
        for (int i = 0; i < n; i++) {
            fprintf(p->out, "    t[%d] = ", i);
            print_expr(p, p->s->angles[i], 1, false);
            fputs(";\n", p->out);
        }
        fprintf(p->out, "    for (int i = 0; i < %d; i++) SINCOS(&t[i], &s[i], &c[i]);\n", n);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (i) fputs(", ", p->out);
        print_lanes(p, p->s->angles[i], false);
    }
    for (int i = used; i < room; i++) fputs(p->style->single ? ", 0.0f" : ", 0.0", p->out);
    fprintf(p->out, "};\n    %s s[%d], c[%d];\n    sva_sincos_n(%d, t, s, c);\n", print_value(p->style), room, room,
            used);
}

static void print_unused(const printer *p, const bool used[SLOT_COUNT])
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(p->kernel, p->style->options, list, &n_in);
    for (int i = 0; i < n; i++)
        if (!used[list[i]]) fprintf(p->out, "    (void)%s;\n", arg_table[list[i]].name);
}

static void angle_args(const printer *p, expr e, bool used[SLOT_COUNT])
{
    const gnode *n = graph_node(p->g, e);
    if (n->op == OP_INPUT) used[graph_slots(p->g, e)->arg] = true;
    for (int k = 0; k < graph_op_table[n->op].operands; k++) angle_args(p, k ? n->b : n->a, used);
}

/* ---- solving by blocks */

static void print_locals(const printer *p)
{
    const int *room = p->program->room;
    const char *type = print_value(p->style);
    loops_print_locals(p->out, p->program, p->style);
    if (room[LOCAL_L]) fprintf(p->out, "    %s L[%d], Dinv[%d];\n", type, room[LOCAL_L], room[LOCAL_DINV]);
    if (room[LOCAL_L]) fprintf(p->out, "    %s X[%d] SVA_ALIGN64;\n", type, room[LOCAL_X]);
}

static void print_calls(const printer *p, const traffic *t)
{
    for (int part = 0; part < p->s->n_cuts; part++) {
        char name[512];
        if (part_is_empty(p, part)) continue;
        fprintf(p->out, "    %s(", part_name(p, part, name, sizeof name));
        print_part_list(p, &t[part], false);
        fputs(");\n", p->out);
    }
}

static void add_used(const printer *p, const traffic *t, bool used[SLOT_COUNT])
{
    for (int part = 0; part < p->s->n_cuts; part++)
        for (int a = 0; a < (int)SLOT_COUNT; a++) used[a] = used[a] || t[part].arg[a];
    for (int i = 0; i < p->s->n_angles; i++) angle_args(p, p->s->angles[i], used);
}

static void print_block_call(const printer *p, const stage *s)
{
    fprintf(p->out,
            p->style->lanes ? "    FN(%s_solve%d)(L, Dinv, X + %d, %s + %d * W);\n"
                            : "    %s_solve%d(L, Dinv, X + %d, %s + %d);\n",
            p->style->name, s->text, s->block.at, slot_name(s->block.out),
            s->block.first * (p->style->column_major ? p->style->model->nv : 1));
}

static void print_stage(const printer *p, const traffic *t, const stage *s)
{
    if (s->kind == STAGE_STRAIGHT) print_calls(p, t);
    if (s->kind == STAGE_CALL) print_block_call(p, s);
    if (s->kind == STAGE_LOOP) loop_print_call(p->out, p->program, s->loop, p->style);
}

static bool writes(const program *p, const stage *s, arg a)
{
    return s->kind == STAGE_LOOP ? loop_writes(p, s->loop, a) : s->kind == STAGE_CALL && s->block.out == (int)a;
}

/* "void ur5_idsva(const double q[UR5_NQ], ...": the head of a function that has the kernel's arguments. */
static void print_head(const printer *p, const char *before, const char *behind)
{
    fprintf(p->out, p->style->lanes ? "%svoid FN(%s%s)(" : "%svoid %s%s(", before, p->style->name, behind);
    print_parameters(p->out, p->kernel, p->style, p->style->lanes ? "W*" : "");
}

/* "dtau_dq, dtau_dv", or with the inputs before. */
static void print_names(const printer *p, bool inputs)
{
    arg list[ARG_COUNT];
    int n_in, n = kernel_args(p->kernel, p->style->options, list, &n_in), first = inputs ? 0 : n_in;
    for (int i = first; i < n; i++) fprintf(p->out, "%s%s", i > first ? ", " : "", arg_table[list[i]].name);
}

static void print_constant_outputs(const printer *p)
{
    bool used[SLOT_COUNT] = {false};
    fprintf(p->out, "/* The outputs that are constant. */\nstatic void FN(%s_constants)(", p->style->name);
    for (const arg *a = p->kernel->out; *a != ARG_COUNT; a++)
        fprintf(p->out, "%s%s *%s", a > p->kernel->out ? ", " : "", print_real(p->style), arg_table[*a].name);
    fputs(")\n{\n", p->out);
    for (int i = 0; i < p->s->n; i++) {
        if (!print_is_apart(p, &p->s->at[i])) continue;
        const graph_output *o = &p->g->outputs.at[p->s->at[i].output];
        print_store(p, o);
        used[o->slot.arg] = true;
    }
    for (const arg *a = p->kernel->out; *a != ARG_COUNT; a++)
        if (!used[*a]) fprintf(p->out, "    (void)%s;\n", arg_table[*a].name);
    fputs("}\n\n", p->out);
}

/* Constants, then all other outputs. */
static void print_both(const printer *p)
{
    print_head(p, "\n", "");
    fprintf(p->out, ")\n{\n    FN(%s_constants)(", p->style->name);
    print_names(p, false);
    fprintf(p->out, ");\n    FN(%s_varying)(", p->style->name);
    print_names(p, true);
    fputs(");\n}\n", p->out);
}

static void print_function(const printer *p, const traffic *t)
{
    bool used[SLOT_COUNT] = {false};
    const stage *first = p->program->stages.at, *last = first + p->program->stages.n;
    add_used(p, t, used);
    for (const stage *s = first; s < last; s++)
        for (int a = 0; a < ARG_COUNT; a++) used[a] = used[a] || writes(p->program, s, (arg)a);
    if (p->apart) print_constant_outputs(p);
    print_stack(p);
    print_head(p, p->apart ? "static " : "", p->apart ? "_varying" : "");
    fputs(")\n{\n", p->out);
    print_unused(p, used);
    print_angles(p);
    print_locals(p);
    if (p->s->n_crossing) fprintf(p->out, "    %s w[%d];\n", print_value(p->style), p->s->n_crossing);
    for (const stage *s = first; s < last; s++) print_stage(p, t, s);
    fputs("}\n", p->out);
    if (p->apart) print_both(p);
}

/* Constants that differ from limb to limb: one array of tuples. */
static void print_constants(const printer *p)
{
    int size = 0;
    for (expr e = 0; e < p->g->nodes.n; e++)
        if (p->constant[e] >= 0) size = p->constant[e] + print_room(p, e);
    if (!size) return;
    fprintf(p->out, "static const %s %s_k[%d] SVA_ALIGN64 = {", print_real(p->style), p->style->name, size);
    for (expr e = 0; e < p->g->nodes.n; e++) {
        if (p->constant[e] < 0) continue;
        fputs("\n    ", p->out);
        print_lanes(p, e, false);
        fputc(',', p->out);
    }
    fputs("\n};\n\n", p->out);
}

/* The parts of one text, as functions. */
static traffic *print_parts(const printer *p, arena *memory)
{
    const schedule *s = p->s;
    int *home = ARENA_ARRAY(memory, int, s->g->nodes.n);
    for (int part = 0; part < s->n_cuts; part++)
        for (int i = s->cut[part]; i < s->cut[part + 1]; i++)
            if (s->at[i].output < 0) home[s->at[i].value] = part;
    traffic *t = ARENA_ARRAY(memory, traffic, s->n_cuts);
    for (int part = 0; part < s->n_cuts; part++) t[part] = traffic_of(p, memory, home, part);
    print_constants(p);
    for (int part = 0; part < s->n_cuts; part++) print_part(p, &t[part], part);
    return t;
}

static void print_unused_locals(const printer *p, arena *memory)
{
    static const local given[] = {LOCAL_L, LOCAL_DINV, LOCAL_BLOCK};
    traffic t = traffic_of(p, memory, ARENA_ARRAY(memory, int, p->g->nodes.n), 0);
    for (int i = 0; i < 3; i++)
        if (!t.arg[given[i]]) fprintf(p->out, "    (void)%s;\n", slot_name((int)given[i]));
}

/* A block's text: one function, whatever its length, because little of it is alive at once. */
static void print_block(const printer *p, arena *memory, int number)
{
    const char *value = print_value(p->style);
    print_stack(p);
    fprintf(p->out, p->style->lanes ? "static void FN(%s_solve%d)(" : "static void %s_solve%d(", p->style->name,
            number);
    fprintf(p->out, "const %s *SVA_RESTRICT L, const %s *SVA_RESTRICT Dinv, const %s *SVA_RESTRICT x, ", value, value,
            value);
    fprintf(p->out, "%s *SVA_RESTRICT out", print_real(p->style));
    fputs(")\n{\n", p->out);
    print_unused_locals(p, memory);
    print_statements(p, 0, p->s->n);
    fputs("}\n\n", p->out);
}

void print_kernel(FILE *out, const kernel_info *k, const program *prog, const print_style *style)
{
    arena *memory = arena_new();
    const program_text *texts = prog->texts.at;
    printer p = printer_of(out, memory, texts[0].schedule, k, prog, style);
    p.apart = style->lanes && apart_from(prog, k, style);
    traffic *t = print_parts(&p, memory);
    for (int i = 1; i < prog->texts.n; i++) {
        if (texts[i].body) continue;
        printer one = printer_of(out, memory, texts[i].schedule, k, prog, style);
        one.reload = true;
        print_block(&one, memory, i);
    }
    loops_print(out, k, prog, style);
    print_function(&p, t);
    arena_free(memory);
}
