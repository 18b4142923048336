#include "print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "apart.h"
#include "base/invariant.h"
#include "base/number.h"
#include "loops.h"

typedef struct printer {
    FILE *out;
    const schedule *s;
    const graph *g;
    const print_style *style;
    const kernel_info *kernel;
    const int *number;     /* per node: the number in its name */
    const int *constant;   /* per node: the place of a tuple in an array */
    const char *constants; /* the array */
    const tail *end;
    int lane;    /* the one that is printed; -1: values as a whole */
    bool reload; /* inputs are read where they are used, rather than kept */
    bool apart;  /* constant outputs have a function of their own */
} printer;

static const char *real(const print_style *style) { return style->single ? "float" : "double"; }
static const char *value_type(const print_style *style) { return style->lanes ? "V" : real(style); }

/* Lanes of the vector that holds a node's value; 1: a plain number. */
static int room_of(const printer *p, expr e) { return graph_room(graph_node(p->g, e)->width); }

static void print_type(const printer *p, expr e)
{
    if (room_of(p, e) > 1)
        fprintf(p->out, "sva_v%d", room_of(p, e));
    else
        fputs(value_type(p->style), p->out);
}

/* An item of an array: of limbs side by side, all their lanes. */
static void print_item(const printer *p, expr e, const char *array, int at)
{
    if (room_of(p, e) > 1 && p->lane < 0)
        fprintf(p->out, "SVA_AT(%d, %s, %d)", room_of(p, e), array, at);
    else
        fprintf(p->out, "%s[%d]", array, at + (room_of(p, e) > 1 ? p->lane : 0));
}

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
        fprintf(out, "%s%s%s %s[%s", i ? ", " : "", i < n_in ? "const " : "", real(style), arg_table[list[i]].name,
                times);
        print_size(out, list[i], style);
        fputc(']', out);
    }
}

/* ---- expressions */

static void print_constant(const printer *p, double value)
{
    char text[NUMBER_SIZE];
    INVARIANT(p->style->single ? isfinite((float)value) : isfinite(value));
    if (p->style->single)
        number_print_float(text, (float)value);
    else
        number_print(text, value);
    fputs(text, p->out);
    if (!strpbrk(text, ".e")) fputs(".0", p->out);
    if (p->style->single) fputc('f', p->out);
}

static void print_slot(const printer *p, graph_slot slot)
{
    bool load = p->style->lanes && !slot_is_local(slot.arg);
    fprintf(p->out, load ? "LOAD(%s, %d)" : "%s[%d]", slot_name(slot.arg), slot.index);
}

/* The lane of a node that is printed. Vectors may have more lanes than there are limbs: those repeat the last. */
static int lane_of(const printer *p, expr e, int lane)
{
    int width = graph_node(p->g, e)->width;
    return lane < 0 ? 0 : lane < width ? lane : width - 1;
}

/* How tightly an operator binds; an operand that binds less gets parentheses, and a right operand that binds the same,
   so that C adds up in the order that was traced. */
static int binding(graph_op op) { return op == OP_ADD || op == OP_SUB ? 1 : op == OP_MUL || op == OP_DIV ? 2 : 3; }

static void print_expr(const printer *p, expr e, int least, bool names);

static void print_operator(const printer *p, expr e, int least, bool names)
{
    const gnode *n = graph_node(p->g, e);
    int own = binding((graph_op)n->op);
    if (own < least) fputc('(', p->out);
    print_expr(p, n->a, own, names);
    fprintf(p->out, own == 1 ? " %s " : "%s", graph_op_table[n->op].infix);
    print_expr(p, n->b, own + 1, names);
    if (own < least) fputc(')', p->out);
}

static void print_negation(const printer *p, expr a, bool names)
{
    fputs("(-", p->out);
    print_expr(p, a, 3, names);
    fputc(')', p->out);
}

static void print_call(const printer *p, const gnode *n, bool names)
{
    fprintf(p->out, "%s%s(", graph_op_table[n->op].name, p->style->single ? "f" : "");
    print_expr(p, n->a, 1, names);
    fputc(')', p->out);
}

/* names: false to write out everything, for angles, which come before all statements. */
static void print_expr(const printer *p, expr e, int least, bool names)
{
    const gnode *n = graph_node(p->g, e);
    bool wide = n->width > 1 && p->lane < 0, name = names && p->s->named[e];
    if (n->op == OP_CONST && wide)
        print_item(p, e, p->constants, p->constant[e]);
    else if (n->op == OP_CONST)
        print_constant(p, graph_values(p->g, e)[lane_of(p, e, p->lane)]);
    else if (n->op == OP_INPUT && wide && !name)
        print_item(p, e, slot_name(graph_slots(p->g, e)->arg), graph_slots(p->g, e)->index);
    else if (n->op == OP_INPUT && !name)
        print_slot(p, graph_slots(p->g, e)[lane_of(p, e, p->lane)]);
    else if (p->s->angle[e] >= 0)
        print_item(p, e, n->op == OP_SIN ? "s" : "c", p->s->angle[e]);
    else if (name && n->width > 1 && p->lane >= 0)
        fprintf(p->out, "x%d[%d]", p->number[e], p->lane);
    else if (name)
        fprintf(p->out, "x%d", p->number[e]);
    else if (n->op == OP_NEG)
        print_negation(p, n->a, names);
    else if (!graph_op_table[n->op].infix)
        print_call(p, n, names);
    else
        print_operator(p, e, least, names);
}

/* ---- statements */

/* A function of libm, lane by lane. */
static void print_lane_call(const printer *p, expr e)
{
    const gnode *n = graph_node(p->g, e);
    fprintf(p->out, "    V x%d = ", p->number[e]);
    print_expr(p, n->a, 1, true);
    fprintf(p->out, ";\n    for (int l = 0; l < W; l++) x%d[l] = %s%s(x%d[l]);\n", p->number[e],
            graph_op_table[n->op].name, p->style->single ? "f" : "", p->number[e]);
}

/* One lane of e, or an item of a list of all. */
static void print_lane(const printer *p, expr e, int lane, int least, bool names)
{
    printer one = *p;
    one.lane = lane;
    print_expr(&one, e, least, names);
}

static void print_lanes(const printer *p, expr e, bool names)
{
    for (int l = 0; l < room_of(p, e); l++) {
        if (l) fputs(", ", p->out);
        print_lane(p, e, lane_of(p, e, l), 1, names);
    }
}

static void print_gather(const printer *p, expr e)
{
    fputc('{', p->out);
    print_lanes(p, e, false);
    fputc('}', p->out);
}

static void print_sum(const printer *p, const gnode *n)
{
    for (int l = 0; l < n->b; l++) {
        if (l) fputs(" + ", p->out);
        print_lane(p, n->a, l, 2, true);
    }
}

static void print_value(const printer *p, expr e)
{
    const gnode *n = graph_node(p->g, e);
    fputs("    const ", p->out);
    print_type(p, e);
    fprintf(p->out, " x%d = ", p->number[e]);
    if (n->op == OP_INPUT)
        print_gather(p, e);
    else if (n->op == OP_SUM)
        print_sum(p, n);
    else if (n->op == OP_NEG)
        print_negation(p, n->a, true);
    else if (!graph_op_table[n->op].infix)
        print_call(p, n, true);
    else
        print_operator(p, e, 1, true);
    fputs(";\n", p->out);
}

static void print_definition(const printer *p, expr e)
{
    const gnode *n = graph_node(p->g, e);
    int crossing = p->s->crossing[e];
    if (p->style->lanes && n->op != OP_NEG && !graph_op_table[n->op].infix)
        print_lane_call(p, e);
    else
        print_value(p, e);
    if (crossing >= 0 && n->width > 1)
        fprintf(p->out, "    SVA_PUT(%d, w, %d, x%d);\n", room_of(p, e), crossing, p->number[e]);
    else if (crossing >= 0)
        fprintf(p->out, "    w[%d] = x%d;\n", crossing, p->number[e]);
}

int print_index(const print_style *style, graph_slot slot)
{
    int rows, cols;
    if (slot_is_local(slot.arg) && slot.arg != LOCAL_SOLVED) return slot.index;
    arg_size(slot.arg == LOCAL_SOLVED ? ARG_MINV : (arg)slot.arg, style->model, style->options, &rows, &cols);
    if (!style->column_major || cols == 1) return slot.index;
    return slot.index % cols * rows + slot.index / cols;
}

static int out_index(const printer *p, graph_slot slot) { return print_index(p->style, slot); }

static void print_store(const printer *p, const graph_output *o)
{
    bool store = p->style->lanes && (!slot_is_local(o->slot.arg) || o->slot.arg == LOCAL_SOLVED);
    bool splat = p->style->lanes && graph_node(p->g, o->value)->op == OP_CONST;
    fprintf(p->out, store ? "    STORE(%s, %d, " : "    %s[%d] = ", slot_name(o->slot.arg), out_index(p, o->slot));
    if (splat) fputs("SPLAT(", p->out);
    print_lane(p, o->value, graph_node(p->g, o->value)->width > 1 ? o->lane : -1, 1, true);
    if (splat) fputc(')', p->out);
    fputs(store ? ");\n" : ";\n", p->out);
}

/* How many stores from statement i on are of neighbouring lanes into neighbouring places: a power of two, for which the
   first lane is a multiple. */
static int run_length(const printer *p, int i, int to)
{
    const statement *st = &p->s->at[i];
    const graph_output *first = &p->g->outputs.at[st->output];
    int n = 1, length = 1;
    if (graph_node(p->g, st->value)->width == 1 || (slot_is_local(first->slot.arg) && p->style->lanes)) return 1;
    for (; i + n < to && st[n].output >= 0 && st[n].value == st->value; n++) {
        const graph_output *o = &p->g->outputs.at[st[n].output];
        if (o->slot.arg != first->slot.arg || o->lane != first->lane + n ||
            out_index(p, o->slot) != out_index(p, first->slot) + n)
            break;
    }
    while (2 * length <= n && first->lane % (2 * length) == 0) length *= 2;
    return length;
}

/* Neighbouring lanes at once. */
static void print_run(const printer *p, const graph_output *o, int length)
{
    expr e = o->value;
    bool minus = false;
    for (; graph_node(p->g, e)->op == OP_NEG; e = graph_node(p->g, e)->a) minus = !minus;
    fprintf(p->out, "    SVA_PUT(%d, %s, %d, %s", length, slot_name(o->slot.arg), out_index(p, o->slot),
            minus ? "-" : "");
    if (length == room_of(p, e) || !p->s->named[e])
        print_expr(p, e, 3, true);
    else
        fprintf(p->out, "SVA_PART(%d, x%d, %d)", length, p->number[e], o->lane / length);
    fputs(");\n", p->out);
}

static void print_section(const printer *p, int section)
{
    const model *m = p->style->model;
    fputs("    /* ", p->out);
    print_comment_text(p->out, section > 0 && section <= m->n_bodies ? m->bodies[section - 1].name : "the ground");
    fputs(" */\n", p->out);
}

/* A constant output that no part stores. */
static bool apart(const printer *p, const statement *st)
{
    return p->apart && st->output >= 0 && graph_node(p->g, st->value)->op == OP_CONST &&
           !slot_is_local(p->g->outputs.at[st->output].slot.arg);
}

static bool part_is_empty(const printer *p, int part)
{
    int i = p->s->cut[part];
    while (i < p->s->cut[part + 1] && apart(p, &p->s->at[i])) i++;
    return i == p->s->cut[part + 1];
}

static void print_statements(const printer *p, int from, int to)
{
    int section = -1, moment = -1;
    for (int i = from; i < to; i++) {
        const statement *st = &p->s->at[i];
        if (apart(p, st)) continue;
        int own = graph_node(p->g, st->value)->section, now = graph_node(p->g, st->value)->moment;
        if (p->reload && now != moment) fputs("    SVA_RELOAD;\n", p->out);
        moment = now;
        if (own != section && graph_op_table[graph_node(p->g, st->value)->op].operands) print_section(p, section = own);
        if (st->output < 0) {
            print_definition(p, st->value);
            continue;
        }
        const graph_output *o = &p->g->outputs.at[st->output];
        int length = run_length(p, i, to);
        if (length > 1)
            print_run(p, o, length);
        else
            print_store(p, o);
        i += length - 1;
    }
}

/* ---- functions */

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
        if (apart(p, st)) continue;
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
    const char *comma = "", *type = real(p->style), *value = value_type(p->style);
    for (int i = 0; i < n; i++) {
        if (!t->arg[list[i]]) continue;
        fputs(comma, p->out);
        if (declare) fprintf(p->out, "%s%s *SVA_RESTRICT ", i < n_in ? "const " : "", type);
        fputs(arg_table[list[i]].name, p->out);
        comma = ", ";
    }
    for (int a = ARG_COUNT; a < (int)SLOT_COUNT; a++) {
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
    for (expr e = 0; e < p->g->nodes.n; e++) vectors = vectors || room_of(p, e) > 1;
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
    fprintf(p->out, "    %s%s t[%d]%s", p->style->lanes ? "" : "const ", value_type(p->style), room,
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
    fprintf(p->out, "};\n    %s s[%d], c[%d];\n    sva_sincos_n(%d, t, s, c);\n", value_type(p->style), room, room,
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
    const tail *e = p->end;
    const char *type = value_type(p->style);
    if (e->loops) loops_print_locals(p->out, e->loops, p->style);
    if (e->n_blocks) fprintf(p->out, "    %s L[%d], Dinv[%d];\n", type, e->room_L, e->n);
    if (e->n_blocks) fprintf(p->out, "    %s X[%d] SVA_ALIGN64;\n", type, e->room);
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

static void print_block_call(const printer *p, const block *k)
{
    const tail *e = p->end;
    fprintf(p->out,
            p->style->lanes ? "    FN(%s_solve%d)(L, Dinv, X + %d, %s + %d * W);\n"
                            : "    %s_solve%d(L, Dinv, X + %d, %s + %d);\n",
            p->style->name, (int)(k->text - e->texts) + 1, k->at, arg_table[k->out].name,
            k->first * (p->style->column_major ? e->n : 1));
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
        fprintf(p->out, "%s%s *%s", a > p->kernel->out ? ", " : "", real(p->style), arg_table[*a].name);
    fputs(")\n{\n", p->out);
    for (int i = 0; i < p->s->n; i++) {
        if (!apart(p, &p->s->at[i])) continue;
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
    add_used(p, t, used);
    for (int k = 0; k < p->end->n_blocks; k++) used[p->end->blocks[k].out] = true;
    for (int a = 0; a < ARG_COUNT && p->end->loops; a++) used[a] = used[a] || loops_writes(p->end->loops, (arg)a);
    if (p->apart) print_constant_outputs(p);
    print_stack(p);
    print_head(p, p->apart ? "static " : "", p->apart ? "_varying" : "");
    fputs(")\n{\n", p->out);
    print_unused(p, used);
    print_angles(p);
    print_locals(p);
    if (p->s->n_crossing) fprintf(p->out, "    %s w[%d];\n", value_type(p->style), p->s->n_crossing);
    print_calls(p, t);
    for (int k = 0; k < p->end->n_blocks; k++) print_block_call(p, &p->end->blocks[k]);
    if (p->end->loops) loops_print_calls(p->out, p->end->loops, p->style);
    fputs("}\n", p->out);
    if (p->apart) print_both(p);
}

/* Constants that differ from limb to limb: one array of tuples. */
static void print_constants(const printer *p)
{
    int size = 0;
    for (expr e = 0; e < p->g->nodes.n; e++)
        if (p->constant[e] >= 0) size = p->constant[e] + room_of(p, e);
    if (!size) return;
    fprintf(p->out, "static const %s %s[%d] SVA_ALIGN64 = {", real(p->style), p->constants, size);
    for (expr e = 0; e < p->g->nodes.n; e++) {
        if (p->constant[e] < 0) continue;
        fputs("\n    ", p->out);
        print_lanes(p, e, false);
        fputc(',', p->out);
    }
    fputs("\n};\n\n", p->out);
}

static int *place_constants(arena *memory, const graph *g)
{
    int *constant = ARENA_ARRAY(memory, int, g->nodes.n), *uses = graph_uses(g), size = 0;
    for (expr e = 0; e < g->nodes.n; e++) {
        const gnode *n = graph_node(g, e);
        constant[e] = -1;
        if (!uses[e] || n->op != OP_CONST || n->width == 1) continue;
        constant[e] = size;
        size += graph_room(n->width);
    }
    free(uses);
    return constant;
}

/* Names count from 1 in the order of the text. */
static int *number_names(arena *memory, const schedule *s)
{
    int *number = ARENA_ARRAY(memory, int, s->g->nodes.n), n = 0;
    for (int i = 0; i < s->n; i++)
        if (s->at[i].output < 0) number[s->at[i].value] = ++n;
    return number;
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

/* A block's text: one function, whatever its length, because little of it is alive at once. */
static void print_block(const printer *p, int number)
{
    const char *value = value_type(p->style);
    print_stack(p);
    fprintf(p->out, p->style->lanes ? "static void FN(%s_solve%d)(" : "static void %s_solve%d(", p->style->name,
            number);
    fprintf(p->out, "const %s *SVA_RESTRICT L, const %s *SVA_RESTRICT Dinv, const %s *SVA_RESTRICT x, ", value, value,
            value);
    fprintf(p->out, "%s *SVA_RESTRICT out", real(p->style));
    fputs(")\n{\n", p->out);
    print_statements(p, 0, p->s->n);
    fputs("}\n\n", p->out);
}

static printer printer_of(FILE *out, arena *memory, const schedule *s, const kernel_info *k, const tail *end,
                          const print_style *style)
{
    return (printer){.out = out,
                     .s = s,
                     .g = s->g,
                     .style = style,
                     .kernel = k,
                     .number = number_names(memory, s),
                     .constant = place_constants(memory, s->g),
                     .constants = arena_printf(memory, "%s_k", style->name),
                     .end = end,
                     .lane = -1};
}

void print_kernel(FILE *out, const kernel_info *k, const schedule *s, const schedule *const *blocks, const tail *end,
                  const print_style *style)
{
    arena *memory = arena_new();
    printer p = printer_of(out, memory, s, k, end, style);
    p.apart = style->lanes && apart_from(s, k, style);
    traffic *t = print_parts(&p, memory);
    for (int b = 0; b < end->n_texts; b++) {
        printer one = printer_of(out, memory, blocks[b], k, end, style);
        one.reload = true;
        print_block(&one, b + 1);
    }
    if (end->loops) loops_print(out, end->loops, style);
    print_function(&p, t);
    arena_free(memory);
}
