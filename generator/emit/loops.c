#include "loops.h"

#include <string.h>
#include "base/number.h"

static const char *const part_names[LOOP_PARTS] = {"S", "Psi1", "Psi2", "D", "K", "Dinv", "t4", "t1", "t2", "t3"};

typedef struct writer {
    FILE *out;
    const loops *l;
    const print_style *style;
    const char *real, *E, *item; /* a number of the caller, a number here, an item */
    const char *at;              /* its type in an array */
} writer;

/* Items that loops over all columns work on side by side, so that a record is read for several. */
enum { SIDE = 2 };

static writer writer_of(FILE *out, const loops *l, const print_style *style)
{
    const char *real = style->single ? "float" : "double";
    if (style->lanes) return (writer){out, l, style, real, "V", "V", "V"};
    return (writer){out, l, style, real, real, "sva_item", "sva_item_at"};
}

bool loops_writes(const loops *l, arg a)
{
    switch (a) {
    case ARG_DTAU_DQ:
    case ARG_DTAU_DV: return l->pairs && l->derivatives;
    case ARG_M: return l->mass;
    case ARG_MINV: return l->inverse;
    case ARG_DQDD_DQ:
    case ARG_DQDD_DV: return l->inverse && l->derivatives;
    default: return false;
    }
}

/* ---- expressions */

/* "(a[0]*N_0 + a[4]*N_3)": components of the record times items of the same components. */
static void dot(const writer *w, loop_part part, loop_part other, const char *name)
{
    const char *plus = "(";
    for (int k = 0; k < 6; k++) {
        if (w->l->at[part][k] < 0 || w->l->at[other][k] < 0) continue;
        fprintf(w->out, "%sa[%d]*%s_%d", plus, w->l->at[part][k], name, k);
        plus = " + ";
    }
    fputs(*plus == '(' ? "zero" : ")", w->out);
}

/* A text with % the number of an item side by side, # that of a component, @ its place in the record, $ its number
   among those there are, & the type of an item. */
static void put(const writer *w, const char *text, int side, int component, int at, int number)
{
    for (const char *c = text; *c; c++)
        if (*c == '&')
            fputs(w->item, w->out);
        else if (strchr("%#@$", *c))
            fprintf(w->out, "%d", *c == '%' ? side : *c == '#' ? component : *c == '@' ? at : number);
        else
            fputc(*c, w->out);
}

/* It for each component of a part; and for each item, where the text tells them apart. */
static void each(const writer *w, loop_part part, const char *text)
{
    int sides = strchr(text, '%') ? SIDE : 1;
    for (int k = 0, n = 0; k < 6; k++) {
        if (w->l->at[part][k] < 0) continue;
        for (int s = 0; s < sides; s++) put(w, text, s, k, w->l->at[part][k], sides * n + s);
        n++;
    }
}

static int components(const writer *w, loop_part part) { return loops_common(w->l, part, part); }

#define LINE(...) fprintf(w->out, __VA_ARGS__)

/* ---- tables */

static void print_numbers(const writer *w, const char *name, int columns, int count, const int *x)
{
    LINE("    static const short %s[][%d] = {", name, columns);
    for (int i = 0; i < count; i++) {
        LINE("%s{", i % 8 ? " " : "\n        ");
        for (int k = 0; k < columns; k++) LINE("%s%d", k ? ", " : "", x[i * columns + k]);
        LINE("},");
    }
    LINE("\n    };\n");
}

/* For each column: the first of its joint, the next joint's, the end of its subtree. */
static void print_spans(const writer *w)
{
    const loops *l = w->l;
    arena *memory = arena_new();
    int *x = ARENA_ARRAY(memory, int, 3 * l->n), n = 0;
    for (const loop_joint *j = l->joint; j < l->joint + l->n_joints; j++)
        for (int c = j->first; c < j->next; c++) x[n++] = j->first, x[n++] = j->next, x[n++] = j->end;
    print_numbers(w, "span", 3, l->n, x);
    arena_free(memory);
}

/* For each joint: its first column, the next joint's, the end of its subtree, its branch, the branch of its parent.
   Branches: -1: none; of a parent: -1: the joint before, -2: the ground. */
static void print_joints(const writer *w)
{
    const loops *l = w->l;
    arena *memory = arena_new();
    int *x = ARENA_ARRAY(memory, int, 5 * l->n_joints), n = 0;
    for (int i = 0; i < l->n_joints; i++) {
        const loop_joint *j = &l->joint[i];
        x[n++] = j->first, x[n++] = j->next, x[n++] = j->end, x[n++] = j->branch;
        x[n++] = j->parent < 0 ? -2 : j->parent == i - 1 ? -1 : l->joint[j->parent].branch;
    }
    print_numbers(w, "joint", 5, l->n_joints, x);
    arena_free(memory);
}

static void print_armature(const writer *w)
{
    char text[NUMBER_SIZE];
    LINE("    static const %s armature[] = {", w->real);
    for (int c = 0; c < w->l->n; c++) {
        number_print(text, w->l->armature[c]);
        LINE("%s(%s)%s", c ? ", " : "", w->real, text);
    }
    LINE("};\n");
}

/* ---- pairs */

/* The items of the lower columns from i on. */
static void load_lower(const writer *w)
{
    for (int part = LOOP_T4; part < LOOP_PARTS; part++)
        for (int k = 0; k < 6; k++)
            if (w->l->at[part][k] >= 0)
                LINE("                const %s %s_%d = *(const %s%s *)(T + %ld + i);\n", w->item, part_names[part], k,
                     w->item, w->style->lanes ? "" : "_at", (long)w->l->at[part][k] * w->l->n);
}

typedef struct pair_term {
    arg out;
    bool above; /* entry (c, i), else (i, c) */
    loop_part part[2], other[2];
} pair_term;

static const pair_term pair_terms[] = {
    {ARG_DTAU_DQ, false, {LOOP_PSI1, LOOP_PSI2}, {LOOP_T4, LOOP_T1}},
    {ARG_DTAU_DV, false, {LOOP_S, LOOP_D}, {LOOP_T4, LOOP_T1}},
    {ARG_DTAU_DQ, true, {LOOP_S, LOOP_PARTS}, {LOOP_T3, LOOP_PARTS}},
    {ARG_DTAU_DV, true, {LOOP_S, LOOP_PARTS}, {LOOP_T2, LOOP_PARTS}},
    {ARG_M, false, {LOOP_S, LOOP_PARTS}, {LOOP_T1, LOOP_PARTS}},
};
enum { PAIR_TERMS = sizeof pair_terms / sizeof *pair_terms };

static void print_term(const writer *w, const pair_term *t)
{
    for (int k = 0; k < 2 && t->part[k] != LOOP_PARTS; k++) {
        if (k) fputs(" + ", w->out);
        dot(w, t->part[k], t->other[k], part_names[t->other[k]]);
    }
}

/* Entries that are beside each other in the output are copied from a row, the others go through eight rows that are
   turned. M is symmetric: its eight rows serve both. */
static bool is_turned(const writer *w, const pair_term *t) { return t->above == w->style->column_major; }
static bool has_eight(const writer *w, const pair_term *t) { return is_turned(w, t) || t->out == ARG_M; }

/* "dtau_dq_turn + l * ROOM", where a column's entries are. */
static const char *buffer_of(const writer *w, const pair_term *t, char text[64])
{
    snprintf(text, 64, "%s_%s%s", arg_table[t->out].name, is_turned(w, t) ? "turn" : "row",
             has_eight(w, t) ? " + l * ROOM" : "");
    return text;
}

static void print_pair_items(const writer *w)
{
    char text[64];
    LINE("            for (int i = first; i < end; i += SVA_ITEM) {\n");
    load_lower(w);
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        LINE("                *(sva_item_at *)(%s + i) = ", buffer_of(w, t, text));
        print_term(w, t);
        LINE(";\n");
    }
    LINE("            }\n");
}

/* What is not below the column is zero. */
static void print_pair_ends(const writer *w)
{
    char text[64];
    int n = w->l->n;
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        const char *from = t->above || t->out == ARG_M ? "next" : "first";
        buffer_of(w, t, text);
        LINE("            for (int i = end; i < %d; i++) (%s)[i] = 0;\n", n, text);
        if (t->out == ARG_M) LINE("            (%s)[c] += armature[c];\n", text);
        if (!is_turned(w, t) || t->out == ARG_M)
            LINE("            sva_copy(%d - %s, %s + %s, %s + c * %d + %s);\n", n, from, text, from,
                 arg_table[t->out].name, n, from);
    }
}

static void print_turned(const writer *w, const pair_term *t)
{
    const char *name = arg_table[t->out].name, *buffer = is_turned(w, t) ? "turn" : "row";
    int n = w->l->n;
    LINE("        for (int i = span[c0][0]; i < c0 + 8 && i < %d; i++)\n", n);
    LINE("            for (int l = 0; l < count; l++)\n");
    LINE("                if (i >= span[c0 + l][%d]) %s[i * %d + c0 + l] = %s_%s[l * ROOM + i];\n", t->above ? 1 : 0,
         name, n, name, buffer);
    LINE("        if (c0 + 8 < %d)\n", n);
    LINE("            sva_eight_columns(%d - c0 - 8, %s_%s + c0 + 8, ROOM, %s + (c0 + 8) * %d + c0, %d);\n", n, name,
         buffer, name, n, n);
}

static void print_state_pairs(const writer *w)
{
    int n = w->l->n;
    LINE("    for (int c0 = 0; c0 < %d; c0 += 8) {\n", n);
    LINE("        const int count = %d - c0 < 8 ? %d - c0 : 8;\n", n, n);
    LINE("        for (int l = 0; l < count; l++) {\n");
    LINE("            const int c = c0 + l, first = span[c][0], next = span[c][1], end = span[c][2];\n");
    LINE("            const %s *a = A + c * %d;\n            (void)next;\n", w->E, w->l->record);
    print_pair_items(w);
    print_pair_ends(w);
    LINE("        }\n");
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++)
        if (loops_writes(w->l, t->out) && has_eight(w, t)) print_turned(w, t);
    LINE("    }\n");
}

static void entry_at(const writer *w, char *buffer, size_t size, const char *row, const char *column)
{
    bool columns = w->style->column_major;
    snprintf(buffer, size, "%s * %d + %s", columns ? column : row, w->l->n, columns ? row : column);
}

/* Sixteen lower columns at a time stay in the cache while all others pass. */
static void print_lane_pairs(const writer *w)
{
    char at[64];
    int n = w->l->n;
    LINE("    for (int tile = 0; tile < %d; tile += 16)\n", n);
    LINE("        for (int c = 0; c < %d; c++) {\n", n);
    LINE("            const int from = span[c][0] > tile ? span[c][0] : tile, next = span[c][1];\n");
    LINE("            const int to = span[c][2] < tile + 16 ? span[c][2] : tile + 16;\n");
    LINE("            const V *a = A + c * %d;\n            (void)next;\n", w->l->record);
    LINE("            for (int i = from; i < to; i++) {\n");
    load_lower(w);
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        entry_at(w, at, sizeof at, t->above ? "c" : "i", t->above ? "i" : "c");
        LINE("                %s{\n                    V x = ", t->above ? "if (i >= next) " : "");
        print_term(w, t);
        LINE(";\n");
        if (t->out == ARG_M) LINE("                    if (i == c) x += armature[c];\n");
        LINE("                    STORE(%s, %s, x);\n", arg_table[t->out].name, at);
        entry_at(w, at, sizeof at, "c", "i");
        if (t->out == ARG_M) LINE("                    if (i >= next) STORE(M, %s, x);\n", at);
        LINE("                }\n");
    }
    LINE("            }\n        }\n");
    LINE("    for (int c = 0; c < %d; c++)\n        for (int i = span[c][2]; i < %d; i++) {\n", n, n);
    static const arg outs[] = {ARG_DTAU_DQ, ARG_DTAU_DV, ARG_M};
    for (int o = 0; o < 3; o++)
        if (loops_writes(w->l, outs[o])) {
            LINE("            STORE(%s, i * %d + c, zero);\n", arg_table[outs[o]].name, n);
            LINE("            STORE(%s, c * %d + i, zero);\n", arg_table[outs[o]].name, n);
        }
    LINE("        }\n");
}

static void print_pair_buffers(const writer *w)
{
    int room = w->l->n + 8;
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++)
        if (loops_writes(w->l, t->out))
            LINE("    %s %s_%s[%d] SVA_ALIGN64;\n", w->E, arg_table[t->out].name, is_turned(w, t) ? "turn" : "row",
                 is_turned(w, t) || t->out == ARG_M ? 8 * room : room);
    LINE("    enum { ROOM = %d };\n", room);
}

static void print_outputs(const writer *w, bool declare)
{
    for (int a = ARG_INPUTS; a < ARG_LOCALS; a++)
        if (loops_writes(w->l, (arg)a) && a != ARG_MINV)
            LINE(declare ? ", %s *SVA_RESTRICT %s" : ", %.0s%s", w->real, arg_table[a].name);
}

static void function(const writer *w, const char *what)
{
    LINE(w->style->lanes ? "SVA_STACK static void FN(%s_%s)(" : "SVA_STACK static void %s_%s(", w->style->name, what);
}

static void print_pairs(const writer *w)
{
    function(w, "pairs");
    LINE("const %s *SVA_RESTRICT A, const %s *SVA_RESTRICT T", w->E, w->E);
    print_outputs(w, true);
    LINE(")\n{\n");
    print_spans(w);
    if (w->l->mass) print_armature(w);
    LINE("    const %s zero = {0};\n    (void)zero;\n", w->item);
    if (!w->style->lanes) print_pair_buffers(w);
    (w->style->lanes ? print_lane_pairs : print_state_pairs)(w);
    LINE("}\n\n");
}

/* ---- M^-1: SIDE items of columns at a time */

static int width_of(const writer *w) { return w->style->lanes ? 1 : 8; }
static const char *numbers(const writer *w) { return w->style->lanes ? "1" : "SVA_ITEM"; } /* of an item */

/* Rows of G have room for whole items. */
static int stride_of(const writer *w)
{
    int most = SIDE * width_of(w);
    return (w->l->n + most - 1) / most * most;
}

/* One array of items for each branch, into which those that are not the next joint add, or from which they read. */
static void branches(const writer *w, const char *name, int count)
{
    if (w->l->n_branches) LINE("    %s %s[%d];\n", w->item, name, SIDE * w->l->n_branches * count);
}

static void clear_branches(const writer *w, const char *name, int count)
{
    int n = SIDE * w->l->n_branches * count;
    if (n) LINE("        for (int b = 0; b < %d; b++) %s[b] = zero;\n", n, name);
}

/* With the items of a branch, of the joint or of its parent (column 3 or 4 of its table), where it has one. */
static void begin_branch(const writer *w, const char *stack, int count, int column)
{
    LINE("            if (joint[j][%d] >= 0) {\n                %s *b = %s + %d * joint[j][%d];\n", column, w->item,
         stack, SIDE * count, column);
}

static void print_branch(const writer *w, loop_part part, const char *stack, int column, const char *text)
{
    if (!w->l->n_branches) return;
    begin_branch(w, stack, components(w, part), column);
    each(w, part, text);
    LINE("            }\n");
}

static void begin_columns(const writer *w, bool up)
{
    LINE(up ? "            for (int c = joint[j][1] - 1; c >= joint[j][0]; c--) {\n"
            : "            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    LINE("                const %s *a = A + c * %d;\n", w->E, w->l->record);
}

/* "const V x0 = ", a product for each item, and what follows */
static void products(const writer *w, const char *before, loop_part part, loop_part other, const char *name,
                     const char *after)
{
    for (int s = 0; s < SIDE; s++) {
        char item[16];
        snprintf(item, sizeof item, "%s%d", name, s);
        put(w, before, s, 0, 0, 0);
        dot(w, part, other, item);
        put(w, after, s, 0, 0, 0);
    }
}

/* Forces from the leaves to the root: u = e - S.p, p += K u. A joint with none of the columns below it has none. */
static void print_inverse_up(const writer *w)
{
    int K = components(w, LOOP_K);
    clear_branches(w, "p_of", K);
    each(w, LOOP_K, "        & p%_# = zero;\n");
    LINE("        for (int j = joint_of[top - 1]; j >= 0; j--) {\n");
    LINE("            if (joint[j][2] <= c0) continue;\n");
    print_branch(w, LOOP_K, "p_of", 3, "                p%_# += b[$];\n");
    begin_columns(w, true);
    products(w, "                & x% = zero - ", LOOP_S, LOOP_K, "p", ";\n");
    LINE("                if (c >= c0 && c < top) {\n                    const int e = %d * %s - 1 - (c - c0);\n", SIDE,
         numbers(w));
    for (int s = 0; s < SIDE; s++)
        LINE("                    x%d += *(const %s *)(unit + e + %d * %s);\n", s, w->at, s, numbers(w));
    LINE("                }\n");
    for (int s = 0; s < SIDE; s++) LINE("                u[%d * c + %d] = x%d;\n", SIDE, s, s);
    each(w, LOOP_K, "                p%_# += a[@]*x%;\n");
    LINE("            }\n            if (joint[j][4] == -1) continue;\n");
    print_branch(w, LOOP_K, "p_of", 4, "                b[$] += p%_#;\n");
    each(w, LOOP_K, "            p%_# = zero;\n");
    LINE("        }\n");
}

/* Where a joint does not follow the one before it, what it starts from: its parent's, or nothing on the ground. */
static void print_start(const writer *w, loop_part part, const char *none, const char *stack, const char *some)
{
    LINE("            if (joint[j][4] == -2) {\n");
    each(w, part, none);
    LINE("            }\n");
    print_branch(w, part, stack, 4, some);
}

/* Accelerations from the root to the leaves: x = u / D - K.a, a += S x. */
static void print_inverse_down(const writer *w)
{
    each(w, LOOP_S, "        & a%_# = zero;\n");
    LINE("        for (int j = 0; j < %d; j++) {\n", w->l->n_joints);
    print_start(w, LOOP_S, "                a%_# = zero;\n", "a_of", "                a%_# = b[$];\n");
    begin_columns(w, false);
    products(w, "                & x% = zero - ", LOOP_K, LOOP_S, "a", ";\n");
    LINE("                if (c < top && joint[j][2] > c0) {\n");
    for (int s = 0; s < SIDE; s++)
        LINE("                    x%d += a[%d]*u[%d * c + %d];\n", s, w->l->at[LOOP_DINV][0], SIDE, s);
    LINE("                }\n");
    for (int s = 0; s < SIDE; s++)
        LINE("                *(%s *)(G + c * %d + c0 + %d * %s) = x%d;\n", w->at, stride_of(w), s, numbers(w), s);
    each(w, LOOP_S, "                a%_# += a[@]*x%;\n");
    LINE("            }\n");
    print_branch(w, LOOP_S, "a_of", 3, "                b[$] = a%_#;\n");
    LINE("        }\n");
}

static void print_joint_of(const writer *w)
{
    LINE("    static const short joint_of[] = {");
    for (int j = 0, n = 0; j < w->l->n_joints; j++)
        for (int c = w->l->joint[j].first; c < w->l->joint[j].next; c++, n++)
            LINE("%s%d", !n ? "" : n % 24 ? ", " : ",\n        ", j);
    LINE("};\n");
}

/* Columns of the identity are windows of one that is twice as long. */
static void print_unit(const writer *w)
{
    LINE("    %s unit[2 * %d * %s];\n", w->E, SIDE, numbers(w));
    LINE("    for (int i = 0; i < 2 * %d * %s; i++) unit[i] = %s;\n", SIDE, numbers(w), w->style->lanes ? "zero" : "0");
    LINE("    unit[%d * %s - 1] += 1;\n", SIDE, numbers(w));
}

/* G = M^-1 */
static void print_inverse(const writer *w)
{
    int n = w->l->n;
    function(w, "inverse");
    LINE("const %s *SVA_RESTRICT A, %s *SVA_RESTRICT G)\n{\n", w->E, w->E);
    print_joints(w);
    print_joint_of(w);
    LINE("    const %s zero = {0};\n    %s u[%d];\n", w->item, w->item, SIDE * n);
    branches(w, "p_of", components(w, LOOP_K));
    branches(w, "a_of", components(w, LOOP_S));
    print_unit(w);
    LINE("    for (int c0 = 0; c0 < %d; c0 += %d * %s) {\n", n, SIDE, numbers(w));
    LINE("        const int top = c0 + %d * %s < %d ? c0 + %d * %s : %d;\n", SIDE, numbers(w), n, SIDE, numbers(w), n);
    print_inverse_up(w);
    print_inverse_down(w);
    LINE("    }\n}\n\n");
}

/* ---- derivatives of qdd: SIDE items of rows at a time */

static void load_inverse(const writer *w)
{
    for (int s = 0; s < SIDE; s++)
        LINE("                const %s m%d = *(const %s *)(G + c * %d + i0 + %d * %s);\n", w->item, s, w->at,
             stride_of(w), s, numbers(w));
}

/* N from the root to the leaves, and what it gives. */
static void print_above(const writer *w)
{
    each(w, LOOP_S, "        & N%_# = zero;\n");
    LINE("        for (int j = 0; j < %d; j++) {\n", w->l->n_joints);
    print_start(w, LOOP_S, "                N%_# = zero;\n", "N_of", "                N%_# = b[$];\n");
    begin_columns(w, false);
    products(w, "                dq%[c] = ", LOOP_T3, LOOP_S, "N", ";\n");
    products(w, "                dv%[c] = ", LOOP_T2, LOOP_S, "N", ";\n");
    LINE("            }\n");
    begin_columns(w, false);
    load_inverse(w);
    each(w, LOOP_S, "                N%_# += a[@]*m%;\n");
    LINE("            }\n");
    print_branch(w, LOOP_S, "N_of", 3, "                b[$] = N%_#;\n");
    LINE("        }\n");
}

static void print_branch_sums(const writer *w, bool from)
{
    int T1 = components(w, LOOP_T1), T4 = components(w, LOOP_T4);
    if (!w->l->n_branches) return;
    begin_branch(w, "T_of", T1 + T4, from ? 3 : 4);
    each(w, LOOP_T1, from ? "                T1%_# += b[$];\n" : "                b[$] += T1%_#;\n");
    LINE("                b += %d;\n", SIDE * T1);
    each(w, LOOP_T4, from ? "                T4%_# += b[$];\n" : "                b[$] += T4%_#;\n");
    LINE("            }\n");
}

/* T from the leaves to the root, and the sum of both. */
static void print_below(const writer *w)
{
    int count = components(w, LOOP_T1) + components(w, LOOP_T4);
    clear_branches(w, "T_of", count);
    each(w, LOOP_T1, "        & T1%_# = zero;\n");
    each(w, LOOP_T4, "        & T4%_# = zero;\n");
    LINE("        for (int j = %d; j >= 0; j--) {\n", w->l->n_joints - 1);
    print_branch_sums(w, true);
    begin_columns(w, false);
    load_inverse(w);
    each(w, LOOP_T1, "                T1%_# += a[@]*m%;\n");
    each(w, LOOP_T4, "                T4%_# += a[@]*m%;\n");
    LINE("            }\n");
    begin_columns(w, false);
    products(w, "                dq%[c] = zero - dq%[c] - ", LOOP_PSI2, LOOP_T1, "T1", ";\n");
    products(w, "                dq%[c] -= ", LOOP_PSI1, LOOP_T4, "T4", ";\n");
    products(w, "                dv%[c] = zero - dv%[c] - ", LOOP_D, LOOP_T1, "T1", ";\n");
    products(w, "                dv%[c] -= ", LOOP_S, LOOP_T4, "T4", ";\n");
    LINE("            }\n            if (joint[j][4] == -1) continue;\n");
    print_branch_sums(w, false);
    each(w, LOOP_T1, "            T1%_# = zero;\n");
    each(w, LOOP_T4, "            T4%_# = zero;\n");
    LINE("        }\n");
}

/* The rows of an item are rows of the output; the last item may have less of them. */
static void print_turned_rows(const writer *w, const char *from, int side, const char *to)
{
    int n = w->l->n;
    LINE("            if (count == SVA_ITEM)\n");
    LINE("                sva_from_items(%d, (const %s *)%s%d, %s + i * %d);\n", n, w->real, from, side, to, n);
    LINE("            else\n                for (int l = 0; l < count; l++)\n");
    LINE("                    for (int c = 0; c < %d; c++) %s[(i + l) * %d + c] = ((const %s *)(%s%d + c))[l];\n", n,
         to, n, w->real, from, side);
}

/* Rows from i0 on, of all columns. */
static void print_rows_out(const writer *w, const char *from, const char *to)
{
    char at[64];
    int n = w->l->n;
    for (int s = 0; s < SIDE; s++) {
        LINE("        if (i0 + %d * %s < %d) {\n            const int i = i0 + %d * %s;\n", s, numbers(w), n, s,
             numbers(w));
        if (!w->style->lanes) LINE("            const int count = %d - i < SVA_ITEM ? %d - i : SVA_ITEM;\n", n, n);
        entry_at(w, at, sizeof at, "i", "c");
        if (w->style->lanes)
            LINE("            for (int c = 0; c < %d; c++) STORE(%s, %s, %s%d[c]);\n", n, to, at, from, s);
        else if (w->style->column_major)
            LINE("            for (int c = 0; c < %d; c++) sva_copy(count, (const %s *)(%s%d + c), %s + c * %d + i);\n",
                 n, w->real, from, s, to, n);
        else
            print_turned_rows(w, from, s, to);
        LINE("        }\n");
    }
}

static void print_derivatives(const writer *w)
{
    int n = w->l->n;
    function(w, "derivatives");
    LINE("const %s *SVA_RESTRICT A, const %s *SVA_RESTRICT G", w->E, w->E);
    print_outputs(w, true);
    LINE(")\n{\n");
    print_joints(w);
    LINE("    const %s zero = {0};\n", w->item);
    for (int s = 0; s < SIDE; s++) LINE("    %s dq%d[%d], dv%d[%d];\n", w->item, s, n, s, n);
    branches(w, "N_of", components(w, LOOP_S));
    branches(w, "T_of", components(w, LOOP_T1) + components(w, LOOP_T4));
    LINE("    for (int i0 = 0; i0 < %d; i0 += %d * %s) {\n", n, SIDE, numbers(w));
    print_above(w);
    print_below(w);
    print_rows_out(w, "dq", "dqdd_dq");
    print_rows_out(w, "dv", "dqdd_dv");
    LINE("    }\n}\n\n");
}

/* ---- the interface */

void loops_print(FILE *out, const loops *l, const print_style *style)
{
    writer x = writer_of(out, l, style), *w = &x;
    if (l->pairs) print_pairs(w);
    if (l->inverse) print_inverse(w);
    if (l->inverse && l->derivatives) print_derivatives(w);
}

void loops_print_locals(FILE *out, const loops *l, const print_style *style)
{
    writer x = writer_of(out, l, style), *w = &x;
    LINE("    %s A[%d] SVA_ALIGN64;\n", w->E, l->n * l->record);
    if (l->pairs) LINE("    %s T[%d] SVA_ALIGN64;\n", w->E, l->rows * l->n + 8);
    if (l->inverse) LINE("    %s G[%d] SVA_ALIGN64;\n", w->E, l->n * stride_of(w));
}

/* M^-1 from G: by rows or by columns is the same. */
static void print_minv(const writer *w)
{
    int n = w->l->n, stride = stride_of(w);
    LINE("    for (int i = 0; i < %d; i++) ", n);
    if (w->style->lanes)
        LINE("for (int c = 0; c < %d; c++) STORE(minv, i * %d + c, G[i * %d + c]);\n", n, n, stride);
    else
        LINE("sva_copy(%d, G + i * %d, minv + i * %d);\n", n, stride, n);
}

void loops_print_calls(FILE *out, const loops *l, const print_style *style)
{
    writer x = writer_of(out, l, style), *w = &x;
    const char *call = style->lanes ? "    FN(%s_%s)(A, " : "    %s_%s(A, ";
    if (l->pairs) {
        LINE(call, style->name, "pairs");
        LINE("T");
        print_outputs(w, false);
        LINE(");\n");
    }
    if (!l->inverse) return;
    LINE(call, style->name, "inverse");
    LINE("G);\n");
    if (l->derivatives) {
        LINE(call, style->name, "derivatives");
        LINE("G");
        print_outputs(w, false);
        LINE(");\n");
    }
    print_minv(w);
}
