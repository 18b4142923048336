#include "loops.h"

#include <string.h>
#include "base/invariant.h"

static loop_writer writer_of(FILE *out, const kernel_info *k, const program *p, const loop *l, const print_style *style)
{
    loop_writer w = {out, p, l, style, k, print_real(style), "V", "V", "V"};
    if (!style->lanes) w.E = w.real, w.item = "sva_item", w.at = "sva_item_at";
    return w;
}

bool loop_writes(const program *p, const loop *l, arg a)
{
    if (l->kind == LOOP_SWEEPS) return l->inverse ? a == ARG_MINV : (int)a == l->kept[0] || (int)a == l->kept[1];
    const graph *g = p->texts.at[l->pair].graph;
    for (int o = 0; o < g->outputs.n; o++)
        if (g->outputs.at[o].slot.arg == (int)a) return true;
    return false;
}

void loop_entry(const loop_writer *w, char *buffer, size_t size, const char *row, const char *column)
{
    bool columns = w->style->column_major;
    snprintf(buffer, size, "%s * %d + %s", columns ? column : row, w->l->tree->n, columns ? row : column);
}

void loop_table(const loop_writer *w, const char *name, int columns, int count, const int *x)
{
    LINE("    static const short %s[][%d] = {", name, columns);
    for (int i = 0; i < count; i++) {
        LINE("%s{", i % 8 ? " " : "\n        ");
        for (int k = 0; k < columns; k++) LINE("%s%d", k ? ", " : "", x[i * columns + k]);
        LINE("},");
    }
    LINE("\n    };\n");
}

void loop_outputs(const loop_writer *w, bool declare)
{
    for (int a = ARG_INPUTS; a < (int)ARG_COUNT; a++)
        if (loop_writes(w->program, w->l, (arg)a) && a != ARG_MINV)
            LINE(declare ? ", %s *SVA_RESTRICT %s" : ", %.0s%s", w->real, arg_table[a].name);
}

void loop_function(const loop_writer *w)
{
    LINE(w->style->lanes ? "SVA_STACK static void FN(%s_%s)(" : "SVA_STACK static void %s_%s(", w->style->name,
         w->l->name);
}

/* ---- tables */

/* For each joint: its first column, the next joint's, the end of its subtree, its branch, the branch of its parent.
   Branches: -1: none; of a parent: -1: the joint before, -2: the ground. */
static void print_joints(const loop_writer *w)
{
    const loop_tree *l = w->l->tree;
    arena *memory = arena_new();
    int *x = ARENA_ARRAY(memory, int, 5 * l->n_joints), n = 0;
    for (int i = 0; i < l->n_joints; i++) {
        const loop_joint *j = &l->joint[i];
        x[n++] = j->first, x[n++] = j->next, x[n++] = j->end, x[n++] = j->branch;
        x[n++] = j->parent < 0 ? -2 : j->parent == i - 1 ? -1 : l->joint[j->parent].branch;
    }
    loop_table(w, "joint", 5, l->n_joints, x);
    arena_free(memory);
}

static int width_of(const loop_writer *w) { return w->style->lanes ? 1 : 8; }
static const char *numbers(const loop_writer *w) { return w->style->lanes ? "1" : "SVA_ITEM"; } /* of an item */

/* Rows of G have room for whole items. */
static int stride_of(const loop_writer *w)
{
    int most = SIDE * width_of(w);
    return (w->l->tree->n + most - 1) / most * most;
}

/* The joint of each column. */
static void print_joint_of(const loop_writer *w)
{
    LINE("    static const short joint_of[] = {");
    for (int j = 0, n = 0; j < w->l->tree->n_joints; j++)
        for (int c = w->l->tree->joint[j].first; c < w->l->tree->joint[j].next; c++, n++)
            LINE("%s%d", !n ? "" : n % 24 ? ", " : ",\n        ", j);
    LINE("};\n");
}

/* Columns of the identity are windows of one that is twice as long; its second half is zero. */
static void print_unit(const loop_writer *w)
{
    LINE("    %s unit[2 * %d * %s];\n", w->E, SIDE, numbers(w));
    LINE("    for (int i = 0; i < 2 * %d * %s; i++) unit[i] = %s;\n", SIDE, numbers(w), w->style->lanes ? "zero" : "0");
    LINE("    unit[%d * %s - 1] += 1;\n", SIDE, numbers(w));
}

/* A text in which # is a component, @ the number of an item side by side, $ the number among all and ~ an item's type.
 */
static void put(const loop_writer *w, const char *text, int component, int side, int n)
{
    for (const char *c = text; *c; c++)
        if (*c == '~')
            LINE("%s", w->item);
        else if (strchr("#@$", *c))
            LINE("%d", *c == '#' ? component : *c == '@' ? side : n);
        else
            fputc(*c, w->out);
}

/* ---- the text of a column */

void loop_print_slot(const printer *p, graph_slot slot)
{
    FILE *out = p->out;
    switch (slot.arg) {
    case LOOP_RECORD: fprintf(out, "a[%d]", slot.index); break;
    case LOOP_LOWER: fprintf(out, "t%d", slot.index); break;
    case LOOP_STATE: fprintf(out, "s%d_%d", slot.index, p->side); break;
    case LOOP_UNIT: fprintf(out, "e%d", p->side); break;
    case LOOP_INVERSE: fprintf(out, "m%d", p->side); break;
    default: fprintf(out, "kept%d_%d[c]", slot.index, p->side);
    }
}

static bool reads(const graph *g, loop_slot slot)
{
    for (expr e = EXPR_UNSET + 1; e < g->nodes.n; e++)
        if (graph_node(g, e)->op == OP_INPUT && graph_slots(g, e)->arg == (int)slot) return true;
    return false;
}

static void print_output(const printer *p, const loop_writer *w, const graph_output *o)
{
    fputs("                ", p->out);
    if (o->slot.arg == LOOP_INVERSE)
        LINE("*(%s *)(G + c * %d + i0 + %d * %s)", w->at, stride_of(w), p->side, numbers(w));
    else
        loop_print_slot(p, o->slot);
    fputs(" = ", p->out);
    print_expr(p, o->value, 1, true);
    fputs(";\n", p->out);
}

static bool reads_state(const schedule *s, expr e, bool top, int state)
{
    const gnode *n = graph_node(s->g, e);
    if (!top && s->named[e]) return false;
    if (n->op == OP_INPUT) return graph_slots(s->g, e)->arg == LOOP_STATE && graph_slots(s->g, e)->index == state;
    for (int k = 0; k < graph_op_table[n->op].operands; k++)
        if (reads_state(s, k ? n->b : n->a, false, state)) return true;
    return false;
}

/* A state is written where it was read for the last time. */
static bool states_are_done(const schedule *s, int from, int state)
{
    for (int i = from; i < s->n; i++)
        if (reads_state(s, s->at[i].value, s->at[i].output < 0, state)) return false;
    return true;
}

/* ---- columns of the identity leave all zero but what can be reached from them: a - b, where a is such an input or has
   it as a factor, becomes -b, to which a is added where it is not zero. */

static bool has_input(const graph *g, expr e, loop_slot slot)
{
    const gnode *n = graph_node(g, e);
    if (n->op == OP_INPUT) return graph_slots(g, e)->arg == (int)slot;
    return n->op == OP_MUL && (has_input(g, n->a, slot) || has_input(g, n->b, slot));
}

static const char *where_not_zero(const loop_writer *w, const schedule *s, const statement *st)
{
    const gnode *n = graph_node(s->g, st->value);
    if (!w->l->inverse || st->output >= 0 || n->op != OP_SUB) return NULL;
    if (has_input(s->g, n->a, LOOP_UNIT)) return "c >= i0 && c < top";
    return has_input(s->g, n->a, LOOP_KEPT) ? "c < top && joint[j][2] > i0" : NULL;
}

static void load_unit(const loop_writer *w, const char *type)
{
    for (int s = 0; s < SIDE; s++)
        LINE("                    %se%d = *(const %s *)(unit + %d * %s - 1 - (c - i0) + %d * %s);\n", type, s, w->at,
             SIDE, numbers(w), s, numbers(w));
}

static void print_reached(const loop_writer *w, printer *p, expr e, const char *where)
{
    const gnode *n = graph_node(p->g, e);
    for (p->side = 0; p->side < SIDE; p->side++) {
        LINE("                %s x%d_%d = zero - ", w->item, p->number[e], p->side);
        print_expr(p, n->b, 2, true);
        LINE(";\n");
    }
    LINE("                if (%s) {\n", where);
    if (has_input(p->g, n->a, LOOP_UNIT)) load_unit(w, w->style->lanes ? "const V " : "const sva_item ");
    for (p->side = 0; p->side < SIDE; p->side++) {
        LINE("                    x%d_%d += ", p->number[e], p->side);
        print_expr(p, n->a, 1, true);
        LINE(";\n");
    }
    LINE("                }\n");
}

static void print_statement(const loop_writer *w, printer *p, int i)
{
    const statement *st = &p->s->at[i];
    const graph_output *o = st->output < 0 ? NULL : &p->g->outputs.at[st->output];
    const char *where = where_not_zero(w, p->s, st);
    INVARIANT(!o || o->slot.arg != LOOP_STATE || states_are_done(p->s, i + 1, o->slot.index));
    if (where) {
        print_reached(w, p, st->value, where);
        return;
    }
    for (p->side = 0; p->side < SIDE; p->side++) {
        if (o)
            print_output(p, w, o);
        else
            print_statements(p, i, i + 1);
    }
}

/* Statement by statement for the items side by side. */
static void print_column(const loop_writer *w, int number)
{
    arena *memory = arena_new();
    const schedule *s = w->program->texts.at[number].schedule;
    printer p = printer_of(w->out, memory, s, w->kernel, w->program, w->style);
    p.loop = true;
    for (int i = 0; i < s->n; i++) print_statement(w, &p, i);
    arena_free(memory);
}

/* Whether such an input is also read elsewhere: where nothing is subtracted from it, because nothing is felt. */
static bool reads_plainly(const loop_writer *w, int number, loop_slot slot)
{
    const schedule *s = w->program->texts.at[number].schedule;
    for (int i = 0; i < s->n && w->l->inverse; i++)
        if (!where_not_zero(w, s, &s->at[i]) && has_input(s->g, s->at[i].value, slot)) return true;
    return false;
}

static void unit_or_zero(const loop_writer *w)
{
    LINE("                %s e0 = zero, e1 = zero;\n                if (c >= i0 && c < top) {\n", w->item);
    load_unit(w, "");
    LINE("                }\n");
}

static void clear_kept(const loop_writer *w)
{
    bool needed = false;
    for (int s = 0; s < w->l->n_sweeps; s++) needed = needed || reads_plainly(w, w->l->sweep[s].body[0], LOOP_KEPT);
    for (int side = 0; side < SIDE && needed; side++)
        LINE("        for (int c = 0; c < %d; c++) kept0_%d[c] = zero;\n", w->l->tree->n, side);
}

static void load_inverse(const loop_writer *w)
{
    for (int s = 0; s < SIDE; s++)
        LINE("                const %s m%d = *(const %s *)(G + c * %d + i0 + %d * %s);\n", w->item, s, w->at,
             stride_of(w), s, numbers(w));
}

static void print_columns(const loop_writer *w, const sweep *s, int number)
{
    const graph *g = w->program->texts.at[number].graph;
    LINE(s->up ? "            for (int c = joint[j][1] - 1; c >= joint[j][0]; c--) {\n"
               : "            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    if (reads(g, LOOP_RECORD)) LINE("                const %s *a = A + c * %d;\n", w->E, w->l->tree->record);
    if (reads(g, LOOP_INVERSE)) load_inverse(w);
    if (reads_plainly(w, number, LOOP_UNIT)) unit_or_zero(w);
    print_column(w, number);
    LINE("            }\n");
}

/* ---- sweeps: SIDE items at a time */

static int each_state(const loop_writer *w, const sweep *s, const char *text)
{
    int n = 0;
    for (int k = 0; k < LOOP_STATES; k++)
        for (int side = 0; side < SIDE && s->state[k]; side++) put(w, text, k, side, n++);
    return n;
}

/* With the states b of a branch, of the joint or of its parent (column 3 or 4 of its table), where it has one. */
static void at_branch(const loop_writer *w, const sweep *s, int column, const char *text)
{
    if (!w->l->tree->n_branches) return;
    LINE("            if (joint[j][%d] >= 0) {\n", column);
    LINE("                %s *b = branch%d + %d * joint[j][%d];\n", w->item, (int)(s - w->l->sweep),
         each_state(w, s, ""), column);
    each_state(w, s, text);
    LINE("            }\n");
}

/* A joint starts with the sum of its children's states. */
static void print_up(const loop_writer *w, const sweep *s)
{
    if (w->l->inverse)
        LINE("        for (int j = joint_of[top - 1]; j >= 0; j--) {\n            if (joint[j][2] <= i0) continue;\n");
    else
        LINE("        for (int j = %d; j >= 0; j--) {\n", w->l->tree->n_joints - 1);
    at_branch(w, s, 3, "                s#_@ += b[$];\n");
    for (int b = 0; b < s->n_bodies; b++) print_columns(w, s, s->body[b]);
    LINE("            if (joint[j][4] == -1) continue;\n");
    at_branch(w, s, 4, "                b[$] += s#_@;\n");
    each_state(w, s, "            s#_@ = zero;\n");
    LINE("        }\n");
}

/* A joint starts with its parent's state, or with nothing on the ground. */
static void print_down(const loop_writer *w, const sweep *s)
{
    LINE("        for (int j = 0; j < %d; j++) {\n", w->l->tree->n_joints);
    LINE("            if (joint[j][4] == -2) {\n");
    each_state(w, s, "                s#_@ = zero;\n");
    LINE("            }\n");
    at_branch(w, s, 4, "                s#_@ = b[$];\n");
    for (int b = 0; b < s->n_bodies; b++) print_columns(w, s, s->body[b]);
    at_branch(w, s, 3, "                b[$] = s#_@;\n");
    LINE("        }\n");
}

static void print_sweep(const loop_writer *w, const sweep *s)
{
    int branches = w->l->tree->n_branches * each_state(w, s, "");
    LINE("        {\n");
    each_state(w, s, "        ~ s#_@ = zero;\n");
    if (s->up && branches)
        LINE("        for (int b = 0; b < %d; b++) branch%d[b] = zero;\n", branches, (int)(s - w->l->sweep));
    (s->up ? print_up : print_down)(w, s);
    LINE("        }\n");
}

/* The rows of an item are rows of the output; the last item may have less of them. */
static void print_transposed_rows(const loop_writer *w, int from, int side, const char *to)
{
    int n = w->l->tree->n;
    LINE("            if (count == SVA_ITEM)\n");
    LINE("                sva_from_items(%d, (const %s *)kept%d_%d, %s + i * %d);\n", n, w->real, from, side, to, n);
    LINE("            else\n                for (int l = 0; l < count; l++)\n");
    LINE("                    for (int c = 0; c < %d; c++) %s[(i + l) * %d + c] = ((const %s *)(kept%d_%d + c))[l];\n",
         n, to, n, w->real, from, side);
}

/* Rows from i0 on, of all columns. */
static void print_rows_out(const loop_writer *w, int from, const char *to)
{
    char at[64];
    int n = w->l->tree->n;
    for (int s = 0; s < SIDE; s++) {
        LINE("        if (i0 + %d * %s < %d) {\n            const int i = i0 + %d * %s;\n", s, numbers(w), n, s,
             numbers(w));
        if (!w->style->lanes) LINE("            const int count = %d - i < SVA_ITEM ? %d - i : SVA_ITEM;\n", n, n);
        loop_entry(w, at, sizeof at, "i", "c");
        if (w->style->lanes)
            LINE("            for (int c = 0; c < %d; c++) STORE(%s, %s, kept%d_%d[c]);\n", n, to, at, from, s);
        else if (w->style->column_major)
            LINE("            for (int c = 0; c < %d; c++) sva_copy(count, (const %s *)(kept%d_%d + c), %s + c * %d + "
                 "i);\n",
                 n, w->real, from, s, to, n);
        else
            print_transposed_rows(w, from, s, to);
        LINE("        }\n");
    }
}

/* The arrays that are carried through the tree, and where a tree has branches, states kept there. */
static void print_arrays(const loop_writer *w)
{
    int n = w->l->tree->n;
    LINE("    const %s zero = {0};\n", w->item);
    for (int k = 0; k < w->l->n_kept; k++)
        for (int side = 0; side < SIDE; side++) LINE("    %s kept%d_%d[%d];\n", w->item, k, side, n);
    for (const sweep *s = w->l->sweep; s < w->l->sweep + w->l->n_sweeps; s++) {
        int count = w->l->tree->n_branches * each_state(w, s, "");
        if (count) LINE("    %s branch%d[%d];\n", w->item, (int)(s - w->l->sweep), count);
    }
}

static void print_sweeps(const loop_writer *w)
{
    int n = w->l->tree->n;
    loop_function(w);
    LINE("const %s *SVA_RESTRICT A, %s%s *SVA_RESTRICT G", w->E, w->l->inverse ? "" : "const ", w->E);
    loop_outputs(w, true);
    LINE(")\n{\n");
    print_joints(w);
    if (w->l->inverse) print_joint_of(w);
    print_arrays(w);
    if (w->l->inverse) print_unit(w);
    LINE("    for (int i0 = 0; i0 < %d; i0 += %d * %s) {\n", n, SIDE, numbers(w));
    if (w->l->inverse) {
        LINE("        const int top = i0 + %d * %s < %d ? i0 + %d * %s : %d;\n", SIDE, numbers(w), n, SIDE, numbers(w),
             n);
    }
    clear_kept(w);
    for (const sweep *s = w->l->sweep; s < w->l->sweep + w->l->n_sweeps; s++) print_sweep(w, s);
    for (int k = 0; k < w->l->n_kept; k++)
        if (w->l->kept[k] != ARG_COUNT) print_rows_out(w, k, slot_name(w->l->kept[k]));
    LINE("    }\n}\n\n");
}

/* ---- the interface */

#define EACH_LOOP(s, p)                                                                                                \
    for (const stage *s = (p)->stages.at; s < (p)->stages.at + (p)->stages.n; s++)                                     \
        if (s->kind == STAGE_LOOP)

void loops_print(FILE *out, const kernel_info *k, const program *p, const print_style *style)
{
    EACH_LOOP(s, p)
    {
        loop_writer w = writer_of(out, k, p, s->loop, style);
        (s->loop->kind == LOOP_PAIRS ? loop_print_pairs : print_sweeps)(&w);
    }
}

void loops_print_locals(FILE *out, const program *p, const print_style *style)
{
    for (int a = LOCAL_COLUMNS; a <= LOCAL_FORCES; a++)
        if (p->room[a]) fprintf(out, "    %s %s[%d] SVA_ALIGN64;\n", print_value(style), slot_name(a), p->room[a]);
    EACH_LOOP(s, p)
    {
        loop_writer x = writer_of(out, NULL, p, s->loop, style), *w = &x;
        if (s->loop->inverse) LINE("    %s G[%d] SVA_ALIGN64;\n", w->E, s->loop->tree->n * stride_of(w));
    }
}

/* M^-1 from G: by rows or by columns is the same. */
static void print_minv(const loop_writer *w)
{
    int n = w->l->tree->n, stride = stride_of(w);
    LINE("    for (int i = 0; i < %d; i++) ", n);
    if (w->style->lanes)
        LINE("for (int c = 0; c < %d; c++) STORE(minv, i * %d + c, G[i * %d + c]);\n", n, n, stride);
    else
        LINE("sva_copy(%d, G + i * %d, minv + i * %d);\n", n, stride, n);
}

void loop_print_call(FILE *out, const program *p, const loop *l, const print_style *style)
{
    loop_writer x = writer_of(out, NULL, p, l, style), *w = &x;
    LINE(style->lanes ? "    FN(%s_%s)(A, " : "    %s_%s(A, ", style->name, l->name);
    LINE(l->kind == LOOP_PAIRS ? "T" : "G");
    loop_outputs(w, false);
    LINE(");\n");
    if (l->inverse) print_minv(w);
}
