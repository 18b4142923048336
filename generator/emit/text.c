#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"
#include "base/number.h"
#include "loops.h"

const char *print_real(const print_style *style) { return style->single ? "float" : "double"; }
const char *print_value(const print_style *style) { return style->lanes ? "V" : print_real(style); }

/* Lanes of the vector that holds a node's value; 1: a plain number. */
int print_room(const printer *p, expr e) { return graph_room(graph_node(p->g, e)->width); }

void print_type(const printer *p, expr e)
{
    if (p->loop)
        fputs(p->style->lanes ? "V" : "sva_item", p->out);
    else if (print_room(p, e) > 1)
        fprintf(p->out, "sva_v%d", print_room(p, e));
    else
        fputs(print_value(p->style), p->out);
}

/* An item of an array: of limbs side by side, all their lanes. */
void print_item(const printer *p, expr e, const char *array, int at)
{
    if (print_room(p, e) > 1 && p->lane < 0)
        fprintf(p->out, "SVA_AT(%d, %s, %d)", print_room(p, e), array, at);
    else
        fprintf(p->out, "%s[%d]", array, at + (print_room(p, e) > 1 ? p->lane : 0));
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

printer printer_of(FILE *out, arena *memory, const schedule *s, const kernel_info *k, const program *prog,
                   const print_style *style)
{
    return (printer){.out = out,
                     .s = s,
                     .g = s->g,
                     .style = style,
                     .kernel = k,
                     .program = prog,
                     .number = number_names(memory, s),
                     .constant = place_constants(memory, s->g),
                     .lane = -1};
}

/* ---- expressions */

static void print_constant(const printer *p, double value)
{
    char text[NUMBER_SIZE];
    if (p->loop && value == 0) {
        fputs("zero", p->out);
        return;
    }
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
    if (p->loop) {
        loop_print_slot(p, slot);
        return;
    }
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

/* In a loop, which runs often, a - b turned round costs nothing. */
static void print_negation(const printer *p, expr a, bool names)
{
    const gnode *n = graph_node(p->g, a);
    bool turned = p->loop && n->op == OP_SUB && !p->s->named[a];
    fputs(turned ? "(" : "(-", p->out);
    print_expr(p, turned ? n->b : a, turned ? 1 : 3, names);
    if (turned) {
        fputs(" - ", p->out);
        print_expr(p, n->a, 2, names);
    }
    fputc(')', p->out);
}

static void print_call(const printer *p, const gnode *n, bool names)
{
    fprintf(p->out, "%s%s(", graph_op_table[n->op].name, p->style->single ? "f" : "");
    print_expr(p, n->a, 1, names);
    fputc(')', p->out);
}

static void print_name(const printer *p, expr e) { fprintf(p->out, p->loop ? "x%d_%d" : "x%d", p->number[e], p->side); }

/* Of the array of tuples, which print.c defines in front of the kernel. */
static void print_constant_item(const printer *p, expr e)
{
    char name[300];
    snprintf(name, sizeof name, "%s_k", p->style->name);
    print_item(p, e, name, p->constant[e]);
}

void print_expr(const printer *p, expr e, int least, bool names)
{
    const gnode *n = graph_node(p->g, e);
    bool wide = n->width > 1 && p->lane < 0, name = names && p->s->named[e];
    if (n->op == OP_CONST && wide)
        print_constant_item(p, e);
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
        print_name(p, e);
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

void print_lanes(const printer *p, expr e, bool names)
{
    for (int l = 0; l < print_room(p, e); l++) {
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

static void print_definition_of(const printer *p, expr e)
{
    const gnode *n = graph_node(p->g, e);
    fputs(p->loop ? "                const " : "    const ", p->out);
    print_type(p, e);
    fputc(' ', p->out);
    print_name(p, e);
    fputs(" = ", p->out);
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
        print_definition_of(p, e);
    if (crossing >= 0 && n->width > 1)
        fprintf(p->out, "    SVA_PUT(%d, w, %d, x%d);\n", print_room(p, e), crossing, p->number[e]);
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

void print_store(const printer *p, const graph_output *o)
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
    expr e = graph_positive(p->g, st->value);
    return p->s->named[e] || length == print_room(p, e) ? length : 1; /* a part is taken of a variable only */
}

/* Neighbouring lanes at once. */
static void print_run(const printer *p, const graph_output *o, int length)
{
    expr e = o->value;
    bool minus = false;
    for (; graph_node(p->g, e)->op == OP_NEG; e = graph_node(p->g, e)->a) minus = !minus;
    fprintf(p->out, "    SVA_PUT(%d, %s, %d, %s", length, slot_name(o->slot.arg), out_index(p, o->slot),
            minus ? "-" : "");
    if (length == print_room(p, e) || !p->s->named[e])
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
bool print_is_apart(const printer *p, const statement *st)
{
    return p->apart && st->output >= 0 && graph_node(p->g, st->value)->op == OP_CONST &&
           !slot_is_local(p->g->outputs.at[st->output].slot.arg);
}

void print_statements(const printer *p, int from, int to)
{
    int section = -1, moment = -1;
    for (int i = from; i < to; i++) {
        const statement *st = &p->s->at[i];
        if (print_is_apart(p, st)) continue;
        int own = graph_node(p->g, st->value)->section, now = graph_node(p->g, st->value)->moment;
        if (p->reload && now != moment) fputs("    SVA_RELOAD;\n", p->out);
        moment = now;
        if (own != section && !p->loop && graph_op_table[graph_node(p->g, st->value)->op].operands)
            print_section(p, section = own);
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
